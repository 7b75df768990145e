"""Every example in docs/grading.md is true."""

from __future__ import annotations

from pathlib import Path

import pytest

from eduflow.grade.blanks import check_answers
from eduflow.problem import ProblemType

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "grading.md").read_text(encoding="utf-8")


def examples() -> list[dict[str, str]]:
    """The rows of the tables that have a gold, an answer and a verdict."""
    found: list[dict[str, str]] = []
    header: list[str] = []
    for line in TEXT.split("\n"):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")] if line.startswith("|") else []
        if not cells:
            header = []
        elif not header:
            header = cells
        elif set(cells[0]) != {"-"} and {"gold", "answer", "verdict"} <= set(header):
            found.append(dict(zip(header, cells, strict=True)))
    return found


@pytest.mark.parametrize("row", examples(), ids=lambda row: f"{row['gold']}--{row['answer']}")
def test_an_example_of_the_page_is_true(row: dict[str, str]) -> None:
    kind: ProblemType = "choice" if row.get("type") == "choice" else "blank"
    (match,) = check_answers(
        [row["gold"]],
        [row["answer"]],
        question=row.get("question", ""),
        type=kind,
        subject=row.get("subject") or None,
    )
    assert match.verdict == row["verdict"], match


def test_the_page_has_examples_of_both_verdicts() -> None:
    verdicts = [row["verdict"] for row in examples()]
    assert verdicts.count("right") > 40
    assert verdicts.count("miss") > 40
