"""One tree, grown by models: the tasks of `rules` become calls to actors, critics and the grader, and their replies results.

What a child costs is counted from its replies, journalled or fresh alike, so a replayed tree spends what it spent before.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from eduflow.critique import Critic, StepScorer
from eduflow.critique.score import judged_right, step_score
from eduflow.engine import Endpoint, Reply, Request
from eduflow.grade import Caller, Grader
from eduflow.grade.groups import answer_of, group_answers
from eduflow.problem import Critique, Grade, Problem, Solution, Step
from eduflow.search.filters import Filters, Selected, select
from eduflow.search.nodes import ActorOptions, Shown, node_request, read_piece, steps_of, trajectory_text
from eduflow.search.rules import ask, tell
from eduflow.search.tree import Child, Expand, Expanded, Node, Result, Review, Reviewed, Rules, Task, Tree

MODE = "search"


class Counting:
    """A caller that counts what goes through it: calls, generated tokens, journal keys.

    Args:
        caller: who makes the calls.
    """

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
        self.calls = 0
        self.tokens = 0
        self.keys: list[str] = []

    async def call(self, request: Request) -> Reply:
        reply = await self._caller.call(request)
        self.calls += 1
        self.tokens += generated(request, reply)
        if reply.key:
            self.keys.append(reply.key)
        return reply


def generated(request: Request, reply: Reply) -> int:
    """The tokens that the reply took; where the endpoint gives no count, the most that the request allowed."""
    if reply.usage.completion is not None:
        return reply.usage.completion
    limit = request.params.get("max_tokens", 0)
    return int(limit) if reply.text or reply.reasoning else 0


@dataclass(frozen=True)
class Team:
    """Who works on a tree.

    Args:
        actors: the endpoints that propose nodes.
        scorers: the critics that score each child; empty for none.
        reviewer: judges finished paths as a whole; None leaves them without a critique.
        grader: grades the final answer.
        options: how actors are asked.
    """

    actors: tuple[Endpoint, ...]
    scorers: tuple[StepScorer, ...] = ()
    reviewer: Critic | None = None
    grader: Grader = field(default_factory=Grader)
    options: ActorOptions = field(default_factory=ActorOptions)


@dataclass(slots=True)
class Searched:
    """A problem after its search: the tree, the kept path, and the grades of the finished answers by their nodes."""

    problem: Problem
    tree: Tree
    selected: Selected
    grades: dict[int, Grade] = field(default_factory=dict)
    critiques: dict[int, Critique] = field(default_factory=dict)


class Grower:
    """Grows the tree of one problem.

    Args:
        problem, shown: the problem, and what stands for its images.
        team: who works on it.
        engine: makes the calls.
        rules, filters: how the tree grows, and what is kept.
        stop_at: how many tasks there may be, where a limit stopped the problem before (see `rules.stop`).
        on_round: told the tree before each round; may `stop` it.
    """

    def __init__(
        self,
        problem: Problem,
        shown: Shown,
        team: Team,
        engine: Caller,
        rules: Rules,
        filters: Filters,
        *,
        stop_at: int | None = None,
        on_round: Callable[[Tree], None] = lambda _: None,
    ) -> None:
        if rules.actors != len(team.actors):
            raise ValueError(f"rules for {rules.actors} actors and a team of {len(team.actors)}")
        self.problem, self.shown, self.team, self.engine = problem, shown, team, engine
        self.filters, self.on_round = filters, on_round
        self.tree = Tree(rules, images=bool(problem.images), stop_at=stop_at)
        self.grades: dict[int, Grade] = {}
        self.critiques: dict[int, Critique] = {}

    async def grow(self) -> Searched:
        """Grows the tree to its end; then selects."""
        under_way: dict[asyncio.Task[Result], Task] = {}
        try:
            while True:
                self.on_round(self.tree)
                for task in ask(self.tree):
                    under_way[asyncio.create_task(self._work(task))] = task
                if self.tree.ended is not None:
                    break
                done, _ = await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
                for finished in done:
                    del under_way[finished]
                    tell(self.tree, [finished.result()])
        finally:
            for task_ in under_way:
                task_.cancel()
            await asyncio.gather(*under_way, return_exceptions=True)
        return Searched(self.problem, self.tree, self.select(), self.grades, self.critiques)

    def select(self) -> Selected:
        """The path that is kept of what has grown so far."""
        return select(self.tree, self.filters, lambda answers: group_answers(self.problem, answers))

    async def _work(self, task: Task) -> Result:
        return await (self._expand(task) if isinstance(task, Expand) else self._review(task))

    # --- children ---

    async def _expand(self, task: Expand) -> Expanded:
        """Every draw is scored as soon as it is there; texts that are alike are scored once."""
        scoring: dict[tuple[str | None, str], asyncio.Future[Child]] = {}
        children = await asyncio.gather(
            *(self._draw(task, number, scoring) for number in range(len(task.draws)))
        )
        return Expanded(task.number, tuple(children))

    async def _draw(
        self, task: Expand, number: int, scoring: dict[tuple[str | None, str], asyncio.Future[Child]]
    ) -> Child:
        draw = task.draws[number]
        path = self.tree.path(task.node)
        caller = Counting(self.engine)
        request = node_request(
            self.problem,
            self.shown,
            path,
            task.kinds,
            self.team.actors[draw.actor],
            self.team.options,
            sample=draw.sample,
            hot=task.hot,
        )
        reply = await caller.call(request)
        if reply.outcome != "ok":
            return Child(reply.outcome, calls=1, tokens=caller.tokens, key=reply.key)
        piece = read_piece(reply.text, task.kinds, self.tree.rules.schedule)
        child = Child(
            "ok",
            kind=piece.kind,
            text=piece.text,
            verdict=piece.verdict,
            calls=1,
            tokens=caller.tokens,
            key=reply.key,
        )
        if piece.kind not in task.kinds or not piece.text.strip():
            return child
        # Alike to the letter: with other white space the critics' prompts would hang on which reply came first.
        alike = (piece.kind, piece.text)
        if alike not in scoring:
            scoring[alike] = asyncio.ensure_future(self._score(task, child))
            return await scoring[alike]
        # What the scoring cost is counted with the draw that came first.
        first = await scoring[alike]
        return replace(first, calls=1, tokens=caller.tokens, key=reply.key, keys=())

    async def _score(self, task: Expand, child: Child) -> Child:
        """The child with the scores of every critic; one that says nothing usable is asked once more."""
        caller = Counting(self.engine)
        prefix = self.tree.path(task.node)
        steps = steps_of([*prefix, _as_node(child)])
        asked = [self._ask(scorer, steps, caller) for scorer in self.team.scorers]
        scores = await asyncio.gather(*asked)
        return replace(
            child,
            scores=tuple(score for score, _ in scores),
            refuted=any(refuted for _, refuted in scores),
            calls=child.calls + caller.calls,
            tokens=child.tokens + caller.tokens,
            keys=tuple(sorted(caller.keys)),
        )

    async def _ask(
        self, scorer: StepScorer, steps: Sequence[Step], caller: Counting
    ) -> tuple[float | None, bool]:
        """The critic's score, and whether it is a refutation by proof.

        A scorer that makes no calls is a proof: 0 refutes, and there is no use in asking it again.
        """
        before = caller.calls
        word, _ = await scorer.score(self.problem, steps[:-1], steps[-1], caller)
        if word.score is None and caller.calls > before:
            word, _ = await scorer.score(self.problem, steps[:-1], steps[-1], caller, sample=1)
        proof = word.score_source == "symbolic"
        return (None if proof else word.score), proof and word.score == 0.0

    # --- finished paths ---

    async def _review(self, task: Review) -> Reviewed:
        path = self.tree.path(task.node)
        caller = Counting(self.engine)
        steps = steps_of(path)
        solution = Solution(
            problem_id=self.problem.id,
            solver=self.team.actors[path[-1].actor].name,
            mode=MODE,
            sample=task.number,
            text=trajectory_text((node.kind, node.text) for node in path),
            steps=steps,
        )
        answered = solution.model_copy(update={"text": path[-1].text, "steps": ()})
        grading = self.team.grader.grade(self.problem, answered, caller)
        critique, grade = await asyncio.gather(self._critique(solution, caller), grading)
        self.grades[task.node] = grade
        if critique is not None:
            self.critiques[task.node] = critique
        answer = answer_of(self.problem, path[-1].text)
        verdicts = [] if critique is None else [judged_right(step) for step in critique.steps]
        reward = None if critique is None else step_score(critique)
        return Reviewed(
            task.number,
            reward=reward,
            all_right=None if reward is None else reward == 1.0,
            refuted=critique is not None and critique.format == "symbolic" and False in verdicts,
            answer=answer,
            solved=grade.solved,
            calls=caller.calls,
            tokens=caller.tokens,
            keys=tuple(sorted(caller.keys)),
        )

    async def _critique(self, solution: Solution, caller: Caller) -> Critique | None:
        if self.team.reviewer is None:
            return None
        return await self.team.reviewer.critique(self.problem, solution, caller)


def _as_node(child: Child) -> Node:
    return Node(-1, None, child.kind or "", child.text, 0)
