from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from eduflow.errors import InputError
from eduflow.formats import format_of, open_problems, write_parquet
from eduflow.problem import ImageRef, Problem
from tests.support.pictures import picture
from tests.support.problems import make_problem


def test_problems_are_recognised_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / "p.parquet"
    problems = [make_problem(id=f"p{i}", extra={"n": i}) for i in range(200)]
    assert write_parquet(path, problems, Problem) == 200
    assert format_of(path) == "parquet"
    reading = open_problems(path)
    assert list(reading) == list(reading) == problems
    assert [problem.extra["n"] for problem in reading] == list(range(200))


def test_images_by_path_are_relative_and_bytes_are_kept(tmp_path: Path) -> None:
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "a.png").write_bytes(picture())
    images = (ImageRef(path=str(tmp_path / "set" / "a.png")), ImageRef(data=picture("JPEG"), sha256="0" * 64))
    problem = make_problem(images=images)
    write_parquet(tmp_path / "set" / "p.parquet", [problem], Problem)
    (tmp_path / "set").rename(tmp_path / "moved")
    (read,) = open_problems(tmp_path / "moved" / "p.parquet")
    assert read.images[0].path == str(tmp_path / "moved" / "a.png")
    assert read.images[0].read() == picture()
    assert read.images[1] == images[1]

    write_parquet(tmp_path / "e.parquet", [make_problem(images=read.images[:1])], Problem, images="embed")
    (embedded,) = open_problems(tmp_path / "e.parquet")
    assert embedded.images == (ImageRef(data=picture()),)


def test_columns_that_are_missing_or_empty_take_their_defaults(tmp_path: Path) -> None:
    row = {
        "id": "p1",
        "subject": "math",
        "stage": "middle",
        "type": "blank",
        "question": "2 + 3 = ____",
        "answers": ["5"],
        "language": "en",
        "solution": None,
        "grade": None,
    }
    schema = pa.schema([("solution", pa.list_(pa.string())), ("grade", pa.int64())])
    table = pa.table(
        {
            name: pa.array([value], schema.field(name).type if name in schema.names else None)
            for name, value in row.items()
        }
    )
    pq.write_table(table, tmp_path / "p.parquet")
    assert list(open_problems(tmp_path / "p.parquet")) == [make_problem()]


def test_a_bad_row_is_named_by_its_number(tmp_path: Path) -> None:
    path = tmp_path / "p.parquet"
    write_parquet(path, [make_problem(id=f"p{i}") for i in range(100)], Problem)
    table = pq.read_table(path).to_pylist()
    table[70]["subject"] = "history"
    pq.write_table(pa.Table.from_pylist(table, schema=pq.read_schema(path)), path)
    with pytest.raises(InputError, match=r"p\.parquet:71, field 'subject': unknown value 'history'"):
        list(open_problems(path))
    table[70] = {**table[70], "subject": "math", "extra": "{"}
    pq.write_table(pa.Table.from_pylist(table, schema=pq.read_schema(path)), path)
    with pytest.raises(InputError, match=r"p\.parquet:71, field 'extra': is not JSON"):
        list(open_problems(path))


def test_a_failed_write_leaves_nothing(tmp_path: Path) -> None:
    bad = make_problem(extra={"x": object()})
    with pytest.raises(InputError, match=r"p\.parquet:2: has no JSON form"):
        write_parquet(tmp_path / "p.parquet", [make_problem(), bad], Problem)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        write_parquet(tmp_path / "file" / "p.parquet", [make_problem()], Problem)
