"""What a person sees while a run goes on: one live line in a terminal, a line every ten seconds elsewhere."""

from __future__ import annotations

import sys
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Self

from rich.console import Console
from rich.live import Live
from rich.text import Text

from eduflow.engine.engine import Engine

if TYPE_CHECKING:
    from rich.console import ConsoleOptions, RenderResult

_EVERY = 10.0


class Progress:
    """Counts finished items and shows them with the engine's own counts, on stderr.

    Use as a context manager around the run; `advance` after each item. While it is open, the engine's notes ("endpoint
    'x' is paused: ...") are shown above the line.

    Args:
        label: what is counted ("problems").
        total: how many there are; None where it is not known.
        engine: whose calls, tokens, cost and slots are shown.
        done: items that were finished before.
        console: where to; stderr if None.
    """

    def __init__(
        self,
        label: str,
        total: int | None,
        engine: Engine,
        *,
        done: int = 0,
        console: Console | None = None,
    ) -> None:
        self.label = label
        self.total = total
        self.engine = engine
        self.done = done
        self.console = console or Console(file=sys.stderr)
        self._before = done
        self._begun = self._shown = monotonic()
        self._live: Live | None = None
        self._note = engine.note

    def __enter__(self) -> Self:
        self._begun = self._shown = monotonic()
        self.engine.note = self.note
        if self.console.is_terminal:
            self._live = Live(self, console=self.console, refresh_per_second=4, transient=True)
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.engine.note = self._note
        if self._live is not None:
            self._live.stop()
            self._live = None
        self.console.print(self.line(), markup=False, highlight=False, soft_wrap=True)

    def advance(self, items: int = 1) -> None:
        """So many more items are finished."""
        self.done += items
        now = monotonic()
        if self._live is None and now - self._shown >= _EVERY:
            self._shown = now
            self.console.print(self.line(), markup=False, highlight=False, soft_wrap=True)

    def note(self, text: str) -> None:
        """Show a sentence that stays."""
        self.console.print(text, markup=False, highlight=False, soft_wrap=True)

    def line(self) -> str:
        """The line as it is now."""
        elapsed = monotonic() - self._begun
        fresh = self.done - self._before
        parts = [f"{self.label} {self.done:,}" + ("" if self.total is None else f"/{self.total:,}")]
        if fresh and elapsed > 0:
            parts.append(f"{_rate(fresh / elapsed)}")
            if self.total is not None and self.done < self.total:
                parts.append(f"{_span((self.total - self.done) * elapsed / fresh)} left")
        else:
            parts.append(_span(elapsed))
        total = self.engine.total
        calls = f"{total.made:,} calls"
        if total.cached:
            calls += f" + {total.cached:,} from the journal"
        parts.append(calls)
        if bad := {name: n for name, n in sorted(total.outcomes.items()) if n and name != "ok"}:
            parts.append(", ".join(f"{n:,} {name}" for name, n in bad.items()))
        if total.prompt_tokens or total.completion_tokens:
            parts.append(f"{_short(total.prompt_tokens)} tokens in, {_short(total.completion_tokens)} out")
        parts += [f"{cost:.4g} {currency}" for currency, cost in self.engine.costs().items()]
        parts += [
            f"{use.name} {'paused' if use.paused else f'{use.in_flight}/{use.limit}'}"
            for use in self.engine.use()
        ]
        return " · ".join(parts)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text(self.line(), no_wrap=True, overflow="ellipsis")


def _rate(per_second: float) -> str:
    return f"{per_second:.1f}/s" if per_second >= 1 else f"{60 * per_second:.1f}/min"


def _span(seconds: float) -> str:
    whole = int(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"


def _short(count: int) -> str:
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if count >= size:
            return f"{count / size:.1f}{letter}"
    return str(count)
