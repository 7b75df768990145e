"""The look at a problem set before a run: which problems are taken, how many, and what they need.

One pass over the file, in flat memory: it counts, finds the language twins, takes the fingerprint that ties a run to
its problems, and keeps ten problems drawn evenly for estimates.
"""

from __future__ import annotations

import hashlib
import random
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from eduflow.engine.shards import in_shard
from eduflow.errors import ConfigError
from eduflow.problem import LANGUAGES, Language, Problem

DRAWN = 10


@dataclass(frozen=True, slots=True)
class Selection:
    """Which problems of a set are taken, in its order.

    Args:
        language: only this language; None takes all, or Chinese where the set has twins.
        limit: at most so many problems.
        per_cell: at most so many of each subject × stage × type.
        shard: (i, n): only the problems of shard i of n, counted from 1; told by a hash of the id.
    """

    language: Language | None = None
    limit: int | None = None
    per_cell: int | None = None
    shard: tuple[int, int] | None = None

    def apply(self, problems: Iterable[Problem]) -> Iterator[Problem]:
        """The problems that are taken. Limits count before sharding, so that the shards make up the whole."""
        taken = 0
        cells: Counter[tuple[str, str]] = Counter()
        for problem in problems:
            if self.limit is not None and taken >= self.limit:
                return
            if self.language is not None and problem.language != self.language:
                continue
            cell = (problem.cell, problem.type)
            if self.per_cell is not None and cells[cell] >= self.per_cell:
                continue
            cells[cell] += 1
            taken += 1
            if self.shard is None or in_shard(problem.id, *self.shard):
                yield problem


@dataclass(slots=True)
class Survey:
    """What one pass over a set found.

    Args:
        problems: how many are taken; `with_images` and the following count among these.
        fingerprint: hash of the whole set in the settled language, whatever limit or shard is taken of it.
        with_images, without_captions: problems with images, and those of them that carry no captions.
        first_without_captions: the id of the first such problem.
        languages: problems taken by language.
        assumed_stage: problems whose format doesn't say the stage, so that a default was taken.
        skipped: what the reader left out, in sentences; filled in by the caller, who knows the reader.
        drawn: ten of the taken problems, evenly drawn; not kept in JSON.
    """

    problems: int = 0
    fingerprint: str = ""
    with_images: int = 0
    without_captions: int = 0
    first_without_captions: str | None = None
    languages: dict[str, int] = field(default_factory=dict)
    assumed_stage: int = 0
    skipped: list[str] = field(default_factory=list)
    drawn: list[Problem] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__ if name != "drawn"}

    @classmethod
    def from_json(cls, row: Any) -> Survey:
        """A survey that was kept, without its drawn problems.

        Raises:
            ValueError: the row is no survey of this version.
        """
        if not isinstance(row, dict) or row.keys() != set(cls.__slots__) - {"drawn"}:
            raise ValueError("not a survey")
        return cls(**row)


def settle_language(problems: Iterable[Problem], selection: Selection) -> Selection:
    """The selection with Chinese chosen where nobody chose and the set has twins: twins are never pooled."""
    if selection.language is None and has_twins(problems):
        return replace(selection, language="zh")
    return selection


def survey(
    problems: Iterable[Problem], selection: Selection, *, tick: Callable[[int], None] = lambda _: None
) -> Survey:
    """Look at a set once.

    Args:
        tick: told the number of problems read, now and then.

    Raises:
        ConfigError: no problem is taken.
    """
    found = Survey()
    languages: Counter[str] = Counter()
    digest = hashlib.sha256()
    draw = random.Random(0)

    def in_language() -> Iterator[Problem]:
        for number, problem in enumerate(problems, 1):
            if number % 1000 == 0:
                tick(number)
            if selection.language in (None, problem.language):
                digest.update(problem_digest(problem))
                yield problem

    everything = in_language()
    for problem in selection.apply(everything):
        found.problems += 1
        languages[problem.language] += 1
        found.assumed_stage += "stage" in (problem.extra.get("assumed") or ())
        if problem.images:
            found.with_images += 1
            if not problem.captions:
                found.without_captions += 1
                found.first_without_captions = found.first_without_captions or problem.id
        # Reservoir sampling: every problem is equally likely to be drawn.
        if len(found.drawn) < DRAWN:
            found.drawn.append(problem)
        elif (place := draw.randrange(found.problems)) < DRAWN:
            found.drawn[place] = problem
    for _ in everything:  # beyond the limit: read for the fingerprint alone
        continue
    found.fingerprint = digest.hexdigest()
    found.languages = dict(sorted(languages.items()))
    if found.problems == 0:
        wanted = f" in language '{selection.language}'" if selection.language else ""
        raise ConfigError(f"there are no problems to evaluate{wanted}")
    return found


def problem_digest(problem: Problem) -> bytes:
    """32 bytes that change when anything changes that a solver, a grader or a report is shown.

    Images go by their stated hash, else by path or bytes: a file that changes under its path shows in the journal keys.
    """
    fields = problem.model_dump(exclude={"images", "extra", "source"}, mode="json")
    images = [ref.sha256 or ref.path or ref.name for ref in problem.images]
    return hashlib.sha256(repr((sorted(fields.items()), images)).encode("utf-8", "surrogatepass")).digest()


def has_twins(problems: Iterable[Problem]) -> bool:
    """Whether some group stands in the set in two languages. One pass, or less; 8 bytes for each problem."""
    groups = {language: array("Q") for language in LANGUAGES}
    look = 64
    for problem in problems:
        if problem.group is None:
            continue
        name = problem.group.encode("utf-8", "surrogatepass")
        groups[problem.language].append(int.from_bytes(hashlib.blake2b(name, digest_size=8).digest(), "big"))
        if len(groups[problem.language]) >= look:
            if _meet(*groups.values()):
                return True
            look *= 2
    return _meet(*groups.values())


def _meet(one: array[int], other: array[int]) -> bool:
    return bool(np.intersect1d(np.asarray(one), np.asarray(other)).size)
