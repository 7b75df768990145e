"""Answers that are equal to each other: what a vote counts, in self-consistency and in best-of-N.

Two answers are one where the comparators prove it blank by blank, on the whole tuple; an answer that nothing can be read of is in no group.
"""

from __future__ import annotations

from collections.abc import Sequence

from eduflow.grade.blanks import check_answers
from eduflow.grade.compare import compare
from eduflow.grade.extract import extract
from eduflow.grade.normalise import clean
from eduflow.problem import Problem

Answer = tuple[str | None, ...]


def answer_of(problem: Problem, text: str) -> Answer | None:
    """The answers in a model's text, one per blank of the problem; None where no blank has one.

    The golds tell only how many there are and which label belongs to which blank.
    """
    matches = check_answers(
        problem.answers,
        extract(text, blanks=len(problem.answers)),
        question=problem.question,
        type=problem.type,
        options=problem.options,
        ordered=problem.ordered,
        subject=problem.subject,
    )
    found = tuple(match.extracted for match in matches)
    return found if any(found) else None


def same_answers(problem: Problem, one: Answer, other: Answer) -> bool:
    """Whether two tuples of answers are proven equal, blank by blank, in either direction. Two missing answers are equal."""
    if len(one) != len(other):
        return False
    return all(_same(problem, a, b) for a, b in zip(one, other, strict=True))


def _same(problem: Problem, one: str | None, other: str | None) -> bool:
    if one is None or other is None:
        return one is other
    if clean(one) == clean(other):
        return True
    return any(
        compare(
            a,
            b,
            question=problem.question,
            type=problem.type,
            options=problem.options,
            subject=problem.subject,
        ).verdict
        == "right"
        for a, b in ((one, other), (other, one))
    )


class AnswerGroups:
    """Groups of equal answers to one problem, numbered from 0 in the order in which they come up.

    A new answer joins the first group whose first member it equals. Equality by proof is not quite transitive, so the order
    of the answers may matter where a comparator knows a of b and b of c but not a of c.
    """

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._firsts: list[Answer] = []
        self._known: dict[Answer, int] = {}

    def __len__(self) -> int:
        return len(self._firsts)

    def number(self, answer: Answer) -> int:
        """The number of the group that the answer belongs to; a new one where it equals none before it."""
        if answer not in self._known:
            found = next(
                (i for i, first in enumerate(self._firsts) if same_answers(self._problem, first, answer)),
                len(self._firsts),
            )
            if found == len(self._firsts):
                self._firsts.append(answer)
            self._known[answer] = found
        return self._known[answer]

    def first(self, number: int) -> Answer:
        """The answer that opened the group."""
        return self._firsts[number]


def group_answers(problem: Problem, answers: Sequence[Answer | None]) -> list[int | None]:
    """The group of each answer; None for a missing one."""
    groups = AnswerGroups(problem)
    return [None if answer is None else groups.number(answer) for answer in answers]
