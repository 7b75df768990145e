from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from eduflow.errors import InputError
from eduflow.formats import open_problems, read_table
from eduflow.problem import Problem
from tests.support.refusal import refusal

DEFAULTS = {"subject": "math", "stage": "middle", "type": "blank"}
COLUMNS = {"question": "Q", "answer": "A"}


def csv_file(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.write_bytes(text.encode(encoding))
    return path


def only(path: Path, **options: Any) -> Problem:
    (problem,) = read_table(path, **options)
    return problem


def test_columns_defaults_and_what_follows_from_them(tmp_path: Path) -> None:
    path = csv_file(tmp_path / "t.csv", 'Q,A,teacher\n"3, 4 之和是____",7,王\n"3 + 5 = ____",8,\n')
    first, second = open_problems(path, columns=COLUMNS, defaults=DEFAULTS)
    assert (first.id, first.cell, first.type, first.language) == ("t-2", "math-middle", "blank", "zh")
    assert first.answers == ("7",)
    assert first.extra == {"teacher": "王"}
    assert (second.id, second.language, second.extra) == ("t-3", "en", {})


def test_fields_are_found_under_their_own_names(tmp_path: Path) -> None:
    text = "id,question,answer,subject,grade,type,language\n5,几?,1,物理,8,填空题,zh\n"
    problem = only(csv_file(tmp_path / "t.csv", text))
    assert (problem.id, problem.subject, problem.stage, problem.grade) == ("5", "physics", "middle", 8)


def test_several_answers_are_a_json_array_and_commas_split_nothing(tmp_path: Path) -> None:
    text = 'Q,A\na?,"[""1"", ""2""]"\nb?,"1, 2"\nc?,"[1, 2)"\nd?,"[1, 2]"\n'
    rows = list(read_table(csv_file(tmp_path / "t.csv", text), COLUMNS, DEFAULTS))
    assert [row.answers for row in rows] == [("1", "2"), ("1, 2",), ("[1, 2)",), ("[1, 2]",)]


def test_options_in_columns_in_json_or_in_the_question(tmp_path: Path) -> None:
    defaults = {"subject": "math", "stage": "high"}
    columns = {"options.A": "a", "options.B": "b", "options.C": "c"}
    problem = only(
        csv_file(tmp_path / "t.csv", 'question,answer,a,b,c\nWhich?,"B, A",1,2,\n'),
        columns=columns,
        defaults=defaults,
    )
    assert (problem.type, problem.answers) == ("choice", ("AB",))
    assert [(option.key, option.text) for option in problem.options] == [("A", "1"), ("B", "2")]
    assert problem.extra == {"options_in_question": False}

    cells = ['{"A": "x", "B": "y"}', '["x", "y"]', "A. x\nB. y"]
    for cell in cells:
        rows = [["question", "answer", "options"], ["Which?", "B", cell]]
        with (tmp_path / "u.csv").open("w", newline="") as stream:
            csv.writer(stream).writerows(rows)
        problem = only(tmp_path / "u.csv", defaults=defaults)
        assert [option.text for option in problem.options] == ["x", "y"]

    inside = csv_file(tmp_path / "v.csv", 'question,answer\n"Which?\nA. x\nB. y\nC. z",C\n')
    problem = only(inside, defaults={**defaults, "type": "choice"})
    assert (len(problem.options), problem.extra) == (3, {"options_in_question": True})


def test_images_are_relative_to_the_table(tmp_path: Path) -> None:
    text = 'question,answer,image\na?,1,fig/a.png\nb?,2,"[""x.png"", ""y.png""]"\nc?,3,\n'
    rows = list(read_table(csv_file(tmp_path / "t.csv", text), defaults=DEFAULTS))
    paths = [[image.path for image in row.images] for row in rows]
    assert paths == [
        [str(tmp_path / "fig" / "a.png")],
        [str(tmp_path / "x.png"), str(tmp_path / "y.png")],
        [],
    ]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030", "gbk"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_encodings_and_separators_of_spreadsheets(tmp_path: Path, encoding: str, separator: str) -> None:
    text = f"Q{separator}A\r\n三角形内角和是多少度？{separator}180\r\n"
    problem = only(csv_file(tmp_path / "t.csv", text, encoding), columns=COLUMNS, defaults=DEFAULTS)
    assert (problem.question, problem.answers, problem.language) == ("三角形内角和是多少度？", ("180",), "zh")


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    for content in (b"Q,A\ncaf\xe9,1\n", b"Q,A\n\xff\xff\xff,1\n"):
        path.write_bytes(content)
        with pytest.raises(InputError, match="save it as UTF-8"):
            list(read_table(path, COLUMNS, DEFAULTS))


def test_line_numbers_count_lines_inside_cells(tmp_path: Path) -> None:
    text = 'Q,A\n"two\nlines",1\n\nlast,\n'
    with pytest.raises(InputError, match=r"t\.csv:5, field 'answers'"):
        list(read_table(csv_file(tmp_path / "t.csv", text), COLUMNS, DEFAULTS))


@pytest.mark.parametrize(
    ("text", "columns", "defaults", "words"),
    [
        ("Q,A\na,1,2\n", COLUMNS, DEFAULTS, r"t\.csv:2: has 3 cells, the header 2"),
        ("Q,Q\na,1\n", COLUMNS, DEFAULTS, r"t\.csv:1: the column 'Q' stands twice"),
        ("", COLUMNS, DEFAULTS, "no header line"),
        ('Q,A\n"a,1\nb,2\n', COLUMNS, DEFAULTS, r"t\.csv:2: is not CSV"),
        ("Q,B\na,1\n", COLUMNS, DEFAULTS, r"field 'answers': there is no column 'A'; the row has: Q, B"),
        ("Q,A\na,1\n", {"frage": "Q"}, DEFAULTS, "no field 'frage'; known: id, question"),
        (
            "Q,A\na,1\n",
            COLUMNS,
            {"stage": "high", "type": "blank"},
            "field 'subject': is missing; map a column",
        ),
        ("Q,A\na,1\n", COLUMNS, {"subject": "math", "stage": "high"}, "field 'type': is missing"),
        (
            "Q,A,s\na,1,art\n",
            {**COLUMNS, "subject": "s"},
            DEFAULTS,
            "'subject': .column 's'. unknown subject 'art'",
        ),
        ("Q,A,grade\na,1,ten\n", COLUMNS, {**DEFAULTS}, "field 'grade': is not a number"),
        ("Q,A,grade\na,1,11\n", COLUMNS, DEFAULTS, "grade 11 is not in stage 'middle'"),
        ("Q,A\n ,1\n", COLUMNS, DEFAULTS, "'question': .column 'Q'. is missing"),
    ],
)
def test_a_bad_table_is_one_sentence(
    tmp_path: Path, text: str, columns: dict[str, str], defaults: dict[str, str], words: str
) -> None:
    path = csv_file(tmp_path / "t.csv", text)
    with pytest.raises(InputError, match=words) as caught:
        list(read_table(path, columns, defaults))
    assert "\n" not in str(caught.value)


def test_jsonl_tables_with_lists_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    rows = [
        {"nr": 1, "Q": "a?", "A": ["1", "2"], "images": ["a.png"]},
        {"nr": 2, "Q": "b?", "A": "3", "options": {"A": "x", "B": "y"}},
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    first, second = open_problems(path, columns={**COLUMNS, "id": "nr"}, defaults=DEFAULTS)
    assert (first.id, first.answers, first.images[0].path) == ("1", ("1", "2"), str(tmp_path / "a.png"))
    assert [option.text for option in second.options] == ["x", "y"]


def test_repeated_ids_are_refused(tmp_path: Path) -> None:
    path = csv_file(tmp_path / "t.csv", "id,question,answer\n1,a?,1\n2,b?,2\n1,c?,3\n")
    with pytest.raises(InputError, match=r"t\.csv:4, field 'id': the id '1' stands already on line 2"):
        list(read_table(path, defaults=DEFAULTS))


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.binary(max_size=120)
    | st.text(alphabet='Q,A;"\n\r\t甲1[{', max_size=60).map(lambda text: text.encode())
)
def test_any_bytes_are_a_table_or_an_input_error(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "fuzz.csv"
    path.write_bytes(b"Q,A\n" + content)
    assert refusal(lambda: list(read_table(path, COLUMNS, DEFAULTS))) != ""
    assert refusal(lambda: list(read_table(path, COLUMNS, DEFAULTS, on_bad="skip"))) != ""


_cell = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=15).filter(
    lambda text: text.strip() and text.strip()[0] not in "[{"
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(_cell, _cell), min_size=1, max_size=5))
def test_cells_come_back_as_they_were(tmp_path: Path, cells: list[tuple[str, str]]) -> None:
    path = tmp_path / "t.csv"
    with path.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows([("Q", "A"), *cells])
    problems = list(read_table(path, COLUMNS, DEFAULTS))
    assert [(problem.question, problem.answers[0]) for problem in problems] == cells
