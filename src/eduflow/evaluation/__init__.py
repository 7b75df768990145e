"""Evaluating a model, or grading outputs that were made elsewhere: from a request to a finished run."""

from eduflow.evaluation.budget import RunLimits
from eduflow.evaluation.session import dry_run, evaluate, grade, run_now
from eduflow.evaluation.settings import (
    EvalSettings,
    Finished,
    GradeSettings,
    JudgeSettings,
    ProblemSet,
    RunSettings,
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
