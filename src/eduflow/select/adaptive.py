"""When enough samples were drawn: the leader is safe.

Source: adaptive consistency (Aggarwal et al. 2023, arXiv 2305.11860), its Beta rule on the two leading answers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

from eduflow.errors import ConfigError
from eduflow.select.strategies import Candidate


def leader_is_ahead(leader: int, second: int) -> float:
    """The probability that the leading answer is the likelier of the two: P(p > 1/2) for p ~ Beta(leader + 1, second + 1).

    With whole numbers it is a sum of binomials, exact: Σ_{i ≤ leader} C(n, i) / 2ⁿ with n = leader + second + 1.
    """
    if leader < 0 or second < 0:
        raise ValueError("votes are counted from 0")
    n = leader + second + 1
    return float(sum(comb(n, i) for i in range(leader + 1)) / 2**n)


@dataclass(frozen=True, slots=True)
class Stopping:
    """A rule that ends the sampling of a problem early.

    Args:
        votes: stop once `leader_is_ahead` of the two commonest answers reaches this; None for never.
        score: stop once a candidate's calibrated score reaches this; None for never. Uncalibrated scores make it a guess.
        least: samples that are drawn in any case.

    Raises:
        ConfigError: a value out of range.
    """

    votes: float | None = 0.95
    score: float | None = None
    least: int = 2

    def __post_init__(self) -> None:
        for name in ("votes", "score"):
            value = getattr(self, name)
            if value is not None and not 0.5 <= value <= 1:
                raise ConfigError(f"the stopping rule on {name} goes from 0.5 to 1, not {value}")
        if self.least < 1:
            raise ConfigError(f"at least 1 sample is drawn, not {self.least}")

    def enough(self, candidates: Sequence[Candidate], scores: Sequence[float | None] = ()) -> bool:
        """Whether no further sample is needed.

        Args:
            scores: the calibrated score of each candidate, for the rule on scores.
        """
        if len(candidates) < self.least:
            return False
        if self.votes is not None:
            counts = Counter(c.answer for c in candidates if c.answer is not None).most_common(2)
            if counts:
                second = counts[1][1] if len(counts) > 1 else 0
                if leader_is_ahead(counts[0][1], second) >= self.votes:
                    return True
        return self.score is not None and any(s is not None and s >= self.score for s in scores)


def samples_needed(
    candidates: Sequence[Candidate], rule: Stopping, scores: Sequence[float | None] = ()
) -> int:
    """How many of the candidates, in their order, would have been drawn under the rule."""
    for drawn in range(1, len(candidates)):
        if rule.enough(candidates[:drawn], scores[:drawn]):
            return drawn
    return len(candidates)
