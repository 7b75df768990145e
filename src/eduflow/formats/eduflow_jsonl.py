"""EduFlow's own JSONL: one noun a line, its fields as `eduflow.problem` has them. A row of problems:

{"id": "m-17", "subject": "math", "stage": "middle", "grade": 7, "type": "choice", "language": "en",
 "question": "<image>Which bar is the highest?", "images": [{"path": "figures/m-17.png"}],
 "options": [{"key": "A", "text": "red"}, {"key": "B", "text": "blue"}], "answers": ["B"],
 "solution": ["The blue bar reaches 9, the red one 6."], "captions": ["A bar chart: red 6, blue 9."]}

An image is a path relative to the file's folder, or `{"data": "<base64>"}`; reading makes paths absolute, writing makes them relative
again or embeds the bytes. Solutions, grades, critiques and trajectories are written and read the same way.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, TypeVar

from eduflow.errors import InputError
from eduflow.formats.lines import WholeFile, encode
from eduflow.formats.reading import Format, OnBad, Reading, Row
from eduflow.formats.rows import located, object_rows
from eduflow.formats.words import named
from eduflow.problem import ImageRef, Noun, Problem

Images = Literal["relative", "embed"]
N = TypeVar("N", bound=Noun)


def problem_of(row: Row, defaults: Mapping[str, str]) -> Problem:
    """The problem of an EduFlow row; `defaults` fill fields that the row does not have."""
    value = located(row)
    return Problem.parse({**named(defaults), **value} if defaults else value)


def _recognises(path: Path, head: Mapping[str, Any] | None) -> bool:
    if path.is_dir():
        return (path / "problems.jsonl").is_file()
    return (
        head is not None
        and path.suffix != ".parquet"
        and {"id", "question", "subject", "answers"} <= head.keys()
    )


def _rows(path: Path) -> Iterator[Row]:
    return object_rows(path / "problems.jsonl" if path.is_dir() else path)


FORMAT = Format(
    name="eduflow",
    about="EduFlow JSONL (.jsonl, .jsonl.gz), or a folder with problems.jsonl",
    recognises=_recognises,
    rows=_rows,
    understand=problem_of,
    on_bad="strict",
)


def read_nouns(path: str | Path, noun: type[N], on_bad: OnBad = "strict") -> Reading[N]:
    """The nouns of a JSONL file: `read_nouns("solutions.jsonl", Solution)`.

    Raises (while iterating):
        InputError: the first bad row, with its line and field, unless `on_bad` is "skip".
    """
    place = Path(path)
    return Reading(
        place,
        f"EduFlow {noun.__name__}s",
        lambda: object_rows(place),
        lambda row: noun.parse(located(row)),
        on_bad,
    )


def row_of(noun: Noun, folder: Path, images: Images = "relative") -> dict[str, Any]:
    """A noun as the object that stands in its line: fields that have their default are left out.

    Args:
        folder: where the file will be; paths of images are written relative to it.
        images: "relative" writes paths as paths and bytes as base64; "embed" reads the files and writes base64.

    Raises:
        InputError: an image that is to be embedded cannot be read.
    """
    if not isinstance(noun, Problem):
        return noun.model_dump(mode="json", exclude_defaults=True)
    row = noun.model_dump(exclude_defaults=True, exclude={"images"})
    if noun.images:
        row["images"] = [_image_row(image, folder, images) for image in noun.images]
    return row


def _image_row(image: ImageRef, folder: Path, images: Images) -> dict[str, str]:
    if image.path is None:
        return image.to_json()
    if images == "embed":
        return ImageRef(data=image.read(), sha256=image.sha256).to_json()
    row = image.to_json()
    row["path"] = Path(os.path.relpath(image.path, folder)).as_posix()
    return row


def write_jsonl(path: str | Path, nouns: Iterable[Noun], images: Images = "relative") -> int:
    """Writes nouns, one a line, whole or not at all; `.gz` at the end of the name packs. How many were written.

    Reading the file gives equal nouns back (paths of images absolute).

    Raises:
        InputError: the file cannot be written, an image cannot be read, or an `extra` has no JSON form.
    """
    place = Path(path)
    folder = place.parent.absolute()
    count = 0
    with WholeFile(place) as stream:
        for noun in nouns:
            count += 1
            try:
                stream.write(encode(row_of(noun, folder, images)) + b"\n")
            except InputError as error:
                raise error.at(path=place, line=count) from None
    return count
