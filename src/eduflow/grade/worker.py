"""A supervised process for work that is not bounded by construction.

`python -m eduflow.grade.worker MODULE:FUNCTION` answers calls of one function over pipes: a frame is four bytes of length
(big-endian) and that many bytes of JSON. `Worker` starts such a process, asks it, kills it when it takes too long, and
starts it again. Nothing is forked and `multiprocessing` has no part in it, so it works in hosts with threads.

What bounds it: a memory limit that the child sets on itself (RLIMIT_AS, where the system has it), and, as a last resort, a wall clock:
the parent kills the child, and should the parent hang, an alarm of the kernel's ends it. Either way the caller gets status "resource".
The child dies with its parent, kill -9 included: by PR_SET_PDEATHSIG on Linux, and elsewhere because its standard input ends or its
alarm rings.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import json
import os
import signal
import struct
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import IO, Any, Literal

_LENGTH = struct.Struct(">I")
# A frame longer than this is a fault of the program, not data.
_FRAME_LIMIT = 16 << 20
_PR_SET_PDEATHSIG = 1


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of one call.

    `status` is "ok" with the function's `value`; "error" where it raised (`note` is the exception's type); "resource" where the memory
    limit or the clock struck.
    """

    status: Literal["ok", "error", "resource"]
    value: Any = None
    note: str = ""


class Worker:
    """One child process that runs one function, one call at a time; usable from any thread.

    Args:
        target: "package.module:function"; its arguments and its value must be JSON.
        memory: bytes of address space that the child may have.
        seconds: wall clock of one call; the first call of a child has ten seconds more, for its imports.

    `started` counts processes, `killed` the calls that ended as "resource". A call in which the process dies or runs out of memory is asked
    once more of a fresh process, unless the process was fresh.
    """

    def __init__(self, target: str, *, memory: int = 1 << 30, seconds: float = 5.0) -> None:
        self.target = target
        self.memory = memory
        self.seconds = seconds
        self.started = 0
        self.killed = 0
        self._process: subprocess.Popen[bytes] | None = None
        # Everything happens on this one thread. It also has to outlive the child: PR_SET_PDEATHSIG strikes when the
        # thread that started the process ends, not when the whole parent does.
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="eduflow-worker")

    def call(self, *arguments: Any) -> Answer:
        """The answer to one call; blocks until it is there, at most `seconds` and the time to start a process.

        Raises:
            RuntimeError: the worker was closed, or its process cannot even be started.
        """
        return self._thread.submit(self._call, arguments).result()

    def close(self) -> None:
        """End the process; a call in progress ends first."""
        self._thread.submit(self._stop).result()
        self._thread.shutdown()

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _call(self, arguments: tuple[Any, ...]) -> Answer:
        fresh = self._process is None or self._process.poll() is not None
        answer, timed_out = self._exchange(arguments)
        if answer.status == "resource" and not fresh and not timed_out:
            # It may have died while it was idle, or have been full of what earlier calls left. What a fresh one says does
            # not depend on what was asked before.
            answer, _ = self._exchange(arguments)
        self.killed += answer.status == "resource"
        return answer

    def _exchange(self, arguments: tuple[Any, ...]) -> tuple[Answer, bool]:
        """The answer, and whether the clock struck."""
        process = self._process
        seconds = self.seconds
        if process is None or process.poll() is not None:
            process = self._start()
            seconds += 10
        assert process.stdin is not None
        assert process.stdout is not None
        timed_out = threading.Event()

        def strike() -> None:
            timed_out.set()
            process.kill()

        clock = threading.Timer(seconds, strike)
        clock.daemon = True
        clock.start()
        try:
            _write(process.stdin, {"arguments": arguments, "seconds": seconds})
            reply = _read(process.stdout)
        except OSError:
            reply = None
        finally:
            clock.cancel()
            clock.join()
        if reply is None or reply["status"] == "resource" or timed_out.is_set():
            # A process that ran out of memory once is in an unknown state.
            self._stop()
        if reply is None:
            return Answer("resource", note="the worker was ended by its limits"), timed_out.is_set()
        return Answer(reply["status"], reply.get("value"), reply.get("note", "")), timed_out.is_set()

    def _start(self) -> subprocess.Popen[bytes]:
        self._stop()
        command = [
            sys.executable, "-P", "-m", "eduflow.grade.worker",
            self.target, str(self.memory), str(os.getpid()),
        ]  # fmt: skip
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self._process = process
        self.started += 1
        assert process.stdout is not None
        clock = threading.Timer(60, process.kill)
        clock.daemon = True
        clock.start()
        try:
            hello = _read(process.stdout)
        finally:
            clock.cancel()
        if hello is None or hello["status"] != "ok":
            self._stop()
            note = "" if hello is None else f": {hello.get('note', '')}"
            raise RuntimeError(f"the worker for {self.target} did not start{note}")
        return process

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()


def _write(pipe: IO[bytes], message: dict[str, Any]) -> None:
    data = json.dumps(message).encode("ascii")
    pipe.write(_LENGTH.pack(len(data)) + data)
    pipe.flush()


def _read(pipe: IO[bytes]) -> dict[str, Any] | None:
    """The next message; None where the pipe ends before a whole one."""
    head = pipe.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(head)
    if length > _FRAME_LIMIT:
        return None
    data = pipe.read(length)
    if len(data) < length:
        return None
    message = json.loads(data)
    assert isinstance(message, dict)
    return message


def main(argv: list[str]) -> int:
    """The child: `TARGET [MEMORY [PARENT]]`, then calls on standard input until it ends."""
    target = argv[0]
    _die_with_parent(int(argv[2]) if len(argv) > 2 else os.getppid())
    calls = sys.stdin.buffer
    # What a library prints must not get between the frames.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    try:
        function = _load(target)
        _limit_memory(int(argv[1]) if len(argv) > 1 else 0)
    except (ImportError, AttributeError, ValueError, OSError) as error:
        _write(answers, {"status": "error", "note": f"{type(error).__name__}: {error}"})
        return 2
    _write(answers, {"status": "ok"})
    while (message := _read(calls)) is not None:
        _alarm(message["seconds"] + 1)
        try:
            answer = {"status": "ok", "value": function(*message["arguments"])}
            json.dumps(answer)
        except MemoryError:
            answer = {"status": "resource", "note": "MemoryError"}
        except Exception as error:  # noqa: BLE001 - whatever the function raises is its answer
            answer = {"status": "error", "note": type(error).__name__}
        _alarm(0)
        _write(answers, answer)
    return 0


def _load(target: str) -> Callable[..., Any]:
    module, _, name = target.partition(":")
    function: Callable[..., Any] = getattr(importlib.import_module(module), name)
    return function


def _limit_memory(limit: int) -> None:
    if limit <= 0:
        return
    try:
        import resource
    except ImportError:  # Windows: the clock alone bounds the child there.
        return
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    # A dump of a gigabyte is no help to anybody.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _die_with_parent(parent: int) -> None:
    if not sys.platform.startswith("linux"):
        return
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # It died before the call above took effect.
        os._exit(1)


def _alarm(seconds: float) -> None:
    # Without a handler the kernel ends the process, which needs no turn of an interpreter that is stuck in C.
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, seconds)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
