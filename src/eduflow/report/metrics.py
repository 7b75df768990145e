"""Figures: the scores of graded solutions with their counts, intervals and lower bounds.

A *problem's* score is the mean over its scored samples; a figure is the mean over the problems of a group. Every figure
carries the counts that it stands on, and they close: total = scored + Σ not_scored = Σ endings. `docs/report.md` gives
the formulas.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from eduflow.problem import STAGES, SUBJECTS, TYPES
from eduflow.report.columns import DECIDERS, ENDINGS, NOT_SCORED, Columns, collect
from eduflow.report.intervals import Floats, Interval, Part, Units, bootstrap, pass_at, per_unit, wilson
from eduflow.report.records import Glance, Record

SCHEMA_VERSION = 1
# A group with fewer scored problems prints its count and makes no claim.
MINIMUM = 30

Method = Literal["wilson", "bootstrap"]
Measure = Literal["score", "solved"]
Mask = NDArray[np.bool_]
CELLS = tuple(f"{subject}-{stage}" for subject in SUBJECTS for stage in STAGES)


@dataclass(frozen=True, slots=True)
class Figure:
    """A mean over the problems of a group, in 0..1, and what it stands on.

    `lower_bound` counts everything not scored as 0; `interval` is the 95% interval of `value`, None where fewer than 30
    units make no claim. `points` is the sum that `value` divides by `problems_scored`. `problems` and `units` (what
    moves together in a bootstrap; here those with a scored problem) count problems, `total`, `scored`, `not_scored` (by
    reason) and `endings` (how the replies ended) count solutions.
    """

    value: float | None
    lower_bound: float | None
    interval: Interval | None
    method: Method | None
    points: float
    problems: int
    problems_scored: int
    units: int
    total: int
    scored: int
    not_scored: dict[str, int]
    endings: dict[str, int]


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean of figures that weigh the same: `of` names them. No interval where one of them makes no
    claim, or where all scores are alike."""

    value: float | None
    lower_bound: float | None
    interval: Interval | None
    of: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Scores:
    """One measure of one mode: Overall (micro: every problem weighs the same), macro beside it, and by group.

    `macro` is the mean over the cells (subject × stage), `macro_stages` that over the stages. `subject_type` is keyed
    by subject and type; `groups` by the caller's own groups.
    """

    overall: Figure
    macro: Mean
    macro_stages: Mean
    stages: dict[str, Figure]
    subjects: dict[str, Figure]
    types: dict[str, Figure]
    cells: dict[str, Figure]
    subject_type: dict[str, dict[str, Figure]]
    groups: dict[str, Figure]


@dataclass(frozen=True, slots=True)
class ModeMetrics:
    """Everything about one mode.

    `score` is the direct score (mean of the verdicts per blank), `solved` the share of problems with every blank right,
    `pass_at` the unbiased pass@k where problems have several samples. `decided_by` counts the blanks of scored
    solutions by who decided them, right and wrong; `samples` are the fewest and the most samples of a problem. `tokens` are sums over the solutions whose endpoint counted them.
    """

    score: Scores
    solved: Scores
    pass_at: dict[int, Figure]
    decided_by: dict[str, dict[str, int]]
    samples: tuple[int, int]
    tokens: dict[str, int]


@dataclass(frozen=True, slots=True)
class Metrics:
    """All figures of one solver on one set. `average` is the mean of the modes' Overalls, None with a single mode."""

    solver: str
    languages: tuple[str, ...]
    inputs: dict[str, int]
    problems: int
    units: int
    solutions: int
    modes: dict[str, ModeMetrics]
    average: Mean | None
    schema_version: int = field(default=SCHEMA_VERSION)

    def to_json(self) -> dict[str, Any]:
        """JSON values; keys in a fixed order, so that equal figures give equal bytes."""
        found: dict[str, Any] = _plain(self)
        return found


def _plain(value: Any) -> Any:
    if isinstance(value, Figure | Mean | Scores | ModeMetrics | Metrics):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, dict):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, tuple):
        return [_plain(entry) for entry in value]
    return value


def metrics(
    records: Iterable[Record | Glance],
    *,
    language: str | None = None,
    group: Callable[[Record], str | None] | None = None,
) -> Metrics:
    """The figures of records in any order; see `collect` for the arguments and what is refused."""
    return metrics_of(collect(records, language=language, group=group))


def metrics_of(columns: Columns) -> Metrics:
    """The figures of collected records."""
    by_mode = {}
    parts: list[Part] = []
    for code, name in enumerate(columns.modes):
        problems = Problems(columns, code)
        by_mode[name] = _mode_metrics(columns, name, problems)
        parts.append(problems.part(problems.values("score")[0]))
    overalls = {name: mode.score.overall for name, mode in by_mode.items()}
    return Metrics(
        solver=columns.solver,
        languages=columns.languages,
        inputs=columns.inputs,
        problems=columns.problems,
        units=len(columns.units),
        solutions=len(columns),
        modes=by_mode,
        average=_mean(overalls, parts) if len(overalls) > 1 else None,
    )


class Problems:
    """The problems of one mode: an entry per problem in each array, sorted by unit.

    `total` and `scored` count a problem's samples, `right` those with every blank right, `points` adds their scores.
    `owner` gives each record's problem; `reason` and `ending` are the records'.
    """

    def __init__(self, columns: Columns, mode: int) -> None:
        begin, end = (int(place) for place in np.searchsorted(columns.data["mode"], [mode, mode + 1]))
        self._part = {name: column[begin:end] for name, column in columns.data.items()}
        problem, score = self._part["problem"], self._part["score"]
        self.reason, self.ending = self._part["reason"], self._part["ending"]
        self._starts = np.flatnonzero(np.append(True, problem[1:] != problem[:-1])).astype(np.int32)
        self.total = np.diff(np.append(self._starts, end - begin)).astype(np.int32)
        self.owner = np.repeat(np.arange(len(self.total), dtype=np.int32), self.total)
        self.scored = self._sum(self.reason == 0)
        self.right = self._sum(score == 1)
        self.points: Floats = np.add.reduceat(np.nan_to_num(score), self._starts)
        self.unit: Units = self.column("unit")

    def __len__(self) -> int:
        return len(self.total)

    def _sum(self, flags: Mask) -> NDArray[np.int32]:
        return np.add.reduceat(flags, self._starts, dtype=np.int32)

    def column(self, name: str) -> NDArray[Any]:
        """A field of the records that is the same for all samples of a problem."""
        return self._part[name][self._starts]

    def values(self, measure: Measure) -> tuple[Floats, Floats]:
        """Each problem's mean over its scored samples, NaN where it has none, and over all, the unscored as 0."""
        sums = self.points if measure == "score" else self.right
        with np.errstate(invalid="ignore"):
            return sums / self.scored, sums / self.total

    def part(self, values: Floats, mask: Mask | None = None) -> Part:
        """The values that are there, with their units, for a bootstrap."""
        known = ~np.isnan(values) if mask is None else mask & ~np.isnan(values)
        return self.unit[known], values[known]

    def figure(self, mask: Mask | None, values: Floats, low: Floats, *, single: bool | None = None) -> Figure:
        """The figure of the problems in `mask` (None for all).

        Args:
            values: a value per problem, NaN where it has none.
            low: what each problem counts with at least.
            single: whether a value comes from one sample; by default whether one sample was scored.
        """
        chosen = np.ones(len(self), dtype=bool) if mask is None else mask
        units, known = self.part(values, chosen)
        problems = int(chosen.sum())
        mine = chosen[self.owner]
        reasons = np.bincount(self.reason[mine], minlength=len(NOT_SCORED) + 1)
        endings = np.bincount(self.ending[mine], minlength=len(ENDINGS))
        points = float(np.sum(known))
        if single is None:
            single = bool((self.scored[chosen] <= 1).all())
        moving, interval, method = _interval(units, known, single)
        return Figure(
            value=points / len(known) if len(known) else None,
            lower_bound=min(points, float(np.sum(low[chosen]))) / problems if problems else None,
            interval=interval,
            method=method,
            points=points,
            problems=problems,
            problems_scored=len(known),
            units=moving,
            total=int(reasons.sum()),
            scored=int(reasons[0]),
            not_scored={name: int(n) for name, n in zip(NOT_SCORED, reasons[1:], strict=True) if n},
            endings={name: int(n) for name, n in zip(ENDINGS, endings, strict=True) if n},
        )


def _interval(units: Units, values: Floats, single: bool) -> tuple[int, Interval | None, Method | None]:
    """The number of units, with Wilson's interval where each is one trial, else the bootstrap; none under `MINIMUM`."""
    number, successes = _trials(units, values, single)
    if number < MINIMUM:
        return number, None, None
    if successes is not None:
        return number, wilson(successes, number), "wilson"
    return number, bootstrap([(units, values)]), "bootstrap"


def _trials(units: Units, values: Floats, single: bool) -> tuple[int, int | None]:
    """The number of units, and how many are right, where each counts as one trial that is right or wrong, else None."""
    sums, counts = per_unit(units, values)
    if not len(sums) or not bool(((sums == 0) | (sums == counts)).all()):
        return len(sums), None
    right = int((sums == counts).sum())
    # Where all are right, or all wrong, resampling would give an interval of width 0: each unit is taken for one trial.
    if right in (0, len(sums)) or (single and len(sums) == len(values)):
        return len(sums), right
    return len(sums), None


def _mode_metrics(columns: Columns, name: str, problems: Problems) -> ModeMetrics:
    prompt, completion, known = columns.tokens.get(name, (0, 0, 0))
    return ModeMetrics(
        score=_scores(columns, problems, "score"),
        solved=_scores(columns, problems, "solved"),
        pass_at=_pass_at(problems),
        decided_by={
            who: {
                "right": columns.blanks[name, who, 1],
                "wrong": columns.blanks[name, who, 0],
            }
            for who in DECIDERS
        },
        samples=(int(problems.total.min()), int(problems.total.max())),
        tokens={"prompt": prompt, "completion": completion, "solutions": known},
    )


def _scores(columns: Columns, problems: Problems, measure: Measure) -> Scores:
    values, low = problems.values(measure)

    def by(names: Sequence[str], codes: NDArray[Any], base: Mask | None = None) -> dict[str, Figure]:
        found = {}
        for code, name in enumerate(names):
            mask = codes == code if base is None else base & (codes == code)
            if mask.any():
                found[name] = problems.figure(mask, values, low)
        return found

    def macro(figures: dict[str, Figure], names: Sequence[str], codes: NDArray[Any]) -> Mean:
        return _mean(figures, [problems.part(values, codes == names.index(name)) for name in figures])

    subject, stage, type = problems.column("subject"), problems.column("stage"), problems.column("type")
    cell = subject * len(STAGES) + stage
    cells, stages = by(CELLS, cell), by(STAGES, stage)
    return Scores(
        overall=problems.figure(None, values, low),
        macro=macro(cells, CELLS, cell),
        macro_stages=macro(stages, STAGES, stage),
        stages=stages,
        subjects=by(SUBJECTS, subject),
        types=by(TYPES, type),
        cells=cells,
        subject_type={
            name: by(TYPES, type, subject == code)
            for code, name in enumerate(SUBJECTS)
            if (subject == code).any()
        },
        groups=by(columns.groups, problems.column("group").astype(np.int64) - 1),
    )


def _mean(figures: dict[str, Figure], parts: Sequence[Part]) -> Mean:
    known = [figure.value for figure in figures.values() if figure.value is not None]
    lows = [figure.lower_bound or 0.0 for figure in figures.values()]
    claims = all(figure.interval is not None for figure in figures.values())
    value = sum(known) / len(known) if known else None
    interval = bootstrap(parts) if claims and known else None
    if interval is not None and interval[0] == interval[1]:
        interval = None  # all alike: a bootstrap sees no spread, which is no proof that there is none
    return Mean(
        value=value,
        lower_bound=None if value is None else min(value, sum(lows) / len(lows)),
        interval=interval,
        of=tuple(figures),
    )


def _pass_at(problems: Problems) -> dict[int, Figure]:
    """pass@k for k = 1, 2, 4, ... and the most samples that a problem has; empty with one sample each.

    A problem has a value where at least k of its samples are scored. Its lower bound counts the unscored as wrong.
    """
    most = int(problems.scored.max())
    if most < 2:
        return {}
    found = {}
    for k in [*(1 << power for power in range(most.bit_length()) if 1 << power < most), most]:
        table: dict[tuple[int, int], float] = {}

        def estimate(
            samples: NDArray[Any], k: int = k, table: dict[tuple[int, int], float] = table
        ) -> Floats:
            values = np.full(len(problems), np.nan)
            for place in np.flatnonzero(samples >= k):
                key = (int(samples[place]), int(problems.right[place]))
                if key not in table:
                    table[key] = pass_at(*key, k)
                values[place] = table[key]
            return values

        values = estimate(problems.scored)
        low = np.where(np.isnan(values), 0.0, estimate(problems.total))
        found[k] = problems.figure(None, values, low, single=False)
    return found
