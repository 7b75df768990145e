"""An endpoint that goes down pauses the run; what failed meanwhile is asked again, and patience has an end."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from eduflow.engine import Endpoint, EndpointDown, Engine, Limits, Message, Persistence, Reply, Request, Run
from eduflow.errors import ConfigError
from tests.support.fake_endpoint import FakeEndpoint, Fault, Seen
from tests.support.until import until

KEEP = Persistence(first_wait=0.01, longest_wait=0.05, patience=30.0, first_patience=0.3)


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    with Run.open(tmp_path / "run") as opened:
        yield opened


def request(fake: FakeEndpoint, text: str) -> Request:
    endpoint = Endpoint("fake", "fake", (fake.base_url,), limits=Limits(attempts=2, timeout=20))
    return Request(endpoint, (Message.user(text),), {"temperature": 0.5, "min_tokens": 40})


class Weather:
    """A fault for everything while it is bad."""

    def __init__(self) -> None:
        self.fault: Fault | None = None

    def __call__(self, seen: Seen) -> Fault | None:
        return self.fault


@pytest.mark.parametrize("fault", [Fault.status(500), Fault.drop(), Fault.html(), Fault.rate_limited()])
async def test_calls_that_fail_while_the_endpoint_is_down_are_asked_again(run: Run, fault: Fault) -> None:
    weather = Weather()
    notes: list[str] = []
    with FakeEndpoint("4", weather) as fake:
        async with Engine(run.journal, persistence=KEEP, note=notes.append) as engine:
            await engine.call(request(fake, "before"))
            weather.fault = fault
            calls = [asyncio.create_task(engine.call(request(fake, f"question {i}"))) for i in range(50)]
            await until(lambda: notes)
            assert engine.use()[0].paused
            weather.fault = None
            replies = await asyncio.gather(*calls)
            assert engine.total.outcomes == {"ok": 51}
    assert {reply.text for reply in replies} == {"4"}
    assert len(notes) == 2
    assert "endpoint 'fake' is paused" in notes[0]
    assert "answers again" in notes[1]


async def test_while_it_is_paused_nothing_but_the_plain_question_is_asked(run: Run) -> None:
    weather = Weather()
    notes: list[str] = []
    with FakeEndpoint("4", weather) as fake:
        async with Engine(run.journal, persistence=KEEP, note=notes.append) as engine:
            await engine.call(request(fake, "before"))
            weather.fault = Fault.status(500)
            calls = [asyncio.create_task(engine.call(request(fake, "one")))]
            await until(lambda: notes)
            asked = fake.count
            calls += [asyncio.create_task(engine.call(request(fake, f"more {i}"))) for i in range(20)]
            await until(lambda: fake.count >= asked + 3)
            assert {seen.text for seen in fake.requests[asked:]} == {"Hi"}
            plain = fake.requests[-1].body
            assert plain["temperature"] == 0.5
            assert plain["max_tokens"] == 16
            assert "min_tokens" not in plain
            weather.fault = None
            await asyncio.gather(*calls)


async def test_patience_ends_with_one_error_and_no_failed_rows(run: Run) -> None:
    weather = Weather()
    keep = replace(KEEP, patience=0.2)
    going_down = True

    async def work(number: int) -> Reply:
        if number == 5 and going_down:
            weather.fault = Fault.status(500, "out of memory")
        return await engine.call(request(fake, f"question {number}"))

    with FakeEndpoint("4", weather) as fake:
        async with Engine(run.journal, persistence=keep, note=lambda text: None) as engine:
            with pytest.raises(EndpointDown, match=r"'fake' does not answer \(HTTP 500: out of memory\)"):
                async for _ in engine.stream(range(1000), work, 8):
                    pass
            with pytest.raises(EndpointDown):
                await engine.call(request(fake, "afterwards"))
            assert "failed" not in engine.total.outcomes
        asked = fake.count
        weather.fault, going_down = None, False
        async with Engine(run.journal, persistence=keep) as engine:
            replies = [reply async for reply in engine.stream(range(20), work, 8)]
    assert {reply.outcome for reply in replies} == {"ok"}
    assert asked < 100


async def test_a_dead_address_is_one_sentence_after_a_short_while(run: Run) -> None:
    with FakeEndpoint() as fake:
        pass  # its port is free again now
    async with Engine(run.journal, persistence=KEEP, note=lambda text: None) as engine:
        with pytest.raises(EndpointDown, match="cannot be reached"):
            await engine.call(request(fake, "anyone?"))
        assert engine.total.made == 0


async def test_a_server_that_is_started_again_is_found_again(run: Run) -> None:
    notes: list[str] = []
    with FakeEndpoint("4") as fake:
        async with Engine(run.journal, persistence=KEEP, note=notes.append) as engine:
            await engine.call(request(fake, "before"))
            fake.close()
            call = asyncio.create_task(engine.call(request(fake, "during")))
            await until(lambda: notes)
            fake.__enter__()
            assert (await call).text == "4"


async def test_a_call_that_fails_at_a_healthy_endpoint_is_its_own_fault(run: Run) -> None:
    notes: list[str] = []
    with FakeEndpoint("4", lambda seen: Fault.status(500) if "bad" in seen.text else None) as fake:
        async with Engine(run.journal, persistence=KEEP, note=notes.append) as engine:
            replies = await asyncio.gather(*(engine.call(request(fake, f"bad {i}")) for i in range(30)))
            assert not engine.use()[0].paused
    assert {reply.outcome for reply in replies} == {"failed"}
    assert notes == []
    assert sum(seen.text == "Hi" for seen in fake.requests) <= 30


async def test_parameters_that_are_refused_end_the_run_instead_of_failing_every_call(run: Run) -> None:
    def faults(seen: Seen) -> Fault | None:
        return Fault.status(400, "temperature must be 1") if seen.body["temperature"] != 1 else None

    with FakeEndpoint("4", faults) as fake:
        async with Engine(run.journal, persistence=KEEP) as engine:
            with pytest.raises(ConfigError, match="temperature must be 1"):
                await engine.call(request(fake, "one"))
            assert engine.total.made == 0


async def test_a_key_that_is_withdrawn_in_the_middle_ends_the_run(run: Run) -> None:
    weather = Weather()
    with FakeEndpoint("4", weather) as fake:
        async with Engine(run.journal, persistence=KEEP) as engine:
            await engine.call(request(fake, "before"))
            weather.fault = Fault.status(401)
            with pytest.raises(ConfigError, match="asks for a key"):
                await engine.call(request(fake, "after"))
            assert engine.total.outcomes == {"ok": 1}


async def test_one_401_among_good_replies_is_only_a_hiccup(run: Run) -> None:
    with FakeEndpoint("4", [None, Fault.status(401)]) as fake:
        async with Engine(run.journal, persistence=KEEP) as engine:
            await engine.call(request(fake, "one"))
            assert (await engine.call(request(fake, "two"))).text == "4"


async def test_another_replica_takes_over(run: Run) -> None:
    with FakeEndpoint("4") as one, FakeEndpoint("4") as two:
        endpoint = Endpoint("both", "fake", (one.base_url, two.base_url + "/"))
        notes: list[str] = []

        async def work(number: int) -> Reply:
            made = Request(endpoint, (Message.user(f"question {number}"),), affinity=f"problem {number % 10}")
            if number == 50:
                two.close()
            return await engine.call(made)

        async with Engine(run.journal, persistence=KEEP, note=notes.append) as engine:
            replies = [reply async for reply in engine.stream(range(100), work, 8)]
    assert {reply.outcome for reply in replies} == {"ok"}
    assert one.count > 0
    assert two.count > 0
    assert notes == []
    # Until one went away, a problem's calls all went to one replica.
    first = {int(seen.text.split()[1]) % 10 for seen in two.requests}
    early = {int(seen.text.split()[1]) % 10 for seen in one.requests if int(seen.text.split()[1]) < 40}
    assert not first & early


async def test_leaving_the_engine_in_the_middle_of_a_pause_leaves_nothing_behind(run: Run) -> None:
    weather = Weather()
    notes: list[str] = []
    with FakeEndpoint("4", weather) as fake:
        async with Engine(run.journal, persistence=KEEP, note=notes.append) as engine:
            await engine.call(request(fake, "before"))
            weather.fault = Fault.status(500)
            call = asyncio.create_task(engine.call(request(fake, "during")))
            await until(lambda: notes)
            call.cancel()
            await asyncio.gather(call, return_exceptions=True)
    assert call.cancelled()
    assert asyncio.all_tasks() == {asyncio.current_task()}
