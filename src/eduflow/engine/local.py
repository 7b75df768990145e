"""A local model as an endpoint: a child process that serves a GGUF file over the same HTTP path as a remote one.

A child, because loading holds the interpreter for a second and a native abort must not take the run along. It gets a
free port, writes its log to a file, is started again when it dies, and dies with its parent.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from eduflow.engine.endpoints import LOCAL_CONTEXT
from eduflow.errors import ConfigError, MissingExtra

LOAD_SECONDS = 120.0
MAX_RESTARTS = 5


def default_threads() -> int:
    """All cores on a quiet machine, half of them on a busy one, 8 at most.

    llama.cpp's threads wait for each other at every layer: with more threads than free cores it gets many times slower.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    busy = os.getloadavg()[0] > 0.5 * cores if hasattr(os, "getloadavg") else False
    return max(1, min(8, cores // 2 if busy else cores))


@dataclass(frozen=True, slots=True)
class LocalSettings:
    """How a local model is served: threads, slots in parallel, and tokens of context for each slot."""

    threads: int
    parallel: int = 4
    context: int = LOCAL_CONTEXT


class LocalServer:
    """A running local model. `base_url` stays the same over restarts; `restarts` counts them.

    Use `start` to make one and `close` to end it.
    """

    def __init__(self, model_path: Path, settings: LocalSettings, log: Path) -> None:
        self.model_path = model_path
        self.settings = settings
        self.log = log
        self.base_url = ""
        self.restarts = 0
        self._port = 0
        self._process: asyncio.subprocess.Process | None = None
        self._watcher: asyncio.Task[None] | None = None

    @classmethod
    async def start(
        cls, model_path: str | Path, *, settings: LocalSettings | None = None, log: Path
    ) -> LocalServer:
        """Load the model and return when it answers.

        Args:
            model_path: a GGUF file.
            settings: threads, slots, context; chosen for this machine if None.
            log: the file that the server's own messages are appended to.

        Raises:
            MissingExtra: the `local` extra is not installed.
            ConfigError: the file is missing or no model that can be loaded; the message names the log.
        """
        if find_spec("xllamacpp") is None:
            raise MissingExtra("a local model", "local")
        path = Path(model_path)
        _check_gguf(path)
        server = cls(path, settings or LocalSettings(default_threads()), log)
        await server._launch()
        server._watcher = asyncio.create_task(server._watch())
        return server

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    async def close(self) -> None:
        """End the child and wait for it."""
        if self._watcher is not None:
            self._watcher.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._watcher
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()

    async def _launch(self) -> None:
        self.log.parent.mkdir(parents=True, exist_ok=True)
        settings = self.settings
        command = [sys.executable, "-m", "eduflow.engine.local_child", "--model", str(self.model_path)]
        command += ["--port", str(self._port), "--threads", str(settings.threads)]
        command += ["--parallel", str(settings.parallel), "--context", str(settings.context)]
        with self.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=log
            )
        assert self._process.stdout is not None
        try:
            async with asyncio.timeout(LOAD_SECONDS):
                line = await self._process.stdout.readline()
        except TimeoutError:
            self._process.kill()
            await self._process.wait()
            raise ConfigError(
                f"the local model did not load in {LOAD_SECONDS:.0f} s; see {self.log}"
            ) from None
        except asyncio.CancelledError:
            self._process.kill()
            await self._process.wait()
            raise
        if not line:
            code = await self._process.wait()
            raise ConfigError(
                f"the local model {self.model_path} did not load (exit code {code}); see {self.log}"
            )
        url = str(json.loads(line)["url"])
        self._port = int(url.rpartition(":")[2])
        self.base_url = url + "/v1"

    async def _watch(self) -> None:
        """Start the child again, on the same port, whenever it dies. Calls in flight fail and are retried."""
        while self.restarts < MAX_RESTARTS:
            assert self._process is not None
            await self._process.wait()
            self.restarts += 1
            await asyncio.sleep(0.2 * self.restarts)
            with contextlib.suppress(
                ConfigError
            ):  # counted above; the next round, or the callers' retries, tell
                await self._launch()


def _check_gguf(path: Path) -> None:
    try:
        with path.open("rb") as stream:
            magic = stream.read(4)
    except OSError as error:
        raise ConfigError(f"{path}: cannot read the model file: {error.strerror}") from None
    if magic != b"GGUF":
        raise ConfigError(f"{path}: not a GGUF model file")
