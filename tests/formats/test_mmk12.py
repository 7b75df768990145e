from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PIL import Image

from eduflow.errors import InputError, MissingExtra
from eduflow.formats import format_of, open_problems
from eduflow.solve import load_image
from tests.support.fake_hub import FakeHub
from tests.support.pictures import picture

CHOICE = "<image>Which lamp lights up? ( )\nA. L1\nB. L2\nC. both\nD. none"


def row(number: int, **changes: Any) -> dict[str, Any]:
    return {
        "id": f"r{number}",
        "question": f"<image>The area of the square with side {number} is ____ cm².",
        "answer": f"$${number * number}$$",
        "subject": "math",
        "image": {"bytes": picture(), "path": None},
        **changes,
    }


def parquet_bytes(*rows: dict[str, Any]) -> bytes:
    buffer = io.BytesIO()
    image = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
    kinds = [(name, pa.string()) for name in ("id", "question", "answer", "subject")]
    schema = pa.schema([*kinds, ("image", image)])
    pq.write_table(pa.Table.from_pylist(list(rows), schema=schema), buffer, row_group_size=2)
    return buffer.getvalue()


def put(path: Path, *rows: dict[str, Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(parquet_bytes(*rows))
    return path


def test_fill_ins_and_choices(tmp_path: Path) -> None:
    path = put(
        tmp_path / "test-00000-of-00001.parquet",
        row(4),
        row(5, question=CHOICE, answer="C", subject="physics"),
        row(6, question="<image>看图，正确的是 ( )", answer="B", subject="biology"),
    )
    assert format_of(path) == format_of(tmp_path) == "mmk12"
    fill, choice, shown = open_problems(path)
    assert (fill.type, fill.answers, fill.cell, fill.extra) == (
        "blank",
        ("$$16$$",),
        "math-middle",
        {"assumed": ["stage"]},
    )
    assert (choice.type, choice.answers, choice.subject) == ("choice", ("C",), "physics")
    assert [option.text for option in choice.options] == ["L1", "L2", "both", "none"]
    assert choice.question == CHOICE
    assert (shown.type, shown.options, shown.language) == ("choice", (), "zh")
    assert {p.stage for p in open_problems(path, defaults={"stage": "high"})} == {"high"}


def test_a_single_letter_of_the_train_split_is_the_name_of_a_point(tmp_path: Path) -> None:
    path = put(
        tmp_path / "train-00000-of-00001.parquet", row(1, question="The centre is point ____.", answer="B")
    )
    (problem,) = open_problems(path)
    assert (problem.type, problem.answers) == ("blank", ("B",))


@pytest.mark.parametrize("mode", ["RGB", "L", "RGBA", "P", "LA"])
def test_pictures_of_every_mode_can_be_sent(tmp_path: Path, mode: str) -> None:
    path = put(tmp_path / "test.parquet", row(1, image={"bytes": picture(mode=mode), "path": "a.png"}))
    (problem,) = open_problems(path, "mmk12")
    sent = Image.open(io.BytesIO(load_image(problem.images[0]).data))
    assert sent.size == (40, 30)


def test_broken_pictures_are_counted_and_listed(tmp_path: Path) -> None:
    broken: list[Any] = [
        {"bytes": b"no picture", "path": None},
        {"bytes": picture()[:100], "path": None},
        {"bytes": picture("JPEG")[:-100], "path": None},
        {"bytes": picture("WEBP")[:60], "path": None},
        {"bytes": b"", "path": None},
        None,
    ]
    path = put(
        tmp_path / "a.parquet", row(0), *(row(i, image=image) for i, image in enumerate(broken, 1)), row(9)
    )
    reading = open_problems(path, "mmk12", on_bad="strict")
    assert [problem.id for problem in reading] == ["r0", "r9"]
    assert reading.skipped.counts == {"broken_image": 6}
    assert [skip.line for skip in reading.skipped.rows] == [2, 3, 4, 5, 6, 7]
    assert all("a.parquet" in skip.detail for skip in reading.skipped.rows)


def test_a_bad_row_is_counted_or_named(tmp_path: Path) -> None:
    path = put(tmp_path / "a.parquet", row(1), row(2, answer=None), row(3, subject="art"), row(4))
    reading = open_problems(path)
    assert len(list(reading)) == 2
    assert reading.skipped.counts == {"broken_row": 2}
    with pytest.raises(InputError, match=r"a\.parquet:2, field 'answer'"):
        list(open_problems(path, on_bad="strict"))


def test_a_folder_of_one_split_is_read_in_order_and_two_splits_are_not_mixed(tmp_path: Path) -> None:
    for part in range(2):
        put(tmp_path / "data" / f"train-0000{part}-of-00002.parquet", row(2 * part), row(2 * part + 1))
    assert [problem.id for problem in open_problems(tmp_path)] == ["r0", "r1", "r2", "r3"]
    put(tmp_path / "data" / "test-00000-of-00001.parquet", row(7))
    with pytest.raises(InputError, match=r"more than one split; name one, as in 'data/train-\*\.parquet'"):
        list(open_problems(tmp_path))
    assert len(list(open_problems(tmp_path / "data" / "train-*.parquet"))) == 4
    with pytest.raises(InputError, match="holds no Parquet file"):
        list(open_problems(tmp_path / "data" / "dev-*.parquet", "mmk12"))


def test_an_id_that_stands_in_two_files_names_both(tmp_path: Path) -> None:
    put(tmp_path / "train-0.parquet", row(1))
    put(tmp_path / "train-1.parquet", row(2), row(1))
    with pytest.raises(
        InputError, match=r"train-1\.parquet:2.*'r1' stands already on line 1 of .*train-0\.parquet"
    ):
        list(open_problems(tmp_path, on_bad="strict"))


def test_damaged_files_are_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    whole = parquet_bytes(*(row(i) for i in range(20)))
    for content in (b"PAR1 no", whole[:500], b""):
        path.write_bytes(content)
        with pytest.raises(InputError, match=r"a\.parquet"):
            list(open_problems(path))
    middle = bytearray(whole)
    middle[40:400] = bytes(360)
    path.write_bytes(bytes(middle))
    with pytest.raises(InputError, match=r"a\.parquet"):
        list(open_problems(path, "mmk12"))


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeHub]:
    old = {"data/test-00000-of-00001.parquet": parquet_bytes(row(1))}
    new = {
        "README.md": b"# MMK12",
        "data/test-00000-of-00001.parquet": parquet_bytes(row(2), row(3, question=CHOICE, answer="A")),
        "data/train-00000-of-00002.parquet": parquet_bytes(row(4)),
        "data/train-00001-of-00002.parquet": parquet_bytes(row(5)),
    }
    constants = pytest.importorskip("huggingface_hub.constants")
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_XET", True)
    with FakeHub("FanqingM/MMK12", {"main": new, "a" * 40: old}) as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        yield hub


def test_the_hub_by_name(hub: FakeHub) -> None:
    reading = open_problems("mmk12")
    assert [problem.id for problem in reading] == ["r2", "r3"]
    assert not any("train" in path and "resolve" in path for path in hub.asked)
    assert [problem.id for problem in open_problems("mmk12:train")] == ["r4", "r5"]
    assert [problem.id for problem in open_problems("mmk12:test")] == ["r2", "r3"]


def test_a_pinned_revision_is_asked_for_and_kept(hub: FakeHub) -> None:
    name = "mmk12:test@" + "a" * 40
    assert [problem.id for problem in open_problems(name)] == ["r1"]
    fetched = len([path for path in hub.asked if path.startswith("GET") and "resolve" in path])
    assert [problem.id for problem in open_problems(name)] == ["r1"]
    assert len([path for path in hub.asked if path.startswith("GET") and "resolve" in path]) == fetched == 1


def test_what_the_hub_does_not_have_is_one_sentence(hub: FakeHub, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match=r"FanqingM/MMK12 \(test\): cannot be had from http://127") as caught:
        open_problems("mmk12@" + "b" * 40)
    assert "\n" not in str(caught.value)
    with pytest.raises(InputError, match="unknown split"):
        open_problems("mmk12:dev")
    with pytest.raises(InputError, match="no file train-"):
        open_problems("mmk12:train@" + "a" * 40)
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(InputError, match=r"cannot be had from http://127\.0\.0\.1:9"):
        open_problems("mmk12:train")


def test_without_the_libraries_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(tmp_path / "a.parquet", row(1))
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(MissingExtra, match=r"eduflow\[hub\]"):
        open_problems("mmk12")
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    monkeypatch.delattr(pa, "parquet")
    with pytest.raises(MissingExtra, match=r"eduflow\[parquet\]"):
        open_problems(path)
