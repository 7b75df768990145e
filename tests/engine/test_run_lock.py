"""One process writes a run; a file system without working locks is refused."""

from __future__ import annotations

import errno
import fcntl
import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from eduflow.engine import Run
from eduflow.engine.lock import FolderLock, is_held
from eduflow.errors import ConfigError
from tests.support.runs import process

HOLDER = """
import sys
from eduflow.engine import Run
run = Run.open(sys.argv[1])
print("ready", flush=True)
sys.stdin.read()
"""


def test_a_second_process_gets_one_sentence_that_names_the_first(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    with process(HOLDER, str(folder)) as child:
        with pytest.raises(ConfigError) as raised:
            Run.open(folder)
        assert (
            str(raised.value) == f"{folder} is in use by process {child.pid} on host {socket.gethostname()}"
        )
        assert is_held(folder)
    assert not is_held(folder)
    Run.open(folder).close()  # the killed process has left nothing that has to be removed by hand


def test_a_second_opening_in_the_same_process_is_refused(tmp_path: Path) -> None:
    with Run.open(tmp_path / "run"), pytest.raises(ConfigError, match=f"process {os.getpid()} "):
        Run.open(tmp_path / "run")
    Run.open(tmp_path / "run").close()


def test_a_failed_opening_gives_the_lock_back(tmp_path: Path) -> None:
    with Run.open(tmp_path / "run") as run:
        run.write_config({})
    (tmp_path / "run" / "journal.sqlite").write_bytes(b"")
    for _ in range(2):
        with pytest.raises(Exception, match="missing or empty"):
            Run.open(tmp_path / "run")
    assert not is_held(tmp_path / "run")


def test_readers_share_a_lock_that_keeps_writers_out(tmp_path: Path) -> None:
    Run.open(tmp_path / "run").close()
    first = FolderLock(tmp_path / "run", shared=True)
    second = FolderLock(tmp_path / "run", shared=True)
    with pytest.raises(ConfigError, match="is in use by"):
        Run.open(tmp_path / "run")
    first.release()
    first.release()
    second.release()
    Run.open(tmp_path / "run").close()


def always_yes(descriptor: int, operation: int) -> None:
    """A file system that grants every lock to everybody."""


def unsupported(descriptor: int, operation: int) -> None:
    raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))


@pytest.mark.parametrize("flock", [always_yes, unsupported])
def test_a_file_system_without_working_locks_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, flock: Callable[[int, int], None]
) -> None:
    open_before = len(os.listdir("/proc/self/fd"))
    monkeypatch.setattr(fcntl, "flock", flock)
    with pytest.raises(ConfigError, match="file system without working file locks"):
        Run.open(tmp_path / "run")
    assert len(os.listdir("/proc/self/fd")) == open_before
    assert not (tmp_path / "run" / "journal.sqlite").exists()
