"""Exact numbers that remember how they were made, so that a step prints `37 + 20 = 57` and cannot be false."""

from __future__ import annotations

from fractions import Fraction

# How tightly a text holds together; an operand that is looser than its place asks for gets brackets.
_NEGATIVE, _SUM, _PRODUCT, _ATOM = 0, 1, 2, 3


def decimal(value: Fraction, places: int = 6) -> str:
    """The exact decimal notation of a fraction: "57", "-3", "2.5".

    Raises:
        ValueError: it has no decimal notation of at most `places` places.
    """
    scaled = value * 10**places
    if scaled.denominator != 1:
        raise ValueError(f"{value} has no exact decimal notation of {places} places")
    sign, digits = ("-" if scaled < 0 else ""), str(abs(scaled.numerator)).rjust(places + 1, "0")
    whole, part = digits[:-places], digits[-places:].rstrip("0")
    return f"{sign}{whole}.{part}" if part else f"{sign}{whole}"


class Num:
    """A rational number with the expression that it came from.

    `+ - * /` build the expression; `.n` forgets it and keeps the number. In an f-string `{x}` is the number,
    `{x:=}` the whole equality and `{x:e}` the expression alone.
    """

    __slots__ = ("_level", "_text", "value")

    def __init__(self, value: int | Fraction, text: str | None = None, level: int | None = None) -> None:
        self.value = Fraction(value)
        self._text = text
        self._level = level if level is not None else _NEGATIVE if self.value < 0 else _ATOM

    @property
    def n(self) -> Num:
        """The number without its expression."""
        return Num(self.value)

    @property
    def expression(self) -> str:
        return decimal(self.value) if self._text is None else self._text

    def _within(self, level: int) -> str:
        return self.expression if self._level >= level else f"({self.expression})"

    def _first(self) -> str:
        # A sum may begin with a bare negative number.
        return self._within(_NEGATIVE)

    def __add__(self, other: Num | int) -> Num:
        right = num(other)
        return Num(self.value + right.value, f"{self._first()} + {right._within(_SUM)}", _SUM)

    def __sub__(self, other: Num | int) -> Num:
        right = num(other)
        return Num(self.value - right.value, f"{self._first()} - {right._within(_PRODUCT)}", _SUM)

    def __mul__(self, other: Num | int) -> Num:
        right = num(other)
        text = f"{self._within(_PRODUCT)} × {right._within(_ATOM)}"
        return Num(self.value * right.value, text, _PRODUCT)

    def __truediv__(self, other: Num | int) -> Num:
        right = num(other)
        text = f"{self._within(_PRODUCT)} ÷ {right._within(_ATOM)}"
        return Num(self.value / right.value, text, _PRODUCT)

    def __radd__(self, other: int) -> Num:
        return num(other) + self

    def __rsub__(self, other: int) -> Num:
        return num(other) - self

    def __rmul__(self, other: int) -> Num:
        return num(other) * self

    def __rtruediv__(self, other: int) -> Num:
        return num(other) / self

    def __int__(self) -> int:
        if self.value.denominator != 1:
            raise ValueError(f"{self.value} is not a whole number")
        return self.value.numerator

    def __format__(self, spec: str) -> str:
        if spec == "=":
            return f"{self.expression} = {decimal(self.value)}"
        if spec == "e":
            return self.expression
        return decimal(self.value)

    def __str__(self) -> str:
        return decimal(self.value)

    def __repr__(self) -> str:
        return f"Num({self.value})"


def num(value: Num | int | Fraction) -> Num:
    """`value` as a Num."""
    return value if isinstance(value, Num) else Num(value)
