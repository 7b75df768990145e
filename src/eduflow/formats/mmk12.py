"""MMK12 (arXiv 2503.07365, `FanqingM/MMK12` on the hub): school problems with one picture, Parquet. Needs the `parquet` extra.

A row of the train split, as columns (our own content), then one of the test split:

{"id": "a41f...", "question": "<image>As shown, the area of the square is ____ cm².", "answer": "$$16$$", "subject": "math",
 "image": {"bytes": b"\\x89PNG...", "path": null}}
{"id": "7c02...", "question": "<image>Which lamp lights up? ( )\\nA. L1\\nB. L2\\nC. both\\nD. none", "answer": "C", "subject": "physics",
 "image": {...}}

Train is 15,616 mathematics fill-ins, test 2,000 multiple-choice questions (500 each of math, physics, chemistry, biology). Nothing in a row says the type: it is
"choice" where options can be read from the question and the answer names some of them, or where the answer is one letter and the file is not of
the train split, whose single letters are names of points; else "blank". The stage is the caller's default, else "middle", and `extra["assumed"]` says so. Pictures come in RGB,
L and RGBA and are handed on as they are (transparency is laid on white when one is sent); a broken one is counted and its row left out.

The hub: `mmk12` is the test split, `mmk12:train` the other, `mmk12:test@REVISION` a pinned one. The `hub` extra downloads the files into huggingface_hub's own
cache, from where `HF_ENDPOINT` says.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from eduflow.errors import InputError, MissingExtra
from eduflow.formats.options import choice_letters, parse_options
from eduflow.formats.parquet import parquet_rows
from eduflow.formats.pictures import image_of, image_of_base64
from eduflow.formats.reading import BrokenImage, Format, OnBad, Reading, Row
from eduflow.formats.rows import locate
from eduflow.formats.words import assumed_stage, id_of, language_of, plain_name, text_of
from eduflow.problem import ImageRef, Problem

REPOSITORY: Final = "FanqingM/MMK12"
SPLITS: Final = ("test", "train")
_NAME = re.compile(r"mmk12(?::(?P<split>[a-z]+))?(?:@(?P<revision>[\w./-]+))?")
_COLUMNS: Final = {"id", "question", "answer", "subject", "image"}


def understand(row: Row, defaults: Mapping[str, str]) -> Problem:
    """The problem of a row; `defaults` may say stage and type.

    Raises:
        BrokenImage: the picture is missing or cannot be decoded.
        InputError: another field is missing or wrong.
    """
    value: dict[str, Any] = row.value
    question = text_of(value, "question")
    answer = text_of(value, "answer").strip()
    subject = plain_name("subject", text_of(value, "subject"))
    letters = choice_letters(answer)
    options = parse_options(question, [answer]) if letters else ()
    bare_letter = letters is not None and len(letters) == 1 and not row.path.name.startswith("train")
    kind = (
        plain_name("type", defaults["type"])
        if "type" in defaults
        else ("choice" if options or bare_letter else "blank")
    )
    stage, assumed = assumed_stage(defaults)
    image = _image(row, value.get("image"))
    return Problem.parse(
        {
            "id": id_of(value, "id"),
            "subject": subject,
            "stage": stage,
            "type": kind,
            "question": question,
            "images": [image],
            "options": options if kind == "choice" else (),
            "answers": [letters if kind == "choice" and letters else answer],
            "language": language_of(question),
            "source": "mmk12",
            "extra": {**assumed, **({"options_in_question": True} if kind == "choice" else {})},
        }
    )


def _image(row: Row, given: Any) -> ImageRef:
    data = given.get("bytes") if isinstance(given, dict) else given
    if isinstance(data, bytes) and data:
        return image_of(data, "image")
    if isinstance(data, str) and data:
        return image_of_base64(data, "image")
    path = given.get("path") if isinstance(given, dict) else None
    if isinstance(path, str) and path:
        return ImageRef.parse(locate(path, row.path.parent.absolute()))
    raise BrokenImage("the image is missing", field="image")


def _rows(path: Path) -> Iterator[Row]:
    for file in _files(path):
        yield from parquet_rows(file)


def _files(path: Path) -> list[Path]:
    if "*" in path.name:
        found = sorted(path.parent.glob(path.name))
    elif path.is_dir():
        found = sorted(path.glob("*.parquet")) or sorted(path.glob("data/*.parquet"))
        if len({file.name.partition("-")[0] for file in found}) > 1:
            # The splits differ in type and subjects, and nothing says that their ids are disjoint.
            raise InputError("holds more than one split; name one, as in 'data/train-*.parquet'", path=path)
    else:
        found = [path]
    if not found:
        raise InputError("holds no Parquet file", path=path)
    return found


def _recognises(path: Path, head: Mapping[str, Any] | None) -> bool:
    if path.is_dir():
        return any(path.glob("*.parquet")) or any(path.glob("data/*.parquet"))
    return head is not None and path.suffix == ".parquet" and head.keys() >= _COLUMNS


FORMAT = Format(
    name="mmk12",
    about="MMK12 Parquet: a file or a folder; or by name from the hub: mmk12, mmk12:train, mmk12:test@REVISION",
    recognises=_recognises,
    rows=_rows,
    understand=understand,
)


def is_hub_name(name: str) -> bool:
    """Whether `name` means MMK12 on the hub."""
    return _NAME.fullmatch(name) is not None


def hub_files(name: str) -> list[Path]:
    """Downloads what `name` means, where the cache lacks it, and gives the split's files.

    Raises:
        MissingExtra: huggingface_hub is not installed.
        InputError: the split is unknown, the hub cannot be reached, or it has no such revision or no such files.
    """
    match = _NAME.fullmatch(name)
    split = (match["split"] or SPLITS[0]) if match else ""
    if match is None or split not in SPLITS:
        raise InputError(f"unknown split in {name!r}; known: {', '.join(SPLITS)}")
    try:
        from huggingface_hub import snapshot_download
    except ImportError:
        raise MissingExtra("reading from the hub", "hub") from None
    where = os.environ.get("HF_ENDPOINT") or "https://huggingface.co"
    try:
        folder = snapshot_download(
            REPOSITORY,
            repo_type="dataset",
            revision=match["revision"],
            allow_patterns=[f"{split}-*.parquet", f"*/{split}-*.parquet"],
            endpoint=where,
        )
    except Exception as error:  # noqa: BLE001 - the library lets the errors of its HTTP client through as well
        reason = str(error).strip().partition("\n")[0] or type(error).__name__
        raise InputError(f"cannot be had from {where}: {reason}", path=f"{REPOSITORY} ({split})") from None
    files = sorted(Path(folder).rglob(f"{split}-*.parquet"))
    if not files:
        raise InputError(f"has no file {split}-*.parquet at {where}", path=REPOSITORY)
    return files


def from_hub(
    name: str, defaults: Mapping[str, str] | None = None, on_bad: OnBad | None = None
) -> Reading[Problem]:
    """MMK12 from the hub by its name ("mmk12", "mmk12:train", "mmk12:test@REVISION"); errors as `hub_files`."""
    files = hub_files(name)

    def rows(path: Path) -> Iterator[Row]:
        for file in files:
            yield from parquet_rows(file)

    return replace(FORMAT, rows=rows).open(name, defaults, on_bad)
