"""Agreement: published values, and what is not defined stays undefined."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eduflow.critique.agreement import (
    agree_on_labels,
    agree_on_scores,
    alpha,
    band,
    bins,
    judges_against_raters,
    mean_of_raters,
)
from eduflow.errors import InputError

# The classes 0, 1, 2 as scores in the bins 0, 1, 2.
SCORES = (0.1, 0.3, 0.5)


def spread(*counts: int) -> list[int]:
    return [value for value, n in enumerate(counts) for _ in range(n)]


@pytest.mark.parametrize(
    ("one", "other", "kappa"),
    [
        # The values of scikit-learn's own tests (the first is an example of Artstein and Poesio 2008).
        ([0] * 40 + [1] * 60, [0] * 20 + [1] * 20 + [0] * 10 + [1] * 50, 0.348),
        (spread(46, 44, 10), spread(52, 32, 16), 0.8013),
        (spread(46, 44, 10), spread(50, 40, 10), 0.9315),
    ],
)
def test_kappa_has_the_published_values(one: list[int], other: list[int], kappa: float) -> None:
    found = agree_on_labels([str(v) for v in one], [str(v) for v in other])
    assert found.kappa == pytest.approx(kappa, abs=5e-4)


def test_weighted_kappas_have_the_published_values() -> None:
    one, other = spread(46, 44, 10), spread(50, 40, 10)
    found = agree_on_scores([SCORES[v] for v in one], [SCORES[v] for v in other])
    assert found.kappa == pytest.approx(0.9315, abs=5e-5)
    assert found.linear == pytest.approx(0.9412, abs=5e-5)
    assert found.quadratic == pytest.approx(0.9541, abs=5e-5)
    assert found.band == "almost perfect"


def test_alpha_has_the_published_values() -> None:
    # Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", the example with four coders and missing data.
    one: list[float | None] = [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None]
    two: list[float | None] = [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3]
    three: list[float | None] = [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None]
    four: list[float | None] = [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None]
    coders = [one, two, three, four]
    assert alpha(coders, "nominal") == pytest.approx(0.743, abs=5e-4)
    assert alpha(coders, "ordinal") == pytest.approx(0.815, abs=5e-4)
    assert alpha(coders, "interval") == pytest.approx(0.849, abs=5e-4)


@pytest.mark.parametrize(
    ("kappa", "words"),
    [
        (-0.1, "poor"), (0.0, "slight"), (0.2, "slight"), (0.21, "fair"), (0.4, "fair"), (0.5, "moderate"),
        (0.61, "substantial"), (0.8, "substantial"), (0.81, "almost perfect"), (1.0, "almost perfect"),
    ],
)  # fmt: skip
def test_bands_are_those_of_landis_and_koch(kappa: float, words: str) -> None:
    assert band(kappa) == words


def test_the_edges_of_the_bins_belong_to_the_upper_bin() -> None:
    assert bins([0, 0.19, 0.2, 0.4, 0.6, 0.79, 0.8, 1]).tolist() == [0, 0, 1, 2, 3, 3, 4, 4]


@pytest.mark.parametrize("score", [-0.01, 1.01, float("nan")])
def test_a_score_outside_the_range_is_refused(score: float) -> None:
    with pytest.raises(InputError, match="outside"):
        bins([0.5, score])


@pytest.mark.parametrize("scores", [[], [0.5], [0.5, 0.5, 0.5]])
def test_what_is_not_defined_is_none_and_never_a_number(scores: list[float]) -> None:
    found = agree_on_scores(scores, scores)
    assert found.n == len(scores)
    assert found.kappa is None
    assert found.quadratic is None
    assert found.pearson is None
    assert found.alpha is None
    assert found.band is None


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), max_size=30))
def test_agreement_is_symmetric_and_bounded(pairs: list[tuple[float, float]]) -> None:
    one, other = [a for a, _ in pairs], [b for _, b in pairs]
    forth, back = agree_on_scores(one, other), agree_on_scores(other, one)
    for name in ("raw", "kappa", "linear", "quadratic", "pearson", "alpha"):
        a, b = getattr(forth, name), getattr(back, name)
        assert (a is None) == (b is None)
        if a is not None:
            assert a == pytest.approx(b, abs=1e-9)
            assert -1.0001 <= a <= 1.0001 or name == "alpha"


def test_raters_are_averaged_over_the_items_that_all_have() -> None:
    raters = {"a": {"1": 0.0, "2": 1.0, "3": 0.5}, "b": {"1": 0.5, "2": 1.0}}
    assert mean_of_raters(raters) == {"1": 0.25, "2": 1.0}
    found = judges_against_raters(raters, {"judge/direct": {"1": 0.3, "2": 0.9, "9": 0.1}, "judge/steps": {}})
    assert found["judge/direct"].n == 2
    assert found["judge/direct"].quadratic == 1.0
    assert found["judge/steps"].n == 0
