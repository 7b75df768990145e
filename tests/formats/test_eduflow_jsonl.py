from __future__ import annotations

import base64
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from eduflow.errors import InputError
from eduflow.formats import open_problems, read_nouns, read_parquet, write_jsonl, write_parquet
from eduflow.formats.lines import MAX_LINE
from eduflow.formats.rows import jsonl_rows, object_rows
from eduflow.labels import Label
from eduflow.problem import (
    BlankGrade,
    Critique,
    Grade,
    ImageRef,
    Noun,
    Option,
    Problem,
    Solution,
    Step,
    StepCritique,
    Trajectory,
    TrajectoryNode,
)
from tests.support.pictures import picture
from tests.support.refusal import refusal

ROW: dict[str, Any] = {
    "id": "p-1",
    "subject": "math",
    "stage": "middle",
    "type": "blank",
    "question": "3 + 4 = ____",
    "answers": ["7"],
    "language": "en",
}


def lines(path: Path, *rows: dict[str, Any] | str) -> Path:
    texts = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path.write_text("\n".join(texts) + "\n", "utf-8", newline="")
    return path


def test_a_reading_can_be_read_again(tmp_path: Path) -> None:
    reading = open_problems(lines(tmp_path / "p.jsonl", ROW, {**ROW, "id": "p-2"}))
    assert [problem.id for problem in reading] == ["p-1", "p-2"]
    assert [problem.id for problem in reading] == ["p-1", "p-2"]
    assert reading.skipped.total == 0


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({**ROW, "subject": "history"}, "field 'subject': unknown value 'history'"),
        ({**ROW, "type": "essay"}, "field 'type': unknown value 'essay'"),
        ({**ROW, "answers": []}, "field 'answers'"),
        ({**ROW, "colour": "red"}, "field 'colour': is not a field"),
        ({name: value for name, value in ROW.items() if name != "stage"}, "field 'stage': is missing"),
        ({**ROW, "images": [{"path": "http://example.org/a.png"}]}, "field 'images': is a web address"),
        ({**ROW, "images": [{"data": 5}]}, "field 'images"),
        ({**ROW, "images": [{}]}, "either a path or data"),
        ({**ROW, "images": [7]}, "field 'images"),
        ({**ROW, "images": [{"path": "a\0b"}]}, "NUL"),
        ({**ROW, "images": 5}, "field 'images'"),
        ('{"id": "p-2", ', "is not JSON"),
        ("[1]", "is not a JSON object"),
    ],
)
def test_a_bad_row_is_named_by_file_line_and_field(
    tmp_path: Path, row: dict[str, Any] | str, words: str
) -> None:
    path = lines(tmp_path / "p.jsonl", ROW, "", row)
    with pytest.raises(InputError) as caught:
        list(open_problems(path, "eduflow"))
    assert str(caught.value).startswith(f"{path}:3")
    assert words in str(caught.value)


def test_bad_rows_are_counted_and_listed_where_asked(tmp_path: Path) -> None:
    path = lines(tmp_path / "p.jsonl", ROW, "{", {**ROW, "id": "p-3", "stage": "x"}, {**ROW, "id": "p-4"})
    reading = open_problems(path, on_bad="skip")
    assert [problem.id for problem in reading] == ["p-1", "p-4"]
    assert reading.skipped.counts == {"broken_row": 2}
    assert [skip.line for skip in reading.skipped.rows] == [2, 3]
    assert "field 'stage'" in reading.skipped.rows[1].detail


def test_a_file_of_nothing_but_bad_rows_is_an_error_even_when_skipping(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r"none of the 2 rows could be read as eduflow; the first: .*p\.jsonl:1"
    ):
        list(open_problems(lines(tmp_path / "p.jsonl", {"a": 1}, {"b": 2}), "eduflow", on_bad="skip"))


def test_a_repeated_id_names_both_lines(tmp_path: Path) -> None:
    path = lines(tmp_path / "p.jsonl", ROW, {**ROW, "id": "p-2"}, ROW)
    with pytest.raises(InputError, match=r"p\.jsonl:3, field 'id': the id 'p-1' stands already on line 1"):
        list(open_problems(path))
    reading = open_problems(path, on_bad="skip")
    assert len(list(reading)) == 2
    assert reading.skipped.counts == {"broken_row": 1}


def test_an_over_long_row_is_counted_and_not_fatal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = lines(tmp_path / "p.jsonl", {**ROW, "question": "x" * 5000}, ROW)
    rows = list(jsonl_rows(path, max_line=1000))
    assert [row.line for row in rows] == [1, 2]
    monkeypatch.setattr("eduflow.formats.eduflow_jsonl.object_rows", lambda path: iter(rows))
    reading = open_problems(path)
    assert [problem.id for problem in reading] == ["p-1"]
    assert reading.skipped.counts == {"over_long": 1}
    assert MAX_LINE > 1_000_000


def test_paths_of_images_are_made_absolute_and_written_relative(tmp_path: Path) -> None:
    folder = tmp_path / "set"
    (folder / "figures").mkdir(parents=True)
    (folder / "figures" / "a.png").write_bytes(picture())
    path = lines(folder / "p.jsonl", {**ROW, "images": ["figures/../figures/a.png", {"path": "b c.png"}]})
    problem = next(iter(open_problems(path)))
    assert [image.path for image in problem.images] == [
        str(folder / "figures" / "a.png"),
        str(folder / "b c.png"),
    ]
    assert problem.images[0].read() == picture()

    elsewhere = tmp_path / "out" / "copy.jsonl.gz"
    assert write_jsonl(elsewhere, [problem]) == 1
    assert next(iter(open_problems(elsewhere))) == problem
    plain = tmp_path / "out" / "copy.jsonl"
    write_jsonl(plain, [problem])
    assert '"../set/figures/a.png"' in plain.read_text("utf-8")


def test_relative_paths_are_read_from_any_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines(tmp_path / "p.jsonl", {**ROW, "images": ["a.png"]})
    monkeypatch.chdir(tmp_path)
    problem = next(iter(open_problems("p.jsonl")))
    assert [image.path for image in problem.images] == [os.path.join(os.getcwd(), "a.png")]


def test_images_can_be_embedded(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(picture())
    problem = Problem.parse({**ROW, "images": [str(tmp_path / "a.png")]})
    write_jsonl(tmp_path / "p.jsonl", [problem], images="embed")
    read = next(iter(open_problems(tmp_path / "p.jsonl")))
    assert read.images == (ImageRef(data=picture()),)
    missing = Problem.parse({**ROW, "images": [str(tmp_path / "none.png")]})
    with pytest.raises(InputError, match="cannot read the image"):
        write_jsonl(tmp_path / "q.jsonl", [missing], images="embed")
    assert not (tmp_path / "q.jsonl").exists()


def test_a_data_address_is_an_embedded_image(tmp_path: Path) -> None:
    address = "data:image/png;base64," + base64.b64encode(picture()).decode()
    path = lines(tmp_path / "p.jsonl", {**ROW, "images": [address]})
    assert next(iter(open_problems(path))).images == (ImageRef(data=picture()),)


def test_base64_that_is_broken_is_counted_and_not_fatal(tmp_path: Path) -> None:
    path = lines(tmp_path / "p.jsonl", ROW, {**ROW, "id": "p-2", "images": [{"data": "%%"}]})
    reading = open_problems(path)
    assert [problem.id for problem in reading] == ["p-1"]
    assert reading.skipped.counts == {"broken_image": 1}
    assert reading.skipped.rows[0].line == 2


def test_an_array_in_a_json_file_is_read_too(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    path.write_text(json.dumps([ROW, {**ROW, "id": "p-2"}], indent=1), "utf-8")
    assert [problem.id for problem in open_problems(path)] == ["p-1", "p-2"]
    assert [row.line for row in object_rows(path)] == [1, 2]


def test_defaults_fill_what_a_row_does_not_have(tmp_path: Path) -> None:
    row = {name: value for name, value in ROW.items() if name != "stage"}
    path = lines(tmp_path / "p.jsonl", row, {**ROW, "id": "p-2"})
    stages = [problem.stage for problem in open_problems(path, defaults={"stage": "高中"})]
    assert stages == ["high", "middle"]


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    write_jsonl(path, [Problem.parse(ROW)])
    before = path.read_bytes()
    bad = Problem.parse({**ROW, "extra": {"x": float("nan")}})
    with pytest.raises(InputError, match=r"p\.jsonl:2: has no JSON form"):
        write_jsonl(path, [Problem.parse(ROW), bad])
    assert path.read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 1


def test_a_folder_with_problems_is_read_by_its_name(tmp_path: Path) -> None:
    lines(tmp_path / "problems.jsonl", ROW)
    assert len(list(open_problems(tmp_path))) == 1


NOUNS: list[Noun] = [
    Solution(problem_id="p", solver="m", mode="cot", text="1\n2", steps=(Step(text="1", start=0, end=1),)),
    Solution(
        problem_id="p", solver="m", mode="cot", sample=3, text="", outcome="failed", extra={"a": [1, None]}
    ),
    Grade(
        problem_id="p",
        solver="m",
        mode="direct",
        blanks=(
            BlankGrade(verdict=1, extracted="7", decided_by="comparator"),
            BlankGrade(verdict=0),
        ),
        score=0.5,
        calls=("ab",),
    ),
    Grade(problem_id="p", solver="m", mode="direct", blanks=(BlankGrade(verdict=None),), not_scored="failed"),
    Critique(
        problem_id="p",
        solver="m",
        mode="cot",
        critic="c",
        outcome="ok",
        split=(Step(text="两数", start=0, end=2), Step(text="3 + 4 = 7"), Step(text="7", start=9, end=10)),
        coverage=0.5,
        steps=(
            StepCritique(label=Label.CORRECT, score=1.0, explanation="fine", score_source="label"),
            StepCritique(label=None),
            StepCritique(label=Label.CALCULATION, score=0.25),
        ),
    ),
    Trajectory(
        problem_id="p",
        nodes=(TrajectoryNode(kind="summary", text="两数之和", score=0.5, value=0.25, visits=2),),
        answer="7",
        grade=Grade(
            problem_id="p", solver="m", mode="t", blanks=(BlankGrade(verdict=1),), score=1.0, sample=2
        ),
        filters=("all_correct",),
    ),
]


@pytest.mark.parametrize("noun", NOUNS, ids=lambda noun: type(noun).__name__)
def test_every_noun_comes_back_equal_from_both_formats(tmp_path: Path, noun: Noun) -> None:
    kind = type(noun)
    assert write_jsonl(tmp_path / "n.jsonl", [noun, noun]) == 2
    assert list(read_nouns(tmp_path / "n.jsonl", kind)) == [noun, noun]
    assert write_parquet(tmp_path / "n.parquet", [noun, noun], kind) == 2
    back = list(read_parquet(tmp_path / "n.parquet", kind))
    assert back == [noun, noun]
    assert getattr(back[0], "extra", None) == getattr(noun, "extra", None)


def test_a_row_of_another_noun_is_refused(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "n.jsonl", [NOUNS[0]])
    with pytest.raises(InputError, match=r"n\.jsonl:1, field"):
        list(read_nouns(tmp_path / "n.jsonl", Grade))


_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
_some = _text.filter(str.strip)


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    images = draw(
        st.lists(
            st.builds(ImageRef, data=st.binary(max_size=20))
            | st.builds(
                ImageRef, path=st.sampled_from(["/data/图 1.png", "/a/b.png"]), sha256=st.just("0" * 64)
            ),
            max_size=3,
        )
    )
    grade = draw(st.none() | st.integers(7, 9))
    return Problem(
        id=draw(_some),
        subject=draw(st.sampled_from(["math", "geography"])),
        stage="middle",
        grade=grade,
        type=draw(st.sampled_from(["choice", "blank", "free"])),
        question=draw(_some).replace("<image>", ""),
        images=tuple(images),
        options=tuple(Option(key=key, text=draw(_text)) for key in "ABCD"[: draw(st.integers(0, 4))]),
        answers=tuple(draw(st.lists(_some, min_size=1, max_size=3))),
        ordered=draw(st.booleans()),
        solution=tuple(draw(st.lists(_text, max_size=2))),
        knowledge_points=tuple(draw(st.lists(_text, max_size=2))),
        difficulty=draw(st.none() | st.floats(0, 1)),
        language=draw(st.sampled_from(["zh", "en"])),
        captions=tuple(draw(_text) for _ in images) if draw(st.booleans()) else (),
        group=draw(st.none() | _text),
        source=draw(st.none() | _text),
        extra=draw(st.dictionaries(_text, st.none() | st.integers() | st.lists(_text), max_size=3)),
    )


def both(folder: Path, rows: list[Problem]) -> Iterator[list[Problem]]:
    write_jsonl(folder / "p.jsonl", rows)
    yield list(read_nouns(folder / "p.jsonl", Problem))
    write_parquet(folder / "p.parquet", rows, Problem)
    yield list(read_parquet(folder / "p.parquet", Problem))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(problems(), max_size=4))
def test_a_problem_comes_back_as_it_went(tmp_path: Path, rows: list[Problem]) -> None:
    for back in both(tmp_path, rows):
        assert back == rows
        assert [problem.extra for problem in back] == [problem.extra for problem in rows]


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.binary(max_size=60) | st.sampled_from([json.dumps(ROW).encode(), b"\xef\xbb\xbf", b"\x1f\x8b"])
    )
)
def test_any_file_is_read_or_refused(tmp_path: Path, parts: list[bytes]) -> None:
    path = tmp_path / "fuzz.jsonl"
    path.write_bytes(b"\n".join(parts))
    assert "\n" not in (refusal(lambda: list(open_problems(path))) or "")
    assert "\n" not in (refusal(lambda: list(open_problems(path, "eduflow", on_bad="skip"))) or "")
    assert "\n" not in (refusal(lambda: list(open_problems(path, columns={"question": "id"}))) or "")
