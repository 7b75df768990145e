"""EduFlow: step-by-step reasoning on K-12 problems.

`eduflow.evaluate` and `eduflow.grade_predictions` do in Python what `eduflow eval` and `eduflow grade` do:

    import eduflow

    finished = eduflow.evaluate("k12mini", "local", language="en")
    print((finished.folder / "report.md").read_text())
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from eduflow.evaluation import (
        Finished,
        JudgeSettings,
        ProblemSet,
        RunLimits,
        RunSettings,
    )
    from eduflow.evaluation.api import evaluate, grade_predictions
    from eduflow.formats import open_problems
    from eduflow.problem import Problem

__version__ = "0.1.0"

# Imported when they are first asked for, so that `import eduflow` and the commands start quickly.
_HOMES = {
    "Finished": "eduflow.evaluation",
    "JudgeSettings": "eduflow.evaluation",
    "Problem": "eduflow.problem",
    "ProblemSet": "eduflow.evaluation",
    "RunLimits": "eduflow.evaluation",
    "RunSettings": "eduflow.evaluation",
    "evaluate": "eduflow.evaluation.api",
    "grade_predictions": "eduflow.evaluation.api",
    "open_problems": "eduflow.formats",
}

__all__ = [
    "Finished",
    "JudgeSettings",
    "Problem",
    "ProblemSet",
    "RunLimits",
    "RunSettings",
    "__version__",
    "evaluate",
    "grade_predictions",
    "open_problems",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'eduflow' has no attribute '{name}'")
