"""GAOKAO-MM (arXiv 2402.15745): multiple-choice questions of the college entrance examination, with 1 to 5 pictures.

A folder `Data/` with one JSON file per subject, `{"keywords": "2010-2023_Math_MCQs", "example": [...]}`. An entry (our own content):

{"index": 3, "year": "2031", "category": "示例卷", "score": 5, "question": "如图，阴影部分的面积为 ( )\\nA. 2\\nB. 4\\nC. 6\\nD. 8",
 "picture": ["../Data/2010-2023_Math_MCQs/2010-2023_Math_MCQs_3_0.png"], "answer": ["B"], "analysis": "【解答】解: 底 4 高 2。\\n故选: B。"}

`picture` is relative to a folder `Bench/` beside `Data/`, which need not be there. `answer` holds one text, several letters where
several are right. There are no image marks in the question; the pictures go before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from eduflow.errors import InputError
from eduflow.formats.options import choice_letters, parse_options
from eduflow.formats.reading import Format, OtherSubject, Row
from eduflow.formats.rows import entries, json_files, locate
from eduflow.formats.words import id_of, plain_name, text_of, texts_of
from eduflow.problem import Problem

_WHERE = ("Data/*_MCQs.json", "*_MCQs.json")


def subject_of(keyword: Any) -> str:
    """The subject in "2010-2023_Math_MCQs" or "2010-2022_Math_II_MCQs".

    Raises:
        OtherSubject: it names one that EduFlow does not have.
    """
    parts = keyword.split("_") if isinstance(keyword, str) else []
    if len(parts) < 2:
        raise InputError(f"is not like '2010-2023_Math_MCQs' but {keyword!r}", field="keywords")
    try:
        return plain_name("subject", parts[1])
    except InputError as error:
        raise OtherSubject(error.message, field="keywords") from None


def choice_of(value: Mapping[str, Any], field: str) -> list[str]:
    """The answer letters of an entry as a list of one; other texts stay as they are.

    Raises:
        InputError: there is no answer.
    """
    golds = [gold.strip() for gold in texts_of(value, field) if gold.strip()]
    if not golds:
        raise InputError("has no answer", field=field)
    return [choice_letters(gold) or gold for gold in golds]


def understand(row: Row, defaults: Mapping[str, str]) -> Problem:
    """The problem of an entry; the stage is high, as the examination is."""
    value: dict[str, Any] = row.value
    keyword = text_of(value, "keywords")
    question = text_of(value, "question")
    golds = choice_of(value, "answer")
    base = row.path.absolute().parent.parent / "Bench"
    return Problem.parse(
        {
            "id": f"{keyword}-{id_of(value, 'index')}",
            "subject": subject_of(keyword),
            "stage": "high",
            "type": "choice",
            "question": question,
            "images": [locate(name, base) for name in texts_of(value, "picture")],
            "options": parse_options(question, golds),
            "answers": golds,
            "solution": [text for text in texts_of(value, "analysis") if text.strip()],
            "language": "zh",
            "source": "gaokao_mm",
            "extra": {
                "options_in_question": True,
                **{name: value[name] for name in ("year", "category", "score") if name in value},
            },
        }
    )


def _rows(path: Path) -> Iterator[Row]:
    files = json_files(path, _WHERE)
    if not files:
        raise InputError("has no file *_MCQs.json, nor a folder Data with one", path=path)
    for file in files:
        yield from entries(file, ("keywords",))


def _recognises(path: Path, head: Mapping[str, Any] | None) -> bool:
    if path.is_dir():
        return any((file.parent / file.stem).is_dir() for file in json_files(path, _WHERE))
    return head is not None and {"picture", "answer", "analysis"} <= head.keys()


FORMAT = Format(
    name="gaokao_mm",
    about="GAOKAO-MM: the folder, its Data folder, or one of its JSON files",
    recognises=_recognises,
    rows=_rows,
    understand=understand,
)
