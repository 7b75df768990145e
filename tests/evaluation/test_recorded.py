"""Outputs made elsewhere: matched by id, graded once, in flat memory, beside what was published about them."""

from __future__ import annotations

from pathlib import Path

import pytest

from eduflow.engine import Run
from eduflow.errors import InputError
from eduflow.evaluation import GradeSettings, ProblemSet, RunSettings, grade
from eduflow.evaluation.published import facts, marks
from eduflow.evaluation.recorded import LISTED, Predictions, solution_of_prediction
from eduflow.formats import Prediction, open_problems
from eduflow.report import source_of
from tests.support.data import real_data
from tests.support.problems import make_problem


def test_the_first_of_repeated_rows_counts() -> None:
    rows = [
        Prediction("a", "1", line=1),
        Prediction("a", "2", line=2),
        Prediction("a", "3", sample=1, line=3),
    ]
    with Predictions(rows) as predictions:
        assert [(row.sample, row.output) for row in predictions.of("a")] == [(0, "1"), (1, "3")]
        assert (predictions.count, predictions.repeated, predictions.repeated_first) == (3, 1, ["line 2: a"])


def test_what_nobody_asked_for_is_unknown() -> None:
    rows = [Prediction(f"p{number}", "x", line=number) for number in range(1, 101)]
    with Predictions(rows) as predictions:
        predictions.of("p1")
        count, first = predictions.unknown()
    assert count == 99
    assert first[0] == "line 2: p2"
    assert len(first) == LISTED


def test_the_fingerprint_is_of_what_the_rows_say() -> None:
    def fingerprint(*rows: Prediction) -> str:
        with Predictions(rows) as predictions:
            return predictions.fingerprint

    one = fingerprint(Prediction("a", "1", line=1))
    assert fingerprint(Prediction("a", "1", line=7)) == one
    assert fingerprint(Prediction("a", None)) != one
    assert fingerprint(Prediction("a", "1", finish_reason="length")) != one


@pytest.mark.parametrize(
    ("finish", "output", "outcome"),
    [
        (None, "x", "ok"),
        ("stop", "x", "ok"),
        ("length", "x", "truncated"),
        ("content_filter", "x", "filtered"),
        ("stop", None, "failed"),
        ("stop", "", "ok"),
    ],
)
def test_a_finish_reason_is_an_outcome(finish: str | None, output: str | None, outcome: str) -> None:
    solution = solution_of_prediction(Prediction("a", output, finish_reason=finish), "s")
    assert solution.outcome == outcome
    assert solution.text == (output or "")


def test_text_that_no_database_takes_is_kept_as_far_as_it_goes() -> None:
    with Predictions([Prediction("a\ud800", "half \ud83d of a pair", line=1)]) as predictions:
        (row,) = predictions.of("a\ud800")
        assert row.output == "half ? of a pair"
        assert predictions.unknown() == (0, [])


def test_facts_are_the_publications_own() -> None:
    choice = {"type": "choice", "answers": ["AB"], "extra": {"keyword": "MCQs", "score": 6}}
    solution = solution_of_prediction(Prediction("p1", "x", extra={"model_answer": ["A"]}), "s")
    assert facts(make_problem(source="gaokao_bench", **choice), solution) == {
        "category": "MCQs",
        "mark": 6,
        "recorded": ["A"],
    }
    assert facts(make_problem(source="math_v", knowledge_points=["algebra"]), solution) == {
        "category": "algebra"
    }
    assert facts(make_problem(), solution) == {}


@pytest.mark.parametrize(
    ("gold", "given", "half", "expected"),
    [
        ("BD", "BD", True, 6),
        ("BD", "D、B", True, 6),
        ("BD", "B", True, 3),
        ("BD", "B", False, 0),
        ("BD", "ABD", True, 0),
        ("BD", "A", True, 0),
        ("BD", "", True, 0),
        ("BD", None, True, 0),
        ("B", "B", True, 6),
        ("B", "the second", True, 0),
    ],
)
def test_marks_follow_the_published_rule(gold: str, given: str | None, half: bool, expected: float) -> None:
    assert marks(gold, given, 6, half=half) == expected


async def test_a_format_without_recorded_outputs_needs_predictions(tmp_path: Path) -> None:
    folder = real_data("gaokao_mm")
    settings = GradeSettings(ProblemSet(str(folder)), None, common=RunSettings(run=tmp_path / "run"))
    with pytest.raises(InputError, match="brings no recorded outputs"):
        await grade(settings)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(("name", "count", "published"), [("math_v", 3040, 16), ("gaokao_bench", 928, 4)])
async def test_real_recorded_outputs_are_graded_beside_the_published_scores(
    name: str, count: int, published: int, tmp_path: Path
) -> None:
    folder = real_data(name)
    settings = GradeSettings(ProblemSet(str(folder), name), None, common=RunSettings(run=tmp_path / "run"))
    finished = await grade(settings)
    assert (finished.records, finished.planned, finished.made) == (count, count, 0)
    with Run.read(finished.folder) as run:
        records = list(source_of(run).records())
    assert {record.problem_id for record in records} == {
        problem.id for problem in open_problems(folder, name)
    }
    assert all(record.grade.not_scored is None for record in records)
    beside = [row for row in finished.published[0].rows if row[3] != "–"]
    assert len(beside) == published
    if name == "gaokao_bench":
        # The published marks follow from the recorded answers, to the mark.
        by_rule = {row[0]: row[2:4] for row in finished.published[1].rows}
        for short, correct in {
            "Math_I": "575",
            "Physics": "213",
            "Chemistry": "330",
            "Biology": "726",
        }.items():
            assert by_rule[f"2010-2022_{short}_MCQs"] == (correct, correct)
