"""Two runs, problem by problem: the paired difference, and the problems that flipped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from eduflow.errors import InputError
from eduflow.problem import STAGES, SUBJECTS
from eduflow.report.columns import Columns, short_hash
from eduflow.report.intervals import Floats, Interval, Part, bootstrap, sign_test
from eduflow.report.metrics import MINIMUM, Problems
from eduflow.report.records import Source
from eduflow.report.tables import title

SCHEMA_VERSION = 1
Direction = Literal["right to wrong", "wrong to right"]
# By the hash of its name: how the problem flipped, and its scores before and after.
_Flipped = dict[int, tuple[Direction, float, float]]


@dataclass(frozen=True, slots=True)
class Difference:
    """The second run's score minus the first's, over the problems that both have scored.

    `first` and `second` are the means over those problems, `interval` the 95% interval of `value`, None where fewer
    than 30 units make no claim or no problem differs.
    """

    value: float | None
    interval: Interval | None
    first: float | None
    second: float | None
    problems: int
    units: int


@dataclass(frozen=True, slots=True)
class PairedMode:
    """One mode of both runs.

    `only_first` and `only_second` count the problems that one run alone has, `unscored` those that both have and one
    of them did not score. `right_to_wrong` and `wrong_to_right` count flips, and `p_value` is McNemar's exact p of
    them: None where several problems share a unit, because they flip together.
    """

    overall: Difference
    stages: dict[str, Difference]
    subjects: dict[str, Difference]
    only_first: int
    only_second: int
    unscored: int
    right_to_wrong: int
    wrong_to_right: int
    p_value: float | None


@dataclass(frozen=True, slots=True)
class Flip:
    """A problem that one run solved and the other did not; the scores are means over its samples."""

    problem_id: str
    mode: str
    subject: str
    stage: str
    type: str
    direction: Direction
    first: float
    second: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """Everything about a pair. `matched_by` is "problem", or "unit" for runs in two languages; `titles` say what each is."""

    first: str
    second: str
    titles: tuple[str, str]
    matched_by: Literal["problem", "unit"]
    modes: dict[str, PairedMode]
    average: Difference | None
    flips: tuple[Flip, ...]
    notes: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """JSON values."""
        return {"schema_version": SCHEMA_VERSION, **asdict(self)}


@dataclass(frozen=True, slots=True)
class _Entries:
    """The problems (or units) of one mode of one run, sorted by key."""

    key: NDArray[np.uint64]
    unit: NDArray[np.uint64]
    content: NDArray[np.uint32]
    subject: NDArray[np.uint8]
    stage: NDArray[np.uint8]
    score: Floats
    solved: Floats

    def take(self, places: NDArray[Any]) -> _Entries:
        return _Entries(*(getattr(self, name)[places] for name in self.__slots__))


def _entries(columns: Columns, mode: str, by_unit: bool) -> _Entries:
    problems = Problems(columns, columns.modes.index(mode))
    score, solved = problems.values("score")[0], problems.values("solved")[0]
    unit = columns.units[problems.unit]
    content, subject, stage = (problems.column(name) for name in ("content", "subject", "stage"))
    if not by_unit:
        entries = _Entries(problems.column("problem"), unit, content, subject, stage, score, solved)
        return entries.take(np.argsort(entries.key))
    starts = np.flatnonzero(np.append(True, unit[1:] != unit[:-1]))
    known = np.add.reduceat(~np.isnan(score), starts, dtype=np.float64)
    with np.errstate(invalid="ignore"):
        score, solved = (np.add.reduceat(np.nan_to_num(values), starts) / known for values in (score, solved))
    return _Entries(
        unit[starts], unit[starts], content[starts], subject[starts], stage[starts], score, solved
    )


def check_comparable(
    first: tuple[Source, Columns], second: tuple[Source, Columns], *, force: bool = False
) -> None:
    """Refuse two runs whose figures do not belong side by side.

    Raises:
        InputError: the languages differ, or the problem sets, or a problem of both has other answers; `force` lets
            these pass.
    """
    if force:
        return
    (one, a), (other, b) = first, second
    if a.languages != b.languages:
        raise InputError(
            f"{one.name} is in {' and '.join(a.languages)} and {other.name} in {' and '.join(b.languages)}; --force "
            "compares them all the same, twin by twin"
        )
    if one.fingerprint and other.fingerprint and one.fingerprint != other.fingerprint:
        raise InputError(
            f"{one.name} and {other.name} were made from different problem sets (fingerprints {one.fingerprint[:12]} and "
            f"{other.fingerprint[:12]}); --force compares the problems that they share"
        )
    (keys_a, content_a), (keys_b, content_b) = _contents(a), _contents(b)
    _, here, there = np.intersect1d(keys_a, keys_b, assume_unique=True, return_indices=True)
    if changed := int((content_a[here] != content_b[there]).sum()):
        raise InputError(
            f"{changed} problems have the same id in {one.name} and {other.name} but other answers, type or subject; "
            "--force compares them all the same"
        )


def _contents(columns: Columns) -> tuple[NDArray[np.uint64], NDArray[np.uint32]]:
    keys, first = np.unique(columns.data["problem"], return_index=True)
    return keys, columns.data["content"][first]


def compare(
    first: tuple[Source, Columns],
    second: tuple[Source, Columns],
    *,
    force: bool = False,
    names: tuple[str, str] | None = None,
    flips: bool = True,
) -> Comparison:
    """Compare two runs, mode by mode.

    Args:
        first, second: where each run's records come from, and what `collect` made of them.
        force: go on where `check_comparable` would refuse. Runs in two languages are matched by unit.
        names: what to call the two; the sources' own names by default.
        flips: name the problems that flipped, for which the first run's records are read once more.

    Raises:
        InputError: as `check_comparable`, or nothing is in both runs.
    """
    check_comparable(first, second, force=force)
    (one, a), (other, b) = first, second
    by_unit = a.languages != b.languages
    modes: dict[str, PairedMode] = {}
    parts: list[tuple[NDArray[np.uint64], Floats]] = []
    flipped: dict[str, _Flipped] = {}
    means: list[tuple[float, float]] = []
    for mode in (name for name in a.modes if name in b.modes):
        paired, units, gains, flipped[mode] = _pair(_entries(a, mode, by_unit), _entries(b, mode, by_unit))
        modes[mode] = paired
        if paired.overall.first is not None and paired.overall.second is not None:
            parts.append((units, gains))
            means.append((paired.overall.first, paired.overall.second))
    if not modes:
        raise InputError(
            f"{one.name} has the modes {', '.join(a.modes)} and {other.name} has {', '.join(b.modes)}: none is in both"
        )
    if not means and all(not paired.unscored for paired in modes.values()):
        raise InputError(f"no problem is in both {one.name} and {other.name}")
    average = None
    if len(modes) > 1 and len(means) == len(modes):
        before, after = (sum(side) / len(means) for side in zip(*means, strict=True))
        average = _difference(before, after, parts)
    first_name, second_name = names or (one.name, other.name)
    return Comparison(
        first=first_name,
        second=second_name,
        titles=(title(one, a), title(other, b)),
        matched_by="unit" if by_unit else "problem",
        modes=modes,
        average=average,
        flips=tuple(
            sorted(
                _named(one, flipped, by_unit) if flips else (),
                key=lambda flip: (flip.mode, flip.direction, flip.problem_id),
            )
        ),
        notes=tuple(_notes(one, other, a, b)),
    )


def _pair(a: _Entries, b: _Entries) -> tuple[PairedMode, NDArray[np.uint64], Floats, _Flipped]:
    _, here, there = np.intersect1d(a.key, b.key, assume_unique=True, return_indices=True)
    only_first, only_second = len(a.key) - len(here), len(b.key) - len(there)
    a, b = a.take(here), b.take(there)
    both = ~np.isnan(a.score) & ~np.isnan(b.score)
    unscored = int((~both).sum())
    a, b = a.take(np.flatnonzero(both)), b.take(np.flatnonzero(both))
    # Units lie together for the bootstrap.
    order = np.argsort(a.unit, kind="stable")
    a, b = a.take(order), b.take(order)
    gains = b.score - a.score
    was, now = a.solved > 0.5, b.solved > 0.5
    lost, won = was & ~now, ~was & now
    flipped: _Flipped = {}
    for places, direction in ((lost, "right to wrong"), (won, "wrong to right")):
        for place in np.flatnonzero(places):
            scores = (float(a.score[place]), float(b.score[place]))
            flipped[int(a.key[place])] = (direction, *scores)  # type: ignore[assignment]

    def difference(mask: NDArray[np.bool_]) -> Difference:
        if not mask.any():
            return Difference(None, None, None, None, 0, 0)
        before, after = float(a.score[mask].mean()), float(b.score[mask].mean())
        return _difference(before, after, [(a.unit[mask], gains[mask])])

    paired = PairedMode(
        overall=difference(np.ones(len(gains), dtype=bool)),
        stages={
            name: difference(a.stage == code) for code, name in enumerate(STAGES) if (a.stage == code).any()
        },
        subjects={
            name: difference(a.subject == code)
            for code, name in enumerate(SUBJECTS)
            if (a.subject == code).any()
        },
        only_first=only_first,
        only_second=only_second,
        unscored=unscored,
        right_to_wrong=int(lost.sum()),
        wrong_to_right=int(won.sum()),
        p_value=(
            sign_test(int(won.sum()), int(lost.sum()))
            if len(gains) and len(np.unique(a.unit)) == len(gains)
            else None
        ),
    )
    return paired, a.unit, gains, flipped


def _difference(before: float, after: float, parts: list[tuple[NDArray[np.uint64], Floats]]) -> Difference:
    """The difference of two means, and its interval from the gains per problem."""
    every = np.unique(np.concatenate([units for units, _ in parts]))
    numbered: list[Part] = [(np.searchsorted(every, units).astype(np.int32), gains) for units, gains in parts]
    claims = min(len(np.unique(units)) for units, _ in parts) >= MINIMUM and any(
        gains.any() for _, gains in parts
    )
    return Difference(
        value=after - before,
        interval=bootstrap(numbered) if claims else None,
        first=before,
        second=after,
        problems=max(len(gains) for _, gains in parts),
        units=len(every),
    )


def _named(source: Source, flipped: Mapping[str, _Flipped], by_unit: bool) -> Iterator[Flip]:
    """The flips with their names, in one more pass over the first run's records."""
    left = {(mode, key): found for mode, keys in flipped.items() for key, found in keys.items()}
    for record in source.records() if left else ():
        name = record.unit if by_unit else record.problem_id
        if (found := left.pop((record.mode, short_hash(name)), None)) is not None:
            direction, before, after = found
            yield Flip(name, record.mode, record.subject, record.stage, record.type, direction, before, after)


def _notes(one: Source, other: Source, a: Columns, b: Columns) -> Iterator[str]:
    if a.languages != b.languages:
        yield (
            f"{one.name} is in {' and '.join(a.languages)} and {other.name} in {' and '.join(b.languages)}: problems are "
            "matched with their twins."
        )
    if one.fingerprint and other.fingerprint and one.fingerprint != other.fingerprint:
        yield "The runs were made from different problem sets."
    for mode in sorted({*a.modes} ^ {*b.modes}):
        yield f"Mode {mode} is only in {one.name if mode in a.modes else other.name}."
    if one.config and other.config and (names := _differing(one.config, other.config)):
        yield f"The configurations differ in {', '.join(names)}."


def _differing(a: dict[str, Any], b: dict[str, Any], before: str = "") -> list[str]:
    """The dotted names of the settings that differ."""
    names: list[str] = []
    for name in sorted({*a, *b}):
        mine, theirs = a.get(name), b.get(name)
        if isinstance(mine, dict) and isinstance(theirs, dict):
            names += _differing(mine, theirs, f"{before}{name}.")
        elif mine != theirs:
            names.append(before + name)
    return names
