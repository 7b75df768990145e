"""The local model as a child process: it answers, comes back after a crash, and never outlives its parent."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import aiohttp
import pytest

from eduflow.engine.local import LocalServer, LocalSettings
from eduflow.errors import ConfigError
from tests.support.local import smollm2

pytestmark = pytest.mark.local
SMALL = LocalSettings(threads=1, parallel=2, context=512)


async def ask(base_url: str, text: str) -> str:
    body = {"model": "local", "messages": [{"role": "user", "content": text}], "max_tokens": 8}
    async with (
        aiohttp.ClientSession() as session,
        session.post(f"{base_url}/chat/completions", json=body) as reply,
    ):
        reply.raise_for_status()
        return str((await reply.json())["choices"][0]["message"]["content"])


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    with open(f"/proc/{pid}/stat") as stat:
        return stat.read().rpartition(")")[2].split()[0] != "Z"


async def test_answers_and_logs_to_the_file(tmp_path: Path) -> None:
    server = await LocalServer.start(smollm2(), settings=SMALL, log=tmp_path / "local.log")
    try:
        assert (await ask(server.base_url, "Say hello.")).strip()
    finally:
        await server.close()
    assert server.pid is not None
    assert not alive(server.pid)
    assert (tmp_path / "local.log").stat().st_size > 0


async def test_a_killed_child_comes_back_on_the_same_url(tmp_path: Path) -> None:
    server = await LocalServer.start(smollm2(), settings=SMALL, log=tmp_path / "local.log")
    try:
        assert server.pid is not None
        url, first = server.base_url, server.pid
        os.kill(first, signal.SIGKILL)
        for _ in range(200):
            await asyncio.sleep(0.1)
            if server.pid != first:
                try:
                    assert await ask(url, "Say hello.")
                    break
                except aiohttp.ClientError:
                    continue
        else:
            pytest.fail("the child was not started again")
        assert server.restarts == 1
        assert server.base_url == url
    finally:
        await server.close()


def test_the_child_dies_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    model = smollm2()
    code = (
        "import asyncio, sys, time\n"
        "from pathlib import Path\n"
        "from eduflow.engine.local import LocalServer, LocalSettings\n"
        "async def main():\n"
        "    server = await LocalServer.start(sys.argv[1], settings=LocalSettings(1, 1, 256), log=Path(sys.argv[2]))\n"
        "    print(server.pid, flush=True)\n"
        "    await asyncio.sleep(60)\n"
        "asyncio.run(main())\n"
    )
    command = [sys.executable, "-c", code, str(model), str(tmp_path / "log")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        assert alive(child)
        parent.kill()
        parent.wait()
    for _ in range(100):
        if not alive(child):
            return
        time.sleep(0.05)
    pytest.fail("the model process outlived its parent")


async def test_a_file_that_is_no_model_gets_one_sentence(tmp_path: Path) -> None:
    smollm2()
    empty = tmp_path / "empty.gguf"
    empty.write_bytes(b"")
    cut = tmp_path / "cut.gguf"
    cut.write_bytes(b"GGUF" + json.dumps({"no": "model"}).encode())
    with pytest.raises(ConfigError, match=r"no\.gguf: cannot read"):
        await LocalServer.start(tmp_path / "no.gguf", log=tmp_path / "log")
    with pytest.raises(ConfigError, match="not a GGUF model file"):
        await LocalServer.start(empty, log=tmp_path / "log")
    with pytest.raises(ConfigError, match="did not load"):
        await LocalServer.start(cut, log=tmp_path / "log")
