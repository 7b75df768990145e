"""Pairs of a gold and an answer, graded without a judge: `eduflow grade pairs FILE.jsonl`.

A row, one JSON object a line:

    {"id": "g1", "gold": "500 cm", "answer": "5 m", "form": "final"}
    {"gold": ["37", "20"], "answer": "\\\\boxed{37;20}", "form": "output", "ordered": true}
    {"gold": "B", "answer": "the second one", "type": "choice", "options": {"A": "red", "B": "blue"}}

`gold` is a string, or a list with one string per blank, and `answer` a string; for several blanks in form `final` it may be a list too.
`form` says what the answer is: `final` an extracted answer, `output` a whole model output from which it is extracted first. Without it,
an answer with a box, an explicit cue, an answer tag or thinking in it is an output, and any other one final. `type` may be `choice`, `blank` or
`free`, or a common name of these (`mc`, `fill`, 选择题, ...); another word says nothing. `question`, `options`, `ordered` and
`subject` are as in a problem; other fields are left alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eduflow.errors import InputError
from eduflow.formats.lines import OverLong, decode_output, read_lines
from eduflow.formats.words import plain_name
from eduflow.grade.blanks import Match, check_answers
from eduflow.grade.extract import Extraction, extract
from eduflow.problem import Option, ProblemType

# Names that data files use beside those of `eduflow.formats.words`.
_TYPES: Mapping[str, ProblemType] = {
    "mc": "choice", "multiple_choice": "choice", "单选题": "choice", "多选题": "choice", "fill": "blank",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Pair:
    """One row. `golds` and `several` tell a list of one from a string."""

    golds: tuple[str, ...]
    several: bool
    answer: str | tuple[str, ...]
    form: str | None = None
    question: str = ""
    type: ProblemType = "blank"
    options: tuple[Option, ...] = ()
    ordered: bool = True
    subject: str | None = None
    id: str | int | None = None


def parse_pair(row: Mapping[str, Any]) -> Pair:
    """The pair that a decoded row describes.

    Raises:
        InputError: a field is missing or wrong, named.
    """
    gold = _required(row, "gold")
    golds = gold if isinstance(gold, list) else [gold]
    if not golds or not all(isinstance(entry, str) and entry.strip() for entry in golds):
        raise InputError("expected a string or a list of strings, none of them empty", field="gold")
    answer = _required(row, "answer")
    form = row.get("form")
    if form not in (None, "final", "output"):
        raise InputError(f"unknown value {form!r}; expected 'final' or 'output'", field="form")
    if isinstance(answer, list):
        if form == "output":
            raise InputError("a whole output is one string", field="answer")
        if len(answer) != len(golds) or not all(isinstance(entry, str) for entry in answer):
            raise InputError(f"expected a string or a list of {len(golds)} strings", field="answer")
    elif not isinstance(answer, str):
        raise InputError("expected a string or a list of strings", field="answer")
    name = row.get("type")
    if name is not None and not isinstance(name, str):
        raise InputError("expected a string", field="type")
    question = row.get("question")
    if question is not None and not isinstance(question, str):
        raise InputError("expected a string", field="question")
    ordered = row.get("ordered")
    if ordered is not None and not isinstance(ordered, bool):
        raise InputError("expected true or false", field="ordered")
    subject = row.get("subject")
    if subject is not None and not isinstance(subject, str):
        raise InputError("expected a string", field="subject")
    identity = row.get("id")
    return Pair(
        golds=tuple(golds),
        several=isinstance(gold, list),
        answer=answer if isinstance(answer, str) else tuple(answer),
        form=form,
        question=question or "",
        type=_type(name),
        options=_options(row.get("options")),
        ordered=True if ordered is None else ordered,
        subject=subject,
        id=identity if isinstance(identity, str | int) else None,
    )


def _type(name: str | None) -> ProblemType:
    if name is None:
        return "blank"
    if name.lower() in _TYPES:
        return _TYPES[name.lower()]
    try:
        return plain_name("type", name)  # type: ignore[return-value]
    except InputError:
        return "blank"


def _required(row: Mapping[str, Any], field: str) -> Any:
    if row.get(field) is None:
        raise InputError("is missing", field=field)
    return row[field]


def _options(value: object) -> tuple[Option, ...]:
    if value is None:
        return ()
    if isinstance(value, Mapping):
        value = [{"key": key, "text": text} for key, text in value.items()]
    if not isinstance(value, list) or not all(isinstance(entry, Mapping) for entry in value):
        raise InputError('expected an object from key to text, or a list of {"key", "text"}', field="options")
    try:
        return tuple(Option.parse(entry) for entry in value)
    except InputError as error:
        raise InputError(f"an option's '{error.field}' {error.message}", field="options") from None


def read_pairs(path: str | Path) -> Iterator[tuple[int, Pair]]:
    """The pairs of a JSONL file with their line numbers, streamed; empty lines are skipped.

    Raises:
        InputError: the file cannot be read, or a line is not a pair; with file, line and field.
    """
    for number, line in read_lines(path):
        try:
            if isinstance(line, OverLong):
                raise InputError("the line is too long")
            row = decode_output(line)
            if not isinstance(row, dict):
                raise InputError("the line is not a JSON object")
            pair = parse_pair(row)
        except InputError as error:
            raise error.at(path=path, line=number) from None
        yield number, pair


def given_answer(pair: Pair) -> Extraction | tuple[str, ...]:
    """What the answer of a pair gives to compare: an extraction, or final answers as they are."""
    if not isinstance(pair.answer, str):
        return pair.answer
    if pair.form == "final":
        return (pair.answer,)
    extraction = extract(pair.answer, blanks=len(pair.golds))
    explicit = extraction.source in ("boxed", "cue", "tag") or "<think" in pair.answer.lower()
    if pair.form == "output" or explicit or "</think" in pair.answer.lower():
        return extraction
    return (pair.answer,)


def check_pair(pair: Pair) -> tuple[Match, ...]:
    """One match per blank."""
    return check_answers(
        pair.golds,
        given_answer(pair),
        question=pair.question,
        type=pair.type,
        options=pair.options,
        ordered=pair.ordered,
        subject=pair.subject,
    )


def graded_row(number: int, pair: Pair, matches: tuple[Match, ...]) -> dict[str, Any]:
    """The JSON row that `eduflow grade pairs` prints for one pair.

    `verdict` is "right" where every blank is, else "miss". For a gold that is a string, `comparator` and `extracted` are those of its
    one blank. For a list of golds they are lists, and `verdicts` and `score` (the share of right blanks, 0 to 1) stand beside them.
    """
    row: dict[str, Any] = {"line": number} if pair.id is None else {"id": pair.id, "line": number}
    row["verdict"] = "right" if all(match.verdict == "right" for match in matches) else "miss"
    if not pair.several:
        (match,) = matches
        return row | {"comparator": match.comparator, "extracted": match.extracted, "detail": match.detail}
    return row | {
        "comparator": [match.comparator for match in matches],
        "extracted": [match.extracted for match in matches],
        "detail": [match.detail for match in matches],
        "verdicts": [match.verdict for match in matches],
        "score": sum(match.verdict == "right" for match in matches) / len(matches),
    }
