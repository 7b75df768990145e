"""PRMBench (arXiv 2501.03124): solutions with errors of known kinds put in, JSONL. A row (our own content):

{"idx": "own_1", "classification": "counterfactual", "question": "What is 12% of 50?", "original_question": "What is 12% of 50?",
 "modified_question": "What is 12% of 50?", "original_process": ["12% is 0.12.", "0.12 × 50 = 6."],
 "modified_process": ["12% is 1.2.", "1.2 × 50 = 60."], "error_steps": [1], "reason": "12% is 0.12."}

`error_steps` count from 1. A row gives an item for its modified process; the original process of each `idx` is an item "correct" of its
own, once, without an error. Metrics are the benchmark's: the right step is the positive class; PRMScore is the mean of F1 and of the F1 of
the negative class; the "correct" items stand in a row of their own and outside the total. Deviations: the original takes the first row of
an `idx`, whatever its kind (the benchmark: that of one kind); redundancy has no labels of its own here; what is not scored is counted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eduflow.benchmarks.judged import JudgedSolution, Tally, usable
from eduflow.benchmarks.pebench import solution_of
from eduflow.critique.score import judged_right
from eduflow.errors import InputError
from eduflow.formats import OnBad, Reading
from eduflow.formats.reading import Row
from eduflow.formats.rows import jsonl_rows
from eduflow.formats.words import id_of, language_of, text_of, texts_of
from eduflow.labels import Label
from eduflow.problem import Critique, Problem, StepCritique

NAME = "prmbench"
CORRECT = "correct"


def read(
    path: str | Path, defaults: Mapping[str, str] | None = None, on_bad: OnBad = "strict"
) -> Reading[JudgedSolution]:
    """The labelled solutions of a file, or of every `.jsonl` file of a folder.

    Raises:
        InputError: while iterating, the first bad row with its line and field (or none, with `on_bad="skip"`).
    """
    place, given = Path(path), dict(defaults or {})
    return Reading(
        place, NAME, lambda: _rows(place), lambda row: understand(row, given), on_bad, lambda x: x.id
    )


def _rows(path: Path) -> Iterator[Row]:
    """Each row of the files as one or two rows: its modified process, and the original one of an `idx` not seen before."""
    seen: set[str] = set()
    for file in sorted(path.glob("*.jsonl")) if path.is_dir() else [path]:
        for row in jsonl_rows(file):
            if isinstance(row.value, InputError):
                yield row
                continue
            name = row.value.get("idx")
            if isinstance(name, str) and name not in seen:
                seen.add(name)
                yield row._replace(value={**row.value, "classification": CORRECT})
            yield row


def understand(row: Row, defaults: Mapping[str, str]) -> JudgedSolution:
    """The item of a row; the class "correct" takes its original process, every other one the modified process."""
    value: dict[str, Any] = row.value
    kind = text_of(value, "classification")
    original = kind == CORRECT
    field = "original_process" if original else "modified_process"
    steps = texts_of(value, field)
    if not steps:
        raise InputError("has no entry", field=field)
    errors = [] if original else value.get("error_steps")
    if not isinstance(errors, list) or not all(type(n) is int and n >= 1 for n in errors):
        raise InputError(f"does not list steps, counted from 1: {errors!r}", field="error_steps")
    # Some published rows name steps that they don't have; like the benchmark's own code this reads the others.
    beyond = [n for n in errors if n > len(steps)]
    question = text_of(value, "original_question" if original else "modified_question")
    name = f"{kind}_{id_of(value, 'idx')}"
    problem = Problem.parse(
        {
            "id": name,
            "group": id_of(value, "idx"),
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
    return JudgedSolution(
        problem=problem,
        solution=solution_of(name, steps),
        gold=tuple(wrong if number in errors else right for number in range(1, len(steps) + 1)),
        subset=kind,
        extra={
            **({} if original else {"reason": value.get("reason", "")}),
            **({"beyond_the_steps": beyond} if beyond else {}),
        },
    )


@dataclass(slots=True)
class StepFigures:
    """The benchmark's counts over steps, the right step being positive, and what follows from them.

    `unknown` steps, left open by the critic, are in none of the four counts. Every rate is None where its denominator is 0.
    """

    tally: Tally
    tp: int = 0
    fp: int = 0
    tn: int = 0
    fn: int = 0
    unknown: int = 0
    first_found: int = 0
    first_missed: int = 0

    def add(self, item: JudgedSolution, critique: Critique | None) -> None:
        self.tally.items += 1
        if (reason := usable(item, critique)) is not None:
            self.tally.reasons[reason] += 1
            return
        assert critique is not None
        for number, (gold, step) in enumerate(zip(item.gold, critique.steps, strict=True)):
            said, true = judged_right(step), judged_right(gold)
            if said is None:
                self.unknown += 1
                continue
            self.tp += bool(true and said)
            self.fn += bool(true and not said)
            self.tn += bool(not true and not said)
            self.fp += bool(not true and said)
            if number == item.first_error:
                self.first_found += not said
                self.first_missed += said

    @property
    def f1(self) -> float | None:
        return _ratio(2 * self.tp, 2 * self.tp + self.fp + self.fn)

    @property
    def negative_f1(self) -> float | None:
        return _ratio(2 * self.tn, 2 * self.tn + self.fp + self.fn)

    @property
    def prm_score(self) -> float | None:
        """The mean of F1 and negative F1, with equal weights as published."""
        return None if self.f1 is None or self.negative_f1 is None else (self.f1 + self.negative_f1) / 2

    def to_json(self) -> dict[str, Any]:
        return {
            **self.tally.to_json(),
            "tp": self.tp,
            "fp": self.fp,
            "tn": self.tn,
            "fn": self.fn,
            "unknown_steps": self.unknown,
            "precision": _ratio(self.tp, self.tp + self.fp),
            "recall": _ratio(self.tp, self.tp + self.fn),
            "f1": self.f1,
            "negative_precision": _ratio(self.tn, self.tn + self.fn),
            "negative_recall": _ratio(self.tn, self.tn + self.fp),
            "negative_f1": self.negative_f1,
            "prm_score": self.prm_score,
            "step_accuracy": _ratio(self.tp + self.tn, self.tp + self.tn + self.fp + self.fn),
            "correct_step_accuracy": _ratio(self.tp, self.tp + self.fn),
            "wrong_step_accuracy": _ratio(self.tn, self.tn + self.fp),
            "first_error_accuracy": _ratio(self.first_found, self.first_found + self.first_missed),
        }


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None


@dataclass(frozen=True, slots=True)
class PRMBenchFigures:
    """The figures per kind of error, and over all modified processes; "correct" items are a kind of their own."""

    total: StepFigures
    kinds: dict[str, StepFigures]

    def to_json(self) -> dict[str, Any]:
        return {
            "total": self.total.to_json(),
            "kinds": {name: figures.to_json() for name, figures in self.kinds.items()},
        }


def score(pairs: Iterable[tuple[JudgedSolution, Critique | None]]) -> PRMBenchFigures:
    """The figures over items and their critiques."""
    total, kinds = StepFigures(Tally()), dict[str, StepFigures]()
    for item, critique in pairs:
        kinds.setdefault(item.subset, StepFigures(Tally())).add(item, critique)
        if item.subset != CORRECT:
            total.add(item, critique)
    return PRMBenchFigures(total=total, kinds=kinds)
