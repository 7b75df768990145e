"""What critiques say in numbers: the step score N/M, the first error, how errors are distributed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from eduflow.labels import Label, is_correct
from eduflow.problem import Critique, StepCritique

# Why a critique gives no step score. The first four are ends of the critic's calls.
StepsNotScored = Literal["failed", "rejected_input", "filtered", "truncated", "unparsed", "unknown"]


def judged_right(step: StepCritique) -> bool | None:
    """Whether the step is held to be right: by its label, else by its score; None where the critic left it open."""
    if step.label is not None:
        return is_correct(step.label)
    return None if step.score is None else step.score >= 0.5


def step_score(critique: Critique) -> float | None:
    """N/M: the share of steps held to be right, 0 to 1 (K12Vista's step-by-step score).

    None where the critique did not end well or leaves a step open: such a critique is not scored, and `not_scored` says
    why. In particular the symbolic critic, which proves or keeps silent, rarely has one.
    """
    verdicts = [judged_right(step) for step in critique.steps]
    if critique.outcome != "ok" or None in verdicts:
        return None
    return sum(verdict is True for verdict in verdicts) / len(verdicts)


def not_scored(critique: Critique) -> StepsNotScored | None:
    """Why `step_score` is None; None where there is a score."""
    if critique.outcome != "ok":
        return critique.outcome
    return "unknown" if any(judged_right(step) is None for step in critique.steps) else None


def first_error(critique: Critique) -> int | None:
    """The index, from 0, of the first step held to be wrong; None where there is none."""
    return next((i for i, step in enumerate(critique.steps) if judged_right(step) is False), None)


@dataclass(frozen=True, slots=True)
class StepCounts:
    """How many steps were judged and as what, over any number of critiques.

    `labels` counts the labels, the correct ones included. `open` are the steps left unknown, `untyped` those held to be
    right or wrong without a label (P(Yes), a panel that disagrees on the type). All three together are `steps`. `scored` critiques have
    a step score; `not_scored` counts the others by reason.
    """

    critiques: int
    scored: int
    not_scored: dict[StepsNotScored, int]
    steps: int
    labels: dict[Label, int]
    untyped: int
    open: int

    def error_shares(self) -> dict[Label, float]:
        """Of the steps with an error label, the share of each label (K12Vista's Figure 6); empty without errors."""
        errors = {label: n for label, n in self.labels.items() if not is_correct(label)}
        total = sum(errors.values())
        return {label: n / total for label, n in errors.items()}


def count_steps(critiques: Iterable[Critique]) -> StepCounts:
    """The counts over `critiques`; they are read once and not kept."""
    labels: Counter[Label] = Counter()
    reasons: Counter[StepsNotScored] = Counter()
    number = steps = untyped = unknown = 0
    for critique in critiques:
        number += 1
        if (reason := not_scored(critique)) is not None:
            reasons[reason] += 1
        for step in critique.steps:
            steps += 1
            if step.label is not None:
                labels[step.label] += 1
            elif step.score is not None:
                untyped += 1
            else:
                unknown += 1
    return StepCounts(
        critiques=number,
        scored=number - sum(reasons.values()),
        not_scored=dict(sorted(reasons.items())),
        steps=steps,
        labels={label: labels[label] for label in Label if label in labels},
        untyped=untyped,
        open=unknown,
    )
