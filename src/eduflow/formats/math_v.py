"""MATH-Vision (arXiv 2402.14804): mathematics competition problems with pictures, and outputs of models.

`test.jsonl`, with `images/` beside it. A row (our own content):

{"id": "17", "question": "Which shape has four corners?\\n<image1>", "options": ["A", "B", "C", "D", "E"], "answer": "C", "solution": null,
 "level": 2, "subject": "descriptive geometry", "image": "images/17.jpg"}

There is one picture a row. A question with the one mark `<image1>` gets `<image>` for it; where a question has several, they name parts of that one
picture and stay, and `<image>` is put before the question. Where there is no folder `images/`, the marks stay and the problem has no images.
Options are a list that the letters A to E count; often they are bare letters, because the picture shows them. The stage is not said: it is the
caller's default, else "middle", and `extra["assumed"]` says so. `level` (1 to 5) is kept in `extra`.

`outputs/NAME.jsonl`, a row: {"id": "17", "model": "...", "response": "...\\\\boxed{C}", "model_answer": "c", "correct": true}
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from eduflow.errors import InputError
from eduflow.formats.lines import read_document
from eduflow.formats.options import choice_letters
from eduflow.formats.predictions import Prediction
from eduflow.formats.reading import Format, OnBad, Reading, Row
from eduflow.formats.rows import locate, object_rows
from eduflow.formats.words import assumed_stage, id_of, text_of, texts_of
from eduflow.problem import Problem

_MARK = re.compile(r"<image\d+>")
_RATE = re.compile(r"(\d+)/(\d+)=")


def understand(row: Row, defaults: Mapping[str, str]) -> Problem:
    """The problem of a row; `defaults["stage"]` is taken where it is given."""
    value: dict[str, Any] = row.value
    question = text_of(value, "question")
    marks = _MARK.findall(question)
    if len(marks) == 1:
        question = question.replace(marks[0], "<image>")
    elif marks:
        question = "<image>\n" + question
    texts = texts_of(value, "options")
    answer = text_of(value, "answer").strip()
    folder = row.path.absolute().parent
    images = texts_of(value, "image") if (folder / "images").is_dir() else []
    stage, assumed = assumed_stage(defaults)
    return Problem.parse(
        {
            "id": id_of(value, "id"),
            "subject": "math",
            "stage": stage,
            "type": "choice" if texts else "blank",
            "question": question,
            "images": [locate(name, folder) for name in images],
            "options": [{"key": chr(ord("A") + i), "text": text} for i, text in enumerate(texts)],
            "answers": [choice_letters(answer) or answer if texts else answer],
            "solution": [text for text in texts_of(value, "solution") if text.strip()],
            "knowledge_points": texts_of(value, "subject"),
            "language": "en",
            "source": "math_v",
            "extra": {
                **({"level": value["level"]} if "level" in value else {}),
                **assumed,
                **({"options_in_question": texts == list("ABCDE")} if texts else {}),
            },
        }
    )


def _recorded(row: Row) -> Prediction:
    value: dict[str, Any] = row.value
    output = value.get("response")
    if not isinstance(output, str):
        raise InputError("is missing or no text", field="response")
    extra: dict[str, Any] = {
        name: value[name] for name in ("model", "model_answer", "correct") if name in value
    }
    return Prediction(id=id_of(value, "id"), output=output, mode="cot", line=row.line, extra=extra)


def _rows(path: Path) -> Iterator[Row]:
    return object_rows(path / "test.jsonl" if path.is_dir() else path)


def _recognises(path: Path, head: Mapping[str, Any] | None) -> bool:
    if path.is_dir():
        return (path / "test.jsonl").is_file()
    return head is not None and {"id", "question", "options", "answer", "level"} <= head.keys()


FORMAT = Format(
    name="math_v",
    about="MATH-Vision: the folder with test.jsonl, or that file",
    recognises=_recognises,
    rows=_rows,
    understand=understand,
)


def _outputs(path: Path, name: str | None) -> Path:
    if path.is_file() and path.name != "test.jsonl":
        return path
    folder = (path if path.is_dir() else path.parent) / "outputs"
    names = sorted(file.stem for file in folder.glob("*.jsonl"))
    if name is None and len(names) == 1:
        name = names[0]
    if name is None or name not in names:
        raise InputError(f"name the outputs to read; there are: {', '.join(names) or 'none'}", path=folder)
    return folder / f"{name}.jsonl"


def recorded(path: str | Path, name: str | None = None, on_bad: OnBad = "skip") -> Reading[Prediction]:
    """The outputs of a model, from `outputs/NAME.jsonl`; the name may be left out where there is one file.

    `extra["correct"]` is the published flag, `extra["model_answer"]` what the publishers read from the output.

    Raises:
        InputError: there is no such file, or several and no name.
    """
    place = _outputs(Path(path), name)
    return Reading(place, "math_v outputs", lambda: object_rows(place), _recorded, on_bad)


def published_scores(path: str | Path, name: str | None = None) -> dict[str, tuple[int, int]]:
    """The published table as (right, all) by its keys: "-all", "-level1", "-algebra", ...; {} where it is not there.

    Raises:
        InputError: the file is there and not as described.
    """
    outputs = _outputs(Path(path), name)
    file = outputs.with_name(f"{outputs.stem}_result.json")
    if not file.is_file():
        return {}
    document = read_document(file)
    if not isinstance(document, dict):
        raise InputError("is not a table of published scores", path=file)
    rates = {key: _RATE.match(text) for key, text in document.items() if isinstance(text, str)}
    return {key: (int(rate[1]), int(rate[2])) for key, rate in rates.items() if rate}
