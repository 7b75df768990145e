"""Run a command and kill it, with its whole process group, at a chosen moment."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Ended:
    """How it ended: `killed` by us at `moment` (CLOCK_MONOTONIC, which all processes share), or by itself before."""

    killed: bool
    moment: float
    returncode: int
    output: str


def run_and_kill(
    command: Sequence[str],
    delay: float | None,
    *,
    ready: Path | None = None,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    patience: float = 60.0,
) -> Ended:
    """Start `command` in a process group of its own and kill -9 the group after `delay` seconds.

    Args:
        delay: seconds until the kill; None lets the command end by itself.
        ready: count the delay from when this file appears (it is removed before the start), not from the start.
        patience: seconds after which a command that neither gets ready nor ends fails the test.
    """
    if ready is not None:
        ready.unlink(missing_ok=True)
    child = subprocess.Popen(
        list(command),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, **(env or {})},
        cwd=cwd,
        start_new_session=True,
    )
    killed = False
    try:
        if delay is None:
            output, _ = child.communicate(timeout=patience)
            return Ended(False, time.monotonic(), child.returncode, output)
        limit = time.monotonic() + patience
        while ready is not None and not ready.exists() and child.poll() is None:
            assert time.monotonic() < limit, f"{command} never got ready"
            time.sleep(0.005)
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(timeout=delay)
        killed = child.poll() is None
    finally:
        # The group, not the process: whatever it started goes with it, and nothing outlives a failed test.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        moment = time.monotonic()
        output, _ = child.communicate()
    return Ended(killed, moment, child.returncode, output)
