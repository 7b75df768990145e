"""A second opinion: math-verify (0.9) behind the comparators, never above them.

It is asked only about a blank that the comparators missed because they could not read the gold, and can only turn that miss into right. Measured, it equates unequal answers:
it rounds absolutely at six decimals, drops units and percent signs, reads ratios and pairs as it likes, and takes letters for commuting
factors (east = seat). So it may speak only about what it reads soundly, see `may_speak`: one exact expression on each side, in
single small letters, without decimals, units, words, lists or relations; and its yes counts only where both directions say yes
and an independent evaluation, relative and at negative points too, agrees. What is left for it are the
sums, products, limits, integrals, binomials and factorials that the comparators do not evaluate.

It runs in a worker. Limits on digits, exponents and nesting come first; the worker's clock is the last resort.
"""

from __future__ import annotations

import hashlib
import importlib.util
import re
from dataclasses import dataclass
from typing import Any, Protocol

from eduflow.engine.run import Run
from eduflow.errors import MissingExtra
from eduflow.grade.normalise import clean, tokens
from eduflow.grade.numbers import read_quantity, unfinished
from eduflow.grade.question import asked
from eduflow.grade.worker import Answer, Worker

TARGET = "eduflow.grade.opinion:equal"

_LENGTH = 300
_NESTING = 12
_COMMANDS = frozenset(
    [
        "frac",
        "dfrac",
        "tfrac",
        "sqrt",
        "left",
        "right",
        "cdot",
        "times",
        "div",
        "sin",
        "cos",
        "tan",
        "cot",
        "sec",
        "csc",
        "arcsin",
        "arccos",
        "arctan",
        "ln",
        "log",
        "exp",
        "binom",
        "dbinom",
        "tbinom",
        "sum",
        "prod",
        "int",
        "lim",
        "limits",
        "to",
        "infty",
        "pi",
        "alpha",
        "beta",
        "gamma",
        "delta",
        "theta",
        "lambda",
        "mu",
        "phi",
        "omega",
    ]
)
# The ones that the comparators leave to it; without any of them there is nothing to ask.
_REASON = re.compile(r"\\(?:[dt]?binom|sum|prod|int|lim)(?![A-Za-z])|!")
_COMMAND = re.compile(r"\\([A-Za-z]+)")
_FORBIDDEN = (
    re.compile(
        r"[^a-z0-9\s+\-*/^_(){}|!]"
    ),  # no capitals, decimals, percent, lists, relations, other scripts
    re.compile(r"[a-z]\s*[a-z]"),  # words, and letters as factors
    re.compile(r"[0-9]\s+[0-9]"),  # two numbers side by side
    re.compile(r"[0-9]{7,}"),
    re.compile(r"\^\s*\{?\s*[+-]?\s*[0-9]{3,}"),  # large powers
    re.compile(r"\^\s*[^\s{]\s*\^|\^\s*\{[^{}]*[\^!]"),  # towers of powers
    re.compile(r"[0-9]{3,}\s*!|[!)}]\s*!"),  # large factorials
)


@dataclass(frozen=True, slots=True)
class Opinion:
    """`right` is whether it says yes; `note` says why it did not get to speak, where a limit struck."""

    right: bool
    note: str = ""


class Struck(Protocol):
    """The keys of questions at which a limit struck: a plain set, or one that a run keeps."""

    def __contains__(self, key: object, /) -> bool: ...
    def add(self, key: str, /) -> None: ...


class StruckInRun:
    """Such keys, kept in a run: a resumed or recomputed run says the same, and `len` counts them."""

    _SCOPE = ("second-opinion", "1")

    def __init__(self, run: Run) -> None:
        self._run = run

    def __contains__(self, key: object, /) -> bool:
        return isinstance(key, str) and self._run.has_result(key, *self._SCOPE)

    def __len__(self) -> int:
        return self._run.count_results(*self._SCOPE)

    def add(self, key: str, /) -> None:
        """Keep a key."""
        self._run.put_result(key, *self._SCOPE, b"resource")


class SecondOpinion:
    """math-verify in a worker.

    Args:
        memory: bytes of address space of the worker.
        seconds: wall clock of one question.
        struck: questions at which a limit struck before; they are not asked again, so that what a clock once decided stays so. The
            default lives as long as this object; see `StruckInRun`.

    Raises:
        MissingExtra: math-verify is not installed.
    """

    def __init__(self, *, memory: int = 1 << 30, seconds: float = 5.0, struck: Struck | None = None) -> None:
        if importlib.util.find_spec("math_verify") is None:
            raise MissingExtra("the second opinion", "bench")
        self.struck: Struck = set() if struck is None else struck
        self._worker = Worker(TARGET, memory=memory, seconds=seconds)

    @property
    def killed(self) -> int:
        """How often a limit struck."""
        return self._worker.killed

    def config(self) -> dict[str, Any]:
        """What it is, for the run's configuration."""
        return {"name": "math-verify", "memory": self._worker.memory, "seconds": self._worker.seconds}

    def ask(self, gold: str, answer: str, question: str = "") -> Opinion:
        """Whether it holds the two for equal; blocks while it thinks."""
        if not worth_asking(gold, answer, question):
            return Opinion(False)
        key = hashlib.sha256(f"{gold}\0{answer}".encode("utf-8", "surrogatepass")).hexdigest()
        if key in self.struck:
            return Opinion(False, "resource")
        said: Answer = self._worker.call(gold, answer)
        if said.status == "resource":
            self.struck.add(key)
            return Opinion(False, "resource")
        return Opinion(said.status == "ok" and said.value is True)

    def close(self) -> None:
        """End the worker."""
        self._worker.close()


def worth_asking(gold: str, answer: str, question: str = "") -> bool:
    """Whether it may speak about both, and would not overrule the comparators.

    The gold must hold what they don't evaluate, and the answer must not leave anything to do that the gold does not: a sum for a number is
    no answer. Where the question asks for a form, equal values are not enough.
    """
    if not (may_speak(gold) and may_speak(answer)):
        return False
    ours, theirs = set(_REASON.findall(gold)), set(_REASON.findall(answer))
    wanted = asked(question)
    if not ours or not theirs <= ours or wanted.factored or wanted.expanded or wanted.simplest:
        return False
    read = read_quantity(tokens(clean(answer)) or ())
    return read is None or not unfinished(read.node, wanted)


def may_speak(text: str) -> bool:
    """Whether a text is of the kind that math-verify reads soundly: see the module's docstring."""
    text = text.strip().strip("$").strip()
    if not text or len(text) > _LENGTH:
        return False
    depth = 0
    for char in text:
        depth += (char in "({") - (char in ")}")
        if not 0 <= depth <= _NESTING:
            return False
    commands = _COMMAND.findall(text)
    if any(command not in _COMMANDS for command in commands):
        return False
    if re.search(r"\\log(?!\s*_)", text):  # to which base?
        return False
    if re.search(r"[0-9]\s*\\[dt]?frac", text):  # a mixed number or a product?
        return False
    skeleton = re.sub(r"\\(?:sum|prod)\s*(?:\\limits\s*)?_\s*\{\s*[a-z]\s*=", "{", text)
    if r"\int" in skeleton:
        skeleton = re.sub(r"\bd\s*[a-z]\b", "", skeleton)
    skeleton = _COMMAND.sub("+", skeleton)
    return not any(pattern.search(skeleton) for pattern in _FORBIDDEN)


def equal(gold: str, answer: str) -> bool:
    """In the worker: whether math-verify says yes in both directions and an evaluation of our own agrees."""
    import logging

    from math_verify import parse, verify

    logging.disable(logging.CRITICAL)
    sides = [
        parse("$" + text.strip().strip("$") + "$", parsing_timeout=None, raise_on_error=True)
        for text in (gold, answer)
    ]
    if not all(sides):
        return False
    options: dict[str, Any] = {"float_rounding": 30, "numeric_precision": 50, "timeout_seconds": None}
    if not (verify(sides[0], sides[1], **options) and verify(sides[1], sides[0], **options)):
        return False
    return _agree(sides[0][0], sides[1][0])


def _agree(left: Any, right: Any) -> bool:
    """Whether two sympy expressions have the same letters and, at several points, the same values to 30 digits."""
    import sympy  # type: ignore[import-untyped]

    if not (isinstance(left, sympy.Expr) and isinstance(right, sympy.Expr)):
        return False
    left, right = left.doit(), right.doit()
    letters = sorted(left.free_symbols | right.free_symbols, key=str)
    if left.free_symbols != right.free_symbols:
        return False
    points = [(2, 3), (-5, 7), (17, 11), (-23, 13), (1, 29)] if letters else [(0, 1)]
    for number, (top, bottom) in enumerate(points):
        at = {
            letter: sympy.Rational(top * (index + 1) + number, bottom) for index, letter in enumerate(letters)
        }
        values = [sympy.N(side.subs(at), 50) for side in (left, right)]
        if not all(value.is_number and value.is_finite for value in values):
            return False
        size = max(abs(values[0]), abs(values[1]))
        if abs(values[0] - values[1]) > size * sympy.Float("1e-30"):
            return False
    return True
