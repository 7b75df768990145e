"""Best-of-N: which of N candidate solutions is given out. Pure functions of what is known about the candidates.

Sources: self-consistency (Wang et al. 2022, arXiv 2203.11171) for the majority; process rewards folded by mean, min, last, product
(Lightman et al. 2023, arXiv 2305.20050; Wang et al. 2023, arXiv 2312.08935) and sum, which EduFlow's paper calls accumulated and which favours
long solutions; weighted majority as in Li et al. 2022 (arXiv 2206.02336).

A missing score is never a number: a step without one is left out of its fold, a candidate without any ranks below every candidate that has one. In
the weighted majority it weighs as much as the mean of those that have one, and 1 where none has.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

Strategy = Literal[
    "random",
    "majority",
    "outcome",
    "mean",
    "min",
    "last",
    "product",
    "sum",
    "weighted",
    "critique",
    "symbolic",
]
STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)
# What a solution without steps can be chosen by.
DIRECT: tuple[Strategy, ...] = ("random", "majority", "outcome")


@dataclass(frozen=True, slots=True)
class Candidate:
    """What is known about one candidate.

    Args:
        answer: the number of its group of equal answers; None where nothing could be read.
        steps: the critic's score of each step, 0 to 1; None where it said nothing usable. Empty where there was no critic.
        outcome: one score for the whole, 0 to 1.
        critique: N/M of a full critique.
        refuted: whether the symbolic critic refuted a step; None where it was not asked.
    """

    answer: int | None
    steps: tuple[float | None, ...] = ()
    outcome: float | None = None
    critique: float | None = None
    refuted: bool | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """The chosen candidate, the first of equals; `tied` are all that are as good, itself included."""

    index: int
    tied: tuple[int, ...]


def choose(candidates: Sequence[Candidate], strategy: Strategy, *, seed: str = "") -> Choice:
    """The candidate that the strategy gives out; one is always chosen.

    Args:
        candidates: at least one, in the order of their samples.
        seed: for "random": the same seed gives the same choice.

    Raises:
        ValueError: there is no candidate.
    """
    if not candidates:
        raise ValueError("there is nothing to choose from")
    if strategy == "random":
        digest = hashlib.sha256(f"{seed}\0{len(candidates)}".encode()).digest()
        return Choice(int.from_bytes(digest[:8], "big") % len(candidates), tuple(range(len(candidates))))
    if strategy in ("majority", "weighted"):
        return _by_votes(candidates, weighted=strategy == "weighted")
    return _best([score(candidate, strategy) for candidate in candidates])


def score(candidate: Candidate, strategy: Strategy) -> float | None:
    """The score by which a strategy ranks a candidate; None where it has none. Votes have no score of their own."""
    if strategy == "outcome":
        return candidate.outcome
    if strategy == "critique":
        return candidate.critique
    if strategy == "symbolic":
        return None if candidate.refuted is None else float(not candidate.refuted)
    if strategy == "last":
        return candidate.steps[-1] if candidate.steps else None
    scores = [step for step in candidate.steps if step is not None]
    return _FOLDS[strategy](scores) if scores and strategy in _FOLDS else None


_FOLDS: dict[Strategy, Callable[[Sequence[float]], float]] = {
    "mean": lambda scores: math.fsum(scores) / len(scores),
    "min": min,
    "product": math.prod,
    "sum": math.fsum,
}


def weight(candidate: Candidate) -> float | None:
    """What a candidate weighs in the weighted majority: 0 where a step is refuted, else the mean step score, the critique or the outcome,
    the first of them that there is."""
    if candidate.refuted:
        return 0.0
    for strategy in ("mean", "critique", "outcome"):
        found = score(candidate, strategy)
        if found is not None:
            return found
    return None if candidate.refuted is None else 1.0


def _best(scores: Sequence[float | None]) -> Choice:
    known = [score for score in scores if score is not None]
    top = max(known) if known else None
    tied = tuple(i for i, score in enumerate(scores) if score == top)
    return Choice(tied[0], tied)


def _by_votes(candidates: Sequence[Candidate], *, weighted: bool) -> Choice:
    """The first candidate of the answer with the most votes. Candidates without an answer don't vote; if none votes, all are equal."""
    weights = [weight(candidate) for candidate in candidates] if weighted else [1.0] * len(candidates)
    known = [one for one in weights if one is not None]
    missing = math.fsum(known) / len(known) if known else 1.0
    parts: dict[int, list[float]] = {}
    for candidate, one in zip(candidates, weights, strict=True):
        if candidate.answer is not None:
            parts.setdefault(candidate.answer, []).append(missing if one is None else one)
    if not parts:
        return Choice(0, tuple(range(len(candidates))))
    # fsum does not hang on the order of its terms, so that permuting candidates changes nothing.
    votes = {answer: math.fsum(sorted(weights)) for answer, weights in parts.items()}
    top = max(votes.values())
    winners = {answer for answer, total in votes.items() if total == top}
    tied = tuple(i for i, candidate in enumerate(candidates) if candidate.answer in winners)
    return Choice(tied[0], tied)
