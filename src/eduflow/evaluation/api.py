"""The commands as plain functions, for notebooks and scripts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from eduflow.evaluation.budget import RunLimits
from eduflow.evaluation.figures import ImagePolicy
from eduflow.evaluation.session import evaluate as evaluate_async
from eduflow.evaluation.session import grade as grade_async
from eduflow.evaluation.session import run_now
from eduflow.evaluation.settings import (
    EvalSettings,
    Finished,
    GradeSettings,
    JudgeSettings,
    ProblemSet,
    RunSettings,
)
from eduflow.problem import Language, Mode
from eduflow.solve import ImageInput


def evaluate(
    problems: str | Path | ProblemSet,
    solver: str,
    *,
    language: Language | None = None,
    limit: int | None = None,
    modes: Sequence[Mode] = ("direct", "cot"),
    samples: int = 1,
    images: ImagePolicy = "auto",
    captioner: str | None = None,
    judge: str | JudgeSettings | None = None,
    temperature: float = 0.0,
    max_tokens: int = 4096,
    few_shot: int = 0,
    run: str | Path | None = None,
    config: str | Path | None = None,
    reuse: Sequence[str | Path] = (),
    limits: RunLimits | None = None,
    seed: int = 0,
    quiet: bool = False,
) -> Finished:
    """Evaluate a model on a set of problems, as `eduflow eval` does.

    Args:
        problems: a file or folder, "k12mini", or a `ProblemSet` where a format or a column map is needed.
        solver: a name from `eduflow.toml`, `URL#MODEL`, "local", or a GGUF file's path.
        judge: the endpoint that is asked about answers that don't match; None leaves these 0, as a lower bound.
        run: the run's folder; named after set and model where it is left out.
        limits: run-wide limits of this start.
        quiet: show no progress.

    Returns:
        Where the run is and how far it came; `eduflow.report` reads its records and figures.

    Raises:
        EduflowError: what the caller has to mend; finished calls are kept, and the same call goes on.
        RuntimeError: an event loop is running; await `eduflow.evaluation.evaluate` there.
    """
    settings = EvalSettings(
        problems=_problem_set(problems, language, limit),
        solver=solver,
        modes=tuple(modes),
        samples=samples,
        images=images,
        captioner=captioner,
        temperature=temperature,
        max_tokens=max_tokens,
        few_shot=few_shot,
        common=_common(judge, run, config, reuse, limits, seed, quiet),
    )
    return run_now(evaluate_async(settings))


def grade_predictions(
    problems: str | Path | ProblemSet,
    predictions: str | Path | None,
    *,
    columns: Mapping[str, str] | None = None,
    solver: str | None = None,
    shown: ImageInput = "images",
    language: Language | None = None,
    limit: int | None = None,
    judge: str | JudgeSettings | None = None,
    run: str | Path | None = None,
    config: str | Path | None = None,
    reuse: Sequence[str | Path] = (),
    seed: int = 0,
    quiet: bool = False,
) -> Finished:
    """Grade outputs that were made elsewhere, as `eduflow grade` does.

    Args:
        predictions: JSONL or CSV with id and output; None takes those that the problems' format records.
        columns: field of a prediction → column of the file.
        solver: what to call the model; the file's name where it is left out.
        shown: what the model saw of problems with images.

    Raises:
        As `evaluate`.
    """
    settings = GradeSettings(
        problems=_problem_set(problems, language, limit),
        predictions=None if predictions is None else Path(predictions),
        columns=columns or {},
        solver=solver,
        shown=shown,
        common=_common(judge, run, config, reuse, None, seed, quiet),
    )
    return run_now(grade_async(settings))


def _problem_set(
    problems: str | Path | ProblemSet, language: Language | None, limit: int | None
) -> ProblemSet:
    if isinstance(problems, ProblemSet):
        return problems
    return ProblemSet(str(problems), language=language, limit=limit)


def _common(
    judge: str | JudgeSettings | None,
    run: str | Path | None,
    config: str | Path | None,
    reuse: Sequence[str | Path],
    limits: RunLimits | None,
    seed: int,
    quiet: bool,
) -> RunSettings:
    return RunSettings(
        run=None if run is None else Path(run),
        config=None if config is None else Path(config),
        judge=JudgeSettings(judge) if isinstance(judge, str) else judge,
        seed=seed,
        reuse=tuple(Path(path) for path in reuse),
        limits=limits or RunLimits(),
        quiet=quiet,
    )
