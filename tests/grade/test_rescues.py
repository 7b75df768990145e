"""The judge's rescues are written down for a person, and nothing else is."""

from __future__ import annotations

import json
from pathlib import Path

from eduflow.grade import Grader, Judge, write_rescues
from eduflow.problem import Solution
from tests.support.fake_judge import ENDPOINT, ScriptedCaller, verdicts
from tests.support.problems import make_problem


async def test_one_row_for_every_rescued_blank(tmp_path: Path) -> None:
    problem = make_problem(language="zh", question="____、____、____。", answers=["增大", "不变", "减小"])
    solution = Solution(
        problem_id="p1", solver="s", mode="cot", sample=2, text="\\boxed{变大}\\boxed{不变}\\boxed{变高}"
    )
    caller = ScriptedCaller([verdicts("right", "wrong", asked=[1, 3])])
    grade = await Grader(Judge(ENDPOINT)).grade(problem, solution, caller)
    plain = Grader().check(problem, solution)
    path = tmp_path / "rescues.jsonl"
    assert write_rescues(path, [(problem, solution, grade), (problem, solution, plain)]) == 1
    (row,) = [json.loads(line) for line in path.read_bytes().split(b"\n") if line]
    assert (row["problem_id"], row["sample"], row["blank"], row["blanks"]) == ("p1", 2, 1, 3)
    assert (row["gold"], row["answer"], row["reply"]) == ("增大", "变大", solution.text)
    assert row["calls"] == list(grade.calls)
    assert row["audit"] is None


def test_no_rescue_is_an_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "rescues.jsonl"
    assert write_rescues(path, []) == 0
    assert path.read_bytes() == b""
