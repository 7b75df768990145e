"""Agreement between annotations, human or machine: kappas, Krippendorff's alpha, Pearson's r.

The statistics are scikit-learn's and krippendorff's (extra `agreement`); what stands here is which of them are taken and on what.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from eduflow.errors import InputError, MissingExtra

BINS = 5
# Landis and Koch 1977, Biometrics 33:159, Table 2: the upper end of each band.
BANDS: tuple[tuple[float, str], ...] = (
    (0.2, "slight"),
    (0.4, "fair"),
    (0.6, "moderate"),
    (0.8, "substantial"),
    (1.0, "almost perfect"),
)


@dataclass(frozen=True, slots=True)
class Agreement:
    """How two annotations of the same items agree.

    `n` items have a value in both. `raw` is the share with the same class. The kappas are Cohen's; `linear` and `quadratic` weigh
    the distance of ordered classes and are None for labels without order, as is `pearson`. `alpha` is Krippendorff's, on the
    values themselves: interval for scores, nominal for labels. None stands where a statistic is not defined, for example where an
    annotation has one class only. `band` puts the main kappa into words: the quadratic one for scores, the plain one for labels.
    """

    n: int
    raw: float | None
    kappa: float | None
    linear: float | None
    quadratic: float | None
    pearson: float | None
    alpha: float | None
    band: str | None


def band(kappa: float) -> str:
    """The verbal band of a kappa (Landis and Koch 1977): "poor" below 0, then slight, fair, moderate, substantial, almost perfect."""
    if kappa < 0:
        return "poor"
    return next(name for top, name in BANDS if kappa <= top + 1e-12)


def bins(scores: Sequence[float]) -> NDArray[np.int64]:
    """The scores, 0 to 1, in `BINS` equal bins: [0, 0.2), [0.2, 0.4), ..., [0.8, 1]; edges belong to the upper bin.

    Raises:
        InputError: a score lies outside 0..1 or is no number.
    """
    values = np.asarray(scores, dtype=float)
    if values.size and not (np.all(values >= 0) and np.all(values <= 1)):
        raise InputError("a score lies outside 0..1", field="score")
    # 0.6 / 0.2 is 2.999...: the edges are meant as written.
    return np.minimum(np.floor(values * BINS + 1e-9), BINS - 1).astype(np.int64)


def agree_on_scores(one: Sequence[float], other: Sequence[float]) -> Agreement:
    """The agreement of two lists of scores, 0 to 1, item by item. Kappas are on the five bins, Pearson and alpha on the scores.

    Raises:
        InputError: a score lies outside 0..1.
        MissingExtra: the extra `agreement` is not installed.
    """
    a, b = bins(one), bins(other)
    if len(a) != len(b):
        raise ValueError(f"{len(a)} scores beside {len(b)}")
    quadratic = _kappa(a, b, "quadratic")
    return Agreement(
        n=len(a),
        raw=float(np.mean(a == b)) if len(a) else None,
        kappa=_kappa(a, b, None),
        linear=_kappa(a, b, "linear"),
        quadratic=quadratic,
        pearson=_pearson(np.asarray(one, float), np.asarray(other, float)),
        alpha=alpha([list(one), list(other)], "interval"),
        band=None if quadratic is None else band(quadratic),
    )


def agree_on_labels(one: Sequence[str], other: Sequence[str]) -> Agreement:
    """The agreement of two lists of labels without order, item by item.

    Raises:
        MissingExtra: the extra `agreement` is not installed.
    """
    if len(one) != len(other):
        raise ValueError(f"{len(one)} labels beside {len(other)}")
    kappa = _kappa(list(one), list(other), None)
    return Agreement(
        n=len(one),
        raw=sum(a == b for a, b in zip(one, other, strict=True)) / len(one) if one else None,
        kappa=kappa,
        linear=None,
        quadratic=None,
        pearson=None,
        alpha=alpha([list(one), list(other)], "nominal"),
        band=None if kappa is None else band(kappa),
    )


def alpha(
    annotations: Sequence[Sequence[float | str | None]], level: Literal["nominal", "ordinal", "interval"]
) -> float | None:
    """Krippendorff's alpha over any number of annotators; None marks an item that one did not annotate.

    Args:
        annotations: one list per annotator, all over the same items.
        level: "nominal", "ordinal" or "interval".

    Returns:
        None where it is not defined: fewer than two annotated pairs, or one value only.
    """
    try:
        import krippendorff
    except ImportError:
        raise MissingExtra("agreement between annotations", "agreement") from None
    kinds = {value for row in annotations for value in row if value is not None}
    if len(kinds) < 2:
        return None
    if level == "nominal":
        codes: dict[Any, float] = {value: float(i) for i, value in enumerate(sorted(kinds, key=str))}
    else:
        codes = {value: float(value) for value in kinds}
    data = np.array([[codes.get(value, math.nan) for value in row] for row in annotations], dtype=float)
    if not np.any(np.sum(~np.isnan(data), axis=0) >= 2):
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        found = float(krippendorff.alpha(reliability_data=data, level_of_measurement=level))
    return found if math.isfinite(found) else None


def mean_of_raters(raters: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """The mean score of each item that every rater scored, as K12Vista averages its annotators before it compares a judge."""
    if not raters:
        return {}
    items = set.intersection(*(set(scores) for scores in raters.values()))
    first = next(iter(raters.values()))
    return {
        item: sum(scores[item] for scores in raters.values()) / len(raters) for item in first if item in items
    }


def judges_against_raters(
    raters: Mapping[str, Mapping[str, float]], judges: Mapping[str, Mapping[str, float]]
) -> dict[str, Agreement]:
    """Each judge beside the mean of the raters, on the items that both have (K12Vista's Table 6).

    Args:
        raters: rater → item → score, 0 to 1.
        judges: judge, or judge and scoring mode → item → score.
    """
    return {name: pair(mean_of_raters(raters), scores, agree_on_scores) for name, scores in judges.items()}


def pair(
    one: Mapping[str, Any], other: Mapping[str, Any], by: Callable[[list[Any], list[Any]], Agreement]
) -> Agreement:
    """The agreement on the items that stand in both."""
    items = [item for item in one if item in other]
    return by([one[item] for item in items], [other[item] for item in items])


def _kappa(a: Any, b: Any, weights: str | None) -> float | None:
    try:
        from sklearn.metrics import cohen_kappa_score
    except ImportError:
        raise MissingExtra("agreement between annotations", "agreement") from None
    if len(a) == 0:
        return None
    labels = list(range(BINS)) if weights else None
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore"
        )  # it warns where one class is left; the NaN it then returns is None here
        found = float(cohen_kappa_score(a, b, labels=labels, weights=weights))
    return found if math.isfinite(found) else None


def _pearson(a: NDArray[np.float64], b: NDArray[np.float64]) -> float | None:
    if len(a) < 2 or np.ptp(a) == 0 or np.ptp(b) == 0:
        return None
    return float(np.corrcoef(a, b)[0, 1])
