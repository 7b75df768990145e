"""Cutting one string into the values that it lists."""

from __future__ import annotations

import re

from eduflow.grade.normalise import clean, fold

_LABEL = re.compile(r"\(\s{0,3}([0-9]{1,2})\s{0,3}\)|([①-⑳])")
# 第一空：3；第二空：5, and the same on lines "1) 3", "2. 5".
_NTH_BLANK = re.compile(
    r"第([一二三四五六七八九1-9])个?空\s?[填是为]?\s?:?|^([1-9])[).]\s(?=\S)", re.MULTILINE
)
_DIGITS = "一二三四五六七八九123456789"
_SPLITTERS = ("\n", ";", "、", ", ", ",", "\\quad", " and ", "和", "\\ ", " ")


def split_answer(answer: str, blanks: int) -> list[str | None] | None:
    """The values of one string for `blanks` blanks, None in the place of one left out; None where it holds more values than blanks."""
    text = clean(answer)
    labelled = split_labels(text, blanks)
    if labelled is not None:
        return labelled
    over = False
    fewer: list[str] | None = None
    for splitter in _SPLITTERS:
        parts = split_top(text, splitter)
        if len(parts) == blanks:
            return list(parts)
        if len(parts) > blanks and splitter != " ":
            over = True
            break
        if len(parts) > 1 and fewer is None and splitter != " ":
            fewer = parts
    if over and fewer is None:
        return None
    return list(fewer) if fewer is not None else [text]


def count_labels(text: str) -> int:
    """How many marks like (1) or ① there are in a text, labels or not."""
    return sum(1 for _ in _LABEL.finditer(text[:2_000]))


def split_labels(text: str, blanks: int) -> list[str | None] | None:
    """The parts behind (1), (2) … or ①, ② …; None where the text is not labelled so from its start on."""
    text = _NTH_BLANK.sub(lambda match: f"({_DIGITS.find(match[1] or match[2]) % 9 + 1})", fold(text)).strip()
    if text[:1] != "(" and not "①" <= text[:1] <= "⑳":
        return None
    marks: list[tuple[int, int, int]] = []
    for match in _LABEL.finditer(text):
        before = text[max(0, match.start() - 5) : match.start()]
        if before and match[1] and before[-1] not in " \n;,、。.$}" and not before.endswith("\\quad"):
            continue  # f(1) is no label
        number = int(match[1]) if match[1] else ord(match[2]) - ord("①") + 1
        marks.append((number, match.start(), match.end()))
    if not marks or text[: marks[0][1]].strip():
        return None
    numbers = [number for number, _, _ in marks]
    if len(set(numbers)) != len(numbers) or not all(1 <= number <= blanks for number in numbers):
        return None
    ends = [start for _, start, _ in marks[1:]] + [len(text)]
    parts: list[str | None] = [None] * blanks
    for (number, _, end), stop in zip(marks, ends, strict=True):
        content = text[end:stop].strip(" \n;,、。.:").removesuffix("\\quad").strip()
        if not content:
            return None  # ①③④ is a list of statements
        parts[number - 1] = content
    return parts


_OPENING = frozenset("([{（【")
_CLOSING = frozenset(")]}）】")


def split_top(text: str, splitter: str) -> list[str]:
    """`text` cut at `splitter` outside brackets; empty parts are dropped."""
    if splitter not in text:
        return [text.strip(" $")] if text.strip(" $") else []
    parts: list[str] = []
    depth = start = i = 0
    width = len(splitter)
    while i < len(text):
        character = text[i]
        if character == "\\" and i + 1 < len(text) and not text.startswith(splitter, i):
            # An escaped brace still groups.
            i += 1 if text[i + 1] in "{}" else 2
            continue
        if character in _OPENING:
            depth += 1
        elif character in _CLOSING:
            depth = max(0, depth - 1)
        elif depth == 0 and text.startswith(splitter, i):
            parts.append(text[start:i])
            i += width
            start = i
            continue
        i += 1
    parts.append(text[start:])
    return [part.strip(" $") for part in parts if part.strip(" $")]
