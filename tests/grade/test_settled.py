"""What is settled without a judge, and what only looks so."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eduflow.grade.settled import hedges, refuses


@pytest.mark.parametrize(
    "text",
    ["I don't know", "I don’t know.", "i do not know the answer", "Sorry, I cannot answer this question.", "I'm sorry, but I can't help with that request.",
     "No idea!", "N/A", "不知道", "我不知道。", "对不起，我不会做这道题", "抱歉，我无法回答这个问题。", "我也不清楚", "略"],
)  # fmt: skip
def test_a_refusal_is_settled(text: str) -> None:
    assert refuses(text)


@pytest.mark.parametrize(
    "text",
    ["", "cannot be determined", "无法确定", "not enough information", "unknown", "know", "x is unknown", "I don't know, but it is 5",
     "不会下雨", "He said: I don't know why it rains", "不会发生化学反应", "不知道的数是5", "no", "无法回答的是B", "略大", "5"],
)  # fmt: skip
def test_what_may_be_an_answer_is_not_settled(text: str) -> None:
    assert not refuses(text)


def accepts_five(value: str) -> bool:
    return value in ("5", "5.0", "10/2", "5 N")


@pytest.mark.parametrize(
    "answer", ["5 or 6", "6 or 5", "5或6", "5 或者 6", "$5$ or $6$", "4 or 5 or 6", "5 N or 6 N"]
)
def test_one_right_value_among_wrong_ones_is_settled(answer: str) -> None:
    assert hedges("5", answer, accepts_five)


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        ("5", "5 or 5.0"),
        ("5", "10/2 or 5"),
        ("5", "6 or 7"),
        ("5", "5"),
        ("5", "5 or less"),
        ("5", "five or so"),
        ("\\pm 5", "5 or -5"),
        ("5, -5", "5 or -5"),
        ("5 or 6", "5 or 6"),
        ("x<1 or x>5", "5 or 6"),
        ("photosynthesis", "photosynthesis or respiration"),
    ],
)
def test_what_is_one_answer_in_two_forms_or_a_set_is_not_settled(gold: str, answer: str) -> None:
    assert not hedges(gold, answer, accepts_five)


@given(st.text(max_size=300), st.text(max_size=60))
def test_no_text_breaks_the_rules(text: str, gold: str) -> None:
    assert refuses(text) in (True, False)
    assert hedges(gold, text, accepts_five) in (True, False)
