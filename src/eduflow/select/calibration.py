"""Calibration: what a critic's score is worth as a probability, learnt from labelled steps, kept as a small file.

Isotonic regression and temperature scaling are scikit-learn's (extra `agreement`). A calibration applies without it.
"""

from __future__ import annotations

import json
import math
from bisect import bisect_right
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import Field, ValidationError, model_validator

from eduflow.engine.files import atomic_write
from eduflow.errors import InputError, MissingExtra
from eduflow.problem import Noun, input_error

BINS = 10
_EPSILON = 1e-6


class Quality(Noun):
    """How good scores are as probabilities: the expected calibration error over ten equal bins, weighted by their counts, and the Brier score."""

    ece: float
    brier: float


class Calibration(Noun):
    """A map from scores to probabilities, both 0 to 1, that never turns the order of two scores around.

    `points` are the corners of an isotonic map, score and probability, between which it is linear. `temperature` divides the logit of
    the score. `critic` says whose scores it is for; `n` how many labelled scores it was learnt from; `before` and `after` how good they were
    on those, `held_out` on others.
    """

    schema_version: Literal[1] = 1
    method: Literal["isotonic", "temperature"]
    critic: str
    n: int = Field(ge=1)
    points: tuple[tuple[float, float], ...] = ()
    temperature: float | None = Field(default=None, gt=0)
    before: Quality
    after: Quality
    held_out: tuple[Quality, Quality] | None = None

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if self.method == "temperature":
            if self.temperature is None:
                raise ValueError("the method 'temperature' needs a temperature")
            return self
        if not self.points:
            raise ValueError("the method 'isotonic' needs points")
        for values in zip(*self.points, strict=True):
            if any(not 0 <= value <= 1 for value in values) or list(values) != sorted(values):
                raise ValueError("points rise and lie in 0..1")
        return self

    def __call__(self, score: float) -> float:
        """The probability that a step, or an answer, with this score is right."""
        if not 0 <= score <= 1:
            raise ValueError(f"a score lies in 0..1, not {score}")
        if self.temperature is not None:
            return 1 / (1 + math.exp(-_logit(score) / self.temperature))
        place = bisect_right(self.points, (score, math.inf))
        if place == 0:
            return self.points[0][1]
        if place == len(self.points):
            return self.points[-1][1]
        (x0, y0), (x1, y1) = self.points[place - 1], self.points[place]
        return y0 if x1 == x0 else y0 + (y1 - y0) * (score - x0) / (x1 - x0)

    def save(self, path: str | Path) -> None:
        """Writes the calibration as JSON, whole or not at all."""
        with atomic_write(Path(path)) as file:
            json.dump(self.model_dump(mode="json"), file, ensure_ascii=False, indent=1)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """The calibration in a file.

        Raises:
            InputError: there is none; the field is named.
        """
        try:
            return cls.model_validate_json(Path(path).read_bytes())
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", path=path) from None
        except ValidationError as error:
            raise input_error(error).at(path=path) from None


def fit(
    scores: Sequence[float],
    right: Sequence[bool],
    method: Literal["isotonic", "temperature"] = "isotonic",
    *,
    critic: str = "",
    held_out: tuple[Sequence[float], Sequence[bool]] | None = None,
) -> Calibration:
    """A calibration learnt from scores and whether what they were given to was right.

    Args:
        held_out: other scores and labels, on which its worth is measured too.

    Raises:
        InputError: no scores, scores outside 0..1, or labels all alike.
        MissingExtra: scikit-learn is not installed.
    """
    if len(scores) != len(right):
        raise ValueError(f"{len(scores)} scores beside {len(right)} labels")
    if not scores or any(not 0 <= score <= 1 for score in scores):
        raise InputError("a calibration needs scores that lie in 0..1", field="score")
    if len(set(right)) < 2:
        raise InputError("a calibration needs right and wrong examples", field="label")
    points: tuple[tuple[float, float], ...] = ()
    temperature: float | None = None
    if method == "isotonic":
        points = _isotonic(scores, right)
    else:
        temperature = _temperature(scores, right)
    draft = Calibration(
        method=method,
        critic=critic,
        n=len(scores),
        points=points,
        temperature=temperature,
        before=quality(scores, right),
        after=quality(scores, right),
    )
    row: dict[str, Any] = {"after": quality([draft(score) for score in scores], right)}
    if held_out is not None and held_out[0]:
        other, labels = held_out
        row["held_out"] = (quality(other, labels), quality([draft(score) for score in other], labels))
    return draft.model_copy(update=row)


def quality(scores: Sequence[float], right: Sequence[bool]) -> Quality:
    """Expected calibration error and Brier score of scores taken as probabilities."""
    n = len(scores)
    ece = sum(count * abs(mean - share) for count, mean, share in reliability(scores, right)) / n
    brier = math.fsum((score - is_right) ** 2 for score, is_right in zip(scores, right, strict=True)) / n
    return Quality(ece=ece, brier=brier)


def reliability(scores: Sequence[float], right: Sequence[bool]) -> list[tuple[int, float, float]]:
    """The points of a reliability plot: for each of ten equal bins that is not empty, count, mean score, share that was right."""
    bins: dict[int, list[tuple[float, bool]]] = {}
    for score, is_right in zip(scores, right, strict=True):
        bins.setdefault(min(int(score * BINS), BINS - 1), []).append((score, is_right))
    return [
        (len(inside), math.fsum(s for s, _ in inside) / len(inside), sum(r for _, r in inside) / len(inside))
        for _, inside in sorted(bins.items())
    ]


def _isotonic(scores: Sequence[float], right: Sequence[bool]) -> tuple[tuple[float, float], ...]:
    try:
        from sklearn.isotonic import IsotonicRegression
    except ImportError:
        raise MissingExtra("calibration", "agreement") from None
    model = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip").fit(
        list(scores), [float(r) for r in right]
    )
    found = zip(model.X_thresholds_.tolist(), model.y_thresholds_.tolist(), strict=True)
    return tuple((min(1.0, max(0.0, x)), min(1.0, max(0.0, y))) for x, y in found)


def _temperature(scores: Sequence[float], right: Sequence[bool]) -> float:
    try:
        from sklearn.linear_model import LogisticRegression
    except ImportError:
        raise MissingExtra("calibration", "agreement") from None
    # Temperature scaling is a logistic regression on the logit without an intercept: its weight is 1/T.
    model = LogisticRegression(fit_intercept=False, C=1e6, max_iter=1000)
    model.fit([[_logit(score)] for score in scores], [int(r) for r in right])
    weight = float(model.coef_[0][0])
    if weight <= 0:
        raise InputError(
            "the scores run against the labels: no temperature makes them probabilities", field="score"
        )
    return 1 / weight


def _logit(score: float) -> float:
    inside = min(1 - _EPSILON, max(_EPSILON, score))
    return math.log(inside / (1 - inside))
