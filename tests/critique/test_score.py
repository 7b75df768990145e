"""The step score N/M and its counts: what is not scored is counted and never a number."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eduflow.critique.score import count_steps, first_error, judged_right, not_scored, step_score
from eduflow.labels import Label
from eduflow.problem import Critique, Step, StepCritique

RIGHT = StepCritique(label=Label.CORRECT)
SLIP = StepCritique(label=Label.CALCULATION)
OPEN = StepCritique(label=None)
UNTYPED = StepCritique(label=None, score=0.2)


def critique(*steps: StepCritique, **fields: Any) -> Critique:
    split = tuple(Step(text=str(i)) for i in range(len(steps)))
    row = {"problem_id": "p", "solver": "s", "mode": "cot", "critic": "c", "outcome": "ok", **fields}
    return Critique(**row, steps=steps, split=split)


def test_the_score_is_the_share_of_right_steps() -> None:
    assert step_score(critique(RIGHT, SLIP, RIGHT, RIGHT)) == 0.75
    assert step_score(critique(RIGHT)) == 1.0
    assert step_score(critique(SLIP)) == 0.0
    assert step_score(critique(RIGHT, UNTYPED)) == 0.5


@pytest.mark.parametrize("outcome", ["failed", "rejected_input", "filtered", "truncated", "unparsed"])
def test_a_critique_that_did_not_end_well_has_no_score(outcome: str) -> None:
    found = critique(outcome=outcome, detail="why")
    assert step_score(found) is None
    assert not_scored(found) == outcome


def test_an_open_step_leaves_the_solution_unscored_and_is_never_correct() -> None:
    found = critique(RIGHT, OPEN)
    assert step_score(found) is None
    assert not_scored(found) == "unknown"
    assert judged_right(OPEN) is None


def test_the_first_error_counts_from_zero() -> None:
    assert first_error(critique(RIGHT, SLIP, SLIP)) == 1
    assert first_error(critique(OPEN, UNTYPED)) == 1
    assert first_error(critique(RIGHT, OPEN)) is None


def test_failures_stay_in_the_counts_beside_the_mean() -> None:
    counts = count_steps([critique(RIGHT, SLIP), critique(outcome="unparsed"), critique(RIGHT, OPEN)])
    assert (counts.critiques, counts.scored) == (3, 1)
    assert counts.not_scored == {"unknown": 1, "unparsed": 1}
    assert counts.labels == {Label.CORRECT: 2, Label.CALCULATION: 1}
    assert counts.error_shares() == {Label.CALCULATION: 1.0}


STEPS = st.sampled_from(
    [RIGHT, SLIP, OPEN, UNTYPED, StepCritique(label=Label.VISUAL), StepCritique(label=None, score=0.9)]
)


@given(st.lists(st.lists(STEPS, min_size=1, max_size=6), max_size=8))
def test_the_sums_close(solutions: list[list[StepCritique]]) -> None:
    critiques = [critique(*steps) for steps in solutions]
    counts = count_steps(critiques)
    assert counts.scored + sum(counts.not_scored.values()) == counts.critiques == len(solutions)
    assert sum(counts.labels.values()) + counts.untyped + counts.open == counts.steps
    for found in critiques:
        score = step_score(found)
        assert (score is None) == (not_scored(found) is not None)
        if score is not None:
            assert 0 <= score <= 1
            assert (first_error(found) is None) == (score == 1)
