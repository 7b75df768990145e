"""A run folder: configuration, results, problems, stops, images, and reading it from elsewhere."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from eduflow.engine import Image, Run, StorageError
from eduflow.engine import blobs as blobs_module
from eduflow.engine import store as store_module
from eduflow.errors import ConfigError, InputError
from tests.support.runs import key_of, process, read_only, stored

CONFIG = "c" * 64


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    with Run.open(tmp_path / "run") as opened:
        yield opened


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that other users may enter, which pytest's own don't let them."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


# Configuration


def test_the_configuration_comes_back_and_is_readable_json(run: Run) -> None:
    assert run.read_config() is None
    assert run.read_about() == {}
    run.write_config({"solver": {"name": "模型", "temperature": 0.0}, "modes": ["cot"]}, {"shard": "1/2"})
    assert run.read_config() == {"solver": {"name": "模型", "temperature": 0.0}, "modes": ["cot"]}
    assert run.read_about() == {"shard": "1/2"}
    assert json.loads((run.folder / "run.json").read_text())["schema_version"] == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "is not JSON"),
        ("[1]", "is not the configuration of a run"),
        ('{"schema_version": 1}', "is not the configuration of a run"),
        ('{"schema_version": 7, "config": {}}', "use a newer EduFlow"),
        (b"\xff\xfe", "is not JSON"),
    ],
)
def test_a_broken_configuration_is_one_sentence(run: Run, content: str | bytes, message: str) -> None:
    data = content.encode() if isinstance(content, str) else content
    (run.folder / "run.json").write_bytes(data)
    with pytest.raises(InputError, match=message):
        run.read_config()


def test_a_configuration_that_is_no_json_leaves_the_old_one(run: Run) -> None:
    run.write_config({"seed": 1})
    with pytest.raises(ValueError):
        run.write_config({"seed": float("nan")})
    assert run.read_config() == {"seed": 1}
    assert not list(run.folder.glob(".*"))


# Folders that are no runs


def test_opening_what_is_no_run_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("text")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("text")
    (tmp_path / "empty").mkdir()
    for opening in (Run.read, lambda path: Run.open(path, create=False)):
        with pytest.raises(InputError, match="missing: there is no run"):
            opening(tmp_path / "missing")
        with pytest.raises(InputError, match="is a file"):
            opening(tmp_path / "file")
        with pytest.raises(InputError, match="no run in this folder"):
            opening(tmp_path / "empty")
    with pytest.raises(InputError, match="holds other files and no run"):
        Run.open(tmp_path / "mine")
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["thesis.txt"]
    with pytest.raises(StorageError, match="cannot be made"):
        Run.open(tmp_path / "file" / "run")
    Run.open(tmp_path / "empty").close()
    assert not (tmp_path / "missing").exists()


def test_a_lost_journal_is_told_and_not_begun_anew(run: Run) -> None:
    run.write_config({"seed": 1})
    run.close()
    (run.folder / "journal.sqlite").write_bytes(b"")
    with pytest.raises(InputError, match=r"missing or empty although run\.json is there"):
        Run.open(run.folder)
    (run.folder / "journal.sqlite").unlink()
    with pytest.raises(InputError, match=r"missing or empty although run\.json is there"):
        Run.open(run.folder)
    (run.folder / "run.json").unlink()
    Run.open(run.folder).close()


# Results


def test_a_result_belongs_to_item_configuration_and_revision(run: Run) -> None:
    run.put_result("a", CONFIG, "1", b"one")
    run.put_result("a", CONFIG, "2", b"two")
    run.put_result("a", "d" * 64, "1", b"three")
    for _ in range(2):
        assert run.result("a", CONFIG, "1") == b"one"
        assert run.result("a", CONFIG, "2") == b"two"
        assert run.result("a", "d" * 64, "1") == b"three"
        assert run.result("b", CONFIG, "1") is None
        assert run.result("a", "e" * 64, "1") is None
        run.flush()


def test_another_result_for_the_same_item_is_refused(run: Run) -> None:
    run.put_result("a", CONFIG, "1", b"one")
    for _ in range(2):
        run.put_result("a", CONFIG, "1", b"one")
        with pytest.raises(ValueError, match="'a' has another result"):
            run.put_result("a", CONFIG, "1", b"two")
        run.flush()
    assert list(run.results(CONFIG, "1")) == [("a", b"one")]


def test_results_stream_in_the_order_they_were_put(run: Run) -> None:
    names = [f"item {number * 7919 % 1000}" for number in range(1_000)]
    for name in names:
        run.put_result(name, CONFIG, "1", name.encode())
        run.put_result(name, CONFIG, "2", b"other")
    assert [(name, name.encode()) for name in names] == list(run.results(CONFIG, "1"))
    assert run.count_results(CONFIG, "1") == 1_000


def test_results_are_read_a_page_at_a_time(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(1_000):
        run.put_result(str(number), CONFIG, "1", b"")
    sizes = []
    rows = run.store.rows

    def counted(sql: str, parameters: tuple[object, ...] = ()) -> list[store_module.Row]:
        found = rows(sql, parameters)
        sizes.append(len(found))
        return found

    monkeypatch.setattr(run.store, "rows", counted)
    assert sum(1 for _ in run.results(CONFIG, "1")) == 1_000
    assert max(sizes) == store_module.PAGE_ROWS


def test_results_may_be_put_while_results_are_read(run: Run) -> None:
    for number in range(5):
        run.put_result(str(number), CONFIG, "1", b"")
    seen = []
    for name, _ in run.results(CONFIG, "1"):
        seen.append(name)
        if int(name) < 3:
            run.put_result(str(int(name) + 5), CONFIG, "1", b"")
    assert seen[:5] == ["0", "1", "2", "3", "4"]
    assert list(run.results(CONFIG, "1"))[5:] == [("5", b""), ("6", b""), ("7", b"")]


def test_deleted_results_can_be_put_anew(run: Run) -> None:
    for name in ("a", "b", "c"):
        run.put_result(name, CONFIG, "1", b"old")
    run.put_result("a", CONFIG, "2", b"old")
    assert run.delete_results(CONFIG, "1", ["b", "nobody"]) == 1
    assert not run.has_result("b", CONFIG, "1")
    run.put_result("b", CONFIG, "1", b"new")
    assert list(run.results(CONFIG, "1")) == [("a", b"old"), ("c", b"old"), ("b", b"new")]
    assert run.delete_results(CONFIG, "1") == 3
    assert list(run.results(CONFIG, "1")) == []
    assert list(run.results(CONFIG, "2")) == [("a", b"old")]


def test_a_result_never_becomes_durable_before_its_calls(run: Run) -> None:
    with Run.read(run.folder) as other:
        for number in range(3_000):
            run.journal.put(stored(number))
            run.put_result(str(number), CONFIG, "1", b"")
            if number % 100 == 0:
                for name, _ in other.results(CONFIG, "1"):
                    assert other.journal.get(key_of(name)) is not None
        run.flush()
        assert other.count_results(CONFIG, "1") == 3_000


# Problems, stops, images


def test_a_problem_is_kept_once_and_another_under_its_id_is_refused(run: Run) -> None:
    run.put_problem("p", "题目".encode())
    run.put_problem("q", b"")
    for _ in range(2):
        run.put_problem("p", "题目".encode())
        with pytest.raises(InputError, match="another problem with the id 'p'"):
            run.put_problem("p", b"other")
        with pytest.raises(InputError, match="another problem with the id 'q'"):
            run.put_problem("q", b"other")
        assert run.problem("p") == "题目".encode()
        assert run.problem("r") is None
        run.flush()
    assert list(run.problems()) == [("p", "题目".encode()), ("q", b"")]


def test_stops_stay_until_they_are_cleared(run: Run) -> None:
    run.put_stop("a", 3, "time")
    run.put_stop("b", 0, "cost")
    run.put_stop("a", 4, "time")
    assert run.stops() == {"a": (4, "time"), "b": (0, "cost")}
    run.close()
    with Run.open(run.folder) as again:
        assert again.stops() == {"a": (4, "time"), "b": (0, "cost")}
        again.clear_stops()
        assert again.stops() == {}


def test_blobs_are_kept_by_hash_and_checked(run: Run) -> None:
    name = run.put_blob(b"picture")
    assert run.put_blob(b"picture") == name
    assert run.blob(name) == b"picture"
    assert run.blob("0" * 64) is None
    for wrong in ("", "../../etc/passwd", name.upper(), name[:-1]):
        with pytest.raises(ValueError, match="not a sha256"):
            run.blob(wrong)
    assert run.check() == []
    pack = run.folder / "blobs" / "1.pack"
    for damage in (b"Picture", b"pict"):
        pack.write_bytes(damage)
        with pytest.raises(InputError, match="damaged"):
            run.blob(name)
        assert len(run.check()) == 1
    pack.unlink()
    with pytest.raises(InputError, match=r"1\.pack: cannot be read"):
        run.blob(name)
    assert len(run.check()) == 1


def test_an_empty_blob_is_kept_as_any_other(tmp_path: Path) -> None:
    for _ in range(2):
        with Run.open(tmp_path / "run") as run:
            name = run.put_blob(b"")
    with Run.read(tmp_path / "run") as run:
        assert run.blob(name) == b""
        assert run.check() == []


def test_a_blob_is_seen_by_a_reader_beside_the_writer(run: Run) -> None:
    with Run.read(run.folder) as reader:
        for data in (b"one", b"two"):
            name = run.put_blob(data)
            assert reader.blob(name) is None
            run.flush()
            assert reader.blob(name) == data


def test_a_full_pack_is_followed_by_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blobs_module, "PACK_BYTES", 100)
    data = [bytes([number]) * 60 for number in range(6)]
    names = []
    for half in (data[:3], data[3:]):
        with Run.open(tmp_path / "run") as run:
            for content in half:
                names.append(run.put_blob(content))
                run.flush()
    packs = sorted((tmp_path / "run" / "blobs").iterdir())
    assert [(pack.name, pack.stat().st_size) for pack in packs] == [
        ("1.pack", 120),
        ("2.pack", 120),
        ("3.pack", 120),
    ]
    with Run.read(tmp_path / "run") as reader:
        assert [reader.blob(name) for name in names] == data
        assert reader.check() == []


def test_more_blobs_than_one_write_takes_are_all_kept(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blobs_module, "_BUFFERS", 7)
    writev = os.writev
    # A system that writes less than it was asked to.
    monkeypatch.setattr(os, "writev", lambda file, parts: writev(file, [parts[0], parts[1][:3]]))
    names = [run.put_blob(b"blob %d" % number) for number in range(100)]
    run.flush()
    assert [run.blob(name) for name in names] == [b"blob %d" % number for number in range(100)]
    assert run.check() == []


def test_bytes_that_a_killed_process_left_without_a_row_are_cut_off(tmp_path: Path) -> None:
    blobs = tmp_path / "run" / "blobs"
    with Run.open(tmp_path / "run") as run:
        first = run.put_blob(b"first")
    with (blobs / "1.pack").open("ab") as pack:
        pack.write(b"half of an ima")
    (blobs / "2.pack").write_bytes(b"rolled, and killed before the commit")
    with Run.open(tmp_path / "run") as run:
        second = run.put_blob(b"second")
    assert (blobs / "1.pack").read_bytes() == b"firstsecond"
    with Run.read(tmp_path / "run") as run:
        assert (run.blob(first), run.blob(second)) == (b"first", b"second")


@pytest.mark.parametrize("left", [b"", b"first", b"firstsec"])
def test_blobs_that_a_power_cut_took_are_kept_again_when_they_are_put_again(
    tmp_path: Path, left: bytes
) -> None:
    data = [b"first", b"second", b"third"]
    with Run.open(tmp_path / "run") as run:
        for content in data:
            run.put_blob(content)
            run.flush()
    (tmp_path / "run" / "blobs" / "1.pack").write_bytes(left)
    with Run.open(tmp_path / "run") as run:
        names = [run.put_blob(content) for content in data]
        run.flush()
        assert [run.blob(name) for name in names] == data
        assert run.check() == []


def test_blobs_that_cannot_be_written_are_told(tmp_path: Path) -> None:
    run = Run.open(tmp_path / "run")
    (run.folder / "blobs").write_text("in the way")
    run.put_blob(b"picture")
    with pytest.raises(StorageError, match=r"cannot be written .*blobs"):
        run.flush()
    run.close()


def test_a_file_that_may_not_grow_ends_the_run_and_the_next_one_goes_on(tmp_path: Path) -> None:
    code = """if True:
        import resource, signal, sys
        from eduflow.engine import Run, StorageError
        run = Run.open(sys.argv[1])
        run.put_blob(b"kept")
        run.flush()
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))
        run.put_blob(bytes(1_500_000))
        try:
            run.flush()
        except StorageError as error:
            assert "File too large" in str(error), error
            print("ready", flush=True)
        """
    with process(code, str(tmp_path / "run")) as child:
        child.wait()
    assert (tmp_path / "run" / "blobs" / "1.pack").stat().st_size == 1_000_000
    with Run.open(tmp_path / "run") as run:
        name = run.put_blob(bytes(1_500_000))
        run.flush()
        assert run.blob(name) == bytes(1_500_000)
        assert run.check() == []
    assert (tmp_path / "run" / "blobs" / "1.pack").stat().st_size == 1_500_004


def test_a_summary_counts_calls_by_model_purpose_and_outcome(run: Run) -> None:
    run.journal.put(stored("a"))
    run.journal.put(stored("b", prompt_tokens=0, completion_tokens=None))
    run.journal.put(stored("c", outcome="truncated"))
    run.journal.put(stored("d", tag="judge", identity="other"))
    run.put_result("a", CONFIG, "1", b"")
    run.put_problem("a", b"")
    run.put_stop("b", 1, "time")
    summary = run.summary()
    assert [(count.identity, count.tag, count.outcome, count.calls) for count in summary.calls] == [
        ("other", "judge", "ok", 1),
        ("toy@1", "solve", "ok", 2),
        ("toy@1", "solve", "truncated", 1),
    ]
    assert (summary.calls[1].prompt_tokens, summary.calls[1].completion_tokens) == (12, 5)
    assert summary.results == ((CONFIG, "1", 1),)
    assert (summary.problems, summary.stops) == (1, 1)
    assert summary.journal_bytes > 0


# Reading from elsewhere

WRITER = """
import sys, time
from eduflow.engine import Run
from tests.support.runs import stored
run = Run.open(sys.argv[1])
run.journal.put(stored("first"))
run.flush()
print("ready", flush=True)
for line in sys.stdin:
    run.journal.put(stored(line.strip()))
    run.put_result(line.strip(), "c" * 64, "1", b"done")
    run.flush()
    print("written", flush=True)
"""


def test_a_run_is_read_while_another_process_writes_it(tmp_path: Path) -> None:
    with process(WRITER, str(tmp_path / "run")) as writer, Run.read(tmp_path / "run") as run:
        assert run.journal.get(key_of("first")) == stored("first")
        assert run.journal.get(key_of("second")) is None
        assert writer.stdin is not None
        assert writer.stdout is not None
        writer.stdin.write("second\n")
        writer.stdin.flush()
        assert writer.stdout.readline() == "written\n"
        assert run.journal.get(key_of("second")) == stored("second")
        assert run.result("second", CONFIG, "1") == b"done"


def test_reading_takes_no_lock(run: Run) -> None:
    run.close()
    with Run.read(run.folder), Run.read(run.folder), Run.open(run.folder) as writer:
        writer.put_result("a", CONFIG, "1", b"")


def test_what_was_opened_for_reading_is_not_written(run: Run) -> None:
    with Run.read(run.folder) as reading:
        assert reading.read_only
        assert reading.journal.read_only
        for write in (
            lambda: reading.journal.put(stored("a")),
            lambda: reading.put_result("a", CONFIG, "1", b""),
            lambda: reading.put_problem("a", b""),
            lambda: reading.put_stop("a", 1, "time"),
            lambda: reading.write_config({}),
            lambda: reading.put_blob(b"picture"),
            lambda: reading.clear_stops(),
            lambda: reading.delete_results(CONFIG, "1"),
        ):
            with pytest.raises(RuntimeError, match="opened for reading"):
                write()


def fill(folder: Path) -> None:
    with Run.open(folder) as run:
        run.write_config({"seed": 1})
        run.journal.put(stored("first"), [Image(b"picture", "image/png")])
        run.put_result("a", CONFIG, "1", b"done")


def test_a_run_in_a_read_only_folder_is_read(open_folder: Path) -> None:
    folder = open_folder / "run"
    fill(folder)
    with read_only(folder):
        assert not os.access(folder, os.W_OK, effective_ids=True)
        with Run.read(folder) as run:
            assert run.journal.get(key_of("first")) == stored("first")
            assert list(run.results(CONFIG, "1")) == [("a", b"done")]
            assert run.read_config() == {"seed": 1}
        with pytest.raises(ConfigError, match="the lock cannot be opened"):
            Run.open(folder)


@pytest.mark.parametrize("keep_shared_memory", [True, False])
def test_a_killed_run_in_a_read_only_folder_is_read_with_its_log(
    open_folder: Path, keep_shared_memory: bool
) -> None:
    folder = open_folder / "run"
    with process(WRITER, str(folder)):
        pass  # killed at the end of the block, with the first call only in the log
    assert (folder / "journal.sqlite-wal").stat().st_size > 0
    if not keep_shared_memory:
        (folder / "journal.sqlite-shm").unlink()
    before = set(Path(tempfile.gettempdir()).glob("eduflow-*"))
    with read_only(folder), Run.read(folder) as run:
        assert run.journal.get(key_of("first")) == stored("first")
    assert set(Path(tempfile.gettempdir()).glob("eduflow-*")) == before
