"""One SQLite file with one writer thread: what the journal and the results of a run are kept in.

Whatever is put goes into a queue in memory, in order. The writer thread takes the queue at most `LINGER` seconds after
its first entry and writes it in transactions of at most `BATCH_ROWS` rows. A process that is killed (SIGKILL included)
loses what waits and the transaction that is being written: committed pages belong to the operating system, so nothing
needs to be forced to the disk for it. A power cut is another matter: with WAL and `synchronous=NORMAL` it can take the
last commits back, up to the last checkpoint, but never damages the file or tears a commit; the calls that are missing
are then made again. `FULL` would pay one disk flush for each commit to save those seconds, and is not worth it here.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import sqlite3
import tempfile
import threading
import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from eduflow.errors import EduflowError, InputError

T = TypeVar("T")
Row = tuple[Any, ...]

LINGER = 0.25
BATCH_ROWS = 500
QUEUE_ROWS = 2_000
QUEUE_BYTES = 64 * 1024 * 1024
PAGE_ROWS = 256

# One entry per schema version, oldest first: the statements that lead to it from the one before. Append only.
# Calls and results keep their big columns last, so that counts by purpose read only the small ones.
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE calls (
            id INTEGER PRIMARY KEY, key BLOB NOT NULL, identity TEXT NOT NULL, sample INTEGER NOT NULL,
            tag TEXT NOT NULL, outcome TEXT NOT NULL, prompt_tokens INTEGER, completion_tokens INTEGER,
            attempts INTEGER NOT NULL, seconds REAL NOT NULL, request BLOB NOT NULL, reply BLOB NOT NULL)""",
        "CREATE UNIQUE INDEX calls_key ON calls (key)",
        """CREATE TABLE scopes (
            id INTEGER PRIMARY KEY, config TEXT NOT NULL, revision TEXT NOT NULL, UNIQUE (config, revision))""",
        """CREATE TABLE results (
            id INTEGER PRIMARY KEY, scope INTEGER NOT NULL REFERENCES scopes (id), item TEXT NOT NULL,
            payload BLOB NOT NULL)""",
        "CREATE UNIQUE INDEX results_key ON results (item, scope)",
        "CREATE TABLE problems (id INTEGER PRIMARY KEY, item TEXT NOT NULL, payload BLOB NOT NULL)",
        "CREATE UNIQUE INDEX problems_key ON problems (item)",
        """CREATE TABLE images (
            id INTEGER PRIMARY KEY, sha256 BLOB NOT NULL, pack INTEGER NOT NULL, offset INTEGER NOT NULL,
            size INTEGER NOT NULL)""",
        "CREATE UNIQUE INDEX images_key ON images (sha256)",
        "CREATE TABLE stops (item TEXT PRIMARY KEY, step INTEGER NOT NULL, reason TEXT NOT NULL)",
    ),
)
SCHEMA_VERSION = len(MIGRATIONS)


class StorageError(EduflowError):
    """The journal cannot be written (disk full, I/O error): the run has to end, nothing more can be kept."""


@dataclass(slots=True)
class _Job:
    run: Callable[[sqlite3.Connection], Any]
    size: int
    key: Hashable | None
    done: Future[Any] | None


class Store:
    """A journal file, open for reading and writing (`Store.open`) or only for reading (`Store.read`).

    All methods may be called from any thread.
    """

    def __init__(self, path: Path, reader: sqlite3.Connection, writer: sqlite3.Connection | None) -> None:
        self.path = path
        self._reader = reader
        self._reading = threading.Lock()
        self._writer = writer
        self._copy: Path | None = None
        self._process = os.getpid()
        self._state = threading.Condition()
        self._queue: list[_Job] = []
        self._queued_bytes = 0
        self._pending: dict[Hashable, tuple[int, Any]] = {}
        self._queued_since = 0.0
        self._accepted = 0
        self._committed = 0
        self._hurry = False
        self._closing = False
        self._error: StorageError | None = None
        self._error_told = False
        self._gathered: list[Callable[[sqlite3.Connection], object]] = []
        self._closers: list[Callable[[], object]] = []
        self._thread: threading.Thread | None = None
        if writer is not None:
            # A daemon, so that a forgotten close cannot hang the interpreter; `atexit` closes it in order all the same.
            self._thread = threading.Thread(target=self._write_loop, name="journal-writer", daemon=True)
            self._thread.start()
            atexit.register(self.close)

    # Opening

    @staticmethod
    def open(path: Path) -> Store:
        """Open for writing; an empty or missing file is set up, an older one is migrated.

        Raises:
            InputError: the file is no journal, is damaged, or was written by a newer EduFlow.
            StorageError: it cannot be created or written.
        """
        connections: list[sqlite3.Connection] = []
        try:
            for _ in range(2):
                connections.append(
                    sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=60)
                )
                if len(connections) == 1:
                    _set_up(path, connections[0])
            writer, reader = connections
            reader.execute("PRAGMA query_only = ON")
            reader.execute("PRAGMA cache_size = -16384")
        except BaseException as error:
            for connection in connections:
                connection.close()
            if isinstance(error, sqlite3.OperationalError):
                raise StorageError(f"{path} cannot be opened for writing: {error}") from None
            if isinstance(error, sqlite3.Error):
                raise unreadable(path, error) from None
            raise
        return Store(path, reader, writer)

    @staticmethod
    def read(path: Path) -> Store:
        """Open for reading only, also while another process writes it, and also in a folder that is read-only.

        Raises:
            InputError: there is no such file, it is no journal, is damaged, or its schema is another one.
        """
        if not path.is_file():
            raise InputError("there is no journal", path=path)
        try:
            reader, copy = _connect_read_only(path)
        except sqlite3.Error as error:
            raise unreadable(path, error) from None
        store = Store(path, reader, None)
        store._copy = copy
        try:
            version = _schema_version(path, reader)
            if version < SCHEMA_VERSION:
                raise InputError(
                    f"the journal has the older schema {version}: open the run for writing once, which brings it to "
                    f"{SCHEMA_VERSION}",
                    path=path,
                )
        except BaseException as error:
            store.close()
            if isinstance(error, sqlite3.Error):
                raise unreadable(path, error) from None
            raise
        return store

    @property
    def read_only(self) -> bool:
        return self._writer is None

    # Reading

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[Row]:
        """All committed rows of a query."""
        try:
            with self._reading:
                return self._reader.execute(sql, parameters).fetchall()
        except sqlite3.Error as error:
            raise unreadable(self.path, error) from None

    def row(self, sql: str, parameters: Sequence[Any] = ()) -> Row | None:
        """The first committed row of a query, or None."""
        try:
            with self._reading:
                found: Row | None = self._reader.execute(sql, parameters).fetchone()
                return found
        except sqlite3.Error as error:
            raise unreadable(self.path, error) from None

    def pages(self, sql: str, parameters: Sequence[Any] = (), size: int = PAGE_ROWS) -> Iterator[list[Row]]:
        """The rows of a query in order of their id, a page at a time and without a long transaction.

        Args:
            sql: a SELECT whose first column is `id` and which ends in a WHERE clause, where more is added.
        """
        last = -1
        while page := self.rows(f"{sql} AND id > ? ORDER BY id LIMIT ?", (*parameters, last, size)):
            yield page
            last = page[-1][0]

    def peek(self, key: Hashable) -> Any:
        """What was put under `key` and is not committed yet, or None."""
        entry = self._pending.get(key)
        return None if entry is None else entry[1]

    # Writing

    def put(
        self, run: Callable[[sqlite3.Connection], Any], *, size: int, key: Hashable = None, value: Any = None
    ) -> None:
        """Queue a write. It returns at once, unless the queue is full: then it waits until the writer has made room.

        Args:
            run: makes the write, on the writer's thread, inside a transaction that it shares with others.
            size: about how many bytes it holds in memory.
            key, value: what `peek` shows until the write is committed.

        Raises:
            StorageError: an earlier write failed. Nothing can be put any more.
        """
        self._submit(_Job(run, size, key, None), value)

    def before_commit(
        self, write: Callable[[sqlite3.Connection], object], close: Callable[[], object] | None = None
    ) -> None:
        """Have `write` called at the end of every transaction and before every `do`, on the writer's thread.

        So jobs can gather what costs less when it is written together. To be named before anything is put.

        Args:
            write: what to call, in the order in which they were named. An error ends the writing, as a job's does.
            close: what to call when the store is closed.
        """
        self._gathered.append(write)
        if close is not None:
            self._closers.append(close)

    def do(self, run: Callable[[sqlite3.Connection], T]) -> T:
        """Make a write in its turn after everything queued before, wait for its commit and return what it returned."""
        done: Future[T] = Future()
        self._submit(_Job(run, 0, None, done), None, hurry=True)
        return done.result()

    def flush(self) -> None:
        """Wait until everything that was put is committed.

        Raises:
            StorageError: a write failed.
        """
        with self._state:
            target = self._accepted
            if self._committed < target:
                self._hurry = True
                self._state.notify_all()
                self._state.wait_for(lambda: self._committed >= target or self._error is not None)
            self._raise_error()

    def close(self) -> None:
        """Commit what is queued and close the file. Doing it twice is harmless.

        Raises:
            StorageError: a write failed and no earlier call has said so.
        """
        if os.getpid() != self._process:
            return  # a forked child, whose exit must not close its parent's journal
        with self._state:
            first = not self._closing
            self._closing = True
            self._state.notify_all()
        if not first:
            return
        if self._thread is not None:
            self._thread.join()
            atexit.unregister(self.close)
            for close in self._closers:
                close()
        with self._reading:
            self._reader.close()
        if self._writer is not None:
            with contextlib.suppress(sqlite3.Error):  # the last checkpoint, on a disk that has failed already
                self._writer.close()
        if self._copy is not None:
            shutil.rmtree(self._copy, ignore_errors=True)
        if self._error is not None and not self._error_told:
            self._raise_error()

    def _submit(self, job: _Job, value: Any, hurry: bool = False) -> None:
        with self._state:
            if self.read_only:
                raise RuntimeError(f"{self.path} was opened for reading only")
            if not self._has_room():
                self._state.wait_for(self._has_room)
            self._raise_error()
            if self._closing:
                raise RuntimeError(f"{self.path} is closed")
            self._accepted += 1
            if job.key is not None:
                self._pending[job.key] = (self._accepted, value)
            if not self._queue:
                self._queued_since = time.monotonic()
            self._queue.append(job)
            self._queued_bytes += job.size
            self._hurry = self._hurry or hurry
            if len(self._queue) == 1 or self._hurry or not self._has_room():
                self._state.notify_all()

    def _has_room(self) -> bool:
        full = len(self._queue) >= QUEUE_ROWS or self._queued_bytes >= QUEUE_BYTES
        return not full or self._closing or self._error is not None

    def _raise_error(self) -> None:
        if self._error is not None:
            self._error_told = True
            # A fresh one each time: raising one object in several threads would mix their tracebacks.
            raise StorageError(str(self._error))

    def _write_loop(self) -> None:
        while batch := self._next_batch():
            try:
                answers = self._write(batch)
            except (sqlite3.Error, OSError, EduflowError) as error:
                self._fail(batch, error)
                return
            except BaseException as error:  # a fault in a job: nobody may go on as if it were written
                self._fail(batch, error)
                raise
            with self._state:
                self._committed += len(batch)
                for job in batch:
                    entry = self._pending.get(job.key) if job.key is not None else None
                    if entry is not None and entry[0] <= self._committed:
                        del self._pending[job.key]
                self._state.notify_all()
            for job, answer in zip(batch, answers, strict=True):
                if job.done is not None:
                    job.done.set_result(answer)

    def _next_batch(self) -> list[_Job]:
        with self._state:
            self._state.wait_for(lambda: self._queue or self._closing)
            # What came while the batch before was written is due at once where it has waited long enough there.
            rest = max(0.0, self._queued_since + LINGER - time.monotonic())
            self._state.wait_for(lambda: self._hurry or self._closing or not self._has_room(), timeout=rest)
            batch = self._queue[:BATCH_ROWS]
            del self._queue[:BATCH_ROWS]
            self._queued_bytes -= sum(job.size for job in batch)
            self._hurry = self._hurry and bool(self._queue)
            self._state.notify_all()
            return batch

    def _write(self, batch: list[_Job]) -> list[Any]:
        assert self._writer is not None
        self._writer.execute("BEGIN IMMEDIATE")
        try:
            answers = []
            for job in batch:
                if job.done is not None:  # it may read what was put before it
                    self._write_gathered(self._writer)
                answers.append(job.run(self._writer))
            self._write_gathered(self._writer)
            self._writer.execute("COMMIT")
        except BaseException:
            with contextlib.suppress(sqlite3.Error):  # a full disk has rolled back already
                self._writer.execute("ROLLBACK")
            raise
        return answers

    def _write_gathered(self, writer: sqlite3.Connection) -> None:
        for write in self._gathered:
            write(writer)

    def _fail(self, batch: list[_Job], error: BaseException) -> None:
        reason = str(error)
        if isinstance(error, OSError) and error.strerror:
            reason = f"{error.strerror}: {error.filename}" if error.filename else error.strerror
        with self._state:
            lost = self._accepted - self._committed
            self._error = StorageError(
                f"{self.path} cannot be written ({reason}): the last {lost} finished calls and results are not kept; "
                "mend the disk and start the run again, which goes on from what was kept"
            )
            waiting = [job.done for job in (*batch, *self._queue) if job.done is not None]
            self._queue = []
            self._state.notify_all()
        for done in waiting:
            self._error_told = True
            done.set_exception(error if isinstance(error, EduflowError) else StorageError(str(self._error)))


def unreadable(path: Path, error: sqlite3.Error) -> Exception:
    """What to raise for SQLite's trouble with reading: one sentence, or the error itself where the fault is ours."""
    if isinstance(error, sqlite3.ProgrammingError):
        return RuntimeError(f"{path} is closed") if "closed" in str(error) else error
    if isinstance(error, sqlite3.OperationalError):
        return InputError(f"cannot be read: {error}", path=path)
    return InputError(
        f"the journal is damaged ({error}): restore it, or move it away and start the run anew", path=path
    )


def _set_up(path: Path, connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA cache_size = -32768")
    version = _schema_version(path, connection) if _has_tables(connection) else 0
    # The set-up itself is forced to the disk, so that a run folder never holds a configuration without a journal.
    connection.execute("PRAGMA synchronous = FULL")
    for number, statements in enumerate(MIGRATIONS[version:], start=version + 1):
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)")
        for statement in statements:
            connection.execute(statement)
        connection.execute("INSERT OR REPLACE INTO meta VALUES ('schema_version', ?)", (str(number),))
        connection.execute("COMMIT")
    connection.execute("PRAGMA synchronous = NORMAL")


def _has_tables(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is not None


def _schema_version(path: Path, connection: sqlite3.Connection) -> int:
    row = None
    if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'meta'").fetchone() is not None:
        row = connection.execute("SELECT value FROM meta WHERE name = 'schema_version'").fetchone()
    if row is None or not str(row[0]).isdecimal():
        raise InputError("is not a journal of EduFlow", path=path)
    version = int(row[0])
    if version > SCHEMA_VERSION:
        raise InputError(
            f"the journal has schema {version} and this EduFlow knows up to {SCHEMA_VERSION}: use a newer EduFlow",
            path=path,
        )
    return version


def _connect_read_only(path: Path) -> tuple[sqlite3.Connection, Path | None]:
    """A connection for reading, and the folder of the copy that it reads where one had to be made.

    WAL needs a shared-memory file beside the journal, which a reader can't make in a read-only folder. There, a journal
    that was closed cleanly is read as immutable, and one whose writer was killed is copied with its log (without the
    shared-memory file no writer is alive, so the copy is whole).
    """
    try:
        return _probe(f"{path.absolute().as_uri()}?mode=ro"), None
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
            raise
    log = path.with_name(path.name + "-wal")
    try:
        if not log.exists() or log.stat().st_size == 0:
            return _probe(f"{path.absolute().as_uri()}?mode=ro&immutable=1"), None
        copy = Path(tempfile.mkdtemp(prefix="eduflow-"))
        for source in (path, log):
            shutil.copyfile(source, copy / source.name)
        return _probe(f"{(copy / path.name).as_uri()}?mode=rw"), copy
    except (sqlite3.OperationalError, OSError) as error:
        raise InputError(f"cannot be read: {error}", path=path) from None


def _probe(uri: str) -> sqlite3.Connection:
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False, timeout=60)
    try:
        connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()
        connection.execute("PRAGMA query_only = ON")
    except BaseException:
        connection.close()
        raise
    return connection
