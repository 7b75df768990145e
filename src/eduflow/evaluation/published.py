"""Our figures beside published ones, for the formats that bring recorded outputs and a table of their scores."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from eduflow.formats import choice_letters, gaokao_bench, math_v
from eduflow.problem import Problem, Solution
from eduflow.report import Grid, Record, Source, metrics, published_grid

_TITLES = {
    "gaokao_bench": "Accuracy beside the published shares of marks (GAOKAO-Bench)",
    "math_v": "Accuracy beside the published one, by the authors' grader (MATH-Vision)",
}


def facts(problem: Problem, solution: Solution) -> dict[str, Any]:
    """What a record keeps so that it can be put beside a publication; {} for sets without one.

    `category` is the publication's own name for the group. For GAOKAO-Bench's choice questions `mark` is what one right answer is worth
    and `recorded` the answers that the authors took out of the output.
    """
    if problem.source == "gaokao_bench":
        found: dict[str, Any] = {"category": problem.extra["keyword"]}
        if problem.type == "choice":
            found |= {"mark": problem.extra.get("score"), "recorded": solution.extra.get("model_answer")}
        return found
    if problem.source == "math_v" and problem.knowledge_points:
        return {"category": problem.knowledge_points[0]}
    return {}


def beside(source: Source, format: str, path: str | Path) -> list[Grid]:
    """The tables of a run on recorded outputs, [] where the format or the folder brings no published scores.

    Raises:
        InputError: the published table is there and can't be read.
    """
    shares = _shares(path, format)
    if not shares:
        return []
    found = metrics(source.records(), group=_category)
    figures = {name: figure for mode in found.modes.values() for name, figure in mode.score.groups.items()}
    known = {name: share for name, share in shares.items() if name in figures}
    grids = [published_grid(figures, known, title=_TITLES[format])]
    if format == "gaokao_bench":
        grids.append(_marks_grid(source.records(), gaokao_bench.published_scores(path)))
    return grids


def marks(gold: str, given: str | None, mark: float, *, half: bool) -> float:
    """The marks of one choice question: all for exactly the right options, half for a proper part of them where the subject
    gives half marks (GAOKAO-Bench: physics), else none.

    Args:
        gold: the right keys, "BD".
        given: the chosen keys in any writing that `choice_letters` reads.
    """
    chosen = set(choice_letters(given or "") or "")
    if chosen == set(gold):
        return mark
    return mark / 2 if half and chosen and chosen < set(gold) else 0.0


def _marks_grid(records: Iterable[Record], published: Mapping[str, gaokao_bench.PublishedScore]) -> Grid:
    """Marks by the publication's rule, from the answers that the authors recorded and from those found here."""
    sums: defaultdict[str, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    for record in records:
        mark = record.extra.get("mark")
        if not isinstance(mark, int | float) or (name := _category(record)) is None:
            continue
        half = record.subject == "physics"
        recorded = record.extra.get("recorded") or []
        ours = [blank.extracted for blank in record.grade.blanks]
        total = sums[name]
        total[0] += mark * len(record.answers)
        total[1] += _sum(record.answers, recorded, mark, half=half)
        total[2] += _sum(record.answers, ours, mark, half=half)
    rows = [
        (
            name,
            f"{possible:g}",
            f"{published[name].correct:g}" if name in published else "–",
            f"{theirs:g}",
            f"{ours:g}",
        )
        for name, (possible, theirs, ours) in sorted(sums.items())
    ]
    head = ("", "possible", "published", "from the recorded answers", "from the outputs")
    return Grid(
        "Marks by the published rule (half for a proper part of the right options, in physics)",
        head,
        tuple(rows),
    )


def _sum(golds: Sequence[str], given: Sequence[str | None], mark: float, *, half: bool) -> float:
    # Fewer answers than questions are answers to the first ones, as the publication counts them.
    return sum(marks(gold, answer, mark, half=half) for gold, answer in zip(golds, given, strict=False))


def _shares(path: str | Path, format: str) -> dict[str, float]:
    """The published shares, 0 to 1, by category."""
    if format == "gaokao_bench":
        return {
            name: score.correct / score.total for name, score in gaokao_bench.published_scores(path).items()
        }
    if format == "math_v":
        return {
            name.removeprefix("-"): right / of
            for name, (right, of) in math_v.published_scores(path).items()
            if of
        }
    return {}


def _category(record: Record) -> str | None:
    name = record.extra.get("category")
    return name if isinstance(name, str) else None
