"""Intervals and tests against published values, brute force and simulation."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eduflow.report.intervals import bootstrap, pass_at, sign_test, wilson


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        # Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
        # By the closed forms z²/(n + z²) and ½ ± ½·√(z²/(n + z²)), z² = 3.8415.
        (0, 10, 0.0000, 0.2775),
        (5, 10, 0.2366, 0.7634),
        (10, 10, 0.7225, 1.0000),
    ],
)
def test_wilson_gives_the_published_intervals(successes: int, trials: int, low: float, high: float) -> None:
    assert wilson(successes, trials) == pytest.approx((low, high), abs=5e-5)


@given(st.integers(1, 10**6).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_holds_the_share_and_mirrors(case: tuple[int, int]) -> None:
    successes, trials = case
    low, high = wilson(successes, trials)
    assert 0 <= low <= successes / trials <= high <= 1
    assert low < high
    assert wilson(trials - successes, trials) == pytest.approx((1 - high, 1 - low), abs=1e-9)


@pytest.mark.parametrize(("successes", "trials"), [(0, 0), (-1, 5), (6, 5)])
def test_wilson_refuses_what_is_no_share(successes: int, trials: int) -> None:
    with pytest.raises(ValueError, match="is no share"):
        wilson(successes, trials)


def units(*sizes: int) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)


def test_the_bootstrap_covers_the_truth_about_as_often_as_it_says() -> None:
    """Sixty units of one to three problems that share their unit's luck: 400 draws from a known population."""
    draw = np.random.default_rng(5)
    held = 0
    for repeat in range(400):
        sizes = draw.integers(1, 4, size=60)
        # Every unit has its own chance, uniform in 0..1, and scores are thirds: the true mean is one half.
        chances = np.repeat(draw.random(60), sizes)
        scores = draw.binomial(3, chances) / 3
        low, high = bootstrap([(units(*sizes), scores)], resamples=400, seed=repeat)
        held += low <= 0.5 <= high
    # 95% of 400 is 380; the standard error is 4.4, and a percentile bootstrap of 60 units falls a little short.
    assert 364 <= held <= 394


def test_ignoring_that_samples_move_together_would_be_too_sure_of_itself() -> None:
    draw = np.random.default_rng(1)
    scores = np.repeat(draw.integers(0, 2, size=50), 8).astype(float)
    together = bootstrap([(units(*[8] * 50), scores)])
    apart = bootstrap([(np.arange(400, dtype=np.int32), scores)])
    assert together[1] - together[0] > 2 * (apart[1] - apart[0])


def test_drawing_kinds_is_drawing_units() -> None:
    """The quick form against the literal one: draw units with replacement and average."""
    draw = np.random.default_rng(3)
    sizes = draw.integers(1, 4, size=40)
    scores = draw.integers(0, 3, size=sizes.sum()) / 2
    which = units(*sizes)
    sums, counts = np.bincount(which, scores), np.bincount(which)
    picks = draw.integers(0, 40, size=(20_000, 40))
    literal = np.percentile(sums[picks].sum(axis=1) / counts[picks].sum(axis=1), [2.5, 97.5])
    assert bootstrap([(which, scores)], resamples=20_000) == pytest.approx(tuple(literal), abs=0.006)


def test_parts_are_resampled_as_pairs() -> None:
    """Two columns that cancel each other have a mean without spread, however far each spreads."""
    scores = np.linspace(0, 1, 50)
    every = np.arange(50, dtype=np.int32)
    low, high = bootstrap([(every, scores), (every, 1 - scores)])
    assert low == pytest.approx(0.5)
    assert high == pytest.approx(0.5)


def test_parts_may_hold_different_units() -> None:
    low, high = bootstrap(
        [(np.arange(0, 40, dtype=np.int32), np.ones(40)), (np.arange(30, 80, dtype=np.int32), np.zeros(50))]
    )
    assert low == high == 0.5


def test_a_bootstrap_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="needs values"):
        bootstrap([(np.zeros(0, dtype=np.int32), np.zeros(0))])


@given(st.integers(0, 60), st.integers(0, 60))
def test_the_sign_test_is_the_exact_binomial(wins: int, losses: int) -> None:
    trials = wins + losses
    tail = sum(math.comb(trials, i) for i in range(min(wins, losses) + 1))
    assert sign_test(wins, losses) == pytest.approx(min(1.0, 2 * tail / 2**trials), rel=1e-9)


def test_the_sign_test_of_many_flips() -> None:
    # Normal approximation with continuity correction: z = (|51,000 − 49,000| − 1) / √100,000 = 6.32.
    assert sign_test(49_000, 51_000) == pytest.approx(math.erfc(6.3214 / math.sqrt(2)), rel=0.01)


@given(st.integers(1, 8).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n))))
def test_pass_at_k_is_the_share_of_draws_with_a_right_one(case: tuple[int, int, int]) -> None:
    samples, solved, k = case
    draws = list(itertools.combinations([True] * solved + [False] * (samples - solved), k))
    assert pass_at(samples, solved, k) == pytest.approx(sum(map(any, draws)) / len(draws))


def test_pass_at_k_needs_k_samples() -> None:
    with pytest.raises(ValueError, match="needs 5 samples, not 4"):
        pass_at(4, 1, 5)
