"""Outputs that were made elsewhere, JSONL or CSV. A row:

{"id": "m-17", "output": "The blue bar is the highest.\\n\\\\boxed{B}", "sample": 0, "mode": "cot", "finish_reason": "stop"}

Only `id` and `output` are needed. An `output` of null says that there was no reply, which is not an empty reply. Missing, unknown and
repeated ids are the business of who compares them with the problems; each prediction knows its line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from eduflow.errors import InputError
from eduflow.formats.lines import MAX_LINE, OverLong, decode_output, read_lines
from eduflow.formats.reading import OnBad, Reading, Row, over_long
from eduflow.formats.table import is_csv, table_rows
from eduflow.formats.words import id_of

_FIELDS = ("id", "output", "sample", "mode", "finish_reason")


@dataclass(frozen=True, slots=True)
class Prediction:
    """One model output for one problem.

    `output` is None where there was no reply. `mode` and `finish_reason` are None where the file does not say. `line` counts
    from 1. `extra` keeps the row's other fields: for recorded outputs `model`, `model_answer` and, for MATH-Vision, `correct`.
    """

    id: str
    output: str | None
    sample: int = 0
    mode: str | None = None
    finish_reason: str | None = None
    line: int = 0
    extra: dict[str, Any] = field(default_factory=dict)


def understand(row: Row) -> Prediction:
    """The prediction of a row.

    Raises:
        InputError: a field is missing or of a wrong kind.
    """
    value: dict[str, Any] = row.value
    if "output" not in value:
        raise InputError("is missing", field="output")
    output = value["output"]
    if output is not None and not isinstance(output, str):
        raise InputError(f"is not a text but {type(output).__name__}", field="output")
    return Prediction(
        id=id_of(value, "id"),
        output=output,
        sample=_sample(value.get("sample")),
        mode=_word(value, "mode"),
        finish_reason=_word(value, "finish_reason"),
        line=row.line,
        extra={name: entry for name, entry in value.items() if name not in _FIELDS},
    )


def _sample(given: Any) -> int:
    if given is None or given == "":
        return 0
    if isinstance(given, str) and given.isascii() and given.isdigit() and len(given) < 10:
        return int(given)
    if isinstance(given, int) and not isinstance(given, bool) and given >= 0:
        return given
    raise InputError(f"is not a whole number from 0 on but {given!r}", field="sample")


def _word(value: Mapping[str, Any], name: str) -> str | None:
    given = value.get(name)
    if given is not None and not isinstance(given, str):
        raise InputError(f"is not a text but {given!r}", field=name)
    return given or None


def _json_rows(path: Path) -> Iterator[Row]:
    for number, line in read_lines(path):
        value: Any
        if isinstance(line, OverLong):
            value = over_long(MAX_LINE)
        else:
            try:
                value = decode_output(line)
            except InputError as error:
                value = error
            if type(value) is not dict and not isinstance(value, InputError):
                value = InputError("is not a JSON object")
        yield Row(path, number, value)


def read_predictions(
    path: str | Path, columns: Mapping[str, str] | None = None, on_bad: OnBad = "strict"
) -> Reading[Prediction]:
    """The predictions of a JSONL or CSV file.

    Args:
        columns: field of the prediction → the file's name for it, such as `{"output": "response"}`.
        on_bad: "strict" raises at the first bad row; "skip" counts it. Over-long rows are always counted.

    Raises (while iterating):
        InputError: the file is unreadable, or (strict) a row is bad: with line and field.
    """
    place, names = Path(path), dict(columns or {})
    if unknown := names.keys() - set(_FIELDS):
        raise InputError(f"predictions have no field {sorted(unknown)[0]!r}; known: {', '.join(_FIELDS)}")

    def rows() -> Iterator[Row]:
        for row in table_rows(place) if is_csv(place) else _json_rows(place):
            if isinstance(row.value, dict):
                moved = {name: row.value[column] for name, column in names.items() if column in row.value}
                rest = {name: entry for name, entry in row.value.items() if name not in names.values()}
                yield row._replace(value={**rest, **moved})
            else:
                yield row

    return Reading(place, "predictions", rows, understand, on_bad)
