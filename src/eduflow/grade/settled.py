"""Misses that nobody needs to be asked about: a refusal, and several values for one blank.

Both rules are narrow on purpose. What looks like a refusal may be the answer ("cannot be determined"), and what looks like a hedge may be
one answer in two forms ("0.5 or 1/2") or a set ("2 or -2" for ±2): those stay misses, and are the judge's.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from eduflow.grade.match import Match

# A whole answer, or a whole short reply, that says only that there is none.
_REFUSAL = re.compile(
    r"(?:(?:i'?m|i am|we are)? ?(?:very |so )?sorry,? ?(?:but )?)?"
    r"(?:i|we) (?:really |just )?(?:do(?: not|n't) know|have no idea|(?:can(?:not|'t)|am not able to|am unable to) "
    r"(?:answer|solve|do|help with|assist with)(?: (?:this|it|that|the (?:question|problem)))?(?: (?:question|problem|request))?)"
    r"(?: (?:the answer|how to (?:solve|do) (?:this|it)))?"
    r"|no idea|n/?a|idk|unknown to me"
    r"|(?:很?抱歉,?|对不起,?)?我?(?:也|真的|实在)?(?:不知道|不会做?|不懂|不清楚|没有答案|(?:无法|不能)(?:回答|解答)(?:这个|这道|该)?(?:问题|题目?)?)(?:这个|这道|该)?(?:问题|题目?)?(?:的?答案)?(?:了|啊)?"
    r"|略"
)
_LONGEST_REFUSAL = 120
# A gold that is one plain value: a number, perhaps with a unit or a word behind it, and nothing that holds several.
_ONE_VALUE = re.compile(r"[-+]?\d+(?:\.\d+)?(?:/\d+)?\s{0,3}[^\W\d_]{0,6}[%°℃Ω²³]?")
_OR = re.compile(r"\s*(?:\bor\b|或者?|还是|\\text\s*\{\s*or\s*\})\s*")


def settled_by(match: Match, gold: str, spoken: str, accepts: Callable[[str], bool]) -> str | None:
    """Why a miss needs no judge; None where it does.

    Args:
        spoken: the whole reply after its thinking, for where nothing was extracted from it.
        accepts: whether the comparators accept one value for this gold.
    """
    if match.settled:
        return match.detail
    if refuses(spoken if match.extracted is None else match.extracted):
        return "refusal"
    if match.extracted is not None and hedges(gold, match.extracted, accepts):
        return "shotgun"
    return None


def refuses(text: str) -> bool:
    """Whether a text says that there is no answer, and nothing else."""
    text = text.strip()
    if not text or len(text) > _LONGEST_REFUSAL:
        return False
    plain = re.sub(r"\s+", " ", text.replace("’", "'").replace("，", ",").lower()).strip(" .。!！,~…$*")
    return _REFUSAL.fullmatch(plain) is not None


def hedges(gold: str, answer: str, accepts: Callable[[str], bool]) -> bool:
    """Whether an answer offers several values where the gold is one plain number, some of them right and some not.

    Args:
        accepts: whether the comparators accept one value for this gold.
    """
    if len(answer) > 200 or _ONE_VALUE.fullmatch(gold.strip(" $")) is None:
        return False
    values = [value.strip(" $") for value in _OR.split(answer)]
    if not 2 <= len(values) <= 10 or not all(_ONE_VALUE.fullmatch(value) for value in values):
        return False
    return len({accepts(value) for value in values}) == 2
