"""What holds for every gold: it is itself, a benign rewriting is it too, a change of meaning never is."""

from __future__ import annotations

import json
import random
import re
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from eduflow.grade.compare import compare, several_values
from eduflow.grade.normalise import clean
from eduflow.grade.question import asked
from tests.support.expressions import EXPRESSIONS, PLAIN, STYLES, Expression, Style, write

CASES = [
    json.loads(line) for line in (Path(__file__).parent / "cases.jsonl").read_bytes().split(b"\n") if line
]
# Golds that are one plain answer: those that list alternatives or state nothing aren't themselves as a whole.
GOLDS = sorted(
    {case["gold"] for case in CASES if case["type"] == "blank"}
    - {
        case["gold"]
        for case in CASES
        if re.search(r"not unique|不唯一|choose one|\(or|略|见解析|see figure", case["gold"])
    }
)

# One answer of each kind, for mutations.
SAMPLES = [
    "24", "-3.75", "\\frac{7}{12}", "2\\frac{1}{3}", "1.6\\times10^{-19}", "58,500", "3\\sqrt{5}", "\\frac{4}{3}\\pi", "2x^2-3x+1", "\\frac{n(n+1)}{2}",
    "2\\sin(2x-\\frac{\\pi}{6})", "36 cm", "9.8 m/s^2", "1.0×10^3 kg/m^3", "220 V", "63\\%", "37°20′", "105^{\\circ}", "14:25", "2:3:5", "(3,-4)", "[2,5)", "(-\\infty,7]",
    "\\{1,4,9\\}", "x\\geq 3", "-1<x\\leq 4", "y=2x+7", "x^2+y^2=25", "x=6 or x=-2", "37 21", "(1)12;(2)45", "①③④", "Fe_2O_3", "SO_4^{2-}", "2H_2+O_2=2H_2O", "NaOH",
    "北纬32°", "3万", "1小时25分", "AaBb", "\\overrightarrow{AB}", "\\angle ABC",
]  # fmt: skip


@pytest.mark.parametrize("gold", GOLDS)
def test_a_gold_is_itself(gold: str) -> None:
    assert compare(gold, gold).right


@pytest.mark.parametrize(
    "wrap",
    [
        "${}$",
        "$${}$$",
        "\\({}\\)",
        "\\[{}\\]",
        "**{}**",
        " {} ",
        "{}.",
        "{}。",
        "\\boxed{{{}}}",
        "`{}`",
        "\n{}\n",
        "**${}$**.",
        "\u3000{}\u200b",
    ],
)
@pytest.mark.parametrize("gold", SAMPLES)
def test_what_stands_around_an_answer_does_not_matter(gold: str, wrap: str) -> None:
    assert compare(gold, wrap.format(gold)).right


FULLWIDTH = {ord(c): chr(ord(c) + 0xFEE0) for c in "0123456789+-=<>:(),;%"}


@pytest.mark.parametrize("gold", SAMPLES)
def test_fullwidth_characters_are_the_plain_ones(gold: str) -> None:
    assume_plain = gold.translate(FULLWIDTH) if "\\" not in gold else gold
    assert compare(gold, assume_plain).right


@pytest.mark.parametrize(
    ("old", "new"),
    [("\\frac", "\\dfrac"), ("\\frac", "\\tfrac"), ("\\times", "×"), ("\\geq", "≥"), ("\\geq", "\\geqslant"), ("\\leq", "\\le"), ("\\pi", "π"), ("\\sqrt{5}", "√5"), ("(", "\\left("), ("^{\\circ}", "°"), ("′", "'"), ("_2", "₂"), ("^2", "²"), (" cm", "cm"), (" cm", "\\,\\text{cm}"), (" V", "~\\mathrm{V}"), ("\\{", "\\left\\{"), ("\\infty", "∞")],
)  # fmt: skip
def test_benign_rewritings_are_accepted(old: str, new: str) -> None:
    rewritten = 0
    for gold in SAMPLES:
        if old in gold:
            other = gold.replace(old, new)
            other = other.replace(")", "\\right)") if new == "\\left(" else other
            other = other.replace("\\}", "\\right\\}") if new == "\\left\\{" else other
            if "\\left(" in other and other.count("\\left(") != other.count("\\right)"):
                continue
            assert compare(gold, other).right, (gold, other)
            rewritten += 1
    assert rewritten


@settings(max_examples=250, deadline=None)
@given(EXPRESSIONS, STYLES)
def test_an_expression_equals_itself_in_another_style(expression: Expression, style: Style) -> None:
    one, two = write(expression, PLAIN), write(expression, style)
    match = compare(one, two)
    assume(match.detail != "resource")
    # A slash or a side-by-side product may make it ambiguous, and then it is read as nothing.
    assert match.right or match.detail in ("not a value", "differs", "has no value", "several values for one")
    assert match.right == compare(two, one).right or match.right


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=30), st.text(max_size=30))
def test_any_two_texts_are_compared_without_an_error(one: str, two: str) -> None:
    assert compare(one, two).verdict in ("right", "miss")
    if compare(one, two).right:
        assert clean(one)


ALPHABET = st.sampled_from(
    ["\\frac", "\\sqrt", "{", "}", "(", ")", "[", "]", "^", "_", "1", "2", "0.5", "x", "y", "+", "-", "\\times", "/", "=", "<", ",", ";", ":", "°", "′", "%", "cm", "m", "π",
     "\\sin", "\\log", "|", "±", "or", "且", "①", "H", "O", "\\ce", "→", "\\text", "\\left", "$", " ", "\n", "!", "∪", "∅", "\\begin", "&", "\\\\", "万", "小时"]
)  # fmt: skip


@settings(max_examples=500, deadline=None)
@given(st.lists(ALPHABET, max_size=24).map("".join), st.lists(ALPHABET, max_size=24).map("".join))
def test_any_two_formulas_are_compared_without_an_error(one: str, two: str) -> None:
    forth, back = compare(one, two), compare(two, one)
    assert forth.verdict in ("right", "miss")
    if forth.right and back.right:
        assert clean(one)
        assert clean(two)


def digit_changed(text: str, rng: random.Random) -> str:
    places = [i for i, c in enumerate(text) if c.isdigit() and c.isascii()]
    place = rng.choice(places)
    new = rng.choice([c for c in "123456789" if c != text[place]])
    return text[:place] + new + text[place + 1 :]


@pytest.mark.parametrize("gold", [gold for gold in SAMPLES if any(c.isdigit() and c.isascii() for c in gold)])
def test_a_changed_digit_is_never_accepted(gold: str) -> None:
    rng = random.Random(gold)
    for _ in range(40):
        changed = digit_changed(gold, rng)
        if changed == gold or changed.replace(" ", "") in SAME_VALUE:
            continue
        assert not compare(gold, changed).right, changed
        assert not compare(changed, gold).right, changed


# Changes of a label or an exponent of a unit's notation that leave the value as it is: none in these samples.
SAME_VALUE: set[str] = set()


@pytest.mark.parametrize(
    ("gold", "changed"),
    [(gold, gold.replace(old, new, 1)) for gold in SAMPLES for old, new in [
        ("-", "+"), ("+", "-"), ("cm", "mm"), ("cm", "m"), ("V", "A"), ("m/s^2", "m/s"), ("kg", "g"), ("°", "′"), ("≥", ">"), ("\\geq", ">"), ("\\geq", "\\leq"), ("<", ">"), ("\\leq", "<"),
        ("[", "("), (")", "]"), ("]", ")"), ("\\sin", "\\cos"), ("\\pi", ""), ("\\sqrt", ""), ("x", "y"), ("y", "z"), ("=", "\\neq "), ("Fe", "FE"), ("Na", "NA"), ("Fe", "fe"), ("OH", "Oh"), ("H", "h"),
        ("A", "a"), ("a", "A"), ("北", "南"), ("万", "亿"), ("小时", "分"), ("\\%", ""), ("\\times10", "10"), ("^{2-}", "^{2+}"), ("①", "②"), (":", ","), ("AB", "BA"), ("ABC", "ACB"), ("\\angle", "\\triangle"), ("\\{", "("),
    ] if old in gold and gold.replace(old, new, 1) != gold],
)  # fmt: skip
def test_a_changed_sign_unit_bracket_or_case_is_never_accepted(gold: str, changed: str) -> None:
    assert not compare(gold, changed).right
    assert not compare(changed, gold).right


@pytest.mark.parametrize(("gold", "swapped"), [
    ("(3,-4)", "(-4,3)"), ("2:3:5", "3:2:5"), ("37 21", "21 37"), ("(1)12;(2)45", "(1)45;(2)12"), ("[2,5)", "[5,2)"), ("2H_2+O_2=2H_2O", "2H_2O=2H_2+O_2"), ("-1<x\\leq 4", "4<x\\leq -1"),
    ("\\frac{7}{12}", "\\frac{12}{7}"), ("2x^2-3x+1", "1-3x^2+2x"), ("14:25", "25:14"), ("37°20′", "20°37′"), ("y=2x+7", "x=2y+7"), ("\\overrightarrow{AB}", "\\overrightarrow{BA}"), ("AaBb", "BbAa"),
])  # fmt: skip
def test_a_changed_order_is_never_accepted(gold: str, swapped: str) -> None:
    assert not compare(gold, swapped).right
    assert not compare(swapped, gold).right


@settings(max_examples=300, deadline=None)
@given(st.fractions(max_denominator=400), st.fractions(max_denominator=400))
def test_numbers_are_equal_only_where_they_are_the_same(one: Fraction, two: Fraction) -> None:
    def text(number: Fraction) -> str:
        return (
            f"\\frac{{{number.numerator}}}{{{number.denominator}}}" if number.denominator > 1 else str(number)
        )

    assert compare(text(one), text(two)).right == (one == two)
    assert compare(text(one), text(one)).right


@settings(max_examples=200, deadline=None)
@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-1000, max_value=1000, places=6))
def test_a_decimal_equals_its_fraction_and_no_neighbour(number: object) -> None:
    gold = str(number)
    value = Fraction(gold)
    assert (
        compare(gold, f"\\frac{{{value.numerator}}}{{{value.denominator}}}").right or value.denominator == 1
    )
    assert not compare(gold, f"{float(value) + 1e-6:.7f}").right


@pytest.mark.parametrize(
    ("gold", "values"),
    [("37 20", ("37", "20")), ("1 1/2", None), ("1,234", None), ("1,23", ("1", "23")), ("(1,2)", None), ("(1)3;(2)5", ("3", "5")), ("8\n4", ("8", "4")), ("x=1, y=2", ("x=1", "y=2")),
     ("\\{1,2\\}", None), ("甲、乙", ("甲", "乙")), ("①③④", None), ("2 or 3", None), ("x>1", None), ("a; b; c", ("a", "b", "c")), ("12", None)],
)  # fmt: skip
def test_a_gold_is_several_values_only_where_its_separators_say_so(
    gold: str, values: tuple[str, ...] | None
) -> None:
    assert several_values(clean(gold)) == values


def test_a_question_with_two_blanks_makes_a_comma_a_separator() -> None:
    assert several_values("1,234", asked("a=___, b=___")) == ("1", "234")


@pytest.mark.parametrize(
    ("answer", "settled"),
    [("B", True), ("A or B", True), ("ABC", True), ("I would say the second one", False), ("", True)],
)
def test_a_choice_is_settled_only_by_a_clean_naming(answer: str, settled: bool) -> None:
    match = compare("A", answer, type="choice")
    assert not match.right
    assert match.settled is settled


@pytest.mark.parametrize("changed", ["x>1且x<-1", "x>1 and x<-1", "x>1, x<-1", "x>1", "-1>x>1"])
def test_conditions_that_hold_together_are_no_alternatives(changed: str) -> None:
    assert not compare("x>1 or x<-1", changed).right
    assert compare("x>1 or x<-1", "x<-1或x>1").right
    assert compare("x=6 or x=-2", "x=6 and x=-2").right  # both solutions


def test_a_hedge_between_values_is_settled() -> None:
    assert compare("5", "5 or 6").settled
    assert not compare("5", "6").settled
