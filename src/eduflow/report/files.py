"""The files of a report: metrics.json, report.md and metrics.csv, each written whole or not at all."""

from __future__ import annotations

import csv
import io
import json
import platform
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from eduflow import __version__
from eduflow.engine import Run, atomic_write
from eduflow.report.columns import ENDINGS, NOT_SCORED
from eduflow.report.intervals import CONFIDENCE, RESAMPLES, SEED
from eduflow.report.metrics import MINIMUM, SCHEMA_VERSION, Figure, Metrics, Scores, metrics
from eduflow.report.records import Source, open_source, source_of
from eduflow.report.tables import markdown, print_metrics, title


def source_json(source: Source) -> dict[str, Any]:
    """What is known about how the records were made, as JSON values."""
    return {
        "name": source.name,
        "config": source.config,
        "config_hash": source.config_hash,
        "revision": source.revision,
        "about": source.about,
        "stopped": source.stopped,
    }


def made_by() -> dict[str, Any]:
    """The versions and settings that figures depend on."""
    return {
        "eduflow": __version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "confidence": CONFIDENCE,
        "resamples": RESAMPLES,
        "seed": SEED,
        "minimum": MINIMUM,
    }


def metrics_json(source: Source, found: Metrics) -> dict[str, Any]:
    """The content of metrics.json: equal records and configuration give equal content."""
    return {
        "schema_version": SCHEMA_VERSION,
        "kind": "run",
        "title": title(source, found),
        "run": source_json(source),
        "report": made_by(),
        "metrics": found.to_json(),
    }


def write_json(path: str | Path, content: object) -> None:
    with atomic_write(path) as file:
        file.write(json.dumps(content, ensure_ascii=True, indent=2, allow_nan=False) + "\n")


def write_text(path: str | Path, text: str) -> None:
    with atomic_write(path, "wb") as file:
        file.write(text.encode("utf-8", "replace"))


_CSV_HEAD = (
    "run", "solver", "languages", "mode", "measure", "group_by", "group", "value", "lower_bound", "low", "high",
    "method", "points", "problems", "problems_scored", "units", "solutions", "scored",
    *(f"not_scored_{name}" for name in NOT_SCORED), *(f"ended_{name}" for name in ENDINGS),
)  # fmt: skip


def write_csv(path: str | Path, runs: Iterable[tuple[Source, Metrics]]) -> None:
    """Every figure of the runs, one per line, as UTF-8 with a byte order mark, which Excel asks for."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(_CSV_HEAD)
    for source, found in runs:
        names = (source.name, found.solver, " ".join(found.languages))
        for place, figure in _figures(found):
            writer.writerow([_cell(value) for value in (*names, *place, *_numbers(figure))])
    with atomic_write(path, "wb") as file:
        file.write(out.getvalue().encode("utf-8-sig", "replace"))


def _figures(found: Metrics) -> Iterator[tuple[tuple[str, str, str, str], Figure]]:
    for name, mode in found.modes.items():
        for measure, scores in (("score", mode.score), ("solved", mode.solved)):
            for group_by, group, figure in _grouped(scores):
                yield (name, measure, group_by, group), figure
        for k, figure in mode.pass_at.items():
            yield (name, f"pass@{k}", "all", "all"), figure


def _grouped(scores: Scores) -> Iterator[tuple[str, str, Figure]]:
    yield "all", "all", scores.overall
    for group_by, figures in (
        ("stage", scores.stages),
        ("subject", scores.subjects),
        ("type", scores.types),
        ("subject-stage", scores.cells),
        ("group", scores.groups),
    ):
        for group, figure in figures.items():
            yield group_by, group, figure
    for subject, by_type in scores.subject_type.items():
        for kind, figure in by_type.items():
            yield "subject-type", f"{subject}-{kind}", figure


def _numbers(figure: Figure) -> list[object]:
    low, high = figure.interval or (None, None)
    return [
        figure.value, figure.lower_bound, low, high, figure.method, figure.points, figure.problems,
        figure.problems_scored, figure.units, figure.total, figure.scored,
        *(figure.not_scored.get(name, 0) for name in NOT_SCORED), *(figure.endings.get(name, 0) for name in ENDINGS),
    ]  # fmt: skip


def _cell(value: object) -> object:
    """Text that a spreadsheet would run as a formula gets an apostrophe before it."""
    if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")):
        return "'" + value
    return value


def write_report(run: Run | Source, out_dir: str | Path | None = None) -> Metrics:
    """Write metrics.json, report.md and metrics.csv of a run.

    Args:
        run: an open run, or where its records come from.
        out_dir: the folder for the files; None for the run's own.

    Raises:
        InputError: the run holds no results, or a file cannot be written.
    """
    source = source_of(run) if isinstance(run, Run) else run
    folder = Path(out_dir) if out_dir is not None else source.path
    found = metrics(source.glances())
    write_json(folder / "metrics.json", metrics_json(source, found))
    write_text(folder / "report.md", markdown(source, found))
    write_csv(folder / "metrics.csv", [(source, found)])
    return found


def print_report(path: str | Path) -> None:
    """Print the report of a run's folder, or of a JSONL export, to the terminal."""
    from rich.console import Console

    source = open_source(path)
    print_metrics(source, metrics(source.glances()), Console())
