"""Run-wide limits: never passed by the calls in flight, and never a reason to wait for nothing."""

from __future__ import annotations

import asyncio

import pytest

from eduflow.engine import Endpoint, Stats
from eduflow.errors import ConfigError
from eduflow.evaluation.budget import Bound, Budget, RunLimits, call_bound, total_bound


async def test_what_is_in_flight_counts() -> None:
    budget = Budget(RunLimits(calls=10))
    spent = Stats()
    assert await budget.reserve(Bound(calls=6), lambda: spent)
    waiting = asyncio.create_task(budget.reserve(Bound(calls=6), lambda: spent))
    await asyncio.sleep(0)
    assert not waiting.done()  # 6 + 6 are more than 10, but the first may take less
    spent.made = 2
    budget.release(Bound(calls=6))
    assert await waiting
    assert budget.struck is None


async def test_a_limit_strikes_when_nothing_in_flight_can_free_anything() -> None:
    budget = Budget(RunLimits(calls=10))
    assert not await budget.reserve(Bound(calls=11), Stats)
    assert budget.struck == "calls"


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (RunLimits(tokens=1000), "tokens"),
        (RunLimits(cost=0.001), "cost"),
        (RunLimits(minutes=0), "minutes"),
    ],
)
async def test_each_kind_of_limit_strikes(limits: RunLimits, reason: str) -> None:
    budget = Budget(limits)
    assert not await budget.reserve(Bound(calls=1, tokens=2000, cost=0.01), Stats)
    assert budget.struck == reason


def test_bounds_add_up() -> None:
    endpoint = Endpoint("e", "m", price_prompt=2.0, price_completion=10.0)
    one = call_bound(endpoint, prompt_tokens=1000, max_tokens=100, calls=2)
    assert one == Bound(calls=2, tokens=2200, cost=pytest.approx(2 * (2000 + 1000) / 1e6))  # type: ignore[arg-type]
    assert total_bound(one, Bound(calls=1, tokens=5)) == Bound(3, 2205, one.cost)
    assert total_bound() == Bound()


@pytest.mark.parametrize("value", [-1, float("nan"), float("-inf")])
@pytest.mark.parametrize("name", ["calls", "tokens", "cost", "minutes"])
def test_a_limit_that_would_never_or_always_strike_is_refused(name: str, value: float) -> None:
    with pytest.raises(ConfigError, match=r"--max-.* must be 0 or more"):
        RunLimits(**{name: value})  # type: ignore[arg-type]
