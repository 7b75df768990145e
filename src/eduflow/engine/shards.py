"""One run on several machines: each takes its shard of the items, and their runs are merged into one."""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from eduflow.engine.journal import INSERT, unzipped
from eduflow.engine.lock import LOCK_FILE, FolderLock
from eduflow.engine.run import Run
from eduflow.engine.store import Row
from eduflow.errors import ConfigError

MERGE_PAGE = 1_000
# What is going on: source folder, kind of row, how many are done, how many there are (None: not counted).
Progress = Callable[[Path, str, int, int | None], None]


def parse_shard(text: str) -> tuple[int, int]:
    """Read 'i/n' as (i, n), with 1 <= i <= n.

    Raises:
        ConfigError: it is something else.
    """
    match = re.fullmatch(r"\s*([0-9]{1,9})\s*/\s*([0-9]{1,9})\s*", text)
    if match is None:
        raise ConfigError(f"a shard is written i/n, for example 1/4, not '{text}'")
    index, count = int(match[1]), int(match[2])
    if not 1 <= index <= count:
        raise ConfigError(f"there is no shard {index}/{count}: with n shards they are numbered from 1 to n")
    return index, count


def in_shard(item: str, index: int, count: int) -> bool:
    """Whether the item belongs to shard `index` of `count` (from 1), by a hash of its id that never changes.

    Every item belongs to exactly one of the shards, whatever the order and number of the items.
    """
    digest = hashlib.sha256(item.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "big") % count == index - 1


@dataclass(slots=True)
class Tally:
    """What became of the rows of one kind.

    Args:
        new: were not there.
        known: were there, alike (or failed here and answered there).
        replaced: calls that had failed there and are answered now.
        conflicts: were there with other content, which stays.
    """

    new: int = 0
    known: int = 0
    replaced: int = 0
    conflicts: int = 0

    def add(self, other: Tally) -> None:
        self.new += other.new
        self.known += other.known
        self.replaced += other.replaced
        self.conflicts += other.conflicts


@dataclass(slots=True)
class Merged:
    """What a merge did, by kind of row. The sums are the rows of all sources."""

    calls: Tally = field(default_factory=Tally)
    results: Tally = field(default_factory=Tally)
    problems: Tally = field(default_factory=Tally)
    stops: Tally = field(default_factory=Tally)
    images: Tally = field(default_factory=Tally)


def merge_runs(out: str | Path, sources: Sequence[str | Path], progress: Progress | None = None) -> Merged:
    """Bring several runs of one configuration together in the run `out`, which is made where it is missing.

    It can be repeated and killed at any moment: what is there already is passed over. Each source is merged images
    first, then calls, and results last, in short transactions, so that at every moment a result implies its calls.
    Where two runs hold different content under one key the first that was merged stays.

    Raises:
        ConfigError: the configurations differ, or one of the runs is being written.
        InputError: a source is no run, or is damaged.
        StorageError: `out` cannot be written.
    """
    target = Path(out)
    folders = [Path(source) for source in sources]
    seen = {target.resolve(): "the merged run"}
    for folder in folders:
        if folder.resolve() in seen:
            raise ConfigError(f"{folder} is named twice: it is {seen[folder.resolve()]} as well")
        seen[folder.resolve()] = "a run to merge"
    tell = progress or (lambda folder, kind, done, total: None)
    with ExitStack() as stack:
        runs = []
        for folder in folders:
            if (folder / LOCK_FILE).exists():
                stack.callback(FolderLock(folder, shared=True).release)
            runs.append(stack.enter_context(Run.read(folder)))
        _check_configs(runs)
        merged_before = (target / "run.json").exists()
        if merged_before:
            with Run.read(target) as before:
                _check_configs([before, *runs])
        run = stack.enter_context(Run.open(target))
        config = runs[0].read_config() if runs else None
        if config is not None:
            origins = run.read_about().get("merged", [])
            for about in (source.read_about() for source in runs):
                if about not in origins:
                    origins.append(about)
            run.write_config(config, {"merged": origins})
        merged = Merged()
        for source in runs:
            _merge_one(run, source, merged, tell)
        return merged


def _merge_one(run: Run, source: Run, merged: Merged, tell: Progress) -> None:
    _merge_images(run, source, merged.images, tell)
    scopes = {row[0]: row[1:] for row in source.store.rows("SELECT id, config, revision FROM scopes")}
    kinds: tuple[tuple[str, str, Tally, Callable[[sqlite3.Connection, Row], str]], ...] = (
        (
            "problems",
            "SELECT id, item, payload FROM problems WHERE 1",
            merged.problems,
            lambda connection, row: _merge_problem(connection, row, run.store.path),
        ),
        (
            "calls",
            """SELECT id, key, identity, sample, tag, outcome, prompt_tokens, completion_tokens, attempts, seconds,
            request, reply FROM calls WHERE 1""",
            merged.calls,
            lambda connection, row: _merge_call(connection, row, run.store.path),
        ),
        (
            "stops",
            "SELECT rowid AS id, item, step, reason FROM stops WHERE 1",
            merged.stops,
            _merge_stop,
        ),
        (
            "results",
            "SELECT id, item, payload, scope FROM results WHERE 1",
            merged.results,
            lambda connection, row: _merge_result(connection, row, scopes[row[3]], run.store.path),
        ),
    )
    for kind, sql, tally, merge_row in kinds:
        # S608: one of the four words above.
        total = int(source.store.rows(f"SELECT count(*) FROM {kind}")[0][0])  # noqa: S608
        done = 0
        tell(source.folder, kind, done, total)
        for page in source.store.pages(sql, size=MERGE_PAGE):
            tally.add(run.store.do(_page_merger(merge_row, page)))
            done += len(page)
            tell(source.folder, kind, done, total)


def _page_merger(
    merge_row: Callable[[sqlite3.Connection, Row], str], page: list[Row]
) -> Callable[[sqlite3.Connection], Tally]:
    def merge(connection: sqlite3.Connection) -> Tally:
        tally = Tally()
        for row in page:
            word = merge_row(connection, row)
            setattr(tally, word, getattr(tally, word) + 1)
        return tally

    return merge


def _merge_images(run: Run, source: Run, tally: Tally, tell: Progress) -> None:
    for done, digest in enumerate(source.blobs.digests(), start=1):
        if run.blobs.holds(digest):
            tally.known += 1
        elif (data := source.blobs.get(digest.hex())) is not None:
            run.blobs.put(data)
            tally.new += 1
        if done % MERGE_PAGE == 0:
            tell(source.folder, "images", done, None)


def _merge_call(connection: sqlite3.Connection, row: Row, path: Path) -> str:
    key, outcome, reply = row[1], row[5], row[11]
    old = connection.execute("SELECT outcome, reply FROM calls WHERE key = ?", (key,)).fetchone()
    if old is not None:
        if old[0] != "failed" and outcome != "failed":
            return "known" if old[0] == outcome and _same(old[1], reply, path) else "conflicts"
        if outcome == "failed":
            return "known"
    connection.execute(INSERT, row[1:])
    return "new" if old is None else "replaced"


def _merge_result(connection: sqlite3.Connection, row: Row, scope: Row, path: Path) -> str:
    _, item, payload, _ = row
    connection.execute("INSERT OR IGNORE INTO scopes (config, revision) VALUES (?, ?)", scope)
    (number,) = connection.execute(
        "SELECT id FROM scopes WHERE config = ? AND revision = ?", scope
    ).fetchone()
    old = connection.execute(
        "SELECT payload FROM results WHERE item = ? AND scope = ?", (item, number)
    ).fetchone()
    if old is not None:
        return "known" if _same(old[0], payload, path) else "conflicts"
    connection.execute("INSERT INTO results (scope, item, payload) VALUES (?, ?, ?)", (number, item, payload))
    return "new"


def _merge_problem(connection: sqlite3.Connection, row: Row, path: Path) -> str:
    _, item, payload = row
    old = connection.execute("SELECT payload FROM problems WHERE item = ?", (item,)).fetchone()
    if old is not None:
        return "known" if _same(old[0], payload, path) else "conflicts"
    connection.execute("INSERT INTO problems (item, payload) VALUES (?, ?)", (item, payload))
    return "new"


def _merge_stop(connection: sqlite3.Connection, row: Row) -> str:
    stop = row[1:]
    old = connection.execute("SELECT item, step, reason FROM stops WHERE item = ?", (stop[0],)).fetchone()
    if old is not None:
        return "known" if old == stop else "conflicts"
    connection.execute("INSERT INTO stops VALUES (?, ?, ?)", stop)
    return "new"


def _same(one: bytes, other: bytes, path: Path) -> bool:
    # Another zlib may pack the same text in other bytes.
    return one == other or unzipped(one, path) == unzipped(other, path)


def _check_configs(runs: Sequence[Run]) -> None:
    first = runs[0].read_config() if runs else None
    for run in runs[1:]:
        config = run.read_config()
        if (first is None) != (config is None):
            without = run if config is None else runs[0]
            raise ConfigError(
                f"{without.folder} has no configuration (run.json), so nobody knows whether it fits"
            )
        for name, one, other in _differences(first, config):
            raise ConfigError(
                f"the configurations differ in '{name}': {_short(one)} in {runs[0].folder}, {_short(other)} in {run.folder}"
            )


_MISSING = object()


def _differences(one: Any, other: Any, name: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Fields that differ between two JSON values, named with dots."""
    if isinstance(one, dict) and isinstance(other, dict):
        for field_name in sorted({*one, *other}):
            inner = f"{name}.{field_name}" if name else field_name
            yield from _differences(one.get(field_name, _MISSING), other.get(field_name, _MISSING), inner)
    elif isinstance(one, bool) != isinstance(other, bool) or one != other:
        yield name, one, other


def _short(value: Any) -> str:
    if value is _MISSING:
        return "nothing"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "..."
