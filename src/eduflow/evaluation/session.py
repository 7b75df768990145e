"""From what a user asks for to a finished run: `eduflow eval` and `eduflow grade`.

`evaluate` and `grade` here are the library's own form of these commands; the commands only parse and print.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import re
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from eduflow import __version__
from eduflow.engine import Endpoint, Engine, Run, atomic_write, load_config, probe_vision, resolve
from eduflow.engine.models import models_dir
from eduflow.engine.probe import accepts_images
from eduflow.errors import ConfigError, InputError
from eduflow.evaluation import driver, recorded
from eduflow.evaluation.budget import RunLimits
from eduflow.evaluation.driver import Driver, Evaluation
from eduflow.evaluation.estimate import Estimate, estimate
from eduflow.evaluation.figures import ImagePolicy, settle_input
from eduflow.evaluation.frame import Frame, selected
from eduflow.evaluation.published import beside
from eduflow.evaluation.recorded import Grading, Predictions, grade_recorded
from eduflow.evaluation.settings import EvalSettings, Finished, GradeSettings, ProblemSet, RunSettings
from eduflow.evaluation.survey import Selection, Survey, settle_language, survey
from eduflow.formats import Prediction, Reading, open_recorded, read_predictions
from eduflow.grade import Grader, Judge
from eduflow.problem import Problem
from eduflow.prompts import Prompts
from eduflow.report import source_of
from eduflow.solve import SolveOptions

T = TypeVar("T")
Tick = Callable[[int], None]

# Files from this size on (bytes) have their survey remembered.
REMEMBERED_FROM = 32 * 1024 * 1024


# --- eduflow eval ---------------------------------------------------------------------------------------------------


async def evaluate(settings: EvalSettings, *, tick: Tick = lambda _: None) -> Finished:
    """Evaluate a model on a set of problems; the run's folder holds the records and the report.

    Args:
        tick: told how many problems were looked at before the run starts.

    Raises:
        EduflowError: whatever the user has to mend; what was finished until then is kept.
    """
    common = settings.common
    config = load_config(common.config)
    solver = resolve(settings.solver, config)
    captioner = None if settings.captioner is None else resolve(settings.captioner, config)
    options = _options(settings)
    grader = _grader(common, lambda name: resolve(name, config))
    judge = None if grader.judge is None else grader.judge.endpoint
    _check_prices(common.limits, [asked for asked in (solver, captioner, judge) if asked is not None])
    problems = settings.problems.open()
    selection, found = look(settings.problems, problems, tick)
    folder = common.run or _default_folder(settings.problems.name, solver.name, selection.language)
    async with _opened(folder, common, grader) as (run, engine):
        sees = await _sees(engine, solver, settings.images, found)
        evaluation = Evaluation(
            problems=problems,
            name=settings.problems.name,
            selection=selection,
            survey=found,
            solver=solver,
            shown=settle_input(settings.images, found, sees=sees, captioner=captioner is not None),
            modes=settings.modes,
            samples=settings.samples,
            options=options,
            grader=grader,
            captioner=captioner,
            seed=common.seed,
        )
        about = {
            "modes": list(settings.modes),
            "samples": settings.samples,
        }
        frame = Frame(run, engine, common, evaluation.config(), driver.ALGORITHM, evaluation.planned)
        frame.begin(about, settings.problems, found)
        stopped = frame.stopped_before()
        if stopped is None and not frame.complete():
            with frame.progress() as advance:
                going = Driver(evaluation, run, engine, limits=common.limits, on_record=advance)
                stopped = await going.go()
        notes = [*_set_notes(found, settings.problems, selection.language), *found.skipped]
        return frame.end({**about, "notes": notes}, stopped)


async def dry_run(settings: EvalSettings, *, tick: Tick = lambda _: None) -> Estimate:
    """What the run would take. Makes no call, except that `auto` asks once whether an unknown solver sees images."""
    config = load_config(settings.common.config)
    solver = resolve(settings.solver, config)
    problems = settings.problems.open()
    selection = settle_language(problems, settings.problems.selection())
    found = survey(problems, selection, tick=tick)
    async with Engine(seed=settings.common.seed) as engine:
        sees = await _sees(engine, solver, settings.images, found)
    shown = settle_input(settings.images, found, sees=sees, captioner=settings.captioner is not None)
    grader = _grader(settings.common, lambda name: resolve(name, config))
    judge = grader.judge
    return estimate(
        found.drawn,
        found.problems,
        solver,
        modes=settings.modes,
        samples=settings.samples,
        shown=shown,
        options=_options(settings),
        judge_calls_each=0 if judge is None else (1 + judge.retries) * (2 if judge.swap else 1),
    )


def _check_prices(limits: RunLimits, endpoints: Iterable[Endpoint]) -> None:
    """A limit in money holds only where every call has a price."""
    for endpoint in endpoints:
        if limits.cost is not None and None in (endpoint.price_prompt, endpoint.price_completion):
            raise ConfigError(
                f"--max-cost needs the prices of endpoint '{endpoint.name}': write them into eduflow.toml, "
                "with zeros where it costs nothing"
            )


async def _sees(engine: Engine, solver: Endpoint, policy: ImagePolicy, found: Survey) -> bool | None:
    if policy not in ("auto", "send") or found.with_images == 0:
        return None
    if solver.vision is not None:
        return solver.vision
    # Who says "send" means it: the model need not prove that it reads well, only that it takes a picture.
    return await (accepts_images if policy == "send" else probe_vision)(engine, solver)


def _options(settings: EvalSettings) -> SolveOptions:
    return SolveOptions(
        temperature=settings.temperature,
        max_tokens=settings.max_tokens,
        few_shot=settings.few_shot,
        prompts=Prompts(settings.common.prompts),
    )


# --- eduflow grade --------------------------------------------------------------------------------------------------


async def grade(settings: GradeSettings, *, tick: Tick = lambda _: None) -> Finished:
    """Grade outputs that were made elsewhere; the run's folder holds the records and the report.

    Raises:
        EduflowError: whatever the user has to mend.
    """
    common = settings.common
    config = load_config(common.config) if common.judge else None
    problems = settings.problems.open()
    selection, found = look(settings.problems, problems, tick)
    rows: Reading[Prediction] = (
        open_recorded(settings.problems.path, settings.problems.format)
        if settings.predictions is None
        else read_predictions(settings.predictions, settings.columns or None)
    )
    name = settings.solver or (settings.predictions.stem if settings.predictions else "recorded")
    folder = common.run or _default_folder(settings.problems.name, name, selection.language)
    grader = _grader(common, lambda spec: resolve(spec, config) if config else _no_judge())
    with Predictions(rows, tick=tick) as predictions:
        if predictions.count == 0:
            left_out = "; ".join(_skip_notes(rows, "predictions"))
            message = "there are no predictions to grade" + (f": {left_out}" if left_out else "")
            raise InputError(message, path=settings.predictions or settings.problems.path)
        # A guess for the progress line: how they meet is known at the end.
        planned = max(predictions.count - predictions.repeated, found.problems * len(predictions.modes))
        async with _opened(folder, common, grader) as (run, engine):
            grading = Grading(
                problems=problems,
                name=settings.problems.name,
                selection=selection,
                survey=found,
                predictions=predictions,
                solver=name,
                shown=settings.shown,
                grader=grader,
                seed=common.seed,
            )
            frame = Frame(run, engine, common, grading.config(), recorded.ALGORITHM, planned)
            frame.begin({"modes": list(predictions.modes)}, settings.problems, found)
            with frame.progress() as advance:
                matched = await grade_recorded(grading, run, engine, on_record=advance)
            frame.planned = matched.graded + matched.missing
            unknown, unknown_first = predictions.unknown()
            counts = {
                "rows": predictions.count,
                "graded": matched.graded,
                "missing": matched.missing,
                "missing_first": matched.missing_first,
                "unknown": unknown,
                "unknown_first": unknown_first,
                "repeated": predictions.repeated,
                "repeated_first": predictions.repeated_first,
            }
            notes = [
                *_skip_notes(problems, "problems"),
                *_skip_notes(rows, "predictions"),
                *_match_notes(counts),
            ]
            about = {"modes": list(predictions.modes), "predictions": counts}
            finished = frame.end(
                {**about, "notes": [*_set_notes(found, settings.problems, selection.language), *notes]}, None
            )
            if settings.predictions is None:
                assert isinstance(problems, Reading)
                finished.published = beside(source_of(run), problems.format, settings.problems.path)
            return finished


def _match_notes(counts: Mapping[str, Any]) -> Iterator[str]:
    """What did not meet, in sentences."""
    for name, what in (
        ("missing", "problems have no prediction and are not scored"),
        ("unknown", "predictions belong to no problem that was taken"),
        ("repeated", "predictions repeat an id, mode and sample; the first counts"),
    ):
        if counts[name]:
            yield f"{counts[name]} {what}: {_listed(counts[name + '_first'], counts[name])}"


def _no_judge() -> Endpoint:
    raise AssertionError("an endpoint is resolved only where there is a judge")


# --- what both share ------------------------------------------------------------------------------------------------


def look(given: ProblemSet, problems: Iterable[Problem], tick: Tick) -> tuple[Selection, Survey]:
    """The settled selection of a set, and its survey; that of a big file is remembered while the file stays as it is.

    Without that, a run of a million problems would read them all twice before it goes on.
    """
    place = _memory_of(given)
    if place is not None:
        with contextlib.suppress(
            OSError, ValueError, KeyError, TypeError
        ):  # no memory, or one of another version
            kept = json.loads(place.read_bytes())
            return replace(given.selection(), language=kept["language"]), Survey.from_json(kept["survey"])
    selection = settle_language(problems, given.selection())
    found = survey(problems, selection, tick=tick)
    found.skipped = list(_skip_notes(problems, "problems"))
    if place is not None:
        with contextlib.suppress(
            OSError, InputError
        ):  # a cache folder that can't be written is no reason to stop
            place.parent.mkdir(parents=True, exist_ok=True)
            with atomic_write(place) as file:
                json.dump({"language": selection.language, "survey": found.to_json()}, file)
    return selection, found


def _memory_of(given: ProblemSet) -> Path | None:
    """Where the survey of a big file is remembered; None for small files, folders and packaged sets."""
    try:
        path = Path(given.path).resolve()
        facts = path.stat()
    except (OSError, ValueError):
        return None
    if not path.is_file() or facts.st_size < REMEMBERED_FROM:
        return None
    what = [str(path), facts.st_size, facts.st_mtime_ns, __version__, repr(given)]
    digest = hashlib.sha256(json.dumps(what).encode("utf-8", "backslashreplace")).hexdigest()
    return models_dir() / "surveys" / f"{digest}.json"


def _default_folder(problems: str, solver: str, language: str | None) -> Path:
    words = [Path(problems).stem if "." in problems else problems, solver, *([language] if language else [])]
    return Path("runs") / "-".join(re.sub(r"[^\w.]+", "_", word).strip("_") for word in words)


def _grader(common: RunSettings, endpoint: Callable[[str], Endpoint]) -> Grader:
    judge = None
    if common.judge is not None:
        asked = common.judge
        judge = Judge(
            endpoint(asked.endpoint),
            preset=asked.preset,
            swap=asked.swap,
            json_schema=asked.json_schema,
            seed=common.seed,
            prompts=Prompts(common.prompts),
        )
    return Grader(judge, common.second_opinion)


@asynccontextmanager
async def _opened(folder: Path, common: RunSettings, grader: Grader) -> AsyncIterator[tuple[Run, Engine]]:
    with ExitStack() as stack:
        stack.callback(grader.close)
        run = stack.enter_context(Run.open(folder))
        grader.keep_in(run)
        reuse = [stack.enter_context(Run.read(other)).journal for other in common.reuse]
        async with Engine(
            run.journal,
            seed=common.seed,
            retry_failed=common.retry_failed,
            reuse=reuse,
            local_log=folder / "logs",
        ) as engine:
            yield run, engine


def _set_notes(found: Survey, problems: ProblemSet, language: str | None) -> Iterator[str]:
    """What a reader of the figures must know of the set, in sentences. `language` is the one that was settled."""
    if problems.language is None and language is not None:
        yield f"the set has twins and nobody chose a language: only '{language}' was taken"
    if found.assumed_stage:
        yield f"the format does not say the stage of {found.assumed_stage} problems: a default stands for it"
    taken = [f"{name} {value}" for name, value in selected(problems).items() if value is not None]
    if taken:
        yield f"only a part of the set was taken: {', '.join(taken)}"


def _skip_notes(source: Iterable[Any], what: str) -> Iterator[str]:
    """The rows that a reader left out, in a sentence."""
    if isinstance(source, Reading) and source.skipped.total:
        skipped = source.skipped
        reasons = ", ".join(f"{count} {reason}" for reason, count in sorted(skipped.counts.items()))
        first = [
            f"{Path(skip.path).name}:{skip.line}: {skip.detail}" for skip in skipped.rows[: recorded.LISTED]
        ]
        yield f"{skipped.total} rows of the {what} were left out ({reasons}): {_listed(first, skipped.total)}"


def _listed(first: Sequence[str], total: int) -> str:
    return "; ".join(first) + ("; ..." if total > len(first) else "")


def run_now(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end from plain code."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    work.close()
    raise RuntimeError("an event loop is running: await the async form instead")
