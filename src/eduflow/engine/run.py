"""A run is a folder: its configuration, the journal of its model calls, its results and its images.

    run.json         the configuration, written once
    journal.sqlite   calls, results, problems, stops, and where each image lies
    blobs/           images, one after the other
    lock             held by the process that writes

Rows of one run become durable in the order in which they were put: a result that is there implies that its calls are.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from eduflow.engine.blobs import Blobs
from eduflow.engine.files import atomic_write
from eduflow.engine.journal import Journal, unzipped, zipped
from eduflow.engine.lock import LOCK_FILE, FolderLock
from eduflow.engine.store import StorageError, Store
from eduflow.errors import InputError

CONFIG_FILE = "run.json"
JOURNAL_FILE = "journal.sqlite"
BLOBS_FOLDER = "blobs"
CONFIG_VERSION = 1

_SCOPE = "(SELECT id FROM scopes WHERE config = ? AND revision = ?)"


@dataclass(frozen=True, slots=True)
class CallCount:
    """The calls of one endpoint, purpose and outcome: how many, their tokens as far as known, their HTTP attempts."""

    identity: str
    tag: str
    outcome: str
    calls: int
    prompt_tokens: int
    completion_tokens: int
    attempts: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Summary:
    """What a run holds. `results` are counts by configuration hash and revision; `journal_bytes` includes the log."""

    calls: tuple[CallCount, ...]
    results: tuple[tuple[str, str, int], ...]
    problems: int
    stops: int
    journal_bytes: int


class Run:
    """An open run. `Run.open` writes and holds the folder's lock, `Run.read` only reads and takes none.

    `journal` holds the calls; `store` and `blobs` are what it lies in, for `runs merge`. All methods may be called from any thread. Those that put something raise `StorageError` once the journal can no
    longer be written, and RuntimeError where the run was opened for reading.
    """

    def __init__(self, folder: Path, store: Store, lock: FolderLock | None) -> None:
        self.folder = folder
        self.store = store
        self._lock = lock
        self.blobs = Blobs(folder / BLOBS_FOLDER, store)
        self.journal = Journal(store, self.blobs)
        self._order = threading.Lock()

    @staticmethod
    def open(path: str | Path, *, create: bool = True) -> Run:
        """Open a run for writing and lock its folder.

        Args:
            path: the folder.
            create: make it where it is missing; otherwise that is an error.

        Raises:
            ConfigError: another process writes the run, or the file system has no working locks.
            InputError: there is no run, the folder holds something else, or the journal is damaged or too new.
            StorageError: the folder or the journal cannot be made.
        """
        folder = Path(path)
        if not create or folder.exists():
            _check_folder(folder, empty_is_fine=create)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StorageError(f"{folder} cannot be made: {error.strerror}") from None
        lock = FolderLock(folder)
        try:
            journal = folder / JOURNAL_FILE
            if (folder / CONFIG_FILE).exists() and not (journal.is_file() and journal.stat().st_size):
                raise InputError(
                    f"is missing or empty although {CONFIG_FILE} is there: put it back, or remove {CONFIG_FILE} to "
                    "start anew",
                    path=journal,
                )
            return Run(folder, Store.open(journal), lock)
        except BaseException:
            lock.release()
            raise

    @staticmethod
    def read(path: str | Path) -> Run:
        """Open a run for reading only: also while another process writes it, and in a read-only folder.

        Raises:
            InputError: there is no run, or its journal is damaged or has another schema.
        """
        folder = Path(path)
        _check_folder(folder, empty_is_fine=False)
        return Run(folder, Store.read(folder / JOURNAL_FILE), None)

    @property
    def read_only(self) -> bool:
        return self.store.read_only

    def flush(self) -> None:
        """Wait until everything that was put is committed. `journal.flush()` is the same for coroutines."""
        self.store.flush()

    def close(self) -> None:
        """Commit what is queued, close the journal and unlock the folder. Doing it twice is harmless.

        Raises:
            StorageError: a write failed and no earlier call has said so.
        """
        try:
            self.store.close()
        finally:
            if self._lock is not None:
                self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # Configuration

    def read_config(self) -> dict[str, Any] | None:
        """What decides the run's results, as it was written; None where nothing was.

        Raises:
            InputError: run.json is unreadable or from a newer EduFlow.
        """
        content = self._read_run_file()
        return None if content is None else content["config"]

    def read_about(self) -> dict[str, Any]:
        """What else was written beside the configuration; empty where nothing was."""
        content = self._read_run_file()
        return {} if content is None else content["about"]

    def write_config(self, config: Mapping[str, Any], about: Mapping[str, Any] | None = None) -> None:
        """Write run.json, whole or not at all.

        Args:
            config: JSON values that decide the results: `runs merge` demands that they agree. Never a key.
            about: JSON values that may differ between the shards of one run: shard, machine, versions, times.
        """
        if self.read_only:
            raise RuntimeError(f"{self.folder} was opened for reading only")
        content = {"schema_version": CONFIG_VERSION, "config": dict(config), "about": dict(about or {})}
        with atomic_write(self.folder / CONFIG_FILE) as file:
            json.dump(content, file, ensure_ascii=True, indent=2, allow_nan=False)
            file.write("\n")

    def _read_run_file(self) -> dict[str, Any] | None:
        path = self.folder / CONFIG_FILE
        try:
            content = json.loads(path.read_bytes())
        except FileNotFoundError:
            return None
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", path=path) from None
        except ValueError as error:
            raise InputError(f"is not JSON: {error}", path=path) from None
        version = content.get("schema_version") if isinstance(content, dict) else None
        if isinstance(version, int) and version > CONFIG_VERSION:
            raise InputError(
                f"has schema {version} and this EduFlow knows {CONFIG_VERSION}: use a newer EduFlow",
                path=path,
            )
        if version != CONFIG_VERSION or not isinstance(content.get("config"), dict):
            raise InputError("is not the configuration of a run", path=path)
        content.setdefault("about", {})
        return content  # type: ignore[no-any-return]

    # Results

    def has_result(self, item: str, config: str, revision: str) -> bool:
        """Whether the item has its result, committed or queued."""
        if self.store.peek(("result", item, config, revision)) is not None:
            return True
        sql = f"SELECT 1 FROM results WHERE item = ? AND scope = {_SCOPE}"  # noqa: S608
        return self.store.row(sql, (item, config, revision)) is not None

    def result(self, item: str, config: str, revision: str) -> bytes | None:
        """The item's result, committed or queued; None where it has none.

        Args:
            item: what was worked on: a problem's id, with whatever else tells items of one run apart.
            config: hash of the configuration that decides the result.
            revision: revision of the algorithm.
        """
        pending: bytes | None = self.store.peek(("result", item, config, revision))
        if pending is not None:
            return pending
        sql = f"SELECT payload FROM results WHERE item = ? AND scope = {_SCOPE}"  # noqa: S608
        row = self.store.row(sql, (item, config, revision))
        return None if row is None else unzipped(row[0], self.store.path)

    def put_result(self, item: str, config: str, revision: str, payload: bytes) -> None:
        """Keep the item's result. Putting the same again changes nothing.

        Raises:
            ValueError: it has another result already; `delete_results` first.
        """
        with self._order:
            old = self.result(item, config, revision)
            if old == payload:
                return
            if old is not None:
                raise ValueError(f"item {item!r} has another result already")

            def write(connection: sqlite3.Connection) -> None:
                connection.execute(
                    "INSERT OR IGNORE INTO scopes (config, revision) VALUES (?, ?)", (config, revision)
                )
                connection.execute(
                    f"INSERT INTO results (scope, item, payload) VALUES ({_SCOPE}, ?, ?)",  # noqa: S608
                    (config, revision, item, zipped(payload)),
                )

            self.store.put(write, size=len(payload), key=("result", item, config, revision), value=payload)

    def results(self, config: str, revision: str) -> Iterator[tuple[str, bytes]]:
        """Item and result of every item, in the order in which they were put, streamed in flat memory.

        Results that are put meanwhile come at the end.
        """
        self.flush()
        sql = f"SELECT id, item, payload FROM results WHERE scope = {_SCOPE}"  # noqa: S608
        for page in self.store.pages(sql, (config, revision)):
            for _, item, payload in page:
                yield item, unzipped(payload, self.store.path)

    def count_results(self, config: str, revision: str) -> int:
        """How many items have their result."""
        self.flush()
        sql = f"SELECT count(*) FROM results WHERE scope = {_SCOPE}"  # noqa: S608
        row = self.store.row(sql, (config, revision))
        assert row is not None
        return int(row[0])

    def delete_results(self, config: str, revision: str, items: Iterable[str] | None = None) -> int:
        """Forget results, so that they are computed again from the journalled calls; returns how many there were.

        Args:
            items: only these; None for all of the configuration and revision.
        """
        names = None if items is None else list(items)

        def delete(connection: sqlite3.Connection) -> int:
            sql = f"DELETE FROM results WHERE scope = {_SCOPE}"  # noqa: S608
            if names is None:
                return connection.execute(sql, (config, revision)).rowcount
            rows = ((config, revision, name) for name in names)
            return connection.executemany(f"{sql} AND item = ?", rows).rowcount

        with self._order:
            return self.store.do(delete)

    # Problems

    def put_problem(self, item: str, payload: bytes) -> None:
        """Keep a problem as the run saw it. Putting the same again changes nothing.

        Raises:
            InputError: the run holds another problem under this id.
        """
        with self._order:
            old = self.problem(item)
            if old == payload:
                return
            if old is not None:
                raise InputError(f"the run holds another problem with the id '{item}'", path=self.folder)

            def write(connection: sqlite3.Connection) -> None:
                connection.execute(
                    "INSERT INTO problems (item, payload) VALUES (?, ?)", (item, zipped(payload))
                )

            self.store.put(write, size=len(payload), key=("problem", item), value=payload)

    def problem(self, item: str) -> bytes | None:
        """The problem with this id, committed or queued; None where there is none."""
        pending: bytes | None = self.store.peek(("problem", item))
        if pending is not None:
            return pending
        row = self.store.row("SELECT payload FROM problems WHERE item = ?", (item,))
        return None if row is None else unzipped(row[0], self.store.path)

    def problems(self) -> Iterator[tuple[str, bytes]]:
        """Id and payload of every problem, in the order in which they were put, streamed in flat memory."""
        self.flush()
        for page in self.store.pages("SELECT id, item, payload FROM problems WHERE 1"):
            for _, item, payload in page:
                yield item, unzipped(payload, self.store.path)

    # Stops

    def put_stop(self, item: str, step: int, reason: str) -> None:
        """Keep that a run-wide limit (time, money, Ctrl-C) ended the work on an item; a later stop replaces it.

        Args:
            item: the item.
            step: how far it had come, in the algorithm's own count. Replay stops there again.
            reason: which limit.

        Raises:
            ValueError: a text is no valid Unicode.
        """
        (item + reason).encode()  # fails here, and not on the writer's thread

        def write(connection: sqlite3.Connection) -> None:
            connection.execute("INSERT OR REPLACE INTO stops VALUES (?, ?, ?)", (item, step, reason))

        self.store.put(write, size=0)

    def stops(self) -> dict[str, tuple[int, str]]:
        """Step and reason of every stopped item."""
        self.flush()
        rows = self.store.rows("SELECT item, step, reason FROM stops ORDER BY rowid")
        return {item: (step, reason) for item, step, reason in rows}

    def clear_stops(self) -> None:
        """Forget the stops, so that the items go on (`--continue`)."""
        self.store.do(lambda connection: connection.execute("DELETE FROM stops").rowcount)

    # The whole

    def summary(self) -> Summary:
        """Counts of everything that is committed."""
        self.flush()
        calls = self.store.rows(
            """SELECT identity, tag, outcome, count(*), total(prompt_tokens), total(completion_tokens),
            total(attempts), total(seconds) FROM calls GROUP BY 1, 2, 3 ORDER BY 1, 2, 3"""
        )
        results = self.store.rows(
            """SELECT config, revision, count(*) FROM results JOIN scopes ON scopes.id = scope
            GROUP BY scope ORDER BY scope"""
        )
        ((problems, stops),) = self.store.rows(
            "SELECT (SELECT count(*) FROM problems), (SELECT count(*) FROM stops)"
        )
        files = (self.folder / (JOURNAL_FILE + suffix) for suffix in ("", "-wal"))
        return Summary(
            calls=tuple(
                CallCount(identity, tag, outcome, count, int(prompt), int(completion), int(attempts), seconds)
                for identity, tag, outcome, count, prompt, completion, attempts, seconds in calls
            ),
            results=tuple((config, revision, count) for config, revision, count in results),
            problems=problems,
            stops=stops,
            journal_bytes=sum(file.stat().st_size for file in files if file.exists()),
        )

    def check(self) -> list[str]:
        """Read the whole journal and every image; returns what is wrong with them, in sentences, or nothing."""
        self.flush()
        found = [row[0] for row in self.store.rows("PRAGMA integrity_check") if row[0] != "ok"]
        for digest in self.blobs.digests():
            try:
                self.blobs.get(digest.hex())
            except InputError as error:
                found.append(str(error))
        return found

    # Blobs

    def put_blob(self, data: bytes) -> str:
        """Keep bytes once, by their hash; returns the sha256. They are there before what is put later."""
        return self.blobs.put(data)

    def blob(self, sha256: str) -> bytes | None:
        """The bytes with this hash; None where there are none.

        Raises:
            InputError: they are damaged.
        """
        found = self.blobs.get(sha256)
        if found is None:
            self.flush()  # it may be queued with its call
            found = self.blobs.get(sha256)
        return found


def _check_folder(folder: Path, *, empty_is_fine: bool) -> None:
    if not folder.exists():
        raise InputError("there is no run", path=folder)
    if not folder.is_dir():
        raise InputError("is a file, and a run is a folder", path=folder)
    if (folder / JOURNAL_FILE).exists() or (empty_is_fine and (folder / LOCK_FILE).exists()):
        return
    if (folder / CONFIG_FILE).exists():
        raise InputError(f"holds {CONFIG_FILE} but no {JOURNAL_FILE}", path=folder)
    if not empty_is_fine:
        raise InputError("there is no run in this folder", path=folder)
    if any(folder.iterdir()):
        raise InputError("the folder holds other files and no run: name a new folder", path=folder)
