"""Plain tables, CSV or JSONL, with a column map. A CSV of our own content:

nr,Q,A,subject,kind
1,"What is 3 × 4?",12,math,blank

read with `{"id": "nr", "question": "Q", "answers": "A", "type": "kind"}` and the defaults `{"stage": "primary"}`. Fields that are not mapped are
looked for under their own names; columns that no field takes go into `extra`. Rules:

- Fields: id, question, answers (or answer), options, images (or image), subject, stage, grade, type, language, solution, knowledge_points,
  captions, difficulty, group, source; and `options.A`, `options.B`, ... for options in columns of their own.
- A cell with a JSON array of texts (`["3", "4"]`) is a list; any other cell is one text, however many commas it has. For `options` a JSON
  object of key and text is taken too. The answer of a choice may be letters with separators ("A、C").
- Defaults (subject, stage, type, language, source) fill empty cells. What is still missing: an id is the file's name with the line, a stage follows from the
  grade, a type from options ("choice"), a language from the question; anything else is an error that names the field.
- CSV is UTF-8, UTF-16 with its mark, or GB 18030 (how Excel saves in China), which is tried only where the file is not UTF-8 and holds
  Chinese then. The separator is the one of comma, semicolon and tab that the first line has most of.
"""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Final

from eduflow.errors import InputError
from eduflow.formats.lines import MAX_LINE, decode, open_bytes
from eduflow.formats.options import choice_letters, parse_options
from eduflow.formats.reading import OnBad, Reading, Row, problem_key
from eduflow.formats.rows import locate, object_rows
from eduflow.formats.words import language_of, plain_name
from eduflow.problem import Problem, stage_of

FIELDS: Final = (
    "id", "question", "answers", "options", "images", "subject", "stage", "grade", "type", "language",
    "solution", "knowledge_points", "captions", "difficulty", "group", "source",
)  # fmt: skip
_ALIASES: Final = {"answer": "answers", "image": "images"}
_LISTS: Final = ("answers", "images", "solution", "knowledge_points", "captions")
_DEFAULTS: Final = ("subject", "stage", "type", "language", "source", "grade")
_CHUNK: Final = 1024 * 1024


def is_csv(path: Path) -> bool:
    """Whether the name says that it is a table of separated values."""
    return path.name.removesuffix(".gz").lower().endswith((".csv", ".tsv"))


def _encoding(path: Path) -> str:
    """The encoding of a text file, read through once.

    Raises:
        InputError: it is none of UTF-8, UTF-16 with a mark, and GB 18030 with Chinese in it.
    """
    with open_bytes(path) as stream:
        start = stream.read(2)
    if start in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        return "utf-16"
    for name in ("utf-8-sig", "gb18030"):
        decoder = codecs.getincrementaldecoder(name)()
        chinese = False
        with open_bytes(path) as stream:
            try:
                while chunk := stream.read(_CHUNK):
                    text = decoder.decode(chunk)
                    chinese = chinese or (name == "gb18030" and language_of(text) == "zh")
                decoder.decode(b"", final=True)
            except UnicodeDecodeError:
                continue
        if name == "utf-8-sig" or chinese:
            return name
    raise InputError("is neither UTF-8 nor Chinese text in GB 18030; save it as UTF-8", path=path)


def table_rows(path: Path) -> Iterator[Row]:
    """The rows of a CSV file as objects of column and cell; the line is where the row begins.

    Raises:
        InputError: no header, a column named twice, or a quote that is never closed.
    """
    encoding = _encoding(path)
    # The limit is the process's; a cell may be as long as a line of JSONL.
    csv.field_size_limit(MAX_LINE)
    with open_bytes(path) as stream:
        text = io.TextIOWrapper(_Unclosed(stream), encoding=encoding, newline="")
        head = text.readline(MAX_LINE)
        separator = max(",;\t", key=head.count)
        reader = csv.reader(_lines(head, text), delimiter=separator, strict=True)
        header: list[str] | None = None
        begin = 1
        try:
            for cells in reader:
                line, begin = begin, reader.line_num + 1
                if not any(cell.strip() for cell in cells):
                    continue
                if header is None:
                    header = [cell.strip() for cell in cells]
                    twice = [name for name in header if name and header.count(name) > 1]
                    if twice:
                        raise InputError(f"the column {twice[0]!r} stands twice", path=path, line=line)
                elif len(cells) != len(header):
                    yield Row(path, line, InputError(f"has {len(cells)} cells, the header {len(header)}"))
                else:
                    yield Row(path, line, dict(zip(header, cells, strict=True)))
        except UnicodeDecodeError:
            raise InputError(f"is not {encoding} all through", path=path, line=begin) from None
        except csv.Error as error:
            raise InputError(f"is not CSV: {error} (the row begins here)", path=path, line=begin) from None
        if header is None:
            raise InputError("has no header line", path=path)


class _Unclosed(io.BufferedReader):
    """Keeps the text wrapper from closing a stream that is not its own."""

    def __init__(self, stream: IO[bytes]) -> None:
        super().__init__(stream)  # type: ignore[arg-type]

    def close(self) -> None:
        self.detach()


def _lines(first: str, rest: io.TextIOWrapper) -> Iterator[str]:
    """The lines from `first` on; one without an end is cut, and then its row has the wrong number of cells."""
    line = first
    while line:
        yield line
        line = rest.readline(MAX_LINE)


def _cell(value: Any, field: str) -> Any:
    """A cell as the field wants it: empty is None, a JSON array of texts is a list."""
    if not isinstance(value, str):
        return value
    if not value.strip():
        return None
    opening = value.lstrip()[0]
    if (field in _LISTS or field == "options") and opening in "[{":
        try:
            decoded = decode(value.encode("utf-8"))
        except (InputError, UnicodeEncodeError):
            return value
        if isinstance(decoded, list) and all(isinstance(entry, str) for entry in decoded):
            return decoded
        if field == "options" and isinstance(decoded, dict):
            return decoded
    return value


def _list(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


def _options(value: Any) -> Any:
    if isinstance(value, str):
        return parse_options(value)
    if isinstance(value, list) and all(isinstance(entry, str) for entry in value):
        return [{"key": chr(ord("A") + i), "text": text} for i, text in enumerate(value)]
    return value


def problem_of(row: Row, columns: Mapping[str, str], defaults: Mapping[str, str]) -> Problem:
    """The problem of a row of a table; see the rules at the head of this file.

    Raises:
        InputError: a field is missing or wrong; the field is named, with its column where that has another name.
    """
    value: dict[str, Any] = row.value
    names = {_ALIASES.get(field, field): column for field, column in columns.items()}
    for field in FIELDS:
        if field not in names:
            own = [name for name in (field, *_aliases(field)) if name in value and name not in names.values()]
            if own:
                names[field] = own[0]
    taken = set(names.values())
    for field, column in names.items():
        if column not in value:
            raise InputError(f"there is no column {column!r}; the row has: {', '.join(value)}", field=field)
    fields = {field: _cell(value[column], field) for field, column in names.items()}
    letters = {
        field.partition(".")[2]: fields.pop(field) for field in list(fields) if field.startswith("options.")
    }
    fields = {field: entry for field, entry in fields.items() if entry is not None}
    for field, entry in defaults.items():
        fields.setdefault(field, entry)
    if letters:
        fields["options"] = {key: str(text) for key, text in letters.items() if text is not None}
    try:
        return _understand(row, fields, {name: value[name] for name in value if name not in taken})
    except InputError as error:
        named = names.get(error.field or "", "")
        if not named or named == error.field:
            raise
        raise InputError(f"(column {named!r}) {error.message}", field=error.field) from None


def _aliases(field: str) -> list[str]:
    return [alias for alias, name in _ALIASES.items() if name == field]


def _understand(row: Row, fields: dict[str, Any], rest: dict[str, Any]) -> Problem:
    question = fields.get("question")
    if not isinstance(question, str):
        raise InputError("is missing" if question is None else "is not a text", field="question")
    for field in ("subject", "stage", "type", "language"):
        if field in fields:
            fields[field] = plain_name(field, fields[field])
    for field in _LISTS:
        if field in fields:
            fields[field] = _list(fields[field])
    for field, kind in (("grade", int), ("difficulty", float)):
        if isinstance(fields.get(field), str):
            try:
                fields[field] = kind(fields[field])
            except ValueError:
                raise InputError(f"is not a number but {fields[field]!r}", field=field) from None
    identifier = fields.get("id", f"{row.path.stem}-{row.line}")
    fields["id"] = str(identifier) if isinstance(identifier, int) else identifier
    if "options" in fields:
        fields["options"] = _options(fields["options"])
    if "stage" not in fields and isinstance(fields.get("grade"), int) and 1 <= fields["grade"] <= 12:
        fields["stage"] = stage_of(fields["grade"])
    if "type" not in fields and fields.get("options"):
        fields["type"] = "choice"
    fields.setdefault("language", language_of(question))
    for field in ("subject", "stage", "type"):
        if field not in fields:
            raise InputError("is missing; map a column to it or give a default", field=field)
    extra: dict[str, Any] = {name: entry for name, entry in rest.items() if name and entry not in (None, "")}
    if fields["type"] == "choice":
        _choice(fields, question, extra)
    folder = row.path.parent.absolute()
    if isinstance(fields.get("images"), Sequence):
        fields["images"] = [locate(image, folder) for image in fields["images"]]
    return Problem.parse({**fields, "extra": extra})


def _choice(fields: dict[str, Any], question: str, extra: dict[str, Any]) -> None:
    """Letters of the answers run together, and options from the question where there is no column of them."""
    answers = fields.get("answers")
    if isinstance(answers, list):
        fields["answers"] = [
            choice_letters(answer) or answer if isinstance(answer, str) else answer for answer in answers
        ]
    if not fields.get("options"):
        texts = [answer for answer in fields.get("answers", ()) if isinstance(answer, str)]
        fields["options"] = parse_options(question, texts)
        extra["options_in_question"] = True
    else:
        extra["options_in_question"] = bool(parse_options(question))


def check_defaults(defaults: Mapping[str, str]) -> None:
    """Refuses a default that no format takes, or whose value is not known.

    Raises:
        InputError: which one, and what is known.
    """
    for field, entry in defaults.items():
        if field not in _DEFAULTS:
            raise InputError(f"there is no default for {field!r}; known: {', '.join(_DEFAULTS)}")
        if field in ("subject", "stage", "type", "language"):
            plain_name(field, entry)


def read_table(
    path: str | Path,
    columns: Mapping[str, str] | None = None,
    defaults: Mapping[str, str] | None = None,
    on_bad: OnBad = "strict",
) -> Reading[Problem]:
    """The problems of a CSV, TSV or JSONL table.

    Args:
        columns: field of the problem → name of the column; fields are listed at the head of this file.
        defaults: values for subject, stage, type, language, grade or source where the table does not say them.

    Raises:
        InputError: a field or default is unknown; while iterating, the first bad row unless `on_bad` is "skip".
    """
    place, names, given = Path(path), dict(columns or {}), dict(defaults or {})
    for field in names:
        if _ALIASES.get(field, field) not in FIELDS and not field.startswith("options."):
            raise InputError(f"problems have no field {field!r}; known: {', '.join(FIELDS)}, options.A, ...")
    check_defaults(given)
    rows = table_rows if is_csv(place) else object_rows
    return Reading(
        place, "table", lambda: rows(place), lambda row: problem_of(row, names, given), on_bad, problem_key
    )
