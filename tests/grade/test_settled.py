"""What is settled without a judge, and what only looks so."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eduflow.grade.settled import refuses


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


@given(st.text(max_size=300))
def test_no_text_breaks_the_rule(text: str) -> None:
    assert refuses(text) in (True, False)
