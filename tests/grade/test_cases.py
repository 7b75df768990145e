"""The project's own cases: every kind of answer, five subjects, two languages, right and wrong."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from eduflow.grade.blanks import check_answers
from eduflow.grade.extract import extract
from eduflow.problem import Option

CASES = [
    json.loads(line) for line in (Path(__file__).parent / "cases.jsonl").read_bytes().split(b"\n") if line
]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_every_case_gets_its_verdict(case: dict[str, Any]) -> None:
    options = tuple(Option(**option) for option in case.get("options", ()))
    given = extract(case["answer"]) if case["form"] == "output" else (case["answer"],)
    (match,) = check_answers(
        [case["gold"]],
        given,
        question=case["question"],
        type=case["type"],
        options=options,
        subject=case["subject"],
    )
    assert match.right is case["right"], f"{case['why']}: {match}"
    assert not (match.right and match.settled)


def test_the_cases_cover_every_subject_both_verdicts_and_both_forms() -> None:
    assert len(CASES) >= 300
    assert {case["subject"] for case in CASES} == {"math", "physics", "chemistry", "biology", "geography"}
    verdicts = Counter(case["right"] for case in CASES)
    assert min(verdicts.values()) > 250
    assert {case["form"] for case in CASES} == {"final", "output"}
    assert len({case["id"] for case in CASES}) == len(CASES)
