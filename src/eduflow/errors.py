"""The errors that a user can mend. Each is one clear sentence; the commands print it and exit with code 2."""

from __future__ import annotations

from pathlib import Path


class EduflowError(Exception):
    """Base of every error that is the user's to mend: its text is shown as it is, without a traceback."""


class InputError(EduflowError):
    """A file, line or field that cannot be read.

    Args:
        message: what is wrong, as a clause without the place ("unknown subject 'maths'; known: math, ...").
        path: the file, where there is one.
        line: the line in it, counted from 1 (a row number for Parquet and JSON arrays).
        field: the field in the row.
    """

    def __init__(
        self,
        message: str,
        *,
        path: str | Path | None = None,
        line: int | None = None,
        field: str | None = None,
    ) -> None:
        self.message = message
        self.path = None if path is None else str(path)
        self.line = line
        self.field = field
        super().__init__(message)

    def at(
        self, *, path: str | Path | None = None, line: int | None = None, field: str | None = None
    ) -> InputError:
        """The same error with the places filled in that it did not know yet."""
        return InputError(
            self.message,
            path=self.path if self.path is not None else path,
            line=self.line if self.line is not None else line,
            field=self.field if self.field is not None else field,
        )

    def __str__(self) -> str:
        place = self.path or ""
        if self.line is not None:
            place += f":{self.line}" if place else f"line {self.line}"
        if self.field is not None:
            place += f"{', ' if place else ''}field '{self.field}'"
        return f"{place}: {self.message}" if place else self.message


class ConfigError(EduflowError):
    """A setting, endpoint, key or command-line value that cannot be used."""


class MissingExtra(EduflowError):
    """A part of EduFlow whose optional libraries are not installed.

    Args:
        what: what needs it ("reading Parquet").
        extra: the extra's name ("parquet").
    """

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs the '{extra}' extra: pip install 'eduflow[{extra}]'")
