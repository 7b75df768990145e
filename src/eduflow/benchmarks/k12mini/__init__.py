"""K12-Mini: EduFlow's own problems in Chinese with English twins, each with a figure that is needed to answer it.

One row of `problems.jsonl`, shortened:

{"id": "math-g6-blank-1-en", "group": "math-g6-blank-1", "subject": "math", "stage": "primary", "grade": 6,
 "type": "blank", "language": "en", "question": "... The perimeter of the shaded part is ____ cm ...\\n<image>",
 "images": [{"path": "figures/math-g6-blank-1.png"}], "captions": ["A square ABCD with A top left ..."],
 "answers": ["25.12", "36.48"], "solution": ["The border ...", "..."], "knowledge_points": ["..."],
 "source": "K12-Mini"}

The rows and figures are built by `workshop/k12mini` in the repository; docs/k12mini.md says how and what they cover.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources
from pathlib import Path

from eduflow.errors import InputError
from eduflow.formats import open_problems
from eduflow.problem import Language, Problem

__all__ = ["FOLDER", "load"]

FOLDER = Path(str(resources.files(__name__)))


def load(language: Language | None = None) -> Iterator[Problem]:
    """The problems in the order of subject, stage, type and number; paths of figures are absolute.

    Args:
        language: one of the twins; None gives both, each Chinese problem before its English twin.

    Raises:
        InputError: the package's data is missing (it was installed without its files).
    """
    path = FOLDER / "problems.jsonl"
    if not path.is_file():
        raise InputError("the problems of K12-Mini are not installed", path=path)
    for problem in open_problems(path, "eduflow"):
        if language is None or problem.language == language:
            yield problem
