"""One writer per run folder: an advisory lock that the system takes back when its process ends, however it ends."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import socket
import time
from pathlib import Path

from eduflow.errors import ConfigError

LOCK_FILE = "lock"


class FolderLock:
    """The lock on a folder, held from construction to `release`.

    The lock is `flock` on the file `lock` in it; the file itself stays for ever (removing it would let two processes
    lock two different files) and its text only says who took the lock last.

    Args:
        folder: an existing folder.
        shared: for readers that must keep writers out, but not each other (`runs merge`). Nothing is written.

    Raises:
        ConfigError: another process holds the lock, or the file system has no working locks.
    """

    def __init__(self, folder: Path, *, shared: bool = False) -> None:
        self._folder = folder
        self._process = os.getpid()
        path = folder / LOCK_FILE
        try:
            flags = os.O_RDONLY if shared else os.O_RDWR | os.O_CREAT
            self._descriptor = os.open(path, flags, 0o666)
        except OSError as error:
            raise ConfigError(f"{path}: the lock cannot be opened: {error.strerror}") from None
        try:
            self._take(path, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)
        except BaseException:
            os.close(self._descriptor)
            raise
        if not shared:
            text = json.dumps({"pid": os.getpid(), "host": socket.gethostname()}).encode()
            with contextlib.suppress(OSError):  # on a full disk the lock holds all the same, only unnamed
                os.ftruncate(self._descriptor, 0)
                os.pwrite(self._descriptor, text, 0)

    def _take(self, path: Path, kind: int) -> None:
        # A moment's patience: a killed process gives its lock back a little after its death, and `is_held` takes
        # one to ask.
        for wait in (0.02, 0.05, 0.1, 0.2, None):
            try:
                fcntl.flock(self._descriptor, kind | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if wait is None:
                    raise ConfigError(f"{self._folder} is in use by {holder(self._folder)}") from None
                time.sleep(wait)
            except OSError as error:
                raise _no_locks(self._folder, error.strerror) from None
        # Some file systems answer yes to everybody. Ask once more, as another process would, and expect a no.
        second = os.open(path, os.O_RDONLY if kind == fcntl.LOCK_SH else os.O_RDWR)
        try:
            fcntl.flock(second, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return
        except OSError as error:
            # NFS takes no exclusive lock on a descriptor that is only read: that is a lock that works.
            if kind == fcntl.LOCK_SH and error.errno == errno.EBADF:
                return
            raise _no_locks(self._folder, error.strerror) from None
        finally:
            os.close(second)
        raise _no_locks(self._folder, "two holders got the same lock")

    def release(self) -> None:
        """Give the lock back. Doing it twice is harmless, and so is doing it in a forked child, where it does nothing."""
        if self._descriptor >= 0 and self._process == os.getpid():
            # Unlocked and not only closed: a forked child may hold a copy of the descriptor.
            fcntl.flock(self._descriptor, fcntl.LOCK_UN)
            os.close(self._descriptor)
            self._descriptor = -1


def holder(folder: Path) -> str:
    """Who took a folder's lock last, in words ("process 12 on host a")."""
    found: object = None
    with contextlib.suppress(OSError, ValueError):
        found = json.loads((folder / LOCK_FILE).read_bytes())
    if isinstance(found, dict) and isinstance(found.get("pid"), int):
        return f"process {found['pid']} on host {found.get('host', '?')}"
    return "another process"


def is_held(folder: Path) -> bool:
    """Whether a process holds the folder's lock for writing now. False where there is no lock file."""
    try:
        descriptor = os.open(folder / LOCK_FILE, os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return False


def _no_locks(folder: Path, why: str | None) -> ConfigError:
    return ConfigError(
        f"{folder} lies on a file system without working file locks ({why}): put the run on a local disk"
    )
