"""The engine: journalled model calls. A call that the journal knows is not made; one that it makes ends in a type.

The life of a call: key → journal → reused journals → the same key in flight → slot → attempts → outcome → journal.
What an endpoint does wrong is met in three rings. An attempt that fails is repeated, bounded, with growing random
waits. Before a call is written down as failed, the endpoint is asked a plain question: if it answers, the failure is
the call's own; if it does not, the endpoint is paused and asked again until it answers or the engine's patience
ends, which raises one `EndpointDown` instead of failing every call that is left. What the user must mend (key, model name,
URL, quota) raises `ConfigError` at once.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import math
import random
import tempfile
import time
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterable, Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakSet

from eduflow.engine.calls import Image, Message, Outcome, Reply, Request, TokenLogprob, Usage
from eduflow.engine.classify import Answer, Choice, Trouble, TroubleKind, classify, retry_after
from eduflow.engine.endpoints import LOCAL_CONTEXT, Endpoint
from eduflow.engine.journal import Journal, StoredCall
from eduflow.engine.keys import body, canonical, clean, journal_key, sent_seed
from eduflow.engine.scheduler import Limiter, stream
from eduflow.engine.transport import Replica, Transport, TransportError, choose
from eduflow.errors import ConfigError, EduflowError

if TYPE_CHECKING:
    from eduflow.engine.local import LocalServer

T = TypeVar("T")
R = TypeVar("R")

_log = logging.getLogger(__name__)


class EndpointDown(EduflowError):
    """An endpoint stopped answering, or never did, and the engine's patience ended. Going on later resumes the run."""


@dataclass(frozen=True, slots=True)
class Persistence:
    """How long the engine keeps trying. All waits are in seconds.

    Args:
        first_wait: the wait before the second attempt is random between 0 and this; it doubles with each attempt.
        longest_wait: bound of that growth.
        longest_retry_after: most that a server's Retry-After is obeyed.
        patience: how long a paused endpoint is asked again before `EndpointDown`.
        first_patience: the same for one that has not answered since the engine started.
    """

    first_wait: float = 0.5
    longest_wait: float = 30.0
    longest_retry_after: float = 120.0
    patience: float = 300.0
    first_patience: float = 10.0


@dataclass(slots=True)
class Stats:
    """What was asked of one endpoint for one purpose. Tokens, cost, attempts and seconds are of calls made now.

    `cost` is in the endpoint's currency, None without prices; sums over endpoints are in `Engine.costs`.
    """

    made: int = 0
    cached: int = 0
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    prompt_tokens: int = 0
    completion_tokens: int = 0
    attempts: int = 0
    seconds: float = 0.0
    cost: float | None = None

    def add(self, other: Stats) -> None:
        """Add the counts of another endpoint or purpose."""
        self.made += other.made
        self.cached += other.cached
        self.outcomes.update(other.outcomes)
        self.prompt_tokens += other.prompt_tokens
        self.completion_tokens += other.completion_tokens
        self.attempts += other.attempts
        self.seconds += other.seconds


@dataclass(frozen=True, slots=True)
class Use:
    """How busy an endpoint is: calls in flight, the most that are allowed just now, whether it is paused."""

    name: str
    in_flight: int
    limit: int
    paused: bool


def unpack(stored: StoredCall) -> Reply:
    """A journalled call as the reply it was, marked as cached."""
    data: dict[str, Any] = json.loads(stored.reply)
    return Reply(
        outcome=stored.outcome,
        text=data["text"],
        reasoning=data["reasoning"],
        error=data["error"],
        finish_reason=data["finish_reason"],
        logprobs=tuple(
            TokenLogprob(token, value, tuple((other, p) for other, p in top))
            for token, value, top in data["logprobs"]
        ),
        usage=Usage(stored.prompt_tokens, stored.completion_tokens),
        key=stored.key.hex(),
        cached=True,
        attempts=stored.attempts,
        seconds=stored.seconds,
    )


_ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def _pack(reply: Reply) -> bytes:
    data = {
        "text": reply.text,
        "reasoning": reply.reasoning,
        "finish_reason": reply.finish_reason,
        "logprobs": [(token.token, token.logprob, token.top) for token in reply.logprobs],
        "error": reply.error,
        "usage": {"prompt": reply.usage.prompt, "completion": reply.usage.completion},
    }
    return _ENCODE(data).encode()


@dataclass(slots=True)
class _State:
    """What the engine has learnt of one endpoint."""

    endpoint: Endpoint
    limiter: Limiter
    replicas: list[Replica]
    answered: bool = False
    last_good: float = -math.inf
    one_by_one: bool = False  # it ignores or refuses n
    no_seed: bool = False  # it refuses a seed
    check: asyncio.Task[bool] | None = None
    paused: bool = False
    down: EduflowError | None = None
    server: LocalServer | None = None
    starting: asyncio.Task[None] | None = None


@dataclass(frozen=True, slots=True)
class _Ended:
    """A call that is over: its samples, or why there are none."""

    choices: tuple[Choice, ...]
    usage: Usage
    attempts: int
    seconds: float


class Engine:
    """Makes journalled model calls. Use as an async context manager, inside one event loop.

    Args:
        journal: where finished calls are kept and looked up; None keeps nothing.
        seed: the run's seed, part of every key; seeds sent to servers are derived from it.
        retry_failed: ask again what the journal holds as failed.
        reuse: journals of other runs; what they hold is copied into `journal` instead of being asked. Their failed
            calls are not: whatever was wrong there need not be so here.
        persistence: bounds on waiting.
        note: called with one sentence when an endpoint is paused, answers again, and the like.
        local_log: the folder for the logs of local model servers.
    """

    def __init__(
        self,
        journal: Journal | None = None,
        *,
        seed: int = 0,
        retry_failed: bool = False,
        reuse: Sequence[Journal] = (),
        persistence: Persistence | None = None,
        note: Callable[[str], None] | None = None,
        local_log: Path | None = None,
    ) -> None:
        self.journal = journal
        self.seed = seed
        self.retry_failed = retry_failed
        self.reuse = tuple(reuse)
        self.persistence = persistence or Persistence()
        self.note: Callable[[str], None] = note or _log.warning
        self.local_log = local_log
        self.stats: dict[tuple[str, str], Stats] = {}
        self._states: dict[Endpoint, _State] = {}
        self._in_flight: dict[bytes, asyncio.Future[Reply | None]] = {}
        self._failed_now: set[bytes] = set()
        self._streams: WeakSet[AsyncGenerator[Any, None]] = WeakSet()
        self._transport = Transport()
        self._random = random.Random()

    async def __aenter__(self) -> Engine:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """End what is in flight, close connections and local models, and wait until the journal holds every
        finished call."""
        for results in list(self._streams):
            with contextlib.suppress(
                RuntimeError
            ):  # it is being read just now, by a task that outlives the engine
                await results.aclose()
        for state in self._states.values():
            for task in (state.check, state.starting):
                if task is not None:
                    task.cancel()
                    await asyncio.gather(task, return_exceptions=True)
            if state.server is not None:
                await state.server.close()
                state.server = None
        await self._transport.close()
        if self.journal is not None:
            await self.journal.flush()

    # --- calls ------------------------------------------------------------------------------------------------------

    async def call(self, request: Request) -> Reply:
        """The reply to a request: from the journal, else made now.

        Raises:
            ConfigError: the key, model name, URL, quota or a parameter is the user's to mend.
            EndpointDown: the endpoint does not answer and the patience ended.
        """
        return await self._sample(request, canonical(request), request.sample)

    async def samples(self, request: Request, n: int) -> list[Reply]:
        """`n` samples of one prompt, with the indices `request.sample` to `request.sample + n - 1`, in that order.

        Where the endpoint honours `n`, the missing ones come in one HTTP call, whose prompt tokens and attempts are counted with
        its first sample alone. Each sample is journalled under its own key, so a larger n later only adds. Raises as `call`.
        """
        canon = canonical(request)
        indices = list(range(request.sample, request.sample + n))
        state = self._state(request.endpoint)
        replies: dict[int, Reply] = {}
        again: dict[int, bool] = {}
        missing: list[int] = []
        for index in indices:
            key = journal_key(canon, request.endpoint.identity, index, self.seed)
            if key not in self._in_flight and self._known(request, key) is None:
                missing.append(index)
        if len(missing) > 1 and not state.one_by_one:
            replies, again = await self._together(state, request, canon, missing)
        rest = [index for index in indices if index not in replies]
        tasks = {
            index: asyncio.create_task(self._sample(request, canon, index, again.get(index, True)))
            for index in rest
        }
        try:
            replies |= dict(zip(rest, await asyncio.gather(*tasks.values()), strict=True))
        finally:
            for task in tasks.values():
                task.cancel()
            await asyncio.gather(*tasks.values(), return_exceptions=True)
        return [replies[index] for index in indices]

    def stream(
        self,
        items: Iterable[T] | AsyncIterable[T],
        work: Callable[[T], Awaitable[R]],
        in_flight: int,
    ) -> AsyncGenerator[R, None]:
        """The results of `work` on each item as they finish; see `eduflow.engine.scheduler.stream`.

        Closing the engine closes its streams.
        """
        results = stream(items, work, in_flight)
        self._streams.add(results)
        return results

    @property
    def total(self) -> Stats:
        """The sum of `stats`, costs left out."""
        total = Stats()
        for stats in self.stats.values():
            total.add(stats)
        return total

    def costs(self) -> dict[str, float]:
        """What the calls made now cost, by currency; endpoints without prices are not in it."""
        costs: dict[str, float] = {}
        currencies = {endpoint.name: endpoint.currency for endpoint in self._states}
        for (name, _), stats in self.stats.items():
            if stats.cost is not None and name in currencies:
                costs[currencies[name]] = costs.get(currencies[name], 0.0) + stats.cost
        return costs

    def use(self) -> list[Use]:
        """How busy each endpoint is just now."""
        return [
            Use(state.endpoint.name, state.limiter.in_flight, state.limiter.limit, state.paused)
            for state in self._states.values()
        ]

    # --- one sample -------------------------------------------------------------------------------------------------

    async def _sample(self, request: Request, canon: bytes, index: int, again: bool = True) -> Reply:
        """One sample: known, waited for where it is in flight already, or made.

        `again` says whether an empty reply is asked for once more.
        """
        key = journal_key(canon, request.endpoint.identity, index, self.seed)
        while True:
            reply = self._known(request, key)
            if reply is None and (flying := self._in_flight.get(key)) is not None:
                reply = await asyncio.shield(flying)
                if reply is None:
                    continue  # Whoever made it was cancelled or gave up; look again.
                reply = replace(reply, cached=True)
            if reply is None:
                break
            self._stats(request).cached += 1
            return reply
        self._in_flight[key] = asyncio.get_running_loop().create_future()
        made: Reply | None = None
        try:
            state = self._state(request.endpoint)
            ended = await self._ask(state, request, index, 1, again)
            made = self._record(request, canon, key, index, ended.choices[0], ended)
        finally:
            self._settle(key, made)
        return made

    async def _together(
        self, state: _State, request: Request, canon: bytes, missing: list[int]
    ) -> tuple[dict[int, Reply], dict[int, bool]]:
        """Ask for several samples in one HTTP call.

        Returns the replies by index, and for those that came back empty a False: they were asked for once already.
        """
        keys = [journal_key(canon, request.endpoint.identity, index, self.seed) for index in missing]
        loop = asyncio.get_running_loop()
        for key in keys:
            self._in_flight[key] = loop.create_future()
        replies: dict[int, Reply] = {}
        again: dict[int, bool] = {}
        made: dict[bytes, Reply] = {}
        try:
            ended = await self._ask(state, request, missing[0], len(missing), True)
            if ended.choices and ended.choices[0].outcome == "failed":
                return {}, {}
            shares = _share(ended.usage.completion, [len(c.text) + len(c.reasoning) for c in ended.choices])
            prompt, attempts = ended.usage.prompt, ended.attempts
            for index, key, choice, share in zip(missing, keys, ended.choices, shares, strict=False):
                if choice.empty:
                    again[index] = False
                    continue
                part = _Ended((choice,), Usage(prompt, share), attempts, ended.seconds)
                replies[index] = made[key] = self._record(request, canon, key, index, choice, part)
                prompt, attempts = (None if prompt is None else 0), 0
        finally:
            for key in keys:
                self._settle(key, made.get(key))
        return replies, again

    def _settle(self, key: bytes, reply: Reply | None) -> None:
        """Tell whoever waits for this key how it ended; None lets them try themselves."""
        future = self._in_flight.pop(key)
        if not future.done():
            future.set_result(reply)

    def _known(self, request: Request, key: bytes) -> Reply | None:
        """What the journal, or a journal to reuse, holds under the key."""
        if self.journal is not None:
            stored = self.journal.get(key)
            if stored is not None and self._counts(stored):
                return unpack(stored)
        for other in self.reuse:
            stored = other.get(key)
            if stored is not None and stored.outcome != "failed":
                if self.journal is not None:
                    self.journal.put(stored, _images(request))
                return unpack(stored)
        return None

    def _counts(self, stored: StoredCall) -> bool:
        return stored.outcome != "failed" or not self.retry_failed or stored.key in self._failed_now

    def _record(
        self, request: Request, canon: bytes, key: bytes, index: int, choice: Choice, ended: _Ended
    ) -> Reply:
        """Journal one sample, count it, and give it as a reply."""
        reply = Reply(
            outcome=choice.outcome,
            text=choice.text,
            reasoning=choice.reasoning,
            error=choice.error,
            finish_reason=choice.finish_reason,
            logprobs=choice.logprobs,
            usage=ended.usage,
            key=key.hex(),
            attempts=ended.attempts,
            seconds=ended.seconds,
        )
        if reply.outcome == "failed":
            self._failed_now.add(key)
        endpoint = request.endpoint
        if self.journal is not None:
            stored = StoredCall(
                key=key,
                identity=endpoint.identity,
                sample=index,
                tag=request.tag,
                outcome=reply.outcome,
                request=canon,
                reply=_pack(reply),
                prompt_tokens=reply.usage.prompt,
                completion_tokens=reply.usage.completion,
                attempts=reply.attempts,
                seconds=reply.seconds,
            )
            self.journal.put(stored, _images(request))
        stats = self._stats(request)
        stats.made += 1
        stats.outcomes[reply.outcome] += 1
        stats.attempts += reply.attempts
        if reply.attempts:  # else another sample of the same HTTP call has counted them
            stats.seconds += reply.seconds
        prompt, completion = reply.usage.prompt or 0, reply.usage.completion or 0
        stats.prompt_tokens += prompt
        stats.completion_tokens += completion
        if endpoint.price_prompt is not None and endpoint.price_completion is not None:
            cost = (prompt * endpoint.price_prompt + completion * endpoint.price_completion) / 1e6
            stats.cost = (stats.cost or 0.0) + cost
        return reply

    def _stats(self, request: Request) -> Stats:
        place = (request.endpoint.name, request.tag)
        stats = self.stats.get(place)
        if stats is None:
            stats = self.stats[place] = Stats()
        return stats

    # --- attempts ---------------------------------------------------------------------------------------------------

    async def _ask(self, state: _State, request: Request, index: int, n: int, again: bool) -> _Ended:
        """Ask until there is an outcome. With n > 1 a failure is given back at once: one by one may still work."""
        limits, keep = state.endpoint.limits, self.persistence
        loop = asyncio.get_running_loop()
        payload = self._body(state, request, index, n)
        counts: Counter[str] = Counter()
        attempts, recoveries, seconds, usage = 0, 0, 0.0, Usage()
        while True:
            await self._ready(state)
            started = await state.limiter.acquire()
            try:
                result, wait = await self._attempt(state, request.affinity, payload, limits.timeout)
            finally:
                state.limiter.release()
            ended = loop.time()
            attempts += 1
            seconds += ended - started

            if isinstance(result, Answer):
                state.answered, state.last_good = True, ended
                state.limiter.succeeded(ended - started)
                usage = _sum(usage, result.usage)
                if n == 1 and result.choices[0].empty and again:
                    again = False
                    continue
                if n > 1 and result.given == 1:
                    state.one_by_one = True
                return _Ended(result.choices[:n], usage, attempts, seconds)

            trouble, kind = result, result.kind
            if kind == "input" or kind == "filtered":
                # The endpoint is well; it is this input that it does not take.
                state.answered, state.last_good = True, ended
                outcome: Outcome = "filtered" if kind == "filtered" else "rejected_input"
                choice = Choice(outcome, "", "", None, (), trouble.message)
                return _Ended((choice,) * n, usage, attempts, seconds)
            if kind == "fatal":
                if not state.answered or trouble.status in (402, 429):
                    raise self._give_up(state, _fatal(state.endpoint, trouble))
                kind = "retry"  # It has answered before, so the key and the model were right then.
            if trouble.field == "seed" and not state.no_seed:
                state.no_seed = True
                payload = self._body(state, request, index, n)
                continue
            if n > 1 and kind == "refused":
                state.one_by_one = True
            if kind in ("overload", "timeout"):
                state.limiter.overloaded(started, ended)
            if wait is not None:
                wait = min(wait, keep.longest_retry_after)
                state.limiter.pause(ended + wait)

            counts[kind] += 1
            if kind == "unreachable":
                # With another replica left, go there; else find out at once whether the endpoint is gone.
                final = counts[kind] >= len(state.replicas)
            else:
                final = counts[kind] >= _bound(kind, limits.attempts)
            # Somebody else's success since the start of this attempt shows that the endpoint is well. It does not
            # where the parameters are refused: those differ from call to call.
            doubtful = kind in ("refused", "unreachable") or state.last_good < started
            if final and n == 1 and doubtful:
                back = await self._diagnose(state, request, trouble.message)
                if back and recoveries < 3:
                    recoveries += 1
                    counts.clear()
                    continue
                if kind == "unreachable":
                    counts["retry"] += 1
                    final = counts["retry"] >= limits.attempts
                    counts[kind] = 0
            if final:
                choice = Choice("failed", "", "", None, (), trouble.message)
                return _Ended((choice,) * n, usage, attempts, seconds)
            if kind != "unreachable":
                longest = min(keep.longest_wait, keep.first_wait * 2.0 ** (sum(counts.values()) - 1))
                await asyncio.sleep(self._random.uniform(0.0, longest) + (wait or 0.0))

    def _body(self, state: _State, request: Request, index: int, n: int) -> bytes:
        return body(request, seed=None if state.no_seed else sent_seed(self.seed, index), n=n)

    async def _attempt(
        self, state: _State, affinity: str | None, payload: bytes, seconds: float
    ) -> tuple[Answer | Trouble, float | None]:
        """One HTTP attempt: what it brought, and how long the server asked to wait."""
        replica = choose(state.replicas, affinity, time.monotonic())
        try:
            raw = await self._transport.post(state.endpoint, replica, payload, seconds)
        except TransportError as error:
            return Trouble(_TRANSPORT[error.kind], str(error), 0), None
        wait = None if raw.retry_after is None else retry_after(raw.retry_after, time.time())
        return classify(raw.status, raw.body), wait

    async def ask_once(self, request: Request, *, n: int = 1, seed: int | None = None) -> Answer | Trouble:
        """One HTTP attempt outside the journal, the statistics and all retries: for looking at an endpoint itself.

        Raises:
            ConfigError: the key's variable is not set.
        """
        state = self._state(request.endpoint)
        await self._ready(state)
        payload = body(request, seed=seed, n=n)
        return (await self._attempt(state, None, payload, min(120.0, request.endpoint.limits.timeout)))[0]

    async def models(self, endpoint: Endpoint) -> list[str] | None:
        """The model names that the endpoint lists at `/models`; None where it has no such list."""
        state = self._state(endpoint)
        await self._ready(state)
        try:
            raw = await self._transport.get(endpoint, state.replicas[0], "/models", 30.0)
            names = [entry["id"] for entry in json.loads(raw.body)["data"]]
        except (TransportError, ValueError, KeyError, TypeError, RecursionError):
            return None
        return [clean(name) for name in names if isinstance(name, str)] if raw.status == 200 else None

    # --- endpoints --------------------------------------------------------------------------------------------------

    def _state(self, endpoint: Endpoint) -> _State:
        state = self._states.get(endpoint)
        if state is None:
            replicas = [Replica(url.rstrip("/")) for url in endpoint.base_urls]
            if not replicas and endpoint.local_path is None:
                raise ConfigError(f"endpoint '{endpoint.name}' has no base_url")
            state = self._states[endpoint] = _State(endpoint, Limiter(endpoint.limits), replicas)
        return state

    async def _ready(self, state: _State) -> None:
        """Wait while the endpoint is paused; raise where it is given up; start it where it is local."""
        if state.down is not None:
            raise state.down
        if state.paused and state.check is not None:
            await asyncio.shield(state.check)
        if state.endpoint.local_path is not None and state.server is None:
            if state.starting is None:
                state.starting = asyncio.create_task(self._start_local(state))
            await asyncio.shield(state.starting)

    async def _start_local(self, state: _State) -> None:
        from eduflow.engine.local import LocalServer, LocalSettings, default_threads

        endpoint = state.endpoint
        assert endpoint.local_path is not None
        settings = LocalSettings(
            default_threads(), endpoint.limits.concurrency, endpoint.context or LOCAL_CONTEXT
        )
        folder = self.local_log or Path(tempfile.gettempdir())
        log = folder / f"{Path(endpoint.local_path).stem}.log"
        state.server = await LocalServer.start(endpoint.local_path, settings=settings, log=log)
        state.replicas = [Replica(state.server.base_url)]

    async def _diagnose(self, state: _State, request: Request, why: str) -> bool:
        """Whether the endpoint had been down and is back (True), or was well all the time (False).

        Raises:
            EndpointDown, ConfigError: it is not coming back.
        """
        if state.check is None:
            state.check = asyncio.create_task(self._check(state, request, why))
            state.check.add_done_callback(lambda task: task.cancelled() or task.exception())
        return await asyncio.shield(state.check)

    async def _check(self, state: _State, request: Request, why: str) -> bool:
        """Ask a plain question until it is answered; the endpoint is paused from the first one that is not."""
        loop, keep = asyncio.get_running_loop(), self.persistence
        name = state.endpoint.name
        patience = keep.patience if state.answered else keep.first_patience
        question = _plain(request)
        begun = loop.time()
        wait = keep.first_wait
        try:
            while True:
                payload = self._body(state, question, 0, 1)
                result, asked = await self._attempt(
                    state, None, payload, min(60.0, state.endpoint.limits.timeout)
                )
                if isinstance(result, Answer) or result.kind in ("input", "filtered"):
                    state.answered, state.last_good = True, loop.time()
                    if state.paused:
                        self.note(f"endpoint '{name}' answers again after {loop.time() - begun:.0f} s")
                    return state.paused
                if result.kind == "fatal":
                    raise self._give_up(state, _fatal(state.endpoint, result))
                if result.kind == "refused":
                    raise ConfigError(
                        f"endpoint '{name}' refuses even a plain question with these parameters: {result.message}"
                    )
                left = begun + patience - loop.time()
                if left <= 0:
                    raise self._give_up(
                        state, EndpointDown(f"endpoint '{name}' does not answer ({result.message}); {_GO_ON}")
                    )
                if not state.paused:
                    state.paused = True
                    self.note(
                        f"endpoint '{name}' is paused: {why}; asking again for {patience:.0f} s at most"
                    )
                longest = min(asked or 0.0, keep.longest_retry_after)
                await asyncio.sleep(min(left, max(longest, self._random.uniform(wait / 2, wait))))
                wait = min(2 * wait, keep.longest_wait)
        finally:
            state.paused = False
            state.check = None

    def _give_up(self, state: _State, error: EduflowError) -> EduflowError:
        state.down = error
        return error


_GO_ON = "the run can be started again when it does, and goes on where it stopped"

_TRANSPORT: dict[str, TroubleKind] = {
    "unreachable": "unreachable",
    "dropped": "retry",
    "timeout": "timeout",
    "too_large": "refused",
}


def _bound(kind: TroubleKind, attempts: int) -> int:
    """How many attempts may meet this kind of trouble before the call has failed."""
    if kind == "overload":
        return 4 * attempts  # Being busy says little about the call itself.
    if kind == "timeout":
        return (attempts + 1) // 2  # Each may have taken many minutes.
    if kind == "refused":
        return min(2, attempts)
    return attempts


def _plain(request: Request) -> Request:
    """A short text question with the same parameters, which any endpoint in order answers."""
    params = {name: value for name, value in request.params.items() if name != "min_tokens"}
    name = "max_completion_tokens" if "max_completion_tokens" in params else "max_tokens"
    return Request(request.endpoint, (Message.user("Hi"),), {**params, name: 16})


def _fatal(endpoint: Endpoint, trouble: Trouble) -> ConfigError:
    """What the user must mend, as one sentence. The server's words about a key are not repeated."""
    who = f"endpoint '{endpoint.name}'"
    status = trouble.status
    if status == 402 or status == 429 or (status == 403 and "quota" in trouble.message.lower()):
        return ConfigError(f"{who} has no quota left ({trouble.message})")
    if status in (401, 403):
        if endpoint.key_env is None:
            return ConfigError(
                f"{who} asks for a key (HTTP {status}): name its variable as key_env in eduflow.toml"
            )
        return ConfigError(
            f"{who} refuses the key in the environment variable {endpoint.key_env} (HTTP {status})"
        )
    if status in (404, 405):
        return ConfigError(
            f"{who} knows no model '{endpoint.model}', or {endpoint.base_urls[0] if endpoint.base_urls else ''} "
            f"is not its base_url ({trouble.message})"
        )
    return ConfigError(f"{who} redirects to another address (HTTP {status}); check its base_url")


def _images(request: Request) -> list[Image]:
    return [part for message in request.messages for part in message.content if isinstance(part, Image)]


def _sum(first: Usage, second: Usage) -> Usage:
    """The tokens of both; unknown only where neither is known."""

    def add(a: int | None, b: int | None) -> int | None:
        return b if a is None else a if b is None else a + b

    return Usage(add(first.prompt, second.prompt), add(first.completion, second.completion))


def _share(total: int | None, weights: Sequence[int]) -> list[int | None]:
    """`total` divided in proportion to `weights`, as whole numbers that add up to it."""
    if total is None:
        return [None] * len(weights)
    whole = sum(weights) or 1
    bounds = [total * part // whole for part in accumulate(weights)]
    if bounds:
        bounds[-1] = total
    return [upper - lower for lower, upper in zip([0, *bounds], bounds, strict=False)]
