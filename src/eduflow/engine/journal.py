"""The journal: every finished model call of a run, so that nothing is paid for twice and resume is replay."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import cast

from eduflow.engine.blobs import Blobs
from eduflow.engine.calls import Image, Outcome
from eduflow.engine.keyset import KeySet
from eduflow.engine.store import Row, Store
from eduflow.errors import InputError

_COLUMNS = (
    "key, identity, sample, tag, outcome, prompt_tokens, completion_tokens, attempts, seconds, request, reply"
)
_TOGETHER = 16


def _insert(rows: int) -> str:
    # A final row stays as it is; only a failed call may be asked again and replaced.
    return f"""INSERT INTO calls ({_COLUMNS}) VALUES {", ".join(["(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"] * rows)}
ON CONFLICT (key) DO UPDATE SET
    identity = excluded.identity, sample = excluded.sample, tag = excluded.tag, outcome = excluded.outcome,
    prompt_tokens = excluded.prompt_tokens, completion_tokens = excluded.completion_tokens,
    attempts = excluded.attempts, seconds = excluded.seconds, request = excluded.request, reply = excluded.reply
WHERE outcome = 'failed'"""  # noqa: S608


INSERT = _insert(1)
INSERT_TOGETHER = _insert(_TOGETHER)
SELECT = f"SELECT {_COLUMNS} FROM calls WHERE key = ?"  # noqa: S608

KEYS = "SELECT key FROM calls WHERE key > ? ORDER BY key LIMIT 10000"


@dataclass(frozen=True, slots=True)
class StoredCall:
    """One finished call, which is one sample of one prompt.

    Args:
        key: 32 bytes: sha256 over request body, identity, sample index and run seed.
        identity: `model@revision` of the endpoint.
        sample: the sample index.
        tag: what the call was for.
        outcome: how it ended.
        request: canonical JSON of the body, with `{"sha256": ...}` in the place of each image.
        reply: JSON of what came back: text, reasoning, finish_reason, logprobs, error, usage.
        prompt_tokens, completion_tokens: None where unknown, and prompt tokens 0 where another row of the same HTTP
            call counts them.
        attempts: HTTP requests made.
        seconds: from the first attempt to the last byte.
    """

    key: bytes
    identity: str
    sample: int
    tag: str
    outcome: Outcome
    request: bytes
    reply: bytes
    prompt_tokens: int | None
    completion_tokens: int | None
    attempts: int
    seconds: float


class Journal:
    """The calls of one run. All methods may be called from any thread; a `Run` makes and closes it.

    Args:
        store: the run's SQLite file.
        blobs: the run's folder of images.
    """

    def __init__(self, store: Store, blobs: Blobs) -> None:
        self._store = store
        self._blobs = blobs
        self._order = threading.Lock()
        self._keys: KeySet | None = None
        self._gathered: list[Row] = []
        if not store.read_only:
            store.before_commit(self._write)

    @property
    def path(self) -> Path:
        return self._store.path

    @property
    def read_only(self) -> bool:
        return self._store.read_only

    def get(self, key: bytes) -> StoredCall | None:
        """The call under `key`, committed or still queued; None where there is none.

        Raises:
            InputError: the journal is damaged.
        """
        pending: StoredCall | None = self._store.peek(("call", key))
        if pending is not None:
            return pending
        if not self._may_hold(key):
            return None
        row = self._store.row(SELECT, (key,))
        if row is None:
            return None
        found, identity, sample, tag, outcome, prompt, completion, attempts, seconds, request, reply = row
        return StoredCall(
            key=found,
            identity=identity,
            sample=sample,
            tag=tag,
            outcome=cast(Outcome, outcome),
            request=unzipped(request, self.path),
            reply=unzipped(reply, self.path),
            prompt_tokens=prompt,
            completion_tokens=completion,
            attempts=attempts,
            seconds=seconds,
        )

    def _may_hold(self, key: bytes) -> bool:
        """Whether the file may hold the key; a no is certain.

        Most calls of a fresh run are new, and a query costs them as much as the rest of the engine: SQLite lets go of the
        interpreter's lock, and gets it back only when the writer's thread is done with it. What other processes write is
        not known here, so a journal that is open for reading only is always asked itself.
        """
        if self.read_only:
            return True
        if self._keys is None:
            with self._order:
                self._store.flush()  # what is still queued is in no page
                keys, last = KeySet(), b""
                while page := self._store.rows(KEYS, (last,)):
                    for (found,) in page:
                        keys.add(found)
                    last = page[-1][0]
                self._keys = keys
        return key in self._keys

    def put(self, call: StoredCall, images: Sequence[Image] = ()) -> None:
        """Keep a finished call. It is safe from a kill of the process a quarter of a second later, as a rule.

        A key that is there already keeps its row (the first answer counts), except that a failed call is replaced.
        Blocks for a moment while the writer's queue is full.

        Args:
            call: the call.
            images: the images that its request names; each is kept once, and is there when the row is.

        Raises:
            StorageError: the journal can no longer be written.
            ValueError: the key is not 32 bytes long, a number is too big, or a text is no valid Unicode.
        """
        if len(call.key) != 32:
            raise ValueError(f"a journal key has 32 bytes, not {len(call.key)}")
        # What SQLite would refuse must fail here, and not on the writer's thread, where it would end the run.
        for number in (call.sample, call.attempts, call.prompt_tokens, call.completion_tokens):
            if number is not None and not -(2**63) <= number < 2**63:
                raise ValueError(f"{number} is too big for a journal")
        if not (call.identity.isascii() and call.tag.isascii()):
            (call.identity + call.tag).encode()
        key = ("call", call.key)
        size = len(call.request) + len(call.reply) + sum(len(image.data) for image in images)
        with self._order:
            if self._outcome(call.key) in (None, "failed"):
                if self._keys is not None:
                    self._keys.add(call.key)
                # A partial and not a closure: the collector has three objects less to look through while it waits.
                self._store.put(partial(self._gather, call, images), size=size, key=key, value=call)

    def _gather(self, call: StoredCall, images: Sequence[Image], _: sqlite3.Connection) -> None:
        for image in images:
            self._blobs.add(bytes.fromhex(image.sha256), image.data)
        self._gathered.append(
            (
                call.key,
                call.identity,
                call.sample,
                call.tag,
                call.outcome,
                call.prompt_tokens,
                call.completion_tokens,
                call.attempts,
                call.seconds,
                zipped(call.request),
                zipped(call.reply),
            )
        )

    def _write(self, connection: sqlite3.Connection) -> None:
        # Many rows in one statement: after each the writer must wait for the interpreter's lock again, and the event
        # loop for the writer.
        rows, self._gathered = self._gathered, []
        alone = len(rows) % _TOGETHER
        connection.executemany(INSERT, rows[:alone])
        for start in range(alone, len(rows), _TOGETHER):
            connection.execute(
                INSERT_TOGETHER, [value for row in rows[start : start + _TOGETHER] for value in row]
            )

    def _outcome(self, key: bytes) -> str | None:
        pending: StoredCall | None = self._store.peek(("call", key))
        if pending is not None:
            return pending.outcome
        if self._keys is not None and key not in self._keys:
            return None
        row = self._store.row("SELECT outcome FROM calls WHERE key = ?", (key,))
        return None if row is None else cast(str, row[0])

    async def flush(self) -> None:
        """Wait until everything that was put is committed.

        Raises:
            StorageError: a write failed.
        """
        await asyncio.to_thread(self._store.flush)

    def close(self) -> None:
        """Commit what is queued and close the file, with everything else that the run keeps in it.

        Raises:
            StorageError: a write failed and no earlier call has said so.
        """
        self._store.close()


def zipped(data: bytes) -> bytes:
    """The bytes as they are kept."""
    return zlib.compress(data, 1)


def unzipped(data: bytes, path: Path) -> bytes:
    """The bytes of a compressed column.

    Raises:
        InputError: they are damaged.
    """
    try:
        return zlib.decompress(data)
    except zlib.error as error:
        raise InputError(f"the journal is damaged: {error}", path=path) from None
