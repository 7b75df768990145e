"""One graded solution as a report needs it, and where such records come from: a run, or its JSONL export.

A record stands alone: figures, tables and pages are made of records without the problem file.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, Self, TypeVar

from pydantic import Field, ValidationError, field_validator, model_validator
from pydantic_core import PydanticSerializationError, from_json

from eduflow.engine import Run
from eduflow.engine.files import write_jsonl
from eduflow.errors import InputError
from eduflow.formats.lines import OverLong, decode_output, read_lines
from eduflow.problem import (
    Grade,
    Language,
    Noun,
    Outcome,
    Problem,
    ProblemType,
    Solution,
    Stage,
    Subject,
    input_error,
)
from eduflow.solve import ImageInput

SCHEMA_VERSION = 1
T = TypeVar("T")


class RecordedSolution(Noun):
    """What the model wrote and how its call ended.

    `reasoning` is what a server returned in a field of its own. `detail` says more about the end: an error, a finish
    reason. `call` is the journal key, None for outputs made elsewhere.
    """

    text: str
    reasoning: str = ""
    outcome: Outcome = "ok"
    call: str | None = None
    detail: str = ""


class Tokens(Noun):
    """Tokens of the solver's call, None where the endpoint gave no count."""

    prompt: int | None = Field(default=None, ge=0)
    completion: int | None = Field(default=None, ge=0)


class Record(Noun):
    """One graded solution.

    `unit` is what a bootstrap resamples (`Problem.unit`). `school_grade` is the problem's grade 1 to 12; `grade` the
    verdicts. `input` says what stood for the problem's images: "images", "captions", "dropped", or "text" where it
    has none. `answers` are the golds, one per blank.
    """

    schema_version: Literal[1] = 1
    problem_id: str = Field(min_length=1)
    unit: str = Field(min_length=1)
    subject: Subject
    stage: Stage
    school_grade: int | None = Field(default=None, ge=1, le=12)
    type: ProblemType
    language: Language
    mode: str = Field(min_length=1)
    sample: int = Field(default=0, ge=0, lt=2**16)
    solver: str
    input: ImageInput
    solution: RecordedSolution
    grade: Grade
    answers: tuple[str, ...]
    tokens: Tokens = Tokens()
    extra: dict[str, Any] = Field(default_factory=dict, repr=False)

    @field_validator("schema_version", mode="before")
    @classmethod
    def _known(cls, value: Any) -> Any:
        if isinstance(value, int) and value > SCHEMA_VERSION:
            raise ValueError(f"schema {value} is newer than {SCHEMA_VERSION}: use a newer EduFlow")
        return value

    @model_validator(mode="after")
    def _one_solution(self) -> Self:
        mine = (self.problem_id, self.mode, self.sample)
        grade = self.grade
        if (grade.problem_id, grade.mode, grade.sample) != mine:
            raise ValueError("the grade belongs to another solution")
        return self

    @classmethod
    def of(
        cls,
        problem: Problem,
        solution: Solution,
        grade: Grade,
        *,
        input: ImageInput,
        extra: dict[str, Any] | None = None,
    ) -> Self:
        """The record of a solution.

        Args:
            problem, solution, grade: they belong together. From `solution.extra` the keys `reasoning`, `error` (or
                `finish_reason`), `prompt_tokens` and `completion_tokens` are taken.
            input: what the solver was shown in place of images.
            extra: anything a later reader of the record should know.
        """
        known = solution.extra
        return cls(
            problem_id=problem.id,
            unit=problem.unit,
            subject=problem.subject,
            stage=problem.stage,
            school_grade=problem.grade,
            type=problem.type,
            language=problem.language,
            mode=solution.mode,
            sample=solution.sample,
            solver=solution.solver,
            input=input,
            solution=RecordedSolution(
                text=solution.text,
                reasoning=known.get("reasoning") or "",
                outcome=solution.outcome,
                call=solution.call,
                detail=known.get("error") or known.get("finish_reason") or "",
            ),
            grade=grade,
            answers=problem.answers,
            tokens=Tokens(prompt=known.get("prompt_tokens"), completion=known.get("completion_tokens")),
            extra=extra or {},
        )

    @property
    def ending(self) -> str:
        """How the solution ended: its outcome, or "empty" (an ok reply that answers nothing) or "missing"."""
        blanks = [(blank.decided_by, blank.detail) for blank in self.grade.blanks]
        return _ending(self.grade.not_scored, self.solution.outcome, self.solution.text, blanks)

    def to_bytes(self) -> bytes:
        """Compact JSON in UTF-8, without a line end. Lone surrogates in `extra` become U+FFFD."""
        try:
            return self.model_dump_json().encode()
        except (PydanticSerializationError, UnicodeEncodeError):
            text = json.dumps(self.model_dump(mode="python"), ensure_ascii=False)
            return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()

    @classmethod
    def from_bytes(cls, line: bytes) -> Self:
        """The record that a JSON line holds.

        Raises:
            InputError: it is not JSON or not a record; the field is named.
        """
        try:
            return cls.model_validate_json(line)
        except ValidationError as error:
            if error.errors(include_url=False)[0]["type"] != "json_invalid":
                raise input_error(error) from None
        value = decode_output(line)
        if not isinstance(value, dict):
            raise InputError("is not a JSON object")
        return cls.parse(value)


def _ending(not_scored: str | None, outcome: str, text: str, blanks: Sequence[tuple[str, str]]) -> str:
    if not_scored == "missing":
        return "missing"
    if outcome != "ok":
        return outcome
    # The grader looks behind the thinking, so its word on what is left counts.
    silent = all(who == "settled" and why in ("empty", "unclosed thinking") for who, why in blanks)
    return "empty" if silent or not text.strip() else "ok"


@dataclass(slots=True)
class Glance:
    """What figures take from a record: each in the record's words, `blanks` as who decided and the verdict.

    A run's own results are read as glances, several times quicker than as records, since what wrote them has checked them.
    """

    problem_id: str
    unit: str
    subject: str
    stage: str
    type: str
    language: str
    mode: str
    sample: int
    solver: str
    input: str
    answers: tuple[str, ...]
    score: float | None
    not_scored: str | None
    ending: str
    blanks: list[tuple[str, int | None]]
    prompt: int | None
    completion: int | None

    @staticmethod
    def of(record: Record) -> Glance:
        """The glance of a record."""
        grade = record.grade
        return Glance(
            record.problem_id, record.unit, record.subject, record.stage, record.type, record.language, record.mode,
            record.sample, record.solver, record.input, record.answers, grade.score, grade.not_scored, record.ending,
            [(blank.decided_by, blank.verdict) for blank in grade.blanks],
            record.tokens.prompt, record.tokens.completion,
        )  # fmt: skip

    @staticmethod
    def from_bytes(line: bytes) -> Glance:
        """The glance of the record in a JSON line that `Record.to_bytes` wrote.

        Raises:
            InputError: it is no record.
        """
        try:
            row = from_json(line)
            if row["schema_version"] == SCHEMA_VERSION:
                grade, blanks, solution = row["grade"], row["grade"]["blanks"], row["solution"]
                said = [(blank["decided_by"], blank["detail"]) for blank in blanks]
                return Glance(
                    row["problem_id"], row["unit"], row["subject"], row["stage"], row["type"], row["language"],
                    row["mode"], row["sample"], row["solver"], row["input"], tuple(row["answers"]),
                    grade["score"], grade["not_scored"],
                    _ending(grade["not_scored"], solution["outcome"], solution["text"], said),
                    [(blank["decided_by"], blank["verdict"]) for blank in blanks],
                    row["tokens"]["prompt"], row["tokens"]["completion"],
                )  # fmt: skip
        except (ValueError, TypeError, KeyError):
            pass
        # Written otherwise: the long way, which says what is wrong.
        return Glance.of(Record.from_bytes(line))


@dataclass(frozen=True)
class Source:
    """Where records come from, with what is known about their making.

    Args:
        name: what it is called in tables.
        path: the run's folder or the file.
        config: what decided the records; empty for a file.
        config_hash: under which the run keeps them; for a file the sha256 of its bytes.
        about: what else the run says of itself (versions, times).
        stopped: problems that a run-wide limit stopped, by reason.
        read: gives the records anew, streamed.
        glance: gives the records' glances, where there is a quicker way to them.
    """

    name: str
    path: Path
    read: Callable[[], Iterable[Record]] = field(repr=False)
    glance: Callable[[], Iterable[Glance]] | None = field(default=None, repr=False)
    config: dict[str, Any] = field(default_factory=dict)
    config_hash: str = ""
    revision: str = ""
    about: dict[str, Any] = field(default_factory=dict)
    stopped: dict[str, int] = field(default_factory=dict)

    def records(self) -> Iterator[Record]:
        """The records, read anew at every call."""
        yield from self.read()

    def glances(self) -> Iterator[Glance]:
        """What figures need of the records, read anew at every call."""
        yield from self.glance() if self.glance is not None else map(Glance.of, self.read())

    @property
    def fingerprint(self) -> str | None:
        """The hash of the problem set, None where nobody took it."""
        problems = self.config.get("problems")
        found = problems.get("fingerprint") if isinstance(problems, dict) else None
        return found if isinstance(found, str) else None


def config_hash(config: dict[str, Any]) -> str:
    """The hash under which a run keeps the records of a configuration."""
    return hashlib.sha256(json.dumps(config, sort_keys=True).encode()).hexdigest()


def source_of(run: Run) -> Source:
    """The records of an open run.

    Raises:
        InputError: it holds no results.
    """
    config = run.read_config() or {}
    scope, revision = _scope(run, config)
    stopped: dict[str, int] = {}
    for _, reason in run.stops().values():
        stopped[reason] = stopped.get(reason, 0) + 1
    return Source(
        name=run.folder.resolve().name,
        path=run.folder,
        read=lambda: _from_run(run, scope, revision, Record.from_bytes),
        glance=lambda: _from_run(run, scope, revision, Glance.from_bytes),
        config=config,
        config_hash=scope,
        revision=revision,
        about=run.read_about(),
        stopped=stopped,
    )


def open_source(path: str | Path) -> Source:
    """The records of a run's folder or of a JSONL export; a folder is opened for reading at every pass.

    Raises:
        InputError: it is neither, or holds no results.
    """
    path = Path(path)
    if path.is_file():
        try:
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256")
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", path=path) from None
        return Source(
            name=path.name.removesuffix(".gz").removesuffix(".jsonl"),
            path=path,
            read=lambda: read_jsonl(path),
            config_hash=digest.hexdigest(),
        )
    with Run.read(path) as run:
        found = source_of(run)

    def again(parse: Callable[[bytes], T]) -> Iterator[T]:
        with Run.read(path) as run:
            yield from _from_run(run, found.config_hash, found.revision, parse)

    return replace(
        found,
        path=path,
        read=lambda: again(Record.from_bytes),
        glance=lambda: again(Glance.from_bytes),
    )


def read_jsonl(path: str | Path) -> Iterator[Record]:
    """The records of a JSONL file, streamed.

    Raises:
        InputError: the first line that is not a record, with its number.
    """
    for number, line in read_lines(path):
        if isinstance(line, OverLong):
            raise InputError("the line is too long for a record", path=path, line=number)
        try:
            record = Record.from_bytes(line)
        except InputError as error:
            raise error.at(path=path, line=number) from None
        yield record


def write_records(path: str | Path, records: Iterable[Record]) -> int:
    """Write records as JSONL, whole or not at all; returns their number."""
    return write_jsonl(path, (record.model_dump(mode="json") for record in records))


def _scope(run: Run, config: dict[str, Any]) -> tuple[str, str]:
    """Under which hash and revision the run keeps the results of its configuration."""
    wanted = (config_hash(config), str(config.get("algorithm", "")))
    run.flush()
    scopes = [
        (str(row[0]), str(row[1]))
        for row in run.store.rows("SELECT config, revision FROM scopes ORDER BY id")
    ]
    same = [scope for scope in scopes if scope[0] == wanted[0]]
    if wanted in scopes:
        return wanted
    if same:
        return same[-1]
    if len(scopes) == 1:
        return scopes[0]
    if not scopes:
        raise InputError("the run holds no results yet", path=run.folder)
    raise InputError("no results of the run belong to the configuration in its run.json", path=run.folder)


def _from_run(run: Run, config: str, revision: str, parse: Callable[[bytes], T]) -> Iterator[T]:
    for item, payload in run.results(config, revision):
        try:
            found = parse(payload)
        except InputError as error:
            raise InputError(f"the result of item {item} is no record: {error}", path=run.folder) from None
        yield found
