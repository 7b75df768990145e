"""ProcessBench (arXiv 2412.06559): find the first wrong step of a solution, JSONL. A row (our own content):

{"id": "gsm8k-7", "generator": "some-model", "problem": "Tom has 3 bags of 4 apples. How many apples are there?",
 "steps": ["Each bag has 4 apples.", "3 × 4 = 14, so there are 14 apples."], "final_answer_correct": false, "label": 1}

`label` is the index of the first wrong step from 0, -1 where all are right. The metric is F1, the harmonic mean of two accuracies: the share
of erroneous solutions whose first error is found exactly, and the share of right ones in which none is found. The parts (the id up to its
last dash) are also averaged by their number of items. The rows have neither answers nor subject: the golds are unknown ("?"), so a critic
with a reference has nothing to see here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eduflow.benchmarks.judged import JudgedSolution, Tally, usable
from eduflow.benchmarks.pebench import solution_of
from eduflow.critique.score import first_error, judged_right
from eduflow.errors import InputError
from eduflow.formats import OnBad, Reading
from eduflow.formats.reading import Row
from eduflow.formats.rows import object_rows
from eduflow.formats.words import id_of, language_of, text_of, texts_of
from eduflow.labels import Label
from eduflow.problem import Critique, Problem, StepCritique

NAME = "processbench"


def read(
    path: str | Path, defaults: Mapping[str, str] | None = None, on_bad: OnBad = "strict"
) -> Reading[JudgedSolution]:
    """The labelled solutions of a file.

    Raises:
        InputError: while iterating, the first bad row with its line and field (or none, with `on_bad="skip"`).
    """
    place, given = Path(path), dict(defaults or {})
    return Reading(
        place, NAME, lambda: object_rows(place), lambda row: understand(row, given), on_bad, lambda x: x.id
    )


def understand(row: Row, defaults: Mapping[str, str]) -> JudgedSolution:
    """The labelled solution of a row. Steps before the first error are right; what follows it is not annotated."""
    value: dict[str, Any] = row.value
    steps = texts_of(value, "steps")
    if not steps:
        raise InputError("has no entry", field="steps")
    label = value.get("label")
    if type(label) is not int or not -1 <= label < len(steps):
        raise InputError(f"is no index of one of {len(steps)} steps, nor -1: {label!r}", field="label")
    question = text_of(value, "problem")
    name = id_of(value, "id")
    problem = Problem.parse(
        {
            "id": name,
            "subject": defaults.get("subject", "math"),
            "stage": defaults.get("stage", "high"),
            "type": defaults.get("type", "free"),
            "question": question,
            "answers": ["?"],
            "language": language_of(question),
            "source": NAME,
        }
    )
    right = StepCritique(label=Label.CORRECT, score=1.0, score_source="gold")
    wrong = StepCritique(label=None, score=0.0, score_source="gold")
    unknown = StepCritique(label=None)
    end = len(steps) if label == -1 else label
    gold = (*[right] * end, *([] if label == -1 else [wrong, *[unknown] * (len(steps) - label - 1)]))
    return JudgedSolution(
        problem=problem,
        solution=solution_of(name, steps),
        gold=gold,
        subset=name.rpartition("-")[0],
        extra={
            key: value[key] for key in ("generator", "final_answer_correct") if value.get(key) is not None
        },
    )


@dataclass(frozen=True, slots=True)
class FirstErrorFigures:
    """How often the first error is found. `erroneous` and `correct` are accuracies over that many scored items.

    `f1` is their harmonic mean, `f1_bound` the same with items that are not scored counted as wrong. None where a kind has no item.
    """

    tally: Tally
    erroneous_items: int
    correct_items: int
    erroneous: float | None
    correct: float | None
    f1: float | None
    f1_bound: float | None

    def to_json(self) -> dict[str, Any]:
        return {
            **self.tally.to_json(),
            "erroneous": {"items": self.erroneous_items, "accuracy": self.erroneous},
            "correct": {"items": self.correct_items, "accuracy": self.correct},
            "f1": self.f1,
            "f1_bound": self.f1_bound,
        }


@dataclass(frozen=True, slots=True)
class ProcessBenchFigures:
    """The figures per subset, and over them: the plain mean of F1, and the mean weighted by the number of items."""

    subsets: dict[str, FirstErrorFigures]
    mean_f1: float | None
    weighted_f1: float | None

    def to_json(self) -> dict[str, Any]:
        return {
            "subsets": {name: figures.to_json() for name, figures in self.subsets.items()},
            "mean_f1": self.mean_f1,
            "weighted_f1": self.weighted_f1,
        }


def harmonic(one: float, other: float) -> float:
    """The harmonic mean of two shares; 0 where both are 0."""
    return 2 * one * other / (one + other) if one + other else 0.0


def weighted_mean(values: Iterable[tuple[float, int]]) -> float | None:
    """The mean of values by their weights; None where there is no weight."""
    pairs = list(values)
    total = sum(weight for _, weight in pairs)
    return sum(value * weight for value, weight in pairs) / total if total else None


class _Counts:
    def __init__(self) -> None:
        self.tally = Tally()
        self.hits = {True: 0, False: 0}  # erroneous → found
        self.scored = {True: 0, False: 0}
        self.all = {True: 0, False: 0}

    def figures(self) -> FirstErrorFigures:
        def share(hits: int, of: int) -> float | None:
            return hits / of if of else None

        parts = [share(self.hits[kind], self.scored[kind]) for kind in (True, False)]
        bounds = [share(self.hits[kind], self.all[kind]) for kind in (True, False)]
        return FirstErrorFigures(
            tally=self.tally,
            erroneous_items=self.scored[True],
            correct_items=self.scored[False],
            erroneous=parts[0],
            correct=parts[1],
            f1=None if parts[0] is None or parts[1] is None else harmonic(parts[0], parts[1]),
            f1_bound=None if bounds[0] is None or bounds[1] is None else harmonic(bounds[0], bounds[1]),
        )


def score(pairs: Iterable[tuple[JudgedSolution, Critique | None]]) -> ProcessBenchFigures:
    """The figures over items and their critiques.

    A critique that leaves a step open before it has found an error says nothing about the first error: it is not scored
    ("unknown"), like one of another step count.
    """
    counts: dict[str, _Counts] = {}
    for item, critique in pairs:
        count = counts.setdefault(item.subset, _Counts())
        erroneous = item.first_error is not None
        count.tally.items += 1
        count.all[erroneous] += 1
        reason = usable(item, critique)
        if reason is None:
            assert critique is not None
            found = first_error(critique)
            if any(judged_right(step) is None for step in critique.steps[:found]):
                reason = "unknown"
        if reason is not None:
            count.tally.reasons[reason] += 1
            continue
        count.scored[erroneous] += 1
        count.hits[erroneous] += found == item.first_error
    subsets = {name: count.figures() for name, count in counts.items()}
    rated = [(part.f1, part.tally.items) for part in subsets.values() if part.f1 is not None]
    # A part without a figure leaves the means open: over the others alone they would be means of something else.
    whole = rated if len(rated) == len(subsets) else []
    return ProcessBenchFigures(
        subsets=subsets,
        mean_f1=weighted_mean((f1, 1) for f1, _ in whole),
        weighted_f1=weighted_mean(whole),
    )
