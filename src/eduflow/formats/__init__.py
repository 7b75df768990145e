"""Data in and out: `open_problems` reads any known format, each of which has a file of its own in this folder.

A `Reading` is iterated as often as one likes; each pass streams the file anew and says in `.skipped` what it left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from eduflow.errors import InputError
from eduflow.formats import eduflow_jsonl
from eduflow.formats.eduflow_jsonl import read_nouns, write_jsonl
from eduflow.formats.lines import OverLong, decode, read_lines
from eduflow.formats.reading import Format, OnBad, Reading, Skip, Skipped
from eduflow.problem import Problem

__all__ = [
    "FORMATS",
    "Format",
    "Reading",
    "Skip",
    "Skipped",
    "open_problems",
    "read_nouns",
    "write_jsonl",
]

FORMATS: dict[str, Format] = {form.name: form for form in (eduflow_jsonl.FORMAT,)}


def open_problems(
    path: str | Path,
    format: str | None = None,
    *,
    columns: Mapping[str, str] | None = None,
    defaults: Mapping[str, str] | None = None,
    on_bad: OnBad | None = None,
) -> Reading[Problem]:
    """The problems at `path`, in the named format or the one that the file looks like."""
    place = Path(path)
    if not place.exists():
        raise InputError("there is no such file or folder", path=place)
    return _format(place, format).open(place, defaults, on_bad)


def _format(path: Path, name: str | None) -> Format:
    known = ", ".join(FORMATS)
    if name is not None:
        if name not in FORMATS:
            raise InputError(f"unknown format {name!r}; known: {known}")
        return FORMATS[name]
    head = _head(path)
    for form in FORMATS.values():
        if form.recognises(path, head):
            return form
    raise InputError(f"looks like none of the known formats; name one of: {known}", path=path)


def _head(path: Path) -> Mapping[str, Any] | None:
    if path.is_dir():
        return None
    for _, line in read_lines(path):
        value = None if isinstance(line, OverLong) else decode(line)
        return value if isinstance(value, dict) else None
    return None
