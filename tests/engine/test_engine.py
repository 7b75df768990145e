"""Journalled calls: what is asked, what is not asked again, and what is counted."""

from __future__ import annotations

import asyncio
import json
import signal
import sqlite3
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from eduflow.engine import Endpoint, Engine, Image, Limits, Message, Persistence, Reply, Request, Run
from eduflow.engine.engine import EndpointDown
from eduflow.engine.keys import canonical, sent_seed
from eduflow.errors import ConfigError
from tests.support.ctrl_c import listening_child
from tests.support.fake_endpoint import FakeEndpoint, Fault, Seen, completion

QUICK = Persistence(first_wait=0.001, longest_wait=0.002, patience=5.0, first_patience=5.0)
FLAT = {"temperature": 0}


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    with Run.open(tmp_path / "run") as opened:
        yield opened


def to(fake: FakeEndpoint, **changes: Any) -> Endpoint:
    return replace(
        Endpoint("fake", "fake", (fake.base_url,), limits=Limits(attempts=3, timeout=20)), **changes
    )


def ask(endpoint: Endpoint, text: str = "2 + 2?", **changes: Any) -> Request:
    return replace(Request(endpoint, (Message.user(text),), FLAT, tag="solve"), **changes)


async def test_a_call_is_made_once_and_then_comes_from_the_journal(run: Run) -> None:
    with FakeEndpoint("4") as fake:
        async with Engine(run.journal) as engine:
            first = await engine.call(ask(to(fake)))
            second = await engine.call(ask(to(fake)))
        async with Engine(run.journal) as engine:
            third = await engine.call(ask(to(fake)))
    assert fake.count == 1
    assert (first.outcome, first.text, first.cached, first.attempts) == ("ok", "4", False, 1)
    assert second == third == replace(first, cached=True)


async def test_the_journal_row_holds_the_request_and_the_reply(run: Run) -> None:
    picture = Image(b"\x89PNG\r\n\x1a\n" + b"\0" * 8 + (100).to_bytes(4, "big") * 2, "image/png")
    with FakeEndpoint("4") as fake:
        request = ask(to(fake, revision="r1"), messages=(Message.user(picture, "how many?"),), sample=2)
        async with Engine(run.journal, seed=5) as engine:
            reply = await engine.call(request)
    stored = run.journal.get(bytes.fromhex(reply.key))
    assert stored is not None
    assert (stored.identity, stored.sample, stored.tag, stored.outcome) == ("fake@r1", 2, "solve", "ok")
    assert (stored.prompt_tokens, stored.completion_tokens, stored.attempts) == (10, 1, 1)
    assert stored.request == canonical(request)
    assert json.loads(stored.reply)["text"] == "4"
    assert run.blob(picture.sha256) == picture.data
    assert fake.requests[0].body["seed"] == sent_seed(5, 2)
    assert fake.requests[0].images == [json.loads(picture.url_json)]


async def test_a_reply_survives_the_journal_whole(run: Run) -> None:
    script = Fault.reply(
        "Yes",
        message={"reasoning": "hm"},
        logprobs={
            "content": [{"token": "Yes", "logprob": -0.5, "top_logprobs": [{"token": "No", "logprob": -1.0}]}]
        },
    )
    with FakeEndpoint(lambda seen: script) as fake:
        async with Engine(run.journal) as engine:
            made = await engine.call(ask(to(fake)))
            kept = await engine.call(ask(to(fake)))
    assert made.logprobs[0].top == (("No", -1.0),)
    assert made.reasoning == "hm"
    assert kept == replace(made, cached=True)


async def test_the_same_call_in_flight_is_made_once(run: Run) -> None:
    with FakeEndpoint("4", latency=0.05) as fake:
        async with Engine(run.journal) as engine:
            replies = await asyncio.gather(*(engine.call(ask(to(fake))) for _ in range(10)))
    assert fake.count == 1
    assert sorted(reply.cached for reply in replies) == [False] + [True] * 9
    assert {reply.text for reply in replies} == {"4"}


async def test_a_cancelled_leader_hands_the_call_to_a_follower() -> None:
    with FakeEndpoint("4", latency=0.05) as fake:
        async with Engine() as engine:
            leader = asyncio.create_task(engine.call(ask(to(fake))))
            await asyncio.sleep(0.01)
            follower = asyncio.create_task(engine.call(ask(to(fake))))
            await asyncio.sleep(0.01)
            leader.cancel()
            reply = await follower
    assert reply.text == "4"
    assert leader.cancelled()


async def test_another_runs_journal_is_read_before_a_call_is_made(run: Run, tmp_path: Path) -> None:
    with FakeEndpoint() as fake:
        with Run.open(tmp_path / "old") as old:
            async with Engine(old.journal) as engine:
                before = await engine.call(ask(to(fake)))
            async with Engine(run.journal, reuse=[old.journal]) as engine:
                again = await engine.call(ask(to(fake)))
                await engine.call(ask(to(fake), "another"))
        async with Engine(run.journal) as engine:
            kept = await engine.call(ask(to(fake)))
    assert fake.count == 2
    assert again == kept == replace(before, cached=True)


async def test_failed_calls_of_another_run_are_made_again(run: Run, tmp_path: Path) -> None:
    with FakeEndpoint("4", [Fault.status(500)] * 3) as fake, Run.open(tmp_path / "old") as old:
        async with Engine(old.journal, persistence=QUICK) as engine:
            assert (await engine.call(ask(to(fake)))).outcome == "failed"
        async with Engine(run.journal, reuse=[old.journal]) as engine:
            assert (await engine.call(ask(to(fake)))).text == "4"


async def test_failed_calls_are_final_until_they_are_asked_for_again(run: Run) -> None:
    broken = True

    def faults(seen: Seen) -> Fault | None:
        return Fault.status(500) if broken and "bad" in seen.text else None

    with FakeEndpoint("4", faults) as fake:
        async with Engine(run.journal, persistence=QUICK) as engine:
            failed = await engine.call(ask(to(fake), "bad"))
            assert (failed.outcome, failed.text, failed.attempts) == ("failed", "", 3)
            assert "500" in failed.error
            assert (await engine.call(ask(to(fake), "bad"))).cached
        made = fake.count
        async with Engine(run.journal, persistence=QUICK, retry_failed=True) as engine:
            assert (await engine.call(ask(to(fake), "bad"))).outcome == "failed"
            # Asked again once, not whenever it is looked at.
            assert (await engine.call(ask(to(fake), "bad"))).cached
        assert fake.count > made
        broken = False
        async with Engine(run.journal, persistence=QUICK, retry_failed=True) as engine:
            assert (await engine.call(ask(to(fake), "bad"))).text == "4"
        async with Engine(run.journal, persistence=QUICK) as engine:
            assert (await engine.call(ask(to(fake), "bad"))).text == "4"


# --- samples ----------------------------------------------------------------------------------------------------------


async def test_samples_come_in_one_call_with_their_prompt_counted_once(run: Run) -> None:
    with FakeEndpoint("a b c") as fake:
        async with Engine(run.journal) as engine:
            replies = await engine.samples(ask(to(fake)), 4)
            assert fake.count == 1
            assert fake.requests[0].n == 4
            assert [reply.text for reply in replies] == [f"a b c #{i}" for i in range(4)]
            assert [reply.usage.prompt for reply in replies] == [10, 0, 0, 0]
            assert sum(reply.usage.completion or 0 for reply in replies) == 16
            assert [reply.attempts for reply in replies] == [1, 0, 0, 0]
            assert len({reply.key for reply in replies}) == 4
            # A larger n only adds, and each sample can be had alone.
            more = await engine.samples(ask(to(fake)), 6)
            assert [reply.cached for reply in more] == [True] * 4 + [False] * 2
            assert [reply.text for reply in more[:4]] == [reply.text for reply in replies]
            assert fake.requests[1].n == 2
            assert (await engine.call(ask(to(fake), sample=3))).text == "a b c #3"
            assert [r.text for r in await engine.samples(ask(to(fake), sample=2), 2)] == [
                "a b c #2",
                "a b c #3",
            ]
    assert fake.count == 2


async def test_one_missing_sample_is_a_plain_call(run: Run) -> None:
    with FakeEndpoint() as fake:
        async with Engine(run.journal) as engine:
            await engine.call(ask(to(fake), sample=1))
            await engine.samples(ask(to(fake)), 2)
    assert ["n" in seen.body for seen in fake.requests] == [False, False]


async def test_a_server_that_ignores_n_is_asked_one_by_one_from_then_on(run: Run) -> None:
    with FakeEndpoint(honours_n=False) as fake:
        async with Engine(run.journal) as engine:
            first = await engine.samples(ask(to(fake)), 4)
            assert [seen.n for seen in fake.requests] == [4, 1, 1, 1]
            second = await engine.samples(ask(to(fake), "other"), 3)
            assert [seen.n for seen in fake.requests[4:]] == [1, 1, 1]
    assert len({reply.text for reply in first}) == 4  # each with a seed of its own
    assert len({reply.text for reply in second}) == 3


async def test_a_server_that_refuses_n_is_asked_one_by_one(run: Run) -> None:
    def faults(seen: Seen) -> Fault | None:
        return Fault.status(400, "only n = 1 is supported") if seen.n > 1 else None

    with FakeEndpoint("4", faults) as fake:
        async with Engine(run.journal, persistence=QUICK) as engine:
            replies = await engine.samples(ask(to(fake)), 3)
            assert [reply.outcome for reply in replies] == ["ok"] * 3
            made = fake.count
            await engine.samples(ask(to(fake), "other"), 3)
            assert fake.count == made + 3


async def test_a_broken_choice_and_an_empty_one_are_asked_for_again_alone(run: Run) -> None:
    def script(seen: Seen) -> str | Fault:
        return Fault(200, completion(["one", None, "", "four"])) if seen.n == 4 else ""

    with FakeEndpoint(script) as fake:
        async with Engine(run.journal, persistence=QUICK) as engine:
            replies = await engine.samples(ask(to(fake)), 4)
    assert [reply.outcome for reply in replies] == ["ok"] * 4
    assert [reply.text for reply in replies[:1]] == ["one"]
    # The empty one was asked for once already; what was missing is new and gets its second chance.
    assert Counter(reply.text for reply in replies) == {"one": 1, "four": 1, "": 2}
    assert Counter(seen.n for seen in fake.requests) == {4: 1, 1: 3}


async def test_a_failed_call_for_many_samples_is_tried_one_by_one(run: Run) -> None:
    def faults(seen: Seen) -> Fault | None:
        return Fault.status(500) if seen.n > 1 else None

    with FakeEndpoint("4", faults) as fake:
        async with Engine(run.journal, persistence=QUICK) as engine:
            replies = await engine.samples(ask(to(fake)), 3)
    assert [reply.text for reply in replies] == ["4"] * 3


async def test_samples_of_an_input_that_is_refused_are_all_refused(run: Run) -> None:
    with FakeEndpoint(faults=lambda seen: Fault.status(400, "the prompt is too long")) as fake:
        async with Engine(run.journal) as engine:
            replies = await engine.samples(ask(to(fake)), 3)
            again = await engine.samples(ask(to(fake)), 3)
    assert [reply.outcome for reply in replies] == ["rejected_input"] * 3
    assert all(reply.cached for reply in again)
    assert fake.count == 1


async def test_samples_asked_for_twice_at_once_are_drawn_once(run: Run) -> None:
    with FakeEndpoint(latency=0.05) as fake:
        async with Engine(run.journal) as engine:
            one, two = await asyncio.gather(
                engine.samples(ask(to(fake)), 4), engine.samples(ask(to(fake)), 4)
            )
    assert fake.count == 1
    assert [reply.text for reply in one] == [reply.text for reply in two]


async def test_samples_without_a_journal() -> None:
    with FakeEndpoint() as fake:
        async with Engine() as engine:
            replies = await engine.samples(ask(to(fake)), 3)
            assert await engine.samples(ask(to(fake)), 0) == []
    assert [reply.text.rpartition("#")[2] for reply in replies] == ["0", "1", "2"]


# --- counts -----------------------------------------------------------------------------------------------------------


async def test_calls_tokens_and_cost_are_counted_by_endpoint_and_purpose(run: Run) -> None:
    with FakeEndpoint("a b") as fake:
        priced = to(fake, price_prompt=1_000_000.0, price_completion=10_000_000.0, currency="CNY")
        free = to(fake, name="other", model="m2")
        async with Engine(run.journal) as engine:
            await engine.call(ask(priced))
            await engine.call(ask(priced))
            await engine.call(ask(priced, "x", tag="judge"))
            await engine.call(ask(free))
            solve = engine.stats["fake", "solve"]
            assert (solve.made, solve.cached, solve.attempts) == (1, 1, 1)
            assert solve.outcomes == {"ok": 1}
            assert (solve.prompt_tokens, solve.completion_tokens, solve.cost) == (10, 2, 30.0)
            assert engine.stats["fake", "judge"].made == 1
            assert engine.stats["other", "solve"].cost is None
            assert engine.costs() == {"CNY": 60.0}
            assert (engine.total.made, engine.total.prompt_tokens) == (3, 30)


# --- keys and configuration mistakes ----------------------------------------------------------------------------------

SECRET = "sk-0123456789abcdef-secret"


async def test_the_key_comes_from_the_environment(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeEndpoint("4", key=SECRET) as fake:
        endpoint = to(fake, key_env="FAKE_KEY")
        async with Engine(run.journal) as engine:
            monkeypatch.delenv("FAKE_KEY", raising=False)
            with pytest.raises(ConfigError, match="environment variable FAKE_KEY"):
                await engine.call(ask(endpoint))
            monkeypatch.setenv("FAKE_KEY", SECRET)
            assert (await engine.call(ask(endpoint))).text == "4"


async def test_a_wrong_key_ends_the_run_with_one_sentence_that_does_not_hold_it(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_KEY", SECRET)
    with FakeEndpoint("4", key="another") as fake:
        async with Engine(run.journal) as engine:
            with pytest.raises(
                ConfigError, match="refuses the key in the environment variable FAKE_KEY"
            ) as caught:
                await engine.call(ask(to(fake, key_env="FAKE_KEY")))
            assert SECRET not in str(caught.value)
            with pytest.raises(ConfigError):
                await engine.call(ask(to(fake, key_env="FAKE_KEY"), "second"))
            with pytest.raises(ConfigError, match="asks for a key"):
                await engine.call(ask(to(fake)))
    assert fake.count == 2  # the second question was not even sent


async def test_a_server_that_repeats_the_key_does_not_get_it_into_the_run(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_KEY", SECRET)

    def script(seen: Seen) -> str | Fault:
        said = f"your key is {seen.headers['authorization'].split()[1]}"
        return Fault.status(500, said) if "bad" in seen.text else said

    notes: list[str] = []
    with FakeEndpoint(script) as fake:
        async with Engine(run.journal, persistence=QUICK, note=notes.append) as engine:
            endpoint = to(fake, key_env="FAKE_KEY")
            replies = [await engine.call(ask(endpoint, text)) for text in ("good", "bad")]
    assert [reply.outcome for reply in replies] == ["ok", "failed"]
    assert "[key]" in replies[0].text
    assert "[key]" in replies[1].error
    run.journal.close()
    with closing(sqlite3.connect(run.journal.path)) as connection:
        assert connection.execute("SELECT count(*) FROM calls").fetchone() == (2,)
    for reply in replies:
        assert SECRET not in repr(reply)
    assert SECRET not in "".join(notes)
    for path in run.folder.rglob("*"):
        assert path.is_dir() or SECRET.encode() not in path.read_bytes()


async def test_an_unknown_model_ends_the_run_with_one_sentence(run: Run) -> None:
    with FakeEndpoint(model="other") as fake:
        async with Engine(run.journal) as engine:
            with pytest.raises(ConfigError, match="knows no model 'fake'"):
                await engine.call(ask(to(fake)))


async def test_a_wrong_base_url_ends_the_run_with_one_sentence(run: Run) -> None:
    with FakeEndpoint() as fake:
        async with Engine(run.journal) as engine:
            with pytest.raises(ConfigError, match="is not its base_url"):
                await engine.call(ask(to(fake, base_urls=(fake.base_url + "/nothing/here",))))


async def test_an_exhausted_quota_ends_the_run(run: Run) -> None:
    broke = Fault.status(429, "You exceeded your current quota", type="insufficient_quota")
    with FakeEndpoint("4", [None, broke]) as fake:
        async with Engine(run.journal) as engine:
            await engine.call(ask(to(fake), "first"))
            with pytest.raises(ConfigError, match="no quota left"):
                await engine.call(ask(to(fake), "second"))


async def test_an_endpoint_without_an_address_is_a_mistake() -> None:
    async with Engine() as engine:
        with pytest.raises(ConfigError, match="no base_url"):
            await engine.call(ask(Endpoint("x", "m")))


async def test_a_seed_that_is_refused_is_left_out(run: Run) -> None:
    def faults(seen: Seen) -> Fault | None:
        return Fault.status(400, "Unsupported parameter: 'seed'") if "seed" in seen.body else None

    with FakeEndpoint("4", faults) as fake:
        async with Engine(run.journal) as engine:
            replies = [await engine.call(ask(to(fake), text)) for text in "ab"]
    assert [reply.text for reply in replies] == ["4", "4"]
    assert fake.count == 3


async def test_a_finished_reply_counts_although_the_next_call_ends_the_run(run: Run) -> None:
    def faults(seen: Seen) -> Fault | None:
        return Fault.status(402, "pay") if "9" in seen.text else None

    async def work(number: int) -> Reply:
        return await engine.call(ask(endpoint, f"question {number}"))

    with FakeEndpoint("4", faults) as fake:
        endpoint = to(fake)
        async with Engine(run.journal) as engine:
            with pytest.raises(ConfigError):
                async for _ in engine.stream(range(100), work, 4):
                    pass
        made = fake.count
        fake.faults = ()
        async with Engine(run.journal) as engine:
            async for _ in engine.stream(range(12), work, 4):
                pass
    # Whatever was answered before the end is not asked again; at most the calls in flight were lost.
    assert fake.count - made <= 12 - 9 + 4


def test_going_down_is_an_error_that_the_commands_show() -> None:
    from eduflow.errors import EduflowError

    assert issubclass(EndpointDown, EduflowError)


async def test_closing_the_engine_ends_its_streams(run: Run) -> None:
    async def work(number: int) -> Reply:
        return await engine.call(ask(to(fake), f"question {number}"))

    async def consume() -> None:
        async for _ in engine.stream(range(1000), work, 8):
            raise ValueError("the consumer's own mistake")

    with FakeEndpoint("4", latency=0.01) as fake:
        async with Engine(run.journal) as engine:
            with pytest.raises(ValueError, match="own mistake") as caught:
                await consume()
        assert asyncio.all_tasks() == {asyncio.current_task()}
        with pytest.raises(RuntimeError, match="closed"):
            await engine.call(ask(to(fake), "too late"))
    assert caught.tb is not None  # it holds the stream, which nobody else has closed


SCRIPT = """
import asyncio, sys
from eduflow.engine import Endpoint, Engine, Message, Request, Run

async def main(url, folder):
    endpoint = Endpoint("fake", "fake", (url,))

    async def work(number):
        return await engine.call(Request(endpoint, (Message.user(f"question {number}"),)))

    with Run.open(folder) as run:
        async with Engine(run.journal) as engine:
            async for reply in engine.stream(range(100_000), work, 16):
                print(reply.text, flush=True)

try:
    asyncio.run(main(*sys.argv[1:]))
except KeyboardInterrupt:
    print("stopped")
"""


def test_ctrl_c_ends_cleanly_and_what_was_finished_is_kept(tmp_path: Path) -> None:
    with FakeEndpoint("4", latency=0.01) as fake:
        process = listening_child([sys.executable, "-c", SCRIPT, fake.base_url, str(tmp_path / "run")])
        assert process.stdout is not None
        seen = [process.stdout.readline() for _ in range(50)]
        process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=60)
    assert errors == ""
    assert process.returncode == 0
    lines = "".join(seen) + out
    assert lines.endswith("stopped\n")
    with Run.open(tmp_path / "run") as run, closing(sqlite3.connect(run.journal.path)) as connection:
        (kept,) = connection.execute("SELECT count(*) FROM calls").fetchone()
    assert kept >= lines.count("4\n")
