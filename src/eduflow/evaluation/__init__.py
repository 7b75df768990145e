"""Evaluating a model, or grading outputs that were made elsewhere: from a request to a finished run."""

from eduflow.evaluation.budget import RunLimits
from eduflow.evaluation.session import (
    EvalSettings,
    Finished,
    GradeSettings,
    JudgeSettings,
    ProblemSet,
    RunSettings,
    dry_run,
    evaluate,
    grade,
    run_now,
)

__all__ = [
    "EvalSettings",
    "Finished",
    "GradeSettings",
    "JudgeSettings",
    "ProblemSet",
    "RunLimits",
    "RunSettings",
    "dry_run",
    "evaluate",
    "grade",
    "run_now",
]
