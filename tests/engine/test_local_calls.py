"""Calls to a local model go the same way as any other, and survive the death of its server."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from eduflow.engine import Engine, Message, Persistence, Reply, Request, Run
from eduflow.engine.config import local_endpoint
from tests.support.local import smollm2

pytestmark = pytest.mark.local


async def test_calls_survive_a_killed_server(tmp_path: Path) -> None:
    endpoint = local_endpoint(smollm2(), name="local", context=512)
    notes: list[str] = []

    async def work(number: int) -> Reply:
        if number == 2:
            (state,) = engine._states.values()
            assert state.server is not None
            assert state.server.pid is not None
            os.kill(state.server.pid, signal.SIGKILL)
        question = Message.user(f"Count up from {number}.")
        return await engine.call(Request(endpoint, (question,), {"temperature": 0, "max_tokens": 4}))

    with Run.open(tmp_path / "run") as run:
        keep = Persistence(first_patience=60.0)
        async with Engine(run.journal, persistence=keep, note=notes.append, local_log=tmp_path) as engine:
            replies = [reply async for reply in engine.stream(range(6), work, 2)]
            (state,) = engine._states.values()
            assert state.server is not None
            assert state.server.restarts == 1
    assert len(replies) == 6
    assert {reply.outcome for reply in replies} <= {"ok", "truncated"}
    assert all(reply.text for reply in replies)
    assert any(name.endswith(".log") for name in os.listdir(tmp_path))


async def test_several_samples_of_one_prompt_differ(tmp_path: Path) -> None:
    endpoint = local_endpoint(smollm2(), name="local", context=512)
    request = Request(endpoint, (Message.user("Name three animals."),), {"temperature": 1.2, "max_tokens": 8})
    async with Engine(local_log=tmp_path) as engine:
        replies = await engine.samples(request, 4)
    assert len({reply.text for reply in replies}) > 1
    assert [reply.usage.prompt == 0 for reply in replies] == [False, True, True, True]
