"""From what a user asks for to a finished run: the sets, endpoints and limits of `eduflow eval` and `eduflow grade`.

`evaluate` and `grade` here are the library's own form of these commands; the commands only parse and print.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import platform
import re
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

from eduflow import __version__
from eduflow.engine import Endpoint, Engine, Progress, Run, atomic_write, load_config, probe_vision, resolve
from eduflow.engine.models import models_dir
from eduflow.engine.probe import accepts_images
from eduflow.errors import ConfigError, InputError
from eduflow.evaluation import driver, recorded
from eduflow.evaluation.budget import RunLimits
from eduflow.evaluation.driver import Driver, Evaluation, settle_config
from eduflow.evaluation.estimate import Estimate, estimate
from eduflow.evaluation.figures import ImagePolicy, settle_input
from eduflow.evaluation.keep import rescued
from eduflow.evaluation.published import beside
from eduflow.evaluation.recorded import Grading, Predictions, grade_recorded
from eduflow.evaluation.survey import Selection, Survey, settle_language, survey
from eduflow.formats import Prediction, Reading, open_problems, open_recorded, read_predictions
from eduflow.grade import Grader, Judge, write_rescues
from eduflow.problem import LANGUAGES, MODES, Language, Mode, Problem
from eduflow.prompts import Prompts
from eduflow.report import Grid, Record, config_hash, source_of, write_report
from eduflow.solve import ImageInput, SolveOptions

T = TypeVar("T")
Tick = Callable[[int], None]

# Files from this size on (bytes) have their survey remembered.
REMEMBERED_FROM = 32 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class ProblemSet:
    """Which problems: a file, a folder, or a set that comes with EduFlow ("k12mini").

    Args:
        path: the file or folder, or the name.
        format: a format's name; None to tell by the look of it.
        columns, defaults: for plain tables: field → column, and field → value where there is no column.
        language, limit, per_cell, shard: see `Selection`.
    """

    path: str
    format: str | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    defaults: Mapping[str, str] = field(default_factory=dict)
    language: Language | None = None
    limit: int | None = None
    per_cell: int | None = None
    shard: tuple[int, int] | None = None

    @property
    def name(self) -> str:
        return self.path if self.path in PACKAGED else Path(self.path).resolve().name

    def selection(self) -> Selection:
        if self.language not in (None, *LANGUAGES):
            raise ConfigError(f"unknown language '{self.language}'; known: {', '.join(LANGUAGES)}")
        for name in ("limit", "per_cell"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ConfigError(f"--{name.replace('_', '-')} must be at least 1, not {value}")
        return Selection(self.language, self.limit, self.per_cell, self.shard)

    def open(self) -> Iterable[Problem]:
        """The problems; iterated as often as one likes."""
        if self.path in PACKAGED:
            return PACKAGED[self.path]()
        return open_problems(
            self.path, self.format, columns=self.columns or None, defaults=self.defaults or None
        )


class _K12Mini:
    def __iter__(self) -> Iterator[Problem]:
        from eduflow.benchmarks import k12mini

        return iter(k12mini.load(None))


PACKAGED: dict[str, Callable[[], Iterable[Problem]]] = {"k12mini": _K12Mini}


@dataclass(frozen=True, slots=True)
class JudgeSettings:
    """The judge: an endpoint's name, and how it is asked (see `Judge`)."""

    endpoint: str
    preset: Literal["eduflow", "k12vista"] = "eduflow"
    swap: bool = False
    json_schema: bool = False


@dataclass(frozen=True, slots=True)
class RunSettings:
    """What both commands share.

    Args:
        run: the run's folder; None for one named after set and solver under `runs/`.
        config: the endpoints' file; None to look in the usual places.
        judge: asked on a miss; None leaves misses 0, as a lower bound.
        second_opinion: "math-verify" to ask it behind the comparators.
        prompts: a folder of templates that replace the package's.
        seed: the run's seed.
        reuse: runs whose calls are taken over instead of being made.
        retry_failed: ask failed calls again.
        recompute: make every record anew from the journalled calls.
        go_on: continue a run that a limit stopped.
        limits: run-wide limits of this start.
        quiet: show no progress.
    """

    run: Path | None = None
    config: Path | None = None
    judge: JudgeSettings | None = None
    second_opinion: Literal["math-verify"] | None = None
    prompts: Path | None = None
    seed: int = 0
    reuse: tuple[Path, ...] = ()
    retry_failed: bool = False
    recompute: bool = False
    go_on: bool = False
    limits: RunLimits = field(default_factory=RunLimits)
    quiet: bool = True


@dataclass(frozen=True, slots=True)
class EvalSettings:
    """What `eduflow eval` is asked for.

    Args:
        problems, solver: the set, and an endpoint by name, `URL#MODEL`, `local`, or a GGUF file's path.
        modes, samples: records per problem. More than one sample needs a temperature above 0.
        images: see `settle_input`.
        captioner: the endpoint that makes captions where they are needed and missing.
        common: what is shared with `eduflow grade`.
    """

    problems: ProblemSet
    solver: str
    modes: tuple[Mode, ...] = ("direct", "cot")
    samples: int = 1
    images: ImagePolicy = "auto"
    captioner: str | None = None
    temperature: float = 0.0
    max_tokens: int = 4096
    few_shot: int = 0
    common: RunSettings = field(default_factory=RunSettings)

    def __post_init__(self) -> None:
        for mode in self.modes:
            if mode not in MODES:
                raise ConfigError(f"unknown mode '{mode}'; known: {', '.join(MODES)}")
        if not self.modes or len(set(self.modes)) != len(self.modes):
            raise ConfigError("--mode names each mode once, for example direct,cot")
        if self.images not in get_args(ImagePolicy):
            raise ConfigError(f"--images is {', '.join(get_args(ImagePolicy))}, not '{self.images}'")
        if self.samples < 1:
            raise ConfigError(f"--samples must be at least 1, not {self.samples}")
        if self.samples > 1 and self.temperature <= 0:
            raise ConfigError(
                "several samples at temperature 0 are all alike; add --temperature 0.8, for example"
            )
        if self.max_tokens < 1:
            raise ConfigError(f"--max-tokens must be at least 1, not {self.max_tokens}")
        if not 0 <= self.temperature <= 2:
            raise ConfigError(f"--temperature goes from 0 to 2, not {self.temperature}")


@dataclass(frozen=True, slots=True)
class GradeSettings:
    """What `eduflow grade` is asked for.

    Args:
        problems: the set.
        predictions: the outputs; None takes those that the format records beside its problems.
        columns: field of a prediction → column of the file.
        solver: what to call the solver; None for the file's name.
        shown: what the solver is taken to have seen of problems with images.
        common: what is shared with `eduflow eval`.
    """

    problems: ProblemSet
    predictions: Path | None
    columns: Mapping[str, str] = field(default_factory=dict)
    solver: str | None = None
    shown: ImageInput = "images"
    common: RunSettings = field(default_factory=RunSettings)


@dataclass(slots=True)
class Finished:
    """A run after its start has ended.

    `made` counts the calls made now; `records` what the run holds of `planned`; `stopped` the limit that struck, if one did.
    `recomputed` says, after `recompute`, whether the records are the same as before. `published` are tables of our figures beside published
    ones, for recorded outputs that come with some.
    """

    folder: Path
    records: int
    planned: int
    made: int
    stopped: str | None = None
    recomputed: Literal["same", "changed"] | None = None
    published: list[Grid] = field(default_factory=list)


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
        frame = _Frame(run, engine, common, evaluation.config(), driver.ALGORITHM, evaluation.planned)
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
            frame = _Frame(run, engine, common, grading.config(), recorded.ALGORITHM, planned)
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
    taken = [f"{name} {value}" for name, value in _selection(problems).items() if value is not None]
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


class _Frame:
    """What surrounds the making of records: the configuration, what was there before, the report at the end."""

    def __init__(
        self,
        run: Run,
        engine: Engine,
        common: RunSettings,
        config: dict[str, Any],
        revision: str,
        planned: int,
    ) -> None:
        self.run, self.engine, self.common = run, engine, common
        self.config, self.revision, self.planned = config, revision, planned
        self.hash = config_hash(config)
        self.before: bytes | None = None
        self.started = datetime.now(UTC)

    def begin(self, about: Mapping[str, Any], problems: ProblemSet, found: Survey) -> None:
        settle_config(self.run, self.config)
        self.plan = {**about, "modes": sorted(about["modes"]), **_selection(problems)}
        self.facts = {
            "problems": {"path": problems.path, "survey": found.to_json(), **_selection(problems)},
            "versions": versions(),
        }
        if self.run.read_config() != self.config:
            self._write(about, None)
        if self.common.recompute:
            self._check_recompute()
        if self.common.recompute or self.common.retry_failed:
            # Written before anything is deleted, so that a kill in between leaves no run that looks finished.
            self.run.write_config(self.config, {**self.run.read_about(), "finished": None})
        if self.common.recompute:
            self.before = self._digest()
            self.run.delete_results(self.hash, self.revision)
        if self.common.retry_failed:
            self.run.delete_results(self.hash, self.revision, self._failed())
        self.found = self.run.count_results(self.hash, self.revision)

    def _check_recompute(self) -> None:
        """Records that the plan doesn't cover would be deleted and not made again, and those that it adds are no recomputation.

        Raises:
            ConfigError: the run's records are not exactly those of this plan.
        """
        about = self.run.read_about()
        count = self.run.count_results(self.hash, self.revision)
        if about.get("finished") != self.plan or about.get("planned") != count:
            raise ConfigError(
                f"--recompute makes the records of a finished run again, and {self.run.folder} does not hold exactly those of "
                "this command; give the modes, samples and selection that it was made with, and finish it first without "
                "--recompute"
            )

    def stopped_before(self) -> str | None:
        """The limit that stopped the run before and is to be obeyed still."""
        stops = self.run.stops()
        if stops and self.common.go_on:
            self.run.clear_stops()
            return None
        return next((reason for _, reason in stops.values()), None)

    def complete(self) -> bool:
        """Whether every record of this plan is there, so that nobody needs to go through the problems.

        Their number alone does not say it: another mode, or another shard, may have made as many.
        """
        finished = self.run.read_about().get("finished") == self.plan
        return finished and self.run.count_results(self.hash, self.revision) >= self.planned

    def progress(self) -> _Progress:
        done = self.run.count_results(self.hash, self.revision)
        return _Progress(self.engine, max(self.planned, done), done, quiet=self.common.quiet)

    def end(self, about: Mapping[str, Any], stopped: str | None) -> Finished:
        """Write the report, unless it stands already; what was made stays made whatever happens here."""
        self.run.flush()
        records = self.run.count_results(self.hash, self.revision)
        made = self.engine.total.made
        folder = self.run.folder
        before = self.run.read_about()
        finished = None if stopped else self.plan
        same = made == 0 and records == self.found
        same = same and (before.get("stopped"), before.get("finished")) == (stopped, finished)
        if records and not (same and self.before is None and (folder / "metrics.json").exists()):
            self._write(about, stopped, finished)
            write_report(self.run)
            write_rescues(folder / "rescues.jsonl", rescued(self.run, self._judged()))
        recomputed: Literal["same", "changed"] | None = None
        if self.before is not None:
            recomputed = "same" if self._digest() == self.before else "changed"
        return Finished(folder, records, self.planned, made, stopped, recomputed)

    def _write(
        self, about: Mapping[str, Any], stopped: str | None, finished: Mapping[str, Any] | None = None
    ) -> None:
        facts = {
            "planned": self.planned,
            "stopped": stopped,
            "finished": finished,
            "started": self.started.isoformat(timespec="seconds"),
            "ended": datetime.now(UTC).isoformat(timespec="seconds"),
            "calls": {
                f"{name} {tag}".strip(): {
                    "made": stats.made,
                    "cached": stats.cached,
                    "outcomes": dict(stats.outcomes),
                    "prompt_tokens": stats.prompt_tokens,
                    "completion_tokens": stats.completion_tokens,
                    "cost": stats.cost,
                }
                for (name, tag), stats in sorted(self.engine.stats.items())
            },
        }
        self.run.write_config(self.config, {**self.facts, **about, **facts})

    def _judged(self) -> Iterator[Record]:
        """The records that a judge had a word in; most are passed over unread."""
        for _, payload in self.run.results(self.hash, self.revision):
            if b'"judge"' in payload:
                yield Record.from_bytes(payload)

    def _digest(self) -> bytes:
        """A hash of all records, whatever their order."""
        total = 0
        for item, payload in self.run.results(self.hash, self.revision):
            total ^= int.from_bytes(hashlib.sha256(item.encode() + b"\0" + payload).digest(), "big")
        return total.to_bytes(32, "big")

    def _failed(self) -> list[str]:
        """The items whose record hangs on a call that failed."""
        reasons = ("failed", "judge_failed")
        return [
            item
            for item, payload in self.run.results(self.hash, self.revision)
            if b'failed"' in payload and Record.from_bytes(payload).grade.not_scored in reasons
        ]


class _Progress:
    """The engine's progress line around the making of records; nothing where it is to be quiet."""

    def __init__(self, engine: Engine, planned: int, done: int, *, quiet: bool) -> None:
        self._progress = None if quiet else Progress("records", planned, engine, done=done)

    def __enter__(self) -> Callable[[Record], None]:
        if self._progress is not None:
            self._progress.__enter__()
        return self._advance

    def __exit__(self, *error: Any) -> None:
        if self._progress is not None:
            self._progress.__exit__(*error)

    def _advance(self, record: Record) -> None:
        if self._progress is not None:
            self._progress.advance()


def _selection(problems: ProblemSet) -> dict[str, Any]:
    shard = None if problems.shard is None else f"{problems.shard[0]}/{problems.shard[1]}"
    return {"limit": problems.limit, "per_cell": problems.per_cell, "shard": shard}


def versions() -> dict[str, str]:
    """The versions that stand in a run: EduFlow, Python, and the libraries that a result may hang on."""
    names = ("eduflow", "aiohttp", "pydantic", "pillow", "numpy", "mpmath", "xllamacpp")
    found = {"python": platform.python_version(), "platform": f"{sys.platform} {platform.machine()}"}
    for name in names:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def run_now(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end from plain code."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    work.close()
    raise RuntimeError("an event loop is running: await the async form instead")
