"""What `eduflow eval` and `eduflow grade` can be asked for, checked as far as that goes without reading or asking anything."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

from eduflow.errors import ConfigError
from eduflow.evaluation.budget import RunLimits
from eduflow.evaluation.figures import ImagePolicy
from eduflow.evaluation.survey import Selection
from eduflow.formats import open_problems
from eduflow.problem import LANGUAGES, MODES, Language, Mode, Problem
from eduflow.report import Grid
from eduflow.solve import ImageInput


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
