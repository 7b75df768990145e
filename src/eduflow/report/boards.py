"""Many runs: a leaderboard laid out as the papers' tables, grouped by what the models were shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from eduflow.errors import InputError
from eduflow.problem import STAGES
from eduflow.report.columns import Columns, collect
from eduflow.report.compare import Comparison, Difference, check_comparable, compare
from eduflow.report.files import made_by, source_json
from eduflow.report.grids import (
    EMPTY,
    Grid,
    code,
    escaped,
    figure_cell,
    mean_cell,
    signed,
    signed_span,
    titled,
)
from eduflow.report.metrics import Metrics, metrics_of
from eduflow.report.records import Source
from eduflow.report.tables import READING, facts, title

if TYPE_CHECKING:
    from rich.console import Console

SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True)
class Row:
    """One run on a leaderboard. `gain` compares it with the baseline, None for the baseline itself or without one."""

    name: str
    source: Source
    metrics: Metrics
    group: str
    gain: Comparison | None = None


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """Runs grouped by input (and language, where there are several), the best Avg. first in each group."""

    rows: tuple[Row, ...]
    modes: tuple[str, ...]
    baseline: str | None
    notes: tuple[str, ...]

    @property
    def groups(self) -> dict[str, list[Row]]:
        found: dict[str, list[Row]] = {}
        for row in self.rows:
            found.setdefault(row.group, []).append(row)
        return found

    def to_json(self) -> dict[str, Any]:
        """JSON values."""
        return {
            "schema_version": SCHEMA_VERSION,
            "kind": "leaderboard",
            "baseline": self.baseline,
            "report": made_by(),
            "rows": [
                {
                    "name": row.name,
                    "group": row.group,
                    "run": source_json(row.source),
                    "metrics": row.metrics.to_json(),
                    "gain": None if row.gain is None else _gain_json(row.gain),
                }
                for row in self.rows
            ],
            "notes": list(self.notes),
        }


def _gain_json(gain: Comparison) -> dict[str, Any]:
    found = gain.to_json()
    del found["flips"]
    return found


def names_of(sources: Sequence[Source]) -> list[str]:
    """What to call the sources: their names, or their paths where names repeat."""
    names = [source.name for source in sources]
    return [str(source.path) if names.count(source.name) > 1 else source.name for source in sources]


def leaderboard(
    sources: Sequence[Source],
    *,
    baseline: str | None = None,
    language: str | None = None,
    force: bool = False,
) -> Leaderboard:
    """The leaderboard of several runs. One run's columns at a time are held beside those of the baseline (or the first).

    Args:
        sources: where their records come from.
        baseline: the name of the run that the others are compared with, problem by problem.
        language: take only the problems in this language.
        force: put runs side by side that `check_comparable` would refuse.

    Raises:
        InputError: the baseline is none of the runs, or two runs of one language don't belong side by side.
    """
    names = names_of(sources)
    if baseline is not None and baseline not in names:
        raise InputError(f"the baseline '{baseline}' is none of the runs: {', '.join(names)}")
    base: tuple[Source, Columns] | None = None
    if baseline is not None:
        source = sources[names.index(baseline)]
        base = (source, collect(source.glances(), language=language))
    rows: list[Row] = []
    anchors: dict[tuple[str, ...], tuple[Source, Columns]] = {} if base is None else {base[1].languages: base}
    for name, source in zip(names, sources, strict=True):
        is_base = base is not None and name == baseline
        mine = base[1] if is_base and base is not None else collect(source.glances(), language=language)
        anchor = anchors.setdefault(mine.languages, (source, mine))
        if anchor[1] is not mine:
            check_comparable(anchor, (source, mine), force=force)
        gain = None
        if base is not None and not is_base and base[1].languages == mine.languages:
            gain = compare(base, (source, mine), force=force, names=(str(baseline), name), flips=False)
        found = metrics_of(mine)
        rows.append(Row(name, source, found, _group(found), gain))
    if len({row.metrics.languages for row in rows}) > 1:
        rows = [
            Row(
                row.name,
                row.source,
                row.metrics,
                f"{row.group} ({' and '.join(row.metrics.languages)})",
                row.gain,
            )
            for row in rows
        ]
    order = {name: place for place, name in enumerate(_GROUPS)}
    rows.sort(
        key=lambda row: (
            row.metrics.languages,
            order[row.group.partition(" (")[0]],
            -_rank(row.metrics),
            row.name,
        )
    )
    used = {mode: None for row in rows for mode in row.metrics.modes}
    modes = tuple(sorted(used, key=lambda name: ({"direct": 0, "cot": 1}.get(name, 2), name)))
    return Leaderboard(tuple(rows), modes, baseline, tuple(_notes(rows)))


_GROUPS = ("text + image", "text + captions", "text, images dropped", "text")


def _group(metrics: Metrics) -> str:
    """What the models were shown, as the papers group their tables."""
    if "captions" in metrics.inputs:
        return _GROUPS[1]
    if "dropped" in metrics.inputs:
        return _GROUPS[2]
    return _GROUPS[0] if "images" in metrics.inputs else _GROUPS[3]


def _rank(metrics: Metrics) -> float:
    if metrics.average is not None:
        return metrics.average.value or 0.0
    return next(iter(metrics.modes.values())).score.overall.value or 0.0


def _notes(rows: Sequence[Row]) -> list[str]:
    said = []
    sizes = {row.metrics.problems for row in rows}
    if len(sizes) > 1:
        said.append(
            "The runs have different numbers of problems: compare them by their gains, which are paired."
        )
    judges = {str(row.source.config.get("grader")) for row in rows if row.source.config}
    if len(judges) > 1:
        said.append("The runs were not graded in the same way (grader or judge differ).")
    return said


def _gain_cell(difference: Difference | None) -> str:
    if difference is None or difference.value is None:
        return EMPTY
    if difference.interval is None:
        return f"{EMPTY}\nn {difference.problems:,}"
    return f"{signed(difference.value)}\n{signed_span(difference.interval)}\nn {difference.problems:,}"


def wide_grid(board: Leaderboard) -> Grid:
    """A row per run, the stages of every mode side by side, as in the papers."""
    head = ["model"]
    for mode in board.modes:
        head += [f"{mode} {name}" for name in (*titled(STAGES), "Overall")]
        head += [f"{mode} gain"] if board.baseline is not None else []
    head.append("Avg.")
    head += ["Avg. gain"] if board.baseline is not None else []
    rows: list[tuple[str, ...]] = []
    for group, members in board.groups.items():
        rows.append((group,))
        for row in members:
            cells = [_label(row, board)]
            for mode in board.modes:
                found = row.metrics.modes.get(mode)
                cells += [figure_cell(found.score.stages.get(stage)) if found else EMPTY for stage in STAGES]
                cells.append(figure_cell(found.score.overall) if found else EMPTY)
                if board.baseline is not None:
                    gain = row.gain.modes.get(mode) if row.gain is not None else None
                    cells.append(_gain_cell(gain.overall if gain is not None else None))
            cells.append(mean_cell(row.metrics.average, "mode"))
            if board.baseline is not None:
                cells.append(_gain_cell(row.gain.average if row.gain is not None else None))
            rows.append(tuple(cells))
    return Grid(_board_title(board), tuple(head), tuple(rows))


def tall_grid(board: Leaderboard) -> Grid:
    """A row per run and mode, for a terminal of 80 columns."""
    head = ("model", "mode", *titled(STAGES), "Overall", *(["Gain"] if board.baseline is not None else []))
    rows: list[tuple[str, ...]] = []
    for group, members in board.groups.items():
        rows.append((group,))
        for row in members:
            label = _label(row, board)
            for mode, found in row.metrics.modes.items():
                cells = [label, mode]
                cells += [figure_cell(found.score.stages.get(stage)) for stage in STAGES]
                cells.append(figure_cell(found.score.overall))
                if board.baseline is not None:
                    gain = row.gain.modes.get(mode) if row.gain is not None else None
                    cells.append(_gain_cell(gain.overall if gain is not None else None))
                rows.append(tuple(cells))
                label = ""
            if row.metrics.average is not None:
                cells = ["", "Avg.", *[""] * len(STAGES), mean_cell(row.metrics.average, "mode")]
                if board.baseline is not None:
                    cells.append(_gain_cell(row.gain.average if row.gain is not None else None))
                rows.append(tuple(cells))
    return Grid(_board_title(board), head, tuple(rows), text_columns=2)


def _label(row: Row, board: Leaderboard) -> str:
    name = row.name if row.name == row.metrics.solver else f"{row.metrics.solver}\n{row.name}"
    return f"{name}\nbaseline" if row.name == board.baseline else name


def _board_title(board: Leaderboard) -> str:
    over = (
        f"; gains over {board.baseline}, in points, on the problems that both have scored"
        if board.baseline
        else ""
    )
    return f"Leaderboard{over}"


def print_leaderboard(board: Leaderboard, console: Console) -> None:
    """The leaderboard in a terminal: side by side where there is room, else a row per mode."""
    from rich.text import Text

    wide = wide_grid(board)
    (wide if wide.width <= console.width else tall_grid(board)).print(console)
    console.print(Text(READING, style="dim"))
    for note in board.notes:
        console.print(Text(note))


def leaderboard_markdown(board: Leaderboard) -> str:
    """The leaderboard as Markdown, with what made each run."""
    parts = ["# Leaderboard", READING, wide_grid(board).markdown().rstrip("\n")]
    if board.notes:
        parts.append("\n".join(f"- {escaped(note)}" for note in board.notes))
    parts.append("## How the runs were made")
    for row in board.rows:
        lines = [f"- {name}: {code(value)}" for name, value in facts(row.source)]
        parts.append(f"{escaped(title(row.source, row.metrics))}\n\n" + "\n".join(lines))
    return "\n\n".join(parts) + "\n"
