"""EduMCTS as pure functions: `ask` for tasks, `tell` their results, `status`. No I/O, no clock, no random numbers.

Source: EduFlow's tree search; DESIGN, "EduMCTS, precisely", fixes what its text leaves open, docs/search.md says how and why.

The order in which results arrive never changes the tree: the rollouts of a tree take turns, and a result is applied at the turn of the
rollout that asked for it, not before.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from eduflow.search.tree import (
    Child,
    Draw,
    Expand,
    Expanded,
    Node,
    Pruned,
    Result,
    Review,
    Reviewed,
    Slot,
    Status,
    Task,
    Tree,
)


def ask(tree: Tree) -> list[Task]:
    """The tasks that can be worked on now; none while all that is under way must be told first, or when the tree is finished.

    Each task is asked once. Their results may be told in any order, one by one or together.
    """
    tasks: list[Task] = []
    idle = 0
    while tree.ended is None and idle < len(tree.slots):
        slot = tree.slots[tree.turn % len(tree.slots)]
        if slot.task is not None:
            result = tree.told.pop(slot.task.number, None)
            if result is None:
                return tasks
            _apply(tree, slot, result)
            idle = 0  # what was told may have opened something for a slot that found nothing before
        held = tree.stop_at is not None and tree.issued >= tree.stop_at
        task = None if held else _next(tree, slot)
        tree.turn += 1
        if task is None:
            idle += 1
            continue
        idle = 0
        slot.task = task
        for node in tree.up(task.node):
            node.virtual += 1
        tree.nodes[task.node].busy = True
        tasks.append(task)
    if tree.ended is None and not any(slot.task for slot in tree.slots):
        tree.ended = _ending(tree)
    return tasks


def tell(tree: Tree, results: Iterable[Result]) -> None:
    """Takes results in. They have their effect at the next `ask`, in canonical order.

    Raises:
        ValueError: a result of a task that is not under way, told twice, of the wrong kind, or dearer than what was reserved.
    """
    under_way = {slot.task.number: slot.task for slot in tree.slots if slot.task is not None}
    for result in results:
        task = under_way.get(result.number)
        if task is None or result.number in tree.told:
            raise ValueError(f"task {result.number} is not under way")
        if isinstance(task, Expand) != isinstance(result, Expanded):
            raise ValueError(f"task {result.number} is of another kind")
        if isinstance(task, Expand) and isinstance(result, Expanded):
            if len(result.children) != len(task.draws):
                raise ValueError(f"{len(result.children)} children for {len(task.draws)} draws")
            dearest = max((child.calls for child in result.children), default=0)
            limit = tree.rules.child_calls
        else:
            assert isinstance(result, Reviewed)
            dearest, limit = result.calls, tree.rules.review_calls
        if tree.rules.budget_calls is not None and dearest > limit:
            raise ValueError(f"a result took {dearest} calls where {limit} were reserved")
        tree.told[result.number] = result


def status(tree: Tree) -> Status:
    """Whether the tree still grows, and why not."""
    return tree.ended or "running"


def stop(tree: Tree, at: int | None = None) -> int:
    """Lets the tree end from outside, as when a run-wide limit strikes: no task is asked for after the first `at` of them.

    What is under way is still taken in. Stopping another tree of the same problem `at` the number returned leads to the same tree.

    Args:
        at: how many tasks there may be in all; None for those that there were until now.
    """
    tree.stop_at = tree.issued if at is None else at
    return tree.stop_at


def _ending(tree: Tree) -> Status:
    if tree.stop_at is not None and tree.issued >= tree.stop_at:
        return "stopped"
    if tree.short:
        return "budget"
    return "done" if tree.rollouts == tree.rules.rollouts else "exhausted"


# --- what to do next ---


def _next(tree: Tree, slot: Slot) -> Task | None:
    """The slot's next task: it goes on with its rollout, or starts a new one. None where there is nothing for it now."""
    while True:
        if slot.at is None:
            if tree.rollouts == tree.rules.rollouts or tree.root.closed or tree.root.busy:
                return None
            if _affordable(tree) == 0:
                tree.short = True
                return None
            slot.at, slot.rollout = 0, tree.rollouts
            tree.rollouts += 1
        node = tree.nodes[slot.at]
        if node.closed:
            _end_rollout(tree, slot, died=True)
            continue
        if node.busy:
            return None
        if node.terminal:
            return _review(tree, node)
        below = [child for child in map(tree.nodes.__getitem__, node.children) if child.live]
        if below:
            chosen = _select(tree, node, [child for child in below if not child.closed])
            if chosen is None:
                return None  # another rollout is at work on every open child
            slot.at = chosen.id
            continue
        task = _expand(tree, node)
        if task is None:
            tree.short = True
            _end_rollout(tree, slot, died=True)
            return None
        return task


def _select(tree: Tree, node: Node, children: list[Node]) -> Node | None:
    free = [child for child in children if not child.busy]
    if tree.rules.selection == "fresh":
        free = [child for child in free if child.expansions == 0] or free
    # max takes the first of equals: the lowest child index.
    return max(free, key=lambda child: ucb(tree, node, child), default=None)


def ucb(tree: Tree, parent: Node, child: Node) -> float:
    """V + c·√(ln max(1, N_parent) / (1 + N)); an unscored child ranks by its parent's V. Rollouts under way count as visits worth 0."""
    visits = child.visits + child.virtual
    if child.visits:
        value = child.value * child.visits / visits
    else:
        value = parent.value / (1 + child.virtual)
    parent_visits = parent.visits + parent.virtual
    return value + tree.rules.exploration * math.sqrt(math.log(max(1, parent_visits)) / (1 + visits))


def _expand(tree: Tree, node: Node) -> Expand | None:
    rules = tree.rules
    kinds = rules.schedule.allowed(
        node.kind, node.depth, flawed=node.verdict == "flawed", flaws=node.flaws, images=tree.images
    )
    number = min(rules.width, _affordable(tree))
    if number == 0:
        return None
    _reserve(tree, number * rules.child_calls, number * rules.child_tokens)
    draws = tuple(Draw(j % rules.actors, j // rules.actors) for j in range(number))
    return Expand(_number(tree), node.id, kinds, draws, hot=node.expansions > 0)


def _review(tree: Tree, node: Node) -> Review:
    # Room for it was kept when the path was begun.
    _reserve(tree, tree.rules.review_calls, tree.rules.review_tokens)
    return Review(_number(tree), node.id)


def _number(tree: Tree) -> int:
    tree.issued += 1
    return tree.issued - 1


def _affordable(tree: Tree) -> int:
    """How many children the budget has room for, one review of a finished path per running rollout kept aside."""
    rules = tree.rules
    waiting = sum(not isinstance(slot.task, Review) for slot in tree.slots)
    room = rules.width
    if rules.budget_calls is not None and rules.child_calls:
        left = rules.budget_calls - tree.calls - tree.reserved_calls - waiting * rules.review_calls
        room = min(room, left // rules.child_calls)
    if rules.budget_tokens is not None and rules.child_tokens:
        left = rules.budget_tokens - tree.tokens - tree.reserved_tokens - waiting * rules.review_tokens
        room = min(room, left // rules.child_tokens)
    return max(0, room)


def _reserve(tree: Tree, calls: int, tokens: int) -> None:
    tree.reserved_calls += calls
    tree.reserved_tokens += tokens


def _end_rollout(tree: Tree, slot: Slot, *, died: bool) -> None:
    slot.at, slot.rollout = None, -1
    if died:
        tree.died += 1
    else:
        tree.finished += 1


# --- what results do ---


def _apply(tree: Tree, slot: Slot, result: Result) -> None:
    task = slot.task
    assert task is not None
    slot.task = None
    for node in tree.up(task.node):
        node.virtual -= 1
    node = tree.nodes[task.node]
    node.busy = False
    if isinstance(result, Expanded):
        assert isinstance(task, Expand)
        _reserve(tree, -len(task.draws) * tree.rules.child_calls, -len(task.draws) * tree.rules.child_tokens)
        _grow(tree, node, task, result)
    else:
        _reserve(tree, -tree.rules.review_calls, -tree.rules.review_tokens)
        _finish(tree, node, slot, result)


def _grow(tree: Tree, node: Node, task: Expand, result: Expanded) -> None:
    node.expansions += 1
    known = {
        (child.pruned, child.kind, fold(child.text)): child
        for child in map(tree.nodes.__getitem__, node.children)
    }
    survivors: list[Node] = []
    for draw, child in zip(task.draws, result.children, strict=True):
        tree.calls += child.calls
        tree.tokens += child.tokens
        reason = pruning(child, task.kinds, tree.rules.threshold)
        alike = (reason, child.kind or "", fold(child.text))
        if alike in known:
            known[alike].multiplicity += 1
            continue
        made = known[alike] = _add(tree, node, draw, child, reason)
        if reason is None:
            survivors.append(made)
    if survivors:
        node.open_children += len(survivors)
        if tree.rules.reward != "rollout":
            _backpropagate(tree, node, survivors)
    elif task.hot or not tree.rules.hot_retry:
        _close(tree, node, dead=True)


def pruning(child: Child, kinds: tuple[str, ...], threshold: float) -> Pruned | None:
    """Why the child is pruned, None where it lives: no usable text, a kind that is not allowed, a refutation, a low score."""
    if child.outcome != "ok":
        return child.outcome
    if child.kind not in kinds:
        return "wrong_kind"
    if not child.text.strip():
        return "empty"
    if child.refuted:
        return "refuted"
    score = r_hat(child.scores)
    return "low_score" if score is not None and score < threshold else None


def r_hat(scores: Iterable[float | None]) -> float | None:
    """The mean over the critics that spoke; None where none did."""
    spoken = [score for score in scores if score is not None]
    return sum(spoken) / len(spoken) if spoken else None


def fold(text: str) -> str:
    """The text with every run of white space as one space: siblings alike after that are one node."""
    return " ".join(text.split())


def _add(tree: Tree, parent: Node, draw: Draw, child: Child, reason: Pruned | None) -> Node:
    schedule = tree.rules.schedule
    kind = child.kind or ""
    flaws = 0 if schedule.reflection is not None and kind == schedule.reflection.block else parent.flaws
    score = 0.0 if child.refuted else r_hat(child.scores)
    node = Node(
        id=len(tree.nodes),
        parent=parent.id,
        kind=kind,
        text=child.text,
        depth=parent.depth + 1,
        actor=draw.actor,
        key=child.key,
        score=score,
        value=score or 0.0,
        visits=int(score is not None),
        verdict=child.verdict,
        flaws=flaws + (child.verdict == "flawed"),
        pruned=reason,
        closed=reason is not None,
        terminal=reason is None and kind == schedule.terminal,
    )
    tree.nodes.append(node)
    parent.children.append(node.id)
    return node


def _backpropagate(tree: Tree, node: Node, survivors: list[Node]) -> None:
    """Step rewards go up: V ← (N·V + Σr̂)/(N + n), N ← N + n, for the expanded node and every ancestor."""
    if tree.rules.backprop == "literal":
        for place in tree.up(node.id):
            children = [c for c in map(tree.nodes.__getitem__, place.children) if c.pruned is None]
            _visit(place, [c.score for c in children if c.score is not None])
        return
    scores = [child.score for child in survivors if child.score is not None]
    for place in tree.up(node.id):
        _visit(place, scores)


def _visit(node: Node, rewards: list[float]) -> None:
    if rewards:
        total = node.value * node.visits + sum(rewards)
        node.visits += len(rewards)
        # A mean of values in 0..1 lies there; its floating point sum may miss by a rounding.
        node.value = min(1.0, max(0.0, total / node.visits))


def _finish(tree: Tree, node: Node, slot: Slot, result: Reviewed) -> None:
    tree.calls += result.calls
    tree.tokens += result.tokens
    node.review = result
    node.rollout = slot.rollout
    if tree.rules.reward != "step" and result.reward is not None:
        for place in tree.up(node.id):
            _visit(place, [result.reward])
    _close(tree, node, dead=False)
    _end_rollout(tree, slot, died=False)


def _close(tree: Tree, node: Node, *, dead: bool) -> None:
    """Closes a node, and its ancestors as far as nothing open is left below them; a parent whose children are all dead is dead."""
    node.closed, node.dead = True, dead
    while node.parent is not None:
        node = tree.nodes[node.parent]
        node.open_children -= 1
        if node.open_children:
            return
        below = [child for child in map(tree.nodes.__getitem__, node.children) if child.pruned is None]
        node.closed, node.dead = True, all(child.dead for child in below)
