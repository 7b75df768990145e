"""Shards: every item in exactly one, and their runs merged into one."""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eduflow.engine import Image, Run
from eduflow.engine.lock import is_held
from eduflow.engine.shards import Merged, Tally, in_shard, merge_runs, parse_shard
from eduflow.errors import ConfigError, InputError
from tests.support.kill import run_and_kill
from tests.support.runs import ROOT, key_of, stored

CONFIG = "c" * 64


@given(st.text(), st.integers(1, 50))
def test_every_item_is_in_exactly_one_shard(item: str, count: int) -> None:
    assert sum(in_shard(item, index, count) for index in range(1, count + 1)) == 1


def test_shards_are_about_equal_and_stay_the_same() -> None:
    sizes = [sum(in_shard(f"problem-{number}", index, 4) for number in range(4_000)) for index in range(1, 5)]
    assert sum(sizes) == 4_000
    assert min(sizes) > 900
    # Shards that were cut on another day and another machine must be these.
    shards = {"a": 2, "b": 2, "c": 3, "圆": 3, "p-1": 3, "p-2": 3}
    assert all(in_shard(item, index, 3) for item, index in shards.items())


def test_a_shard_is_read_from_text() -> None:
    assert parse_shard("1/4") == (1, 4)
    assert parse_shard(" 3 / 3 ") == (3, 3)
    for text in ("", "1", "a/b", "1/4/2", "-1/4", "1.0/4", "１/4"):
        with pytest.raises(ConfigError, match="a shard is written i/n"):
            parse_shard(text)
    for text in ("0/4", "5/4", "0/0"):
        with pytest.raises(ConfigError, match="there is no shard"):
            parse_shard(text)


def make(folder: Path, items: list[str], *, seed: int = 1, shard: str = "", common: str = "same") -> None:
    with Run.open(folder) as run:
        run.write_config({"solver": {"model": "toy", "seed": seed}}, {"shard": shard})
        run.journal.put(stored("shared by all", text=common))
        for item in items:
            run.put_problem(item, item.encode())
            run.journal.put(
                stored(item), [Image(item.encode() * 100, "image/png"), Image(b"shared", "image/png")]
            )
            run.put_result(item, CONFIG, "1", b"result of " + item.encode())


def holds(folder: Path, items: list[str]) -> None:
    with Run.read(folder) as run:
        assert run.check() == []
        assert dict(run.results(CONFIG, "1")) == {item: b"result of " + item.encode() for item in items}
        assert run.count_results(CONFIG, "1") == len(items)
        assert dict(run.problems()) == {item: item.encode() for item in items}
        for item in items:
            assert run.journal.get(key_of(item)) == stored(item)
            image = Image(item.encode() * 100, "image/png")
            assert run.blob(image.sha256) == image.data


def test_merged_shards_hold_everything_once(tmp_path: Path) -> None:
    make(tmp_path / "1", ["a", "b"], shard="1/2")
    make(tmp_path / "2", ["c", "d", "e"], shard="2/2")
    merged = merge_runs(tmp_path / "all", [tmp_path / "1", tmp_path / "2"])
    assert merged == Merged(
        calls=Tally(new=6, known=1),
        results=Tally(new=5),
        problems=Tally(new=5),
        images=Tally(new=6, known=1),
    )
    holds(tmp_path / "all", ["a", "b", "c", "d", "e"])
    with Run.read(tmp_path / "all") as run:
        assert [item for item, _ in run.results(CONFIG, "1")] == ["a", "b", "c", "d", "e"]
        assert run.read_config() == {"solver": {"model": "toy", "seed": 1}}
        assert run.read_about() == {"merged": [{"shard": "1/2"}, {"shard": "2/2"}]}
    images = [b"shared", *(item.encode() * 100 for item in "abcde")]
    assert (tmp_path / "all" / "blobs" / "1.pack").stat().st_size == sum(map(len, images))


def test_merging_again_changes_nothing(tmp_path: Path) -> None:
    make(tmp_path / "1", ["a", "b"])
    make(tmp_path / "2", ["c"])
    sources = [tmp_path / "1", tmp_path / "2"]
    merge_runs(tmp_path / "all", sources)
    again = merge_runs(tmp_path / "all", sources)
    assert again == Merged(
        calls=Tally(known=5), results=Tally(known=3), problems=Tally(known=3), images=Tally(known=5)
    )
    holds(tmp_path / "all", ["a", "b", "c"])
    with Run.read(tmp_path / "all") as run:
        assert run.read_about() == {"merged": [{"shard": ""}]}


def test_configurations_that_differ_are_refused_by_the_name_of_the_field(tmp_path: Path) -> None:
    make(tmp_path / "1", ["a"], seed=1)
    make(tmp_path / "2", ["b"], seed=2)
    with pytest.raises(ConfigError, match=r"differ in 'solver\.seed': 1 in .*1, 2 in .*2"):
        merge_runs(tmp_path / "all", [tmp_path / "1", tmp_path / "2"])
    assert not (tmp_path / "all").exists()
    merge_runs(tmp_path / "all", [tmp_path / "1"])
    with pytest.raises(ConfigError, match=r"differ in 'solver\.seed'"):
        merge_runs(tmp_path / "all", [tmp_path / "2"])
    holds(tmp_path / "all", ["a"])


@pytest.mark.parametrize(
    ("one", "other", "name"),
    [
        ({"a": 1}, {"a": 1, "b": None}, "b"),
        ({"a": [1, 2]}, {"a": [1, 3]}, "a"),
        ({"a": 1}, {"a": True}, "a"),
        ({"a": {"b": 1}}, {"a": 1}, "a"),
    ],
)
def test_every_kind_of_difference_is_seen(
    tmp_path: Path, one: dict[str, object], other: dict[str, object], name: str
) -> None:
    for folder, config in (("1", one), ("2", other)):
        with Run.open(tmp_path / folder) as run:
            run.write_config(config)
    with pytest.raises(ConfigError, match=f"differ in '{name}'"):
        merge_runs(tmp_path / "all", [tmp_path / "1", tmp_path / "2"])


def test_a_run_without_a_configuration_does_not_fit_one_that_has_it(tmp_path: Path) -> None:
    make(tmp_path / "1", ["a"])
    Run.open(tmp_path / "2").close()
    with pytest.raises(ConfigError, match=r"2 has no configuration"):
        merge_runs(tmp_path / "all", [tmp_path / "1", tmp_path / "2"])


def test_conflicts_are_counted_and_the_first_stays(tmp_path: Path) -> None:
    make(tmp_path / "1", ["a"], common="one")
    make(tmp_path / "2", ["b"], common="two")
    with Run.open(tmp_path / "2") as run:
        run.put_result("a", CONFIG, "1", b"another result of a")
        run.put_problem("a", b"another a")
        run.put_stop("b", 2, "time")
    with Run.open(tmp_path / "1") as run:
        run.put_stop("b", 1, "time")
    merged = merge_runs(tmp_path / "all", [tmp_path / "1", tmp_path / "2"])
    assert merged.calls == Tally(new=3, conflicts=1)
    assert merged.results == Tally(new=2, conflicts=1)
    assert merged.problems == Tally(new=2, conflicts=1)
    assert merged.stops == Tally(new=1, conflicts=1)
    holds(tmp_path / "all", ["a", "b"])
    with Run.read(tmp_path / "all") as run:
        assert run.journal.get(key_of("shared by all")) == stored("shared by all", text="one")
        assert run.stops() == {"b": (1, "time")}


def test_an_answer_replaces_a_failure_whichever_comes_first(tmp_path: Path) -> None:
    for folder, outcome in (("failed", "failed"), ("answered", "ok")):
        with Run.open(tmp_path / folder) as run:
            run.journal.put(stored("a", outcome="failed" if outcome == "failed" else "ok"))
    failed, answered = tmp_path / "failed", tmp_path / "answered"
    assert merge_runs(tmp_path / "x", [failed, answered]).calls == Tally(new=1, replaced=1)
    assert merge_runs(tmp_path / "y", [answered, failed]).calls == Tally(new=1, known=1)
    for out in ("x", "y"):
        with Run.read(tmp_path / out) as run:
            assert run.journal.get(key_of("a")) == stored("a")


def test_runs_that_are_no_runs_busy_or_named_twice_are_refused(tmp_path: Path) -> None:
    make(tmp_path / "1", ["a"])
    make(tmp_path / "2", ["b"])
    with pytest.raises(InputError, match="there is no run"):
        merge_runs(tmp_path / "all", [tmp_path / "1", tmp_path / "3"])
    with pytest.raises(ConfigError, match="named twice"):
        merge_runs(tmp_path / "all", [tmp_path / "1", tmp_path / "1" / ".." / "1"])
    with pytest.raises(ConfigError, match="it is the merged run as well"):
        merge_runs(tmp_path / "1", [tmp_path / "2", tmp_path / "1"])
    with Run.open(tmp_path / "2"), pytest.raises(ConfigError, match="2 is in use by process"):
        merge_runs(tmp_path / "all", [tmp_path / "1", tmp_path / "2"])
    assert not (tmp_path / "all").exists()
    assert not is_held(tmp_path / "1")
    merge_runs(tmp_path / "all", [tmp_path / "1", tmp_path / "2"])


def test_a_damaged_source_is_one_sentence_and_what_was_merged_stays_whole(tmp_path: Path) -> None:
    make(tmp_path / "1", ["a"])
    make(tmp_path / "2", ["a"])
    with Run.open(tmp_path / "2") as run:
        run.store.do(lambda connection: connection.execute("UPDATE results SET payload = x'00'"))
    with pytest.raises(InputError, match="the journal is damaged"):
        merge_runs(tmp_path / "all", [tmp_path / "1", tmp_path / "2"])
    holds(tmp_path / "all", ["a"])


def test_progress_counts_every_row(tmp_path: Path) -> None:
    make(tmp_path / "1", [f"item {number}" for number in range(1_500)])
    told: list[tuple[str, int, int | None]] = []
    merge_runs(
        tmp_path / "all", [tmp_path / "1"], lambda folder, kind, done, total: told.append((kind, done, total))
    )
    assert [step for step in told if step[0] == "calls"] == [
        ("calls", 0, 1_501),
        ("calls", 1_000, 1_501),
        ("calls", 1_501, 1_501),
    ]
    assert ("images", 1_000, None) in told


@pytest.mark.timeout(90)
def test_a_merge_killed_at_any_moment_is_finished_by_another(tmp_path: Path) -> None:
    items = [f"item {number}" for number in range(2_000)]
    for number in (1, 2):
        make(tmp_path / str(number), items[number - 1 :: 2])
    code = "import sys; from eduflow.engine.shards import merge_runs; merge_runs(sys.argv[1], sys.argv[2:])"
    command = [sys.executable, "-c", code, *(str(tmp_path / name) for name in ("all", "1", "2"))]
    moments = random.Random(5)
    killed = 0
    for _ in range(5):
        ended = run_and_kill(command, moments.uniform(0.2, 0.6), cwd=ROOT)
        assert ended.killed or ended.returncode == 0, ended.output
        killed += ended.killed
        print("killed" if ended.killed else "finished")
        if (tmp_path / "all" / "journal.sqlite").exists():
            with Run.open(tmp_path / "all") as run:
                assert run.check() == []
                for item, _ in run.results(CONFIG, "1"):
                    assert run.journal.get(key_of(item)) is not None
    assert killed
    merge_runs(tmp_path / "all", [tmp_path / "1", tmp_path / "2"])
    holds(tmp_path / "all", items)
    assert not [name for _, _, names in os.walk(tmp_path / "1") for name in names if name.endswith(".tmp")]
