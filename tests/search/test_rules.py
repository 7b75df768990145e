"""EduMCTS as pure functions: what holds for every tree, and the numbers of small ones worked out by hand."""

from __future__ import annotations

import copy
import math
import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eduflow.search import Rules, Tree, ask, load_schedule, status, stop, tell
from eduflow.search.filters import Filters, select
from eduflow.search.rules import ucb
from eduflow.search.tree import Child, Expand, Expanded, Result, Review, Reviewed
from tests.support.search import answer, grow

RULES = st.builds(
    Rules,
    schedule=st.sampled_from([load_schedule(name) for name in ("edumcts", "steps", "staged", "whole")]),
    width=st.integers(1, 5),
    actors=st.integers(1, 3),
    rollouts=st.integers(1, 6),
    threshold=st.sampled_from([0.0, 0.5, 0.9]),
    exploration=st.sampled_from([0.0, 0.5, 2.0]),
    reward=st.sampled_from(["step", "rollout", "both"]),
    backprop=st.sampled_from(["new", "literal"]),
    selection=st.sampled_from(["ucb", "fresh"]),
    hot_retry=st.booleans(),
    budget_calls=st.one_of(st.none(), st.integers(0, 120)),
    budget_tokens=st.one_of(st.none(), st.integers(0, 2000)),
    child_calls=st.just(2),
    review_calls=st.just(1),
    child_tokens=st.just(30),
    parallel=st.integers(1, 4),
)
QUALITY = st.sampled_from([0.2, 0.5, 0.7, 0.95])


def state(tree: Tree) -> Any:
    return list(tree.nodes), tree.calls, tree.tokens, tree.rollouts, tree.died, tree.ended


def check(tree: Tree) -> None:
    rules = tree.rules
    for node in tree.nodes:
        assert 0 <= node.value <= 1
        assert 0 <= node.depth <= rules.schedule.max_depth
        assert node.visits >= 0
        assert node.expansions <= 2
        open_ = [c for c in map(tree.nodes.__getitem__, node.children) if c.pruned is None and not c.closed]
        assert node.open_children == len(open_)
        if node.dead:
            assert node.closed
            assert all(not c.live for c in map(tree.nodes.__getitem__, node.children))
    if rules.budget_calls is not None:
        assert tree.calls + tree.reserved_calls <= max(rules.budget_calls, 0)
    if rules.budget_tokens is not None:
        assert tree.tokens + tree.reserved_tokens <= rules.budget_tokens
    assert tree.rollouts <= rules.rollouts


@settings(max_examples=300)
@given(RULES, QUALITY, st.booleans())
def test_values_budgets_and_counts_hold_in_every_state(rules: Rules, quality: float, images: bool) -> None:
    tree = grow(Tree(rules, images=images), quality, look=check)
    assert tree.finished + tree.died + sum(slot.at is not None for slot in tree.slots) == tree.rollouts
    assert not any(node.virtual or node.busy for node in tree.nodes)
    assert (tree.reserved_calls, tree.reserved_tokens) == (0, 0)
    if tree.ended == "exhausted":
        assert tree.root.closed
    selected = select(tree, Filters(), lambda answers: [None if a is None else hash(a) for a in answers])
    assert len(tree.answers()) == sum(selected.dropped.values()) + (selected.node is not None)
    assert tree.finished == len(tree.answers())


@settings(max_examples=200)
@given(RULES, QUALITY, st.randoms(use_true_random=False))
def test_the_order_in_which_results_arrive_never_changes_the_tree(
    rules: Rules, quality: float, dice: random.Random
) -> None:
    def some(results: Sequence[Result]) -> list[Result]:
        told = list(results)
        dice.shuffle(told)
        return told[: dice.randint(1, len(told))]

    plain = grow(Tree(rules), quality)
    assert state(grow(Tree(rules), quality, order=some)) == state(plain)
    assert state(grow(Tree(rules), quality, order=lambda r: r[-1:])) == state(plain)


@settings(max_examples=100)
@given(RULES, QUALITY)
def test_a_dead_or_closed_branch_is_never_asked_again(rules: Rules, quality: float) -> None:
    tree = Tree(rules)
    asked: Counter[tuple[int, bool]] = Counter()
    while True:
        tasks = ask(tree)
        for task in tasks:
            node = tree.nodes[task.node]
            assert not any(up.closed or up.pruned for up in tree.up(node.id))
            hot = isinstance(task, Expand) and task.hot
            asked[task.node, hot] += 1
            if isinstance(task, Expand):
                assert task.kinds
                assert hot == (node.expansions == 1)
                assert len({(d.actor, d.sample) for d in task.draws}) == len(task.draws)
        if tree.ended is not None:
            break
        tell(tree, [answer(tree, task, quality) for task in tasks])
    assert max(asked.values(), default=1) == 1


@given(RULES, QUALITY)
def test_visits_count_the_scored_survivors_below_once_each_and_the_rollouts(
    rules: Rules, quality: float
) -> None:
    tree = grow(Tree(rules), quality)
    if rules.backprop != "new":
        return
    for node in tree.nodes:
        if node.pruned is not None:
            continue
        below = [
            n for n in tree.nodes if n.pruned is None and n.id != node.id and node in list(tree.up(n.id))
        ]
        visits = int(node.score is not None)
        if rules.reward != "rollout":
            visits += sum(n.score is not None for n in below)
        if rules.reward != "step":
            visits += sum(n.review is not None and n.review.reward is not None for n in [node, *below])
        assert node.visits == visits


def scored(*scores: float | None, kind: str = "summary") -> tuple[Child, ...]:
    return tuple(
        Child(outcome="ok", kind=kind, text=f"{kind} {i}", scores=(s,), calls=1) for i, s in enumerate(scores)
    )


def first(tree: Tree) -> Expand:
    (task,) = ask(tree)
    assert isinstance(task, Expand)
    return task


def test_a_small_tree_by_hand() -> None:
    tree = Tree(Rules(schedule=load_schedule("steps"), width=3, rollouts=2))
    task = first(tree)
    assert (task.node, task.kinds) == (0, ("thinking",))
    tell(tree, [Expanded(task.number, scored(0.6, 0.9, 0.4, kind="thinking"))])
    task = first(tree)  # the best of the two that survive
    assert task.node == 2
    assert tree.root.visits == 2
    assert tree.root.value == pytest.approx(0.75)
    assert tree.nodes[3].pruned == "low_score"
    ending = (
        Child(outcome="ok", kind="answer", text="7", scores=(0.8,)),
        Child(outcome="ok", kind="answer", text="8", scores=(None,)),
        Child(outcome="ok", kind="answer", text="7 ", scores=(0.8,)),
    )
    tell(tree, [Expanded(task.number, ending)])
    (review,) = ask(tree)
    assert isinstance(review, Review)
    # The unscored answer ranks by its parent's value and has no visits, so it comes before the one with 0.8.
    assert [node.text for node in tree.path(review.node)] == ["thinking 1", "8"]
    assert tree.nodes[4].multiplicity == 2
    # 0.9 and 0.8 for the expanded node, 0.6 + 0.9 + 0.8 over three for the root.
    assert tree.nodes[2].visits == 2
    assert tree.nodes[2].value == pytest.approx(0.85)
    assert tree.root.visits == 3
    assert tree.root.value == pytest.approx(2.3 / 3)
    tell(tree, [Reviewed(review.number, reward=0.5, all_right=False, answer=("7",), solved=True)])
    ask(tree)
    assert tree.root.visits == 4
    assert tree.root.value == pytest.approx((2.3 + 0.5) / 4)
    quiet = tree.root.virtual, tree.nodes[1].virtual, tree.nodes[2].virtual
    parent, visits = 4 + quiet[0], 1 + quiet[1]
    expected = 0.6 / visits + 0.5 * math.sqrt(math.log(parent) / (1 + visits))
    assert ucb(tree, tree.root, tree.nodes[1]) == pytest.approx(expected)


def test_the_literal_backpropagation_counts_old_children_again() -> None:
    rules = Rules(schedule=load_schedule("steps"), width=2, rollouts=1, backprop="literal")
    tree = Tree(rules)
    tell(tree, [Expanded(first(tree).number, scored(0.6, 0.8, kind="thinking"))])
    task = first(tree)
    tell(tree, [Expanded(task.number, scored(1.0, 1.0, kind="thinking"))])
    ask(tree)
    # (2·0.7 + 0.6 + 0.8)/4 for the root: its own children twice, not the new ones.
    assert tree.root.visits == 4
    assert tree.root.value == pytest.approx(0.7)


def test_a_node_whose_children_are_all_pruned_is_tried_once_more_hotter_and_then_dead() -> None:
    tree = Tree(Rules(width=2, rollouts=3))
    task = first(tree)
    tell(tree, [Expanded(task.number, scored(0.1, 0.2))])
    hot = first(tree)
    assert (hot.node, hot.hot, task.hot) == (0, True, False)
    tell(tree, [Expanded(hot.number, scored(0.1, 0.2))])
    assert ask(tree) == []
    assert (status(tree), tree.died, tree.rollouts) == ("exhausted", 1, 1)
    assert [node.multiplicity for node in tree.nodes[1:]] == [2, 2]


def test_every_way_to_be_pruned_has_its_reason() -> None:
    tree = Tree(Rules(width=8))
    children = (
        Child(outcome="failed"),
        Child(outcome="truncated", kind="summary", text="half a"),
        Child(outcome="ok", kind="answer", text="7"),
        Child(outcome="ok", kind=None, text="I can't help"),
        Child(outcome="ok", kind="summary", text=" \n"),
        Child(outcome="ok", kind="summary", text="2 + 2 = 5", refuted=True, scores=(0.9, None)),
        Child(outcome="ok", kind="summary", text="b", scores=(0.2, 0.7)),
        Child(outcome="ok", kind="summary", text="c", scores=(0.3, 0.7)),
    )
    tell(tree, [Expanded(first(tree).number, children)])
    ask(tree)
    reasons = [node.pruned for node in tree.nodes[1:]]
    assert reasons == [
        "failed", "truncated", "wrong_kind", "wrong_kind", "empty", "refuted", "low_score", None,
    ]  # fmt: skip
    assert tree.nodes[-1].score == 0.5


def test_a_flawed_reflection_is_corrected_once() -> None:
    schedule = load_schedule("edumcts")
    assert schedule.allowed("self_reflection", 4, flawed=True, flaws=1, images=False) == ("thinking",)
    after = schedule.allowed("thinking", 5, flawed=False, flaws=1, images=False)
    assert "self_reflection" not in after
    assert "answer" in after
    assert "self_reflection" in schedule.allowed("thinking", 5, flawed=False, flaws=0, images=False)
    assert schedule.allowed("self_reflection", 11, flawed=True, flaws=1, images=True) == ("answer",)


def test_captions_are_offered_only_where_there_is_an_image() -> None:
    assert first(Tree(Rules())).kinds == ("summary",)
    assert first(Tree(Rules(), images=True)).kinds == ("caption", "summary")


def test_draws_are_dealt_round_robin_over_the_actors() -> None:
    task = first(Tree(Rules(width=5, actors=2)))
    assert [(draw.actor, draw.sample) for draw in task.draws] == [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)]


def test_results_that_were_not_asked_for_are_refused() -> None:
    tree = Tree(Rules(width=1, budget_calls=10, child_calls=1))
    task = first(tree)
    with pytest.raises(ValueError, match="not under way"):
        tell(tree, [Expanded(7, scored(0.5))])
    with pytest.raises(ValueError, match="another kind"):
        tell(tree, [Reviewed(task.number)])
    with pytest.raises(ValueError, match="draws"):
        tell(tree, [Expanded(task.number, scored(0.5, 0.5))])
    with pytest.raises(ValueError, match="reserved"):
        tell(tree, [Expanded(task.number, (Child(outcome="ok", calls=9),))])
    tell(tree, [Expanded(task.number, scored(0.5))])
    with pytest.raises(ValueError, match="not under way"):
        tell(tree, [Expanded(task.number, scored(0.5))])


def test_a_stopped_tree_asks_for_nothing_more_and_takes_in_what_is_under_way() -> None:
    tree = Tree(Rules())
    task = first(tree)
    assert stop(tree) == 1
    assert ask(tree) == []
    assert status(tree) == "running"
    tell(tree, [Expanded(task.number, scored(0.5, 0.6, 0.7, 0.8))])
    assert ask(tree) == []
    assert status(tree) == "stopped"
    assert len(tree.nodes) == 5


def test_a_budget_too_small_for_one_child_ends_at_once() -> None:
    tree = Tree(Rules(budget_calls=2, child_calls=2, review_calls=1))
    assert ask(tree) == []
    assert (status(tree), tree.rollouts) == ("budget", 0)


def test_a_tree_is_a_value_that_can_be_copied_and_goes_on_alike() -> None:
    tree = Tree(Rules(parallel=2))
    tasks = ask(tree)
    twin = copy.deepcopy(tree)
    for one in (tree, twin):
        tell(one, [answer(one, task) for task in tasks])
    assert state(grow(tree)) == state(grow(twin))
