"""Whatever stands in a row, every format makes a problem of it or refuses it in one sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eduflow.formats import FORMATS
from eduflow.formats.predictions import understand as understand_prediction
from eduflow.formats.reading import Row
from eduflow.formats.table import problem_of
from eduflow.problem import Problem
from tests.support.refusal import refusal

# Keys of every format, and values that are right in one and wrong in another.
_KEYS = [
    "id",
    "hash_id",
    "question",
    "type",
    "subject",
    "img",
    "image",
    "image_path",
    "images",
    "picture",
    "format_answer",
    "answer",
    "answers",
    "options",
    "level",
    "standard_answer",
    "analysis",
    "keyword",
    "keywords",
    "index",
    "solution",
    "stage",
    "grade",
    "language",
    "extra",
    "captions",
    "difficulty",
    "output",
    "sample",
    "mode",
    "model_output",
    "response",
]
_WORDS = [
    "", " ", "A", "AC", "math", "math-g6", "physics-g99", "选择题", "填空题", "high", "zh", "<image>", "x\0y", "a.png", "data:,", "QUJD",
    "http://example.org", "2010-2022_Physics_MCQs", "2010-2022_Art_MCQs", "_", "A. 1\nB. 2\nC. 3", "[", '["1"]', "1e9", "九",
]  # fmt: skip
_scalar = (
    st.sampled_from(_WORDS)
    | st.none()
    | st.booleans()
    | st.integers(-2, 20)
    | st.floats()
    | st.binary(max_size=3)
)
_value = st.recursive(
    _scalar,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["path", "data", "bytes", "ground_truth", "key", "text", "A"]), inner, max_size=3
        )
    ),
    max_leaves=6,
)
_row = st.dictionaries(st.sampled_from(_KEYS), _value, max_size=12)


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=80, deadline=None)
@given(value=_row)
def test_published_formats(name: str, value: dict[str, Any]) -> None:
    row = Row(Path("folder/file.json"), 1, value)
    said = refusal(lambda: FORMATS[name].understand(row, {}))
    assert said is None or (said and "\n" not in said)


@settings(max_examples=150, deadline=None)
@given(value=_row)
def test_tables_and_predictions(value: dict[str, Any]) -> None:
    row = Row(Path("folder/file.csv"), 1, value)
    defaults = {"subject": "math", "stage": "high", "type": "choice"}
    assert "\n" not in (refusal(lambda: problem_of(row, {}, defaults)) or "")
    assert "\n" not in (refusal(lambda: understand_prediction(row)) or "")


@settings(max_examples=80, deadline=None)
@given(
    changes=st.dictionaries(st.sampled_from([*Problem.model_fields]), _value, max_size=3),
)
def test_nearly_good_rows(changes: dict[str, Any]) -> None:
    good = {
        "id": "p",
        "subject": "math",
        "stage": "high",
        "type": "blank",
        "question": "?",
        "answers": ["1"],
        "language": "en",
    }
    row = Row(Path("folder/file.jsonl"), 1, {**good, **changes})
    for name in ("eduflow", "parquet"):
        assert "\n" not in (refusal(lambda name=name: FORMATS[name].understand(row, {})) or "")  # type: ignore[misc]
    assert "\n" not in (refusal(lambda: problem_of(row, {}, {})) or "")
