"""The words that data files use for subjects, stages, types and languages, and what can be told from the text itself."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from eduflow.errors import InputError
from eduflow.problem import Language

_NAMES: Final[dict[str, dict[str, str]]] = {
    "subject": {
        "math": "math", "maths": "math", "mathematics": "math", "数学": "math",
        "physics": "physics", "物理": "physics",
        "chemistry": "chemistry", "化学": "chemistry",
        "biology": "biology", "生物": "biology", "生物学": "biology",
        "geography": "geography", "地理": "geography",
    },
    "stage": {
        "primary": "primary", "primary school": "primary", "elementary": "primary", "小学": "primary",
        "middle": "middle", "middle school": "middle", "junior high": "middle", "初中": "middle",
        "high": "high", "high school": "high", "senior high": "high", "高中": "high",
    },
    "type": {
        "choice": "choice", "multiple choice": "choice", "mcq": "choice", "选择题": "choice",
        "blank": "blank", "fill-in": "blank", "fill in the blank": "blank", "填空题": "blank",
        "free": "free", "free response": "free", "open-ended": "free", "问答题": "free", "解答题": "free",
    },
    "language": {
        "zh": "zh", "zh-cn": "zh", "chinese": "zh", "中文": "zh",
        "en": "en", "english": "en", "英文": "en",
    },
}  # fmt: skip

_LATEX = re.compile(r"\\(?:begin|end)\{\w+\}|\\[A-Za-z]+")
_CJK = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_WORD = re.compile(r"[A-Za-z]{3,}")


def plain_name(field: str, given: Any) -> str:
    """EduFlow's name for a subject, stage, type or language as data files write it ("数学", "Maths", "高中").

    Raises:
        InputError: the name is not known; the sentence lists the known ones.
    """
    names = _NAMES[field]
    found = names.get(given.strip().lower().replace("_", " ")) if isinstance(given, str) else None
    if found is None:
        known = ", ".join(dict.fromkeys(names.values()))
        raise InputError(f"unknown {field} {given!r}; known: {known}", field=field)
    return found


def named(values: Mapping[str, Any]) -> dict[str, Any]:
    """`values` with subject, stage, type and language in EduFlow's names."""
    return {field: plain_name(field, value) if field in _NAMES else value for field, value in values.items()}


def language_of(text: str) -> Language:
    """The language of a text: "zh" where there are at least three Chinese characters to every ten Latin words.

    LaTeX commands with their environments, and words of one or two letters (units, names of points), are no words here.
    A text of formulas alone is "en".
    """
    chinese = len(_CJK.findall(text))
    if not chinese:
        return "en"
    return "zh" if chinese >= 0.3 * len(_WORD.findall(_LATEX.sub(" ", text))) else "en"


def text_of(value: Mapping[str, Any], field: str) -> str:
    """The field's text, which must be there and not empty.

    Raises:
        InputError: it is missing, no text, or empty.
    """
    if field not in value:
        raise InputError("is missing", field=field)
    text = value[field]
    if not isinstance(text, str):
        raise InputError(f"is not a text but {_shown(text)}", field=field)
    if not text.strip():
        raise InputError("is empty", field=field)
    return text


def texts_of(value: Mapping[str, Any], field: str) -> list[str]:
    """The field's list of texts; one bare text is a list of one; None or nothing is an empty list.

    Raises:
        InputError: it holds anything else.
    """
    entries = value.get(field)
    if entries is None:
        return []
    if isinstance(entries, str):
        return [entries]
    if not isinstance(entries, list) or not all(isinstance(entry, str) for entry in entries):
        raise InputError(f"is not a list of texts but {_shown(entries)}", field=field)
    return entries


def id_of(value: Mapping[str, Any], field: str) -> str:
    """An id as text; whole numbers are taken too.

    Raises:
        InputError: it is missing, empty or of another kind.
    """
    given = value.get(field)
    if isinstance(given, int) and not isinstance(given, bool):
        return str(given)
    return text_of(value, field)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def assumed_stage(defaults: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    """The stage for a format that does not say it, and what goes into `extra`.

    The caller's default is taken at its word; else it is "middle", the stage in between, and `extra["assumed"]` names it, so
    that a report need not claim a stage that nobody stated.
    """
    if "stage" in defaults:
        return plain_name("stage", defaults["stage"]), {}
    return "middle", {"assumed": ["stage"]}
