"""Reading what a judge answered: strict about what counts as a verdict, tolerant about everything around it.

Two forms are read. EduFlow's is a JSON object with one verdict per blank; K12Vista's is a list of three lists between
`<evaluation>` tags. Neither is ever evaluated. A reply that leaves a blank out, names one twice, names one that was not
asked about, or says anything but the exact words, is unparsed: None.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from eduflow.grade.fence import cap

# More than any honest reply needs; it bounds what a reply of many megabytes can cost. Verdicts stand at the end.
LIMIT = 20_000


# Of an answer that a judge says it took from a reply.
ANSWER_LIMIT = 1_000


@dataclass(frozen=True, slots=True)
class Verdict:
    """A judge's word on one blank; `answer` is the answer that it took from the reply, where it had to."""

    right: bool
    answer: str | None = None


def _taken(answer: str) -> str:
    # JSON can spell half a surrogate pair, which no file can hold.
    return cap(answer, ANSWER_LIMIT).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def read_json(text: str, asked: Sequence[int]) -> dict[int, Verdict] | None:
    """The verdicts of `{"verdicts": [{"blank": 1, "verdict": "right"}, ...]}`, by number of the blank.

    The last whole JSON object of the text counts, and it alone; text before and after it is ignored. `verdict` is
    "right" or "wrong" (case and outer white space aside), `blank` a whole number; `answer` may stand beside them.

    Args:
        text: the reply after any thinking.
        asked: the numbers asked about; each must come exactly once and no other.

    Returns:
        One verdict for every number in `asked`, or None.
    """
    found = _last_object(text[-LIMIT:])
    rows = found.get("verdicts") if found is not None else None
    if not isinstance(rows, list):
        return None
    verdicts: dict[int, Verdict] = {}
    for row in rows:
        if not isinstance(row, dict):
            return None
        number = _number(row.get("blank"))
        word = row.get("verdict")
        if number is None or number in verdicts or not isinstance(word, str):
            return None
        word = word.strip().lower()
        if word not in ("right", "wrong"):
            return None
        answer = row.get("answer")
        verdicts[number] = Verdict(word == "right", _taken(answer) if isinstance(answer, str) else None)
    return verdicts if sorted(verdicts) == sorted(asked) else None


def _number(value: object) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, str) and re.fullmatch(r"[0-9]{1,6}", value.strip()):
        return int(value)
    return None


class _Repeated(ValueError):
    """A JSON object with the same key twice says two things."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Repeated
    return found


_PLAIN = json.JSONDecoder(strict=False)
_DECODER = json.JSONDecoder(strict=False, object_pairs_hook=_unique)
_OBJECT = re.compile(r"\{\s*[\"}]")
# `\frac` and `\sqrt` in a JSON string: a backslash that begins none of \" \\ \/ \uXXXX is meant as itself.
_BACKSLASH = re.compile(r"\\(?:[\"\\/]|u[0-9a-fA-F]{4})|\\")


def _last_object(text: str) -> dict[str, Any] | None:
    text = _BACKSLASH.sub(lambda m: m[0] if len(m[0]) > 1 else "\\\\", text)
    last: dict[str, Any] | None = None
    end = 0
    while start := _OBJECT.search(text, end):
        at = start.start()
        try:
            value, end = _DECODER.raw_decode(text, at)
        except _Repeated:
            # It is whole, but contradicts itself: neither it nor anything before it counts.
            last, end = None, _PLAIN.raw_decode(text, at)[1]
        except (ValueError, RecursionError):
            end = at + 1
        else:
            last = value
    return last


_OPEN_TAG = re.compile(r"<\s{0,4}evaluation\s{0,4}>")
_CLOSE_TAG = re.compile(r"<\s{0,4}/\s{0,4}evaluation\s{0,4}>")
_PAIRS = {'"': '"', "'": "'", "“": "”", "‘": "’"}
_COMMAS = ",，"
_OPENS, _CLOSES = "[［", "]］"


@dataclass(frozen=True, slots=True)
class Evaluation:
    """K12Vista's three lists: what the judge took for the references, the answers, and its verdicts."""

    references: tuple[str, ...]
    answers: tuple[str, ...]
    verdicts: tuple[bool, ...]


def read_evaluation(text: str, blanks: int) -> dict[int, Verdict] | None:
    """The verdicts of `<evaluation>[[references], [answers], [0/1, ...]]</evaluation>`, by number of the blank.

    The last `<evaluation>` counts. Quotes may be of any kind, broken or left out, commas and brackets fullwidth, the closing tag
    missing; but all three lists must have `blanks` entries and every verdict must be exactly 0 or 1.

    Returns:
        One verdict for each of 1..blanks, or None.
    """
    found = parse_evaluation(text)
    if found is None or not len(found.references) == len(found.answers) == len(found.verdicts) == blanks:
        return None
    return {
        number: Verdict(right, _taken(answer))
        for number, (right, answer) in enumerate(zip(found.verdicts, found.answers, strict=True), start=1)
    }


def parse_evaluation(text: str) -> Evaluation | None:
    """The three lists of the last `<evaluation>`, or None where they cannot be read."""
    text = text[-LIMIT:]
    opens = list(_OPEN_TAG.finditer(text))
    if not opens:
        return None
    body = text[opens[-1].end() :]
    close = _CLOSE_TAG.search(body)
    if close is not None:
        body = body[: close.start()]
    body = body.strip()
    body = re.sub(r"^```[a-z]*\s*|\s*```$", "", body)
    try:
        value, end = _Lists(body).read_list(0)
    except _Broken:
        return None
    if body[end:].strip(" \t\r\n.。;；,，") or len(value) != 3:
        return None
    references, answers, marks = value
    if isinstance(references, str) or isinstance(answers, str) or isinstance(marks, str):
        return None
    if any(mark not in ("0", "1") for mark in marks):
        return None
    return Evaluation(
        tuple(_shown(entry) for entry in references),
        tuple(_shown(entry) for entry in answers),
        tuple(mark == "1" for mark in marks),
    )


_Entry = str | list["_Entry"]


def _shown(entry: _Entry) -> str:
    return entry if isinstance(entry, str) else ", ".join(_shown(part) for part in entry)


class _Broken(ValueError):
    """The text is not a list, or is nested deeper than the format allows."""


class _Lists:
    """A reader of lists of lists of strings as models write them: one pass, no recursion beyond depth 4."""

    def __init__(self, text: str) -> None:
        self.text = text
        # Quotes that nothing closes any more: looking for them once is enough.
        self._unclosed: set[str] = set()

    def read_list(self, at: int, depth: int = 0) -> tuple[list[_Entry], int]:
        """The list that opens at `at` (white space skipped) and the offset after it."""
        at = self._skip(at)
        if depth > 4 or at >= len(self.text) or self.text[at] not in _OPENS:
            raise _Broken
        at = self._skip(at + 1)
        entries: list[_Entry] = []
        while True:
            if at >= len(self.text):
                raise _Broken
            if self.text[at] in _CLOSES:
                return entries, at + 1
            entry: _Entry
            if self.text[at] in _OPENS:
                entry, at = self.read_list(at, depth + 1)
            else:
                entry, at = self._read_text(at)
            entries.append(entry)
            at = self._skip(at)
            if at < len(self.text) and self.text[at] in _COMMAS:
                at = self._skip(at + 1)
            elif at >= len(self.text) or self.text[at] not in _CLOSES:
                raise _Broken

    def _skip(self, at: int) -> int:
        while at < len(self.text) and self.text[at].isspace():
            at += 1
        return at

    def _read_text(self, at: int) -> tuple[str, int]:
        closer = _PAIRS.get(self.text[at])
        if closer is not None and closer not in self._unclosed:
            quoted = self._read_quoted(at + 1, closer)
            if quoted is not None:
                return quoted
            self._unclosed.add(closer)
        return self._read_bare(at)

    def _read_quoted(self, at: int, closer: str) -> tuple[str, int] | None:
        # A quote closes the string only where a comma or a bracket follows: f'(x) inside '...' stays whole.
        start = at
        while True:
            at = self.text.find(closer, at)
            if at == -1:
                return None
            if not self._escaped(at):
                after = self._skip(at + 1)
                if after < len(self.text) and self.text[after] in _COMMAS + _CLOSES:
                    return self.text[start:at], at + 1
            at += 1

    def _escaped(self, at: int) -> bool:
        count = 0
        while at > 0 and self.text[at - 1] == "\\":
            at, count = at - 1, count + 1
        return count % 2 == 1

    def _read_bare(self, at: int) -> tuple[str, int]:
        start, depth = at, 0
        while at < len(self.text):
            char = self.text[at]
            if depth == 0 and char in _COMMAS + _CLOSES:
                break
            if char in "([{（" + _OPENS:
                depth += 1
            elif char in ")]}）" + _CLOSES:
                depth = max(0, depth - 1)
            at += 1
        bare = self.text[start:at].strip()
        if not bare:
            raise _Broken
        return bare, at
