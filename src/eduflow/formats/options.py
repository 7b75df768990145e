"""The options of a choice problem that stand inside its question, and the letters of its answer.

Source of the layouts: GAOKAO-MM, GAOKAO-Bench, K12Vista and MMK12 put the options into the question, one a line or
run together on one line. The parser gives options only where the reading is plain; else none, and the question still
says everything, because it is kept as it was published.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from eduflow.problem import Option, Problem

_KEYS: Final = "ABCDEFGH"
_LONGEST: Final = 100_000  # characters; no school question comes near
_FULLWIDTH: Final = {ord("Ａ") + i: _KEYS[i] for i in range(len(_KEYS))}

# A key with what sets it off, one pattern for each way of writing; within a question the way does not change. What
# stands before must not be a letter, digit, backslash or brace, so that `\\mathrm{A}.`, "DNA." and "2A." are no keys.
_BEFORE = r"(?<![A-Za-zＡ-Ｚ0-9\\{_^])"
_STYLES: Final = tuple(
    re.compile(pattern)
    for pattern in (
        _BEFORE + r"([A-HＡ-Ｈ])[ \t]*[.．﹒]",
        r"[(（][ \t]*([A-HＡ-Ｈ])[ \t]*[)）]",
        _BEFORE + r"([A-HＡ-Ｈ])[ \t]*[、]",
        _BEFORE + r"([A-HＡ-Ｈ])[ \t]*[:：]",
        _BEFORE + r"(?<![(（])([A-HＡ-Ｈ])[ \t]*[)）]",
    )
)
# Keys at the starts of lines as scanned books have them: "c." for "C.", "$\\mathrm{C}$.", "B" with its point lost.
_SCANNED = re.compile(r"(?m)^[ \t]*(?:\$\\mathrm\{)?([A-H]|[b-h])(?:\}\$)?(?:[ \t]*[.．、:：]|[ \t])[ \t]*")
# Keys run together after a figure: "A. 6B. 9C. 12D. 18".
_AFTER_FIGURE = re.compile(r"(?<![A-Za-z\\{_^])([A-H])[ \t]*[.．]")
_LETTERS = re.compile(r"[A-H]+")
_SEPARATORS = re.compile(r"[\s,，、;；.．。]+|and|和")


def choice_letters(text: str) -> str | None:
    """The option keys that an answer names, run together in order ("A、C" is "AC"); None where it says anything else."""
    letters = _SEPARATORS.sub("", text.translate(_FULLWIDTH))
    if not _LETTERS.fullmatch(letters) or len(set(letters)) != len(letters):
        return None
    return "".join(sorted(letters))


def parse_options(question: str, answers: Sequence[str] = ()) -> tuple[Option, ...]:
    """The options in a question, or none where they cannot be told with confidence.

    At least three keys from A on, in order, each once, each with a text; two where they stand at the starts of
    lines. Where `answers` name a key that was not found, nothing is given.
    """
    if len(question) > _LONGEST:
        return ()
    named = set().union(*(choice_letters(answer) or "" for answer in answers))
    for style in _STYLES:
        marks = list(style.finditer(question))
        starts = [mark for mark in marks if _at_line_start(question, mark)]
        for run, least in ((_last_run(marks), 3), (_last_run(starts), 2)):
            if len(run) >= least and (options := _between(question, run, named)):
                return options
    for style in (_AFTER_FIGURE, _SCANNED):
        run = _last_run(list(style.finditer(question)))
        if len(run) >= 4 and (options := _between(question, run, named)):
            return options
    return ()


def _at_line_start(question: str, mark: re.Match[str]) -> bool:
    return not question[question.rfind("\n", 0, mark.start()) + 1 : mark.start()].strip()


def _key(mark: re.Match[str]) -> str:
    return mark[1].translate(_FULLWIDTH).upper()


def _last_run(marks: Sequence[re.Match[str]]) -> list[re.Match[str]]:
    """The marks from the last A on, if they are A, B, C, ... exactly; else none."""
    first = max((i for i, mark in enumerate(marks) if _key(mark) == "A"), default=len(marks))
    run = list(marks[first:])
    return run if "".join(map(_key, run)) == _KEYS[: len(run)] else []


def _between(question: str, run: Sequence[re.Match[str]], named: set[str]) -> tuple[Option, ...]:
    """The options that the run's marks begin; none where one is empty, swallows the next key, or a named key lacks."""
    ends = [mark.start() for mark in run[1:]] + [len(question)]
    texts = [question[mark.end() : end].strip() for mark, end in zip(run, ends, strict=True)]
    if not all(texts) or not named <= set(map(_key, run)):
        return ()
    # The next key inside the last text means that two layouts are mixed and an option was swallowed.
    following = _KEYS[len(run) : len(run) + 1]
    if following and re.search(rf"{following}[ \t]*[.．﹒、:：)）]", texts[-1]):
        return ()
    return tuple(Option(key=_key(mark), text=text) for mark, text in zip(run, texts, strict=True))


def options_in_question(problem: Problem) -> bool:
    """Whether the question's own text shows the options, so that a prompt must not print them a second time.

    Readers that know say so in `extra["options_in_question"]`; else the question is looked at.
    """
    said = problem.extra.get("options_in_question")
    if isinstance(said, bool):
        return said
    if not problem.options:
        return problem.type == "choice"
    found = [option.key for option in parse_options(problem.question)]
    return found == [option.key for option in problem.options]
