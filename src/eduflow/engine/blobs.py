"""Images and other big bytes of a run, each kept once: appended to a pack file, and found by an index in the journal.

A file for each image would cost ten times the processor time of appending its bytes, and SQLite rows four times.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

from eduflow.engine.keyset import KeySet
from eduflow.engine.store import Store
from eduflow.errors import InputError

PACK_BYTES = 1 << 30
_RECENT = 50_000
_BUFFERS = 512  # of one writev; the system's bound is 1024

_FIND = "SELECT pack, offset, size FROM images WHERE sha256 = ?"
_PAGE = "SELECT sha256 FROM images WHERE sha256 > ? ORDER BY sha256 LIMIT 10000"
_INSERT = "INSERT INTO images (sha256, pack, offset, size) VALUES (?, ?, ?, ?)"


class Blobs:
    """The pack files `blobs/1.pack`, `blobs/2.pack`, ... of a run. Many threads may use it.

    The journal's writer thread appends the new blobs of a transaction before it commits them together with their index
    rows, so a committed row's bytes are there after any kill of the process, and bytes without a row are cut off when
    the run is next written. A full pack is forced to the disk. The last one is not: a power cut may shorten it, and
    the blobs that it lost are then forgotten, so that putting them again keeps them again.

    Args:
        folder: where the packs lie; made when the first blob is written.
        store: the journal, with the table `images`.
    """

    def __init__(self, folder: Path, store: Store) -> None:
        self.folder = folder
        self._store = store
        # All of these belong to the writer thread.
        self._file: int | None = None
        self._pack = 0
        self._end = 0
        self._may_hold = KeySet()
        self._recent: set[bytes] = set()
        self._new: list[tuple[bytes, bytes]] = []
        if not store.read_only:
            store.before_commit(self._append, self._close)

    def put(self, data: bytes) -> str:
        """Queue `data` to be kept; returns its sha256. It is there before anything that is put into the run later.

        Raises:
            StorageError: an earlier write failed.
            RuntimeError: the run is open for reading only.
        """
        digest = hashlib.sha256(data).digest()
        self._store.put(
            lambda connection: self.add(digest, data), size=len(data), key=("blob", digest), value=data
        )
        return digest.hex()

    def get(self, sha256: str) -> bytes | None:
        """The blob, committed or put by itself; None where there is none.

        Raises:
            InputError: its bytes are missing or damaged.
            ValueError: this is no sha256 in small hex digits.
        """
        if len(sha256) != 64 or not set(sha256) <= set("0123456789abcdef"):
            raise ValueError(f"not a sha256: {sha256!r}")
        digest = bytes.fromhex(sha256)
        queued: bytes | None = self._store.peek(("blob", digest))
        if queued is not None:
            return queued
        row = self._store.row(_FIND, (digest,))
        return None if row is None else self._read(digest, *row)

    def holds(self, digest: bytes) -> bool:
        """Whether the blob with this sha256 (32 bytes) is committed or put by itself; its bytes are not read."""
        return self._store.peek(("blob", digest)) is not None or self._store.row(_FIND, (digest,)) is not None

    def digests(self) -> Iterator[bytes]:
        """The sha256 of every committed blob, 32 bytes each, in the order in which they were written."""
        for page in self._store.pages("SELECT id, sha256 FROM images WHERE 1"):
            for _, digest in page:
                yield digest

    def _read(self, digest: bytes, pack: int, offset: int, size: int) -> bytes:
        path = self._path(pack)
        try:
            file = os.open(path, os.O_RDONLY)
            try:
                data = os.pread(file, size, offset)
            finally:
                os.close(file)
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", path=path) from None
        if hashlib.sha256(data).digest() != digest:
            raise InputError(f"the file is damaged at byte {offset}: image {digest.hex()}", path=path)
        return data

    def _path(self, pack: int) -> Path:
        return self.folder / f"{pack}.pack"

    # On the writer thread, inside its transaction

    def add(self, digest: bytes, data: bytes) -> None:
        """Keep a blob with the transaction that is being written. Only for jobs of the store.

        Args:
            digest: the sha256 of `data`, 32 bytes.
            data: the bytes.
        """
        if digest not in self._recent:
            if len(self._recent) >= _RECENT:
                self._recent.clear()
            self._recent.add(digest)
            self._new.append((digest, data))

    def _append(self, connection: sqlite3.Connection) -> None:
        if not self._new:
            return
        if self._file is None:
            self._open_last(connection)
        fresh: dict[bytes, bytes] = {}
        for digest, data in self._new:
            # A no of the set is certain; only a yes is worth a query.
            if digest in self._may_hold and (
                digest in fresh or connection.execute(_FIND, (digest,)).fetchone() is not None
            ):
                continue
            self._may_hold.add(digest)
            fresh[digest] = data
        self._new = []
        if not fresh:
            return
        if self._end >= PACK_BYTES:
            assert self._file is not None
            os.fsync(self._file)
            self._open_new(self._pack + 1)
        assert self._file is not None
        _write_all(self._file, list(fresh.values()))
        rows = []
        for digest, data in fresh.items():
            rows.append((digest, self._pack, self._end, len(data)))
            self._end += len(data)
        connection.executemany(_INSERT, rows)

    def _open_last(self, connection: sqlite3.Connection) -> None:
        """Go on behind the last blob; what a killed process wrote there without a row is cut off."""
        row = connection.execute("SELECT max(pack) FROM images").fetchone()
        last = row[0] or 0
        self.folder.mkdir(exist_ok=True)
        path = self._path(last)
        size = path.stat().st_size if path.exists() else 0
        connection.execute("DELETE FROM images WHERE pack = ? AND offset + size > ?", (last, size))
        (end,) = connection.execute(
            "SELECT max(offset + size) FROM images WHERE pack = ?", (last,)
        ).fetchone()
        if end is None:
            self._open_new(last + 1)
        else:
            self._file, self._pack, self._end = os.open(path, os.O_WRONLY), last, end
            os.ftruncate(self._file, end)
            os.lseek(self._file, end, os.SEEK_SET)
        after = b""
        while page := connection.execute(_PAGE, (after,)).fetchall():
            for (digest,) in page:
                self._may_hold.add(digest)
            after = page[-1][0]

    def _open_new(self, pack: int) -> None:
        self._close()
        # One that is there already holds nothing that a row names.
        self._file = os.open(self._path(pack), os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o666)
        self._pack, self._end = pack, 0

    def _close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None


def _write_all(file: int, parts: Sequence[bytes]) -> None:
    # One system call for many blobs: after each call the thread must wait for the interpreter's lock again.
    for start in range(0, len(parts), _BUFFERS):
        some = parts[start : start + _BUFFERS]
        left = os.writev(file, some) - sum(map(len, some))
        if left < 0:  # the rest of a short write: a nearly full disk, or more than 2 GB
            rest = memoryview(b"".join(some))[left:]
            while rest:
                rest = rest[os.write(file, rest) :]
