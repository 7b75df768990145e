"""What a template is, and how a problem is drawn from one: pure, a function of (seed, template, serial, language).

A template is a function from a `Draw` (the source of its numbers and words) to a `Draft` (the problem's parts), put
into `TEMPLATES` by the decorator `template`. It runs once per language with the same random stream, so that the
twins have the same numbers, names and phrasings.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeVar

from eduflow.benchmarks.procedural.numbers import Num, decimal, num
from eduflow.errors import ConfigError
from eduflow.problem import ImageRef, Language, Option, Problem, ProblemType, Subject, stage_of

T = TypeVar("T")
Pair = tuple[str, str]  # (Chinese, English)
Split = Literal["train", "unseen_numbers", "unseen_template"]

KEYS = "ABCD"


class Draw:
    """The numbers and words of one problem.

    Named draws are the problem's parameters: they are what makes two problems different arithmetic. Words (`pick`,
    `say`) are not parameters, so that a split by parameters never puts the same arithmetic on both sides.
    """

    def __init__(self, rng: random.Random, language: Language) -> None:
        self.rng = rng
        self.language = language
        self.parameters: dict[str, Any] = {}

    def whole(self, name: str, low: int, high: int, step: int = 1) -> Num:
        """A whole number in low..high (both included) on the grid low, low + step, ..."""
        value = self.rng.randrange(low, high + 1, step)
        self.parameters[name] = value
        return Num(value)

    def tenth(self, name: str, low: int, high: int, parts: int = 10) -> Num:
        """A whole number of tenths (or of 1/`parts`) in low..high, as a number: tenth("u", 5, 25) is 0.5 to 2.5."""
        value = Num(Fraction(self.rng.randint(low, high), parts))
        self.parameters[name] = str(value)
        return value

    def wholes(self, name: str, count: int, low: int, high: int, step: int = 1) -> list[Num]:
        """`count` different whole numbers on the grid low, low + step, ..., high."""
        values = self.rng.sample(range(low, high + 1, step), count)
        self.parameters[name] = values
        return [Num(value) for value in values]

    def choose(self, name: str, options: Sequence[T], key: Callable[[T], Any] = lambda item: item) -> T:
        """One of the options, recorded by its key."""
        option = self.rng.choice(options)
        self.parameters[name] = key(option)
        return option

    def pick(self, *pairs: Pair) -> str:
        """One of the pairs, in the problem's language."""
        return self.rng.choice(pairs)[self.language == "en"]

    def sample(self, pairs: Sequence[Pair], count: int) -> list[str]:
        """`count` different pairs, in the problem's language."""
        return [pair[self.language == "en"] for pair in self.rng.sample(pairs, count)]

    def tell(self, zh: str, en: str) -> str:
        """The text in the problem's language."""
        return en if self.language == "en" else zh

    def say(self, zh: Sequence[str], en: Sequence[str]) -> str:
        """One of several phrasings; the twins get the phrasing at the same place."""
        if len(zh) != len(en):
            raise ValueError("the two languages must have the same number of phrasings")
        return (en if self.language == "en" else zh)[self.rng.randrange(len(zh))]


@dataclass(frozen=True, slots=True)
class Draft:
    """The parts of one problem that its template decides.

    A choice problem has one answer and `wrong`: what typical mistakes lead to, likeliest first. Entries that repeat,
    equal the answer or are not positive are left out, near numbers fill the gap. `unit` follows every option.
    `figure` draws the picture when called; `caption` says what it shows.
    """

    question: str
    answers: tuple[Num | str, ...]
    steps: tuple[str, ...]
    wrong: tuple[Num | str, ...] = ()
    unit: str = ""
    figure: Callable[[], bytes] | None = None
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Template:
    """One kind of problem: where it belongs and how it is made."""

    name: str
    subject: Subject
    grade: int
    type: ProblemType
    knowledge: tuple[Pair, ...]
    make: Callable[[Draw], Draft]
    image: bool = False


TEMPLATES: dict[str, Template] = {}


def template(
    name: str, subject: Subject, grade: int, type: ProblemType, *knowledge: Pair, image: bool = False
) -> Callable[[Callable[[Draw], Draft]], Callable[[Draw], Draft]]:
    """Put the function into `TEMPLATES` under `name`."""

    def put(make: Callable[[Draw], Draft]) -> Callable[[Draw], Draft]:
        if name in TEMPLATES:
            raise ValueError(f"two templates are called {name}")
        TEMPLATES[name] = Template(name, subject, grade, type, knowledge, make, image)
        return make

    return put


def _options(draft: Draft, rng: random.Random) -> tuple[tuple[Option, ...], str]:
    """The options in drawn order, and the right key."""
    right = draft.answers[0]
    texts = [str(right)]
    for wrong in draft.wrong:
        if isinstance(wrong, Num) and (wrong.value <= 0 or (wrong.value * 1000).denominator != 1):
            continue
        if str(wrong) not in texts:
            texts.append(str(wrong))
    if len(texts) < len(KEYS) and isinstance(right, Num):
        # Slips in the last digit: the size of one unit there.
        places = len(str(right).partition(".")[2])
        unit = Fraction(1, 10**places) * (10 if abs(right.value) >= 100 and right.value % 10 == 0 else 1)
        for count in (1, -1, 2, -2, 3, 4):
            near = right.value + count * unit
            if near > 0 and decimal(near) not in texts:
                texts.append(decimal(near))
    if len(texts) < len(KEYS):
        raise ValueError("a choice problem needs three wrong options")
    texts = texts[: len(KEYS)]
    order = rng.sample(range(len(KEYS)), len(KEYS))
    unit_text = f" {draft.unit}" if draft.unit and draft.unit[0] not in "%°" else draft.unit
    options = tuple(
        Option(key=key, text=texts[place] + unit_text) for key, place in zip(KEYS, order, strict=True)
    )
    return options, KEYS[order.index(0)]


def make(
    name: str, serial: int, *, seed: int = 0, language: Language = "zh", picture: bytes | None = None
) -> Problem:
    """Problem number `serial` (from 0) of one template.

    Args:
        picture: the figure's bytes where they are known (the twin's), which saves drawing it again.

    Raises:
        ConfigError: there is no such template.
    """
    kind = known([name])[0]
    rng = random.Random(f"{seed}/{name}/{serial}")
    draw = Draw(rng, language)
    draft = kind.make(draw)
    options: tuple[Option, ...] = ()
    answers = tuple(str(answer) for answer in draft.answers)
    if kind.type == "choice":
        options, key = _options(draft, rng)
        answers = (key,)
    images: tuple[ImageRef, ...] = ()
    if draft.figure is not None:
        data = draft.figure() if picture is None else picture
        images = (ImageRef(data=data, sha256=hashlib.sha256(data).hexdigest()),)
    steps = draft.steps
    if kind.type == "choice":
        steps = (*steps, f"故选 {answers[0]}。" if language == "zh" else f"The answer is {answers[0]}.")
    group = f"procedural-{name}-{seed}-{serial}"
    return Problem(
        id=f"{group}-{language}",
        subject=kind.subject,
        stage=stage_of(kind.grade),
        grade=kind.grade,
        type=kind.type,
        question=("<image>\n" if images else "") + draft.question,
        images=images,
        options=options,
        answers=answers,
        solution=steps,
        knowledge_points=tuple(pair[language == "en"] for pair in kind.knowledge),
        language=language,
        captions=(draft.caption,) if images else (),
        group=group,
        source="eduflow-procedural",
        extra={"template": name, "parameters": draw.parameters},
    )


def known(names: Sequence[str]) -> list[Template]:
    """The templates of these names.

    Raises:
        ConfigError: there is no such template.
    """
    unknown = [name for name in names if name not in TEMPLATES]
    if unknown:
        raise ConfigError(
            f"unknown template '{unknown[0]}'; 'eduflow problems generate --list' prints the known ones"
        )
    return [TEMPLATES[name] for name in names]


def generate(
    n: int,
    seed: int = 0,
    language: Language | Literal["both"] = "zh",
    templates: Sequence[str] | None = None,
    *,
    start: int = 0,
) -> Iterator[Problem]:
    """Stream `n` problems, the templates dealt in turn; with language "both" each comes as two twins.

    Problem i depends on the seed, i and the list of templates alone, so a larger `n` only adds. What a template gives
    at its k-th turn does not depend on the other templates. Nothing is kept, so memory stays flat at any `n`.

    Args:
        n: how many problems (twins count as one).
        seed: any whole number.
        language: "zh", "en" or "both".
        templates: names out of `TEMPLATES`; None takes all.
        start: the index of the first problem.

    Raises:
        ConfigError: an unknown template, an empty list, or n or start below 0.
    """
    kinds = known(list(TEMPLATES) if templates is None else templates)
    if not kinds:
        raise ConfigError("the list of templates is empty")
    if n < 0 or start < 0:
        raise ConfigError(f"the number of problems must be 0 or more, not {min(n, start)}")
    if language not in ("zh", "en", "both"):
        raise ConfigError(f"unknown language '{language}'; known: zh, en, both")
    return _stream(kinds, range(start, start + n), seed, language)


def _stream(
    kinds: list[Template], indices: range, seed: int, language: Language | Literal["both"]
) -> Iterator[Problem]:
    for index in indices:
        name, serial = kinds[index % len(kinds)].name, index // len(kinds)
        first = make(name, serial, seed=seed, language="zh" if language == "both" else language)
        yield first
        if language == "both":
            picture = first.images[0].data if first.images else None
            yield make(name, serial, seed=seed, language="en", picture=picture)


def fingerprint(problem: Problem) -> str:
    """What two problems share when they are the same arithmetic: template and parameters, as canonical JSON."""
    return json.dumps([problem.extra["template"], problem.extra["parameters"]], sort_keys=True)


def split(
    problem: Problem, *, held_out: Sequence[str] = (), share: float = 0.1, salt: str = "split"
) -> Split:
    """Which part of a training experiment a procedural problem belongs to.

    "unseen_template" if its template is in `held_out`, else "unseen_numbers" for about `share` of all parameter sets
    (by hash, so twins and repeated numbers fall on one side whatever the seed), else "train".

    Raises:
        ConfigError: a held-out name is no template, `share` is outside 0..1, or the problem is not procedural.
    """
    known(held_out)
    if not 0 <= share <= 1:
        raise ConfigError(f"share must be between 0 and 1, not {share}")
    if "template" not in problem.extra or "parameters" not in problem.extra:
        raise ConfigError(
            f"problem '{problem.id}' is not a procedural one: 'extra' has no template and parameters"
        )
    if problem.extra["template"] in held_out:
        return "unseen_template"
    digest = hashlib.sha256(f"{salt}/{fingerprint(problem)}".encode()).digest()
    return "unseen_numbers" if int.from_bytes(digest[:8]) < share * 2**64 else "train"


__all__ = [
    "TEMPLATES",
    "Draft",
    "Draw",
    "Num",
    "Pair",
    "Split",
    "Template",
    "fingerprint",
    "generate",
    "known",
    "make",
    "num",
    "split",
    "template",
]
