"""`eduflow grade pairs`: rows in, one JSON line each out, and a sentence for a row that is none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from eduflow.cli.grade import app
from eduflow.errors import InputError
from eduflow.grade.pairs import parse_pair, read_pairs


def written(path: Path, *rows: object) -> Path:
    lines = [row if isinstance(row, bytes) else json.dumps(row, ensure_ascii=False).encode() for row in rows]
    path.write_bytes(b"\n".join(lines) + b"\n")
    return path


def graded(path: Path) -> list[dict[str, Any]]:
    result = CliRunner().invoke(app, ["pairs", str(path)], catch_exceptions=False)
    assert result.exit_code == 0
    return [json.loads(line) for line in result.stdout_bytes.split(b"\n") if line]


def test_one_line_for_each_row_in_order(tmp_path: Path) -> None:
    path = written(
        tmp_path / "pairs.jsonl",
        {"id": "a", "gold": "5", "answer": "5", "form": "final"},
        {"id": 7, "gold": "5", "answer": "6"},
        b"",
        {
            "gold": "5",
            "answer": "So it is \\boxed{5}.",
            "form": "output",
            "why": "other fields are left alone",
        },
        {"gold": "A", "answer": "A", "type": "mc", "question": None},
    )
    rows = graded(path)
    assert [(row.get("id"), row["line"], row["verdict"]) for row in rows] == [
        ("a", 1, "right"),
        (7, 2, "miss"),
        (None, 4, "right"),
        (None, 5, "right"),
    ]
    assert rows[2]["extracted"] == "5"
    assert all(row["comparator"] for row in rows)


def test_several_blanks_have_a_verdict_each(tmp_path: Path) -> None:
    path = written(
        tmp_path / "pairs.jsonl",
        {"gold": ["37", "20"], "answer": "\\boxed{37;21}"},
        {"gold": ["37", "20"], "answer": ["37", "20"], "form": "final"},
        {"gold": ["2", "-1"], "answer": "\\boxed{-1} and \\boxed{2}", "ordered": False},
        {"gold": ["5"], "answer": "5"},
    )
    rows = graded(path)
    assert [(row["verdict"], row["verdicts"], row["score"]) for row in rows] == [
        ("miss", ["right", "miss"], 0.5),
        ("right", ["right", "right"], 1),
        ("right", ["right", "right"], 1),
        ("right", ["right"], 1),
    ]
    assert rows[0]["extracted"] == ["37", "21"]
    assert len(rows[0]["comparator"]) == 2


def test_a_row_without_a_form_is_an_output_where_its_answer_is_explicit(tmp_path: Path) -> None:
    path = written(
        tmp_path / "pairs.jsonl",
        {"gold": "12", "answer": "Adding up, the answer is 12."},
        {"gold": "12", "answer": "<think>\\boxed{12}</think> \\boxed{13}"},
        {"gold": "12", "answer": "<think>\\boxed{12}"},
        {"gold": "photosynthesis", "answer": "photosynthesis"},
        {"gold": "12", "answer": "There are twelve at first, then some, and 12 in the long run of things."},
    )
    assert [row["verdict"] for row in graded(path)] == ["right", "miss", "miss", "right", "miss"]


def test_a_line_separator_inside_a_text_is_no_end_of_a_line(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_bytes('{"gold": "5", "answer": "a\u2028b\u0085c"}\r\n{"gold": "5", "answer": "5"}'.encode())
    assert [row["line"] for row in graded(path)] == [1, 2]


def test_half_a_surrogate_pair_is_a_miss_and_no_fault(tmp_path: Path) -> None:
    path = written(tmp_path / "pairs.jsonl", b'{"gold": "5", "answer": "\\ud800"}')
    assert graded(path)[0]["verdict"] == "miss"


@pytest.mark.parametrize(
    ("row", "field", "said"),
    [
        ({"answer": "5"}, "gold", "is missing"),
        ({"gold": "5"}, "answer", "is missing"),
        ({"gold": None, "answer": "5"}, "gold", "is missing"),
        ({"gold": 5, "answer": "5"}, "gold", "string"),
        ({"gold": [], "answer": "5"}, "gold", "empty"),
        ({"gold": " ", "answer": "5"}, "gold", "empty"),
        ({"gold": ["5", ""], "answer": "5"}, "gold", "empty"),
        ({"gold": "5", "answer": 5}, "answer", "string"),
        ({"gold": "5", "answer": ["5", "6"]}, "answer", "list of 1"),
        ({"gold": ["5", "6"], "answer": ["5", 6]}, "answer", "list of 2"),
        ({"gold": ["5"], "answer": ["5"], "form": "output"}, "answer", "one string"),
        ({"gold": "5", "answer": "5", "form": "box"}, "form", "'final' or 'output'"),
        ({"gold": "5", "answer": "5", "form": ["final"]}, "form", "'final' or 'output'"),
        ({"gold": "5", "answer": "5", "type": 1}, "type", "string"),
        ({"gold": "5", "answer": "5", "question": 1}, "question", "string"),
        ({"gold": "5", "answer": "5", "subject": 1}, "subject", "string"),
        ({"gold": "5", "answer": "5", "ordered": "yes"}, "ordered", "true or false"),
        ({"gold": "5", "answer": "5", "options": "A"}, "options", "object"),
        ({"gold": "5", "answer": "5", "options": {"A": 1}}, "options", "text"),
    ],
)
def test_a_row_that_is_no_pair_names_file_line_and_field(
    tmp_path: Path, row: dict[str, Any], field: str, said: str
) -> None:
    path = written(tmp_path / "pairs.jsonl", {"gold": "5", "answer": "5"}, row)
    with pytest.raises(InputError) as caught:
        list(read_pairs(path))
    assert (caught.value.path, caught.value.line, caught.value.field) == (str(path), 2, field)
    assert said in caught.value.message


@pytest.mark.parametrize(
    "line", [b"{", b"[]", b'"5"', b"nul", b'{"gold": "\xff"}', b"[" * 100_000, b'{"gold": NaN}']
)
def test_a_line_that_is_no_object_names_file_and_line(tmp_path: Path, line: bytes) -> None:
    path = written(tmp_path / "pairs.jsonl", {"gold": "5", "answer": "5"}, line)
    with pytest.raises(InputError) as caught:
        list(read_pairs(path))
    assert (caught.value.path, caught.value.line) == (str(path), 2)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        list(read_pairs(tmp_path / "nothing.jsonl"))


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("mc", "choice"),
        ("选择题", "choice"),
        ("fill", "blank"),
        ("Free", "free"),
        ("adversarial", "blank"),
        (None, "blank"),
    ],
)
def test_types_go_by_their_common_names(name: str | None, known: str) -> None:
    assert parse_pair({"gold": "5", "answer": "5", "type": name}).type == known
