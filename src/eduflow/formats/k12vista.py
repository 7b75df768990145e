"""K12Vista (arXiv 2506.01676): school problems with pictures, JSONL. A row (our own content, the base64 cut short):

{"hash_id": "3f0c...", "question": "<image>图中温度计的示数是____℃。", "type": "填空题", "subject": "physics-g9",
 "img": "iVBORw0K...", "format_answer": {"ground_truth": ["26"], "format_solution": ["每小格为 2 ℃。", "示数为 26 ℃。"]}}

`subject` joins subject and grade: g6 is primary, g9 middle, g12 high. `type` is 选择题, 填空题 or 问答题. `ground_truth` has one entry
per blank or sub-answer and is taken as it is; the options of a choice stand in the question.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from eduflow.errors import InputError
from eduflow.formats.options import choice_letters, parse_options
from eduflow.formats.pictures import image_of_base64
from eduflow.formats.reading import BrokenImage, Format, Row
from eduflow.formats.rows import object_rows
from eduflow.formats.words import id_of, language_of, plain_name, text_of, texts_of
from eduflow.problem import IMAGE_MARK, Problem, stage_of

_SUBJECT = re.compile(r"([a-z]+)-g(\d{1,2})")


def understand(row: Row, defaults: Mapping[str, str]) -> Problem:
    """The problem of a K12Vista row. The caller's defaults change nothing: the format says everything."""
    value: dict[str, Any] = row.value
    question = text_of(value, "question")
    place = _SUBJECT.fullmatch(text_of(value, "subject"))
    if place is None or not 1 <= int(place[2]) <= 12:
        raise InputError(
            f"is not a subject and grade such as 'math-g6': {value['subject']!r}", field="subject"
        )
    grade = int(place[2])
    kind = plain_name("type", text_of(value, "type"))
    answer = value.get("format_answer")
    if not isinstance(answer, dict):
        raise InputError("is missing or no object", field="format_answer")
    golds = [gold.strip() for gold in texts_of(answer, "ground_truth")]
    if not golds or not all(golds):
        raise InputError("has no entry, or an empty one", field="format_answer.ground_truth")
    if kind == "choice":
        golds = [choice_letters(gold) or gold for gold in golds]
    options = parse_options(question, golds) if kind == "choice" else ()
    images = [image for image in texts_of(value, "img") if image.strip()]
    if IMAGE_MARK in question and not images:
        raise BrokenImage("the image is missing", field="img")
    return Problem.parse(
        {
            "id": id_of(value, "hash_id"),
            "subject": plain_name("subject", place[1]),
            "stage": stage_of(grade),
            "grade": grade,
            "type": kind,
            "question": question,
            "images": [image_of_base64(image, "img") for image in images],
            "options": options,
            "answers": golds,
            "solution": texts_of(answer, "format_solution"),
            "language": language_of(question),
            "source": "k12vista",
            "extra": {"options_in_question": True} if kind == "choice" else {},
        }
    )


def _recognises(path: Path, head: Mapping[str, Any] | None) -> bool:
    return head is not None and {"hash_id", "question", "format_answer"} <= head.keys()


FORMAT = Format(
    name="k12vista",
    about="K12Vista JSONL",
    recognises=_recognises,
    rows=object_rows,
    understand=understand,
)
