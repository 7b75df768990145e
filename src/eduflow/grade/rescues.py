"""The judge's rescues: blanks that the comparators missed and the judge called right, for a person to audit.

A rescue is where a grade is only as good as a language model. Each row has all that it takes to agree or disagree, and an empty
`audit` to say so in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from eduflow.engine.files import write_jsonl
from eduflow.grade.fence import cap
from eduflow.problem import Grade, Problem, Solution

# Most characters of a whole reply that a row shows, its end before its start.
REPLY_LIMIT = 4_000


def rescues(problem: Problem, solution: Solution, grade: Grade) -> Iterator[dict[str, Any]]:
    """One row for every blank that the judge rescued."""
    for number, (gold, blank) in enumerate(zip(problem.answers, grade.blanks, strict=True), start=1):
        if blank.decided_by == "judge" and blank.verdict == 1:
            yield {
                "problem_id": problem.id,
                "subject": problem.subject,
                "stage": problem.stage,
                "type": problem.type,
                "solver": grade.solver,
                "mode": grade.mode,
                "sample": grade.sample,
                "blank": number,
                "blanks": len(grade.blanks),
                "gold": gold,
                "answer": blank.extracted,
                "judge": blank.detail,
                "calls": list(grade.calls),
                "question": problem.question,
                "reply": cap(solution.text, REPLY_LIMIT, tail=0.75),
                "audit": None,
            }


def write_rescues(path: str | Path, graded: Iterable[tuple[Problem, Solution, Grade]]) -> int:
    """Write the rescues among `graded` as JSON lines, whole or not at all; returns their number.

    Raises:
        InputError: the file cannot be written.
    """
    return write_jsonl(path, (row for triple in graded for row in rescues(*triple)))
