"""Choosing among candidates: what every strategy keeps to, and what each makes of missing scores."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eduflow.report.intervals import pass_at
from eduflow.select import STRATEGIES, Candidate, choose

SCORE = st.one_of(st.none(), st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]))
CANDIDATE = st.builds(
    Candidate,
    answer=st.one_of(st.none(), st.integers(0, 3)),
    steps=st.lists(SCORE, max_size=4).map(tuple),
    outcome=SCORE,
    critique=SCORE,
    refuted=st.one_of(st.none(), st.booleans()),
)
CANDIDATES = st.lists(CANDIDATE, min_size=1, max_size=8)
by_strategy = pytest.mark.parametrize("strategy", STRATEGIES)


@by_strategy
@given(CANDIDATES)
def test_one_candidate_is_always_chosen_and_is_among_its_equals(
    strategy: str, given: list[Candidate]
) -> None:
    choice = choose(given, strategy, seed="p")  # type: ignore[arg-type]
    assert 0 <= choice.index < len(given)
    assert choice.index == min(choice.tied) or strategy == "random"
    assert choice.index in choice.tied


@by_strategy
@given(CANDIDATES, st.randoms(use_true_random=False))
def test_permuting_the_candidates_changes_nothing_but_ties(
    strategy: str, given: list[Candidate], dice: random.Random
) -> None:
    order = list(range(len(given)))
    dice.shuffle(order)
    before = choose(given, strategy)  # type: ignore[arg-type]
    after = choose([given[i] for i in order], strategy)  # type: ignore[arg-type]
    assert {order[i] for i in after.tied} == set(before.tied)


@by_strategy
@given(CANDIDATE, st.integers(1, 6))
def test_candidates_that_are_alike_are_ties(strategy: str, one: Candidate, count: int) -> None:
    assert choose([one] * count, strategy).tied == tuple(range(count))  # type: ignore[arg-type]


@by_strategy
@given(st.lists(st.tuples(CANDIDATE, st.booleans()), min_size=1, max_size=8))
def test_every_strategy_lies_between_worst_and_oracle(
    strategy: str, given: list[tuple[Candidate, bool]]
) -> None:
    solved = [right for _, right in given]
    index = choose([candidate for candidate, _ in given], strategy).index  # type: ignore[arg-type]
    assert min(solved) <= solved[index] <= max(solved)
    assert pass_at(len(solved), sum(solved), len(solved)) == float(any(solved))


@given(st.integers(1, 60).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))))
def test_pass_at_n_never_falls_with_n(samples: tuple[int, int]) -> None:
    n, right = samples
    values = [pass_at(n, right, k) for k in range(1, n + 1)]
    assert values == sorted(values)


def test_pass_at_has_the_published_values() -> None:
    assert pass_at(10, 3, 5) == pytest.approx(0.916667, abs=5e-7)
    assert pass_at(256, 13, 64) == pytest.approx(0.978623, abs=5e-7)


def answers(*numbers: int | None) -> list[Candidate]:
    return [Candidate(number) for number in numbers]


def steps(*scores: Sequence[float | None]) -> list[Candidate]:
    return [Candidate(i, steps=tuple(one)) for i, one in enumerate(scores)]


def test_the_first_wins_ties_in_a_majority() -> None:
    assert choose(answers(2, 1, 1, 2), "majority").index == 0
    assert choose(answers(0, 1, 1), "majority").index == 1


def test_who_has_no_answer_does_not_vote() -> None:
    assert choose(answers(None, None, None, 1), "majority").index == 3
    assert choose(answers(None, None), "majority").index == 0


def test_each_fold_of_step_scores_has_its_own_favourite() -> None:
    given = steps((0.9, 0.9, 0.2), (0.6, 0.6), (0.5, 0.5, 0.5, 0.5, 0.7), (0.1, 0.95))
    assert choose(given, "mean").index == 0
    assert choose(given, "min").index == 1
    assert choose(given, "sum").index == 2
    assert choose(given, "last").index == 3
    assert choose(given, "product").index == 1


def test_a_missing_score_is_left_out_and_never_a_number() -> None:
    given = steps((None, 0.6), (0.5, 0.5), (None, None), ())
    assert choose(given, "mean").index == 0
    assert choose(given, "min").index == 0
    assert choose(steps((None,), (0.0,)), "mean").index == 1
    assert choose(steps((0.9, None), (0.1, 0.2)), "last").index == 1
    assert choose(steps((None,), ()), "product").tied == (0, 1)


def test_the_weighted_majority_takes_what_it_does_not_know_as_the_mean() -> None:
    given = [Candidate(0, (0.9,)), Candidate(1, (0.5,)), Candidate(1)]
    # Answer 1: 0.5 and the mean of 0.9 and 0.5.
    assert choose(given, "weighted").index == 1
    assert choose([Candidate(0, (0.9,)), Candidate(1, (0.3,)), Candidate(1, (0.3,))], "weighted").index == 0


def test_a_refuted_candidate_weighs_nothing() -> None:
    given = [Candidate(0, refuted=True), Candidate(0, refuted=True), Candidate(1, refuted=False)]
    assert choose(given, "majority").index == 0
    assert choose(given, "weighted").index == 2
    assert choose(given, "symbolic").index == 2


def test_random_is_the_same_for_the_same_seed() -> None:
    given = answers(*range(50))
    first = choose(given, "random", seed="a")
    assert choose(given, "random", seed="a") == first
    assert len({choose(given, "random", seed=str(i)).index for i in range(200)}) > 30


def test_nothing_to_choose_from_is_an_error() -> None:
    with pytest.raises(ValueError, match="nothing"):
        choose([], "mean")
