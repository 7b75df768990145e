"""Choice problems: which options an answer names.

The rules:
- the keys are those of the problem's options, else A to H; small letters count as capitals where the keys are capitals;
- a string names options when it consists of keys and separators alone ("A、C", "A and C", "(A)(C)", "CA"), or of one key, a
  delimiter and text ("B. NaCl"); a letter inside a sentence names nothing;
- the text behind a key must not be another option's; a text without a key names the option whose text it is, where one is;
- keys joined by "or" are a hedge: settled, wrong;
- a problem with several right options is right only when exactly these are named, in whatever order.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from eduflow.grade.normalise import canonical, clean, tokens
from eduflow.problem import Option

_DEFAULT_KEYS = frozenset("ABCDEFGH")
_LEAD = re.compile(
    r"^(?:(?:the\s+)?(?:correct\s+|right\s+|final\s+|best\s+)?(?:answer|option|options|choice|choices)s?(?:\s+(?:is|are))?\s*:?\s*"
    r"|(?:正确|最终)?(?:答案|选项)(?:是|为)?\s*:?\s*|(?:故|应|所以|因此|我)?选(?:择|项|择题)?\s*:?\s*)",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"\s*(?:选项|项)?(?:\s*(?:is|are)\s+(?:the\s+)?(?:correct|right)(?:\s+(?:answer|option|choice)s?)?|正确|是正确的|为正确答案)?\s*[.。]*$",
    re.IGNORECASE,
)
_SEPARATORS = frozenset(
    [
        ",",
        "、",
        ";",
        "，",
        "；",
        " ",
        "and",
        "&",
        "和",
        "与",
        "及",
        "\\quad",
        "(",
        ")",
        "[",
        "]",
        ".",
        "{",
        "}",
        "以及",
    ]
)
_OR = frozenset(("or", "或", "或者"))
_PIECES = re.compile(r"\\quad|[A-Za-z]+|[\u3400-\u9fff]+|.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Picked:
    """The keys that an answer names, sorted; `hedged` where it offers them as alternatives."""

    keys: tuple[str, ...]
    hedged: bool = False


def keys_of(options: Sequence[Option]) -> frozenset[str]:
    """The keys that may be named."""
    return frozenset(option.key for option in options) if options else _DEFAULT_KEYS


def gold_keys(gold: str, options: Sequence[Option] = ()) -> tuple[str, ...] | None:
    """The keys of a choice problem's gold, sorted; None where it names none."""
    picked = _keys_alone(clean(gold), keys_of(options))
    return None if picked is None or picked.hedged else picked.keys


def pick(answer: str, options: Sequence[Option] = (), *, single: bool = True) -> Picked | None:
    """The options that an answer names; None where it is no clean naming.

    Args:
        single: whether one option is right: then a key may be followed by its text.
    """
    keys = keys_of(options)
    text = clean(answer)
    if len(text) > 1_500:
        return None
    found = _keys_alone(text, keys)
    if found is None:
        shorter = clean(_TAIL.sub("", _LEAD.sub("", text, count=1), count=1))
        found = _keys_alone(shorter, keys) if shorter != text else None
        if found is None:
            found = _key_and_text(shorter or text, keys, options)
    if found is None and options:
        found = _by_text(text, options)
    return found


def _keys_alone(text: str, keys: frozenset[str]) -> Picked | None:
    if not text or len(text) > 120:
        return None
    capital = {key.upper(): key for key in keys}
    named: list[str] = []
    hedged = False
    pieces = _PIECES.findall(text)
    for i, piece in enumerate(pieces):
        if piece in keys:
            named.append(piece)
        elif piece.lower() in _OR and named:
            hedged = True
        elif piece in _SEPARATORS or piece.lower() == "and":
            continue
        elif piece.isascii() and piece.isalpha() and all(letter in keys for letter in piece):
            named.extend(piece)
        elif (
            piece.isascii()
            and piece.isalpha()
            and piece.islower()
            and len(piece) == 1
            and piece.upper() in capital
        ):
            named.append(capital[piece.upper()])
        elif (
            piece.isascii()
            and piece.isalpha()
            and piece.islower()
            and len(pieces) == 1
            and len(piece) <= 4
            and (all(letter.upper() in capital for letter in piece) and list(piece) == sorted(set(piece)))
            and len(piece) < 3
        ):
            named.extend(capital[letter.upper()] for letter in piece)
        elif _is_wrapper(pieces, i):
            continue
        elif all(character in keys for character in piece) and not piece.isascii():
            named.extend(piece)  # 甲乙, ①③
        else:
            return None
    if not named:
        return None
    if len(set(named)) != len(named):
        return None
    return Picked(tuple(sorted(named)), hedged)


def _is_wrapper(pieces: list[str], i: int) -> bool:
    r"""Whether piece `i` is a part of `\text`, `\mathrm` and their like."""
    at = i + 1 if pieces[i] == "\\" else i
    return (
        at > 0
        and pieces[at - 1] == "\\"
        and at < len(pieces)
        and pieces[at] in ("text", "mathrm", "textbf", "mathbf")
    )


_KEYED = re.compile(
    r"^[\[(]?([A-Za-z0-9①-⑳甲乙丙丁])(?:[)\]]\s*[.:、,]?|\s*[.:、,)]|\s*(?=[\u3400-\u9fff$\\]))\s*(.*)$",
    re.DOTALL,
)
_MORE = re.compile(r"(?:^|[\s,;、(和与或])([A-H])(?=$|[\s,;、).:和与或])")


_JUDGED = re.compile(
    r"[不错误非矛假]|排除|以外|之外|[A-H][对错]|(?<![A-Za-z])(?:not|wrong|incorrect|false|but|however|isn't|aren't|doesn't|don't|can't|cannot|contradict\w*|impossible"
    r"|eliminated?|excluded?|ruled|unlikely|would|nor|neither)(?![A-Za-z])",
    re.IGNORECASE,
)


def _key_and_text(text: str, keys: frozenset[str], options: Sequence[Option]) -> Picked | None:
    match = _KEYED.match(text)
    if match is None:
        return None
    key, rest = match[1], match[2].strip()
    if key not in keys:
        key = key.upper()
    if key not in keys or not rest:
        return None
    if any(other in keys for other in _MORE.findall(rest)):
        return None  # "A: 5, B: 3" names more than one
    own = next((option.text for option in options if option.key == key), "")
    if (not own or not _same_text(rest, own)) and _JUDGED.search(rest):
        return None  # "A不正确", "A, but it is wrong" say something of the option
    if options:
        if _same_text(rest, own):
            return Picked((key,))
        if any(_same_text(rest, option.text) for option in options):
            return None  # the key of one option with the text of another
    return Picked((key,))


def _by_text(text: str, options: Sequence[Option]) -> Picked | None:
    fitting = [option.key for option in options if _same_text(text, option.text)]
    return Picked((fitting[0],)) if len(fitting) == 1 else None


def _same_text(one: str, other: str) -> bool:
    first, second = clean(one), clean(other)
    return bool(first) and canonical(tokens(first), first) == canonical(tokens(second), second)


_PRINTED = re.compile(r"(?:^|\n|\s)\(?([A-H])[.．、:：)）]\s*")


def printed_options(question: str) -> tuple[Option, ...]:
    """The options printed in a question, "A. … B. …", where they run A, B, C … without a gap; () otherwise."""
    if not question or len(question) > 20_000:
        return ()
    marks = list(_PRINTED.finditer(question))
    for begin in range(len(marks)):
        run: list[tuple[str, int, int]] = []
        for match in marks[begin:]:
            if match[1] == chr(ord("A") + len(run)):
                run.append((match[1], match.start(), match.end()))
        if len(run) >= 3 and run[0][0] == "A":
            ends = [start for _, start, _ in run[1:]] + [len(question)]
            texts = [question[end:stop].strip() for (_, _, end), stop in zip(run, ends, strict=True)]
            texts[-1] = texts[-1].partition("\n")[0]
            if all(texts):
                return tuple(Option(key=key, text=text) for (key, _, _), text in zip(run, texts, strict=True))
            return ()
    return ()
