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

import re
from collections.abc import Callable, Sequence

from eduflow.grade.compare import compare
from eduflow.grade.extract import Extraction
from eduflow.grade.match import Match
from eduflow.grade.normalise import clean, fold
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
    if not answers:
        miss = Match(
            "miss", None, "none", extraction.reason or "no_cue", settled=extraction.reason in _SETTLED
        )
        return (miss,) * len(golds)

    def check(number: int, answer: str) -> Match:
        return compare(golds[number], answer, question=question, type=type, options=options, subject=subject)

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


_LABEL = re.compile(r"\(\s{0,3}([0-9]{1,2})\s{0,3}\)|([①-⑳])")
_SPLITTERS = ("\n", ";", "、", ", ", ",", "\\quad", " and ", "和", " ")


def split_answer(answer: str, blanks: int) -> list[str | None] | None:
    """The values of one string for `blanks` blanks, None in the place of one left out; None where it holds more values than blanks."""
    text = clean(answer)
    labelled = split_labels(text, blanks)
    if labelled is not None:
        return labelled
    over = False
    fewer: list[str] | None = None
    for splitter in _SPLITTERS:
        parts = split_top(text, splitter)
        if len(parts) == blanks:
            return list(parts)
        if len(parts) > blanks and splitter != " ":
            over = True
            break
        if len(parts) > 1 and fewer is None and splitter != " ":
            fewer = parts
    if over and fewer is None:
        return None
    return list(fewer) if fewer is not None else [text]


def split_labels(text: str, blanks: int) -> list[str | None] | None:
    """The parts behind (1), (2) … or ①, ② …; None where the text is not labelled so from its start on."""
    text = fold(text).strip()
    marks: list[tuple[int, int, int]] = []
    for match in _LABEL.finditer(text):
        if match.start() and match[1] and text[match.start() - 1] not in " \n;,、。.$}":
            continue  # f(1) is no label
        number = int(match[1]) if match[1] else ord(match[2]) - ord("①") + 1
        marks.append((number, match.start(), match.end()))
    if not marks or text[: marks[0][1]].strip():
        return None
    numbers = [number for number, _, _ in marks]
    if len(set(numbers)) != len(numbers) or not all(1 <= number <= blanks for number in numbers):
        return None
    ends = [start for _, start, _ in marks[1:]] + [len(text)]
    parts: list[str | None] = [None] * blanks
    for (number, _, end), stop in zip(marks, ends, strict=True):
        content = text[end:stop].strip(" \n;,、。.:")
        if not content:
            return None  # ①③④ is a list of statements
        parts[number - 1] = content
    return parts


_OPENING = frozenset("([{（【")
_CLOSING = frozenset(")]}）】")


def split_top(text: str, splitter: str) -> list[str]:
    """`text` cut at `splitter` outside brackets; empty parts are dropped."""
    parts: list[str] = []
    depth = start = i = 0
    width = len(splitter)
    while i < len(text):
        character = text[i]
        if character == "\\" and i + 1 < len(text) and not text.startswith(splitter, i):
            i += 2 if text[i + 1] not in "{}" else 1
            continue
        if character in _OPENING:
            depth += 1
        elif character in _CLOSING:
            depth = max(0, depth - 1)
        elif depth == 0 and text.startswith(splitter, i):
            parts.append(text[start:i])
            i += width
            start = i
            continue
        i += 1
    parts.append(text[start:])
    return [part.strip(" $") for part in parts if part.strip(" $")]
