"""The filters and the choice among finished paths: what is kept, and why the others are not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from eduflow.grade.groups import Answer
from eduflow.search import Filters, Rules, Selected, Tree, load_schedule
from eduflow.search import select as select_by
from eduflow.search.tree import Node, Reviewed, Verdict


def select(tree: Tree, filters: Filters) -> Selected:
    return select_by(tree, filters, alike)


def alike(answers: Sequence[Answer | None]) -> list[int | None]:
    return [None if answer is None else int(answer[0] or 0) for answer in answers]


def finished(*paths: dict[str, Any]) -> Tree:
    """A tree with these finished paths: `scores` of their nodes, and fields of their review."""
    tree = Tree(Rules(schedule=load_schedule("edumcts")))
    for number, path in enumerate(paths):
        parent = 0
        scores = path.pop("scores", (0.9, 0.9))
        verdicts: tuple[Verdict | None, ...] = path.pop("verdicts", (None,) * len(scores))
        kinds = path.pop("kinds", ("thinking",) * (len(scores) - 1) + ("answer",))
        for depth, (score, verdict, kind) in enumerate(zip(scores, verdicts, kinds, strict=True), 1):
            node = Node(
                len(tree.nodes), parent, kind, f"{number}/{depth}", depth, score=score, verdict=verdict
            )
            tree.nodes.append(node)
            tree.nodes[parent].children.append(node.id)
            parent = node.id
        row = {"reward": 1.0, "all_right": True, "answer": ("4",), "solved": True, **path}
        tree.nodes[parent].review = Reviewed(number, **row)
        tree.nodes[parent].rollout = number
    return tree


def only(filters: Filters, **path: Any) -> str | None:
    selected = select(finished(path), filters)
    assert (selected.node is None) == bool(selected.dropped)
    return next(iter(selected.dropped), None)


def test_a_path_right_in_every_step_and_in_its_answer_is_verified() -> None:
    tree = finished({})
    assert select(tree, Filters()).mark == "verified"


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ({"all_right": False, "reward": 0.5}, "wrong_step"),
        ({"all_right": None, "reward": None}, "no_critique"),
        ({"refuted": True}, "refuted"),
        ({"scores": (0.55, 0.6)}, "low_mean"),
        ({"scores": (0.9, None, None)}, "few_scored"),
        ({"answer": None, "solved": None}, "no_answer"),
        ({"solved": None}, "ungraded"),
        ({"solved": False}, "not_reference"),
        (
            {
                "scores": (0.9, 0.9),
                "verdicts": ("flawed", None),
                "kinds": ("self_reflection", "answer"),
            },
            "flawed_reflection",
        ),
        (
            {
                "scores": (0.9, None, 0.9),
                "verdicts": ("flawed", None, None),
                "kinds": ("self_reflection", "thinking", "answer"),
            },
            "flawed_reflection",
        ),
    ],
)
def test_each_filter_drops_with_its_reason(path: dict[str, Any], reason: str) -> None:
    assert only(Filters(), **path) == reason


def test_an_accepted_correction_mends_a_flawed_reflection() -> None:
    path = {
        "scores": (0.9, 0.8, 0.9),
        "verdicts": ("flawed", None, None),
        "kinds": ("self_reflection", "thinking", "answer"),
    }
    assert only(Filters(), **path) is None


def test_the_symbolic_critic_alone_marks_unrefuted_and_never_verified() -> None:
    path = {"scores": (None, None), "all_right": None, "reward": None}
    filters = Filters(steps="refutation")
    assert select(finished(dict(path)), filters).mark == "unrefuted"
    assert only(filters, **path, solved=False) == "not_reference"
    assert only(filters, **path, refuted=True) == "refuted"
    assert only(Filters(steps="refutation", reference=False), **path) == "no_reference"


def test_without_a_reference_the_majority_decides() -> None:
    paths: list[dict[str, Any]] = [
        {"answer": ("5",)},
        {"scores": (0.7, 0.7)},
        {"scores": (0.8, 0.8)},
    ]
    tree = finished(*(dict(path, solved=None) for path in paths))
    selected = select(tree, Filters(reference=False))
    assert selected.node is not None
    assert tree.nodes[selected.node].text == "2/2"  # the better of the two in the majority
    assert selected.dropped == {"not_majority": 1, "not_best": 1}


def test_wrong_paths_vote_too_and_the_first_of_equal_groups_wins() -> None:
    paths: list[dict[str, Any]] = [{"answer": ("5",), "all_right": False}, {"answer": ("4",)}]
    tree = finished(*(dict(path, solved=None) for path in paths))
    assert select(tree, Filters(reference=False)).dropped == {"not_majority": 1, "wrong_step": 1}


def test_the_best_is_the_highest_mean_and_the_earliest_of_equals() -> None:
    tree = finished({"scores": (0.7, 0.9)}, {"scores": (0.8, 0.8)}, {"scores": (0.6, 0.6)})
    selected = select(tree, Filters())
    assert selected.node is not None
    assert tree.nodes[selected.node].text == "0/2"
    assert selected.dropped == {"not_best": 2}
