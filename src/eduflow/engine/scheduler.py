"""How many calls are in flight: a limit per endpoint that finds its own height, and a bounded stream of work."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterable, Awaitable, Callable, Iterable
from typing import TypeVar

from eduflow.engine.endpoints import Limits

T = TypeVar("T")
R = TypeVar("R")

_FIRST = 8


class Limiter:
    """The number of calls in flight to one endpoint, between 1 and `limits.concurrency`.

    It starts at 8. While the limit is in use and calls succeed, it grows: by one per success until the first
    set-back (so it doubles with every round), by one per round afterwards. Overload (429, 503, a time-out) halves it, at
    most once per round. It stops growing while a call takes more than a quarter of its time limit: waiting in the
    server's own queue costs nothing until it comes near that limit.
    """

    def __init__(self, limits: Limits) -> None:
        self._most = max(1, limits.concurrency)
        self._slow = limits.timeout / 4
        self._spacing = 60.0 / limits.requests_per_minute if limits.requests_per_minute else 0.0
        self._limit = float(min(_FIRST, self._most))
        self._starting = True
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._latency = 0.0
        self._last_cut = 0.0
        self._not_before = 0.0
        self._next_start = 0.0
        self.in_flight = 0

    @property
    def limit(self) -> int:
        """The most calls in flight just now."""
        return int(self._limit)

    async def acquire(self) -> float:
        """Wait for a slot, then for the endpoint's pause and its rate. Returns the loop's time at the start."""
        loop = asyncio.get_running_loop()
        if self.in_flight >= self.limit or self._waiting:
            turn: asyncio.Future[None] = loop.create_future()
            self._waiting.append(turn)
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():
                    self.release()  # The slot was handed over in the same moment.
                else:
                    self._waiting.remove(turn)
                raise
        else:
            self.in_flight += 1
        try:
            now = loop.time()
            while now < self._not_before:
                await asyncio.sleep(self._not_before - now)
                now = loop.time()
            if self._spacing:
                start = max(now, self._next_start)
                self._next_start = start + self._spacing
                if start > now:
                    await asyncio.sleep(start - now)
                    now = loop.time()
        except asyncio.CancelledError:
            self.release()
            raise
        return now

    def release(self) -> None:
        """Give a slot back."""
        self.in_flight -= 1
        self._wake()

    def _wake(self) -> None:
        while self._waiting and self.in_flight < self.limit:
            turn = self._waiting.popleft()
            if not turn.done():
                self.in_flight += 1
                turn.set_result(None)

    def succeeded(self, seconds: float) -> None:
        """A call came back whole after `seconds`."""
        self._latency = seconds if not self._latency else 0.9 * self._latency + 0.1 * seconds
        # Only a limit that is in use tells anything about a higher one.
        if self._limit < self._most and self.in_flight >= 0.9 * self.limit and self._latency < self._slow:
            self._limit = min(self._most, self._limit + (1.0 if self._starting else 1.0 / self._limit))
            self._wake()

    def overloaded(self, started: float, now: float) -> None:
        """A call that started at `started` met overload. Calls from before the last cut say nothing new."""
        if started >= self._last_cut:
            self._starting = False
            self._last_cut = now
            self._limit = max(1.0, self._limit / 2)

    def pause(self, until: float) -> None:
        """Start no call before `until` (the loop's time)."""
        self._not_before = max(self._not_before, until)


class _End:
    """What a worker leaves behind in place of a result."""

    def __init__(self, error: BaseException | None = None) -> None:
        self.error = error


async def stream(
    items: Iterable[T] | AsyncIterable[T], work: Callable[[T], Awaitable[R]], in_flight: int
) -> AsyncGenerator[R, None]:
    """The results of `work` on every item, as they finish.

    Items are pulled only when there is room: at most `in_flight` are being worked on and as many results wait to be
    taken, so memory stays flat however many items there are. The first exception cancels the rest and is raised;
    closing or cancelling the stream cancels what is in flight and waits for it to end.

    Args:
        items: what to work on, pulled lazily.
        work: the coroutine function for one item.
        in_flight: most items worked on at once, at least 1.
    """
    if in_flight < 1:
        raise ValueError(f"in_flight is {in_flight}; it must be at least 1")
    results: asyncio.Queue[R | _End] = asyncio.Queue(in_flight)
    pull = _puller(items)
    exhausted = False

    async def worker() -> None:
        nonlocal exhausted
        end = _End()
        try:
            while not exhausted:
                try:
                    item = await pull()
                except StopAsyncIteration:
                    exhausted = True
                    break
                await results.put(await work(item))
        except asyncio.CancelledError:
            raise
        except BaseException as error:  # noqa: BLE001 - handed to the consumer, who raises it
            exhausted = True
            end = _End(error)
        await results.put(end)

    workers = [asyncio.create_task(worker()) for _ in range(in_flight)]
    running = len(workers)
    try:
        while running:
            result = await results.get()
            if not isinstance(result, _End):
                yield result
            elif result.error is not None:
                raise result.error
            else:
                running -= 1
    finally:
        for task in workers:
            task.cancel()
        await asyncio.gather(*workers, return_exceptions=True)


def _puller(items: Iterable[T] | AsyncIterable[T]) -> Callable[[], Awaitable[T]]:
    """A coroutine function that gives the next item or raises StopAsyncIteration; many may wait for it at once."""
    if isinstance(items, AsyncIterable):
        source, turn, ended = aiter(items), asyncio.Lock(), False

        async def pull_async() -> T:
            nonlocal ended
            async with turn:  # an asynchronous generator can be asked for one item at a time only
                if ended:
                    raise StopAsyncIteration
                try:
                    return await anext(source)
                except BaseException:
                    ended = True
                    raise

        return pull_async
    iterator = iter(items)
    end = object()

    async def pull() -> T:
        item = next(iterator, end)
        if item is end:
            raise StopAsyncIteration
        return item  # type: ignore[return-value]

    return pull
