"""The rows of a file or folder before they are understood: lines of JSONL, entries of JSON documents, images located."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from eduflow.errors import InputError
from eduflow.formats.lines import MAX_LINE, OverLong, decode, open_bytes, read_document, read_lines
from eduflow.formats.pictures import bytes_of_base64
from eduflow.formats.reading import Row, over_long


def jsonl_rows(path: Path, max_line: int = MAX_LINE) -> Iterator[Row]:
    """The JSON objects of a file; a line that holds none comes as its error."""
    for number, line in read_lines(path, max_line):
        if isinstance(line, OverLong):
            yield Row(path, number, over_long(max_line))
            continue
        try:
            value = decode(line)
        except InputError as error:
            value = error
        if type(value) is not dict and not isinstance(value, InputError):
            value = InputError("is not a JSON object")
        yield Row(path, number, value)


def object_rows(path: Path) -> Iterator[Row]:
    """The JSON objects of a JSONL file, or of a `.json` file that is one array."""
    if path.name.removesuffix(".gz").endswith(".json"):
        with open_bytes(path) as stream:
            if stream.read(1024).removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"[":
                return entries(path)
    return jsonl_rows(path)


def locate(image: Any, folder: str | Path) -> Any:
    """An image entry of a row with its path made absolute and its base64 decoded; anything else comes back as it is.

    Raises:
        BrokenImage: the data are not base64.
        InputError: the path is a web address: nothing is fetched while a file is read.
    """
    entry: dict[str, Any] = dict(image) if isinstance(image, dict) else {"path": image}
    path, data = entry.get("path"), entry.get("data")
    if isinstance(path, str) and path.startswith("data:") and data is None:
        data = entry.pop("path")
        path = None
    if isinstance(data, str):
        entry["data"] = bytes_of_base64(data, "images")
    if isinstance(path, str):
        if path.startswith(("http://", "https://")):
            raise InputError(
                f"is a web address, {path!r}; download the image and give its path", field="images"
            )
        if "\0" in path:
            raise InputError("is no path: it holds a NUL character", field="images")
        entry["path"] = os.path.normpath(os.path.join(folder, path))
    return entry if isinstance(image, dict | str) else image


def located(row: Row) -> dict[str, Any]:
    """The row's object with the paths of its images made absolute."""
    value: dict[str, Any] = row.value
    images = value.get("images")
    if images and isinstance(images, list):
        # Not pathlib: at a million rows its objects would cost more than the parsing.
        folder = os.path.dirname(os.path.abspath(row.path))
        return {**value, "images": [locate(image, folder) for image in images]}
    return value


def json_files(path: Path, patterns: Sequence[str]) -> list[Path]:
    """The file itself, or the files of a folder that the first matching pattern finds, sorted."""
    if path.is_file():
        return [path]
    for pattern in patterns:
        if found := sorted(path.glob(pattern)):
            return found
    return []


def entries(path: Path, keep: Sequence[str] = ()) -> Iterator[Row]:
    """The entries of `{"example": [...]}` or of a bare array as rows; the document's fields in `keep` are added.

    Raises:
        InputError: the file is neither.
    """
    document = read_document(path)
    shared: dict[str, Any] = {}
    if isinstance(document, dict):
        shared = {name: document.get(name) for name in keep}
        document = document.get("example")
    if not isinstance(document, list):
        raise InputError("is neither an array nor an object with an array 'example'", path=path)
    for number, entry in enumerate(document, 1):
        ok = isinstance(entry, dict)
        yield Row(path, number, {**entry, **shared} if ok else InputError("is not a JSON object"))
