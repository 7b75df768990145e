"""What reading a file gives: rows as they come, and the count of what had to be left out."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from eduflow.errors import InputError
from eduflow.problem import Problem

OnBad = Literal["strict", "skip"]
Reason = Literal["broken_image", "over_long", "broken_row", "other_subject"]

T = TypeVar("T")


class BrokenImage(InputError):
    """A row whose image cannot be decoded. The row is counted and left out, never fatal."""

    def at(
        self, *, path: str | Path | None = None, line: int | None = None, field: str | None = None
    ) -> BrokenImage:
        placed = super().at(path=path, line=line, field=field)
        return BrokenImage(placed.message, path=placed.path, line=placed.line, field=placed.field)


class OtherSubject(InputError):
    """A row of a subject that EduFlow does not have (a format may hold history and English too)."""


class Row(NamedTuple):
    """One row as it stands in a file, before it is understood. `value` is the error where it is unreadable.

    `line` counts from 1: a line of text, a row of Parquet, an entry of a JSON array.
    """

    path: Path
    line: int
    value: Any


@dataclass(frozen=True, slots=True)
class Skip:
    """One row that was left out: where it stands, why in one word, and the sentence."""

    path: str
    line: int
    reason: Reason
    detail: str


@dataclass(slots=True)
class Skipped:
    """What one pass over a file left out. All are counted; the first `KEEP` are listed."""

    KEEP = 1000
    counts: Counter[Reason] = field(default_factory=Counter)
    rows: list[Skip] = field(default_factory=list)

    @property
    def total(self) -> int:
        return sum(self.counts.values())

    def add(self, row: Row, reason: Reason, detail: str) -> None:
        self.counts[reason] += 1
        if len(self.rows) < self.KEEP:
            self.rows.append(Skip(str(row.path), row.line, reason, detail))


class SeenIds:
    """A set of ids at 8 to 16 bytes each: an open table of 64-bit hashes.

    A million ids take 17 MB, a Python set of strings about 120 MB. Two different ids with one hash are possible
    (1 in 10⁷ at a million), so a hit is a suspicion that the caller confirms.
    """

    def __init__(self) -> None:
        self._table = array("Q", bytes(8 * 1024))
        self._count = 0

    def add(self, text: str) -> bool:
        """Puts `text` in; whether its hash was there before."""
        code = (hash(text) & 0xFFFFFFFFFFFFFFFF) or 1
        if not self._put(self._table, code):
            return True
        self._count += 1
        if self._count * 2 > len(self._table):
            larger = array("Q", bytes(8 * 2 * len(self._table)))
            for old in self._table:
                if old:
                    self._put(larger, old)
            self._table = larger
        return False

    @staticmethod
    def _put(table: array[int], code: int) -> bool:
        mask = len(table) - 1
        place = code & mask
        while table[place]:
            if table[place] == code:
                return False
            place = (place + 1) & mask
        table[place] = code
        return True


class Reading(Generic[T]):
    """The rows of a file as nouns: iterate it as often as you like, each pass reads the file anew.

    `skipped` tells what the pass that was started last has left out so far. Broken images, over-long rows and rows
    of other subjects are always counted and left out. Any other bad row, and a repeated id, raises `InputError` with file and line
    (`on_bad="strict"`) or is counted as `broken_row` (`"skip"`).
    """

    def __init__(
        self,
        path: str | Path,
        format: str,
        rows: Callable[[], Iterator[Row]],
        understand: Callable[[Row], T],
        on_bad: OnBad,
        key: Callable[[T], str] | None = None,
    ) -> None:
        self.path = Path(path)
        self.format = format
        self.on_bad = on_bad
        self.skipped = Skipped()
        self._rows = rows
        self._understand = understand
        self._key = key

    def __iter__(self) -> Iterator[T]:
        skipped = self.skipped = Skipped()
        return self._read(skipped)

    def _read(self, skipped: Skipped) -> Iterator[T]:
        seen = SeenIds()
        given = 0
        for row in self._rows():
            try:
                if isinstance(row.value, InputError):
                    raise row.value
                noun = self._understand(row)
                if self._key is not None and seen.add(self._key(noun)):
                    self._refuse_repeated(row, self._key(noun))
            except OverLongRow as error:
                skipped.add(row, "over_long", str(error))
            except BrokenImage as error:
                skipped.add(row, "broken_image", str(error.at(path=row.path, line=row.line)))
            except OtherSubject as error:
                skipped.add(row, "other_subject", str(error))
            except InputError as error:
                placed = error.at(path=row.path, line=row.line)
                if self.on_bad == "strict":
                    raise placed from None
                skipped.add(row, "broken_row", str(placed))
            else:
                given += 1
                yield noun
        if not given and skipped.counts["broken_row"]:
            # A wrong format makes every row bad; that is a mistake of the call, not of the rows.
            raise InputError(
                f"none of the {skipped.total} rows could be read as {self.format}; the first: {skipped.rows[0].detail}",
                path=self.path,
            )

    def _refuse_repeated(self, row: Row, key: str) -> None:
        """Raises where the id really stands in an earlier row, which is looked up by reading again."""
        for earlier in self._rows():
            if (earlier.path, earlier.line) == (row.path, row.line):
                return
            if isinstance(earlier.value, InputError):
                continue
            try:
                noun = self._understand(earlier)
            except InputError:
                continue
            assert self._key is not None
            if self._key(noun) == key:
                place = (
                    f"line {earlier.line}"
                    if earlier.path == row.path
                    else f"line {earlier.line} of {earlier.path}"
                )
                raise InputError(f"the id {key!r} stands already on {place}", field="id")


class OverLongRow(InputError):
    """A row that is too long to be read."""


def over_long(limit: int) -> OverLongRow:
    return OverLongRow(f"the row is longer than {limit >> 20} MiB")


def problem_key(problem: Problem) -> str:
    return problem.id


@dataclass(frozen=True, slots=True)
class Format:
    """One data format.

    Args:
        name: what a user calls it.
        about: one line for a list.
        recognises: whether a path looks like it; `head` is the first row where the file is JSON, JSONL or Parquet, else None.
        rows: the rows of a path.
        understand: a row as a problem, with the caller's defaults for what the format does not say.
        on_bad: the policy where the caller names none.
    """

    name: str
    about: str
    recognises: Callable[[Path, Mapping[str, Any] | None], bool]
    rows: Callable[[Path], Iterator[Row]]
    understand: Callable[[Row, Mapping[str, str]], Problem]
    on_bad: OnBad = "skip"

    def open(
        self, path: str | Path, defaults: Mapping[str, str] | None = None, on_bad: OnBad | None = None
    ) -> Reading[Problem]:
        """The problems at `path`."""
        place, given = Path(path), dict(defaults or {})
        return Reading(
            place,
            self.name,
            lambda: self.rows(place),
            lambda row: self.understand(row, given),
            on_bad or self.on_bad,
            problem_key,
        )
