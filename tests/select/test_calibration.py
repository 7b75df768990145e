"""Calibration: better probabilities in the same order, and a file that loads back."""

from __future__ import annotations

import itertools
import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.calibration import calibration_curve
from sklearn.metrics import brier_score_loss

from eduflow.errors import InputError
from eduflow.select import Calibration
from eduflow.select.calibration import fit, quality, reliability


def overconfident(n: int, seed: int = 0) -> tuple[list[float], list[bool]]:
    """Scores that say 0.99 where 0.7 is true, and the like."""
    dice = random.Random(seed)
    truth = [dice.random() for _ in range(n)]
    scores = [1 / (1 + ((1 - p) / p) ** 3) for p in truth]
    return scores, [dice.random() < p for p in truth]


@pytest.mark.parametrize("method", ["isotonic", "temperature"])
def test_a_calibration_makes_overconfident_scores_better_on_others_too(method: str) -> None:
    scores, right = overconfident(2000)
    found = fit(scores, right, method, critic="c", held_out=overconfident(2000, seed=1))  # type: ignore[arg-type]
    assert found.held_out is not None
    before, after = found.held_out
    assert after.ece < before.ece / 2
    assert after.brier < before.brier
    if method == "temperature":
        assert found.temperature == pytest.approx(3, rel=0.15)


@pytest.mark.parametrize("method", ["isotonic", "temperature"])
@given(st.lists(st.floats(0, 1), min_size=2, max_size=20))
def test_the_order_of_scores_is_kept_and_probabilities_stay_in_range(method: str, given: list[float]) -> None:
    found = CALIBRATIONS[method]
    values = [found(score) for score in sorted(given)]
    assert all(0 <= value <= 1 for value in values)
    assert all(b >= a - 1e-12 for a, b in itertools.pairwise(values))


CALIBRATIONS = {name: fit(*overconfident(300), name) for name in ("isotonic", "temperature")}


def test_ece_and_brier_are_those_of_scikit_learn() -> None:
    scores, right = overconfident(500)
    found = quality(scores, right)
    assert found.brier == pytest.approx(brier_score_loss(right, scores))
    shares, means = calibration_curve(right, scores, n_bins=10)
    points = reliability(scores, right)
    assert [share for _, _, share in points] == pytest.approx(list(shares))
    assert [mean for _, mean, _ in points] == pytest.approx(list(means))
    assert found.ece == pytest.approx(sum(n * abs(m - s) for n, m, s in points) / 500)


@pytest.mark.parametrize("method", ["isotonic", "temperature"])
def test_a_calibration_is_a_small_file_that_loads_back(tmp_path: Path, method: str) -> None:
    found = CALIBRATIONS[method]
    found.save(tmp_path / "c.json")
    again = Calibration.load(tmp_path / "c.json")
    assert again == found
    assert [again(x / 20) for x in range(21)] == [found(x / 20) for x in range(21)]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"method": "magic"}, "method"),
        ({"points": []}, None),
        ({"points": [[0.5, 0.9], [0.6, 0.1]]}, None),
        ({"n": 0}, "n"),
    ],
)
def test_a_damaged_calibration_is_named(tmp_path: Path, change: dict[str, object], field: str | None) -> None:
    path = tmp_path / "c.json"
    CALIBRATIONS["isotonic"].save(path)
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(InputError) as error:
        Calibration.load(path)
    assert error.value.path == str(path)
    assert error.value.field == field
    with pytest.raises(InputError, match="cannot be read"):
        Calibration.load(tmp_path / "none.json")


@pytest.mark.parametrize(
    ("scores", "right", "what"),
    [([], [], "scores"), ([0.5, 1.5], [True, False], "0..1"), ([0.5, 0.6], [True, True], "right and wrong")],
)
def test_what_nothing_can_be_learnt_from_is_refused(
    scores: list[float], right: list[bool], what: str
) -> None:
    with pytest.raises(InputError, match=what):
        fit(scores, right)


def test_scores_that_run_against_the_labels_have_no_temperature() -> None:
    with pytest.raises(InputError, match="against"):
        fit([0.9, 0.1, 0.8, 0.2], [False, True, False, True], "temperature")
