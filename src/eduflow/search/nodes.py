"""Nodes as text: how an actor is asked for the next one, how its reply is read, and how a whole trajectory is written.

A node is written between a pair of tags that name its kind, `<thinking>...</thinking>`. The same tags stand in prompts, in exports and in
what a solver is tuned on. A problem's or an actor's own text can't open or close a node: its tags are made harmless.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from eduflow.engine import Endpoint, Image, Message, Request
from eduflow.errors import ConfigError, InputError
from eduflow.problem import LANGUAGES, Language, Problem, Step
from eduflow.prompts import Prompts
from eduflow.search.schedule import KINDS, Schedule
from eduflow.search.tree import Node, Verdict
from eduflow.solve import ImageInput, interleave, problem_text

SLOTS = {
    "search_next": frozenset({"problem", "work", "kinds", "first"}),
    "search_work": frozenset({"pieces"}),
    "search_start": frozenset[str](),
}
_OPEN = re.compile(rf"<[ \t]*({'|'.join(KINDS)})[ \t]*>", re.IGNORECASE)
_TAG = re.compile(rf"<([ \t]*/?[ \t]*(?:{'|'.join(KINDS)})[ \t]*)>", re.IGNORECASE)
# The verdict is the last line's: a word after "verdict", or the end of a line that says nothing else.
_VERDICT = re.compile(
    r"(?:verdict|conclusion|结论|判断)\W*(sound|flawed|correct|incorrect|wrong|正确|有误|错误|不正确)\W*$",
    re.IGNORECASE,
)
_SOUND = frozenset({"sound", "correct", "正确"})


@dataclass(frozen=True, slots=True)
class ActorOptions:
    """How actors are asked.

    Args:
        temperature: of the children; `hot_temperature` of the second try after all of them were pruned.
        max_tokens: most new tokens of one node.
        few_shot: worked nodes before the question, one for each kind that may come next; 0 or 1.
        prompts: the templates `search_*`.

    Raises:
        ConfigError: a value out of range, or a template that leaves out the problem, the work or the kinds.
    """

    temperature: float = 0.7
    hot_temperature: float = 1.0
    max_tokens: int = 1024
    few_shot: int = 0
    prompts: Prompts = field(default_factory=Prompts)

    def __post_init__(self) -> None:
        for name in ("temperature", "hot_temperature"):
            if not 0 < getattr(self, name) <= 2:
                raise ConfigError(
                    f"--{name.replace('_', '-')} goes from above 0 to 2, not {getattr(self, name)}"
                )
        if self.max_tokens < 1:
            raise ConfigError(f"--max-tokens must be at least 1, not {self.max_tokens}")
        if self.few_shot not in (0, 1):
            raise ConfigError(f"--few-shot is 0 or 1 in a search, not {self.few_shot}")
        for name, known in SLOTS.items():
            for language in LANGUAGES:
                slots = self.prompts.slots(name, language)
                if slots != known and (unknown := sorted(slots - known)):
                    raise ConfigError(
                        f"template {language}/{name}.txt names '{unknown[0]}'; it can use: {', '.join(sorted(known))}"
                    )
                needed = known - {"first"}
                if missing := sorted(needed - slots):
                    raise ConfigError(
                        f"template {language}/{name}.txt leaves out '{missing[0]}': write {{{{{missing[0]}}}}}"
                    )

    def config(self) -> dict[str, Any]:
        """What a reply depends on, for a run's configuration."""
        names = [f"{name}.txt" for name in (*SLOTS, *(f"search_kind_{kind}" for kind in KINDS))]
        names += ["search_examples.jsonl"] if self.few_shot else []
        texts = [self.prompts.text(name, language) for language in LANGUAGES for name in names]
        return {
            "temperature": self.temperature,
            "hot_temperature": self.hot_temperature,
            "max_tokens": self.max_tokens,
            "few_shot": self.few_shot,
            "prompts": hashlib.sha256("\0".join(texts).encode()).hexdigest(),
        }


@dataclass(frozen=True, slots=True)
class Shown:
    """What stands for a problem's images in every prompt of its tree."""

    input: ImageInput = "text"
    images: tuple[Image, ...] = ()
    captions: tuple[str, ...] = ()


def node_request(
    problem: Problem,
    shown: Shown,
    path: Sequence[Node],
    kinds: Sequence[str],
    endpoint: Endpoint,
    options: ActorOptions,
    *,
    sample: int = 0,
    hot: bool = False,
) -> Request:
    """The call that asks an actor for the node after `path`. The problem and its images stand first, the same in every prompt of the tree.

    Args:
        kinds: what the node may be.
        sample: which sample of this prompt, from 0.
        hot: ask at the higher temperature.
    """
    text = problem_text(problem, shown.input, shown.captions)
    prompt = _prompt(text, [(node.kind, node.text) for node in path], kinds, problem.language, options)
    content = interleave(prompt, shown.images) if shown.input == "images" else (prompt,)
    turns: list[Message] = []
    if options.few_shot:
        for before, kind, written in _worked(options.prompts, problem.language, tuple(kinds)):
            turns.append(Message.user(_prompt(before[0][1], before[1:], kinds, problem.language, options)))
            turns.append(Message.assistant(tagged(kind, written)))
    limit = options.max_tokens
    if endpoint.context is not None:
        limit = min(limit, max(1, endpoint.context // 2))
    params = {
        "temperature": options.hot_temperature if hot else options.temperature,
        "max_tokens": limit,
        "stop": [f"</{kind}>" for kind in kinds],
    }
    return Request(
        endpoint,
        (*turns, Message("user", content)),
        params,
        sample=sample,
        affinity=problem.id,
        tag="actor",
    )


def _prompt(
    problem: str,
    pieces: Sequence[tuple[str, str]],
    kinds: Sequence[str],
    language: Language,
    options: ActorOptions,
) -> str:
    prompts = options.prompts
    work = (
        prompts.render("search_work", language, {"pieces": trajectory_text(pieces)})
        if pieces
        else prompts.render("search_start", language, {})
    )
    lines = [f"<{kind}> {prompts.template(f'search_kind_{kind}', language)}" for kind in kinds]
    values = {"problem": harmless(problem), "work": work, "kinds": "\n".join(lines), "first": kinds[0]}
    return prompts.render("search_next", language, values)


def _worked(
    prompts: Prompts, language: Language, kinds: tuple[str, ...]
) -> list[tuple[list[tuple[str, str]], str, str]]:
    """For each kind in the examples that may come next: the question and the nodes before it, its kind, its text."""
    found = []
    for kind in kinds:
        for example in _examples(prompts, language):
            places = [i for i, (k, _) in enumerate(example[1]) if k == kind]
            if places:
                before = [("question", example[0]), *example[1][: places[0]]]
                found.append((before, kind, example[1][places[0]][1]))
                break
    return found


@lru_cache(maxsize=16)
def _examples(prompts: Prompts, language: Language) -> list[tuple[str, list[tuple[str, str]]]]:
    found = []
    for number, line in enumerate(prompts.text("search_examples.jsonl", language).split("\n"), 1):
        try:
            row = json.loads(line)
            nodes = [(str(kind), str(text)) for kind, text in row["nodes"]]
            found.append((str(row["question"]), nodes))
        except (ValueError, KeyError, TypeError):
            message = "an example needs 'question' and 'nodes', a list of [kind, text]"
            raise InputError(message, path=f"{language}/search_examples.jsonl", line=number) from None
    return found


@dataclass(frozen=True, slots=True)
class Piece:
    """A node as read from a reply; `kind` is None where the reply names none, or a reflection gives no verdict."""

    kind: str | None
    text: str
    verdict: Verdict | None = None


def read_piece(reply: str, kinds: Sequence[str], schedule: Schedule) -> Piece:
    """The node in an actor's reply.

    It begins at the first opening tag and ends at the next tag of any kind, or with the reply, since a server takes the closing tag away.
    A reply without a tag is a node only where one kind alone may come: then there is no doubt what it is. What stands before the tag, and
    an actor's thinking, are left out.
    """
    spoken = strip_thinking_block(reply)
    if spoken is None:
        return Piece(None, "")
    opening = _OPEN.search(spoken)
    if opening is not None:
        kind: str | None = opening[1].lower()
        text = spoken[opening.end() :]
    else:
        kind = kinds[0] if len(kinds) == 1 else None
        text = spoken
    end = _TAG.search(text)
    text = (text if end is None else text[: end.start()]).strip()
    verdict: Verdict | None = None
    if schedule.reflection is not None and kind == schedule.reflection.kind:
        verdict = read_verdict(text)
        kind = kind if verdict is not None else None
    return Piece(kind, text, verdict)


def strip_thinking_block(reply: str) -> str | None:
    """The reply without a reasoning model's thinking; None where the thinking never ends.

    `<thinking>` is a kind of node here and stays.
    """
    _, closed, after = reply.rpartition("</think>")
    spoken = after if closed else reply
    return None if "<think>" in spoken else spoken


def read_verdict(text: str) -> Verdict | None:
    """The verdict in the last line of a reflection; None where it has none."""
    lines = text.strip().split("\n")
    found = _VERDICT.search(lines[-1].strip())
    if found is None:
        return None
    return "sound" if found[1].lower() in _SOUND else "flawed"


def tagged(kind: str, text: str) -> str:
    """The node between its tags."""
    return f"<{kind}>\n{harmless(text)}\n</{kind}>"


def harmless(text: str) -> str:
    """The text with tags of kinds made plain: ‹thinking› for <thinking>."""
    return _TAG.sub("‹\\1›", text)


def trajectory_text(pieces: Iterable[tuple[str, str]]) -> str:
    """A path of nodes as text: one pair of tags per node, in their order."""
    return "\n".join(tagged(kind, text) for kind, text in pieces)


def steps_of(path: Sequence[Node]) -> tuple[Step, ...]:
    """The path as steps with their places in its text (see `trajectory_text`)."""
    steps, place = [], 0
    for node in path:
        text = harmless(node.text)
        start = place + len(f"<{node.kind}>\n")
        steps.append(Step(text=text, kind=node.kind, start=start, end=start + len(text)))
        place = start + len(text) + len(f"\n</{node.kind}>\n")
    return tuple(steps)
