"""Which kind of node may follow which: the transition table of a search, kept as data.

The tables that come with EduFlow lie in `schedules/`; a user's own is a TOML file of the same shape:

name = "short"
start = ["summary"]
terminal = "answer"
max_depth = 6

[next]
summary = ["thinking"]
thinking = ["thinking", "answer"]
"""

from __future__ import annotations

import tomllib
from importlib import resources
from pathlib import Path
from typing import Self

from pydantic import Field, model_validator

from eduflow.errors import ConfigError, InputError
from eduflow.problem import Noun

ROOT = "root"
# What each kind of node does. `solution` is a whole solution; the others are the six of EduMCTS.
KINDS: tuple[str, ...] = (
    "caption",
    "summary",
    "sub_task",
    "thinking",
    "self_reflection",
    "answer",
    "solution",
)
FOLDER = Path(str(resources.files("eduflow.search"))) / "schedules"


class Reflection(Noun):
    """A kind of node that ends in a verdict, "sound" or "flawed".

    After "flawed" only `after_flaw` is offered. Within a block, which begins at a node of kind `block`, the reflection is no longer
    offered once `most_flaws` of them said "flawed".
    """

    kind: str
    after_flaw: tuple[str, ...] = Field(min_length=1)
    block: str
    most_flaws: int = Field(default=1, ge=1)


class Schedule(Noun):
    """The transition table. Depth counts nodes from the root, which has depth 0; a path has at most `max_depth` of them."""

    name: str = Field(min_length=1)
    start: tuple[str, ...] = Field(min_length=1)
    terminal: str
    max_depth: int = Field(ge=1, le=1000)
    needs_image: tuple[str, ...] = ()
    next: dict[str, tuple[str, ...]]
    reflection: Reflection | None = None

    @model_validator(mode="after")
    def _closed(self) -> Self:
        used = {self.terminal, *self.start, *(kind for kinds in self.next.values() for kind in kinds)}
        if self.reflection is not None:
            used |= {self.reflection.kind, *self.reflection.after_flaw}
        if unknown := sorted((used | set(self.next)) - set(KINDS)):
            raise ValueError(f"unknown kind {unknown[0]!r}; known: {', '.join(KINDS)}")
        if stuck := sorted(kind for kind in used - {self.terminal} if not self.next.get(kind)):
            raise ValueError(f"'{stuck[0]}' is followed by nothing and is not terminal")
        if self.next.get(self.terminal):
            raise ValueError(f"'{self.terminal}' is terminal and can't be followed")
        reached, todo = set[str](), list(self.start)
        while todo:
            kind = todo.pop()
            if kind not in reached:
                reached.add(kind)
                todo += self.next.get(kind, ())
        if self.terminal not in reached:
            raise ValueError(f"'{self.terminal}' is never reached from the start")
        return self

    def allowed(self, kind: str, depth: int, *, flawed: bool, flaws: int, images: bool) -> tuple[str, ...]:
        """The kinds that may follow a node.

        Args:
            kind: the node's kind, `ROOT` for the root.
            depth: the node's depth. One below the last, only the terminal kind is offered.
            flawed: whether the node is a reflection that said "flawed".
            flaws: how many reflections of the node's block said so, the node included.
            images: whether the problem has images.
        """
        if depth >= self.max_depth:
            return ()
        if depth == self.max_depth - 1:
            return (self.terminal,)
        if kind == ROOT:
            kinds = self.start
        elif flawed and self.reflection is not None:
            kinds = self.reflection.after_flaw
        else:
            kinds = self.next.get(kind, ())
        spent = self.reflection is not None and flaws >= self.reflection.most_flaws
        return tuple(
            k
            for k in kinds
            if (images or k not in self.needs_image)
            and not (spent and self.reflection is not None and k == self.reflection.kind)
        )


def load_schedule(name: str) -> Schedule:
    """A schedule by the name of one that comes with EduFlow ("edumcts", "steps", "staged", "whole"), or by the path of a TOML file.

    Raises:
        ConfigError: there is no such schedule.
        InputError: the file is no TOML, or its table does not close; the field is named.
    """
    path = FOLDER / f"{name}.toml"
    if not path.is_file():
        path = Path(name)
        if not path.is_file():
            known = ", ".join(sorted(file.stem for file in FOLDER.glob("*.toml")))
            raise ConfigError(f"there is no schedule or file {name!r}; known: {known}")
    try:
        row = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"is not TOML: {error}", path=path) from None
    try:
        return Schedule.parse(row)
    except InputError as error:
        raise error.at(path=path) from None
