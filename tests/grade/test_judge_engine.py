"""The judge over the real engine and HTTP: its calls are journalled, and a second grading makes none."""

from __future__ import annotations

from pathlib import Path

from eduflow.engine.endpoints import Endpoint, Limits
from eduflow.engine.engine import Engine
from eduflow.engine.run import Run
from eduflow.grade import Grader, Judge
from eduflow.problem import Grade, Solution
from tests.support.fake_endpoint import FakeEndpoint, Fault
from tests.support.fake_judge import verdicts
from tests.support.problems import make_problem

PROBLEM = make_problem(language="zh", question="电流____，电压____。", answers=["增大", "不变"])
SOLUTION = Solution(problem_id="p1", solver="s", mode="cot", text="\\boxed{变大} \\boxed{保持不变}")


async def graded(
    folder: Path, fake: FakeEndpoint, *, swap: bool = False, attempts: int = 1
) -> tuple[Grade, int]:
    endpoint = Endpoint("judge", "judge-model", (fake.base_url,), limits=Limits(attempts=attempts))
    with Run.open(folder) as run:
        async with Engine(run.journal) as engine:
            grade = await Grader(Judge(endpoint, swap=swap)).grade(PROBLEM, SOLUTION, engine)
            for key in grade.calls:
                stored = run.journal.get(bytes.fromhex(key))
                assert stored is not None
                assert stored.tag == "judge"
            return grade, engine.total.made


async def test_a_second_grading_makes_no_call_and_says_the_same(tmp_path: Path) -> None:
    with FakeEndpoint(answer=lambda seen: verdicts("right", "right")) as fake:
        for swap, calls in ((False, 1), (True, 2)):
            folder = tmp_path / str(swap)
            grade, made = await graded(folder, fake, swap=swap)
            assert (grade.score, len(grade.calls), made) == (1, calls, calls)
            assert await graded(folder, fake, swap=swap) == (grade, 0)


async def test_a_reminder_is_a_call_of_its_own(tmp_path: Path) -> None:
    def answer(seen: object) -> str:
        messages = seen.body["messages"]  # type: ignore[attr-defined]
        return "Both are fine." if len(messages) == 1 else verdicts("right", "wrong")

    with FakeEndpoint(answer=answer) as fake:
        grade, made = await graded(tmp_path / "run", fake)
    assert (grade.score, len(set(grade.calls)), made) == (0.5, 2, 2)


async def test_a_judge_whose_calls_fail_is_no_zero(tmp_path: Path) -> None:
    # A plain question is answered, so that the failure is the call's own.
    with FakeEndpoint(
        answer=lambda seen: "ok", faults=lambda seen: Fault.html() if "参考答案" in seen.text else None
    ) as fake:
        grade, _ = await graded(tmp_path / "run", fake)
    assert (grade.score, grade.not_scored, len(grade.calls)) == (None, "judge_failed", 1)
