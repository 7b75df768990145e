"""The limit on calls in flight, and the bounded stream."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest

from eduflow.engine import Limits
from eduflow.engine.scheduler import Limiter, stream
from eduflow.engine.transport import Replica, choose


async def settle() -> None:
    """Let every task that can go on do so."""
    for _ in range(5):
        await asyncio.sleep(0)


async def test_the_limit_doubles_each_round_until_it_meets_the_bound() -> None:
    limiter = Limiter(Limits(concurrency=50))
    waiting = [asyncio.create_task(limiter.acquire()) for _ in range(500)]
    heights = []
    for _ in range(5):
        await settle()
        round_of = limiter.in_flight
        heights.append(round_of)
        for _ in range(round_of):
            limiter.release()
            limiter.succeeded(0.1)
    assert heights == [8, 16, 32, 50, 50]
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)


async def test_an_unused_limit_does_not_grow() -> None:
    limiter = Limiter(Limits(concurrency=50))
    for _ in range(100):
        await limiter.acquire()
        limiter.succeeded(0.1)
        limiter.release()
    assert limiter.limit == 8


async def test_overload_halves_once_per_round_and_growth_is_slow_afterwards() -> None:
    limiter = Limiter(Limits(concurrency=64))
    limiter.overloaded(started=1.0, now=2.0)
    for _ in range(7):
        limiter.overloaded(started=1.5, now=2.1)  # sent before the cut: no news
    assert limiter.limit == 4
    limiter.overloaded(started=2.0, now=3.0)
    assert limiter.limit == 2
    for _ in range(5):
        limiter.overloaded(started=9.0, now=9.0)
    assert limiter.limit == 1
    await limiter.acquire()
    for _ in range(3):
        limiter.succeeded(0.1)
    assert limiter.limit == 2  # one more round, one more slot: not doubled


async def test_the_limit_stops_growing_when_calls_come_near_their_time_limit() -> None:
    limiter = Limiter(Limits(concurrency=64, timeout=10.0))
    for _ in range(8):
        await limiter.acquire()
    for _ in range(50):
        limiter.succeeded(3.0)
    assert limiter.limit == 8
    for _ in range(50):
        limiter.succeeded(0.1)
    assert limiter.limit > 8


async def test_slots_are_given_in_order_and_never_exceeded() -> None:
    limiter = Limiter(Limits(concurrency=3))
    running, most, order = 0, 0, []

    async def one(number: int) -> None:
        nonlocal running, most
        await limiter.acquire()
        running += 1
        most = max(most, running)
        order.append(number)
        await asyncio.sleep(0)
        running -= 1
        limiter.release()

    await asyncio.gather(*(one(number) for number in range(50)))
    assert most == 3
    assert order == list(range(50))
    assert limiter.in_flight == 0


async def test_a_cancelled_wait_gives_its_slot_on() -> None:
    limiter = Limiter(Limits(concurrency=1))
    await limiter.acquire()
    waiting = [asyncio.create_task(limiter.acquire()) for _ in range(3)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    await asyncio.sleep(0)
    limiter.release()
    waiting[1].cancel()  # in the moment in which it was given the slot
    await asyncio.wait_for(waiting[2], 5)
    assert limiter.in_flight == 1
    limiter.release()
    assert limiter.in_flight == 0
    await asyncio.gather(*waiting, return_exceptions=True)


async def test_a_pause_and_a_rate_hold_calls_back() -> None:
    loop = asyncio.get_running_loop()
    limiter = Limiter(Limits(concurrency=10, requests_per_minute=60 / 0.02))
    limiter.pause(loop.time() + 0.05)
    begun = loop.time()
    starts = [await limiter.acquire() for _ in range(4)]
    assert starts[0] >= begun + 0.05
    assert starts[3] >= starts[0] + 0.06 - 1e-3


# --- replicas ---------------------------------------------------------------------------------------------------------


def test_affinity_keeps_its_replica_and_only_the_lost_ones_move() -> None:
    replicas = [Replica(f"http://gpu{number}/v1") for number in range(4)]
    words = [f"problem {number}" for number in range(400)]
    before = {word: choose(replicas, word, 0.0) for word in words}
    assert {replica.base_url for replica in before.values()} == {replica.base_url for replica in replicas}
    assert all(choose(list(reversed(replicas)), word, 0.0) is replica for word, replica in before.items())
    replicas[2].missed(0.0)
    for word, replica in before.items():
        now = choose(replicas, word, 0.5)
        assert now is replica if replica is not replicas[2] else now is not replicas[2]
        assert choose(replicas, word, 1.5) is replica  # back after its second


def test_without_affinity_the_least_busy_replica_is_asked() -> None:
    replicas = [Replica("http://a/v1", in_flight=3), Replica("http://b/v1", in_flight=1)]
    assert choose(replicas, None, 0.0) is replicas[1]
    for replica in replicas:
        replica.missed(0.0)
    assert choose(replicas, None, 0.0) is replicas[1]  # all down: tried all the same


def test_a_replica_that_stays_away_is_asked_ever_more_rarely() -> None:
    replica = Replica("http://a/v1")
    waits = []
    for _ in range(8):
        replica.missed(100.0)
        waits.append(replica.down_until - 100.0)
    assert waits == [1, 2, 4, 8, 16, 32, 60, 60]
    replica.reached()
    assert (replica.misses, replica.down_until) == (0, 0.0)


# --- stream -----------------------------------------------------------------------------------------------------------


async def double(number: int) -> int:
    await asyncio.sleep(0.001 * (number % 3))
    return 2 * number


async def test_every_item_brings_one_result() -> None:
    assert sorted([result async for result in stream(range(100), double, 7)]) == [2 * n for n in range(100)]
    assert [result async for result in stream([], double, 7)] == []


async def test_asynchronous_items() -> None:
    async def items() -> AsyncIterator[int]:
        for number in range(20):
            await asyncio.sleep(0)
            yield number

    assert sorted([result async for result in stream(items(), double, 3)]) == [2 * n for n in range(20)]


async def test_items_are_pulled_only_when_there_is_room() -> None:
    pulled = 0

    def items() -> Iterator[int]:
        nonlocal pulled
        for number in range(10_000):
            pulled += 1
            yield number

    running, most = 0, 0

    async def work(number: int) -> int:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        running -= 1
        return number

    taken = 0
    async for _ in stream(items(), work, 5):
        taken += 1
        # 5 in work, 5 finished and waiting to be taken, 5 in the hands of workers that wait to put them down.
        assert pulled <= taken + 15
        await asyncio.sleep(0)
    assert (taken, most) == (10_000, 5)


async def test_an_exception_cancels_the_rest_and_is_raised() -> None:
    cancelled = []
    got = []
    two = asyncio.Event()

    async def work(number: int) -> int:
        if number == 3:
            await two.wait()
            raise ValueError("the third")
        try:
            await asyncio.sleep(60 if number > 1 else 0)
        except asyncio.CancelledError:
            cancelled.append(number)
            raise
        return number

    async def consume() -> None:
        async for result in stream(range(100), work, 5):
            got.append(result)
            if len(got) == 2:
                two.set()

    with pytest.raises(ValueError, match="the third"):
        await consume()
    assert got == [0, 1]
    assert sorted(cancelled) == [2, 4, 5, 6]


async def test_an_exception_of_the_items_is_raised() -> None:
    def items() -> Iterator[int]:
        yield 1
        raise OSError("line 2 is broken")

    with pytest.raises(OSError, match="line 2"):
        async for _ in stream(items(), double, 4):
            pass


async def test_closing_early_cancels_what_is_in_flight() -> None:
    alive = 0

    async def work(number: int) -> int:
        nonlocal alive
        alive += 1
        try:
            await asyncio.sleep(0 if number == 0 else 60)
        finally:
            alive -= 1
        return number

    results = stream(range(100), work, 5)
    assert await anext(results) == 0
    await results.aclose()
    assert alive == 0


async def test_cancelling_the_consumer_cancels_what_is_in_flight() -> None:
    ended = []

    async def work(number: int) -> int:
        try:
            await asyncio.sleep(60)
        finally:
            ended.append(number)
        return number

    async def consume() -> None:
        async for _ in stream(range(100), work, 4):
            pass

    task = asyncio.create_task(consume())
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert sorted(ended) == [0, 1, 2, 3]


async def test_no_room_at_all_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="in_flight"):
        async for _ in stream([1], double, 0):
            pass
