"""A simulated actor and critic for search trees: what they answer is a function of the path and the draw alone."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Sequence

from eduflow.search.rules import ask, tell
from eduflow.search.tree import Child, Draw, Expand, Expanded, Result, Review, Reviewed, Task, Tree

OUTCOMES = ("truncated", "filtered", "failed", "rejected_input")


def seed_of(*parts: object) -> random.Random:
    text = "\0".join(map(str, parts)).encode()
    return random.Random(int.from_bytes(hashlib.sha256(text).digest()[:8], "big"))


def child(tree: Tree, task: Expand, draw: Draw, quality: float, *, calls: int = 2, tokens: int = 30) -> Child:
    """What the draw brings: some fail, some are of a wrong kind, some alike, scores spread around `quality`."""
    path = [node.text for node in tree.path(task.node)]
    dice = seed_of("child", path, draw, task.hot)
    roll = dice.random()
    if roll < 0.05:
        return Child(outcome=dice.choice(OUTCOMES), calls=1, tokens=0)  # type: ignore[arg-type]
    if roll < 0.1:
        return Child(outcome="ok", kind=dice.choice([None, "summary", "caption"]), text="?", calls=1)
    kind = dice.choice(task.kinds)
    text = " " * dice.randrange(3) if roll < 0.13 else f"{kind}  {dice.randrange(9)}"
    score = None if dice.random() < 0.1 else min(1.0, max(0.0, dice.gauss(quality, 0.25)))
    verdict = dice.choice(["sound", "flawed"]) if kind == "self_reflection" else None
    return Child(
        outcome="ok",
        kind=kind,
        text=text,
        verdict=verdict,  # type: ignore[arg-type]
        scores=(score,),
        refuted=dice.random() < 0.05,
        calls=dice.randrange(1, calls + 1),
        tokens=dice.randrange(tokens),
        key=hashlib.sha256(text.encode()).hexdigest()[:8],
    )


def review(tree: Tree, task: Review) -> Reviewed:
    dice = seed_of("review", [node.text for node in tree.path(task.node)])
    if dice.random() < 0.1:
        return Reviewed(task.number, calls=1)
    reward = dice.choice([1.0, 1.0, 0.5, 0.75])
    answer = dice.choice(["4", "4", "5"])
    return Reviewed(
        task.number,
        reward=reward,
        all_right=reward == 1.0,
        answer=(answer,),
        solved=answer == "4",
        calls=dice.randrange(2),
    )


def answer(tree: Tree, task: Task, quality: float = 0.6) -> Result:
    """The result of a task."""
    if isinstance(task, Review):
        return review(tree, task)
    return Expanded(task.number, tuple(child(tree, task, draw, quality) for draw in task.draws))


def grow(
    tree: Tree,
    quality: float = 0.6,
    order: Callable[[Sequence[Result]], Sequence[Result]] = lambda results: results,
    look: Callable[[Tree], None] = lambda tree: None,
) -> Tree:
    """Runs the tree to its end. `order` picks which of the results that are ready are told, and how; `look` sees every state."""
    ready: list[Result] = []
    for _ in range(100_000):
        ready += [answer(tree, task, quality) for task in ask(tree)]
        look(tree)
        if tree.ended is not None:
            return tree
        told = list(order(ready))
        assert told, "nothing is under way and the tree has not ended"
        tell(tree, told)
        ready = [result for result in ready if result not in told]
    raise AssertionError("the tree never ends")
