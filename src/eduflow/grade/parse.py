r"""From tokens to a small expression tree.

A recursive-descent reader of what school answers are made of: exact numbers, named quantities, the four operations, powers, roots,
elementary functions, factorials, percent and degree signs. Where a way of writing is ambiguous it reads nothing (None) rather than guess:
`1/2x`, `\frac12\,\frac13`, `2 3`, `x2`, `2^2^3`, `\sin x^2y`. Two rules deserve names:

- a whole number before a proper fraction of whole numbers is a mixed number: `1\frac{1}{2}` and `1 1/2` are 3/2;
- letters side by side are a product only where they are small and no word ("2ab", not "east"); capitals side by side (AB) are one name, since
  a segment, an angle or a genotype is no product that commutes.

Nesting and size are bounded, and the reader never goes back over a token, so its cost is linear.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from eduflow.grade.normalise import FUNCTIONS, Token, canonical

MAX_DEPTH = 40
MAX_DIGITS = 300
MAX_NODES = 400


@dataclass(frozen=True, slots=True)
class Node:
    """An expression: `op` is num, sym, inf, add, mul, div, pow, neg, root, abs, fact, pm, percent, degree, apply or a function's name.

    `value` is the Fraction of a num and the name of a sym or apply; `args` are the parts (of a root: radicand and index).
    """

    op: str
    args: tuple[Node, ...] = ()
    value: Fraction | str | None = None


class Unreadable(Exception):
    """No expression, or an ambiguous one."""


_TWO_LETTER_WORDS = frozenset(
    ("no", "on", "am", "pm", "or", "in", "is", "if", "of", "to", "so", "as", "it", "up", "us", "we")
)
_APPLIED = frozenset("fghFGφ")
# P(A), E(X), D(ξ), C(n, k): applied where what is in the parentheses can't be a factor of a product.
_VOWELS = frozenset("aeiouAEIOU")
_RIGHT_OPERATORS = frozenset(("×", "·", "*"))


def parse(found: Sequence[Token]) -> Node | None:
    """The expression that the tokens spell from first to last; None where they spell none."""
    if not found or len(found) > MAX_NODES:
        return None
    key = tuple(found)
    return _parse_cached(key) if len(key) <= 40 else _parse(key)


def _parse(found: tuple[Token, ...]) -> Node | None:
    try:
        reader = _Reader(found)
        node = reader.sum(0)
        if reader.i != reader.size:
            return None
        return _without_vectors(node) if any(token.kind == "accent" for token in found) else node
    except Unreadable:
        return None


_parse_cached = lru_cache(maxsize=8192)(_parse)


class _Reader:
    def __init__(self, found: tuple[Token, ...]) -> None:
        # Letter runs are cut into names first, so that the grammar sees one token for each factor.
        self.t = _names_of(found)
        self.i = 0
        self.size = len(self.t)
        self.bars = 0
        if self.size > MAX_NODES:
            raise Unreadable

    def peek(self, ahead: int = 0) -> Token | None:
        at = self.i + ahead
        return self.t[at] if at < self.size else None

    def sum(self, depth: int) -> Node:
        if depth > MAX_DEPTH:
            raise Unreadable
        terms: list[Node] = []
        sign = self.sign()
        first = self.product(depth + 1)
        terms.append(_signed(sign, first))
        while (
            (token := self.peek()) is not None and token.text in ("+", "-", "±", "∓") and token.kind == "op"
        ):
            sign = self.sign()
            terms.append(_signed(sign, self.product(depth + 1)))
        return terms[0] if len(terms) == 1 else Node("add", tuple(terms))

    def sign(self) -> str:
        token = self.peek()
        if token is None or token.text not in ("+", "-", "±", "∓") or token.kind != "op":
            return ""
        self.i += 1
        following = self.peek()
        if following is not None and following.kind == "op" and following.text in ("+", "-", "±", "∓"):
            raise Unreadable  # "3--2"
        return token.text

    def product(self, depth: int) -> Node:
        factors = [self.power(depth + 1)]
        divided = False
        while (token := self.peek()) is not None:
            if token.text in _RIGHT_OPERATORS and token.kind == "op":
                self.i += 1
                sign = self.sign()
                factors.append(_signed(sign, self.power(depth + 1)))
                if token.text == "×" and all(_has_vector(factor) for factor in factors[-2:]):
                    raise Unreadable  # a cross product does not commute
                divided = False
            elif token.text in ("/", "÷") and token.kind == "op":
                self.i += 1
                sign = self.sign()
                right = _signed(sign, self.power(depth + 1))
                if divided and token.text == "/":
                    raise Unreadable  # 2020/5/3 is a date
                left = factors[0] if len(factors) == 1 else Node("mul", tuple(factors))
                factors = [Node("div", (left, right))]
                divided = token.text == "/"
                following = self.peek()
                if following is not None and self.starts_factor(following):
                    raise Unreadable  # 1/2x is (1/2)x or 1/(2x)
            elif self.starts_factor(token):
                if divided:
                    raise Unreadable
                factors.append(self.juxtaposed(factors, depth))
            else:
                break
        return factors[0] if len(factors) == 1 else Node("mul", tuple(factors))

    def starts_factor(self, token: Token) -> bool:
        if token.kind in ("num", "run", "sym", "func", "open"):
            return token.text not in ("\\}", "⟩")
        if token.kind == "bar":
            return self.bars == 0
        return token.kind in ("cmd", "accent") or token.text in ("√", "∠", "△")

    def juxtaposed(self, factors: list[Node], depth: int) -> Node:
        """The next factor of a product without a sign."""
        token = self.peek()
        before = factors[-1]
        assert token is not None
        last = self.t[self.i - 1]
        if token.kind == "num":
            if before.op == "num" and last.kind == "num":
                mixed = self.mixed_plain(before)
                if mixed is not None:
                    factors.pop()
                    return mixed
            raise Unreadable  # "2 3", "x2"
        start = self.i
        node = self.power(depth + 1)
        if (
            token.text == "frac"
            and last.kind == "num"
            and before.op == "num"
            and isinstance(before.value, Fraction)
        ):
            fraction = _proper(node)
            if before.value.denominator == 1:
                if fraction is not None and self.t[self.i - 1].text != "^" and node.op == "div":
                    factors.pop()
                    return Node("num", (), before.value + fraction)
                if node.op == "div" and all(arg.op == "num" for arg in node.args):
                    raise Unreadable  # 3\frac{5}{2}
        if is_constant(node) and is_constant(before):
            names = token.kind in ("sym", "func") or token.text in ("sqrt", "√")
            spaced = self.t[start].space
            if (spaced and not (names and before.op == "num")) or (token.text == "(" and last.text == ")"):
                raise Unreadable  # two values side by side, not a product
            if token.text == "frac" and last.text in (")", "}"):
                raise Unreadable
        return node

    def mixed_plain(self, whole: Node) -> Node | None:
        """`1 1/2`, where the whole number has just been read."""
        top, slash, bottom = self.peek(), self.peek(1), self.peek(2)
        if (
            top is None
            or slash is None
            or bottom is None
            or slash.text != "/"
            or bottom.kind != "num"
            or not top.space
        ):
            return None
        if (
            slash.space
            or bottom.space
            or "." in top.text
            or "." in bottom.text
            or len(top.text) > 4
            or len(bottom.text) > 4
        ):
            return None
        assert isinstance(whole.value, Fraction)
        if whole.value.denominator != 1 or not 0 < int(top.text) < int(bottom.text):
            return None
        self.i += 3
        following = self.peek()
        if following is not None and (self.starts_factor(following) or following.text in ("^", "/", "!")):
            raise Unreadable
        return Node("num", (), whole.value + Fraction(int(top.text), int(bottom.text)))

    def power(self, depth: int) -> Node:
        if depth > MAX_DEPTH:
            raise Unreadable
        base = self.primary(depth)
        while (token := self.peek()) is not None:
            if token.text == "^" and token.kind == "op":
                self.i += 1
                base = Node("pow", (base, self.exponent(depth + 1)))
                following = self.peek()
                if following is not None and following.text == "^":
                    raise Unreadable
            elif token.text == "!" and token.kind == "op":
                self.i += 1
                base = Node("fact", (base,))
            elif token.text == "%" and token.kind == "op":
                self.i += 1
                base = Node("percent", (base,))
            elif token.text == "°" and token.kind == "op":
                self.i += 1
                base = Node("degree", (base,))
            else:
                break
        return base

    def exponent(self, depth: int) -> Node:
        sign = self.sign()
        token = self.peek()
        if token is None:
            raise Unreadable
        if token.text == "{":
            inner = self.group("}", depth)
        elif token.kind == "num":
            self.i += 1
            inner = _number(token.text)
        elif token.kind in ("sym", "run"):
            self.i += 1
            inner = Node("sym", (), token.text)
            if self.t[self.i - 1].kind == "run" and len(token.text) > 1:
                raise Unreadable
        elif token.text == "(":
            inner = self.group(")", depth)
        elif token.text == "frac":
            inner = self.primary(depth + 1)
        else:
            raise Unreadable
        return _signed(sign, inner)

    def group(self, closing: str, depth: int) -> Node:
        if depth > MAX_DEPTH:
            raise Unreadable
        self.i += 1
        bars, self.bars = self.bars, 0
        node = self.sum(depth + 1)
        self.bars = bars
        token = self.peek()
        if token is None or token.text != closing:
            raise Unreadable
        self.i += 1
        return node

    def primary(self, depth: int) -> Node:
        token = self.peek()
        if token is None or depth > MAX_DEPTH:
            raise Unreadable
        kind, text = token.kind, token.text
        if kind == "num":
            self.i += 1
            return self.scientific(_number(text))
        if kind in ("run", "sym"):
            return self.name(token, depth)
        if kind == "func":
            return self.function(depth)
        if text in ("(", "["):
            return self.group(")" if text == "(" else "]", depth + 1)
        if text == "{":
            return self.group("}", depth + 1)
        if kind == "bar":
            self.i += 1
            self.bars += 1
            node = self.sum(depth + 1)
            closing = self.peek()
            if closing is None or closing.kind != "bar":
                raise Unreadable
            self.bars -= 1
            self.i += 1
            return Node("abs", (node,))
        if text == "frac" and kind == "cmd":
            self.i += 1
            top = self.argument(depth + 1)
            bottom = self.argument(depth + 1)
            return Node("div", (top, bottom))
        if text == "sqrt" and kind == "cmd":
            self.i += 1
            index = Node("num", (), Fraction(2))
            following = self.peek()
            if following is not None and following.text == "[":
                index = self.group("]", depth + 1)
            return Node("root", (self.argument(depth + 1), index))
        if text == "√":
            self.i += 1
            following = self.peek()
            if following is None:
                raise Unreadable
            inner = self.group(")", depth + 1) if following.text == "(" else self.atom(depth + 1)
            after = self.peek()
            if (
                after is not None
                and not after.space
                and following.text != "("
                and after.kind in ("run", "sym")
                and after.text != "π"
            ):
                raise Unreadable  # √2x
            if after is not None and after.text == "^":
                raise Unreadable
            return Node("root", (inner, Node("num", (), Fraction(2))))
        if kind == "accent":
            return self.accent()
        if text in ("∠", "△"):
            return self.figure()
        raise Unreadable

    def scientific(self, number: Node) -> Node:
        """`1.6e-19`, where 1.6 has just been read."""
        token, following = self.peek(), self.peek(1)
        if token is None or token.space or token.text not in ("e", "E") or following is None:
            return number
        at = 1
        sign = 1
        if following.text in ("+", "-"):
            sign = -1 if following.text == "-" else 1
            at = 2
            following = self.peek(2)
        if (
            following is None
            or following.kind != "num"
            or "." in following.text
            or len(following.text) > 4
            or following.space
        ):
            return number
        if number.value.denominator == 1 and token.text == "e" and sign == -1 and len(following.text) == 1:  # type: ignore[union-attr]
            raise Unreadable  # 2e-1 is a fifth here and 2e less one there
        self.i += at + 1
        exponent = sign * int(following.text)
        if abs(exponent) > 2_000:
            raise Unreadable
        assert isinstance(number.value, Fraction)
        return Node("num", (), number.value * Fraction(10) ** exponent)

    def atom(self, depth: int) -> Node:
        token = self.peek()
        if token is None:
            raise Unreadable
        if token.kind == "num":
            self.i += 1
            return _number(token.text)
        if token.kind in ("sym", "run"):
            return self.name(token, depth)
        if token.text == "{":
            return self.group("}", depth)
        raise Unreadable

    def argument(self, depth: int) -> Node:
        """An argument of `\\frac` or `\\sqrt`: a group, or a single character."""
        token = self.peek()
        if token is None or depth > MAX_DEPTH:
            raise Unreadable
        if token.text == "{":
            return self.group("}", depth)
        if token.kind == "num":
            if token.group or len(token.text) == 1:
                self.i += 1
                return _number(token.text)
            if "." in token.text:
                raise Unreadable
            self.t[self.i] = token._replace(text=token.text[1:])
            return _number(token.text[0])
        if token.kind in ("sym", "run"):
            self.i += 1
            return Node("sym", (), token.text) if token.text not in ("π", "e", "∞") else _constant(token.text)
        if token.text in ("frac", "sqrt"):
            return self.primary(depth)
        raise Unreadable

    def name(self, token: Token, depth: int) -> Node:
        self.i += 1
        text = token.text
        if text in ("∞",):
            return Node("inf")
        if text in ("π", "e"):
            return _constant(text)
        name = text + self.marks()
        following = self.peek()
        if text in ("C", "A", "P") and "_" in name and following is not None and following.text == "^":
            # C_4^2 counts selections: a name with two indices, and no power of C_4.
            self.i += 1
            return Node("apply", (), f"{name}^{{{self.index()}}}")
        if following is not None and following.text == "(" and not following.space:
            applied = text in _APPLIED or (
                text in ("P", "E", "D", "C", "A", "N", "M") and self.names_only(self.i + 1)
            )
            if applied:
                inside = self.skip_group()
                return Node("apply", (), f"{name}({inside})")
        return Node("sym", (), name)

    def names_only(self, at: int) -> bool:
        while at < self.size and self.t[at].text != ")":
            if (
                self.t[at].text not in ("ξ", "X", "Y", "η", "∪", "∩", "|", ",")
                and not self.t[at].text[0].isupper()
            ):
                return False
            at += 1
        return at < self.size

    def skip_group(self) -> str:
        start = self.i
        depth = 0
        while self.i < self.size:
            text = self.t[self.i].text
            depth += text in ("(", "[", "{")
            depth -= text in (")", "]", "}")
            self.i += 1
            if depth == 0:
                return canonical(tuple(self.t[start + 1 : self.i - 1]), "")
        raise Unreadable

    def marks(self) -> str:
        """Subscripts and primes behind a name, as a part of the name."""
        out = ""
        while (token := self.peek()) is not None:
            if token.text == "_":
                self.i += 1
                following = self.peek()
                if following is None:
                    raise Unreadable
                if following.text == "{":
                    out += f"_{{{self.skip_group()}}}"
                elif following.kind in ("num", "run", "sym", "cjk"):
                    self.i += 1
                    out += f"_{{{following.text}}}"
                else:
                    raise Unreadable
            elif token.text in ("′", "'"):
                self.i += 1
                out += "′"
            else:
                break
        return out

    def index(self) -> str:
        """A raised index as a part of a name."""
        token = self.peek()
        if token is None:
            raise Unreadable
        if token.text == "{":
            return self.skip_group()
        if token.kind not in ("num", "run", "sym"):
            raise Unreadable
        self.i += 1
        return token.text

    def accent(self) -> Node:
        kind = self.t[self.i].text
        self.i += 1
        token = self.peek()
        if token is None:
            raise Unreadable
        if token.text == "{":
            inside = self.skip_group()
        elif token.kind in ("run", "sym", "num"):
            self.i += 1
            inside = token.text
        else:
            raise Unreadable
        return Node("sym", (), f"{kind}({inside}){self.marks()}")

    def figure(self) -> Node:
        """∠ABC and △ABC: a name, its letters in their order."""
        mark = self.t[self.i].text
        self.i += 1
        token = self.peek()
        if token is None:
            raise Unreadable
        if token.kind not in ("run", "sym", "num"):
            raise Unreadable
        self.i += 1
        return Node("sym", (), mark + token.text + self.marks())

    def function(self, depth: int) -> Node:
        if depth > MAX_DEPTH:
            raise Unreadable
        name = self.t[self.i].text
        self.i += 1
        token = self.peek()
        exponent: Node | None = None
        base: Node | None = None
        if token is not None and token.text == "_" and name == "log":
            self.i += 1
            base = self.subscript(depth + 1)
        if (token := self.peek()) is not None and token.text == "^" and token.kind == "op":
            self.i += 1
            exponent = self.exponent(depth + 1)
            if exponent.op == "neg":
                raise Unreadable  # \sin^{-1} is a reciprocal here and an inverse there
        token = self.peek()
        if token is None:
            raise Unreadable
        if name in ("max", "min"):
            raise Unreadable
        if token.text in ("(", "["):
            argument = self.group(")" if token.text == "(" else "]", depth + 1)
            following = self.peek()
            if following is not None and (
                following.text in ("^", "°", "!")
                or (self.starts_factor(following) and following.kind != "func" and following.text != "(")
            ):
                raise Unreadable  # sin(x)y, sin(x)^2
        else:
            argument = self.function_argument(depth + 1)
        if name == "exp":
            node = Node("pow", (_constant("e"), argument))
        elif name == "log":
            if base is None:
                raise Unreadable  # base 10 or e, who knows
            node = Node("log", (argument, base))
        elif name == "lg":
            node = Node("log", (argument, Node("num", (), Fraction(10))))
        elif name == "ln":
            node = Node("log", (argument, _constant("e")))
        else:
            node = Node(name, (argument,))
        return node if exponent is None else Node("pow", (node, exponent))

    def subscript(self, depth: int) -> Node:
        token = self.peek()
        if token is None:
            raise Unreadable
        if token.text == "{":
            return self.group("}", depth)
        if token.kind == "num":
            # \log_28 is \log_2 8 in TeX, and nobody writes it for base 28.
            if len(token.text) > 1 and not token.group:
                if token.text == "10":
                    self.i += 1
                    return _number("10")
                raise Unreadable
            self.i += 1
            return _number(token.text)
        if token.kind in ("run", "sym"):
            self.i += 1
            return _constant(token.text) if token.text in ("e", "π") else Node("sym", (), token.text)
        raise Unreadable

    def function_argument(self, depth: int) -> Node:
        """What a function without parentheses is applied to: factors side by side up to a sign or another function."""
        factors = [self.power(depth)]
        while (token := self.peek()) is not None:
            if token.kind in ("run", "sym") or (token.text in ("√", "sqrt", "frac") and len(factors) < 3):
                if token.kind == "cmd" and token.text == "frac":
                    raise Unreadable
                factors.append(self.power(depth))
            elif token.text == "/" or token.text == "÷":
                raise Unreadable  # \sin x/2
            elif token.text in ("(", "[") or token.kind in ("num", "bar"):
                raise Unreadable
            else:
                break
        return factors[0] if len(factors) == 1 else Node("mul", tuple(factors))


def _signed(sign: str, node: Node) -> Node:
    if sign == "-":
        return Node("neg", (node,))
    if sign in ("±", "∓"):
        return Node("pm", (node,), sign)
    return node


def _number(text: str) -> Node:
    if len(text) > MAX_DIGITS:
        raise Unreadable
    return Node("num", (), Fraction(text if not text.startswith(".") else "0" + text))


def _constant(text: str) -> Node:
    return Node("const", (), text)


def _without_vectors(node: Node) -> Node:
    """The expression with each product of two vectors and each length of one as a name.

    A product of vectors obeys few of the rules of numbers: (a·b)c is not a(b·c), (a·b)² not a²b², |a·b| not |a||b|.

    Raises:
        Unreadable: vectors are multiplied or measured in another way.
    """
    if not node.args or not _has_vector(node):
        return node
    if node.op == "abs":
        # A length is a number whatever stands in it, so it is known by how it is written.
        return Node("apply", (), f"|{_written(node.args[0])}|")
    args = node.args
    if node.op == "mul":
        vectors = [arg for arg in args if _has_vector(arg) and arg.op != "abs"]
        if len(vectors) == 2 and all(arg.op == "sym" for arg in vectors):
            dot = Node("apply", (), "·".join(sorted(str(arg.value) for arg in vectors)))
            args = (dot, *(_without_vectors(arg) for arg in args if arg not in vectors))
            return args[0] if len(args) == 1 else Node("mul", args)
        if len(vectors) > 1:
            raise Unreadable
    elif node.op not in ("add", "neg", "pm") and not (node.op == "div" and not _has_vector(args[1])):
        raise Unreadable
    return Node(node.op, tuple(_without_vectors(arg) for arg in args), node.value)


def _has_vector(node: Node) -> bool:
    if node.op == "sym":
        return isinstance(node.value, str) and node.value.startswith("vec(")
    return any(_has_vector(arg) for arg in node.args)


def _written(node: Node) -> str:
    return f"{node.op}:{node.value}({','.join(_written(arg) for arg in node.args)})"


def _proper(node: Node) -> Fraction | None:
    """The value of a proper fraction of whole numbers."""
    if node.op != "div" or any(arg.op != "num" for arg in node.args):
        return None
    top, bottom = (arg.value for arg in node.args)
    assert isinstance(top, Fraction)
    assert isinstance(bottom, Fraction)
    if top.denominator != 1 or bottom.denominator != 1 or not 0 < top < bottom:
        return None
    return top / bottom


def is_constant(node: Node) -> bool:
    """Whether no name stands in the expression."""
    if node.op in ("sym", "apply"):
        return False
    return all(is_constant(arg) for arg in node.args)


def _names_of(found: Sequence[Token]) -> list[Token]:
    """The tokens with letter runs cut into single names, functions and multi-letter names.

    Raises:
        Unreadable: a run is a word.
    """
    out: list[Token] = []
    quoted = False  # subscripts, figures and accents keep their letters together
    for i, token in enumerate(found):
        if token.kind == "gap":
            raise Unreadable
        if token.kind in ("cjk", "other", "rel", "sep", "row") and not (
            i and found[i - 1].text in ("_", "{")
        ):
            raise Unreadable
        if token.kind != "run" or len(token.text) == 1:
            out.append(token)
            continue
        previous = found[i - 1] if i else None
        quoted = previous is not None and (previous.text in ("_", "∠", "△") or previous.kind == "accent")
        if quoted or _in_subscript(found, i):
            out.append(token)
            continue
        pieces = _cut(token.text)
        # `x^{ab}`: what stood in braces together stays together.
        together = token.group and len(pieces) > 1
        if together:
            out.append(Token("open", "{", token.space))
        for at, (piece, kind) in enumerate(pieces):
            out.append(Token(kind, piece, token.space and at == 0 and not together, token.roman))
        if together:
            out.append(Token("close", "}"))
    return out


def _in_subscript(found: Sequence[Token], i: int) -> bool:
    """Whether token `i` stands in braces that belong to a subscript or an accent."""
    depth = 0
    for j in range(i - 1, max(-1, i - 40), -1):
        text = found[j].text
        if text == "}":
            depth += 1
        elif text == "{":
            if depth == 0:
                return j > 0 and (found[j - 1].text == "_" or found[j - 1].kind == "accent")
            depth -= 1
    return False


@lru_cache(maxsize=4096)
def _cut(run: str) -> tuple[tuple[str, str], ...]:
    for function in sorted(FUNCTIONS, key=len, reverse=True):
        if run == function:
            return ((run, "func"),)
        if run.startswith(function) and len(run) == len(function) + 1:
            return ((function, "func"), (run[-1], "run"))
        if run.endswith(function) and 0 < len(run) - len(function) <= 3 and run[: -len(function)].islower():
            if run in ("asin", "acos", "atan", "asinh", "acosh"):
                raise Unreadable
            return (*_cut(run[: -len(function)]), (function, "func"))
    if run == "sqrt":
        return (("√", "op"),)
    if run.startswith("sqrt"):
        raise Unreadable
    if run.endswith("pi") and len(run) <= 4 and run[:-2].islower():
        return (*((letter, "run") for letter in run[:-2]), ("π", "sym"))
    if run.isupper():
        return ((run, "run"),)
    if run.islower():
        if len(run) == 2 and run not in _TWO_LETTER_WORDS:
            return tuple((letter, "run") for letter in run)
        alphabetical = all(ord(b) - ord(a) == 1 for a, b in itertools.pairwise(run))
        if 3 <= len(run) <= 5 and (alphabetical or not _VOWELS & set(run)) and "y" not in run[:-1]:
            return tuple((letter, "run") for letter in run)
        raise Unreadable
    # mixed case: single letters where no two capitals meet and it is short (mgR, qB), a word otherwise
    if (
        len(run) <= 3
        and not any(a.isupper() and b.isupper() for a, b in itertools.pairwise(run))
        and not (run[0].isupper() and run[1:].islower())
    ):
        return tuple((letter, "run") for letter in run)
    raise Unreadable
