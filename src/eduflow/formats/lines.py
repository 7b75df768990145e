"""Files of one record per line: bounded reading, strict JSON, whole writing. Every reader and writer here goes by it.

- A line ends at b"\\n" and nowhere else, so U+2028 or U+0085 inside a record is ordinary text.
- `.gz` is told by the file's first bytes, not by its name; a UTF-8 byte order mark is passed over.
- A line longer than `MAX_LINE` is never held in memory: it is given out as `OVER_LONG` and counted by the caller.
- A file is written next to its final place and renamed, so a reader never sees half of it.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import secrets
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final, cast

from pydantic_core import from_json

from eduflow.errors import InputError

MAX_LINE: Final = 64 * 1024 * 1024
MAX_DOCUMENT: Final = 1024 * 1024 * 1024
_CHUNK: Final = 1024 * 1024
_BOM: Final = b"\xef\xbb\xbf"


class OverLong:
    """Stands in place of a line that was too long to be read."""


OVER_LONG: Final = OverLong()


@contextmanager
def open_bytes(path: str | Path) -> Iterator[IO[bytes]]:
    """The file's bytes, unpacked where it is gzip.

    Raises:
        InputError: the file is missing, a folder, unreadable, or its gzip stream is broken.
    """
    path = Path(path)
    try:
        raw = path.open("rb")
    except IsADirectoryError:
        raise InputError("is a folder, not a file", path=path) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=path) from None
    with raw:
        stream: IO[bytes] = raw
        try:
            if raw.peek(2)[:2] == b"\x1f\x8b":
                stream = cast(IO[bytes], io.BufferedReader(gzip.GzipFile(fileobj=raw), _CHUNK))
            yield stream
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise InputError(f"the gzip stream is broken: {error}", path=path) from None
        except OSError as error:  # a disk that fails, a file of the system that opens and can't be read
            raise InputError(f"cannot be read: {error.strerror or error}", path=path) from None


def read_lines(path: str | Path, max_line: int = MAX_LINE) -> Iterator[tuple[int, bytes | OverLong]]:
    """Line numbers from 1 with the line's bytes, without its end; blank lines are left out, but counted as lines.

    Raises:
        InputError: as `open_bytes`, or the file is UTF-16.
    """
    with open_bytes(path) as stream:
        number = 0
        while line := stream.readline(max_line + 1):
            number += 1
            if len(line) > max_line and not line.endswith(b"\n"):
                while (rest := stream.readline(_CHUNK)) and not rest.endswith(b"\n"):
                    pass
                yield number, OVER_LONG
                continue
            if number == 1:
                if line[:2] in (b"\xff\xfe", b"\xfe\xff"):
                    raise InputError("is UTF-16; save it as UTF-8", path=path)
                line = line.removeprefix(_BOM)
            line = line.rstrip(b"\r\n")
            if line.strip():
                yield number, line


_PLACE = re.compile(r" at line (\d+) column (\d+)$")
_HALF_PAIR = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB]..)\\u[dD][c-fC-F]"
)


def decode(line: bytes) -> Any:
    """The value of one JSON text.

    Raises:
        InputError: bad UTF-8, bad JSON, NaN or Infinity, half of a surrogate pair, nesting beyond 200, or a number of
            more than 4,300 digits. One sentence, with the column counted in bytes.
    """
    try:
        return from_json(line, allow_inf_nan=False)
    except ValueError as error:
        message = str(error)
    place = _PLACE.search(message)
    number = int(place[1]) if place and int(place[1]) > 1 else None
    try:
        line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"is not UTF-8 (byte {error.start + 1} of the line)") from None
    where = f" (column {place[2]})" if place else ""
    if re.search(rb"[:\[,]\s*-?(NaN|Infinity)\b", line):
        raise InputError(f"holds NaN or Infinity, which is not JSON{where}", line=number)
    if _HALF_PAIR.search(line):
        raise InputError(
            f"holds half of a surrogate pair, such as \\ud800, which is no character{where}", line=number
        )
    raise InputError(f"is not JSON: {_PLACE.sub('', message)}{where}", line=number)


def decode_output(line: bytes) -> Any:
    """As `decode`, but half a surrogate pair becomes U+FFFD: models write such text, and it is theirs to be graded."""
    try:
        return decode(line)
    except InputError:
        if not _HALF_PAIR.search(line):
            raise
    try:
        value = json.loads(line, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise InputError("is not JSON") from None
    return _mended(value)


def _no_constant(name: str) -> Any:
    raise ValueError(name)


def _mended(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if isinstance(value, list):
        return [_mended(entry) for entry in value]
    if isinstance(value, dict):
        return {_mended(key): _mended(entry) for key, entry in value.items()}
    return value


def read_document(path: str | Path) -> Any:
    """The value of a file that is one JSON text, at most `MAX_DOCUMENT` bytes.

    Raises:
        InputError: as `open_bytes` and `decode`, or the file is larger.
    """
    with open_bytes(path) as stream:
        content = stream.read(MAX_DOCUMENT + 1)
    if len(content) > MAX_DOCUMENT:
        raise InputError(
            f"is larger than {MAX_DOCUMENT >> 20} MiB; a file of this size must be JSONL", path=path
        )
    try:
        return decode(content.removeprefix(_BOM))
    except InputError as error:
        raise error.at(path=path) from None


def encode(row: object) -> bytes:
    """One JSON line without its end. The characters that other tools take for a line's end are escaped.

    Raises:
        InputError: a value has no JSON form: NaN, Infinity, half a surrogate pair, or a Python object.
    """
    try:
        text = json.dumps(row, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        for mark in ("\u2028", "\u2029", "\x85"):
            if mark in text:
                text = text.replace(mark, f"\\u{ord(mark):04x}")
        return text.encode("utf-8")
    except (ValueError, TypeError, RecursionError) as error:
        raise InputError(f"has no JSON form: {error}") from None


class WholeFile:
    """A file that appears under its name only when it is complete: `with WholeFile(path) as stream: ...`.

    It is written under a temporary name in the same folder and renamed at the end; after an exception nothing is
    left. A name that ends in `.gz` is packed (with no time stamp, so equal content gives equal bytes).
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._temporary = self.path.with_name(f".{self.path.name}.{secrets.token_hex(4)}.tmp")
        self._raw: IO[bytes] | None = None
        self._stream: IO[bytes] | None = None

    def __enter__(self) -> IO[bytes]:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._raw = self._temporary.open("xb")
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror}", path=self.path) from None
        self._stream = self._raw
        if self.path.suffix == ".gz":
            self._stream = cast(IO[bytes], gzip.GzipFile(filename="", mode="wb", fileobj=self._raw, mtime=0))
        return self._stream

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._raw is not None
        assert self._stream is not None
        try:
            if kind is None:
                if self._stream is not self._raw:
                    self._stream.close()
                self._raw.flush()
                os.fsync(self._raw.fileno())
                self._raw.close()
                self._temporary.replace(self.path)
        except OSError as failure:
            error = failure
        finally:
            with suppress(OSError):  # closing may try again to write what did not fit
                self._raw.close()
            self._temporary.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise InputError(f"cannot be written: {error.strerror or error}", path=self.path) from None
