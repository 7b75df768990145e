"""A searched problem as a run keeps it and as reports, pages and exports read it: the whole tree, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Self

from pydantic import Field

from eduflow.problem import (
    Critique,
    Grade,
    Language,
    Noun,
    Problem,
    ProblemType,
    Stage,
    Subject,
    Trajectory,
    TrajectoryNode,
)
from eduflow.search.driver import Searched
from eduflow.search.filters import Dropped, Mark
from eduflow.search.tree import Node, Pruned, Status, Verdict

SCHEMA_VERSION = 1


class NodeRecord(Noun):
    """One node (see `tree.Node`). `dead` nodes lead nowhere; `pruned` says why a child was never gone on from."""

    id: int
    parent: int | None
    kind: str
    text: str = ""
    actor: int = -1
    key: str = ""
    score: float | None = None
    value: float = 0.0
    visits: int = 0
    verdict: Verdict | None = None
    pruned: Pruned | None = None
    dead: bool = False
    multiplicity: int = 1

    @classmethod
    def of(cls, node: Node) -> Self:
        return cls(
            id=node.id,
            parent=node.parent,
            kind=node.kind,
            text=node.text,
            actor=node.actor,
            key=node.key,
            score=node.score,
            value=node.value,
            visits=node.visits,
            verdict=node.verdict,
            pruned=node.pruned,
            dead=node.dead,
            multiplicity=node.multiplicity,
        )


class FinishedPath(Noun):
    """A path that ended in an answer: its last node, the answer with its grade, the critique, and why it was dropped.

    `dropped` is None for the kept path. `calls` are the journal keys of its review.
    """

    node: int
    rollout: int
    answer: tuple[str | None, ...] | None
    reward: float | None
    grade: Grade
    critique: Critique | None
    dropped: Dropped | None
    calls: tuple[str, ...] = ()


class SearchRecord(Noun):
    """One searched problem.

    `accepted` is the last node of the kept path, with its `mark`. `issued` counts the tasks of the tree, `rollouts` its descents, of which
    `died` ended without an answer. `calls` and `tokens` (generated) are what the tree took, journalled or not.
    """

    schema_version: Literal[1] = 1
    problem_id: str = Field(min_length=1)
    unit: str
    subject: Subject
    stage: Stage
    type: ProblemType
    language: Language
    actors: tuple[str, ...]
    status: Status
    nodes: tuple[NodeRecord, ...]
    paths: tuple[FinishedPath, ...]
    accepted: int | None
    mark: Mark | None
    dropped: dict[Dropped, int]
    issued: int
    rollouts: int
    died: int
    calls: int
    tokens: int
    not_searched: str | None = None
    extra: dict[str, Any] = Field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, found: Searched, actors: Sequence[str]) -> Self:
        """The record of a searched problem; `actors` are the names that the nodes' numbers stand for."""
        tree, problem = found.tree, found.problem
        assert tree.ended is not None
        paths = []
        for node in tree.answers():
            review = node.review
            assert review is not None
            paths.append(
                FinishedPath(
                    node=node.id,
                    rollout=node.rollout,
                    answer=review.answer,
                    reward=review.reward,
                    grade=found.grades[node.id],
                    critique=found.critiques.get(node.id),
                    dropped=found.selected.reasons.get(node.id),
                    calls=review.keys,
                )
            )
        return cls(
            **_facts(problem),
            actors=tuple(actors),
            status=tree.ended,
            nodes=tuple(NodeRecord.of(node) for node in tree.nodes),
            paths=tuple(paths),
            accepted=found.selected.node,
            mark=found.selected.mark,
            dropped=found.selected.dropped,
            issued=tree.issued,
            rollouts=tree.rollouts,
            died=tree.died,
            calls=tree.calls,
            tokens=tree.tokens,
        )

    @classmethod
    def unsearched(cls, problem: Problem, actors: Sequence[str], why: str) -> Self:
        """The record of a problem that could not be put to any actor, as where its image is broken."""
        return cls(
            **_facts(problem),
            actors=tuple(actors),
            status="done",
            nodes=(),
            paths=(),
            accepted=None,
            mark=None,
            dropped={},
            issued=0,
            rollouts=0,
            died=0,
            calls=0,
            tokens=0,
            not_searched=why,
        )

    def path(self, node: int) -> list[NodeRecord]:
        """The nodes from below the root to `node`."""
        found, place = [], self.nodes[node]
        while place.parent is not None:
            found.append(place)
            place = self.nodes[place.parent]
        return found[::-1]

    def trajectory(self, node: int | None = None) -> Trajectory | None:
        """The kept path, or the one that ends in `node`, as a trajectory; None where none was kept.

        Its journal keys are those of the actors' calls, node by node, then of the review.
        """
        last = self.accepted if node is None else node
        if last is None:
            return None
        finished = next(path for path in self.paths if path.node == last)
        nodes = self.path(last)
        answer = finished.answer
        return Trajectory(
            problem_id=self.problem_id,
            nodes=tuple(
                TrajectoryNode(kind=n.kind, text=n.text, score=n.score, value=n.value, visits=n.visits)
                for n in nodes
            ),
            answer=None if answer is None else "; ".join(text or "" for text in answer),
            grade=finished.grade,
            filters=() if self.mark is None or node is not None else (self.mark,),
            calls=tuple(key for key in (*(n.key for n in nodes), *finished.calls) if key),
        )

    def to_bytes(self) -> bytes:
        return self.model_dump_json(exclude_defaults=True).encode("utf-8", "surrogatepass")

    @classmethod
    def from_bytes(cls, payload: bytes) -> Self:
        return cls.model_validate_json(payload)


def _facts(problem: Problem) -> dict[str, Any]:
    return {
        "problem_id": problem.id,
        "unit": problem.unit,
        "subject": problem.subject,
        "stage": problem.stage,
        "type": problem.type,
        "language": problem.language,
    }
