"""What the benchmarks of judges share: a solution whose steps people have labelled, and counts of what was not scored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from eduflow.critique.score import judged_right
from eduflow.labels import is_correct
from eduflow.problem import Critique, Noun, Problem, Solution, StepCritique

# Why an item is not scored: the critic's end, or a critique of another number of steps than the item has.
ItemNotScored = Literal[
    "failed", "rejected_input", "filtered", "truncated", "unparsed", "count_mismatch", "missing", "unknown"
]


class JudgedSolution(Noun):
    """A solution with the true word on each step.

    `gold` has one entry per step of the solution. A step with neither label nor score is not annotated: it is shown to the critic and
    counts for nothing. `subset` is the part of the benchmark that the item belongs to, "" where it has none.
    """

    problem: Problem
    solution: Solution
    gold: tuple[StepCritique, ...] = Field(min_length=1)
    subset: str = ""
    extra: dict[str, Any] = Field(default_factory=dict, repr=False)

    @model_validator(mode="after")
    def _aligned(self) -> Self:
        if len(self.gold) != len(self.solution.steps):
            raise ValueError(f"{len(self.gold)} labels for {len(self.solution.steps)} steps")
        return self

    @property
    def id(self) -> str:
        """What the critique of this item goes by: its problem's id, which is one per item here."""
        return self.problem.id

    @property
    def first_error(self) -> int | None:
        """The index, from 0, of the first step that is wrong; None where all are right or not annotated."""
        return next((i for i, step in enumerate(self.gold) if judged_right(step) is False), None)


@dataclass(slots=True)
class Tally:
    """How many items there were, and why some are not scored. `scored` and the reasons add up to `items`."""

    items: int = 0
    reasons: Counter[ItemNotScored] = field(default_factory=Counter)

    @property
    def scored(self) -> int:
        return self.items - sum(self.reasons.values())

    def to_json(self) -> dict[str, Any]:
        return {"items": self.items, "scored": self.scored, "not_scored": dict(sorted(self.reasons.items()))}


def usable(item: JudgedSolution, critique: Critique | None) -> ItemNotScored | None:
    """Why the critique can't be held against the item, or None: it has one word for every step.

    A critique of another number of steps is a mismatch as a whole: cutting it short would judge steps by words on others.
    """
    if critique is None:
        return "missing"
    if critique.outcome != "ok":
        return critique.outcome
    return "count_mismatch" if len(critique.steps) != len(item.gold) else None


def gold_of(labels: Iterable[Any], reasons: Iterable[str]) -> tuple[StepCritique, ...]:
    """Labels with their reasons as gold steps; a correct step scores 1, any other 0."""
    return tuple(
        StepCritique(
            label=label, explanation=reason, score=1.0 if is_correct(label) else 0.0, score_source="gold"
        )
        for label, reason in zip(labels, reasons, strict=True)
    )
