"""Labels of blanks in one string: they decide, whatever their order."""

from __future__ import annotations

import pytest

from eduflow.grade.blanks import check_answers
from eduflow.grade.extract import extract


@pytest.mark.parametrize(
    "output",
    [
        "第一空：3；第二空：5",
        "第2空填5，第1空填3",
        "1) 3\n2) 5",
        "2. 5\n1. 3",
        "\\boxed{(1)3\\quad(2)5}",
        "\\boxed{(2)5\\quad(1)3}",
    ],
)
def test_labels_say_which_blank_is_meant(output: str) -> None:
    assert [match.right for match in check_answers(["3", "5"], extract(output, blanks=2))] == [True, True]


@pytest.mark.parametrize(
    "output", ["第一空：5；第二空：3", "1) 5\n2) 3", "\\boxed{(1)5\\quad(2)3}", "1.3\n2.5", "3) 3\n5) 5"]
)
def test_values_under_the_wrong_label_are_misses(output: str) -> None:
    assert not any(match.right for match in check_answers(["3", "5"], extract(output, blanks=2)))
