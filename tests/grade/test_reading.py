"""Formulas are read as what they say, or not at all."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, given, settings

from eduflow.grade.normalise import canonical, clean, tokens
from eduflow.grade.parse import Node, parse
from eduflow.grade.value import Limit, Undefined, exact, same
from tests.support.expressions import EXPRESSIONS, NAMES, PLAIN, STYLES, Expression, Style, write

POINT = {name: 17 + 2 * at for at, name in enumerate(NAMES)}


def read(text: str) -> Node | None:
    return parse(tokens(clean(text)) or ())


def at_point(node: Node) -> Node:
    """The expression with every name replaced by its number."""
    if node.op == "sym":
        name = str(node.value).replace("{", "").replace("}", "")
        return Node("num", (), Fraction(POINT[name]))
    return Node(node.op, tuple(at_point(arg) for arg in node.args), node.value)


@settings(max_examples=400, deadline=None)
@given(EXPRESSIONS, STYLES)
def test_what_is_read_has_the_value_of_what_was_written(expression: Expression, style: Style) -> None:
    node = read(write(expression, style))
    assume(node is not None)
    assert node is not None
    try:
        value = expression.value(POINT)
    except ZeroDivisionError:
        return
    try:
        assert exact(at_point(node)) == value, write(expression, style)
    except Limit:
        assert value.numerator.bit_length() > 5_000 or value.denominator.bit_length() > 5_000
    except Undefined:
        pytest.fail("a value where none was read")


@settings(max_examples=200, deadline=None)
@given(EXPRESSIONS)
def test_the_plain_way_of_writing_is_always_read(expression: Expression) -> None:
    assert read(write(expression, PLAIN)) is not None


@settings(max_examples=150, deadline=None)
@given(EXPRESSIONS, EXPRESSIONS)
def test_expressions_are_equal_only_where_their_values_are(one: Expression, two: Expression) -> None:
    first, second = read(write(one, PLAIN)), read(write(two, PLAIN))
    assert first is not None
    assert second is not None
    try:
        equal = same(first, second)
    except (Limit, Undefined):
        return
    if equal:
        for shift in (0, 5, 40):
            point = {name: number + shift for name, number in POINT.items()}
            try:
                assert one.value(point) == two.value(point)
            except ZeroDivisionError:
                continue


@pytest.mark.parametrize(
    "text",
    ["37 20", "1/2x", "a/bc", "x2", "√2x", "\\sin x/2", "\\sin(x)y", "\\sin^{-1}x", "\\log x", "2e-1", "3\\frac{5}{2}", "east", "(1)(3)",
     "\\frac12 \\frac13", "1--2", "2^", "2^2^3", "\\frac{1}", "((1)", "|a", "\\vec a\\times\\vec b", "2 3", "a b c d east", "1:2", "x=1", "\\sqrt"],
)  # fmt: skip
def test_what_could_mean_two_things_is_not_read(text: str) -> None:
    assert read(text) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [("1\\frac{1}{2}", Fraction(3, 2)), ("1 1/2", Fraction(3, 2)), ("-1\\frac12", Fraction(-3, 2)), ("\\frac94", Fraction(9, 4)), ("\\frac{12}5", Fraction(12, 5)),
     ("2^{-3}", Fraction(1, 8)), ("2^-3", Fraction(1, 8)), ("-2^2", Fraction(-4)), ("(-2)^2", Fraction(4)), ("3!", Fraction(6)), ("9\\%", Fraction(9, 100)),
     ("1.6e-19", Fraction(16, 10**20)), ("3.0×10^8", Fraction(300_000_000)), ("\\sqrt{16}", Fraction(4)), ("\\sqrt[3]{-27}", Fraction(-3)), ("½", Fraction(1, 2)), ("|-3|", Fraction(3)),
     ("2÷4×3", Fraction(3, 2)), ("2\\cdot-3", Fraction(-6)), ("10^10", Fraction(10**10))],
)  # fmt: skip
def test_numbers_are_read_exactly(text: str, value: Fraction) -> None:
    node = read(text)
    assert node is not None
    assert exact(node) == value


@pytest.mark.parametrize(
    ("one", "two"),
    [("\\dfrac{1}{2}", "\\frac{1}{2}"), ("x^{2}", "x²"), ("x^2", "x^{2}"), ("a\\leqslant b", "a≤b"), ("\\text{cm}", "cm"), ("30^{\\circ}", "30°"), ("30{}^\\circ", "30°"),
     ("{{30}^{{}^\\circ }}", "{{30}°}"), ("25°C", "25℃"), ("\\left(1,2\\right)", "(1,2)"), ("\\{1\\}", "\\lbrace 1\\rbrace"), ("$$7$$", "7"), ("**7**", "7"), ("７", "7"), ("7。", "7"),
     ("\\quantity{36}{cm}", "36cm"), ("\\Delta ABC", "\\triangle ABC")],
)  # fmt: skip
def test_ways_of_writing_become_one(one: str, two: str) -> None:
    first, second = clean(one), clean(two)
    assert canonical(tokens(first), first) == canonical(tokens(second), second)


@pytest.mark.parametrize(
    ("one", "two"),
    [("cm²", "cm2"), ("①", "1"), ("\\frac{12}{3}", "\\frac{1}{23}"), ("x^{12}", "x^{1}2"), ("37 20", "3720"), ("A", "a"), ("x_1", "x1"), ("H_2", "H2"), ("1,2", "12"), ("½", "12")],
)  # fmt: skip
def test_ways_of_writing_that_differ_in_meaning_stay_apart(one: str, two: str) -> None:
    first, second = clean(one), clean(two)
    assert canonical(tokens(first), first) != canonical(tokens(second), second)
