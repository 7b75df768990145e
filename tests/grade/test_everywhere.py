"""The same verdicts from a thread, from an event loop and from several processes at once, bombs among the answers."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from eduflow.grade import Grader
from eduflow.grade.pairs import check_pair, parse_pair
from eduflow.problem import Solution
from tests.support.problems import make_problem

ROWS: list[dict[str, Any]] = [
    {"gold": "5", "answer": "5.0"},
    {"gold": "\\frac{1}{2}", "answer": "0.5"},
    {"gold": "5 m", "answer": "500 cm"},
    {"gold": "CO", "answer": "Co"},
    {"gold": "x>1", "answer": "x<1"},
    {"gold": ["37", "20"], "answer": "\\boxed{37}, \\boxed{20}"},
    {"gold": "AC", "answer": "A、C", "type": "choice"},
    {"gold": "东南", "answer": "西北"},
    {"gold": "1", "answer": "10^{10^{10}}"},
    {"gold": "9^{9^{9^9}}", "answer": "9^{9^{9^9}}+1"},
    {"gold": "1", "answer": "\\gcd(7^{10^9},2)"},
    {"gold": "3000", "answer": "1+" * 2999 + "1"},
    {"gold": "1", "answer": "1" * 100_000},
    {"gold": "1", "answer": "(" * 60 + "1" + ")" * 60},
]


def verdicts(row: dict[str, Any]) -> list[str]:
    return [match.verdict for match in check_pair(parse_pair(row))]


async def test_threads_and_an_event_loop_agree() -> None:
    expected = [verdicts(row) for row in ROWS]
    assert ["right"] in expected
    assert ["miss"] in expected

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(verdicts, ROWS * 3)) == expected * 3

    async def in_loop(row: dict[str, Any]) -> list[str]:
        golds = row["gold"] if isinstance(row["gold"], list) else [row["gold"]]
        problem = make_problem(answers=golds, type=row.get("type", "blank"))
        text = row["answer"] if "boxed" in row["answer"] else f"\\boxed{{{row['answer']}}}"
        grade = await Grader().grade(problem, Solution(problem_id="p1", solver="s", mode="cot", text=text))
        return ["right" if blank.verdict == 1 else "miss" for blank in grade.blanks]

    assert await asyncio.gather(*(in_loop(row) for row in ROWS)) == expected


def test_processes_at_once_agree(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    command = [sys.executable, "-c", "from eduflow.cli import main; main()", "grade", "pairs", str(path)]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(3)]
    outputs = [process.communicate()[0] for process in processes]
    for out in outputs:
        rows = [json.loads(line) for line in out.split(b"\n") if line]
        assert [row.get("verdicts", [row["verdict"]]) for row in rows] == [verdicts(row) for row in ROWS]
