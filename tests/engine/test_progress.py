"""The line that a person sees, in a terminal and in a log."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from eduflow.engine import Endpoint, Engine, Message, Progress, Request
from tests.support.fake_endpoint import FakeEndpoint


def console(terminal: bool) -> tuple[Console, io.StringIO]:
    out = io.StringIO()
    return Console(file=out, force_terminal=terminal, width=200), out


async def test_the_line_counts_items_calls_tokens_and_cost() -> None:
    shown, out = console(terminal=False)
    with FakeEndpoint("a b") as fake:
        endpoint = Endpoint(
            "fake", "m", (fake.base_url,), price_prompt=1e5, price_completion=0.0, currency="CNY"
        )
        async with Engine() as engine:
            with Progress("problems", 10, engine, done=3, console=shown) as progress:
                for number in range(5):
                    await engine.call(Request(endpoint, (Message.user(f"question {number}"),)))
                    progress.advance()
                line = progress.line()
    for part in ("problems 8/10", "5 calls", "50 tokens in, 10 out", "5 CNY", "fake 0/8", "left"):
        assert part in line
    assert "problems 8/10" in out.getvalue()


async def test_notes_of_the_engine_are_shown_while_it_is_open() -> None:
    shown, out = console(terminal=False)
    heard: list[str] = []
    async with Engine(note=heard.append) as engine:
        with Progress("problems", None, engine, console=shown):
            engine.note("endpoint 'x' is paused: [boom]")
        engine.note("afterwards")
    assert "endpoint 'x' is paused: [boom]" in out.getvalue()
    assert heard == ["afterwards"]


async def test_a_log_gets_a_line_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    shown, out = console(terminal=False)
    now = 0.0
    monkeypatch.setattr("eduflow.engine.progress.monotonic", lambda: now)
    async with Engine() as engine:
        with Progress("problems", 1000, engine, console=shown) as progress:
            for _ in range(100):
                now += 0.5
                progress.advance()
    lines = out.getvalue().split("\n")
    assert [line.split(" ·")[0] for line in lines if line] == [
        "problems 20/1,000",
        "problems 40/1,000",
        "problems 60/1,000",
        "problems 80/1,000",
        "problems 100/1,000",
        "problems 100/1,000",
    ]
    assert "2.0/s" in lines[0]


async def test_a_terminal_gets_a_live_line() -> None:
    shown, out = console(terminal=True)
    async with Engine() as engine:
        with Progress("problems", 2, engine, console=shown) as progress:
            progress.advance(2)
    assert "\x1b[" in out.getvalue()
    assert "problems 2/2" in out.getvalue()
