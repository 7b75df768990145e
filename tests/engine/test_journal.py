"""The journal of calls: what is put is there, once, in order, and trouble is told."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from eduflow.engine import Image, Run, StorageError
from eduflow.engine import store as store_module
from eduflow.errors import ConfigError, InputError
from tests.support.runs import ROOT, key_of, stored


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    with Run.open(tmp_path / "run") as opened:
        yield opened


class Held:
    """Holds the writer thread inside a transaction, so that what is put stays queued."""

    def __init__(self, run: Run) -> None:
        self._started, self._go = threading.Event(), threading.Event()
        run.store.put(self._hold, size=0)
        self._started.wait()

    def _hold(self, connection: sqlite3.Connection) -> None:
        self._started.set()
        self._go.wait()

    def __enter__(self) -> Held:
        return self

    def __exit__(self, *error: object) -> None:
        self._go.set()


def test_a_call_comes_back_as_it_was_put_queued_committed_and_reopened(tmp_path: Path) -> None:
    call = stored("a", text="高度 = 3 \u2028 \x00", prompt_tokens=None)
    with Run.open(tmp_path / "run") as run:
        with Held(run):
            run.journal.put(call)
            assert run.journal.get(call.key) == call
        run.flush()
        assert run.journal.get(call.key) == call
        assert run.journal.get(key_of("b")) is None
    with Run.open(tmp_path / "run") as run:
        assert run.journal.get(call.key) == call


def test_requests_and_replies_are_kept_compressed(run: Run) -> None:
    call = replace(stored("a"), request=b"question " * 2_000, reply=b"answer " * 100)
    run.journal.put(call)
    run.flush()
    ((request, reply),) = run.store.rows("SELECT length(request), length(reply) FROM calls")
    assert request < 200
    assert reply < 100
    assert run.journal.get(call.key) == call


def test_the_first_answer_of_a_call_stays(run: Run) -> None:
    run.journal.put(stored("a", text="first"))
    run.journal.put(stored("a", text="second, while the first is queued"))
    run.flush()
    run.journal.put(stored("a", text="third, when it is committed"))
    run.journal.put(stored("a", outcome="failed"))
    assert run.journal.get(key_of("a")) == stored("a", text="first")
    run.flush()
    assert run.journal.get(key_of("a")) == stored("a", text="first")


def test_a_failed_call_gives_way_to_a_later_answer(run: Run) -> None:
    for flush_between in (False, True):
        name = f"call {flush_between}"
        run.journal.put(stored(name, outcome="failed", text=""))
        if flush_between:
            run.flush()
        run.journal.put(stored(name, text="at last"))
        assert run.journal.get(key_of(name)) == stored(name, text="at last")
        run.flush()
        assert run.journal.get(key_of(name)) == stored(name, text="at last")
    assert run.summary().calls[0].calls == 2


def test_a_key_of_another_length_is_refused(run: Run) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        run.journal.put(replace(stored("a"), key=b"short"))


def test_what_sqlite_cannot_hold_is_refused_at_once_and_harms_nothing_else(run: Run) -> None:
    for wrong in (replace(stored("a"), prompt_tokens=10**30), replace(stored("a"), tag="\ud800")):
        with pytest.raises(ValueError):
            run.journal.put(wrong)
    with pytest.raises(ValueError):
        run.put_stop("\ud800", 1, "time")
    with pytest.raises(ValueError):
        run.put_result("\ud800", "c", "1", b"")
    with pytest.raises(ValueError):
        run.put_problem("\ud800", b"")
    run.journal.put(stored("a"))
    run.flush()
    assert run.journal.get(key_of("a")) == stored("a")


FORGETFUL = """
import sys
from eduflow.engine import Run
from tests.support.runs import stored
run = Run.open(sys.argv[1])
run.journal.put(stored("a"))
"""


def test_a_program_that_ends_without_closing_loses_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-c", FORGETFUL, str(tmp_path / "run")]
    subprocess.run(command, check=True, cwd=ROOT, timeout=60)
    with Run.read(tmp_path / "run") as run:
        assert run.journal.get(key_of("a")) == stored("a")


def test_a_forked_child_that_ends_leaves_its_parents_run_alone(run: Run) -> None:
    child = os.fork()
    if child == 0:
        try:
            run.close()
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    run.journal.put(stored("a"))
    run.flush()
    with pytest.raises(ConfigError, match="is in use"):
        Run.open(run.folder)


def test_an_image_is_written_once_before_its_row(run: Run, tmp_path: Path) -> None:
    image = Image(b"\x89PNG" * 500, "image/png")
    run.journal.put(stored("a"), [image])
    run.flush()
    pack = tmp_path / "run" / "blobs" / "1.pack"
    assert pack.read_bytes() == image.data
    run.journal.put(stored("b"), [image, image])
    run.put_blob(image.data)
    run.flush()
    assert run.blob(image.sha256) == image.data
    assert pack.read_bytes() == image.data
    run.close()
    with Run.open(tmp_path / "run") as again:
        again.journal.put(stored("c"), [image, Image(b"another", "image/png")])
    assert pack.read_bytes() == image.data + b"another"


def test_what_is_put_is_committed_without_a_flush(run: Run, tmp_path: Path) -> None:
    with Run.read(tmp_path / "run") as other:
        run.journal.put(stored("a"))
        patience = threading.Event()
        while other.journal.get(key_of("a")) is None:
            patience.wait(0.01)


async def test_coroutines_put_and_flush_while_the_loop_goes_on(run: Run, tmp_path: Path) -> None:
    async def work(number: int) -> None:
        run.journal.put(stored(number))
        await asyncio.sleep(0)
        assert run.journal.get(key_of(number)) == stored(number)

    await asyncio.gather(*(work(number) for number in range(200)))
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0)

    held = Held(run)
    ticking = asyncio.create_task(tick())
    flushing = asyncio.create_task(run.journal.flush())
    while ticks < 50:  # noqa: ASYNC110
        await asyncio.sleep(0.001)
    assert not flushing.done()
    held.__exit__()
    await flushing
    ticking.cancel()
    with Run.read(tmp_path / "run") as other:
        assert other.summary().calls[0].calls == 200


def test_many_threads_put_the_same_and_other_calls(run: Run) -> None:
    def work(worker: int) -> None:
        for number in range(100):
            run.journal.put(stored(number, text=f"worker {worker}"))
            run.journal.put(stored((worker, number)))
            found = run.journal.get(key_of(number))
            assert found is not None
            winners[worker].append(found.reply)

    winners: list[list[bytes]] = [[] for _ in range(6)]
    threads = [threading.Thread(target=work, args=(worker,)) for worker in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(seen == winners[0] for seen in winners)
    assert run.summary().calls[0].calls == 700


def test_a_full_queue_makes_put_wait(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "QUEUE_ROWS", 10)
    put: list[int] = []

    def work() -> None:
        for number in range(25):
            run.journal.put(stored(number))
            put.append(number)

    with Held(run):
        thread = threading.Thread(target=work)
        thread.start()
        while len(put) < 10:
            thread.join(0.01)
        thread.join(0.1)
        assert len(put) == 10
    thread.join()
    assert len(put) == 25
    assert run.summary().calls[0].calls == 25


def test_a_row_bigger_than_the_queue_still_goes_in(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "QUEUE_BYTES", 10)
    for number in range(3):
        run.journal.put(stored(number, text="long" * 100))
    assert run.summary().calls[0].calls == 3


def fill_disk(run: Run) -> None:
    """Let SQLite find the disk full at the next page it needs."""
    run.store.do(lambda connection: connection.execute("PRAGMA max_page_count = 1").fetchone())


async def test_a_full_disk_is_told_at_the_next_put_and_flush(tmp_path: Path) -> None:
    run = Run.open(tmp_path / "run")
    run.journal.put(stored("kept"))
    run.flush()
    fill_disk(run)
    for number in range(200):
        run.journal.put(stored(number, text="long" * 1_000))
    with pytest.raises(StorageError, match=r"journal\.sqlite cannot be written \(database or disk is full\)"):
        await run.journal.flush()
    with pytest.raises(StorageError, match="the last 200 finished calls"):
        run.journal.put(stored("later"))
    with pytest.raises(StorageError):
        run.put_result("item", "c", "1", b"result")
    with pytest.raises(StorageError):
        run.clear_stops()
    run.close()
    with Run.open(tmp_path / "run") as again:
        assert again.journal.get(key_of("kept")) == stored("kept")
        assert again.journal.get(key_of(3)) is None


def test_a_failed_write_that_nobody_heard_of_is_told_by_close(tmp_path: Path) -> None:
    run = Run.open(tmp_path / "run")
    fill_disk(run)
    with Held(run):
        run.journal.put(stored("a", text=os.urandom(20_000).hex()))
    with pytest.raises(StorageError):
        run.close()
    run.close()
    Run.open(tmp_path / "run").close()


def test_images_that_cannot_be_written_are_told_and_leave_no_row(tmp_path: Path) -> None:
    run = Run.open(tmp_path / "run")
    (tmp_path / "run" / "blobs").write_text("a file in the way")
    run.journal.put(stored("a"), [Image(b"data", "image/png")])
    with pytest.raises(StorageError, match="cannot be written"):
        run.flush()
    run.close()
    with Run.open(tmp_path / "run") as again:
        assert again.journal.get(key_of("a")) is None


def test_a_call_in_a_closed_journal_is_an_error(run: Run) -> None:
    run.journal.close()
    run.journal.close()
    with pytest.raises(RuntimeError, match="closed"):
        run.journal.put(stored("a"))


@pytest.mark.parametrize("damage", ["text", "torn", "header", "middle"])
def test_a_damaged_journal_is_one_sentence(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "run" / "journal.sqlite"
    with Run.open(tmp_path / "run") as run:
        for number in range(300):
            run.journal.put(stored(number))
    data = path.read_bytes()
    if damage == "text":
        path.write_bytes(b"this is no database at all, only text. " * 100)
    elif damage == "torn":
        path.write_bytes(data[: len(data) // 3])
    elif damage == "header":
        path.write_bytes(b"\0" * 100 + data[100:])
    else:
        path.write_bytes(data[:8192] + b"\xff" * (len(data) - 8192))

    def read_all(opening: Callable[[Path], Run]) -> None:
        with opening(tmp_path / "run") as run:
            for number in range(300):
                run.journal.get(key_of(number))

    for opening in (Run.open, Run.read):
        with pytest.raises(InputError, match=r"journal\.sqlite: (the journal is damaged|cannot be read)"):
            read_all(opening)


def test_a_damaged_row_is_one_sentence(run: Run) -> None:
    run.journal.put(stored("a"))
    run.store.do(lambda connection: connection.execute("UPDATE calls SET reply = x'0102'"))
    with pytest.raises(InputError, match="the journal is damaged"):
        run.journal.get(key_of("a"))


def test_another_programs_database_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    with sqlite3.connect(folder / "journal.sqlite") as connection:
        connection.execute("CREATE TABLE birds (name TEXT)")
    connection.close()
    for opening in (Run.open, Run.read):
        with pytest.raises(InputError, match="is not a journal of EduFlow"):
            opening(folder)


def test_a_newer_schema_is_refused_and_left_alone(tmp_path: Path) -> None:
    with Run.open(tmp_path / "run") as run:
        run.store.do(lambda connection: connection.execute("UPDATE meta SET value = '99'"))
    for opening in (Run.open, Run.read):
        with pytest.raises(InputError, match=r"schema 99 .* use a newer EduFlow"):
            opening(tmp_path / "run")


def test_an_older_schema_is_migrated_step_by_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Run.open(tmp_path / "run") as run:
        run.journal.put(stored("a"))
    steps = (("ALTER TABLE calls ADD COLUMN replica TEXT",), ("CREATE TABLE notes (text TEXT)",))
    monkeypatch.setattr(store_module, "MIGRATIONS", store_module.MIGRATIONS + steps)
    monkeypatch.setattr(store_module, "SCHEMA_VERSION", len(store_module.MIGRATIONS))
    with pytest.raises(InputError, match="older schema 1: open the run for writing once"):
        Run.read(tmp_path / "run")
    with Run.open(tmp_path / "run") as run:
        assert run.journal.get(key_of("a")) == stored("a")
        assert run.store.rows("SELECT replica FROM calls") == [(None,)]
        assert run.store.rows("SELECT * FROM notes") == []
    with Run.read(tmp_path / "run") as run:
        assert run.store.rows("SELECT value FROM meta") == [("3",)]
