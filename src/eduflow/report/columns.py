"""A million records in some 40 MB: what figures need of each, as one array per field, sorted by unit and problem."""

from __future__ import annotations

import hashlib
from array import array
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cached_property
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eduflow.errors import InputError
from eduflow.problem import LANGUAGES, STAGES, SUBJECTS, TYPES
from eduflow.report.records import Glance, Record

NOT_SCORED = ("failed", "rejected_input", "missing", "judge_failed", "judge_unparsed")
ENDINGS = ("ok", "empty", "truncated", "filtered", "rejected_input", "failed", "missing")
INPUTS = ("images", "captions", "dropped", "text")
DECIDERS = ("comparator", "judge", "settled", "none")

_REASON_CODES = {None: 0} | {name: code for code, name in enumerate(NOT_SCORED, 1)}
_CODES: dict[str, dict[str, int]] = {
    "subject": {name: code for code, name in enumerate(SUBJECTS)},
    "stage": {name: code for code, name in enumerate(STAGES)},
    "type": {name: code for code, name in enumerate(TYPES)},
    "language": {name: code for code, name in enumerate(LANGUAGES)},
    "ending": {name: code for code, name in enumerate(ENDINGS)},
    "input": {name: code for code, name in enumerate(INPUTS)},
}
_FIELDS = {
    "unit": "Q", "problem": "Q", "content": "I", "sample": "H", "score": "d", "reason": "B", "mode": "B", "group": "I",
    **dict.fromkeys(_CODES, "B"),
}  # fmt: skip


def short_hash(text: str) -> int:
    """64 bits that stand for a name; among a million names the chance of a clash is 3 in 10⁸."""
    return int.from_bytes(
        hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little"
    )


class Columns:
    """The records of one solver, as arrays.

    After `collect`, `data[field]` holds one array per field, sorted by mode, unit, problem and sample; `score` is NaN
    where a record is not scored and `reason` then its code in `NOT_SCORED`, counted from 1. `unit` numbers the units
    in the order of `units`, which holds their hashes.
    """

    def __init__(self) -> None:
        self.data: dict[str, NDArray[Any]] = {}
        self.units: NDArray[np.uint64] = np.zeros(0, dtype=np.uint64)
        self.modes: list[str] = []
        self.groups: list[str] = []
        self.solvers: Counter[str] = Counter()
        # (mode, who decided, verdict) of every blank; tokens by mode: prompt, completion, solutions that know them.
        self.blanks: Counter[tuple[str, str, int | None]] = Counter()
        self.tokens: dict[str, list[int]] = {}

    def __len__(self) -> int:
        return len(self.data["score"])

    @property
    def solver(self) -> str:
        return next(iter(self.solvers))

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that occur."""
        seen = np.bincount(self.data["language"], minlength=len(LANGUAGES))
        return tuple(name for name, number in zip(LANGUAGES, seen, strict=True) if number)

    @cached_property
    def problems(self) -> int:
        """How many problems there are."""
        return sum(self.inputs.values())

    @cached_property
    def inputs(self) -> dict[str, int]:
        """How many problems were shown with images, with captions, and so on."""
        order = np.argsort(self.data["problem"], kind="stable")
        problem = self.data["problem"][order]
        first = order[np.append(True, problem[1:] != problem[:-1])]
        seen = np.bincount(self.data["input"][first], minlength=len(INPUTS))
        return {name: int(number) for name, number in zip(INPUTS, seen, strict=True) if number}


def collect(
    records: Iterable[Record | Glance],
    *,
    language: str | None = None,
    group: Callable[[Record], str | None] | None = None,
) -> Columns:
    """Read records into columns, in any order.

    Args:
        records: records, or `Source.glances()`, which are quicker.
        language: take only these; None for all.
        group: puts each record (not a glance) into a group of the caller's, for figures beside ours.

    Raises:
        InputError: there are none, two stand under one problem, mode and sample, several solvers are mixed, or a
            problem stands in two languages and `language` is None: twins are never pooled.
    """
    found = Columns()
    raw: dict[str, array[Any]] = {name: array(code) for name, code in _FIELDS.items()}
    appends = {name: column.append for name, column in raw.items()}
    coded = [(appends[name], codes, attrgetter(name)) for name, codes in _CODES.items()]
    mode_codes: dict[str, int] = {}
    group_codes: dict[str | None, int] = {None: 0}
    for record in records:
        if language is not None and record.language != language:
            continue
        glance = Glance.of(record) if isinstance(record, Record) else record
        appends["unit"](short_hash(glance.unit))
        appends["problem"](short_hash(glance.problem_id))
        appends["content"](_content(glance))
        appends["sample"](glance.sample)
        appends["score"](float("nan") if glance.score is None else glance.score)
        appends["reason"](_REASON_CODES[glance.not_scored])
        appends["mode"](mode_codes.setdefault(glance.mode, len(mode_codes)))
        name = group(record) if group is not None and isinstance(record, Record) else None
        appends["group"](group_codes.setdefault(name, len(group_codes)))
        for append, codes, get in coded:
            append(codes[get(glance)])
        found.solvers[glance.solver] += 1
        for decided_by, verdict in glance.blanks:
            found.blanks[glance.mode, decided_by, verdict if glance.score is not None else None] += 1
        counts = found.tokens.setdefault(glance.mode, [0, 0, 0])
        if glance.prompt is not None and glance.completion is not None:
            counts[0] += glance.prompt
            counts[1] += glance.completion
            counts[2] += 1
    if not raw["score"]:
        raise InputError("there are no graded solutions" + (f" in language '{language}'" if language else ""))
    if len(found.solvers) > 1:
        names = ", ".join(sorted(found.solvers)[:5])
        raise InputError(f"the results mix several solvers ({names}), and figures belong to one")
    # Alphabetical codes, so that the order of the records leaves no trace.
    found.modes = sorted(mode_codes, key=lambda name: ({"direct": 0, "cot": 1}.get(name, 2), name))
    found.groups = sorted(name for name in group_codes if name is not None)
    modes = _recoded(mode_codes, {name: code for code, name in enumerate(found.modes)})
    groups = _recoded(group_codes, {None: 0} | {name: code for code, name in enumerate(found.groups, 1)})
    columns = {name: np.frombuffer(column, dtype=column.typecode) for name, column in raw.items()}
    columns["mode"], columns["group"] = modes[columns["mode"]], groups[columns["group"]]
    order = np.lexsort([columns[name] for name in ("sample", "problem", "unit", "mode")]).astype(np.int32)
    del appends
    for name in list(columns):
        found.data[name] = columns.pop(name)[order]
        raw.pop(name)
    found.units = np.unique(found.data["unit"])
    found.data["unit"] = np.searchsorted(found.units, found.data["unit"]).astype(np.int32)
    _check(found, language)
    del found.data["sample"]
    return found


def _content(glance: Glance) -> int:
    """32 bits that change with what a problem is graded by."""
    shape = (glance.answers, glance.type, glance.subject, glance.stage, glance.language)
    return short_hash(repr(shape)) & 0xFFFFFFFF


def _recoded(codes: dict[Any, int], wanted: dict[Any, int]) -> NDArray[Any]:
    """The array that maps codes in order of appearance to the wanted ones."""
    table = np.zeros(len(codes), dtype=np.uint32 if len(codes) > 255 else np.uint8)
    for name, code in codes.items():
        table[code] = wanted[name]
    return table


def _check(columns: Columns, language: str | None) -> None:
    data = columns.data
    same = np.ones(len(columns) - 1, dtype=bool)
    for name in ("mode", "unit", "problem", "sample"):
        same &= data[name][1:] == data[name][:-1]
    if twice := int(same.sum()):
        raise InputError(
            f"{twice} results stand there twice: two of the same problem, mode and sample; give each its own sample number"
        )
    if language is None and len(columns.languages) > 1:
        order = np.lexsort([data["language"], data["unit"]])
        unit, tongue = data["unit"][order], data["language"][order]
        twins = int(((unit[1:] == unit[:-1]) & (tongue[1:] != tongue[:-1])).sum())
        if twins:
            raise InputError(
                f"{twins} problems stand there in two languages, which are never pooled in one figure: choose one with --language"
            )
