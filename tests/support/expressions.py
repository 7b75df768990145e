"""Random expressions with their value and several ways of writing them, to hold the reader of formulas against."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from hypothesis import strategies as st


@dataclass(frozen=True)
class Expression:
    """`op` is number, name, sum, difference, product, quotient, power or negation."""

    op: str
    parts: tuple[Expression, ...] = ()
    number: int = 0
    name: str = ""

    def value(self, point: Mapping[str, int]) -> Fraction:
        """The value at a point.

        Raises:
            ZeroDivisionError: there is none.
        """
        if self.op == "number":
            return Fraction(self.number)
        if self.op == "name":
            return Fraction(point[self.name])
        values = [part.value(point) for part in self.parts]
        if self.op == "sum":
            return values[0] + values[1]
        if self.op == "difference":
            return values[0] - values[1]
        if self.op == "product":
            return values[0] * values[1]
        if self.op == "quotient":
            return values[0] / values[1]
        if self.op == "power":
            return values[0] ** self.number
        return -values[0]


NAMES = ("x", "y", "a", "b", "α", "x_1", "AB")

LEAVES = st.one_of(
    st.integers(0, 120).map(lambda n: Expression("number", number=n)),
    st.sampled_from(NAMES).map(lambda name: Expression("name", name=name)),
)


def _grow(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    two = st.tuples(inner, inner)
    return st.one_of(
        st.builds(Expression, st.sampled_from(["sum", "difference", "product", "quotient"]), two),
        st.builds(lambda base, n: Expression("power", (base,), n), inner, st.integers(2, 13)),
        inner.map(lambda part: Expression("negation", (part,))),
    )


EXPRESSIONS = st.recursive(LEAVES, _grow, max_leaves=7)


@dataclass(frozen=True)
class Style:
    """A way of writing: how fractions, products, powers, parentheses and spaces look."""

    fraction: str = "\\frac"
    product: str = ""
    braces: bool = True
    fences: str = "()"
    space: str = ""


STYLES = st.builds(
    Style,
    fraction=st.sampled_from(["\\frac", "\\dfrac", "/", "÷"]),
    product=st.sampled_from(["", "\\cdot ", "×", "*", "\\times "]),
    braces=st.booleans(),
    fences=st.sampled_from(["()", "\\left(\\right)", "（）"]),
    space=st.sampled_from(["", " ", "\\,", "~"]),
)
PLAIN = Style(product="\\cdot ")

_LEVEL = {
    "sum": 1,
    "difference": 1,
    "negation": 1,
    "product": 2,
    "quotient": 2,
    "power": 3,
    "number": 4,
    "name": 4,
}


def write(expression: Expression, style: Style) -> str:
    """The expression in a style, with no more parentheses than it takes."""
    return _write(expression, style, 0, first=True)


def _write(expression: Expression, style: Style, level: int, *, first: bool = False) -> str:
    op, parts = expression.op, expression.parts
    if op == "number":
        return str(expression.number)
    if op == "name":
        return {"α": "\\alpha "}.get(expression.name, expression.name)
    sp = style.space
    if op in ("sum", "difference"):
        right = _write(parts[1], style, 2)
        text = f"{_write(parts[0], style, 1, first=first)}{sp}{'+' if op == 'sum' else '-'}{sp}{right}"
    elif op == "negation":
        text = f"-{_write(parts[0], style, 2)}"
        if not first:
            return _fenced(text, style)
    elif op == "product":
        left, right = _write(parts[0], style, 2, first=first), _write(parts[1], style, 3)
        # Only what nobody can take for anything else is written side by side: a number or name before a name or a fence.
        side_by_side = (
            style.product == ""
            and parts[0].op == "number"
            and (parts[1].op == "name" or right.startswith(("(", "\\left", "（")))
        )
        text = left + right if side_by_side else f"{left}{style.product or '·'}{right}"
    elif op == "quotient":
        if style.fraction.startswith("\\"):
            return f"{style.fraction}{{{_write(parts[0], style, 0, first=True)}}}{{{_write(parts[1], style, 0, first=True)}}}"
        text = f"{_write(parts[0], style, 3)}{style.fraction}{_write(parts[1], style, 3)}"
    else:
        base = _write(parts[0], style, 4)
        if parts[0].op == "quotient":
            base = _fenced(base, style) if not base.startswith(("(", "\\left", "（")) else base
        number = str(expression.number)
        text = f"{base}^{{{number}}}" if style.braces or len(number) > 1 else f"{base}^{number}"
    return _fenced(text, style) if _LEVEL[op] < level else text


def _fenced(text: str, style: Style) -> str:
    opening, closing = (
        (style.fences[:1], style.fences[-1:]) if len(style.fences) == 2 else ("\\left(", "\\right)")
    )
    return f"{opening}{text}{closing}"
