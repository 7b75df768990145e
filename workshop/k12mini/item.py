"""What a problem of K12-Mini is in the workshop: both languages, the drawing, and the sum that checks the answer."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from workshop.k12mini.style import Pen

from eduflow.problem import IMAGE_MARK, ImageRef, Language, Option, Problem, ProblemType, Stage, Subject

Pair = tuple[str, str]  # (Chinese, English)
Value = float | int | Fraction | None
KEYS = "ABCD"
GRADE: dict[Stage, int] = {"primary": 6, "middle": 9, "high": 12}


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One problem in both languages.

    Where a text is the same in both, one string stands for the pair. Texts and figure take their numbers from
    the same variables of the function that makes the item.

    Args:
        question: the text; the image is put behind it.
        options: the four options of a choice problem.
        answers: one per blank or sub-question; the letter of a choice problem.
        check: works the answers out again from the parameters of the drawing. For a choice problem, whether each
            option holds: four booleans. Else one value per answer, None where the answer is no number.
        reading: the answer itself is a reading of the figure, so that the caption cannot but say it.
    """

    question: Pair
    caption: Pair
    draw: Callable[[Pen], None]
    answers: Sequence[str | Pair]
    solution: Sequence[Pair]
    knowledge: Sequence[Pair]
    check: Callable[[], Sequence[Value | bool]]
    options: Sequence[str | Pair] = ()
    ordered: bool = True
    reading: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """An item in its place in the benchmark."""

    subject: Subject
    stage: Stage
    type: ProblemType
    serial: int
    item: Item

    @property
    def group(self) -> str:
        return f"{self.subject}-g{GRADE[self.stage]}-{self.type}-{self.serial}"

    def problem(self, language: Language, image: str) -> Problem:
        """The row of one language; `image` is the path of its figure."""
        item = self.item
        return Problem(
            id=f"{self.group}-{language}",
            subject=self.subject,
            stage=self.stage,
            grade=GRADE[self.stage],
            type=self.type,
            question=f"{one(item.question, language)}\n{IMAGE_MARK}",
            images=(ImageRef(path=image),),
            options=tuple(
                Option(key=key, text=one(text, language))
                for key, text in zip(KEYS, item.options, strict=bool(item.options))
            ),
            answers=tuple(one(answer, language) for answer in item.answers),
            ordered=item.ordered,
            solution=tuple(one(step, language) for step in item.solution),
            knowledge_points=tuple(one(point, language) for point in item.knowledge),
            language=language,
            captions=(one(item.caption, language),),
            group=self.group,
            source="K12-Mini",
        )

    def faults(self) -> list[str]:
        """What is wrong with the item as far as code can tell; empty where nothing is."""
        item = self.item
        found: list[str] = []
        if (self.type == "choice") != (len(item.options) == len(KEYS)):
            found.append("a choice problem has four options, another has none")
        values = list(item.check())
        if self.type == "choice":
            right = [key for key, holds in zip(KEYS, values, strict=True) if holds]
            if right != list(item.answers):
                found.append(f"the options that hold are {right}, the answer is {item.answers}")
        elif len(values) != len(item.answers):
            found.append(f"{len(values)} checked values for {len(item.answers)} answers")
        else:
            for answer, value in zip(item.answers, values, strict=True):
                for language in ("zh", "en"):
                    text = one(answer, language)
                    if value is not None and abs(read_number(text) - float(value)) > 1e-9:
                        found.append(f"the answer is {text}, worked out again it is {float(value)}")
        for step in item.solution:
            found.extend(f for text in step for f in wrong_sums(text))
        return found


ENTRIES: dict[str, Entry] = {}


def problem(
    subject: Subject, stage: Stage, kind: ProblemType, serial: int = 1
) -> Callable[[Callable[[], Item]], Callable[[], Item]]:
    """Puts the item that a function makes into the benchmark, in its cell, type and place."""

    def put(make: Callable[[], Item]) -> Callable[[], Item]:
        entry = Entry(subject, stage, kind, serial, make())
        if entry.group in ENTRIES:
            raise ValueError(f"{entry.group} is there twice")
        ENTRIES[entry.group] = entry
        return make

    return put


def one(text: str | Pair, language: Language | str) -> str:
    """The text of one language."""
    return text if isinstance(text, str) else text[0 if language == "zh" else 1]


_ROOT = re.compile(r"^(-?[\d.]*)\\sqrt\{(\d+)\}$")


def read_number(text: str) -> float:
    """The value of an answer as the workshop writes them: 12, −197, 1.45 V, 80%, $4\\sqrt{5}$.

    Raises:
        ValueError: it is none of these.
    """
    plain = text.partition(" ")[0].strip("$").replace("−", "-")
    if root := _ROOT.match(plain):
        return float(root[1] or 1) * math.sqrt(int(root[2]))
    if plain.endswith("%"):
        return float(plain[:-1].rstrip("\\")) / 100
    return float(Fraction(plain))


_NUMBER = r"\d+(?:\.\d+)?"
_SUM = re.compile(
    rf"(?<![\w.√^])((?:[(（]|{_NUMBER}%?[)）²³]?|\s|[-+−×÷/])+?)(=|≈)\s*([-−]?{_NUMBER}%?)(?!%|\d|\.\d|[√^²³(a-zA-Zπ]|\s*[-+−×÷/])"
)
_TOKEN = re.compile(rf"{_NUMBER}|[-+*/()%²³]")


def wrong_sums(text: str) -> list[str]:
    """The plain sums in a text ("3 × (4 + 5) = 27") that do not come out. Sums with letters are passed over."""
    found = []
    for left, sign, right in _SUM.findall(text):
        expression = left.translate(str.maketrans("（）−×÷", "()-*/")).strip()
        if not re.search(r"\d.*[-+*/²³]", expression):
            continue
        try:
            value = _Sum(_TOKEN.findall(expression)).value()
        except (ValueError, IndexError, ZeroDivisionError):
            continue
        given = read_number(right)
        shown = right.rstrip("%").partition(".")[2]
        tolerance = 0.51 * 10.0 ** -len(shown) * (0.01 if right.endswith("%") else 1) if sign == "≈" else 1e-9
        if abs(value - given) > tolerance:
            found.append(f"{left.strip()} {sign} {right} does not come out: {value:.6g}")
    return found


class _Sum:
    """A reader of sums by recursive descent: + − × ÷, brackets, ², ³ and %."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = [*tokens, ""]

    def value(self) -> float:
        value = self._terms()
        if self.tokens != [""]:
            raise ValueError("no sum")
        return value

    def _terms(self) -> float:
        value = self._factors()
        while self.tokens[0] in ("+", "-"):
            value += self._factors() if self.tokens.pop(0) == "+" else -self._factors()
        return value

    def _factors(self) -> float:
        value = self._atom()
        while self.tokens[0] in ("*", "/"):
            value = value * self._atom() if self.tokens.pop(0) == "*" else value / self._atom()
        return value

    def _atom(self) -> float:
        part = self.tokens.pop(0)
        if part == "-":
            return -self._atom()
        if part == "(":
            value = self._terms()
            if self.tokens.pop(0) != ")":
                raise ValueError("no sum")
        else:
            value = float(part)
        while self.tokens[0] in ("%", "²", "³"):
            mark = self.tokens.pop(0)
            value = value / 100 if mark == "%" else value ** (2 if mark == "²" else 3)
        return value
