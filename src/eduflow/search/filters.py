"""Which finished path of a tree is kept: the two filters, then self-consistency and rejection. What is dropped is counted by reason.

Source: EduFlow's two-stage filter and selection; DESIGN, "EduMCTS, precisely".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from eduflow.grade.groups import Answer
from eduflow.search.tree import Node, Tree

# Why a finished path is not kept. "not_best": it passed, and another one is better.
Dropped = Literal[
    "no_critique",
    "wrong_step",
    "refuted",
    "low_mean",
    "few_scored",
    "flawed_reflection",
    "no_answer",
    "no_reference",
    "ungraded",
    "not_reference",
    "not_majority",
    "not_best",
]
# "verified": a full critique found every step right. "unrefuted": no step was refuted and the answer equals the reference.
# "selected": taken by its answer alone, without filters.
Mark = Literal["verified", "unrefuted", "selected"]


@dataclass(frozen=True, slots=True)
class Filters:
    """What a path must pass.

    Args:
        steps: "critique" asks for a full critique with every step right; "refutation", for a run with the symbolic critic alone, that no
            step is refuted and the answer equals the reference; "none" asks for nothing.
        mean: least mean of r̂ over the scored nodes of the path; None asks for none.
        scored: least share of the path's nodes that are scored, where `mean` is asked for.
        reference: whether the problem has an answer to compare with. Without one the majority of the finished answers decides.
    """

    steps: Literal["critique", "refutation", "none"] = "critique"
    mean: float | None = 0.6
    scored: float = 0.5
    reference: bool = True


@dataclass(frozen=True, slots=True)
class Selected:
    """The kept path's last node, None where none is kept, with its mark; and for each other finished path, by its last node, why it was dropped."""

    node: int | None
    mark: Mark | None
    reasons: dict[int, Dropped]

    @property
    def dropped(self) -> dict[Dropped, int]:
        """The reasons, counted."""
        return dict(sorted(Counter(self.reasons.values()).items()))


def select(
    tree: Tree, filters: Filters, groups: Callable[[Sequence[Answer | None]], list[int | None]]
) -> Selected:
    """The path to keep: of those that pass, the one with the highest mean r̂, the earliest of equals.

    The finished paths are those whose answers were reviewed; kept and dropped add up to them.

    Args:
        groups: numbers the answers so that equal ones have one number, None for a missing one (`grade.groups.group_answers`).
    """
    finished = tree.answers()
    numbers = groups([node.review.answer if node.review is not None else None for node in finished])
    group = {node.id: number for node, number in zip(finished, numbers, strict=True)}
    majority = _majority(numbers)
    reasons: dict[int, Dropped] = {}
    passed: list[Node] = []
    for node in finished:
        reason = fault(tree, node, filters, in_majority=group[node.id] == majority)
        if reason is None:
            passed.append(node)
        else:
            reasons[node.id] = reason
    if not passed:
        return Selected(None, None, reasons)
    # max takes the first of equals: the earliest.
    best = max(passed, key=lambda node: mean_score(tree.path(node.id)) or 0.0)
    reasons |= {node.id: "not_best" for node in passed if node is not best}
    marks: dict[str, Mark] = {"critique": "verified", "refutation": "unrefuted", "none": "selected"}
    return Selected(best.id, marks[filters.steps], reasons)


def fault(tree: Tree, node: Node, filters: Filters, *, in_majority: bool) -> Dropped | None:
    """Why the path that ends in `node` is not kept; None where it passes everything but the choice of the best."""
    review = node.review
    assert review is not None
    path = tree.path(node.id)
    if review.refuted and filters.steps != "none":
        return "refuted"
    if filters.steps == "critique" and review.all_right is not True:
        return "no_critique" if review.all_right is None else "wrong_step"
    if filters.steps == "refutation" and not filters.reference:
        return "no_reference"
    if filters.mean is not None:
        scored = [step for step in path if step.score is not None]
        if filters.steps != "refutation" and len(scored) < filters.scored * len(path):
            return "few_scored"
        mean = mean_score(path)
        if mean is not None and mean < filters.mean:
            return "low_mean"
        if any(_uncorrected(tree, path, place, filters) for place in range(len(path))):
            return "flawed_reflection"
    if review.answer is None:
        return "no_answer"
    if filters.reference:
        if review.solved is None:
            return "ungraded"
        return None if review.solved else "not_reference"
    return None if in_majority else "not_majority"


def mean_score(path: list[Node]) -> float | None:
    """The mean r̂ over the scored nodes of a path; None where none is scored."""
    scores = [node.score for node in path if node.score is not None]
    return sum(scores) / len(scores) if scores else None


def _uncorrected(tree: Tree, path: list[Node], place: int, filters: Filters) -> bool:
    """Whether the node is a reflection that said "flawed" and was not followed by a correction that a critic accepted.

    The symbolic critic accepts nothing, so alone it is content with a correction that it did not refute.
    """
    if path[place].verdict != "flawed":
        return False
    rules = tree.rules
    after = rules.schedule.reflection.after_flaw if rules.schedule.reflection is not None else ()
    following = path[place + 1] if place + 1 < len(path) else None
    if following is None or following.kind not in after:
        return True
    if following.score is None:
        return filters.steps != "refutation"
    return following.score < rules.threshold


def _majority(numbers: Sequence[int | None]) -> int | None:
    """The commonest group of answers; the earliest of equals."""
    groups = Counter(number for number in numbers if number is not None)
    return groups.most_common(1)[0][0] if groups else None
