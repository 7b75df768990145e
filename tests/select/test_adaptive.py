"""Stopping early: the published values of the Beta rule, and when sampling ends."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eduflow.errors import ConfigError
from eduflow.select import Candidate, Stopping
from eduflow.select.adaptive import leader_is_ahead, samples_needed


@pytest.mark.parametrize(
    ("leader", "second", "probability"), [(2, 0, 0.875), (3, 0, 0.9375), (4, 0, 0.96875), (4, 1, 0.890625)]
)
def test_the_beta_rule_has_the_published_values(leader: int, second: int, probability: float) -> None:
    assert leader_is_ahead(leader, second) == probability


@given(st.integers(0, 200), st.integers(0, 200))
def test_the_two_sides_add_up_and_a_vote_more_never_hurts(a: int, b: int) -> None:
    assert leader_is_ahead(a, b) + leader_is_ahead(b, a) == pytest.approx(1)
    assert leader_is_ahead(a + 1, b) >= leader_is_ahead(a, b)


def answers(*numbers: int | None) -> list[Candidate]:
    return [Candidate(number) for number in numbers]


def test_sampling_ends_when_the_leader_is_safe() -> None:
    rule = Stopping(votes=0.95)
    assert samples_needed(answers(1, 1, 1, 1, 2, 2), rule) == 4
    assert samples_needed(answers(1, 2, 1, 2, 1, 2), rule) == 6
    assert samples_needed(answers(None, None, None), rule) == 3
    assert samples_needed(answers(1), rule) == 1


def test_a_calibrated_score_may_end_it_too() -> None:
    rule = Stopping(votes=None, score=0.9, least=2)
    assert samples_needed(answers(1, 2, 3), rule, [0.95, None, 0.1]) == 2
    assert samples_needed(answers(1, 2, 3), rule, [0.5, None, 0.89]) == 3


@given(st.lists(st.one_of(st.none(), st.integers(0, 2)), min_size=1, max_size=15))
def test_a_rule_without_conditions_never_ends_it(numbers: list[int | None]) -> None:
    assert samples_needed(answers(*numbers), Stopping(votes=None)) == len(numbers)


@pytest.mark.parametrize("fields", [{"votes": 0.2}, {"score": 1.5}, {"least": 0}])
def test_a_rule_out_of_range_is_refused(fields: dict[str, float]) -> None:
    with pytest.raises(ConfigError):
        Stopping(**fields)  # type: ignore[arg-type]
