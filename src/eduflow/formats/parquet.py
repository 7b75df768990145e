"""EduFlow's nouns in Parquet: the same fields as in JSONL, columns typed, streamed in small batches. Needs the `parquet` extra.

A row of problems, as columns: id, subject, stage, grade, type, question, images list<struct<path, data, sha256>>, options list<struct<key, text>>,
answers list<string>, ..., extra (JSON text). The schema follows from the nouns themselves, so every noun has one. `extra` is JSON because its
content is free. Paths of images are relative to the file, as in JSONL.
"""

from __future__ import annotations

import os
import types
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeVar, Union, get_args, get_origin

from eduflow.errors import InputError, MissingExtra
from eduflow.formats.eduflow_jsonl import Images, problem_of
from eduflow.formats.lines import WholeFile, decode, encode
from eduflow.formats.reading import Format, OnBad, Reading, Row
from eduflow.formats.rows import located
from eduflow.problem import Noun, Problem

N = TypeVar("N", bound=Noun)

# A row may carry megabytes of images, so a batch is bounded in rows and in bytes; and a column is not read whole, but by buffers.
_READ_ROWS: Final = 1024
_READ_BYTES: Final = 8 * 1024 * 1024
_BUFFER: Final = 64 * 1024
_WRITE_ROWS: Final = 2048
_WRITE_BYTES: Final = 32 * 1024 * 1024


def pyarrow() -> Any:
    """The library.

    Raises:
        MissingExtra: it is not installed.
    """
    try:
        import pyarrow.parquet
    except ImportError:
        raise MissingExtra("reading and writing Parquet", "parquet") from None
    return pyarrow


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    arrow = pyarrow()
    try:
        file = arrow.parquet.ParquetFile(path, buffer_size=_BUFFER)
    except OSError as error:
        reason = error.strerror or "it is not Parquet"
        raise InputError(f"cannot be read: {reason}", path=path) from None
    except arrow.ArrowException as error:
        raise InputError(f"is not Parquet: {_first_line(error)}", path=path) from None
    with file:
        yield file


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]


def column_names(path: Path) -> list[str]:
    """The names of a Parquet file's columns."""
    with _opened(path) as file:
        return list(file.schema_arrow.names)


def parquet_rows(path: Path, columns: list[str] | None = None) -> Iterator[Row]:
    """The rows of a Parquet file as objects, numbered from 1, a few in memory at a time.

    Raises:
        InputError: the file is missing, not Parquet, or damaged.
    """
    arrow = pyarrow()
    with _opened(path) as file:
        number = 0
        try:
            for group in range(file.num_row_groups):
                about = file.metadata.row_group(group)
                size = max(1, min(_READ_ROWS, _READ_BYTES * about.num_rows // max(1, about.total_byte_size)))
                # Without threads, which would read batches ahead.
                for batch in file.iter_batches(size, [group], columns=columns, use_threads=False):
                    for value in batch.to_pylist():
                        number += 1
                        yield Row(path, number, value)
        except (OSError, UnicodeDecodeError, arrow.ArrowException) as error:
            raise InputError(f"is damaged: {_first_line(error)}", path=path, line=number + 1) from None


def _plain(annotation: Any) -> tuple[Any, bool]:
    """A field's type without its None, and whether None is allowed."""
    if get_origin(annotation) in (Union, types.UnionType):
        inner = [part for part in get_args(annotation) if part is not type(None)]
        return (inner[0] if len(inner) == 1 else str), len(inner) < len(get_args(annotation))
    return annotation, False


def _arrow_type(annotation: Any) -> Any:
    arrow = pyarrow()
    kind, _ = _plain(annotation)
    origin = get_origin(kind)
    if origin is tuple:
        return arrow.list_(_arrow_type(get_args(kind)[0]))
    if origin is dict:
        return arrow.string()  # JSON
    if origin is Literal:
        kind = type(get_args(kind)[0])
    if isinstance(kind, type) and issubclass(kind, Noun):
        return arrow.struct(list(_schema(kind)))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return arrow.string()
    simple = {
        str: arrow.string(),
        bytes: arrow.binary(),
        int: arrow.int64(),
        float: arrow.float64(),
        bool: arrow.bool_(),
    }
    return simple[kind]


@cache
def _schema(noun: type[Noun]) -> Any:
    arrow = pyarrow()
    fields = [arrow.field(name, _arrow_type(field.annotation)) for name, field in noun.model_fields.items()]
    return arrow.schema(fields, metadata={"eduflow.noun": noun.__name__, "eduflow.schema": "1"})


class _Field(NamedTuple):
    """How a field of a noun goes into a column and back."""

    optional: bool
    json: bool
    many: bool
    noun: type[Noun] | None
    enum: bool


@cache
def _fields(noun: type[Noun]) -> dict[str, _Field]:
    fields = {}
    for name, info in noun.model_fields.items():
        kind, optional = _plain(info.annotation)
        many = get_origin(kind) is tuple
        if many:
            kind, _ = _plain(get_args(kind)[0])
        inner = kind if isinstance(kind, type) else None
        fields[name] = _Field(
            optional,
            get_origin(kind) is dict,
            many,
            inner if inner is not None and issubclass(inner, Noun) else None,
            inner is not None and issubclass(inner, Enum),
        )
    return fields


def _to_columns(noun: type[Noun], row: Mapping[str, Any]) -> dict[str, Any]:
    """A dumped noun as Parquet holds it: dictionaries become JSON, labels their codes."""
    result: dict[str, Any] = {}
    for name, field in _fields(noun).items():
        value = row[name]
        if value is not None:
            if field.json:
                value = encode(value).decode("utf-8")
            elif field.noun is not None:
                inner = field.noun
                value = (
                    [_to_columns(inner, part) for part in value] if field.many else _to_columns(inner, value)
                )
            elif field.enum:
                value = value.value
        result[name] = value
    return result


def _from_columns(noun: type[Noun], row: Mapping[str, Any]) -> dict[str, Any]:
    """The row that `Noun.parse` takes: JSON becomes dictionaries; an empty cell of a field that has a default is left out."""
    result: dict[str, Any] = {}
    fields = _fields(noun)
    for name, value in row.items():
        field = fields.get(name)
        if value is None:
            if field is not None and field.optional:
                result[name] = None
            continue
        if field is not None and field.json and isinstance(value, str):
            try:
                value = decode(value.encode("utf-8"))
            except InputError as error:
                raise error.at(field=name) from None
        elif field is not None and field.noun is not None:
            inner = field.noun
            if field.many and isinstance(value, list):
                value = [_from_columns(inner, part) if isinstance(part, dict) else part for part in value]
            elif isinstance(value, dict):
                value = _from_columns(inner, value)
        result[name] = value
    return result


def write_parquet(path: str | Path, nouns: Iterable[N], noun: type[N], images: Images = "relative") -> int:
    """Writes nouns of one kind, whole or not at all. How many were written.

    Args:
        images: as in `write_jsonl`: "relative" keeps paths, "embed" reads the files and stores their bytes.

    Raises:
        MissingExtra: pyarrow is not installed.
        InputError: the file cannot be written, an image cannot be read, or an `extra` has no JSON form.
    """
    arrow = pyarrow()
    place = Path(path)
    folder = place.parent.absolute()
    schema = _schema(noun)
    count, held = 0, 0
    batch: list[dict[str, Any]] = []
    with (
        WholeFile(place) as stream,
        arrow.parquet.ParquetWriter(stream, schema, compression="zstd") as writer,
    ):
        for entry in nouns:
            count += 1
            try:
                row = _columns_of(entry, folder, images)
            except InputError as error:
                raise error.at(path=place, line=count) from None
            batch.append(row)
            held += sum(len(image.get("data") or b"") for image in row.get("images") or ())
            if len(batch) >= _WRITE_ROWS or held >= _WRITE_BYTES:
                writer.write_table(arrow.Table.from_pylist(batch, schema=schema))
                batch, held = [], 0
        if batch:
            writer.write_table(arrow.Table.from_pylist(batch, schema=schema))
    return count


def _columns_of(noun: Noun, folder: Path, images: Images) -> dict[str, Any]:
    row = _to_columns(type(noun), noun.model_dump())
    if isinstance(noun, Problem) and noun.images:
        row["images"] = [
            {
                "path": Path(os.path.relpath(image.path, folder)).as_posix()
                if image.path is not None and images == "relative"
                else None,
                "data": image.data if image.path is None or images == "relative" else image.read(),
                "sha256": image.sha256,
            }
            for image in noun.images
        ]
    return row


def read_parquet(path: str | Path, noun: type[N], on_bad: OnBad = "strict") -> Reading[N]:
    """The nouns of a Parquet file: `read_parquet("solutions.parquet", Solution)`.

    Raises (while iterating):
        MissingExtra: pyarrow is not installed.
        InputError: the file is damaged, or a row is bad (its number, from 1, and the field), unless `on_bad` is "skip".
    """
    place = Path(path)

    def understand(row: Row) -> N:
        return noun.parse(located(row._replace(value=_from_columns(noun, row.value))))

    return Reading(
        place, f"EduFlow {noun.__name__}s in Parquet", lambda: parquet_rows(place), understand, on_bad
    )


def _problem(row: Row, defaults: Mapping[str, str]) -> Problem:
    return problem_of(row._replace(value=_from_columns(Problem, row.value)), defaults)


def _recognises(path: Path, head: Mapping[str, Any] | None) -> bool:
    return (
        head is not None
        and path.suffix == ".parquet"
        and {"id", "question", "subject", "answers"} <= head.keys()
    )


FORMAT = Format(
    name="parquet",
    about="EduFlow problems in Parquet",
    recognises=_recognises,
    rows=parquet_rows,
    understand=_problem,
    on_bad="strict",
)
