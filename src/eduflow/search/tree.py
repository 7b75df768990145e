"""A search tree and what goes in and out of it: nodes, tasks, results. Plain data, owned by the caller, changed in place by `rules`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from eduflow.problem import Outcome
from eduflow.search.schedule import ROOT, Schedule, load_schedule

# Why a child was pruned. The ends of its call beside "ok" are reasons of their own.
Pruned = Literal[
    "low_score", "refuted", "wrong_kind", "empty", "truncated", "filtered", "rejected_input", "failed"
]
# Why a tree is finished: all rollouts ran; no live leaf is left; the budget has no room for another task; somebody stopped it.
Status = Literal["running", "done", "exhausted", "budget", "stopped"]
Verdict = Literal["sound", "flawed"]


@dataclass(frozen=True, slots=True)
class Rules:
    """How a tree grows. The defaults are DESIGN's; docs/search.md sets them beside the paper's formulas.

    Args:
        schedule: which kind may follow which, and the depth.
        width: children drawn at an expansion, dealt round-robin over the actors.
        actors: how many there are.
        rollouts: how many descents to a terminal node, in one tree. One that dies counts.
        threshold: a child with r̂ below it is pruned.
        exploration: the c of the UCB rule.
        reward: what flows back: each step's score, the full critique of a finished path, or both.
        backprop: "new" counts each surviving child once; "literal" is the paper's formula, which counts a node's children again
            whenever something below it was expanded.
        selection: "ucb" over the open children; "fresh" as in the paper's text, which looks at children that were never expanded
            as long as there are any.
        hot_retry: whether a node whose children were all pruned is expanded once more, hotter.
        budget_calls: most calls for the problem, None for no limit. Reserved before they are made.
        budget_tokens: most generated tokens for the problem, the critic's included.
        child_calls, review_calls: the most calls that one child, and one review of a finished path, can take.
        child_tokens, review_tokens: likewise for generated tokens.
        parallel: how many rollouts of one tree run at once, with a virtual loss on each other's paths.
    """

    schedule: Schedule = field(default_factory=lambda: load_schedule("edumcts"))
    width: int = 4
    actors: int = 1
    rollouts: int = 4
    threshold: float = 0.5
    exploration: float = 0.5
    reward: Literal["step", "rollout", "both"] = "both"
    backprop: Literal["new", "literal"] = "new"
    selection: Literal["ucb", "fresh"] = "ucb"
    hot_retry: bool = True
    budget_calls: int | None = None
    budget_tokens: int | None = None
    child_calls: int = 1
    review_calls: int = 0
    child_tokens: int = 0
    review_tokens: int = 0
    parallel: int = 1

    def __post_init__(self) -> None:
        least = {"width": 1, "actors": 1, "rollouts": 1, "child_calls": 0, "review_calls": 0, "parallel": 1}
        for name, bound in least.items():
            if getattr(self, name) < bound:
                raise ValueError(f"{name} must be at least {bound}, not {getattr(self, name)}")
        if not 0 <= self.threshold <= 1:
            raise ValueError(f"threshold must lie in 0..1, not {self.threshold}")
        if self.exploration < 0:
            raise ValueError(f"exploration must be at least 0, not {self.exploration}")


@dataclass(slots=True)
class Node:
    """One node. `value` is V and `visits` N; `score` is r̂, None for an unscored node and the root.

    `multiplicity` counts the samples that came out alike, white space folded. `flaws` counts the reflections of the node's block that said
    "flawed". `closed`: selection never enters it again. `expansions` counts how often children were drawn for it.
    """

    id: int
    parent: int | None
    kind: str
    text: str
    depth: int
    actor: int = -1
    key: str = ""
    score: float | None = None
    value: float = 0.0
    visits: int = 0
    verdict: Verdict | None = None
    flaws: int = 0
    pruned: Pruned | None = None
    dead: bool = False
    closed: bool = False
    terminal: bool = False
    multiplicity: int = 1
    expansions: int = 0
    children: list[int] = field(default_factory=list)
    open_children: int = 0
    busy: bool = False
    virtual: int = 0
    review: Reviewed | None = None
    rollout: int = -1

    @property
    def live(self) -> bool:
        return self.pruned is None and not self.dead


@dataclass(frozen=True, slots=True)
class Draw:
    """One child to be drawn: from which actor, and which sample of its prompt it is."""

    actor: int
    sample: int


@dataclass(frozen=True, slots=True)
class Expand:
    """A task: draw children for a node, of one of these kinds; `hot` is the second try after all were pruned."""

    number: int
    node: int
    kinds: tuple[str, ...]
    draws: tuple[Draw, ...]
    hot: bool = False


@dataclass(frozen=True, slots=True)
class Review:
    """A task: one full critique of the finished path that ends in `node`, and the grade of its answer."""

    number: int
    node: int


Task = Expand | Review


@dataclass(frozen=True, slots=True)
class Child:
    """What one draw brought.

    `kind` is None where the actor named none that the schedule knows. `scores` has one entry per critic, None where it said nothing
    usable; `refuted` says that a proof stands against the text. `calls` and `tokens` are what the child cost, critics
    included; `key` is the journal key of the actor's call, `keys` those of the critics'.
    """

    outcome: Outcome
    kind: str | None = None
    text: str = ""
    verdict: Verdict | None = None
    scores: tuple[float | None, ...] = ()
    refuted: bool = False
    calls: int = 0
    tokens: int = 0
    key: str = ""
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Expanded:
    """The result of `Expand`: one child per draw, in the order of the draws."""

    number: int
    children: tuple[Child, ...]


@dataclass(frozen=True, slots=True)
class Reviewed:
    """The result of `Review`.

    `reward` is N/M, None where the critique gave none; `all_right` whether it found every step right, None likewise. `refuted` says
    that a proof stands against a step. `answer` is what was read out of the last node, one entry per blank, None where nothing was. `solved` is
    the grade against the reference: None where there is none or the grade was not scored.
    """

    number: int
    reward: float | None = None
    all_right: bool | None = None
    refuted: bool = False
    answer: tuple[str | None, ...] | None = None
    solved: bool | None = None
    calls: int = 0
    tokens: int = 0
    keys: tuple[str, ...] = ()


Result = Expanded | Reviewed


@dataclass(slots=True)
class Slot:
    """One of the rollouts that run at once: where it stands, and the task that it waits for."""

    at: int | None = None
    rollout: int = -1
    task: Task | None = None


@dataclass(slots=True)
class Tree:
    """The tree of one problem, its counts and what is under way. `nodes[0]` is the root.

    `rollouts` were begun; each ends `finished`, with a reviewed answer, or `died`. `calls` and `tokens` are spent, those reserved may still be.
    `short`: the budget had no room for a task that the rules wanted.
    """

    rules: Rules
    images: bool = False
    nodes: list[Node] = field(default_factory=lambda: [Node(0, None, ROOT, "", 0)])
    slots: list[Slot] = field(default_factory=list)
    turn: int = 0
    issued: int = 0
    told: dict[int, Result] = field(default_factory=dict)
    rollouts: int = 0
    finished: int = 0
    died: int = 0
    calls: int = 0
    tokens: int = 0
    reserved_calls: int = 0
    reserved_tokens: int = 0
    short: bool = False
    stop_at: int | None = None
    ended: Status | None = None

    def __post_init__(self) -> None:
        if not self.slots:
            self.slots = [Slot() for _ in range(self.rules.parallel)]

    @property
    def root(self) -> Node:
        return self.nodes[0]

    def up(self, node: int) -> Iterator[Node]:
        """The node and its ancestors, the root last."""
        place: int | None = node
        while place is not None:
            yield self.nodes[place]
            place = self.nodes[place].parent

    def path(self, node: int) -> list[Node]:
        """The nodes from below the root to `node`."""
        return list(self.up(node))[-2::-1]

    def answers(self) -> list[Node]:
        """The terminal nodes that were reviewed, in the order of their rollouts."""
        found = [node for node in self.nodes if node.review is not None]
        return sorted(found, key=lambda node: node.rollout)
