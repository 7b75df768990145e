"""A table as data, and its two forms: a terminal's and Markdown's."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from eduflow.report.intervals import Interval
from eduflow.report.metrics import Figure, Mean

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

EMPTY = "–"


@dataclass(frozen=True, slots=True)
class Grid:
    """A table: its title, the heads of the columns, and rows of cells. A cell's lines are split on `\\n`.

    A row of one cell is a heading over the rows that follow it (in a terminal, a table of their own). `text_columns` are aligned to the left.
    """

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    text_columns: int = 1

    @property
    def width(self) -> int:
        """How many columns of a terminal the table takes."""
        from rich.cells import cell_len

        table = [self.head, *(row for row in self.rows if len(row) > 1)]
        lines = [[max(map(cell_len, cell.split("\n"))) for cell in row] for row in table]
        return int(sum(max(column) for column in zip(*lines, strict=True))) + 2 * len(self.head)

    def markdown(self) -> str:
        lines = [f"**{escaped(self.title)}**", ""] if self.title else []
        lines.append("| " + " | ".join(escaped(name) or " " for name in self.head) + " |")
        places = [":--" if place < self.text_columns else "--:" for place in range(len(self.head))]
        lines.append("| " + " | ".join(places) + " |")
        for row in self.rows:
            cells = [escaped(cell) for cell in row]
            if len(row) == 1:
                cells = [f"**{cells[0]}**", *[""] * (len(self.head) - 1)]
            lines.append("| " + " | ".join(cells) + " |")
        return "\n".join(lines) + "\n"

    def print(self, console: Console) -> None:
        from rich import box
        from rich.table import Table
        from rich.text import Text

        def table(title: str) -> Table:
            made = Table(
                title=Text(title, style="bold") if title else None,
                title_justify="left",
                box=box.SIMPLE_HEAD,
                pad_edge=False,
                collapse_padding=True,
            )
            for place, (name, least) in enumerate(zip(self.head, self._least(), strict=True)):
                justify: Literal["left", "right"] = "left" if place < self.text_columns else "right"
                made.add_column(Text(name), justify=justify, overflow="fold", min_width=least)
            return made

        # A terminal that is too narrow wraps lines; a number is never cut.
        width = max(console.width, sum(self._least()) + 2 * len(self.head))
        current = table(self.title)
        for row in self.rows:
            if len(row) > 1:
                current.add_row(*map(_dimmed, row))
                continue
            console.print(
                current if current.row_count else Text(self.title, style="bold"), width=width, crop=False
            )
            current = table(row[0])
        console.print(current, width=width, crop=False)

    def _least(self) -> list[int]:
        """The least width of each column: its longest word, but at most 8 of a text."""
        from rich.cells import cell_len

        table = [self.head, *(row for row in self.rows if len(row) > 1)]
        words = [
            max(cell_len(word) for cell in column for word in cell.split() or [""])
            for column in zip(*table, strict=True)
        ]
        return [min(width, 8) if place < self.text_columns else width for place, width in enumerate(words)]


def _dimmed(cell: str) -> Text:
    """The first line as it is; the rest, which is interval and count, dimmed. No markup is read in either."""
    from rich.text import Text

    first, _, rest = cell.partition("\n")
    return Text(first).append("\n" + rest if rest else "", style="dim")


def escaped(text: str) -> str:
    """The text as it reads in a Markdown table's cell, whatever a model's or a run's name holds."""
    for mark in "\\`*_[]|#":
        text = text.replace(mark, "\\" + mark)
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace("\r", "").replace("\n", "<br>")


def code(text: str) -> str:
    """The text as Markdown code in a line."""
    return "`" + text.replace("`", "'").replace("\n", " ") + "`"


def code_block(text: str, language: str) -> str:
    """The text as a block of code, whatever runs of backticks it holds."""
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{fence}{language}\n{text}\n{fence}"


def percent(value: float | None) -> str:
    """A share of 0..1 as a percentage with one decimal."""
    return EMPTY if value is None else f"{100 * value:.1f}"


def span(interval: Interval) -> str:
    return f"{percent(interval[0])}–{percent(interval[1])}"


def signed(value: float) -> str:
    """A difference in points, with its sign."""
    shown = f"{100 * value:+.1f}"
    return "0.0" if shown in ("+0.0", "-0.0") else shown.replace("-", "−")


def signed_span(interval: Interval) -> str:
    """An interval of a difference, in one word, so that it stays on one line."""
    return f"[{signed(interval[0])},{signed(interval[1])}]"


def count(number: float) -> str:
    """A count or a sum of scores, at most one decimal."""
    shown = f"{number:,.1f}"
    return shown.removesuffix(".0")


def figure_cell(figure: Figure | None) -> str:
    """Value, interval and count; where the group is too small for a claim, only how many of how many were right."""
    if figure is None:
        return EMPTY
    all_scored = figure.problems_scored == figure.problems
    seen = count(figure.problems) if all_scored else f"{figure.problems_scored:,}/{figure.problems:,}"
    if figure.value is None:
        return f"{EMPTY}\nn {seen}"
    if figure.interval is None:
        small = f"{count(figure.points)} of {figure.problems_scored:,}"
        return small if all_scored else f"{small}\nn {seen}"
    return f"{percent(figure.value)}\n{span(figure.interval)}\nn {seen}"


def mean_cell(mean: Mean | None, what: str) -> str:
    """Value and interval of a mean of figures, and of how many; `what` is their name in the singular."""
    if mean is None or mean.value is None:
        return EMPTY
    parts = [
        percent(mean.value),
        *([span(mean.interval)] if mean.interval else []),
        f"{len(mean.of)} {what}{'s' * (len(mean.of) != 1)}",
    ]
    return "\n".join(parts)


def titled(names: Sequence[str]) -> tuple[str, ...]:
    """Heads of columns: the names of stages, types and the like with a capital."""
    return tuple(name[:1].upper() + name[1:] for name in names)
