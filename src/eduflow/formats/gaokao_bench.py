"""GAOKAO-Bench (arXiv 2305.12474): college entrance examination questions in text, with the outputs of models.

One JSON file per subject and type, `{"keyword": "2010-2022_Physics_MCQs", "model_name": ..., "prompt": ..., "example": [...]}`. An entry
(our own content):

{"index": 7, "year": "2031", "category": "（示例卷）", "score": 6, "question": "下列说法正确的是\\nA. 甲\\nB. 乙\\nC. 丙\\nD. 丁",
 "standard_answer": ["BD"], "analysis": "乙、丁正确。", "model_answer": ["B"], "model_output": "【解析】…<eoe>\\n【答案】B<eoa>"}

Multiple choice has a list with the letters, other types one text (`standard_answer` is not split into sub-answers: the data do not say
where). `model_answer` is what the publishers read from `model_output`; files of questions alone have neither. `score` is the mark, kept
in `extra`. Files of other subjects (history, English, ...) are counted and left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eduflow.errors import InputError
from eduflow.formats.gaokao_mm import choice_of, subject_of
from eduflow.formats.lines import read_document
from eduflow.formats.options import parse_options
from eduflow.formats.predictions import Prediction
from eduflow.formats.reading import Format, OnBad, Reading, Row
from eduflow.formats.rows import entries
from eduflow.formats.words import id_of, text_of
from eduflow.problem import Problem, ProblemType

_WHERE = ("Data/*/*.json", "Results/*/*.json", "*/*.json", "*.json")
_KEYWORD = re.compile(r"\d{4}-\d{4}_.*(?=\.json$)")


def _type_of(keyword: str) -> ProblemType:
    if keyword.endswith("_MCQs"):
        return "choice"
    return "blank" if "Fill-in" in keyword else "free"


def _id(value: Mapping[str, Any]) -> str:
    return f"{text_of(value, 'keyword')}-{id_of(value, 'index')}"


def understand(row: Row, defaults: Mapping[str, str]) -> Problem:
    """The problem of an entry; the stage is high, as the examination is."""
    value: dict[str, Any] = row.value
    keyword = text_of(value, "keyword")
    kind = _type_of(keyword)
    question = text_of(value, "question")
    if kind == "choice":
        golds = choice_of(value, "standard_answer")
        options = parse_options(question, golds)
    else:
        golds, options = [text_of(value, "standard_answer").strip()], ()
    analysis = value.get("analysis")
    return Problem.parse(
        {
            "id": _id(value),
            "subject": subject_of(keyword),
            "stage": "high",
            "type": kind,
            "question": question,
            "options": options,
            "answers": golds,
            "solution": [analysis] if isinstance(analysis, str) and analysis.strip() else [],
            "language": "zh",
            "source": "gaokao_bench",
            "extra": {
                **({"options_in_question": True} if kind == "choice" else {}),
                "keyword": keyword,
                **{name: value[name] for name in ("year", "category", "score") if name in value},
            },
        }
    )


def _recorded(row: Row) -> Prediction:
    value: dict[str, Any] = row.value
    subject_of(value.get("keyword"))
    output = value.get("model_output")
    if not isinstance(output, str):
        raise InputError("is missing or no text", field="model_output")
    extra = {name: value[name] for name in ("model_answer",) if name in value}
    return Prediction(
        id=_id(value),
        output=output,
        mode="cot",
        line=row.line,
        extra={"model": value.get("model_name"), **extra},
    )


def _files(path: Path) -> list[tuple[str, Path]]:
    """The files of a folder with the keyword in each one's name; questions alone are preferred to outputs."""
    if path.is_file():
        return [("", path)]
    for pattern in _WHERE:
        found = [
            (match[0], file) for file in sorted(path.glob(pattern)) if (match := _KEYWORD.search(file.name))
        ]
        if found:
            return found
    return []


def _rows(path: Path) -> Iterator[Row]:
    # Several models' outputs hold the same questions; one file of each is enough.
    files = dict(reversed(_files(path)))
    if not files:
        raise InputError("holds no JSON file of GAOKAO-Bench", path=path)
    for file in sorted(files.values()):
        yield from entries(file, ("keyword", "model_name"))


def _recorded_rows(path: Path) -> Iterator[Row]:
    files = _files(path / "Results") or _files(path)
    if len(dict(files)) < len(files):
        raise InputError("holds the outputs of several models; name the folder of one", path=path)
    if not files:
        raise InputError("holds no JSON file of GAOKAO-Bench", path=path)
    for _, file in files:
        yield from entries(file, ("keyword", "model_name"))


def _recognises(path: Path, head: Mapping[str, Any] | None) -> bool:
    if path.is_dir():
        return bool(_files(path))
    return head is not None and {"standard_answer", "question"} <= head.keys()


FORMAT = Format(
    name="gaokao_bench",
    about="GAOKAO-Bench: the folder or one of its JSON files, with recorded outputs",
    recognises=_recognises,
    rows=_rows,
    understand=understand,
)


def recorded(path: str | Path, on_bad: OnBad = "skip") -> Reading[Prediction]:
    """The outputs that the files record, one per problem; `extra["model_answer"]` is what the publishers read from it."""
    place = Path(path)
    return Reading(place, "gaokao_bench outputs", lambda: _recorded_rows(place), _recorded, on_bad)


@dataclass(frozen=True, slots=True)
class PublishedScore:
    """A published figure of one subject and type: marks reached, marks possible, and how many questions they count."""

    correct: float
    total: float
    questions: int


def published_scores(path: str | Path) -> dict[str, PublishedScore]:
    """The published marks by keyword ("2010-2022_Physics_MCQs"), from `result/correction_score.json`; {} where it is not there.

    Raises:
        InputError: the file is there and not as described.
    """
    place = Path(path)
    pattern = "**/correction_score.json"
    files = [place] if place.name == "correction_score.json" else sorted(place.glob(pattern))
    scores: dict[str, PublishedScore] = {}
    for file in files:
        document = read_document(file)
        try:
            for subject in document["subject"].values():
                for keyword, score in subject["type"].items():
                    scores[keyword] = PublishedScore(
                        float(score["correct_score"]), float(score["total_score"]), int(score["question_num"])
                    )
        except (KeyError, TypeError, AttributeError, ValueError):
            raise InputError("is not a table of published scores", path=file) from None
    return scores
