"""The nouns: what they refuse, with the field named, and what they keep equal."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

from eduflow.errors import InputError
from eduflow.labels import LOSSY, PROFILES, TEXTS, Label, convert, from_name
from eduflow.problem import BlankGrade, Critique, Grade, ImageRef, Problem, StepCritique
from tests.support.problems import figure, make_problem, png

ROW = make_problem().model_dump()


@pytest.mark.parametrize(
    ("changes", "field", "said"),
    [
        ({"subject": "maths"}, "subject", "unknown value 'maths'; expected 'math', 'physics'"),
        ({"type": "essay"}, "type", "unknown value 'essay'"),
        ({"stage": "college"}, "stage", "unknown value 'college'"),
        ({"grade": 13}, "grade", "less than or equal to 12, not 13"),
        ({"grade": 3}, None, "grade 3 is not in stage 'middle'"),
        ({"answers": []}, "answers", "at least 1"),
        ({"answers": ["5", " "]}, None, "an entry of 'answers' is empty"),
        ({"answers": "5"}, "answers", "not '5'"),
        ({"question": ""}, "question", "at least 1"),
        ({"colour": "red"}, "colour", "is not a field"),
        ({"difficulty": 2}, "difficulty", "less than or equal to 1"),
        (
            {"options": [{"key": "A", "text": "x"}, {"key": "A", "text": "y"}]},
            None,
            "option keys repeat: A, A",
        ),
        ({"question": "<image> <image>", "images": [{"data": "aGk="}]}, None, "2 image marks for 1 images"),
        ({"images": [{"data": "not base64!"}]}, "images.0.data", "is not base64"),
        ({"images": [{}]}, "images.0", "either a path or data"),
        ({"captions": ["one"]}, None, "1 captions for 0 images"),
    ],
)
def test_a_wrong_row_names_its_field(changes: dict[str, Any], field: str | None, said: str) -> None:
    with pytest.raises(InputError) as caught:
        Problem.parse(ROW | changes)
    assert caught.value.field == field
    assert said in caught.value.message


def test_a_missing_field_is_named() -> None:
    row = dict(ROW)
    del row["answers"]
    with pytest.raises(InputError, match="field 'answers': is missing"):
        Problem.parse(row)


def test_extra_takes_no_part_in_equality_and_hash() -> None:
    one, other = make_problem(extra={"a": 1}), make_problem(extra={"b": [2]})
    assert one == other
    assert hash(one) == hash(other)
    assert one != make_problem(question="another")


def test_options_may_come_by_key() -> None:
    problem = make_problem(type="choice", options={"A": "4", "B": "5"}, answers=["B"])
    assert [(option.key, option.text) for option in problem.options] == [("A", "4"), ("B", "5")]


def test_an_image_is_read_when_it_is_asked_for(tmp_path: Path) -> None:
    content = png()
    (tmp_path / "a.png").write_bytes(content)
    digest = hashlib.sha256(content).hexdigest()
    assert ImageRef(path=str(tmp_path / "a.png"), sha256=digest).read() == content
    assert ImageRef.parse(figure().to_json()).read() == figure().read()
    with pytest.raises(InputError, match="sha256 is not the stated one"):
        ImageRef(path=str(tmp_path / "a.png"), sha256="0" * 64).read()
    with pytest.raises(InputError, match=r"none\.png: cannot read the image"):
        ImageRef(path=str(tmp_path / "none.png")).read()


def grade(blanks: list[BlankGrade], **fields: Any) -> Grade:
    return Grade.parse({"problem_id": "p", "solver": "s", "mode": "cot", "blanks": blanks} | fields)


def test_a_grade_is_the_mean_of_its_verdicts_or_has_a_reason() -> None:
    right, wrong, unknown = BlankGrade(verdict=1), BlankGrade(verdict=0), BlankGrade(verdict=None)
    assert grade([right, wrong], score=0.5).solved is False
    assert grade([right, right], score=1).solved is True
    assert grade([right, unknown], not_scored="judge_failed").solved is None
    contradictions: list[tuple[list[BlankGrade], dict[str, Any]]] = [
        ([right, wrong], {"score": 1}),
        ([right, unknown], {"score": 1}),
        ([right], {}),
        ([right], {"score": 1, "not_scored": "failed"}),
        ([], {"score": 0}),
    ]
    for blanks, fields in contradictions:
        with pytest.raises(InputError):
            grade(blanks, **fields)


def test_a_critique_that_contradicts_itself_is_refused() -> None:
    StepCritique(label=Label.CORRECT, score=0.5)
    StepCritique(label=Label.CALCULATION, score=0.49)
    with pytest.raises(InputError, match=r"label CS contradicts score 0\.4"):
        Critique.parse(
            {"problem_id": "p", "solver": "s", "mode": "cot", "critic": "c", "outcome": "ok"}
            | {"steps": [{"label": "CS", "score": 0.4}]}
        )


def test_labels_are_two_profiles_of_nine_and_a_union_of_ten() -> None:
    assert len(Label) == len(TEXTS) == 10
    assert len(PROFILES["k12vista"]) == len(PROFILES["eduflow"]) == 9
    assert set(Label) - set(PROFILES["eduflow"]) == {Label.INCOMPLETE} == set(LOSSY["eduflow"])
    assert set(Label) - set(PROFILES["k12vista"]) == {Label.OFF_TOPIC} == set(LOSSY["k12vista"])


def test_a_conversion_loses_only_what_the_profile_lacks() -> None:
    for profile in PROFILES:
        for label in Label:
            converted = convert(label, profile)
            assert converted in PROFILES[profile]
            assert converted is label or label not in PROFILES[profile]


def test_names_are_read_exactly() -> None:
    for label, text in TEXTS.items():
        assert from_name(f" {text.zh} ") is from_name(text.en) is from_name(label.value) is label
    for wrong in ("", "步骤错误", "cs", "Correct"):
        with pytest.raises(ValueError, match="unknown step label"):
            from_name(wrong)
