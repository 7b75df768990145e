r"""Relations, equations, intervals, sets, tuples, lists of statements, alternatives: what is built out of expressions.

The rules:
- alternatives ("2 or 3", 3或-3, ±3) have no order, and all of them must be there; an answer that offers alternatives where the gold has one value is a
  hedge;
- inequalities and chains may be written from either end, 1<x<3 as 3>x>1; what stands between the signs must be equal, and the signs the same;
- an equation may be turned round. It may be multiplied out only where it is the equation of a line or curve in x and y and the question doesn't name a form
  (`2x+4y=3`, `y=-x/2+3/4`); an equation in one unknown is not its solution;
- a value equals `x = value`, where x stands alone, is no other unknown than the gold's or the one asked for, and the question asks for no equation;
- brackets count: [1,2) is not (1,2], {1,2} is not (1,2). Tuples have an order, sets have none;
- statements ①③④ have no order, unless the question asks for one; (1)(3)(4) and 1.3.4. are the same list.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from eduflow.grade.normalise import Token
from eduflow.grade.numbers import (
    Quantity,
    equal_quantities,
    equal_ratios,
    expand_signs,
    read_place,
    read_quantity,
    spell,
)  # fmt: skip
from eduflow.grade.parse import Node, is_constant, parse
from eduflow.grade.question import Asked
from eduflow.grade.value import Limit, names, proportional, same

Tokens = Sequence[Token]


@dataclass(frozen=True, slots=True)
class Result:
    """Whether two structures are equal, who compared them, and why they differ; `hedged`: alternatives for one value."""

    right: bool
    comparator: str
    detail: str = ""
    hedged: bool = False


@dataclass(frozen=True, slots=True)
class Context:
    """What the comparison may know beside the two texts."""

    asked: Asked
    question: str
    depth: int = 0

    def deeper(self) -> Context:
        """The context of a part."""
        return Context(self.asked, self.question, self.depth + 1)


MAX_DEPTH = 6
_OR = frozenset(("or", "或", "或者", "∨"))
_AND = frozenset(("and", "且", "并且", "∧"))
_RELATION_SIGNS = "= < > ≤ ≥ ≠ ≈ ≡ ∼ ≅ ∥ ⊥ ∈ ∉ ⊂ ⊆ ⊃ ⊇ ∝ ⇒ ⇔ →"
_RELATIONS = frozenset(_RELATION_SIGNS.split())
_SYMMETRIC = frozenset(("=", "≠", "≡", "∼", "≅", "∥", "⊥", "≈"))
_FLIPPED = {"<": ">", ">": "<", "≤": "≥", "≥": "≤", "⊂": "⊃", "⊃": "⊂", "⊆": "⊇", "⊇": "⊆"}


def split(found: Tokens, at: Callable[[Token], bool]) -> list[list[Token]]:
    """The tokens cut at those for which `at` holds, outside brackets."""
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in found:
        if token.kind == "open":
            depth += 1
        elif token.kind == "close":
            depth = max(0, depth - 1)
        if depth == 0 and token.kind != "close" and at(token):
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def equal(gold: Tokens, answer: Tokens, context: Context) -> Result:
    """Whether two token sequences stand for the same, read as the first of the kinds below that the gold is.

    Raises:
        Limit, Undefined: an expression in them is too large, or has no value.
    """
    if context.depth > MAX_DEPTH:
        raise Limit
    if not gold or not answer:
        return Result(False, "text", "empty")
    for compare in (
        _truth,
        _statements,
        _alternatives,
        _relations,
        _brackets,
        _unions,
        _places,
        _ratios,
        _values,
    ):
        result = compare(gold, answer, context)
        if result is not None:
            return result
    same_text = spell(gold) == spell(answer)
    return Result(same_text, "text", "" if same_text else "differs")


# --- words of truth

_TRUE = frozenset(("√", "✓", "✔", "对", "正确", "是对的", "true", "True", "TRUE", "right", "correct"))
_FALSE = frozenset(
    ("×", "✗", "✘", "错", "错误", "不正确", "不对", "false", "False", "FALSE", "wrong", "incorrect")
)


# "right" is also a direction.
_ASKS_TRUTH = re.compile(r"right or wrong|wrong or right|true|judge|correct", re.IGNORECASE)


def _truth(gold: Tokens, answer: Tokens, context: Context) -> Result | None:
    if len(gold) > 2:
        return None
    one, two = spell(gold), spell(answer)
    for words in (_TRUE, _FALSE):
        if one in words:
            if one in ("right", "wrong") and context.question and not _ASKS_TRUTH.search(context.question):
                return Result(one == two, "text", "differs")
            right = two in words
            return Result(right, "truth", "" if right else "differs")
    return None


# --- lists of statements

_STATEMENTS = re.compile(
    r"(?:\([1-9]\)[,、;. ]?){2,9}|(?:[①-⑳][,、;. ]?(?:和|and)?){1,20}|(?:[1-9]\.){2,9}[1-9]?|\([1-9]\)"
)


def read_statements(text: str) -> tuple[int, ...] | None:
    """The numbers of the statements that a text lists, in its order: ①③④, (1)(3)(4), 1.3.4."""
    compact = "".join(text.split())
    if not compact or len(compact) > 80 or _STATEMENTS.fullmatch(compact) is None:
        return None
    numbers = [
        int(c) if c.isascii() else ord(c) - ord("①") + 1
        for c in compact
        if c in "123456789" or "①" <= c <= "⑳"
    ]
    return tuple(numbers) if len(set(numbers)) == len(numbers) else None


def _may_list(found: Tokens) -> bool:
    """Whether a text begins as a list of statements does."""
    text = found[0].text
    return text[0] in "(123456789" or "①" <= text[0] <= "⑳"


def _statements(gold: Tokens, answer: Tokens, context: Context) -> Result | None:
    listed = read_statements(spell(gold)) if _may_list(gold) else None
    if listed is None:
        return None
    text = spell(answer)
    given = read_statements(text)
    if given is None and len(listed) > 1:
        pieces = [piece for piece in re.split(r"[,、 ]", text) if piece]
        if len(pieces) > 1 and all(len(piece) == 1 and piece in "123456789" for piece in pieces):
            given = tuple(int(piece) for piece in pieces)
    if given is None:
        return Result(False, "statements", "not a list of statements")
    right = given == listed if context.asked.order else sorted(given) == sorted(listed)
    return Result(right, "statements", "" if right else "other statements or another order")


# --- alternatives


def _alternatives(gold: Tokens, answer: Tokens, context: Context) -> Result | None:
    ours, theirs = _options(gold), _options(answer)
    if ours is None:
        if theirs is None:
            return None
        hedged = len(theirs) > 1 and all(
            read_quantity(item) is not None for item in theirs if isinstance(item, list)
        )
        return Result(
            False,
            "alternatives",
            "alternatives for one value",
            hedged=hedged and read_quantity(gold) is not None,
        )
    if theirs is None:
        listed = [
            part
            for part in split(
                answer, lambda t: (t.kind == "sep" and t.text in ",、;") or t.text in ("and", "和", "&")
            )
            if part
        ]
        chains = [_chain(part) for part in listed]
        if any(
            chain is not None and (chain.signs != ("=",) or _lone_name(chain.terms[0]) is None)
            for chain in chains
        ):
            return Result(False, "alternatives", "conditions in a list hold together")
        if len(listed) < 2:
            return Result(False, "alternatives", "not all of them")
        theirs = _without_numbers(listed)
    if len(ours) != len(theirs):
        return Result(False, "alternatives", "not as many")
    return _matched(ours, theirs, context, "alternatives")


def _without_numbers(parts: list[list[Token]]) -> list[list[Token]]:
    """x_1=1, x_2=2 as x=1, x=2: the numbers only count the roots."""
    if all(
        len(part) > 4
        and part[0].kind == "run"
        and part[0].text == parts[0][0].text
        and [token.text for token in part[1:4]] == ["_", str(number), "="]
        for number, part in enumerate(parts, start=1)
    ):
        return [[part[0], *part[3:]] for part in parts]
    return parts


def _options(found: Tokens) -> list[list[Token]] | None:
    """The alternatives that a text offers, ± resolved; None where it offers none."""
    if not any(token.text in _OR or token.text in ("±", "∓") for token in found):
        return None
    parts = [part for part in split(found, lambda t: t.text in _OR) if part]
    out: list[list[Token]] = []
    for part in parts:
        if any(token.text in ("±", "∓") for token in part):
            out.extend(_both_signs(part))
        else:
            out.append(part)
    return out if len(out) > 1 else None


def _both_signs(part: list[Token]) -> list[list[Token]]:
    plus = [token._replace(text={"±": "+", "∓": "-"}.get(token.text, token.text)) for token in part]
    minus = [token._replace(text={"±": "-", "∓": "+"}.get(token.text, token.text)) for token in part]
    return [plus, minus]


def _matched(ours: Sequence[Tokens], theirs: Sequence[Tokens], context: Context, comparator: str) -> Result:
    """Whether two collections of as many items are the same, in any order."""
    left = list(theirs)
    if len(ours) != len(left) or len(left) > 40:
        return Result(False, comparator, "not as many")
    for item in ours:
        for i, other in enumerate(left):
            if equal(item, other, context.deeper()).right:
                del left[i]
                break
        else:
            return Result(False, comparator, "differs")
    return Result(True, comparator)


# --- relations


@dataclass(frozen=True, slots=True)
class _Chain:
    terms: tuple[tuple[Token, ...], ...]
    signs: tuple[str, ...]


def _chain(found: Tokens) -> _Chain | None:
    if not any(token.kind == "rel" for token in found):
        return None
    terms: list[list[Token]] = [[]]
    signs: list[str] = []
    depth = 0
    for token in found:
        if token.kind == "open":
            depth += 1
        elif token.kind == "close":
            depth = max(0, depth - 1)
        if depth == 0 and token.kind == "rel" and token.text in _RELATIONS:
            signs.append(token.text)
            terms.append([])
        else:
            terms[-1].append(token)
    if not signs or not terms[-1] or any(not term for term in terms[1:]):
        return None
    return _Chain(tuple(tuple(term) for term in terms), tuple(signs))


def _relations(gold: Tokens, answer: Tokens, context: Context) -> Result | None:
    if gold[-1].text == "?":
        # The condition in a flow chart's diamond: "i ≤ 10?"
        gold = gold[:-1]
        answer = answer[:-1] if answer[-1].text == "?" else answer
    both_gold = _conjunction(gold)
    if both_gold is not None:
        both_answer = _conjunction(answer) or _conditions(answer)
        if both_answer is None:
            return Result(False, "relation", "not both conditions")
        return _matched(both_gold, both_answer, context, "relation")
    ours, theirs = _chain(gold), _chain(answer)
    if ours is None and theirs is None:
        return None
    if ours is None:
        assert theirs is not None
        return _value_of_equation(gold, theirs, context)
    if theirs is None:
        return _equation_of_value(ours, answer, context)
    if _conjunction(answer) is not None:
        return Result(False, "relation", "more conditions")
    if len(ours.signs) == len(theirs.signs) == 1 and ours.signs == theirs.signs == ("=",):
        return _equations(ours, theirs, context)
    return Result(_same_chain(ours, theirs, context), "relation", "differs")


def _conjunction(found: Tokens) -> list[list[Token]] | None:
    if not any(token.text in _AND for token in found):
        return None
    parts = [part for part in split(found, lambda t: t.text in _AND) if part]
    parts = [part[:-1] if part[-1].text == "," and len(part) > 1 else part for part in parts]
    if len(parts) < 2 or not all(_chain(part) is not None for part in parts):
        return None
    return parts


def _conditions(found: Tokens) -> list[list[Token]] | None:
    """The conditions of a list "x≥1, x≠2", which hold together."""
    parts = split(found, lambda t: t.text == ",")
    return parts if len(parts) > 1 and all(part and _chain(part) is not None for part in parts) else None


def _same_chain(ours: _Chain, theirs: _Chain, context: Context) -> bool:
    if len(ours.signs) != len(theirs.signs):
        return False
    for other in (theirs, _reversed(theirs)):
        if other is None or other.signs != ours.signs:
            continue
        terms = list(zip(ours.terms, other.terms, strict=True))
        if not ours.terms[0] or not other.terms[0]:
            # ">-2" for "x > -2": the blank stands behind the name.
            named = ours.terms[0] or other.terms[0]
            if len(ours.signs) != 1 or (named and _lone_name(named) is None):
                continue
            terms = terms[1:]
        if all(_same_side(one, two, context) for one, two in terms):
            return True
    return False


def _reversed(chain: _Chain) -> _Chain | None:
    if not chain.terms[0]:
        return None
    signs = []
    for sign in reversed(chain.signs):
        if sign in _SYMMETRIC:
            signs.append(sign)
        elif sign in _FLIPPED:
            signs.append(_FLIPPED[sign])
        else:
            return None
    return _Chain(tuple(reversed(chain.terms)), tuple(signs))


def _same_side(one: Tokens, two: Tokens, context: Context) -> bool:
    if spell(one) == spell(two):
        return True
    return equal(one, two, context.deeper()).right


def _lone_name(term: Tokens) -> str | None:
    """The name that a side consists of: x, x_1, AB, f(2), ∠A, S."""
    node = parse(term)
    if (node is not None and node.op in ("sym", "apply")) or (
        node is not None and node.op == "const" and node.value == "e"
    ):
        return str(node.value)
    return None


def _right_side(chain: _Chain) -> tuple[Token, ...] | None:
    """The value that a chain of equations ends in, where its sides behind the first are all equal."""
    if any(sign != "=" for sign in chain.signs):
        return None
    last = chain.terms[-1]
    if len(chain.terms) > 2:
        end = read_quantity(last)
        for middle in chain.terms[1:-1]:
            value = read_quantity(middle)
            if (
                end is None
                or value is None
                or value.unit not in (None, end.unit)
                or not same(value.node, end.node)
            ):
                return None
    return last


def _value_of_equation(gold: Tokens, answer: _Chain, context: Context) -> Result:
    """A gold that is a value, an answer "x = value"."""
    name = _lone_name(answer.terms[0]) if answer.terms[0] else None
    side = _right_side(answer)
    if name is None or side is None:
        return Result(False, "equation", "an equation for a value")
    asked = context.asked
    if asked.text and not _mentioned(name, asked.text):
        return Result(False, "equation", "a name that the question does not have")
    if asked.name and asked.name != name and not asked.name.endswith(name):
        return Result(False, "equation", "another name is asked for")
    node = parse(gold)
    if node is not None and name in names(node):
        return Result(False, "equation", "an equation for a value")
    return equal(gold, side, context.deeper())


def _mentioned(name: str, text: str) -> bool:
    plain = name.replace("{", "").replace("}", "")
    return plain in text.replace("{", "").replace("}", "")


def _equation_of_value(gold: _Chain, answer: Tokens, context: Context) -> Result:
    """A gold "x = value", an answer that is a value."""
    if len(gold.signs) != 1 or gold.signs[0] != "=" or not gold.terms[0]:
        return Result(False, "relation", "a relation is asked for")
    if context.asked.equation or _lone_name(gold.terms[0]) is None:
        return Result(False, "equation", "an equation is asked for")
    node = parse(gold.terms[1])
    if node is not None and names(node):
        return Result(False, "equation", "an equation is asked for")
    return equal(gold.terms[1], answer, context.deeper())


def _equations(gold: _Chain, answer: _Chain, context: Context) -> Result:
    if not gold.terms[0] or not answer.terms[0]:
        return Result(_same_chain(gold, answer, context), "equation", "differs")
    one, two = gold.terms, answer.terms
    if all(node is not None and is_constant(node) for node in map(parse, one)):
        # 12÷3=4 is a calculation, and about these numbers.
        context = Context(replace(context.asked, equation=True), context.question, context.depth)
    if _same_side(one[0], two[0], context) and _same_side(one[1], two[1], context):
        return Result(True, "equation")
    if _same_side(one[0], two[1], context) and _same_side(one[1], two[0], context):
        return Result(True, "equation")
    asked = context.asked
    nodes = [parse(term) for term in (*one, *two)]
    if any(node is None for node in nodes) or asked.form or not asked.curve:
        return Result(False, "equation", "differs")
    ours, theirs = (
        Node("add", (a, Node("neg", (b,))))
        for a, b in (nodes[:2], nodes[2:])
        if a is not None and b is not None
    )
    if not {"x", "y"} <= names(ours):
        return Result(False, "equation", "differs")
    right = proportional(ours, theirs)
    return Result(right, "equation", "" if right else "another curve")


# --- brackets

_EMPTY_SETS = frozenset(("∅", "\\{\\}", "{}"))


def _brackets(gold: Tokens, answer: Tokens, context: Context) -> Result | None:
    if len(gold) < 3 and spell(gold) in _EMPTY_SETS:
        right = spell(answer) in _EMPTY_SETS
        return Result(right, "set", "" if right else "not the empty set")
    condition = _builder(gold)
    if condition is not None:
        other = _builder(answer)
        if other is None:
            return Result(False, "set", "another kind of answer")
        right = (
            spell(condition[0]) == spell(other[0]) and equal(condition[1], other[1], context.deeper()).right
        )
        return Result(right, "set", "" if right else "differs")
    ours = _bracketed(gold)
    if ours is None:
        return None
    theirs = _bracketed(answer)
    if theirs is None:
        return Result(False, ours.kind, "another kind of answer")
    if (ours.kind, ours.marks) != (theirs.kind, theirs.marks):
        return Result(False, ours.kind, "other brackets")
    if ours.name and theirs.name and ours.name != theirs.name:
        return Result(False, ours.kind, "another name")
    if ours.name and not theirs.name and not context.asked.text:
        return Result(False, ours.kind, "another name")
    if ours.kind == "set":
        return _matched(ours.items, theirs.items, context, "set")
    if len(ours.items) != len(theirs.items):
        return Result(False, ours.kind, "not as many")
    for one, two in zip(ours.items, theirs.items, strict=True):
        if not equal(one, two, context.deeper()).right:
            return Result(False, ours.kind, "differs")
    return Result(True, ours.kind)


def _builder(found: Tokens) -> tuple[Tokens, Tokens] | None:
    """What stands before and behind the bar of a set given by a condition, {x | x < -1 or x > 2}."""
    if len(found) < 5 or found[0].text not in ("\\{", "{") or found[-1].text not in ("\\}", "}"):
        return None
    inner = found[1:-1]
    bars = [i for i, token in enumerate(inner) if token.text in ("|", ":")]
    if (
        not bars
        or not 0 < bars[0] < len(inner) - 1
        or any(t.kind in ("open", "close") for t in inner[: bars[0]])
    ):
        return None
    if any(token.text in ("{", "}", "\\{", "\\}") for token in inner):
        return None
    head, condition = inner[: bars[0]], inner[bars[0] + 1 :]
    return (head, condition) if any(token.kind == "rel" for token in condition) else None


@dataclass(frozen=True, slots=True)
class _Bracketed:
    kind: str
    marks: str
    items: tuple[tuple[Token, ...], ...]
    name: str = ""


def _bracketed(found: Tokens) -> _Bracketed | None:
    """A tuple, interval, set or matrix that the whole text is; a capital before it names a point."""
    if found[0].text == "begin":
        return _matrix(found)
    name = ""
    if found[0].kind == "run" and len(found[0].text) == 1 and found[0].text.isupper():
        for i, token in enumerate(found[1:6], start=1):
            if token.text == "(":
                name, found = spell(found[:i]), found[i:]
                break
    if found[0].kind != "open" or found[-1].kind != "close" or len(found) < 3:
        return None
    depth = 0
    for token in found[:-1]:
        depth += (token.kind == "open") - (token.kind == "close")
        if depth == 0:
            return None
    items = tuple(
        tuple(part)
        for part in split(found[1:-1], lambda t: t.kind == "sep" and t.text in ",;" and not t.group)
    )
    if any(not item for item in items):
        return None
    opening, closing = found[0].text, found[-1].text
    if opening in ("\\{", "{") and closing in ("\\}", "}"):
        if opening == "{" and len(items) < 2:
            return None
        return _Bracketed("set", "{}", items)
    if len(items) < 2:
        return None
    if (opening, closing) in (("(", ")"), ("⟨", "⟩")):
        return _Bracketed("tuple", "()", items, name)
    if opening in "([" and closing in ")]" and len(items) == 2:
        return _Bracketed("interval", opening + closing, items)
    return None


def _matrix(found: Tokens) -> _Bracketed | None:
    if (
        len(found) < 5
        or found[-2].text != "end"
        or found[1].text != found[-1].text
        or "matrix" not in found[1].text
    ):
        return None
    rows = split(found[2:-2], lambda t: t.kind == "row")
    cells: list[tuple[Token, ...]] = []
    widths = set()
    rows = [row for row in rows if row]
    for row in rows:
        parts = split(row, lambda t: t.text == "&")
        widths.add(len(parts))
        cells.extend(tuple(part) for part in parts)
    if len(widths) != 1 or any(not cell for cell in cells):
        return None
    kind = "determinant" if found[1].text == "vmatrix" else "matrix"
    return _Bracketed(kind, f"{len(rows)}x{widths.pop()}", tuple(cells))


def _unions(gold: Tokens, answer: Tokens, context: Context) -> Result | None:
    if not any(token.text == "∪" for token in gold):
        return None
    parts = split(gold, lambda t: t.text == "∪")
    if len(parts) < 2 or not all(part and _bracketed(part) is not None for part in parts):
        return None
    others = split(answer, lambda t: t.text == "∪")
    if not all(others):
        return Result(False, "interval", "differs")
    return _matched(parts, others, context, "interval")


# --- the rest: places, ratios, values


def _places(gold: Tokens, answer: Tokens, context: Context) -> Result | None:
    ours = read_place(gold)
    if ours is None:
        return None
    theirs = read_place(answer)
    right = ours == theirs
    return Result(right, "place", "" if right else "another place")


def _ratio(found: Tokens) -> list[Node] | None:
    if not any(token.text == ":" for token in found):
        return None
    parts = split(found, lambda t: t.text == ":")
    if len(parts) < 2 or len(parts) > 12:
        return None
    nodes = [parse(part) for part in parts]
    return [node for node in nodes if node is not None] if all(node is not None for node in nodes) else None


def _ratios(gold: Tokens, answer: Tokens, context: Context) -> Result | None:
    ours = _ratio(gold)
    if ours is None:
        return None
    theirs = _ratio(answer)
    if theirs is None:
        return Result(False, "ratio", "not a ratio")
    clock = _is_clock(gold)
    if clock != _is_clock(answer) and not context.asked.ratio:
        return Result(False, "ratio", "a time of day on one side")
    right = equal_ratios(ours, theirs, context.asked, clock=clock)
    return Result(right, "ratio", "" if right else "another ratio")


def _is_clock(found: Tokens) -> bool:
    """Whether a ratio is written as a time of day is: 14:05, 8:30:00."""
    texts = [token.text for token in found]
    if len(texts) not in (3, 5) or any(text != ":" for text in texts[1::2]):
        return False
    hour, *rest = texts[::2]
    digits = all(text.isascii() and text.isdigit() for text in texts[::2])
    return (
        digits
        and len(hour) <= 2
        and int(hour) <= 24
        and all(len(text) == 2 and int(text) < 60 for text in rest)
    )


def _values(gold: Tokens, answer: Tokens, context: Context) -> Result | None:
    # With two blanks printed, "1,200" is as likely 1 and 200.
    thousands = context.asked.blanks < 2
    ours = read_quantity(gold, thousands=thousands)
    if ours is None:
        return None
    if ours.node.op == "inf" and context.depth == 0:
        return Result(False, "text", "∞ as a limit is no +∞")
    theirs = read_quantity(answer, thousands=thousands)
    if theirs is None or (_may_list(answer) and read_statements(spell(answer)) is not None):
        return Result(False, _kind(ours), "not a value")
    if not _has_restated(gold, answer, theirs, context.asked):
        right, detail = equal_quantities(ours, theirs, context.asked, context.question)
        return Result(right, _kind(ours), "" if right else detail)
    return Result(False, _kind(ours), "repeats the question")


def _has_restated(gold: Tokens, answer: Tokens, read: Quantity, asked: Asked) -> bool:
    """Whether an answer is only a piece of the question that still has to be worked out."""
    if not asked.text or read.node.op in ("num", "sym", "const", "neg"):
        return False
    text = spell(answer)
    return len(text) > 2 and text in asked.text and spell(gold) not in asked.text


def _kind(quantity: Quantity) -> str:
    if quantity.unit is not None:
        return "angle" if quantity.unit.dimensions == (("degree", 1),) else "quantity"
    if quantity.percent:
        return "percent"
    return "number" if quantity.node.op == "num" else "expression"


__all__ = ["Context", "Result", "equal", "expand_signs", "read_statements", "split"]
