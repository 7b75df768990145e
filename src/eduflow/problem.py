"""The nouns: Problem, Solution, Step, Grade, Critique and Trajectory.

All are frozen pydantic models. `extra` keeps what a format knows beside the fields and takes no part in equality or
hashing. A field that cannot be read raises `InputError` through `parse`, with the field's name and the value.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from eduflow.errors import InputError
from eduflow.labels import Label

Subject = Literal["math", "physics", "chemistry", "biology", "geography"]
Stage = Literal["primary", "middle", "high"]
ProblemType = Literal["choice", "blank", "free"]
Language = Literal["zh", "en"]
Mode = Literal["direct", "cot"]

SUBJECTS: tuple[Subject, ...] = ("math", "physics", "chemistry", "biology", "geography")
STAGES: tuple[Stage, ...] = ("primary", "middle", "high")
TYPES: tuple[ProblemType, ...] = ("choice", "blank", "free")
LANGUAGES: tuple[Language, ...] = ("zh", "en")
MODES: tuple[Mode, ...] = ("direct", "cot")

# How a model call ended. The engine uses the same words; see docs/outcomes.md.
Outcome = Literal["ok", "truncated", "filtered", "rejected_input", "failed"]
# Ends that are the model's own behaviour and therefore scored; the others are not scored and counted.
SCORED_OUTCOMES: frozenset[Outcome] = frozenset({"ok", "truncated", "filtered"})

IMAGE_MARK = "<image>"


def stage_of(grade: int) -> Stage:
    """The stage of a school grade, 1 to 12: primary to 6, middle to 9, high to 12."""
    return "primary" if grade <= 6 else "middle" if grade <= 9 else "high"


class Noun(BaseModel):
    """Base of the nouns: frozen, no unknown fields, `extra` outside equality and hash."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=False)

    def _identity(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in type(self).model_fields if name != "extra")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    @classmethod
    def parse(cls, row: Mapping[str, Any]) -> Self:
        """The noun that a decoded JSON row describes.

        Raises:
            InputError: the first field that is missing, unknown or wrong, named.
        """
        try:
            return cls.model_validate(row)
        except ValidationError as error:
            raise input_error(error) from None


def input_error(error: ValidationError) -> InputError:
    """The first fault of a pydantic error as one sentence with its field."""
    first = error.errors(include_url=False)[0]
    field = ".".join(str(part) for part in first["loc"]) or None
    kind, given = first["type"], first.get("input")
    if kind == "missing":
        return InputError("is missing", field=field)
    if kind == "extra_forbidden":
        return InputError("is not a field of this noun; put it under 'extra'", field=field)
    if kind == "literal_error":
        return InputError(f"unknown value {given!r}; expected {first['ctx']['expected']}", field=field)
    message = first["msg"].removeprefix("Value error, ")
    shown = repr(given)
    if len(shown) > 80:
        shown = shown[:77] + "..."
    return InputError(message if kind == "value_error" else f"{message}, not {shown}", field=field)


class ImageRef(Noun):
    """One image: by path, or with its bytes; told apart by the sha256 of the file's bytes.

    In JSON it is `{"path": "figures/a.png"}`, `{"data": "<base64>"}`, or a bare string, which is a path. Paths are
    relative to the file they stand in; readers make them absolute. Bytes are read when they are asked for, so a
    million problems stream in flat memory.
    """

    path: str | None = None
    data: bytes | None = Field(default=None, repr=False)
    sha256: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _from_string(cls, value: Any) -> Any:
        return {"path": value} if isinstance(value, str) else value

    @field_validator("data", mode="before")
    @classmethod
    def _decode(cls, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        text = value.partition(",")[2] if value.startswith("data:") else value
        try:
            return base64.b64decode(text, validate=True)
        except binascii.Error:
            raise ValueError("is not base64") from None

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        if (self.path is None) == (self.data is None):
            raise ValueError("an image has either a path or data")
        return self

    def read(self) -> bytes:
        """The file's bytes.

        Raises:
            InputError: the file is missing or unreadable, or its bytes don't have the stated sha256.
        """
        if self.data is not None:
            content = self.data
        else:
            assert self.path is not None
            try:
                content = Path(self.path).read_bytes()
            except OSError as error:
                raise InputError(f"cannot read the image: {error.strerror}", path=self.path) from None
        if self.sha256 is not None and hashlib.sha256(content).hexdigest() != self.sha256:
            raise InputError("the image's sha256 is not the stated one", path=self.path)
        return content

    @property
    def name(self) -> str:
        """What to call it in a message: its path, or the start of its hash."""
        if self.path is not None:
            return self.path
        assert self.data is not None
        return "image " + (self.sha256 or hashlib.sha256(self.data).hexdigest())[:12]

    def to_json(self) -> dict[str, str]:
        """The form that stands in JSON: path, or base64 data, and the hash where it is known."""
        row = {} if self.sha256 is None else {"sha256": self.sha256}
        if self.path is not None:
            return {"path": self.path, **row}
        assert self.data is not None
        return {"data": base64.b64encode(self.data).decode("ascii"), **row}


class Option(Noun):
    """One option of a choice problem: its key ("A") and its text. Options go by key, never by position."""

    key: str = Field(min_length=1)
    text: str


class Problem(Noun):
    """One school problem.

    `question` holds `<image>` where the images stand, in their order. `answers` has one entry per blank or
    sub-answer, and an entry is never split again; the answer of a choice problem is the key, or the keys run
    together in order ("A", "ACD"). `ordered` is false where the blanks may be filled in any order. `solution` is the reference,
    step by step. `difficulty` is the share of wrong answers of a reference group that `extra` names, 0 to 1.
    `captions` has one text per image, for models that can't see. Problems with the same `group` are one problem for statistics: the
    two languages of one problem, or its variants.
    """

    id: str = Field(min_length=1)
    subject: Subject
    stage: Stage
    grade: int | None = Field(default=None, ge=1, le=12)
    type: ProblemType
    question: str = Field(min_length=1)
    images: tuple[ImageRef, ...] = ()
    options: tuple[Option, ...] = ()
    answers: tuple[str, ...] = Field(min_length=1)
    ordered: bool = True
    solution: tuple[str, ...] = ()
    knowledge_points: tuple[str, ...] = ()
    difficulty: float | None = Field(default=None, ge=0, le=1)
    language: Language
    captions: tuple[str, ...] = ()
    group: str | None = None
    source: str | None = None
    extra: dict[str, Any] = Field(default_factory=dict, repr=False)

    @field_validator("options", mode="before")
    @classmethod
    def _options_by_key(cls, value: Any) -> Any:
        if isinstance(value, Mapping):
            return [{"key": key, "text": text} for key, text in value.items()]
        return value

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.grade is not None and stage_of(self.grade) != self.stage:
            raise ValueError(f"grade {self.grade} is not in stage '{self.stage}'")
        if any(not answer.strip() for answer in self.answers):
            raise ValueError("an entry of 'answers' is empty")
        keys = [option.key for option in self.options]
        if len(set(keys)) != len(keys):
            raise ValueError(f"option keys repeat: {', '.join(keys)}")
        if self.captions and len(self.captions) != len(self.images):
            raise ValueError(f"{len(self.captions)} captions for {len(self.images)} images")
        marks = self.question.count(IMAGE_MARK)
        # A format that comes without its images keeps the marks, so that "drop" and the report know what is missing.
        if self.images and marks > len(self.images):
            raise ValueError(f"{marks} image marks for {len(self.images)} images")
        return self

    @property
    def cell(self) -> str:
        """Subject and stage, the rows of the papers' tables: "math-primary"."""
        return f"{self.subject}-{self.stage}"

    @property
    def unit(self) -> str:
        """What is resampled in a bootstrap: the group where there is one, else the id."""
        return self.group or self.id


class Step(Noun):
    """One step of a solution: its text, its kind (EduMCTS names kinds; else ""), and its place in the solution.

    `start` and `end` are offsets in the solution's text, in characters; both None where the step matches no span.
    """

    text: str
    kind: str = ""
    start: int | None = Field(default=None, ge=0)
    end: int | None = Field(default=None, ge=0)


class Solution(Noun):
    """What one solver wrote for one problem.

    `outcome` says how the call ended; `text` is empty where it brought none. `call` is the journal key of the call,
    None for outputs made elsewhere.
    """

    problem_id: str
    solver: str
    mode: str
    sample: int = Field(default=0, ge=0)
    text: str
    steps: tuple[Step, ...] = ()
    outcome: Outcome = "ok"
    call: str | None = None
    extra: dict[str, Any] = Field(default_factory=dict, repr=False)


class BlankGrade(Noun):
    """The verdict on one blank: 1 right, 0 not, None not scored.

    `decided_by` is "comparator", "judge", "settled" (an empty or refused answer, a shotgun answer, a filtered reply: the
    model's own behaviour, which nobody needs to be asked about) or "none" (the comparator missed and no judge was asked: 0 as a lower
    bound). `detail` names the comparator or says why.
    """

    verdict: Literal[0, 1] | None
    extracted: str | None = None
    decided_by: Literal["comparator", "judge", "settled", "none"] = "none"
    detail: str = ""


# "missing": outputs made elsewhere that hold none for this problem.
NotScored = Literal["failed", "rejected_input", "missing", "judge_failed", "judge_unparsed"]


class Grade(Noun):
    """The grade of one solution, blank by blank.

    `score` is the mean of the verdicts, 0 to 1; None where the solution is not scored, and then `not_scored` says why.
    `calls` are the journal keys of the judge's calls.
    """

    problem_id: str
    solver: str
    mode: str
    sample: int = Field(default=0, ge=0)
    blanks: tuple[BlankGrade, ...]
    score: float | None = Field(default=None, ge=0, le=1)
    not_scored: NotScored | None = None
    calls: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _sums(self) -> Self:
        if (self.score is None) != (self.not_scored is not None):
            raise ValueError("a grade has a score or a reason why not")
        if self.score is not None:
            verdicts = [blank.verdict for blank in self.blanks]
            if None in verdicts or not verdicts:
                raise ValueError("a scored grade has a verdict for every blank")
            if abs(self.score - sum(v for v in verdicts if v is not None) / len(verdicts)) > 1e-9:
                raise ValueError("the score is not the mean of the verdicts")
        return self

    @property
    def solved(self) -> bool | None:
        """Whether every blank is right; None where the solution is not scored."""
        return None if self.score is None else self.score == 1


class StepCritique(Noun):
    """A critic's word on one step. `label` is None for unknown; `score` in 0..1 is None where there is none."""

    label: Label | None
    explanation: str = ""
    score: float | None = Field(default=None, ge=0, le=1)
    score_source: str | None = None

    @model_validator(mode="after")
    def _agrees(self) -> Self:
        if (
            self.label is not None
            and self.score is not None
            and (self.label is Label.CORRECT) != (self.score >= 0.5)
        ):
            raise ValueError(f"label {self.label.value} contradicts score {self.score}")
        return self


# How the steps of a critique were judged: a given list of steps, a whole solution that the critic itself split, one-token
# questions per step, proofs, or the vote of several critics.
CritiqueFormat = Literal["stepwise", "critique", "yes", "symbolic", "panel"]


class Critique(Noun):
    """A critic's word on one solution, step by step; `outcome` "unparsed" where it could not be read.

    Where the outcome is "ok" or "truncated", `split` holds the steps that were judged and `steps` one word on each, in the
    same order; a step of `split` without `start` matches no span of the solution's text. For every other outcome both are empty and
    `detail` says why. `coverage` is the share of the solution's text (white space aside) that the steps span, None where
    the steps were given. `reference` says whether the critic was shown a reference solution. `calls` are journal keys.
    """

    problem_id: str
    solver: str
    mode: str
    sample: int = Field(default=0, ge=0)
    critic: str
    format: CritiqueFormat = "stepwise"
    reference: bool = False
    outcome: Outcome | Literal["unparsed"]
    split: tuple[Step, ...] = ()
    steps: tuple[StepCritique, ...] = ()
    coverage: float | None = Field(default=None, ge=0, le=1)
    detail: str = ""
    calls: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if len(self.split) != len(self.steps):
            raise ValueError(f"{len(self.steps)} judgements for {len(self.split)} steps")
        if self.steps and self.outcome not in ("ok", "truncated"):
            raise ValueError(f"a critique that is {self.outcome} has no steps")
        if self.outcome == "ok" and not self.steps:
            raise ValueError("a critique that is ok judges at least one step")
        return self


class TrajectoryNode(Noun):
    """One node of an accepted path: its kind and text, the mean score r̂, the value V and the visits N."""

    kind: str
    text: str
    score: float | None = Field(default=None, ge=0, le=1)
    value: float = Field(ge=0, le=1)
    visits: int = Field(ge=0)


class Trajectory(Noun):
    """A finished path of a search tree, with what it takes to check it: the answer, its grade, filters and calls."""

    problem_id: str
    nodes: tuple[TrajectoryNode, ...]
    answer: str | None = None
    grade: Grade | None = None
    filters: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
