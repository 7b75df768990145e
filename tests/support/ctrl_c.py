"""A child process that hears Ctrl-C, also where the tests themselves were started in the background, which ignores it."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Sequence


def listening_child(command: Sequence[str]) -> subprocess.Popen[str]:
    """The command with its output in pipes and SIGINT at its default, not inherited as ignored."""
    return subprocess.Popen(
        list(command),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
