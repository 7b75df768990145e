"""The panel's vote: right or wrong first, then the type; ties stay open."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eduflow.critique.score import judged_right
from eduflow.critique.vote import panel_agreement, vote
from eduflow.labels import Label
from eduflow.problem import StepCritique

CS, CE, LRE, HE = Label.CORRECT, Label.CALCULATION, Label.REASONING, Label.HALLUCINATION


def said(label: Label | None, why: str = "") -> StepCritique:
    return StepCritique(label=label, explanation=why)


def test_right_or_wrong_is_voted_before_the_type() -> None:
    # CORRECT is the commonest single label, but three of five say wrong.
    ballot = vote({"a": said(CS), "b": said(CS), "c": said(CE), "d": said(LRE), "e": said(CE)})
    assert ballot.step.label is CE
    assert ballot.step.score == pytest.approx(0.4)
    assert ballot.wrong == ("c", "d", "e")


def test_a_tie_on_right_or_wrong_is_unresolved() -> None:
    ballot = vote({"a": said(CS), "b": said(CE)}, stronger="b")
    assert (ballot.resolved, ballot.step.label, ballot.step.score) == ("unresolved", None, None)


def test_a_tie_on_the_type_goes_to_the_stronger_judge_or_stays_open() -> None:
    votes = {"a": said(CE), "b": said(LRE), "c": said(CS)}
    assert vote(votes, stronger="b").step.label is LRE
    for stronger in (None, "c", "nobody"):
        ballot = vote(votes, stronger=stronger)
        assert (ballot.resolved, ballot.step.label) == ("type_unresolved", None)
        assert judged_right(ballot.step) is False


def test_the_stronger_judge_does_not_overrule_a_majority() -> None:
    votes = {"a": said(CE), "b": said(CE), "c": said(LRE)}
    assert vote(votes, stronger="c").step.label is CE


def test_who_says_nothing_does_not_vote() -> None:
    ballot = vote({"a": said(None), "b": said(CS), "c": said(None)})
    assert (ballot.step.label, ballot.step.score, ballot.right) == (CS, 1.0, ("b",))
    assert vote({"a": said(None)}).resolved == "silent"
    assert vote({}).resolved == "silent"


def test_the_explanation_comes_from_the_winning_side() -> None:
    ballot = vote(
        {"a": said(CS, "fine"), "b": said(LRE, "a gap"), "c": said(CE, ""), "d": said(CE, "7 × 8 is 56")}
    )
    assert ballot.step.explanation == "7 × 8 is 56"


def test_a_score_without_a_label_votes_on_right_or_wrong() -> None:
    ballot = vote({"yes": StepCritique(label=None, score=0.2), "a": said(CE), "b": said(CS)})
    assert ballot.step.label is CE
    assert ballot.wrong == ("yes", "a")


VOTES = st.lists(st.sampled_from([CS, CE, LRE, HE, None]), min_size=1, max_size=5)


@given(VOTES)
def test_the_order_of_the_judges_never_changes_the_verdict(labels: list[Label | None]) -> None:
    votes = {str(i): said(label) for i, label in enumerate(labels)}
    first = vote(votes)
    for order in itertools.permutations(votes):
        again = vote({name: votes[name] for name in order})
        assert (again.step, again.resolved) == (first.step, first.resolved)
    sides = len(first.right) + len(first.wrong)
    assert sides == sum(label is not None for label in labels)


def test_each_judge_is_measured_against_the_panel() -> None:
    votes = [
        {"a": said(CS), "b": said(CS), "c": said(CE)},
        {"a": said(CE), "b": said(LRE), "c": said(CE)},
        {"a": said(CS), "b": said(None), "c": said(CE)},  # unresolved: counts for nobody
    ]
    found = panel_agreement([vote(step) for step in votes], votes)
    assert (found["a"].steps, found["a"].verdicts, found["a"].labels) == (2, 1.0, 1.0)
    assert (found["b"].verdicts, found["b"].labels) == (1.0, 0.5)
    assert found["c"].verdicts == 0.5
    with pytest.raises(ValueError, match="ballots"):
        panel_agreement([], votes)
