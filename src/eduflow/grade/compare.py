"""One gold, one answer: are they the same?

`compare` says "right" only where it is proven. It tries, in this order: options (choice problems), the same text, the alternatives that
a gold lists, chemistry, several values in one gold, and then the kinds of `structure.py` and `numbers.py`, each read off the gold. The comparator
that the gold's kind names decides; a miss there is not retried as another kind.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from eduflow.grade.chemistry import read_chemistry
from eduflow.grade.choice import Picked, gold_keys, pick, printed_options
from eduflow.grade.match import Match
from eduflow.grade.normalise import MAX_TEXT, Token, canonical, clean, tokens
from eduflow.grade.question import Asked, asked
from eduflow.grade.split import count_labels, split_answer, split_labels, split_top
from eduflow.grade.structure import Context, Result, equal
from eduflow.grade.value import Limit, Undefined
from eduflow.problem import Option, ProblemType


def compare(
    gold: str,
    answer: str,
    *,
    question: str = "",
    type: ProblemType = "blank",
    options: Sequence[Option] = (),
    subject: str | None = None,
    wanted: Asked | None = None,
) -> Match:
    """Whether `answer` is proven to be `gold`.

    Args:
        gold: the reference answer of one blank.
        answer: an extracted answer.
        question: the question, for what it asks (a unit, a form, an order); "" where unknown.
        type: the problem's type.
        options: a choice problem's options; those printed in the question are found without.
        subject: the problem's subject, where known: in chemistry, letters are symbols of elements.
        wanted: what the question asks for in this blank, where the caller knows more than the question says as a whole.

    Returns:
        A match whose `comparator` names the comparator that decided or, on a miss, the one that had to.
    """
    if len(answer) > MAX_TEXT or len(gold) > MAX_TEXT:
        return Match("miss", answer[:MAX_TEXT], "text", "too long")
    if not clean(answer):
        return Match("miss", answer, "text", "empty", settled=True)
    if type == "choice":
        keys = gold_keys(gold, options)
        if keys is not None:
            return _compare_options(keys, answer, question, options)
    try:
        result = _compare(gold, answer, wanted or asked(question), question, subject, 0)
    except Limit:
        return Match("miss", answer, "expression", "resource")
    except Undefined:
        return Match("miss", answer, "expression", "has no value")
    return Match(
        "right" if result.right else "miss",
        answer,
        result.comparator,
        "" if result.right else result.detail,
        settled=result.hedged,
    )


def _compare_options(keys: tuple[str, ...], answer: str, question: str, options: Sequence[Option]) -> Match:
    options = options or printed_options(question)
    picked = pick(answer, options) or _picked_by_value(answer, options)
    if picked is None:
        return Match("miss", answer, "choice", "names no option cleanly")
    if picked.hedged and len(picked.keys) > 1:
        return Match("miss", answer, "choice", "hedged between options", settled=True)
    if picked.keys == keys:
        return Match("right", answer, "choice")
    return Match("miss", answer, "choice", f"names {''.join(picked.keys)}", settled=True)


def _picked_by_value(answer: str, options: Sequence[Option]) -> Picked | None:
    """The one option that an answer without a key is equal to."""
    fitting = [option.key for option in options[:12] if option.text and compare(option.text, answer).right]
    return Picked((fitting[0],)) if len(fitting) == 1 else None


# Golds that say no more than that there is an answer somewhere.
_PLACEHOLDER = re.compile(
    r"\(?(?:见|如)?(?:解析|图|解答|答案|详解|略)(?:见?(?:图|解析))?\)?|\(?see (?:the )?(?:figure|solution|explanation|analysis|picture|diagram|above|below).{0,20}\)?"
    r"|(?:答案)?不唯一\)?|\(?(?:answers? )?(?:is |are )?not unique\)?|\(?omitted\)?|N/?A|none given",
    re.IGNORECASE,
)


def _compare(gold: str, answer: str, wanted: Asked, question: str, subject: str | None, depth: int) -> Result:
    one, two = clean(gold), clean(answer)
    if "\\begin" in one or "\\begin" in two:
        one, two = _cases_as_list(one), _cases_as_list(two)
    if not one or _PLACEHOLDER.fullmatch(one):
        return Result(False, "text", "the gold states no answer")
    if not two:
        return Result(False, "text", "empty")
    if subject == "chemistry" and one[0] == "+" and two[0] != "+" and one[1:2].isdigit():
        return Result(False, "number", "the sign of a valence is written")
    if _DECIMAL.fullmatch(one) and _DECIMAL.fullmatch(two):
        right = one == two or Fraction(one) == Fraction(two)
        return Result(right, "number", "" if right else "another value")
    listed = _listed_alternatives(one)
    if listed is not None:
        for alternative in listed:
            result = (
                _compare(alternative, answer, wanted, question, subject, depth + 1) if depth < 3 else None
            )
            if result is not None and result.right:
                return result
        return Result(False, "alternatives", "none of the listed ones")
    ours, theirs = tokens(one), tokens(two)
    if canonical(ours, one) == canonical(theirs, two):
        if (_TWO_VALUES.search(one) is None) != (_TWO_VALUES.search(two) is None):
            return Result(False, "text", "two values on one side")
        return Result(True, "text")
    if ours is None or theirs is None:
        return Result(False, "text", "too long")
    if _same_word(one, two):
        return Result(True, "text")
    if (subject in _NO_PRODUCTS or wanted.order) and one.isalpha() and one.isascii():
        return Result(False, "text", "differs")
    if _hyphenated(ours):
        return Result(False, "text", "a range, a date or a row joined by hyphens")
    substance = read_chemistry(ours, subject)
    if substance is not None:
        right = substance == read_chemistry(theirs, subject or "chemistry")
        return Result(right, "chemistry", "" if right else "another formula or equation")
    if depth < 3:
        parts = several_values(one, wanted)
        if parts is not None:
            return _compare_parts(parts, two, wanted, question, subject, depth)
    return _structure(ours, theirs, wanted, question)


def _structure(ours: tuple[Token, ...], theirs: tuple[Token, ...], wanted: Asked, question: str) -> Result:
    if any(token.kind == "gap" for token in theirs):
        return Result(False, "text", "several values for one")
    return equal(ours, theirs, Context(wanted, question))


# Where letters side by side are symbols, genes or words.
_NO_PRODUCTS = frozenset(("biology", "chemistry", "geography"))
# "3 -5" is a list of two, "3-5" and "3 - 5" are not.
_TWO_VALUES = re.compile(r"[0-9] [+-][0-9]")


def _hyphenated(found: Sequence[Token]) -> bool:
    """Whether a text is a row joined by hyphens, and no difference: 3-5 pages, 2020-05-03, A-C-B, Gly-Ala-Ser."""
    if len(found) < 3 or len(found) % 2 == 0 or any(token.text != "-" for token in found[1::2]):
        return False
    items = found[::2]
    if all(token.kind == "num" for token in items):
        return True
    return len(items) > 2 and all(token.kind == "run" and token.text[0].isupper() for token in items)


_DECIMAL = re.compile(r"[+-]?[0-9]{1,300}(?:\.[0-9]{1,300})?")


# --- words


def _same_word(one: str, two: str) -> bool:
    """The same words, where only the first letter's case differs: Equal, equal. Not where case may be all: Aa, Co, AaBb."""
    if len(one) != len(two) or len(one) < 2 or one[1:] != two[1:] or one[0].lower() != two[0].lower():
        return False
    words = one.split()
    if not all(word.isalpha() and word.isascii() for word in words) or not one[1:].islower():
        return False
    if len(one) < 4:
        return one.lower() in ("yes", "no")
    lowered = one.lower()
    if len(lowered) % 2 == 0 and all(lowered[i] == lowered[i + 1] for i in range(0, len(lowered), 2)):
        return False  # Aabb
    if len(lowered) < 6 and list(lowered) == sorted(lowered):
        return False  # Abcd, a gamete
    return len(set(lowered)) > 2 and bool(set(lowered) & set("aeiouy"))


# --- golds that list alternatives

_NOT_UNIQUE = re.compile(
    r"[\s,;，；。.]{0,3}[(（]?\s?(?:the )?(?:答案|answers?|solution)?\s?(?:is |are |may )?(?:not (?:be )?unique|不唯一|非唯一|合理即可|choose one|any one|任选(?:其)?一个?|任写一个|one is enough|符合[^)）]{0,10}即可)\s?[)）]?[\s。.]{0,3}$",
    re.IGNORECASE,
)
_UNIQUE_FIRST = re.compile(r"^(?:答案不唯一|不唯一)[,，:：;；]?\s?(?:如|例如|比如|可以是)?[:：]?\s?")
_OTHERWISE = re.compile(
    r"\(\s?(?:or|或|或者|也可以?|亦可)\s?(?:fill in|write|填|写|写成|写为|as)?\s?:?", re.IGNORECASE
)


@lru_cache(maxsize=2048)
def _listed_alternatives(gold: str) -> tuple[str, ...] | None:
    """The answers of which a gold says that any one will do; None where it says no such thing."""
    text = gold
    marked = False
    if (match := _UNIQUE_FIRST.match(text)) is not None and match.end() < len(text):
        text, marked = text[match.end() :], True
    if (match := _NOT_UNIQUE.search(text)) is not None and match.start() > 0:
        text, marked = text[: match.start()], True
    found = [text]
    match = _OTHERWISE.search(text)
    if match is not None and match.start() > 0 and text.rstrip().endswith(")"):
        found = [text[: match.start()], text.rstrip()[match.end() : -1]]
        marked = True
    elif marked:
        found = [piece for part in split_top(text, " or ") for piece in split_top(part, "或")]
    if not marked:
        return None
    return tuple(clean(piece) for piece in found if clean(piece)) or None


# --- golds that hold several values

_PLAIN_NUMBER = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?(?:/[0-9]+)?")
_ALTERNATIVE = re.compile(r"或|(?<![A-Za-z])or(?![A-Za-z])")
_THOUSANDS = re.compile(r"[+-]?[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?(?![0-9])[^,]*")


def several_values(gold: str, wanted: Asked | None = None) -> tuple[str, ...] | None:
    """The values of a gold that lists several, where its separators can be read in one way only; None for one value.

    Labels (1)…(2)…, lines, semicolons, wide gaps (`$$7$$ $$11$$`), 、 and commas outside brackets separate; spaces do between plain numbers. A comma before
    three digits is a thousands separator, unless the question prints as many blanks as there are parts.
    """
    blanks = 0 if wanted is None else wanted.blanks
    return _several_values(gold, blanks)


@lru_cache(maxsize=4096)
def _several_values(gold: str, blanks: int) -> tuple[str, ...] | None:
    labelled = split_labels(gold, count_labels(gold)) if gold[0] in "(①" else None
    if labelled is not None and len(labelled) > 1 and all(part is not None for part in labelled):
        return tuple(part for part in labelled if part is not None)
    for splitter in ("\n", ";", "\\quad", "、"):
        parts = split_top(gold, splitter)
        if len(parts) > 1:
            return tuple(parts)
    parts = split_top(gold, ",")
    if len(parts) > 1 and blanks != len(parts) and _ALTERNATIVE.search(gold) is not None:
        return None  # "x=1, y=2 or x=2, y=1" lists pairs, "6, 2 or 10" alternatives
    if len(parts) > 1 and (_THOUSANDS.fullmatch(gold) is None or blanks == len(parts)):
        return tuple(parts)
    for splitter in (" and ", "和", "与"):
        parts = split_top(gold, splitter)
        if len(parts) > 1 and all(_is_value(part) for part in parts):
            return tuple(parts)
    parts = gold.replace("\\ ", " ").split()
    if len(parts) > 1 and all(_PLAIN_NUMBER.fullmatch(part) for part in parts):
        mixed = len(parts) == 2 and "/" in parts[1] and "/" not in parts[0] and "." not in parts[0]
        if not mixed or blanks == 2:
            return tuple(parts)
    return None


_NAMED = re.compile(r"\s?(\\?[A-Za-z]+(?:_(?:[A-Za-z0-9]|\{[A-Za-z0-9]{1,5}\}))?)\s?=(?!=)[^=<>≤≥≠]+")


def _names_of_values(parts: Sequence[str]) -> list[str] | None:
    """The names of "x=1, y=2", which say by themselves which value is which; None where the values have none of their own."""
    names = [match[1] for part in parts if (match := _NAMED.fullmatch(part)) is not None]
    return names if len(names) == len(parts) == len(set(names)) else None


_CASES = re.compile(
    r"(?:\\left\s?)?(?:\\\{|\\lbrace)?\s?\\begin\{(cases|aligned|array|matrix)\}(?:\{[lcr]{1,3}\})?"
    r"(.*)\\end\{(?:cases|aligned|array|matrix)\}\s?(?:\\right\s?\.?)?",
    re.DOTALL,
)


def _cases_as_list(text: str) -> str:
    """A brace over "x=1" and "y=2" as "x=1, y=2"; any other text as it is."""
    match = _CASES.fullmatch(text)
    if match is None or "\\begin" in match[2]:
        return text
    rows = [row.replace("&", "").strip(" \n,;.，；。") for row in match[2].split("\\\\")]
    rows = [row for row in rows if row]
    return ", ".join(rows) if len(rows) > 1 and _names_of_values(rows) is not None else text


def _is_value(part: str) -> bool:
    return any(character.isdigit() or character in "∠\\" for character in part)


def _compare_parts(
    parts: tuple[str, ...], answer: str, wanted: Asked, question: str, subject: str | None, depth: int
) -> Result:
    given = split_answer(answer, len(parts))
    if given is None or len(given) != len(parts) or any(part is None or not part.strip() for part in given):
        return Result(False, "list", "not as many values")
    values = [part for part in given if part is not None]
    ours, theirs = _names_of_values(parts), _names_of_values(values)
    if ours is not None and theirs is not None and sorted(ours) == sorted(theirs):
        values = [values[theirs.index(name)] for name in ours]
    # The units that the question prints belong to one part each, and nobody knows to which.
    known = wanted if len(set(wanted.units)) <= 1 else replace(wanted, units=(), name="")
    left = list(range(len(values)))
    for i, part in enumerate(parts):
        tried = left if wanted.any_order and not wanted.order else [i]
        for j in tried:
            if _compare(part, values[j], known, question, subject, depth + 1).right:
                if wanted.any_order and not wanted.order:
                    left.remove(j)
                break
        else:
            return Result(False, "list", f"value {i + 1} differs")
    return Result(True, "list")
