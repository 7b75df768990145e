"""Confidence intervals: Wilson's for shares of independent trials, a bootstrap over units for everything else."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Units = NDArray[np.int32]
# Values with the unit of each: numbers from 0, sorted.
Part = tuple[Units, Floats]
Interval = tuple[float, float]

CONFIDENCE = 0.95
RESAMPLES = 2000
SEED = 0
# The 97.5% point of the normal distribution.
_Z = 1.959963984540054
# Bounds the memory of one batch of resamples.
_BATCH = 2_000_000


def wilson(successes: float, trials: int) -> Interval:
    """Wilson's 95% score interval, without continuity correction, for `successes` of `trials`.

    Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927).
    It stays in [0, 1] and keeps a width at 0 and at all successes.

    Raises:
        ValueError: no trials, or successes outside 0..trials.
    """
    if trials <= 0 or not 0 <= successes <= trials:
        raise ValueError(f"{successes} of {trials} is no share")
    share, z2 = successes / trials, _Z * _Z
    centre = (share + z2 / (2 * trials)) / (1 + z2 / trials)
    half = _Z / (1 + z2 / trials) * math.sqrt(share * (1 - share) / trials + z2 / (4 * trials * trials))
    # Rounding may leave the ends an epsilon inside the share.
    return max(0.0, min(centre - half, share)), min(1.0, max(centre + half, share))


def bootstrap(parts: Sequence[Part], *, resamples: int = RESAMPLES, seed: int = SEED) -> Interval:
    """The 95% percentile bootstrap interval of a mean of means, units resampled with replacement.

    Args:
        parts: per mean, the unit of each of its values and the values. A unit's values in all parts move together, so
            that two Overalls of the same problems, or two differences, are averaged as pairs.
        resamples, seed: how often, and from which random stream.

    Units that are alike in all their numbers are drawn together by one multinomial draw. That is the same distribution
    as drawing them one by one, and a million units take seconds.

    Raises:
        ValueError: there are no values.
    """
    sums, counts, frequency = _kinds(parts)
    units = int(frequency.sum())
    draw = np.random.default_rng(seed)
    batch = max(1, _BATCH // len(frequency))
    means: list[Floats] = []
    for start in range(0, resamples, batch):
        times = draw.multinomial(units, frequency / units, size=min(batch, resamples - start)).astype(
            np.float64
        )
        with np.errstate(invalid="ignore", divide="ignore"):
            means.append(((times @ sums) / (times @ counts)).mean(axis=1))
    tail = 100 * (1 - CONFIDENCE) / 2
    # A resample that misses a whole part has no value there.
    low, high = np.nanpercentile(np.concatenate(means), [tail, 100 - tail])
    return float(low), float(high)


def per_unit(units: Units, values: Floats) -> tuple[Floats, NDArray[np.int64]]:
    """The sum of values and their number for each unit that has any; `units` must be sorted."""
    if not len(units):
        return np.zeros(0), np.zeros(0, dtype=np.int64)
    starts = np.flatnonzero(np.append(True, units[1:] != units[:-1]))
    counts = np.diff(starts, append=len(units))
    return np.add.reduceat(values, starts), counts


def _kinds(parts: Sequence[Part]) -> tuple[Floats, Floats, NDArray[np.int64]]:
    """Units alike in every part make one kind: its sums and counts, shape (kinds, parts), and its number of units."""
    size = max((int(units[-1]) + 1 for units, _ in parts if len(units)), default=0)
    if not size:
        raise ValueError("a bootstrap needs values")
    kind: NDArray[Any] = np.zeros(size, dtype=np.int32)
    table = np.zeros((1, 0, 2))
    for units, values in parts:
        sums, counts = per_unit(units, values)
        # Rounded, so that the order in which a unit's scores were added leaves no trace; + 0.0 makes −0.0 plain.
        np.round(sums, 9, out=sums)
        sums += 0.0
        different = np.unique(sums)
        most = int(counts.max(initial=0)) + 1
        # 0 stands for a unit that is not in this part.
        codes = len(different) * most + 1
        wide = np.int64 if len(table) * codes >= 2**31 else np.int32
        code = np.searchsorted(different, sums).astype(wide) * most + counts.astype(wide) + 1
        del sums, counts
        kind = kind.astype(wide, copy=False) * codes
        places = _distinct(units)
        kind[places] = kind[places] + code
        del code, places
        found = np.unique(kind)
        kind = np.searchsorted(found, kind).astype(np.int32)
        before, own = np.divmod(found, codes)
        column = np.zeros((len(found), 1, 2))
        here = own > 0
        column[here, 0, 0] = different[(own[here] - 1) // most]
        column[here, 0, 1] = (own[here] - 1) % most
        table = np.concatenate([table[before], column], axis=1)
    frequency = np.bincount(kind, minlength=len(table))
    present = table[:, :, 1].any(axis=1)
    return table[present, :, 0], table[present, :, 1], frequency[present]


def _distinct(units: Units) -> Units:
    """Each unit once; `units` must be sorted."""
    return units[np.append(True, units[1:] != units[:-1])] if len(units) else units


def sign_test(wins: int, losses: int) -> float:
    """The two-sided p-value of `wins` against `losses` if both were equally likely: McNemar's exact test.

    It is min(1, 2 · P(X ≤ min(wins, losses))) for X binomial(wins + losses, ½), summed in logarithms, so that any
    number of flips is quick. 1 where there are none.
    """
    trials, least = wins + losses, min(wins, losses)
    if trials == 0:
        return 1.0
    log_all = math.lgamma(trials + 1) - trials * math.log(2)
    terms = [log_all - math.lgamma(i + 1) - math.lgamma(trials - i + 1) for i in range(least + 1)]
    return min(1.0, 2 * math.fsum(math.exp(term) for term in terms))


def pass_at(samples: int, solved: int, k: int) -> float:
    """The unbiased estimate of the chance that at least one of k samples is right, from `solved` of `samples`.

    1 − C(samples − solved, k) / C(samples, k), as in Chen et al. 2021 (arXiv 2107.03374).

    Raises:
        ValueError: fewer samples than k.
    """
    if samples < k:
        raise ValueError(f"pass@{k} needs {k} samples, not {samples}")
    return 1.0 - math.comb(samples - solved, k) / math.comb(samples, k)
