"""A run whose calls are made up, for the kill tests: python -m tests.support.kill_worker RUN LEDGER READY ITEMS.

Every finished call and result is put into the run and then written to a ledger, a plain file that is written at once.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import sys
import time
from pathlib import Path

from eduflow.engine import Image, Run, StoredCall

CONFIG, REVISION = "c" * 64, "1"


def item_name(index: int) -> str:
    return f"item-{index}"


def call_keys(item: str) -> list[bytes]:
    """The keys of the one to four calls that the item takes."""
    count = 1 + hashlib.sha256(item.encode()).digest()[0] % 4
    return [hashlib.sha256(f"{item}/{index}".encode()).digest() for index in range(count)]


def image(item: str) -> Image:
    return Image(random.Random(item).randbytes(3_000), "image/png")


def result_of(replies: list[bytes]) -> bytes:
    """The item's result: a function of its journalled replies."""
    return hashlib.sha256(b"\n".join(replies)).hexdigest().encode()


def main(folder: Path, ledger_path: Path, ready: Path, items: int) -> None:
    ledger = os.open(ledger_path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o644)

    def note(kind: str, name: str) -> None:
        os.write(ledger, f"{kind} {name} {time.monotonic():.6f}\n".encode())

    with Run.open(folder) as run:
        if run.read_config() is None:
            run.write_config({"items": items})
        ready.touch()
        for item in map(item_name, range(items)):
            if run.has_result(item, CONFIG, REVISION):
                continue
            run.put_problem(item, item.encode())
            replies = []
            for index, key in enumerate(call_keys(item)):
                call = run.journal.get(key)
                if call is None:
                    time.sleep(0.001)
                    # A call that is made twice answers differently, as a model does.
                    reply = json.dumps({"text": os.urandom(32).hex() * 8}).encode()
                    request = json.dumps({"item": item, "image": {"sha256": image(item).sha256}}).encode()
                    call = StoredCall(key, "toy@1", index, "solve", "ok", request, reply, 10, 20, 1, 0.001)
                    run.journal.put(call, [image(item)])
                    note("call", key.hex())
                replies.append(call.reply)
            run.put_result(item, CONFIG, REVISION, result_of(replies))
            note("result", item)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4]))
