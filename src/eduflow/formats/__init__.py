"""Data in and out. `open_problems` reads every known format; each has a file of its own in this folder.

A `Reading` is iterated as often as one likes: each pass streams the file anew, and `skipped` says what that pass left out. Problems
and other nouns are written as EduFlow JSONL or Parquet.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from eduflow.errors import InputError
from eduflow.formats import (
    eduflow_jsonl,
    gaokao_bench,
    gaokao_mm,
    k12vista,
    math_v,
    mm_eureka_k12,
    mmk12,
    parquet,
)
from eduflow.formats.eduflow_jsonl import read_nouns, write_jsonl
from eduflow.formats.lines import OverLong, decode, read_document, read_lines
from eduflow.formats.options import choice_letters, options_in_question, parse_options
from eduflow.formats.parquet import read_parquet, write_parquet
from eduflow.formats.predictions import Prediction, read_predictions
from eduflow.formats.reading import Format, OnBad, Reading, Skip, Skipped
from eduflow.formats.table import check_defaults, is_csv, read_table
from eduflow.problem import Problem

__all__ = [
    "FORMATS",
    "RECORDED",
    "Format",
    "OnBad",
    "Prediction",
    "Reading",
    "Skip",
    "Skipped",
    "choice_letters",
    "format_of",
    "open_problems",
    "open_recorded",
    "options_in_question",
    "parse_options",
    "read_nouns",
    "read_parquet",
    "read_predictions",
    "read_table",
    "write_jsonl",
    "write_parquet",
]

# In the order in which a path is tried.
FORMATS: Final[dict[str, Format]] = {
    module.FORMAT.name: module.FORMAT
    for module in (eduflow_jsonl, parquet, k12vista, mmk12, gaokao_mm, gaokao_bench, math_v, mm_eureka_k12)
}
TABLE: Final = "table"
# The formats that bring outputs of models with them.
RECORDED: Final = ("gaokao_bench", "math_v")


def open_problems(
    path: str | Path,
    format: str | None = None,
    *,
    columns: Mapping[str, str] | None = None,
    defaults: Mapping[str, str] | None = None,
    on_bad: OnBad | None = None,
) -> Reading[Problem]:
    """The problems at a path, or MMK12 from the hub by its name ("mmk12", "mmk12:train", "mmk12:test@REVISION").

    Args:
        format: a key of `FORMATS`, or "table"; None looks at the folder, the extension and the first row. A CSV, and any file for which
            `columns` are given, is a table.
        columns: for a table: field of the problem → column.
        defaults: values for what the data do not say: subject, stage, type, language, source, grade. Formats that say something keep it.
        on_bad: "strict" raises at the first bad row, "skip" counts it; None is strict for EduFlow's files and tables, skip for published data.
            Broken images, over-long rows and rows of unknown subjects are counted in either case.

    Returns:
        A re-iterable of problems with `skipped`.

    Raises:
        InputError: there is no such path, or its format is unknown; while iterating, bad rows as said above, and repeated ids.
        MissingExtra: the format needs a library that is not installed.
    """
    check_defaults(defaults or {})
    if isinstance(path, str) and mmk12.is_hub_name(path) and not Path(path).exists():
        return mmk12.from_hub(path, defaults, on_bad)
    place = Path(path)
    if not place.exists() and "*" not in place.name:
        raise InputError("there is no such file or folder", path=place)
    if format is None:
        format = TABLE if columns else format_of(place)
    if format == TABLE:
        return read_table(place, columns, defaults, on_bad or "strict")
    if format not in FORMATS:
        raise InputError(f"unknown format {format!r}; known: {_names()}")
    if columns:
        raise InputError(f"a column map is for tables, not for the format {format!r}")
    return FORMATS[format].open(place, defaults, on_bad)


def open_recorded(
    path: str | Path, format: str | None = None, *, name: str | None = None, on_bad: OnBad | None = None
) -> Reading[Prediction]:
    """The outputs of models that GAOKAO-Bench and MATH-Vision bring with them, as predictions.

    Args:
        name: for MATH-Vision, which of the files in `outputs/`, where there are several.

    Raises:
        InputError: there is no such path, or its format brings no outputs.
    """
    place = Path(path)
    if not place.exists():
        raise InputError("there is no such file or folder", path=place)
    format = format or format_of(place)
    if format == "gaokao_bench":
        return gaokao_bench.recorded(place, on_bad or "skip")
    if format == "math_v":
        return math_v.recorded(place, name, on_bad or "skip")
    raise InputError(
        f"the format {format!r} brings no recorded outputs; those that do: {', '.join(RECORDED)}"
    )


def format_of(path: str | Path) -> str:
    """The name of the format that a path looks like.

    Raises:
        InputError: it looks like none; the sentence lists the formats.
    """
    place = Path(path)
    if place.is_file() and is_csv(place):
        return TABLE
    head = _head(place)
    for form in FORMATS.values():
        if form.recognises(place, head):
            return form.name
    raise InputError(f"looks like none of the known formats; name one of: {_names()}", path=place)


def _names() -> str:
    return ", ".join((*FORMATS, TABLE))


def _head(path: Path) -> Mapping[str, Any] | None:
    """The first row of a file, as far as that is quick to say; None for a folder."""
    if "*" in path.name and not path.exists():
        path = next(iter(sorted(path.parent.glob(path.name))), path)
    if path.is_dir():
        return None
    if path.suffix == ".parquet":
        return dict.fromkeys(parquet.column_names(path))
    for number, line in read_lines(path):
        if isinstance(line, OverLong):
            return None
        try:
            value = decode(line)
        except InputError as error:
            if not path.name.removesuffix(".gz").endswith(".json"):
                raise error.at(path=path, line=number) from None
            value = read_document(path)
        if isinstance(value, dict) and isinstance(value.get("example"), list):
            value = value["example"]
        if isinstance(value, list) and value:
            value = value[0]
        return value if isinstance(value, dict) else None
    return None
