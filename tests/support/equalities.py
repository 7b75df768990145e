"""Find the numeric equalities in a text and work them out exactly, without eval."""

from __future__ import annotations

import itertools
import re
from fractions import Fraction

_RUN = re.compile(r"[0-9.+\-×÷()= ]+")
_TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d+)?)|([-+×÷()]))")


class NotAnExpression(ValueError):
    """A text that is no arithmetic expression."""


def value(text: str) -> Fraction:
    """The exact value of an expression of decimals, + - × ÷ and brackets.

    Raises:
        NotAnExpression: it is something else.
    """
    tokens: list[str] = []
    place, text = 0, text.rstrip()
    while place < len(text):
        found = _TOKEN.match(text, place)
        if found is None:
            raise NotAnExpression(text)
        tokens.append(found[1] or found[2])
        place = found.end()
    result, rest = _sum(tokens)
    if rest:
        raise NotAnExpression(text)
    return result


def _sum(tokens: list[str]) -> tuple[Fraction, list[str]]:
    left, tokens = _product(tokens)
    while tokens and tokens[0] in "+-":
        sign = tokens[0]
        right, tokens = _product(tokens[1:])
        left = left + right if sign == "+" else left - right
    return left, tokens


def _product(tokens: list[str]) -> tuple[Fraction, list[str]]:
    left, tokens = _atom(tokens)
    while tokens and tokens[0] in "×÷":
        sign = tokens[0]
        right, tokens = _atom(tokens[1:])
        left = left * right if sign == "×" else left / right
    return left, tokens


def _atom(tokens: list[str]) -> tuple[Fraction, list[str]]:
    if not tokens:
        raise NotAnExpression("ends too early")
    first, rest = tokens[0], tokens[1:]
    if first == "-":
        inner, rest = _atom(rest)
        return -inner, rest
    if first == "(":
        inner, rest = _sum(rest)
        if rest[:1] != [")"]:
            raise NotAnExpression("a bracket is open")
        return inner, rest[1:]
    if first[0].isdigit():
        return Fraction(first), rest
    raise NotAnExpression(first)


def equalities(text: str) -> list[tuple[str, str, bool]]:
    """Every numeric equality in a text: left side, right side, whether it holds.

    A side that is part of something with letters ("3x + 5 = 20", "v = 36 ÷ 2 = 18": the first "=") is no numeric one
    and left out; any other side that cannot be read raises `NotAnExpression`.
    """
    found = []
    for run in _RUN.finditer(text):
        # "= 155 (yuan)": the bracket belongs to the unit.
        sides = re.sub(r" \($", " ", run[0]).split("=")
        if len(sides) < 2:
            continue
        before, after = text[: run.start()], text[run.end() :]
        first, last = sides[0].strip(), sides[-1].strip()
        if not first or first[0] in "+×÷)" or (before[-1:].isalpha() and not sides[0].startswith(" ")):
            sides = sides[1:]
        if not last or last[-1] in "+-×÷(" or (after[:1].isalpha() and run[0][-1] not in " ("):
            sides = sides[:-1]
        sides = [side.strip().rstrip(".") for side in sides]
        found += [(left, right, value(left) == value(right)) for left, right in itertools.pairwise(sides)]
    return found
