"""The set of keys never forgets one, and seldom claims one that it was not given."""

from __future__ import annotations

import hashlib
from pathlib import Path

from eduflow.engine import Run, StoredCall
from eduflow.engine.keyset import KeySet


def key(number: int) -> bytes:
    return hashlib.sha256(b"%d" % number).digest()


def test_a_key_that_was_added_is_always_found() -> None:
    keys = KeySet()
    for number in range(20_000):
        keys.add(key(number))
    assert all(key(number) in keys for number in range(20_000))


def test_a_key_that_was_not_added_is_hardly_ever_found() -> None:
    keys = KeySet()
    assert key(0) not in keys
    for number in range(20_000):
        keys.add(key(number))
    assert sum(key(number) in keys for number in range(20_000, 60_000)) <= 2


def call(number: int) -> StoredCall:
    return StoredCall(key(number), "m", 0, "", "ok", b"{}", b'{"text": "x"}', 1, 1, 1, 0.1)


def test_a_journal_finds_what_was_put_before_and_after_its_first_look(tmp_path: Path) -> None:
    with Run.open(tmp_path / "run") as run:
        for number in range(50):
            run.journal.put(call(number))
        assert run.journal.get(key(3)) == call(3)
        for number in range(50, 100):
            run.journal.put(call(number))
        run.flush()
        assert all(run.journal.get(key(number)) == call(number) for number in range(100))
        assert run.journal.get(key(100)) is None
    with Run.open(tmp_path / "run") as run:
        run.journal.put(call(100))
        assert all(run.journal.get(key(number)) == call(number) for number in range(101))
        assert run.journal.get(key(101)) is None
