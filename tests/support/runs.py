"""Calls as a journal keeps them, and processes and users beside the test's own."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from eduflow.engine import Outcome, StoredCall

NOBODY = 65534
ROOT = Path(__file__).parents[2]


def key_of(name: object) -> bytes:
    return hashlib.sha256(str(name).encode()).digest()


def stored(
    name: object,
    *,
    text: str = "x = 3",
    outcome: Outcome = "ok",
    identity: str = "toy@1",
    sample: int = 0,
    tag: str = "solve",
    prompt_tokens: int | None = 12,
    completion_tokens: int | None = 5,
) -> StoredCall:
    """A finished call whose key comes from `name`."""
    return StoredCall(
        key=key_of(name),
        identity=identity,
        sample=sample,
        tag=tag,
        outcome=outcome,
        request=json.dumps({"messages": [{"role": "user", "content": f"question {name}"}]}).encode(),
        reply=json.dumps({"text": text, "finish_reason": "stop"}).encode(),
        prompt_tokens=prompt_tokens,
        completion_tokens=completion_tokens,
        attempts=1,
        seconds=0.25,
    )


@contextmanager
def process(code: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A Python process that runs `code`; the block starts after its first line of output."""
    child = subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    try:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        yield child
    finally:
        child.kill()
        child.communicate()


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Make `folder` read-only for this process, which gives up root's rights for the block where it has them."""
    root = os.geteuid() == 0
    modes = {path: path.stat().st_mode for path in (folder, *folder.rglob("*"))}
    for path in modes:
        path.chmod(0o555 if path.is_dir() else 0o444)
    if root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)
        for path, mode in modes.items():
            if path.exists():
                path.chmod(mode)
