"""MM-Eureka's K-12 test (arXiv 2503.07365): fill-ins with one picture, English, the source of MMK12's train split.

`k12.json`, one array, with `images/` beside it. An entry (our own content):

{"id": "5b1e...", "question": "As shown in the figure, the reading of the ruler is ____ cm.", "answer": "$$4.5$$", "image_path": "images/5b1e....png"}

Golds are messy and stay as they are. The data say neither subject nor stage: the subject is mathematics, as published; the stage is the caller's default,
else "middle", and `extra["assumed"]` says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from eduflow.formats.reading import Format, Row
from eduflow.formats.rows import entries, locate
from eduflow.formats.words import assumed_stage, id_of, language_of, text_of, texts_of
from eduflow.problem import Problem


def understand(row: Row, defaults: Mapping[str, str]) -> Problem:
    """The problem of an entry; `defaults["stage"]` is taken where it is given."""
    value: dict[str, Any] = row.value
    question = text_of(value, "question")
    folder = row.path.absolute().parent
    stage, assumed = assumed_stage(defaults)
    return Problem.parse(
        {
            "id": id_of(value, "id"),
            "subject": "math",
            "stage": stage,
            "type": "blank",
            "question": question,
            "images": [locate(name, folder) for name in texts_of(value, "image_path")],
            "answers": [text_of(value, "answer").strip()],
            "language": language_of(question),
            "source": "mm_eureka_k12",
            "extra": assumed,
        }
    )


def _rows(path: Path) -> Iterator[Row]:
    return entries(path / "k12.json" if path.is_dir() else path)


def _recognises(path: Path, head: Mapping[str, Any] | None) -> bool:
    if path.is_dir():
        return (path / "k12.json").is_file()
    return head is not None and {"id", "question", "answer", "image_path"} <= head.keys()


FORMAT = Format(
    name="mm_eureka_k12",
    about="MM-Eureka's K-12 test: the folder with k12.json, or that file",
    recognises=_recognises,
    rows=_rows,
    understand=understand,
)
