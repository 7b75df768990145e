"""The worker: hangs, bloat and crashes cost one answer, and nothing outlives its parent."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from eduflow.grade.worker import Worker

ROOT = Path(__file__).parents[2]
JOB = "tests.support.worker_jobs:job"


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> Iterator[Worker]:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    with Worker(JOB, memory=512 << 20, seconds=60) as worker:
        yield worker


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> Iterator[Worker]:
    """A worker whose clock strikes after a second, for what never ends."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    with Worker(JOB, seconds=1) as worker:
        yield worker


def test_one_process_answers_many_calls(worker: Worker) -> None:
    pid = worker.call("pid").value
    assert pid != os.getpid()
    assert [worker.call("echo", value).value for value in ("中文 \ud800", 1, None)] == [
        "中文 \ud800",
        1,
        None,
    ]
    assert worker.call("pid").value == pid
    assert (worker.started, worker.killed) == (1, 0)


def test_what_the_function_raises_is_an_error_and_ends_nothing(worker: Worker) -> None:
    said = worker.call("raise")
    assert (said.status, said.note) == ("error", "ValueError")
    assert worker.call("unserialisable").status == "error"
    assert (worker.started, worker.killed) == (1, 0)


@pytest.mark.parametrize("name", ["bloat", "exit"])
def test_bloat_and_crash_cost_one_answer(worker: Worker, name: str) -> None:
    worker.call("echo")
    assert worker.call(name).status == "resource"
    assert worker.killed == 1
    # It is tried once more in a fresh process, which must not be blamed for what came before.
    assert worker.started == 2
    assert worker.call("echo", "again").value == "again"


@pytest.mark.parametrize("name", ["loop", "hang"])
def test_what_never_ends_costs_one_answer(hasty: Worker, name: str) -> None:
    hasty.call("echo")
    assert hasty.call(name).status == "resource"
    assert (hasty.started, hasty.killed) == (1, 1)
    assert hasty.call("echo", "again").value == "again"


def test_what_earlier_calls_left_in_memory_is_not_a_later_calls_fault(worker: Worker) -> None:
    for _ in range(3):
        # Each leaves 200 MB behind; a process has 512.
        assert worker.call("leave", 200).status == "ok"
    assert worker.killed == 0
    assert worker.started == 2


def test_what_a_library_prints_does_not_get_between_the_answers(worker: Worker) -> None:
    assert worker.call("print", 5).value == 5
    assert worker.call("echo", 6).value == 6


def test_the_process_dies_between_calls_and_comes_back(worker: Worker) -> None:
    pid = worker.call("pid").value
    os.kill(pid, signal.SIGKILL)
    wait_for_end(pid)
    assert worker.call("echo", 1).value == 1


def test_threads_share_one_worker(worker: Worker) -> None:
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda value: worker.call("echo", value).value, range(100)))
    assert answers == list(range(100))
    assert worker.started == 1


async def test_an_event_loop_goes_on_while_it_hangs(hasty: Worker) -> None:
    await asyncio.to_thread(hasty.call, "echo")
    turns = 0
    hanging = asyncio.create_task(asyncio.to_thread(hasty.call, "hang"))
    while not hanging.done():
        await asyncio.sleep(0.01)
        turns += 1
    assert (await hanging).status == "resource"
    assert turns > 10


def test_a_child_started_by_a_thread_outlives_the_thread(worker: Worker) -> None:
    pids: list[object] = []
    for _ in range(2):
        thread = threading.Thread(target=lambda: pids.append(worker.call("pid").value))
        thread.start()
        thread.join()
    assert pids[0] == pids[1]


def test_a_target_that_is_not_there_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    with Worker("tests.support.nothing:job") as worker, pytest.raises(RuntimeError, match="did not start"):
        worker.call("echo")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs PR_SET_PDEATHSIG")
@pytest.mark.parametrize("busy", ["no", "hang"])
def test_it_dies_with_a_parent_that_is_killed(busy: str) -> None:
    script = f"""
import threading, time
from eduflow.grade.worker import Worker
worker = Worker({JOB!r}, seconds=300)
print(worker.call("pid").value, flush=True)
if {busy!r} == "hang":
    threading.Thread(target=worker.call, args=("hang",)).start()
time.sleep(0.5)
print("ready", flush=True)
time.sleep(300)
"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, env=environment) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert parent.stdout.readline() == b"ready\n"
        parent.kill()
    wait_for_end(pid)


def wait_for_end(pid: int) -> None:
    """Wait until no process, or only a zombie, has this id."""
    while True:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except FileNotFoundError:
            return
        if state in "ZX":
            return
        time.sleep(0.01)
