"""Files that are either whole or not there: written beside their place and renamed."""

from __future__ import annotations

import errno
import json
import os
import secrets
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import IO, Any, Literal, overload

from eduflow.errors import InputError

# What a full or failing disk says while the caller writes. Other OSErrors inside the block are the caller's own.
_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG, errno.EROFS}


def cannot_write(path: str | Path, error: OSError) -> InputError:
    """The sentence for a file that cannot be written."""
    return InputError(f"cannot be written: {error.strerror or error}", path=path)


@overload
def atomic_write(path: str | Path, mode: Literal["w"] = "w") -> AbstractContextManager[IO[str]]: ...
@overload
def atomic_write(path: str | Path, mode: Literal["wb"]) -> AbstractContextManager[IO[bytes]]: ...
def atomic_write(path: str | Path, mode: Literal["w", "wb"] = "w") -> AbstractContextManager[IO[Any]]:
    """Open a file that takes its place only when the block ends without an error.

    Text is UTF-8 and its line ends stay `\\n`. The data goes to a hidden file in the same folder (made where it is
    missing), reaches the disk, and is renamed over `path`; after an error, Ctrl-C included, the hidden file is removed
    and an older file stays as it was. A link is followed. A path that is no plain file (`/dev/stdout`) is written to
    directly.

    Raises:
        InputError: the file cannot be created, written or renamed.
    """
    return _atomic_write(path, mode)


@contextmanager
def _atomic_write(path: str | Path, mode: Literal["w", "wb"]) -> Iterator[IO[Any]]:
    target = Path(os.path.realpath(path))
    text: dict[str, str] = {} if mode == "wb" else {"encoding": "utf-8", "newline": "\n"}
    try:
        if target.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if target.exists() and not target.is_file():
            with open(path, mode, **text) as direct:  # type: ignore[call-overload]
                yield direct
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = target.with_name(f".{target.name[:200]}.{secrets.token_hex(6)}.tmp")
        # Not mkstemp: its 0600 would make exports unreadable for others. O_CREAT with 0666 obeys the umask.
        descriptor = os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)
    except OSError as error:
        raise cannot_write(path, error) from None
    try:
        with open(descriptor, mode, **text) as file:  # type: ignore[call-overload]
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except OSError as error:
        if error.errno in _DISK or error.filename in (str(temporary), str(target)):
            raise cannot_write(path, error) from None
        raise
    finally:
        temporary.unlink(missing_ok=True)


def write_jsonl(path: str | Path, rows: Iterable[object]) -> int:
    """Write rows as JSON lines, whole or not at all; returns their number.

    Characters stay as they are, except that lone surrogates, which UTF-8 cannot hold, are escaped.
    """
    count = 0
    with atomic_write(path, "wb") as file:
        for row in rows:
            file.write(json_bytes(row) + b"\n")
            count += 1
    return count


def json_bytes(value: object) -> bytes:
    """Compact JSON in UTF-8. NaN and infinities are refused, lone surrogates escaped."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    try:
        return text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":"), allow_nan=False).encode()
