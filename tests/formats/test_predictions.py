from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from eduflow.errors import InputError
from eduflow.formats import Prediction, read_predictions


def jsonl(path: Path, *rows: Any) -> Path:
    path.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows))
    return path


def test_jsonl_rows_with_their_lines(tmp_path: Path) -> None:
    path = jsonl(
        tmp_path / "o.jsonl",
        {"id": "a", "output": "x\u2028y"},
        "",
        {"id": 7, "output": "", "sample": 2, "mode": "cot", "finish_reason": "length", "model": "m"},
        {"id": "a", "output": None},
    )
    assert list(read_predictions(path)) == [
        Prediction("a", "x\u2028y", line=1),
        Prediction("7", "", 2, "cot", "length", 3, {"model": "m"}),
        Prediction("a", None, line=4),
    ]


def test_csv_rows(tmp_path: Path) -> None:
    path = tmp_path / "o.csv"
    path.write_text('id,output,sample,mode\na,"line 1\nline 2",1,direct\nb,,,\n')
    first, second = read_predictions(path)
    assert (first.output, first.sample, first.mode, first.line) == ("line 1\nline 2", 1, "direct", 2)
    assert (second.output, second.sample, second.mode, second.line) == ("", 0, None, 4)


def test_other_names_of_columns(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "o.jsonl", {"qid": "a", "response": "x", "id": "ignored", "n": 1})
    (prediction,) = read_predictions(path, {"id": "qid", "output": "response"})
    assert (prediction.id, prediction.output, prediction.extra) == ("a", "x", {"n": 1})
    with pytest.raises(InputError, match="no field 'text'"):
        read_predictions(path, {"text": "response"})


def test_half_a_surrogate_pair_from_a_model_is_mended(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "o.jsonl", '{"id": "a", "output": "x\\ud83dy"}')
    assert next(iter(read_predictions(path))).output == "x\ufffdy"


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"id": "b"}, "field 'output': is missing"),
        ({"output": "x"}, "field 'id': is missing"),
        ({"id": "", "output": "x"}, "field 'id': is empty"),
        ({"id": "b", "output": ["x"]}, "field 'output': is not a text but list"),
        ({"id": "b", "output": "x", "sample": -1}, "field 'sample'"),
        ({"id": "b", "output": "x", "sample": True}, "field 'sample'"),
        ({"id": "b", "output": "x", "mode": 3}, "field 'mode'"),
        ("{", "is not JSON"),
        ("[]", "is not a JSON object"),
        ('{"id": "b", "output": "x", "p": NaN}', "NaN"),
    ],
)
def test_a_bad_row_is_named_or_counted(tmp_path: Path, row: Any, words: str) -> None:
    path = jsonl(tmp_path / "o.jsonl", {"id": "a", "output": "x"}, row)
    with pytest.raises(InputError) as caught:
        list(read_predictions(path))
    assert str(caught.value).startswith(f"{path}:2")
    assert words in str(caught.value)
    reading = read_predictions(path, on_bad="skip")
    assert len(list(reading)) == 1
    assert reading.skipped.counts == {"broken_row": 1}


def test_over_long_rows_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("eduflow.formats.predictions.MAX_LINE", 100)
    monkeypatch.setattr("eduflow.formats.predictions.read_lines.__defaults__", (100,))
    path = jsonl(tmp_path / "o.jsonl", {"id": "a", "output": "x" * 200}, {"id": "b", "output": "y"})
    reading = read_predictions(path)
    assert [prediction.id for prediction in reading] == ["b"]
    assert reading.skipped.counts == {"over_long": 1}
    assert reading.skipped.rows[0].line == 1
