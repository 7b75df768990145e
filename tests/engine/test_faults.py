"""Every bad thing an endpoint does, over real HTTP: each ends in its outcome type, and never as text of an answer."""

from __future__ import annotations

import asyncio
import email.utils
import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from eduflow.engine import Endpoint, Engine, Image, Limits, Message, Outcome, Persistence, Reply, Request, Run
from eduflow.engine.probe import number_picture
from tests.support.fake_endpoint import FakeEndpoint, Fault, Seen
from tests.support.until import until

QUICK = Persistence(
    first_wait=0.001, longest_wait=0.002, longest_retry_after=0.2, patience=5.0, first_patience=5.0
)
LIMITS = Limits(attempts=3, timeout=20)


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    with Run.open(tmp_path / "run") as opened:
        yield opened


def request(fake: FakeEndpoint, *content: str | Image, limits: Limits = LIMITS) -> Request:
    endpoint = Endpoint("fake", "fake", (fake.base_url,), limits=limits)
    return Request(endpoint, (Message.user(*(content or ("2 + 2?",))),), {"temperature": 0})


async def twice(run: Run, made: Request) -> tuple[Reply, int]:
    """The reply, and the HTTP requests that a fresh engine makes for the same call afterwards."""
    async with Engine(run.journal, persistence=QUICK) as engine:
        reply = await engine.call(made)
    async with Engine(run.journal, persistence=QUICK) as engine:
        again = await engine.call(made)
        assert again.cached
        assert (again.outcome, again.text, again.reasoning) == (reply.outcome, reply.text, reply.reasoning)
        return reply, engine.total.attempts


# What is wrong with every reply to "bad", and what the call ends in: outcome, text, requests.
LASTING: dict[str, tuple[Fault, Outcome, str, int]] = {
    "429": (Fault.rate_limited(), "failed", "", 12),
    "500": (Fault.status(500), "failed", "", 3),
    "502 with a page": (Fault.html(502), "failed", "", 3),
    "503": (Fault.status(503), "failed", "", 12),
    "html with 200": (Fault.html(), "failed", "", 3),
    "error object with 200": (Fault.error_in_200(), "failed", "", 3),
    "no choices": (Fault.no_choices(), "failed", "", 3),
    "cut-off body": (Fault.cut(), "failed", "", 3),
    "cut-off JSON": (Fault.cut_json(), "failed", "", 3),
    "dropped connection": (Fault.drop(), "failed", "", 3),
    "reset connection": (Fault.reset(), "failed", "", 3),
    "null": (Fault.null(), "failed", "", 3),
    "broken off": (Fault.reply("some te", finish_reason="error"), "failed", "", 3),
    "400 about a parameter": (Fault.status(400, "top_p out of range"), "failed", "", 2),
    "null with reasoning": (Fault.null(reasoning_content="hm"), "ok", "", 2),
    "null with other reasoning": (Fault.null(reasoning="hm"), "ok", "", 2),
    "empty": (Fault.empty(), "ok", "", 2),
    "blank": (Fault.reply(" \n"), "ok", " \n", 2),
    "length": (Fault.truncated(), "truncated", "so the answer is", 1),
    "length with nothing": (Fault.truncated(""), "truncated", "", 1),
    "unclosed thinking": (Fault.unclosed_thinking(), "truncated", "<think>first I would", 1),
    "unclosed thinking, stopped": (Fault.reply("<think>so"), "ok", "<think>so", 1),
    "content filter": (Fault.filtered(), "filtered", "", 1),
    "content filter in the middle": (Fault.filtered("I"), "filtered", "I", 1),
    "refusal": (Fault.null(refusal="no"), "filtered", "", 1),
    "prompt filtered": (Fault.status(400, "policy", code="content_filter"), "filtered", "", 1),
    "too long": (Fault.status(400, "maximum context length is 10 tokens"), "rejected_input", "", 1),
    "413": (Fault.status(413), "rejected_input", "", 1),
    "422 about the image": (Fault.status(422, "invalid image"), "rejected_input", "", 1),
    "surrogates": (Fault.surrogates(), "ok", "x \ufffd y", 1),
    "line separators": (Fault.line_separator(), "ok", "one\u2028two\u2029three\x85four", 1),
    "usage NaN": (Fault.bad_usage(), "ok", "fine", 1),
}


@pytest.mark.parametrize("name", LASTING)
async def test_a_lasting_fault_ends_in_its_type(run: Run, name: str) -> None:
    fault, outcome, text, requests = LASTING[name]
    with FakeEndpoint("fine", lambda seen: fault if "bad" in seen.text else None) as fake:
        reply, again = await twice(run, request(fake, "bad"))
        assert again == 0
    assert (reply.outcome, reply.text, reply.attempts) == (outcome, text, requests)
    assert sum("bad" in seen.text for seen in fake.requests) == requests
    if outcome not in ("ok", "truncated"):
        assert reply.error
        assert "\n" not in reply.error
    else:
        assert reply.error == ""
    if outcome == "failed":
        assert reply.usage.completion is None


PASSING = [
    Fault.rate_limited("0.05"),
    Fault.status(500),
    Fault.status(503),
    Fault.html(),
    Fault.error_in_200(),
    Fault.no_choices(),
    Fault.cut(),
    Fault.cut_json(),
    Fault.drop(),
    Fault.reset(),
    Fault.null(),
    Fault.empty(),
    Fault.status(400, "could not parse the JSON body"),
]


@pytest.mark.parametrize(
    "fault", PASSING, ids=lambda fault: f"{fault.action} {fault.code} {fault.body[:24]!r}"
)
async def test_a_passing_fault_costs_one_more_request(run: Run, fault: Fault) -> None:
    with FakeEndpoint("4", [fault]) as fake:
        reply, _ = await twice(run, request(fake))
    assert (reply.outcome, reply.text, reply.attempts, fake.count) == ("ok", "4", 2, 2)


async def test_reasoning_beside_null_content_is_kept(run: Run) -> None:
    with FakeEndpoint(faults=lambda seen: Fault.null(reasoning_content="2 and 2")) as fake:
        reply, _ = await twice(run, request(fake))
    assert (reply.outcome, reply.text, reply.reasoning) == ("ok", "", "2 and 2")


async def test_an_empty_reply_pays_for_both_requests(run: Run) -> None:
    with FakeEndpoint(
        faults=lambda seen: Fault.reply("", usage={"prompt_tokens": 5, "completion_tokens": 1})
    ) as fake:
        reply, _ = await twice(run, request(fake))
    assert (reply.usage.prompt, reply.usage.completion, fake.count) == (10, 2, 2)


async def test_a_hang_ends_with_the_time_limit(run: Run) -> None:
    with FakeEndpoint("4", lambda seen: Fault.hang() if "bad" in seen.text else None) as fake:
        reply, _ = await twice(run, request(fake, "bad", limits=Limits(attempts=3, timeout=0.3)))
    assert (reply.outcome, reply.text, reply.attempts) == ("failed", "", 2)
    assert "within 0.3 s" in reply.error


async def test_a_reply_of_20_mb_is_read(run: Run) -> None:
    with FakeEndpoint(faults=[Fault.huge(20 * 2**20)]) as fake:
        reply, _ = await twice(run, request(fake))
    assert (reply.outcome, len(reply.text)) == ("ok", 20 * 2**20)


async def test_a_reply_above_the_limit_is_not(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("eduflow.engine.transport.REPLY_LIMIT", 2**20)
    with FakeEndpoint(faults=lambda seen: Fault.huge(2 * 2**20) if "bad" in seen.text else None) as fake:
        reply, _ = await twice(run, request(fake, "bad"))
    assert (reply.outcome, reply.text, reply.attempts) == ("failed", "", 2)
    assert "over 1 MiB" in reply.error


@pytest.mark.parametrize("form", ["seconds", "date"])
async def test_retry_after_is_obeyed_up_to_a_bound(run: Run, form: str) -> None:
    keep = Persistence(first_wait=0.0, longest_wait=0.0, longest_retry_after=0.3)
    value = "900" if form == "seconds" else email.utils.formatdate(time.time() + 900, usegmt=True)
    with FakeEndpoint("4", [Fault.rate_limited(value)]) as fake:
        async with Engine(run.journal, persistence=keep) as engine:
            reply = await engine.call(request(fake))
    assert reply.text == "4"
    assert fake.requests[1].at - fake.requests[0].at >= 0.29


async def test_retry_after_holds_the_whole_endpoint_back(run: Run) -> None:
    keep = Persistence(first_wait=0.0, longest_wait=0.0)
    with FakeEndpoint("4", [Fault.rate_limited("0.4")]) as fake:
        async with Engine(run.journal, persistence=keep) as engine:
            first = asyncio.create_task(engine.call(request(fake, "first")))
            await until(lambda: fake.count)
            await asyncio.sleep(0.1)
            await engine.call(request(fake, "second"))
            await first
    assert fake.count == 3
    assert all(seen.at - fake.requests[0].at >= 0.39 for seen in fake.requests[1:])


async def test_an_image_that_is_too_small_fails_and_the_others_do_not(run: Run) -> None:
    import io

    from PIL import Image as Picture

    out = io.BytesIO()
    Picture.new("RGB", (100, 20)).save(out, "PNG")
    with FakeEndpoint("4") as fake:
        small, _ = await twice(run, request(fake, Image(out.getvalue(), "image/png"), "what?"))
        large, _ = await twice(run, request(fake, number_picture(42), "what?"))
    assert (small.outcome, small.text) == ("failed", "")
    assert (large.outcome, large.text) == ("ok", "4")


async def test_an_endpoint_that_sees_nothing_refuses_the_image(run: Run) -> None:
    with FakeEndpoint("4", sees_images=False) as fake:
        reply, _ = await twice(run, request(fake, number_picture(42), "what?"))
    assert (reply.outcome, reply.attempts) == ("rejected_input", 1)


async def test_overload_lowers_the_number_in_flight_and_nothing_is_lost(run: Run) -> None:
    def faults(seen: Seen) -> Fault | None:
        return Fault.rate_limited() if fake.in_flight > 4 else None

    async def work(number: int) -> Reply:
        return await engine.call(request(fake, f"question {number}"))

    keep = Persistence(first_wait=0.01, longest_wait=0.1)
    with FakeEndpoint("4", faults, latency=0.005) as fake:
        async with Engine(run.journal, persistence=keep) as engine:
            replies = [reply async for reply in engine.stream(range(300), work, 64)]
    assert [reply.outcome for reply in replies] == ["ok"] * 300


async def test_a_storm_of_faults_loses_and_repeats_nothing(run: Run) -> None:
    kinds = [*PASSING, Fault.truncated(), Fault.filtered(), Fault.surrogates(), Fault.line_separator()]

    def faults(seen: Seen) -> Fault | None:
        draw = int.from_bytes(seen.raw[-40:-2], "little") + 7 * seen.number
        return kinds[draw // 3 % len(kinds)] if draw % 3 == 0 else None

    async def work(number: int) -> Reply:
        return await engine.call(request(fake, f"question {number}", limits=Limits(attempts=6, timeout=20)))

    with FakeEndpoint(lambda seen: seen.text, faults) as fake:
        async with Engine(run.journal, persistence=QUICK) as engine:
            replies = [reply async for reply in engine.stream(range(400), work, 32)]
            total = engine.total
    assert total.made == sum(total.outcomes.values()) == len(replies) == 400
    assert len({reply.key for reply in replies}) == 400
    for reply in replies:
        json.dumps(reply.text, ensure_ascii=False).encode()
        if reply.outcome == "ok" and reply.text.startswith("question"):
            continue
        assert reply.text in ("", "so the answer is", "x \ufffd y", "one\u2028two\u2029three\x85four")
