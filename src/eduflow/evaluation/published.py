"""Our figures beside published ones, for the formats that bring recorded outputs and a table of their scores."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from eduflow.formats import gaokao_bench, math_v
from eduflow.problem import Problem
from eduflow.report import Grid, Record, Source, metrics, published_grid

_TITLES = {
    "gaokao_bench": "Beside the published scores (GAOKAO-Bench: shares of marks, with half marks in physics)",
    "math_v": "Beside the published scores (MATH-Vision: accuracy by the authors' grader)",
}


def category(problem: Problem) -> str | None:
    """The name under which the publication of the problem's set counts it; None for other sets."""
    if problem.source == "gaokao_bench":
        return str(problem.extra["keyword"])
    if problem.source == "math_v" and problem.knowledge_points:
        return problem.knowledge_points[0]
    return None


def published_shares(path: str | Path, format: str) -> dict[str, float]:
    """The published shares, 0 to 1, by category; {} where the format or the folder brings none.

    Raises:
        InputError: the table is there and can't be read.
    """
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


def beside(source: Source, format: str, published: Mapping[str, float]) -> Grid:
    """The table: only categories that the run has."""
    found = metrics(source.records(), group=_category_of)
    figures = {name: figure for mode in found.modes.values() for name, figure in mode.score.groups.items()}
    shares = {name: share for name, share in published.items() if name in figures}
    return published_grid(figures, shares, title=_TITLES[format])


def _category_of(record: Record) -> str | None:
    name = record.extra.get("category")
    return name if isinstance(name, str) else None
