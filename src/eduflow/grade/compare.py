"""One gold, one answer: are they the same?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from eduflow.grade.choice import gold_keys, pick, printed_options
from eduflow.grade.match import Match
from eduflow.grade.normalise import canonical, clean, tokens
from eduflow.problem import Option, ProblemType

_NUMBER = re.compile(r"[+-]?[0-9]{1,200}(?:\.[0-9]{1,200})?")


def compare(
    gold: str,
    answer: str,
    *,
    question: str = "",
    type: ProblemType = "blank",
    options: Sequence[Option] = (),
    subject: str | None = None,
) -> Match:
    """Whether `answer` is proven to be `gold`."""
    if type == "choice":
        return compare_choice(gold, answer, question, options)
    one, two = clean(gold), clean(answer)
    if not two:
        return Match("miss", answer, "text", "empty", settled=True)
    if one and canonical(tokens(one), one) == canonical(tokens(two), two):
        return Match("right", answer, "text")
    if _NUMBER.fullmatch(one) and _NUMBER.fullmatch(two) and Fraction(one) == Fraction(two):
        return Match("right", answer, "number")
    return Match("miss", answer, "text", "differs")


def compare_choice(gold: str, answer: str, question: str, options: Sequence[Option]) -> Match:
    """Options by key, or by text where exactly one option has it."""
    keys = gold_keys(gold, options)
    if keys is None:
        return Match("miss", answer, "choice", "the gold names no option")
    picked = pick(answer, options or printed_options(question), single=len(keys) == 1)
    if picked is None:
        return Match("miss", answer, "choice", "names no option cleanly")
    if picked.hedged and len(picked.keys) > 1:
        return Match("miss", answer, "choice", "hedged between options", settled=True)
    if picked.keys == keys:
        return Match("right", answer, "choice")
    return Match("miss", answer, "choice", f"names {''.join(picked.keys)}", settled=True)
