"""The second opinion: what it may speak about, and that none of its measured faults gets through."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from eduflow.engine.run import Run
from eduflow.errors import MissingExtra
from eduflow.grade import Grader, SecondOpinion
from eduflow.grade.opinion import StruckInRun, may_speak
from eduflow.problem import Solution
from tests.support.problems import make_problem

pytest.importorskip("math_verify")


@pytest.fixture(scope="module")
def opinion() -> Iterator[SecondOpinion]:
    with closing(SecondOpinion(seconds=20)) as opinion:
        yield opinion


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        ("\\binom{5}{2}", "10"),
        ("$\\sum_{i=1}^{10} i$", "55"),
        ("\\int_0^1 x dx", "\\frac{1}{2}"),
        ("\\lim_{x \\to 0} \\frac{\\sin x}{x}", "1"),
        ("\\prod_{i=1}^{4} i", "24"),
        ("\\binom{5}{2}", "\\binom{5}{3}"),
    ],
)
def test_it_rescues_what_it_reads_soundly(opinion: SecondOpinion, gold: str, answer: str) -> None:
    assert opinion.ask(gold, answer).right


@pytest.mark.parametrize(
    ("gold", "answer", "question"),
    [
        ("10", "\\binom{5}{2}", ""),  # not worked out
        ("\\binom{5}{2}", "2 \\cdot 5", ""),
        ("\\binom{5}{2}", "\\sum_{i=1}^{4} i", ""),
        ("\\sum_{i=1}^{2} i \\cdot x^2", "3 \\cdot x^2", "Factorise the expression."),
    ],
)
def test_it_does_not_overrule_what_the_comparators_ask_of_an_answer(
    opinion: SecondOpinion, gold: str, answer: str, question: str
) -> None:
    assert not opinion.ask(gold, answer, question).right


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        # Equated by math-verify alone, each measured.
        ("1.6×10^{-19}", "3.2×10^{-19}"),
        ("1.6\\times 10^{-19}", "3.2\\times 10^{-19}"),
        ("5 kg", "5 g"),
        ("9\\%", "9"),
        ("1:2:3", "1:3:2"),
        ("\\{1,2\\}", "(1,2)"),
        ("CO", "Co"),
        ("37 20", "57"),
        ("$2$ $3$", "6"),
        ("2x+y=4", "4x+2y=8"),
        ("east", "seat"),
        ("30^\\circ", "30"),
        ("1 \\frac{1}{2}", "\\frac{1}{2}"),
        # The same with a binomial in it, so that there is something to ask about.
        ("e^{-40} + \\binom{1}{1}", "e^{-41} + 1"),
        ("\\sqrt{x^2} \\cdot \\binom{2}{1}", "2 \\cdot x"),
        ("\\binom{5}{2}", "11"),
        ("\\binom{2}{1} \\cdot x", "2 \\cdot y"),
        ("\\binom{5}{2}", "C_5^2"),
        ("ea \\cdot \\binom{1}{1}", "ae"),
        ("\\binom{5}{2} kg", "10"),
        ("0.0000001 \\cdot \\binom{1}{1}", "0.0000002"),
    ],
)
def test_its_measured_faults_do_not_get_through(opinion: SecondOpinion, gold: str, answer: str) -> None:
    assert not opinion.ask(gold, answer).right
    assert not opinion.ask(answer, gold).right


@pytest.mark.parametrize(
    "bomb",
    [
        "10^{10^{10}}!",
        "9^{9^{9^9}} \\cdot 1!",
        "9^9^9!",
        "1!+" * 3000 + "1",
        "(" * 60 + "1!" + ")" * 60,
        "1!" + "0" * 100_000,
        "99999!",
        "5!!!",
        "2^{5000} \\cdot 1!",
        "\\sum_{i=1}^{999999} i",
    ],
)
def test_bombs_are_refused_before_the_worker(opinion: SecondOpinion, bomb: str) -> None:
    before = opinion.killed
    assert not may_speak(bomb)
    assert not opinion.ask(bomb, "1").right
    assert opinion.killed == before


def test_where_a_limit_struck_it_is_a_miss_by_resource_and_not_asked_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    monkeypatch.setattr("eduflow.grade.opinion.TARGET", "tests.support.worker_jobs:die")
    struck: set[str] = set()
    for killed in (1, 0):
        with closing(SecondOpinion(struck=struck)) as opinion:
            for _ in range(2):
                said = opinion.ask("\\binom{5}{2}", "10")
                assert (said.right, said.note) == (False, "resource")
            assert opinion.killed == killed
    assert len(struck) == 1


def test_a_run_keeps_where_a_limit_struck(tmp_path: Path) -> None:
    with Run.open(tmp_path / "run") as run, closing(Grader(second_opinion="math-verify")) as grader:
        grader.keep_in(run)
        assert grader.second_opinion is not None
        grader.second_opinion.struck.add("ab" * 32)
    with Run.open(tmp_path / "run") as run:
        struck = StruckInRun(run)
        assert "ab" * 32 in struck
        assert "cd" * 32 not in struck
        assert len(struck) == 1


async def test_a_grader_asks_it_behind_the_comparators() -> None:
    with closing(Grader(second_opinion="math-verify")) as grader:
        problem = make_problem(answers=["\\sum_{i=1}^{10} i"])
        solution = Solution(problem_id="p1", solver="s", mode="cot", text="\\boxed{55}")
        for grade in (grader.check(problem, solution), await grader.grade(problem, solution)):
            assert (grade.score, grade.blanks[0].decided_by) == (1, "comparator")
        wrong = solution.model_copy(update={"text": "\\boxed{56}"})
        assert grader.check(problem, wrong).blanks[0].decided_by == "none"


def test_without_math_verify_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match="bench"):
        Grader(second_opinion="math-verify")
