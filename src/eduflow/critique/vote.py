"""The vote of a panel: first on right or wrong, then on the type among those who said wrong.

A rule of K12Vista's data pipeline, whose ties are not published; what is done with them here stands at `vote`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from eduflow.critique.score import judged_right
from eduflow.labels import Label
from eduflow.problem import StepCritique

Resolved = Literal["resolved", "type_unresolved", "unresolved", "silent"]


@dataclass(frozen=True, slots=True)
class Ballot:
    """The panel's word on one step.

    `resolved`: "resolved", with a label; "type_unresolved", wrong for the majority, which disagrees on how; "unresolved", as
    many for right as for wrong; "silent", nobody said anything. `right` and `wrong` name the judges on each side.
    """

    step: StepCritique
    resolved: Resolved
    right: tuple[str, ...]
    wrong: tuple[str, ...]


def vote(votes: Mapping[str, StepCritique], *, stronger: str | None = None) -> Ballot:
    """The panel's word on one step.

    Judges who said nothing usable don't vote. Right and wrong are counted first; a tie there leaves the step without label and
    score. Among those who said wrong the commonest type wins; a tie on the type goes to the judge named `stronger` if it stands on
    that side with one of the tied types, and otherwise leaves the step wrong without a label. The score is the share of judges
    who said right. The explanation is that of the first judge on the winning side who has one, in the order of `votes`, and
    who chose the winning type.
    """
    verdicts = {name: judged_right(step) for name, step in votes.items()}
    right = tuple(name for name, verdict in verdicts.items() if verdict is True)
    wrong = tuple(name for name, verdict in verdicts.items() if verdict is False)
    if len(right) == len(wrong):
        reason: Resolved = "unresolved" if right else "silent"
        return Ballot(StepCritique(label=None), reason, right, wrong)
    share = len(right) / (len(right) + len(wrong))
    if len(right) > len(wrong):
        label: Label | None = Label.CORRECT
        winners: Sequence[str] = right
    else:
        label = _type({name: votes[name].label for name in wrong}, stronger)
        winners = [name for name in wrong if votes[name].label is label] if label else wrong
    explanation = next((votes[name].explanation for name in winners if votes[name].explanation), "")
    step = StepCritique(label=label, explanation=explanation, score=share, score_source="panel")
    return Ballot(step, "resolved" if label else "type_unresolved", right, wrong)


def _type(labels: Mapping[str, Label | None], stronger: str | None) -> Label | None:
    counts = Counter(label for label in labels.values() if label is not None)
    if not counts:
        return None
    most = max(counts.values())
    tied = [label for label in counts if counts[label] == most]
    if len(tied) == 1:
        return tied[0]
    chosen = labels.get(stronger) if stronger is not None else None
    return chosen if chosen in tied else None


@dataclass(frozen=True, slots=True)
class JudgeAgreement:
    """How one judge stands to its panel, over the steps that the panel resolved and the judge spoke on.

    `verdicts` is the share of steps on which it agrees on right or wrong; `labels` the share with the same label, of the
    `labelled` steps where both have one. None where there are no such steps.
    """

    steps: int
    verdicts: float | None
    labelled: int
    labels: float | None


def panel_agreement(
    ballots: Sequence[Ballot], votes: Sequence[Mapping[str, StepCritique]]
) -> dict[str, JudgeAgreement]:
    """Each judge's agreement with the panel; `votes[i]` led to `ballots[i]`.

    The judge's own vote is part of the panel's, so that a small panel agrees with its members more than strangers would.
    """
    if len(ballots) != len(votes):
        raise ValueError(f"{len(ballots)} ballots for {len(votes)} votes")
    names = list(dict.fromkeys(name for step in votes for name in step))
    found: dict[str, JudgeAgreement] = {}
    for name in names:
        same = spoke = same_label = labelled = 0
        for ballot, step in zip(ballots, votes, strict=True):
            panel, judge = judged_right(ballot.step), judged_right(step.get(name, StepCritique(label=None)))
            if panel is None or judge is None:
                continue
            spoke += 1
            same += panel == judge
            if ballot.step.label is not None and step[name].label is not None:
                labelled += 1
                same_label += ballot.step.label is step[name].label
        found[name] = JudgeAgreement(
            spoke, same / spoke if spoke else None, labelled, same_label / labelled if labelled else None
        )
    return found
