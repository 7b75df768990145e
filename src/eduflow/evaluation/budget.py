"""Run-wide limits in calls, tokens, money and minutes.

They belong to one start of a run: calls that the journal already holds cost nothing. Before a problem is started its upper bound is
reserved, so that a limit is never passed by the calls in flight.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from eduflow.engine import Endpoint, Stats
from eduflow.errors import ConfigError


@dataclass(frozen=True, slots=True)
class RunLimits:
    """Limits of one start of a run; None for none. Money is in the endpoints' currency.

    Raises:
        ConfigError: a limit is negative or no number.
    """

    calls: int | None = None
    tokens: int | None = None
    cost: float | None = None
    minutes: float | None = None

    def __post_init__(self) -> None:
        for name, value in (
            ("calls", self.calls),
            ("total-tokens", self.tokens),
            ("cost", self.cost),
            ("minutes", self.minutes),
        ):
            if value is not None and not value >= 0:  # so that NaN, which is over no limit, is refused too
                raise ConfigError(f"--max-{name} must be 0 or more, not {value}")


@dataclass(frozen=True, slots=True)
class Bound:
    """Most that one problem can take."""

    calls: int = 0
    tokens: int = 0
    cost: float = 0.0


def call_bound(endpoint: Endpoint, prompt_tokens: int, max_tokens: int, calls: int) -> Bound:
    """Most that `calls` calls of one kind can take."""
    money = prompt_tokens * (endpoint.price_prompt or 0.0) + max_tokens * (endpoint.price_completion or 0.0)
    return Bound(calls, calls * (prompt_tokens + max_tokens), calls * money / 1e6)


def total_bound(*bounds: Bound) -> Bound:
    return Bound(
        sum(bound.calls for bound in bounds),
        sum(bound.tokens for bound in bounds),
        sum(bound.cost for bound in bounds),
    )


@dataclass(slots=True)
class Budget:
    """What is left of the limits, with reservations for the problems in flight."""

    limits: RunLimits
    started: float = field(default_factory=time.monotonic)
    struck: str | None = None
    _held: Bound = field(default_factory=Bound)
    _in_flight: int = 0
    _freed: asyncio.Event = field(default_factory=asyncio.Event)

    async def reserve(self, bound: Bound, spent: Callable[[], Stats]) -> bool:
        """Hold `bound` for one problem; waits for those in flight where that may help. False: a limit strikes.

        Args:
            spent: gives the engine's totals as they are now.
        """
        while True:
            over = self._over(bound, spent())
            if over is None:
                self._held = total_bound(self._held, bound)
                self._in_flight += 1
                return True
            if over == "minutes" or self._in_flight == 0:
                self.struck = over
                return False
            self._freed.clear()
            await self._freed.wait()

    def release(self, bound: Bound) -> None:
        """The problem is done; what it really took stands in the engine's totals."""
        held = self._held
        self._held = Bound(held.calls - bound.calls, held.tokens - bound.tokens, held.cost - bound.cost)
        self._in_flight -= 1
        self._freed.set()

    def _over(self, bound: Bound, spent: Stats) -> str | None:
        limits, held = self.limits, self._held
        if limits.minutes is not None and time.monotonic() - self.started >= 60 * limits.minutes:
            return "minutes"
        if limits.calls is not None and spent.made + held.calls + bound.calls > limits.calls:
            return "calls"
        tokens = spent.prompt_tokens + spent.completion_tokens
        if limits.tokens is not None and tokens + held.tokens + bound.tokens > limits.tokens:
            return "tokens"
        if limits.cost is not None and (spent.cost or 0.0) + held.cost + bound.cost > limits.cost:
            return "cost"
        return None
