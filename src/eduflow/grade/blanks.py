"""Several blanks: which part of an answer belongs to which gold.

The rules:
- golds come as a list and an entry is never split again; how many blanks there are comes from the data;
- as many boxes, tags or cues as blanks: one each, in order;
- one string for several blanks is cut by its labels, (1)…(2)… or ①…②…, which then decide, whatever their order; else by the strongest
  separator that gives the right count: lines, semicolons, 、, commas, a wide gap, "and", spaces;
- fewer values than blanks fill the blanks from the first on; more values than blanks are no answer to any;
- where the blanks may be filled in any order, each value can serve one gold.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from eduflow.grade.compare import compare, several_values
from eduflow.grade.extract import Extraction
from eduflow.grade.match import Match
from eduflow.grade.normalise import clean
from eduflow.grade.question import asked
from eduflow.grade.split import split_answer
from eduflow.grade.units import blanks_in
from eduflow.problem import Option, ProblemType

__all__ = ["Match", "check_answers", "split_answer"]

_SETTLED = frozenset(("empty", "refusal", "shotgun"))


def check_answers(
    golds: Sequence[str],
    given: Extraction | Sequence[str],
    *,
    question: str = "",
    type: ProblemType = "blank",
    options: Sequence[Option] = (),
    ordered: bool = True,
    subject: str | None = None,
) -> tuple[Match, ...]:
    """One verdict for each gold.

    Args:
        golds: the golds, one per blank.
        given: what `extract` found, or the answers themselves.
        question: the question, for what it asks (a unit, a form, an order).
        type: the problem's type.
        options: its options, for a choice problem.
        ordered: whether the blanks have an order.
        subject: the problem's subject, where known.
    """
    extraction = given if isinstance(given, Extraction) else Extraction(tuple(given), "final")
    answers = extraction.answers
    if not answers and extraction.rivals and len(golds) == 1 and type != "choice":
        rival = _rivals(golds[0], extraction.rivals, question, subject)
        if rival is not None:
            return (rival,)
    if not answers:
        miss = Match(
            "miss", None, "none", extraction.reason or "no_cue", settled=extraction.reason in _SETTLED
        )
        return (miss,) * len(golds)

    printed = blanks_in(question) if len(golds) > 1 else ()

    def check(number: int, answer: str) -> Match:
        wanted = None
        if len(printed) == len(golds):
            unit = printed[number]
            wanted = replace(asked(question), units=() if unit is None else (unit,), name="")
        return compare(
            golds[number],
            answer,
            question=question,
            type=type,
            options=options,
            subject=subject,
            wanted=wanted,
        )

    if len(golds) == 1:
        if len(answers) > 1:
            return (Match("miss", "; ".join(answers), "blanks", f"{len(answers)} answers for one blank"),)
        return (check(0, answers[0]),)
    parts = split_answer(answers[0], len(golds)) if len(answers) == 1 else list(answers)
    if parts is None or len(parts) > len(golds):
        given_text = "; ".join(answers)
        return (Match("miss", given_text, "blanks", f"more values than {len(golds)} blanks"),) * len(golds)
    if ordered:
        return tuple(
            check(i, part) if i < len(parts) and (part := parts[i]) is not None and part.strip()
            else Match("miss", None, "blanks", "left out")
            for i in range(len(golds))
        )  # fmt: skip
    return _any_order(golds, [part for part in parts if part is not None], check)


def _rivals(gold: str, rivals: Sequence[str], question: str, subject: str | None) -> Match | None:
    """Boxes that compete for one blank, where its gold turns out to hold as many values; None where it doesn't."""
    if len(rivals) == 1:
        match = compare(gold, rivals[0], question=question, subject=subject)
        return match if match.right else None
    parts = several_values(clean(gold), asked(question))
    if parts is None or len(parts) != len(rivals):
        return None
    if all(compare(part, rival, subject=subject).right for part, rival in zip(parts, rivals, strict=True)):
        return Match("right", "; ".join(rivals), "list")
    return None


def _any_order(
    golds: Sequence[str], parts: Sequence[str], check: Callable[[int, str], Match]
) -> tuple[Match, ...]:
    """The assignment of values to golds with the most right ones; every value serves once."""
    table = [[check(i, part) for part in parts] for i in range(len(golds))]
    owner: dict[int, int] = {}  # value -> gold

    def place(gold: int, seen: set[int]) -> bool:
        for value, match in enumerate(table[gold]):
            if match.right and value not in seen:
                seen.add(value)
                if value not in owner or place(owner[value], seen):
                    owner[value] = gold
                    return True
        return False

    for gold in range(len(golds)):
        place(gold, set())
    by_gold = {gold: value for value, gold in owner.items()}
    left = [value for value in range(len(parts)) if value not in owner]
    result = []
    for gold in range(len(golds)):
        if gold in by_gold:
            result.append(table[gold][by_gold[gold]])
        elif left:
            result.append(table[gold][left.pop(0)])
        else:
            result.append(Match("miss", None, "blanks", "left out"))
    return tuple(result)
