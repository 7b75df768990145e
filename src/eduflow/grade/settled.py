"""Misses that nobody needs to be asked about: what the comparators settle, and refusals.

The rule for refusals is narrow on purpose: what looks like one may be the answer ("cannot be determined") and is the judge's.
"""

from __future__ import annotations

import re

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


def settled_by(match: Match, spoken: str) -> str | None:
    """Why a miss needs no judge; None where it does.

    Args:
        spoken: the whole reply after its thinking, for where nothing was extracted from it.
    """
    if match.settled:
        return match.detail
    return "refusal" if refuses(spoken if match.extracted is None else match.extracted) else None


def refuses(text: str) -> bool:
    """Whether a text says that there is no answer, and nothing else."""
    text = text.strip()
    if not text or len(text) > _LONGEST_REFUSAL:
        return False
    plain = re.sub(r"\s+", " ", text.replace("’", "'").replace("，", ",").lower()).strip(" .。!！,~…$*")
    return _REFUSAL.fullmatch(plain) is not None
