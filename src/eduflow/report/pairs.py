"""The report of two runs side by side, for a terminal and for Markdown."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from eduflow.engine.files import write_jsonl
from eduflow.problem import STAGES
from eduflow.report.compare import Comparison, Difference, Flip
from eduflow.report.grids import EMPTY, Grid, escaped, percent, signed, signed_span, titled
from eduflow.report.metrics import MINIMUM

if TYPE_CHECKING:
    from rich.console import Console

LISTED = 20

READING = (
    "Differences are in points, over the problems that both runs have scored, each with itself; under a difference its 95% "
    f"interval, the two scores and n. Under {MINIMUM} problems there is no claim. A problem is solved where every blank is "
    "right (with several samples: in more than half of them); p is McNemar's exact test of the flips."
)


def difference_grid(found: Comparison) -> Grid:
    """Primary, Middle, High and Overall of the paired difference, by mode."""
    rows = [
        (
            name,
            *(_cell(mode.stages.get(stage)) for stage in STAGES),
            _cell(mode.overall),
        )
        for name, mode in found.modes.items()
    ]
    if found.average is not None:
        rows.append(("Avg.", *[""] * len(STAGES), _cell(found.average)))
    return Grid(
        f"Difference: {found.second} minus {found.first}", ("mode", *titled(STAGES), "Overall"), tuple(rows)
    )


def pairing_grid(found: Comparison) -> Grid:
    """How many problems were compared, left out and flipped, by mode."""
    modes = list(found.modes.values())
    rows = [
        ("problems scored in both", *(f"{mode.overall.problems:,}" for mode in modes)),
        ("in both, not scored in one", *(f"{mode.unscored:,}" for mode in modes)),
        (f"only in {found.first}", *(f"{mode.only_first:,}" for mode in modes)),
        (f"only in {found.second}", *(f"{mode.only_second:,}" for mode in modes)),
        ("solved: right → wrong", *(f"{mode.right_to_wrong:,}" for mode in modes)),
        ("solved: wrong → right", *(f"{mode.wrong_to_right:,}" for mode in modes)),
        ("p of the flips", *(_p(mode.p_value) for mode in modes)),
    ]
    return Grid("What was compared", ("", *found.modes), tuple(rows))


def flips_grid(flips: Iterable[Flip], title: str) -> Grid:
    """The problems that flipped, one per row."""
    rows = tuple(
        (
            flip.problem_id,
            flip.mode,
            f"{flip.subject}, {flip.stage}, {flip.type}",
            flip.direction.replace(" to ", " → "),
        )
        for flip in flips
    )
    return Grid(title, ("problem", "mode", "kind", "flip"), rows, text_columns=4)


def write_flips(path: str | Path, found: Comparison) -> int:
    """Write every flip as a JSON line; returns their number."""
    from dataclasses import asdict

    return write_jsonl(path, (asdict(flip) for flip in found.flips))


def print_comparison(found: Comparison, console: Console) -> None:
    """The pair in a terminal, its first flips listed."""
    from rich.text import Text

    for line in _titles(found):
        console.print(Text(line, style="bold"))
    difference_grid(found).print(console)
    pairing_grid(found).print(console)
    if found.flips:
        shown = found.flips[:LISTED]
        flips_grid(shown, f"Problems that flipped, {len(shown)} of {len(found.flips):,}").print(console)
        if len(shown) < len(found.flips):
            console.print(Text("--flips FILE writes all of them.", style="dim"))
    console.print(Text(READING, style="dim"))
    for note in found.notes:
        console.print(Text(note))


def comparison_markdown(found: Comparison) -> str:
    """The pair as Markdown, with every flip."""
    parts = [f"# {escaped(found.second)} against {escaped(found.first)}"]
    parts += ["\n".join(f"- {escaped(line)}" for line in _titles(found)), READING]
    parts += [grid.markdown().rstrip("\n") for grid in (difference_grid(found), pairing_grid(found))]
    if found.flips:
        parts.append(flips_grid(found.flips, "Problems that flipped").markdown().rstrip("\n"))
    if found.notes:
        parts.append("\n".join(f"- {escaped(note)}" for note in found.notes))
    return "\n\n".join(parts) + "\n"


def _titles(found: Comparison) -> list[str]:
    return [f"{name}: {line}" for name, line in zip((found.first, found.second), found.titles, strict=True)]


def _cell(difference: Difference | None) -> str:
    if difference is None or difference.value is None:
        return EMPTY
    n = f"n {difference.problems:,}"
    if difference.units < MINIMUM:
        return f"{EMPTY}\n{n}"
    both = f"{percent(difference.first)} → {percent(difference.second)}"
    interval = signed_span(difference.interval) if difference.interval is not None else "no problem differs"
    return f"{signed(difference.value)}\n{interval}\n{both}\n{n}"


def _p(value: float | None) -> str:
    if value is None:
        return EMPTY
    return f"{value:.3f}" if value >= 0.001 else f"{value:.1e}"
