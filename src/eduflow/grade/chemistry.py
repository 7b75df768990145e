r"""Chemical formulas and equations.

The rules:
- case decides (CO is not Co), and so does the order of the symbols (CH₃OCH₃ is not C₂H₅OH): a formula equals only itself, in
  whatever notation: `H_2O`, `H₂O`, `H2O`, `\ce{H2O}`, `\mathrm{H_2O}`; Fe²⁺ and `Fe^{2+}`;
- an equation is directed and balanced as the gold has it; within a side the order is free; `=`, `==` and → are the same, ⇌ is not;
- a condition over the arrow, a state and an arrow for gas or precipitate belong to the equation: where the gold has one, so must the answer, and the
  other way round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from eduflow.grade.normalise import Token, canonical

_NAMES = (
    "H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb Mo Tc Ru Rh "
    "Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Rn Fr "
    "Ra Ac Th Pa U Np Pu Am Cm Bk Cf Es Fm Md No Lr Rf Db Sg Bh Hs Mt Ds Rg Cn Nh Fl Mc Lv Ts Og D R"
)
_ELEMENTS = frozenset(_NAMES.split())
_ARROWS = {"=": "=", "→": "=", "⇌": "⇌", "xlongequal": "=", "xrightarrow": "=", "xleftrightarrow": "⇌"}


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula as its symbols, numbers and charges in their order; `marked` where it holds a number or charge."""

    parts: tuple[str, ...]
    marked: bool


@dataclass(frozen=True, slots=True)
class Reaction:
    """Two sides, each a multiset of (coefficient, formula, state), the kind of arrow and the conditions on it."""

    left: frozenset[tuple[tuple[str, tuple[str, ...], str], int]]
    right: frozenset[tuple[tuple[str, tuple[str, ...], str], int]]
    arrow: str
    conditions: str


def read_chemistry(found: Sequence[Token], subject: str | None) -> Formula | Reaction | None:
    """The formula or equation that the tokens spell; None where they spell none, or nothing says that it is chemistry.

    What says so is a subscript, a charge or an arrow, with every letter run made of element symbols; or the subject.
    """
    if len(found) > 200 or not any(token.kind == "run" and token.text[0].isupper() for token in found):
        return None
    arrows = [i for i, token in enumerate(found) if token.text in _ARROWS]
    if arrows:
        return _reaction(found, arrows, subject)
    formula = None if subject == "math" or _counts_selections(found) else _formula(found)
    if formula is None or not (formula.marked or subject == "chemistry"):
        return None
    return formula


def _counts_selections(found: Sequence[Token]) -> bool:
    """Whether every letter is a C with two indices without signs, as in C_4^2C_3^1: nothing of carbon."""
    runs = [i for i, token in enumerate(found) if token.kind == "run"]
    texts = [token.text for token in found]
    return not {"+", "-"} & set(texts) and all(
        texts[i] == "C" and texts[i + 1 : i + 4 : 2] == ["_", "^"] for i in runs
    )


def _formula(found: Sequence[Token]) -> Formula | None:
    reader = _Reader(found)
    parts = reader.formula(0)
    if parts is None or reader.i != len(found) or not reader.elements:
        return None
    return Formula(tuple(parts), reader.marked)


class _Reader:
    def __init__(self, found: Sequence[Token]) -> None:
        self.t = found
        self.i = 0
        self.marked = False
        self.elements = 0

    def formula(self, depth: int) -> list[str] | None:
        parts: list[str] = []
        while self.i < len(self.t):
            token = self.t[self.i]
            apart = token.space and parts and depth == 0 and token.kind in ("run", "num")
            if apart and not (token.kind == "num" and self._charge_after_space()):
                return None
            if token.kind == "run":
                symbols = _symbols(token.text)
                if symbols is None:
                    return None
                parts.extend(symbols)
                self.elements += len(symbols)
                self.i += 1
            elif token.kind == "num":
                if "." in token.text:
                    return None
                if parts and self._charge_after_space():
                    parts.append(f"^{token.text}{self.t[self.i + 1].text}")
                    self.i += 2
                    self.marked = True
                    continue
                parts.append(token.text)
                self.marked = self.marked or len(parts) > 1
                self.i += 1
            elif token.text == "_":
                self.i += 1
                written = self.script()
                if written is None:
                    return None
                # The charge number of a nucleus, before its symbol, is no number of atoms.
                part = written if self.elements else f"_{written}"
                raised = bool(parts) and parts[-1][0] == "^"
                # ^{14}_6C is _6^{14}C.
                parts.insert(len(parts) - raised, part)
                self.marked = True
            elif token.text == "^":
                self.i += 1
                written = self.script()
                if written is None:
                    return None
                # 1 is not written in a charge: Na^{1+} is Na^+.
                parts.append("^" + (written[1:] if written in ("1+", "1-") else written))
                self.marked = True
            elif token.text in ("(", "["):
                self.i += 1
                inner = self.formula(depth + 1) if depth < 6 else None
                if inner is None or self.i >= len(self.t) or self.t[self.i].text not in (")", "]"):
                    return None
                self.i += 1
                parts.extend(("(" if token.text == "(" else "[", *inner, ")" if token.text == "(" else "]"))
            elif token.text in ("·", "*") and parts:
                parts.append("·")
                self.i += 1
            elif (
                token.text in ("+", "-")
                and parts
                and not token.space
                and depth == 0
                and self.i == len(self.t) - 1
            ):
                if parts[-1].isdigit() and not (
                    self.elements > 1 and len(parts[-1]) == 1 and parts[-2] in ("O", "H")
                ):
                    return None  # Fe2+ is Fe²⁺ or Fe₂⁺, but NH4+ and NO3- are read in one way
                parts.append("^" + token.text)
                self.marked = True
                self.i += 1
            elif token.text in ("≡", "=", "-", "—", "–") and depth == 0:
                return None
            else:
                break
        return parts if parts else None

    def _charge_after_space(self) -> bool:
        """SO4 2-: a number behind a space with a sign at the end."""
        token = self.t[self.i]
        return token.space and self.i + 2 == len(self.t) and self.t[self.i + 1].text in ("+", "-")

    def script(self) -> str | None:
        if self.i >= len(self.t):
            return None
        if self.t[self.i].text == "{":
            start = self.i + 1
            while self.i < len(self.t) and self.t[self.i].text != "}":
                self.i += 1
            if self.i >= len(self.t):
                return None
            self.i += 1
            return canonical(tuple(self.t[start : self.i - 1]), "")
        self.i += 1
        token = self.t[self.i - 1]
        following = self.t[self.i] if self.i < len(self.t) else None
        signed = following is not None and following.text in ("+", "-") and self.i == len(self.t) - 1
        if token.kind == "num" and not token.group and following is not None and signed:
            self.i += 1
            return token.text + following.text  # Fe^2+ without braces
        return token.text if token.kind in ("num", "run", "sym") or token.text in ("+", "-") else None


def _symbols(run: str) -> list[str] | None:
    out: list[str] = []
    i = 0
    while i < len(run):
        if not run[i].isupper():
            return None
        if i + 1 < len(run) and run[i + 1].islower():
            symbol = run[i : i + 2]
        else:
            symbol = run[i]
        if symbol not in _ELEMENTS:
            return None
        out.append(symbol)
        i += len(symbol)
    return out


def _reaction(found: Sequence[Token], arrows: list[int], subject: str | None) -> Reaction | None:
    at = arrows[0]
    conditions = ""
    left = list(found[:at])
    end = at + 1
    token = found[at]
    arrow = _ARROWS[token.text]
    if token.text.startswith("x"):
        while (end < len(found) and found[end].text in ("[", "{")) or (
            end < len(found) and found[end].group and end == at + 1
        ):
            stop = _group_end(found, end)
            if stop is None:
                return None
            conditions += "|" + canonical(tuple(found[end:stop]), "").strip("[]{}")
            end = stop
    elif end < len(found) and found[end].text == "[":
        stop = _group_end(found, end)  # \ce{->[heat]}
        if stop is None:
            return None
        conditions = "|" + canonical(tuple(found[end:stop]), "").strip("[]")
        end = stop
    if len(left) >= 2 and any(token.text in ("overset", "underset") for token in left):
        place = next(i for i, token in enumerate(left) if token.text in ("overset", "underset"))
        conditions = "|" + canonical(tuple(left[place + 1 :]), "").strip("{}")
        left = left[:place]
    if [i for i in arrows if i >= end]:
        return None
    sides = [_side(left), _side(found[end:])]
    if sides[0] is None or sides[1] is None:
        return None
    marked = any(side[1] for side in sides if side is not None)
    chemical = subject == "chemistry" or token.text not in ("=", "→")
    if not marked and not chemical:
        return None
    return Reaction(sides[0][0], sides[1][0], arrow, conditions)


def _group_end(found: Sequence[Token], start: int) -> int | None:
    if found[start].group:
        return start + 1
    depth = 0
    for i in range(start, len(found)):
        depth += found[i].text in ("[", "{", "(")
        depth -= found[i].text in ("]", "}", ")")
        if depth == 0:
            return i + 1
    return None


_STATES = frozenset(("s", "l", "g", "aq"))


def _side(
    found: Sequence[Token],
) -> tuple[frozenset[tuple[tuple[str, tuple[str, ...], str], int]], bool] | None:
    """The species of one side, and whether one of them holds a number or charge."""
    found = [token for token in found if token.kind != "gap"]
    pieces: list[list[Token]] = [[]]
    depth = 0
    for i, token in enumerate(found):
        depth += token.text in ("(", "[", "{")
        depth -= token.text in (")", "]", "}")
        following = found[i + 1] if i + 1 < len(found) else None
        charge = (
            i > 0
            and (
                found[i - 1].text == "^"
                or (found[i - 1].kind == "num" and i > 1 and found[i - 2].text == "^")
            )
        ) or (not token.space and following is not None and following.text == "+" and i > 0)
        if token.text == "+" and depth == 0 and not charge and following is not None:
            if not token.space and following.space and found[i - 1].kind == "run" and i > 0:
                # "Na+ + Cl-": the first sign touches the symbol and is followed by a space
                pieces[-1].append(token)
                continue
            pieces.append([])
        else:
            pieces[-1].append(token)
    species: Counter[tuple[str, tuple[str, ...], str]] = Counter()
    marked = False
    for piece in pieces:
        if not piece:
            return None
        state = ""
        while piece and piece[-1].text in ("↑", "↓"):
            state += piece.pop().text
        if len(piece) > 3 and piece[-1].text == ")" and piece[-3].text == "(" and piece[-2].text in _STATES:
            state += piece[-2].text
            piece = piece[:-3]
        coefficient = "1"
        if len(piece) > 1 and piece[0].kind == "num":
            coefficient = piece[0].text
            piece = [piece[1]._replace(space=False), *piece[2:]]
        if len(piece) == 2 and piece[0].text == "e" and piece[1].text == "^":
            return None
        if (
            piece
            and piece[0].text == "e"
            and [t.text for t in piece[1:]] in (["^", "-"], ["-"], ["^", "{", "-", "}"])
        ):
            species[(coefficient, ("e^-",), state)] += 1
            marked = True
            continue
        formula = _formula(piece)
        if formula is None:
            return None
        marked = marked or formula.marked
        species[(coefficient, formula.parts, state)] += 1
    return frozenset(species.items()), marked
