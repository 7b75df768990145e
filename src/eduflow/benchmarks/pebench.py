"""K12-PEBench (arXiv 2506.01676): solutions whose steps people have labelled, JSONL. A row (our own content):

{"hash_id": "9a1f...", "question": "<image>长方形的周长是____cm。", "img": "iVBORw0K...", "format_solution": ["周长是 2×(5+3)=16 cm。"],
 "ground_truth": ["16"], "student_infer": ["长是 5，宽是 3。", "2×5+3=13。"],
 "step_labels": [["长是 5，宽是 3。", "步骤正确", "读图正确。"], ["2×5+3=13。", "知识应用错误", "周长公式少乘了宽。"]]}

The metric is the accuracy per label and overall, micro (over steps) and macro (over the labels that occur). `img` may be missing. The
published rows do not say subject, stage and type: where `subject` ("math-g6") and `type` stand they are read, else the caller's
defaults or mathematics, middle and free are taken and `extra["assumed"]` says so.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eduflow.benchmarks.judged import JudgedSolution, Tally, gold_of, usable
from eduflow.errors import InputError
from eduflow.formats import OnBad, Reading, choice_letters, parse_options
from eduflow.formats.pictures import image_of_base64
from eduflow.formats.reading import Row
from eduflow.formats.rows import object_rows
from eduflow.formats.words import id_of, language_of, plain_name, text_of, texts_of
from eduflow.labels import Label, from_name
from eduflow.problem import Critique, Problem, Solution, Step, stage_of

NAME = "pebench"
ASSUMED: Mapping[str, str] = {"subject": "math", "stage": "middle", "type": "free"}
_SUBJECT = re.compile(r"([a-z]+)-g(\d{1,2})")


def read(
    path: str | Path, defaults: Mapping[str, str] | None = None, on_bad: OnBad = "strict"
) -> Reading[JudgedSolution]:
    """The labelled solutions of a file.

    Args:
        defaults: subject, stage and type of rows that don't say them.

    Raises:
        InputError: while iterating, the first bad row with its line and field (or none, with `on_bad="skip"`).
    """
    place, given = Path(path), dict(defaults or {})
    return Reading(
        place, NAME, lambda: object_rows(place), lambda row: understand(row, given), on_bad, lambda x: x.id
    )


def understand(row: Row, defaults: Mapping[str, str]) -> JudgedSolution:
    """The labelled solution of a row."""
    value: dict[str, Any] = row.value
    question = text_of(value, "question")
    steps = texts_of(value, "student_infer")
    labels, reasons = _labels(value.get("step_labels"), steps)
    what, assumed = _place(value, defaults)
    golds = [gold.strip() for gold in texts_of(value, "ground_truth") if gold.strip()]
    if not golds:
        raise InputError("has no entry", field="ground_truth")
    if what["type"] == "choice":
        golds = [choice_letters(gold) or gold for gold in golds]
    name = id_of(value, "hash_id")
    # Several students may have solved one problem: the steps tell the items apart.
    own = hashlib.sha256("\0".join(steps).encode("utf-8", "surrogatepass")).hexdigest()[:8]
    problem = Problem.parse(
        {
            **what,
            "id": f"{name}-{own}",
            "group": name,
            "question": question,
            "images": [image_of_base64(text, "img") for text in texts_of(value, "img") if text.strip()],
            "answers": golds,
            "solution": texts_of(value, "format_solution"),
            "language": language_of(question),
            "source": NAME,
            "options": parse_options(question, golds) if what["type"] == "choice" else (),
            "extra": {**assumed, **({"options_in_question": True} if what["type"] == "choice" else {})},
        }
    )
    return JudgedSolution(
        problem=problem, solution=solution_of(problem.id, steps), gold=gold_of(labels, reasons)
    )


def solution_of(problem_id: str, steps: Iterable[str]) -> Solution:
    """The steps as one solution: joined by newlines, each with its place in the text."""
    made, place = [], 0
    for text in steps:
        made.append(Step(text=text, start=place, end=place + len(text)))
        place += len(text) + 1
    return Solution(
        problem_id=problem_id,
        solver="student",
        mode="cot",
        text="\n".join(step.text for step in made),
        steps=tuple(made),
    )


def _labels(given: Any, steps: list[str]) -> tuple[list[Label], list[str]]:
    if not steps or not all(step.strip() for step in steps):
        raise InputError("has no step, or an empty one", field="student_infer")
    if not isinstance(given, list) or len(given) != len(steps):
        found = len(given) if isinstance(given, list) else "no list"
        raise InputError(f"{found} labels for {len(steps)} steps", field="step_labels")
    labels, reasons = [], []
    for number, entry in enumerate(given):
        if (
            not isinstance(entry, list)
            or len(entry) not in (2, 3)
            or not all(isinstance(x, str) for x in entry)
        ):
            raise InputError("is not [step, label, reason]", field=f"step_labels.{number}")
        try:
            labels.append(from_name(entry[1]))
        except ValueError as error:
            raise InputError(str(error), field=f"step_labels.{number}") from None
        reasons.append(entry[2] if len(entry) == 3 else "")
    return labels, reasons


def _place(value: Mapping[str, Any], defaults: Mapping[str, str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Subject, stage, grade and type, and which of them were assumed."""
    found: dict[str, Any] = {}
    subject = value.get("subject")
    if isinstance(subject, str) and (match := _SUBJECT.fullmatch(subject)) and 1 <= int(match[2]) <= 12:
        grade = int(match[2])
        found = {"subject": plain_name("subject", match[1]), "grade": grade, "stage": stage_of(grade)}
    elif subject is not None:
        found["subject"] = plain_name("subject", subject)
    for field in ("stage", "type"):
        if field not in found and value.get(field) is not None:
            found[field] = plain_name(field, value[field])
    assumed = {field: defaults.get(field, ASSUMED[field]) for field in ASSUMED if field not in found}
    return {**found, **assumed}, ({"assumed": sorted(assumed)} if assumed else {})


@dataclass(frozen=True, slots=True)
class PEBenchFigures:
    """How a critic's labels stand to the gold labels, over the steps of scored items.

    `confusion[gold][said]` counts steps; `said` None is a step that the critic left unknown. `accuracy` is per gold label, over
    its `steps`. `micro` is over all steps, `macro` the mean over the labels that occur; `micro_bound` counts the steps of items that
    are not scored as wrong. None where there are no steps.
    """

    tally: Tally
    steps: dict[Label, int]
    unscored_steps: int
    accuracy: dict[Label, float]
    micro: float | None
    macro: float | None
    micro_bound: float | None
    confusion: dict[Label, dict[Label | None, int]]

    def to_json(self) -> dict[str, Any]:
        return {
            **self.tally.to_json(),
            "steps": {label.value: n for label, n in self.steps.items()},
            "unscored_steps": self.unscored_steps,
            "accuracy": {label.value: share for label, share in self.accuracy.items()},
            "micro": self.micro,
            "macro": self.macro,
            "micro_bound": self.micro_bound,
            "confusion": {
                gold.value: {said.value if said else "unknown": n for said, n in row.items()}
                for gold, row in self.confusion.items()
            },
        }


def score(pairs: Iterable[tuple[JudgedSolution, Critique | None]]) -> PEBenchFigures:
    """The figures over items and their critiques. A critique of another step count is `count_mismatch`, never cut short.

    Labels are compared as they are: one that the critic's profile lacks counts against it in its own row.
    """
    tally, unscored = Tally(), 0
    confusion: dict[Label, Counter[Label | None]] = {}
    for item, critique in pairs:
        tally.items += 1
        if (reason := usable(item, critique)) is not None:
            tally.reasons[reason] += 1
            unscored += sum(step.label is not None for step in item.gold)
            continue
        assert critique is not None
        for gold, said in zip(item.gold, critique.steps, strict=True):
            if gold.label is not None:
                confusion.setdefault(gold.label, Counter())[said.label] += 1
    steps = {label: sum(confusion[label].values()) for label in Label if label in confusion}
    hits = {label: confusion[label][label] for label in steps}
    accuracy = {label: hits[label] / n for label, n in steps.items()}
    total = sum(steps.values())
    return PEBenchFigures(
        tally=tally,
        steps=steps,
        unscored_steps=unscored,
        accuracy=accuracy,
        micro=sum(hits.values()) / total if total else None,
        macro=sum(accuracy.values()) / len(accuracy) if accuracy else None,
        micro_bound=sum(hits.values()) / (total + unscored) if total + unscored else None,
        confusion={label: dict(confusion[label]) for label in steps},
    )
