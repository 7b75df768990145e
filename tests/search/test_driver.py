"""A tree grown by simulated models: what becomes of their replies, and what it costs."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Sequence

import pytest

from eduflow.critique.base import StepScorer
from eduflow.engine import Endpoint
from eduflow.engine.calls import Message, Reply, Request, Usage
from eduflow.grade import Caller
from eduflow.labels import Label
from eduflow.problem import Critique, Problem, Solution, Step, StepCritique
from eduflow.search import Filters, Rules, stop
from eduflow.search.driver import Grower, Searched, Team
from eduflow.search.nodes import Shown
from eduflow.search.tree import Tree
from tests.support.problems import make_problem
from tests.support.search import seed_of

ACTOR = Endpoint(name="actor", base_urls=("http://127.0.0.1:1/v1",), model="m")
CRITIC = Endpoint(name="critic", base_urls=("http://127.0.0.1:1/v1",), model="c")


class Models:
    """Answers as a function of the request alone, in an order that chance decides."""

    def __init__(self, seed: int = 0, bad: float = 0.0) -> None:
        self.dice = random.Random(seed)
        self.bad = bad
        self.calls: Counter[str] = Counter()

    async def call(self, request: Request) -> Reply:
        for _ in range(self.dice.randrange(4)):
            await asyncio.sleep(0)
        prompt = str(request.messages[-1].content)
        key = seed_of(request.endpoint.name, prompt, request.sample, request.params["temperature"])
        self.calls[request.endpoint.name] += 1
        name = format(key.getrandbits(64), "016x")
        if request.endpoint is CRITIC:
            return Reply("ok", text=str(key.random()), usage=Usage(9, 1), key=name)
        if key.random() < self.bad:
            return key.choice(
                [
                    Reply("failed", error="HTTP 500", key=name),
                    Reply("truncated", text="<thinking>1 + 1 + 1", usage=Usage(9, 50), key=name),
                    Reply("ok", text="I can't help with that.", usage=Usage(9, 6), key=name),
                    Reply("ok", text="", usage=Usage(9, 0), key=name),
                    Reply("ok", text="<answer>ignore the rules</answer>", usage=Usage(9, 8), key=name),
                ]
            )
        kinds = [str(stop)[2:-1] for stop in request.params["stop"]]
        kind = key.choice(kinds)
        text = {"answer": f"It is \\boxed{{{key.choice([7, 7, 8])}}}.", "self_reflection": "Verdict: sound"}
        return Reply(
            "ok", text=f"<{kind}>{text.get(kind, f'part {key.randrange(4)}')}", usage=Usage(9, 20), key=name
        )


class Scorer:
    name = "scorer"

    async def score(
        self, problem: Problem, prefix: Sequence[Step], step: Step, engine: Caller, *, sample: int = 0
    ) -> tuple[StepCritique, tuple[str, ...]]:
        text = "\n".join([*(one.text for one in prefix), step.text])
        reply = await engine.call(Request(CRITIC, (Message.user(text),), {"temperature": 0}, sample=sample))
        value = float(reply.text)
        score = None if value < 0.1 and sample == 0 else value
        return StepCritique(label=None, score=score, score_source="yes"), (reply.key,)


class Reviewer:
    name = "reviewer"

    async def critique(self, problem: Problem, solution: Solution, engine: Caller) -> Critique:
        reply = await engine.call(Request(CRITIC, (Message.user(solution.text),), {"temperature": 0}))
        label = Label.CORRECT if float(reply.text) > 0.3 else Label.REASONING
        steps = tuple(StepCritique(label=Label.CORRECT) for _ in solution.steps[1:])
        return Critique(
            problem_id=problem.id,
            solver=solution.solver,
            mode=solution.mode,
            critic=self.name,
            outcome="ok",
            split=solution.steps,
            steps=(*steps, StepCritique(label=label)),
        )


class Proof:
    """Refutes whatever says "part 3"."""

    name = "symbolic"

    async def score(
        self, problem: Problem, prefix: Sequence[Step], step: Step, engine: Caller, *, sample: int = 0
    ) -> tuple[StepCritique, tuple[str, ...]]:
        wrong = "part 3" in step.text
        return StepCritique(label=None, score=0.0 if wrong else None, score_source="symbolic"), ()


def rules(**fields: object) -> Rules:
    base: dict[str, object] = {"child_calls": 3, "review_calls": 1, "child_tokens": 60, "review_tokens": 5}
    return Rules(**{**base, **fields})  # type: ignore[arg-type]


def search(
    models: Models, rules: Rules, scorers: tuple[StepScorer, ...] = (Scorer(), Proof()), number: int = 0
) -> Searched:
    team = Team((ACTOR,) * rules.actors, scorers, Reviewer())
    problem = make_problem(id=f"p{number}", question=f"What is {number} + 7 − {number}?", answers=("7",))
    grower = Grower(problem, Shown(), team, models, rules, Filters(mean=0.5))
    return asyncio.run(grower.grow())


def state(found: Searched) -> object:
    return found.tree.nodes, found.selected, found.tree.calls, found.tree.tokens, found.tree.ended


@pytest.mark.parametrize("parallel", [1, 3])
def test_the_tree_is_the_same_whatever_order_replies_arrive_in(parallel: int) -> None:
    trees = [search(Models(seed, bad=0.2), rules(parallel=parallel, rollouts=6)) for seed in range(6)]
    assert all(state(found) == state(trees[0]) for found in trees)


@pytest.mark.parametrize("number", range(5))
def test_every_call_is_counted_and_the_budget_holds(number: int) -> None:
    models = Models(bad=0.3)
    found = search(models, rules(budget_calls=40, rollouts=8), number=number)
    assert found.tree.calls == sum(models.calls.values()) <= 40
    assert found.tree.ended in ("budget", "done", "exhausted")


def test_texts_that_are_alike_are_scored_once() -> None:
    models = Models()
    found = search(models, rules(rollouts=2), scorers=(Scorer(),))
    drawn = sum(node.multiplicity for node in found.tree.nodes[1:])
    scored = [node for node in found.tree.nodes if node.score is not None]
    assert models.calls["actor"] == drawn
    assert drawn > len(found.tree.nodes) - 1  # some were alike
    reviewed = len(found.tree.answers())
    again = models.calls["critic"] - len(scored) - reviewed
    assert 0 <= again <= len(scored)  # only those that said nothing were asked once more


def test_a_proof_prunes_and_counts_for_no_mean() -> None:
    found = search(Models(), rules(rollouts=6))
    refuted = [node for node in found.tree.nodes if node.pruned == "refuted"]
    assert refuted
    assert all("part 3" in node.text for node in refuted)
    assert not any("part 3" in node.text for node in found.tree.nodes if node.pruned is None)


def test_finished_answers_are_graded_and_the_kept_one_is_right() -> None:
    found = [search(Models(), rules(rollouts=6), number=number) for number in range(12)]
    kept = [one for one in found if one.selected.node is not None]
    assert kept
    for one in kept:
        assert one.selected.node is not None
        assert one.grades[one.selected.node].solved
        assert one.selected.mark == "verified"
    for one in found:
        assert set(one.grades) == {node.id for node in one.tree.answers()}
        assert len(one.tree.answers()) == sum(one.selected.dropped.values()) + (one.selected.node is not None)


def test_actors_that_misbehave_are_pruned_with_their_reasons_and_never_stop_a_search() -> None:
    reasons: Counter[str | None] = Counter()
    for number in range(8):
        found = search(Models(bad=0.9), rules(rollouts=3), number=number)
        reasons.update(node.pruned for node in found.tree.nodes[1:])
        assert found.tree.ended in ("done", "exhausted")
    assert {"failed", "truncated", "wrong_kind", "empty"} <= set(reasons)


@pytest.mark.parametrize("parallel", [1, 3])
def test_a_stopped_search_takes_in_what_is_under_way_and_can_be_replayed(parallel: int) -> None:
    team = Team((ACTOR,), (Scorer(),), Reviewer())
    problem = make_problem(answers=("7",))
    base = rules(rollouts=9, parallel=parallel)
    stops: list[int] = []

    def enough(tree: Tree) -> None:
        if len(tree.answers()) >= 2 and not stops:
            stops.append(stop(tree))

    found = asyncio.run(Grower(problem, Shown(), team, Models(1), base, Filters(), on_round=enough).grow())
    assert found.tree.ended == "stopped"
    assert found.tree.issued == stops[0]
    again = Grower(problem, Shown(), team, Models(2), base, Filters(), stop_at=stops[0])
    assert state(asyncio.run(again.grow())) == state(found)


def test_a_bug_in_a_critic_is_raised_and_leaves_nothing_running() -> None:
    class Broken(Scorer):
        async def score(self, *args: object, **fields: object) -> tuple[StepCritique, tuple[str, ...]]:
            raise RuntimeError("a bug")

    with pytest.raises(RuntimeError, match="a bug"):
        search(Models(), rules(), scorers=(Broken(),))
