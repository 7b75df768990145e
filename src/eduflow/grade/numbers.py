r"""Numbers, expressions, quantities, percents, angles, ratios, clock times and places on the globe.

The rules:
- a number is exact: 0.5 is 1/2, 0.33 is not 1/3, 9.80 is 9.8, 6.28 is not 2π; no tolerance anywhere;
- an expression equals another where both have the same value wherever they have one (see `value.py`);
- an answer must be worked out at least as far as the gold: 2+3 is no answer to a gold of 5, nor √4 to one of 2;
- a question that asks to factor, expand or simplify wants that form, not only that value;
- units are converted exactly inside a dimension. A bare number is right against a gold with a unit, unless the question asks for another unit or for
  the unit itself; against a percent it is a number like any other (0.09 is 9%, 9 is not). A unit in the answer alone must be the one that the question
  prints;
- a single letter glued to a number (5m) is a unit only where the question doesn't use it as a variable;
- degrees, minutes and seconds are sixtieths; 1小时30分 is 90 minutes; 1.5万 is 15000;
- ratios are equal when proportional, term by term; where the simplest ratio is asked for, or it could be a time of day, only when identical.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from eduflow.grade.normalise import Token, canonical
from eduflow.grade.parse import Node, is_constant, parse
from eduflow.grade.question import Asked
from eduflow.grade.units import DEGREE, SYMBOLS, WORDS, Unit, has_variable, read_unit
from eduflow.grade.value import exact, is_rational, same, size

_MAGNITUDES = {
    "万亿": 12,
    "千万": 7,
    "百万": 6,
    "十万": 5,
    "千亿": 11,
    "百亿": 10,
    "十亿": 9,
    "万": 4,
    "亿": 8,
}
_SCALES = {"thousand": 3, "million": 6, "billion": 9}
_ONE = Unit(Fraction(1), ())


@dataclass(frozen=True, slots=True)
class Quantity:
    """A value and its unit, None where it has none.

    `weak`: the letters of the unit could as well be variables. `percent`: the value is written as a percent.
    """

    node: Node
    unit: Unit | None = None
    weak: bool = False
    letter: str = ""
    percent: bool = False


def read_quantity(found: Sequence[Token], *, thousands: bool = True) -> Quantity | None:
    """A number or expression with or without a unit.

    Args:
        thousands: whether a comma before three digits may be a thousands separator.
    """
    found = _joined(found) if thousands else tuple(found)
    if not found:
        return None
    compound = _compound(found)
    if compound is not None:
        return compound
    applied = any(token.kind == "func" for token in found)
    for start in range(1, len(found)):
        token = found[start]
        if applied and token.text in ("°", "′", "″", "'"):
            continue  # the degrees of an argument: sin 30°
        if not (
            token.kind in ("run", "cjk", "sym", "func")
            or token.text in ("°", "′", "″", "'", "℃", "(", "square")
        ):
            continue
        if found[start - 1].text in ("^", "_", "\\", "∠", "△") or _depth(found, start):
            continue
        tail = _tail(found, start)
        if tail is None:
            continue
        scale, unit, weak = tail
        node = parse(found[:start])
        if node is None or _has(node, "degree") or _has(node, "percent"):
            continue
        if not is_constant(node) and (weak or token.text in ("′", "″", "'")):
            continue
        if scale != 1:
            node = _times(scale, node)
        # A space or an upright letter says unit; "5m" says nothing.
        glued = not token.space and not token.roman and token.kind == "run" and len(token.text) < 3
        return Quantity(node, unit, weak=weak and glued, letter=token.text if glued else "")
    node = parse(found)
    if node is None:
        return None
    return Quantity(node, percent=node.op == "percent")


def _tail(found: Sequence[Token], start: int) -> tuple[Fraction, Unit | None, bool] | None:
    """Magnitude and unit that stand from token `start` to the end."""
    token = found[start]
    scale = Fraction(1)
    rest = start
    if token.kind == "cjk":
        for word, power in _MAGNITUDES.items():
            if token.text.startswith(word):
                scale = Fraction(10) ** power
                left = token.text[len(word) :]
                if not left:
                    rest = start + 1
                else:
                    found = [*found[:start], token._replace(text=left), *found[start + 1 :]]
                break
    elif token.text in _SCALES:
        scale = Fraction(10) ** _SCALES[token.text]
        rest = start + 1
    if rest == len(found):
        return scale, None, False
    if found[rest].text == "'":
        return None
    reading = read_unit(found, rest)
    if reading is None or reading.end != len(found):
        return None
    return scale, reading.unit, reading.weak


def _depth(found: Sequence[Token], at: int) -> int:
    depth = 0
    for token in found[:at]:
        if token.kind == "open":
            depth += 1
        elif token.kind == "close":
            depth -= 1
    return depth


def _joined(found: Sequence[Token]) -> tuple[Token, ...]:
    """58,500 and 58{,}500 as one number, outside brackets; the thin space of 58\\,500 is not told from a gap."""
    if not any(token.text == "," for token in found):
        return tuple(found)
    out: list[Token] = []
    depth = 0
    i = 0
    while i < len(found):
        token = found[i]
        depth += token.kind == "open"
        depth -= token.kind == "close"
        if token.kind == "num" and len(token.text) <= 3 and "." not in token.text and token.text[0] != "0":
            text, j = token.text, i
            while (
                j + 2 < len(found)
                and found[j + 1].text == ","
                and (depth == 0 or found[j + 1].group)
                and not found[j + 1].space
                and not found[j + 2].space
                and found[j + 2].kind == "num"
                and len(found[j + 2].text.split(".")[0]) == 3
            ):
                text += found[j + 2].text
                j += 2
                if "." in found[j].text:
                    break
            out.append(token._replace(text=text))
            i = j + 1
            continue
        out.append(token)
        i += 1
    return tuple(out)


def _compound(found: Sequence[Token]) -> Quantity | None:
    """1小时30分, 37°20′, 3元5角: numbers with falling units of one dimension."""
    parts: list[tuple[Fraction, Unit, str]] = []
    i = 0
    sign = 1
    if found[0].text == "-":
        sign, i = -1, 1
    while i < len(found):
        token = found[i]
        if token.kind != "num" or len(token.text) > 30 or i + 1 >= len(found):
            return None
        following = found[i + 1]
        text = following.text
        if text in ("'", "′", "″", '"', "°"):
            unit: Unit | None = SYMBOLS[{"'": "′", '"': "″"}.get(text, text)]
        elif following.kind in ("cjk", "run") or text == "min":
            unit = WORDS.get(text) or SYMBOLS.get(text)
        else:
            return None
        if unit is None:
            return None
        parts.append((Fraction(token.text), unit, text))
        i += 2
        if i < len(found) and found[i].text == "'" and text == "'":
            parts[-1] = (Fraction(token.text), SYMBOLS["″"], '"')
            i += 1
    if len(parts) < 2:
        # 20′ alone is an angle only with the true sign; an apostrophe is nothing.
        return None
    first = parts[0][1]
    total = Fraction(0)
    last: Fraction | None = None
    for number, unit, text in parts:
        if text == "分":
            if first.dimensions == (("s", 1),):
                unit = WORDS["分钟"]
            elif first.dimensions == (("yuan", 1),):
                unit = Unit(Fraction(1, 100), first.dimensions)
        if unit.dimensions != first.dimensions:
            return None
        if last is not None and (unit.factor >= last or number * unit.factor >= last):
            return None
        last = unit.factor
        total += number * unit.factor
    return Quantity(Node("num", (), sign * total), Unit(Fraction(1), first.dimensions))


def _has(node: Node, op: str) -> bool:
    return node.op == op or any(_has(arg, op) for arg in node.args)


def _degrees_outside(node: Node) -> bool:
    """Whether a degree sign stands outside every function."""
    if node.op in ("sin", "cos", "tan", "cot", "sec", "csc"):
        return False
    return node.op == "degree" or any(_degrees_outside(arg) for arg in node.args)


def equal_quantities(gold: Quantity, answer: Quantity, asked: Asked, question: str) -> tuple[bool, str]:
    """Whether an answer's quantity is the gold's, and why not."""
    if any(has_variable(question, letter) for letter in gold.letter):
        return False, "the unit may be a variable"
    if gold.unit is not None and answer.unit is not None:
        if gold.unit.dimensions != answer.unit.dimensions:
            return False, "another unit"
        if asked.units and answer.unit not in asked.units and answer.unit != gold.unit:
            return False, "a unit that was not asked for"
        return equal_expressions(_scaled(gold), _scaled(answer), asked)
    if gold.unit is not None:
        if answer.percent:
            return False, "a percent for a quantity"
        if asked.unit_itself:
            return False, "the unit is asked for"
        if asked.units and gold.unit not in asked.units:
            return False, "another unit is asked for"
        if gold.weak and not _printed(question, gold.letter, gold.unit, asked):
            return False, "the unit may be a variable"
        return equal_expressions(gold.node, answer.node, asked)
    if answer.unit is not None:
        in_degrees = asked.angle and not asked.units and answer.unit == DEGREE
        if (
            gold.percent
            or not (in_degrees or asked.units)
            or any(unit != answer.unit for unit in asked.units)
        ):
            return False, "a unit that the gold does not have"
        return equal_expressions(gold.node, answer.node, asked)
    if gold.percent != answer.percent:
        if answer.percent and asked.percent:
            # The % is printed behind the blank and the gold is what stands before it.
            return equal_expressions(gold.node, answer.node.args[0], asked)
        one, two = exact(gold.node), exact(answer.node)
        return (one is not None and one == two), "a percent"
    return equal_expressions(gold.node, answer.node, asked)


def _printed(question: str, letter: str, unit: Unit, asked: Asked) -> bool:
    """Whether the question prints the unit: behind its blank, or behind a number."""
    if unit in asked.units:
        return True
    at = question.find(letter)
    while at > 0:
        before = (
            question[:at]
            .rstrip(" $\\{")
            .removesuffix("mathrm")
            .removesuffix("text")
            .removesuffix("unit")
            .rstrip(" $\\{}")
        )
        after = question[at + len(letter) : at + len(letter) + 1]
        if before[-1:].isdigit() and not after.isalnum():
            return True
        at = question.find(letter, at + 1)
    return False


def _scaled(quantity: Quantity) -> Node:
    assert quantity.unit is not None
    return quantity.node if quantity.unit.factor == 1 else _times(quantity.unit.factor, quantity.node)


def _times(factor: Fraction, node: Node) -> Node:
    if node.op == "num":
        assert isinstance(node.value, Fraction)
        return Node("num", (), node.value * factor)
    return Node("mul", (Node("num", (), factor), node))


# --- expressions


def equal_expressions(gold: Node, answer: Node, asked: Asked) -> tuple[bool, str]:
    """Whether an answer's expression is the gold's, in value and in the form that is asked for.

    Raises:
        Limit, Undefined: as `same` does.
    """
    if gold == answer:
        return same(gold, answer), "has no value"
    if _degrees_outside(gold) != _degrees_outside(answer):
        return False, "degrees on one side only"
    if not same(gold, answer):
        return False, "another value"
    if is_constant(answer):
        left, left_in_gold = unfinished(answer, asked), unfinished(gold, asked)
        if left - left_in_gold:
            return False, f"not worked out: {', '.join(sorted(left - left_in_gold))}"
        # A gold that is itself left to work out, 2×3×5 or 3+2, is about these numbers.
        as_written = left or asked.factored or asked.form or asked.equation
        if as_written and left_in_gold & _ARITHMETIC and _sorted(gold) != _sorted(answer):
            return False, "other numbers than the gold's"
    elif (
        is_rational(answer)
        and is_rational(gold)
        and _divides_by_names(answer)
        and not _divides_by_names(gold)
    ):
        return False, "not defined everywhere"
    if asked.simplest and not _as_simple(gold, answer):
        return False, "not in simplest form"
    if asked.factored and _factors(gold) != _factors(answer):
        return False, "not factored"
    if asked.expanded and (answer.op == "add") != (gold.op == "add"):
        return False, "not expanded"
    return True, ""


_ARITHMETIC = frozenset(("sum", "product", "quotient"))


def _sorted(node: Node) -> str:
    """An expression as text, the terms of sums and the factors of products in one order."""
    args = [_sorted(arg) for arg in node.args]
    if node.op in ("add", "mul"):
        args.sort()
    value = node.value
    return f"{node.op}:{f'{value.numerator:x}/{value.denominator:x}' if isinstance(value, Fraction) else value}({','.join(args)})"


def _divides_by_names(node: Node) -> bool:
    """Whether a name stands in a denominator, so that (x²-1)/(x-1) is no x+1."""
    if node.op == "div" and not is_constant(node.args[1]):
        return True
    if node.op == "pow" and not is_constant(node.args[0]):
        power = exact(node.args[1])
        if power is not None and power < 0:
            return True
    return any(_divides_by_names(arg) for arg in node.args)


def unfinished(node: Node, asked: Asked) -> frozenset[str]:
    """The kinds of arithmetic on exact numbers that an expression leaves to do."""
    found: set[str] = set()
    _collect(node, asked, found)
    return frozenset(found)


def _collect(node: Node, asked: Asked, found: set[str]) -> None:
    op, args = node.op, node.args
    if op in ("num", "sym", "const", "apply"):
        return
    rational = [arg for arg in args if exact(arg) is not None]
    if op == "add" and len(rational) > 1:
        found.add("sum")
    elif op == "mul" and len(rational) > 1 and not _scientific(args):
        found.add("product")
    elif op == "div" and len(rational) == 2:
        top, bottom = exact(args[0]), exact(args[1])
        assert top is not None
        assert bottom is not None
        if any(_bare(arg).op != "num" for arg in args) or (
            bottom != 1 and (top / bottom).denominator == 1 and bottom.denominator == 1
        ):
            found.add("quotient")
    elif op == "pow" and len(rational) == 2 and exact(node) is not None:
        if exact(args[0]) != 10:
            found.add("power")
    elif op == "root" and exact(node) is not None:
        found.add("root")
    elif op == "fact" and asked.factorial:
        found.add("factorial")
    elif op in (
        "log",
        "sin",
        "cos",
        "tan",
        "cot",
        "sec",
        "csc",
        "arcsin",
        "arccos",
        "arctan",
        "sinh",
        "cosh",
        "tanh",
    ) and is_constant(node):
        found.add("function")
    elif op == "abs" and is_constant(node):
        found.add("absolute value")
    for arg in args:
        _collect(arg, asked, found)


def _bare(node: Node) -> Node:
    return node.args[0] if node.op == "neg" else node


def _scientific(args: tuple[Node, ...]) -> bool:
    """3×10⁸ is a number, not a product."""
    if len(args) < 2:
        return False
    numbers = [arg for arg in args if exact(arg) is not None]
    if len(numbers) != 2:
        return False
    first, second = numbers
    return _bare(first).op == "num" and second.op == "pow" and exact(second.args[0]) == 10


def _as_simple(gold: Node, answer: Node) -> bool:
    if size(answer) > size(gold):
        return False
    value = exact(answer)
    if value is not None:
        written = _bare(answer)
        if written.op == "div" and all(arg.op == "num" for arg in written.args):
            top, bottom = (arg.value for arg in written.args)
            assert isinstance(top, Fraction)
            assert isinstance(bottom, Fraction)
            return top.denominator == bottom.denominator == 1 and abs(value.denominator) == abs(bottom)
    return _radicals(answer) == _radicals(gold)


def _radicals(node: Node) -> list[str]:
    """The constant radicands, as text, so that √8 is not taken for the simplest form of 2√2."""
    found: list[str] = []
    if node.op == "root" and is_constant(node):
        value = exact(node.args[0])
        found.append("?" if value is None else f"{value.numerator:x}/{value.denominator:x}")
    for arg in node.args:
        found.extend(_radicals(arg))
    return sorted(found)


def _factors(node: Node) -> int:
    """How many factors with names an expression is written as; a power counts its exponent."""
    if node.op == "neg":
        return _factors(node.args[0])
    if node.op == "mul":
        return sum(_factors(arg) for arg in node.args if not is_constant(arg))
    if node.op == "pow" and not is_constant(node.args[0]):
        power = exact(node.args[1])
        return (
            int(power) * _factors(node.args[0])
            if power is not None and power.denominator == 1 and 0 < power < 100
            else 1
        )
    return 0 if is_constant(node) else 1


def expand_signs(node: Node) -> tuple[Node, ...]:
    """The two values that an expression with ± stands for; itself where it has none."""
    if not _has(node, "pm"):
        return (node,)
    return (_with_sign(node, 1), _with_sign(node, -1))


def _with_sign(node: Node, sign: int) -> Node:
    if node.op == "pm":
        inner = _with_sign(node.args[0], sign)
        positive = (node.value == "±") == (sign == 1)
        return inner if positive else Node("neg", (inner,))
    if not node.args:
        return node
    return Node(node.op, tuple(_with_sign(arg, sign) for arg in node.args), node.value)


# --- ratios and times of day


def equal_ratios(gold: Sequence[Node], answer: Sequence[Node], asked: Asked, *, clock: bool = False) -> bool:
    """Whether two ratios of as many terms are proportional; identical, where they could be times of day.

    Raises:
        Limit, Undefined: as `same` does.
    """
    if len(gold) != len(answer):
        return False
    if all(same(one, two) for one, two in zip(gold, answer, strict=True)):
        return all(exact(term) != 0 for term in gold) or clock
    if asked.simplest or (clock and not asked.ratio):
        return False
    if any(exact(term) == 0 for term in (*gold, *answer)):
        return False
    if any(unfinished(term, asked) for term in answer):
        return False
    return all(
        same(Node("mul", (gold[0], two)), Node("mul", (answer[0], one)))
        for one, two in zip(gold[1:], answer[1:], strict=True)
    )


# --- places on the globe

_HEMISPHERES = {"N": "N", "S": "S", "E": "E", "W": "W", "北纬": "N", "南纬": "S", "东经": "E", "西经": "W"}


def read_place(found: Sequence[Token]) -> tuple[Fraction, str] | None:
    """40°N or 北纬40°: the angle in degrees, and its hemisphere."""
    if len(found) < 3:
        return None
    if found[0].text in _HEMISPHERES and found[0].kind == "cjk":
        hemisphere, rest = _HEMISPHERES[found[0].text], found[1:]
    elif found[-1].text in ("N", "S", "E", "W"):
        hemisphere, rest = found[-1].text, found[:-1]
    else:
        return None
    quantity = read_quantity(rest)
    if quantity is None or quantity.unit is None or quantity.unit.dimensions != (("degree", 1),):
        return None
    value = exact(_scaled(quantity))
    return None if value is None or value < 0 else (value, hemisphere)


def spell(found: Sequence[Token]) -> str:
    """The canonical text of tokens."""
    return canonical(tuple(found), "")
