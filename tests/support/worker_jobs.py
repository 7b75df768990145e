"""What a worker is made to do in tests: work, fail, hang, bloat, print, and tell who it is."""

from __future__ import annotations

import os
import sys

_LEFT: list[bytearray] = []


def job(name: str, value: object = None) -> object:
    """One function, because a worker runs one."""
    if name == "echo":
        return value
    if name == "pid":
        return os.getpid()
    if name == "raise":
        raise ValueError("no")
    if name == "hang":
        # One step of the interpreter that takes hours and never lets go of its lock, as a big power does.
        return len(str(7 ** (10**10)))
    if name == "loop":
        while True:
            pass
    if name == "bloat":
        return len([bytearray(1 << 20) for _ in range(1 << 20)])
    if name == "leave":
        assert isinstance(value, int)
        _LEFT.append(bytearray(value << 20))
        return None
    if name == "print":
        print("between the frames")
        os.write(1, b"and below them\n")
        sys.stdout.flush()
        return value
    if name == "exit":
        os._exit(3)
    return object()


def die(*_: object) -> None:
    """End the process at once, as its limits would."""
    os._exit(9)
