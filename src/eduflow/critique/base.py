"""What a critic is: something that judges the steps of a solution, or scores one step after those before it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from eduflow.grade import Caller
from eduflow.problem import Critique, Problem, Solution, Step, StepCritique


class Critic(Protocol):
    """Judges every step of a whole solution.

    `solution.steps` are judged as they are given; where there are none the critic splits the text itself.
    """

    @property
    def name(self) -> str: ...

    async def critique(self, problem: Problem, solution: Solution, engine: Caller) -> Critique:
        """The word on each step.

        What a model fails to say is an outcome of the critique ("failed", "unparsed", ...), never an exception.
        """
        ...


class StepScorer(Protocol):
    """Scores one step given the problem and the steps before it, as a tree search needs it."""

    @property
    def name(self) -> str: ...

    async def score(
        self, problem: Problem, prefix: Sequence[Step], step: Step, engine: Caller, *, sample: int = 0
    ) -> tuple[StepCritique, tuple[str, ...]]:
        """The word on `step` and the journal keys of the calls; its score is None where the critic said nothing usable."""
        ...
