"""Images and other big bytes, each kept once as a file named by its sha256: `blobs/ab/abcdef...`."""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path

from eduflow.errors import InputError

_NEW = os.O_CREAT | os.O_EXCL | os.O_WRONLY


class Blobs:
    """A folder of blobs, made when the first one is written. Many threads may use it.

    A blob is written beside its place and renamed, so a file under a blob's name is whole after any kill of the
    process. Nothing is forced to the disk: after a power cut a file may be empty, which its size or its hash shows,
    and it is then written again by `put` or refused by `get`.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, sha256: str) -> Path:
        """Where the blob lies, or would lie.

        Raises:
            ValueError: this is no sha256 in small hex digits.
        """
        if len(sha256) != 64 or not set(sha256) <= set("0123456789abcdef"):
            raise ValueError(f"not a sha256: {sha256!r}")
        return self.folder / sha256[:2] / sha256

    def put(self, data: bytes, sha256: str | None = None) -> str:
        """Keep `data`; returns its sha256, which is taken on trust where the caller has it already.

        Raises:
            OSError: it cannot be written.
        """
        sha256 = sha256 or hashlib.sha256(data).hexdigest()
        path = self.path(sha256)
        if _size(path) == len(data):
            return sha256
        temporary = _beside(path)
        try:
            try:
                descriptor = os.open(temporary, _NEW, 0o666)
            except FileNotFoundError:  # one of the first in its folder
                path.parent.mkdir(parents=True, exist_ok=True)
                descriptor = os.open(temporary, _NEW, 0o666)
            with open(descriptor, "wb") as file:
                file.write(data)
            os.replace(temporary, path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        return sha256

    def get(self, sha256: str) -> bytes | None:
        """The blob, or None where there is none.

        Raises:
            InputError: the file does not have the hash that it is named by.
        """
        path = self.path(sha256)
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return None
        if hashlib.sha256(data).hexdigest() != sha256:
            raise InputError("the file is damaged: its sha256 is not its name", path=path)
        return data

    def add_file(self, source: Path) -> bool:
        """Take over a blob from another run's folder, as a hard link where that works and as a copy elsewhere.

        Returns:
            Whether it was new here.

        Raises:
            OSError: it cannot be linked or copied.
        """
        path = self.path(source.name)
        if _size(path) == source.stat().st_size:
            return False
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = _beside(path)
        try:
            try:
                os.link(source, temporary)
            except OSError:
                shutil.copyfile(source, temporary)
            os.replace(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)
        return True

    def files(self) -> Iterator[Path]:
        """The files of all blobs, in no order; what a killed process left unfinished is passed over."""
        if not self.folder.is_dir():
            return
        for shard in os.scandir(self.folder):
            if len(shard.name) == 2 and shard.is_dir():
                for entry in os.scandir(shard.path):
                    if not entry.name.startswith("."):
                        yield Path(entry.path)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return -1


def _beside(path: Path) -> Path:
    return path.with_name(f".{secrets.token_hex(8)}.tmp")
