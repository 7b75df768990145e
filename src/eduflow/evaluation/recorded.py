"""Outputs that were made elsewhere: put beside their problems, graded like any other, kept in a run.

Predictions come in any order, so they are first put into a scratch database on disk; memory stays flat.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import tempfile
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from eduflow.engine import Engine, Run
from eduflow.evaluation.driver import item_name
from eduflow.evaluation.keep import problem_payload
from eduflow.evaluation.published import facts
from eduflow.evaluation.survey import Selection, Survey
from eduflow.formats import Prediction
from eduflow.grade import Grader
from eduflow.problem import BlankGrade, Grade, Outcome, Problem, Solution
from eduflow.report import Record, config_hash
from eduflow.solve import ImageInput

ALGORITHM = "grade-1"
# The mode of outputs whose file doesn't say how they were asked for.
UNSAID = "output"
LISTED = 20
IN_FLIGHT = 64

_OUTCOMES: dict[str | None, Outcome] = {"length": "truncated", "content_filter": "filtered"}


class Predictions:
    """The predictions of a file by problem id. A context manager: the scratch database goes with it.

    Args:
        rows: the predictions, read once.
        tick: told the number of rows read, now and then.

    Of repeated rows for one id, mode and sample the first counts; `repeated` counts and lists the others.
    """

    def __init__(self, rows: Iterable[Prediction], *, tick: Callable[[int], None] = lambda _: None) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="eduflow-")
        self._db = sqlite3.connect(Path(self._folder.name) / "predictions.sqlite", check_same_thread=False)
        self._db.execute("PRAGMA journal_mode=OFF")
        self._db.execute("PRAGMA synchronous=OFF")
        self._db.execute(
            "CREATE TABLE rows (id TEXT, mode TEXT, sample INTEGER, output TEXT, finish TEXT, line INTEGER, extra TEXT, "
            "used INTEGER DEFAULT 0, PRIMARY KEY (id, mode, sample)) WITHOUT ROWID"
        )
        self.count = 0
        self.repeated = 0
        self.repeated_first: list[str] = []
        digest = hashlib.sha256()
        for row in rows:
            self.count += 1
            if self.count % 1000 == 0:
                tick(self.count)
            self._insert(row, digest)
        self._db.commit()
        self.fingerprint = digest.hexdigest()
        self.modes: tuple[str, ...] = tuple(
            mode for (mode,) in self._db.execute("SELECT DISTINCT mode FROM rows ORDER BY mode")
        )

    def _insert(self, row: Prediction, digest: Any) -> None:
        mode = row.mode or UNSAID
        values = (row.id, mode, row.sample, row.output, row.finish_reason, row.line, json.dumps(row.extra))
        digest.update(json.dumps(values[:5]).encode())
        added = self._db.execute(
            "INSERT OR IGNORE INTO rows (id, mode, sample, output, finish, line, extra) VALUES (?, ?, ?, ?, ?, ?, ?)",
            tuple(_storable(value) for value in values),
        ).rowcount
        if not added:
            self.repeated += 1
            if len(self.repeated_first) < LISTED:
                self.repeated_first.append(f"line {row.line}: {row.id}")

    def of(self, problem_id: str) -> list[Prediction]:
        """The predictions for one problem, by mode and sample; they count as known from now on."""
        rows = self._db.execute(
            "SELECT mode, sample, output, finish, line, extra FROM rows WHERE id = ? ORDER BY mode, sample",
            (_storable(problem_id),),
        ).fetchall()
        if rows:
            self._db.execute("UPDATE rows SET used = 1 WHERE id = ?", (_storable(problem_id),))
        return [
            Prediction(problem_id, output, sample, mode, finish, line, json.loads(extra))
            for mode, sample, output, finish, line, extra in rows
        ]

    def unknown(self) -> tuple[int, list[str]]:
        """How many predictions belong to no problem that was asked for, and the first of them."""
        (count,) = self._db.execute("SELECT count(*) FROM rows WHERE used = 0").fetchone()
        first = self._db.execute("SELECT line, id FROM rows WHERE used = 0 ORDER BY line LIMIT ?", (LISTED,))
        return count, [f"line {line}: {name}" for line, name in first]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._db.close()
        self._folder.cleanup()


def _storable(value: Any) -> Any:
    """SQLite takes no lone surrogates, which a model's output may hold."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


@dataclass(frozen=True)
class Grading:
    """What is graded, and how. As `Evaluation`, with predictions in the solver's place.

    Args:
        shown: what the solver is taken to have seen of problems with images.
        solver: what to call the solver where a prediction doesn't say.
    """

    problems: Iterable[Problem]
    name: str
    selection: Selection
    survey: Survey
    predictions: Predictions
    solver: str
    shown: ImageInput = "images"
    grader: Grader = field(default_factory=Grader)
    seed: int = 0

    def config(self) -> dict[str, Any]:
        return {
            "kind": "grade",
            "algorithm": ALGORITHM,
            "problems": {
                "name": self.name,
                "language": self.selection.language,
                "fingerprint": self.survey.fingerprint,
            },
            "solver": {"name": self.solver, "identity": self.solver},
            "predictions": self.predictions.fingerprint,
            "shown": self.shown,
            "grader": self.grader.config(),
            "seed": self.seed,
        }


@dataclass(slots=True)
class Matched:
    """How predictions and problems met. `graded` + `missing` is the number of records."""

    graded: int = 0
    missing: int = 0
    missing_first: list[str] = field(default_factory=list)


async def grade_recorded(
    grading: Grading, run: Run, engine: Engine, *, on_record: Callable[[Record], None] = lambda _: None
) -> Matched:
    """Grade every prediction that the run does not hold yet; problems without one get a record "missing" per mode."""
    config = config_hash(grading.config())
    matched = Matched()

    async def jobs() -> AsyncIterator[tuple[Problem, Solution, bool]]:
        for problem in grading.selection.apply(grading.problems):
            run.put_problem(problem.id, problem_payload(problem, run))
            for solution, missing in _solutions(grading, problem):
                matched.missing += missing
                matched.graded += not missing
                if missing and len(matched.missing_first) < LISTED:
                    matched.missing_first.append(f"{problem.id} ({solution.mode})")
                if not run.has_result(
                    item_name(problem.id, solution.mode, solution.sample), config, ALGORITHM
                ):
                    yield problem, solution, missing

    async def work(job: tuple[Problem, Solution, bool]) -> Record:
        problem, solution, missing = job
        grade = (
            _missing(problem, solution) if missing else await grading.grader.grade(problem, solution, engine)
        )
        shown = grading.shown if problem.images else "text"
        record = Record.of(problem, solution, grade, input=shown, extra=facts(problem, solution))
        item = item_name(problem.id, solution.mode, solution.sample)
        run.put_result(item, config, ALGORITHM, record.to_bytes())
        return record

    async with aclosing(engine.stream(jobs(), work, IN_FLIGHT)) as done:
        async for record in done:
            on_record(record)
    return matched


def _solutions(grading: Grading, problem: Problem) -> Iterator[tuple[Solution, bool]]:
    """The problem's solutions, and whether each is a stand-in for a prediction that is missing."""
    given = grading.predictions.of(problem.id)
    for row in given:
        yield solution_of_prediction(row, grading.solver), False
    for mode in grading.predictions.modes or (UNSAID,):
        if not any(row.mode == mode for row in given):
            yield (
                Solution(problem_id=problem.id, solver=grading.solver, mode=mode, text="", outcome="failed"),
                True,
            )


def solution_of_prediction(row: Prediction, solver: str) -> Solution:
    """A prediction as a solution: "length" is truncated, "content_filter" filtered, no output at all failed."""
    return Solution(
        problem_id=row.id,
        solver=str(row.extra.get("model") or solver),
        mode=row.mode or UNSAID,
        sample=row.sample,
        text=row.output or "",
        outcome="failed" if row.output is None else _OUTCOMES.get(row.finish_reason, "ok"),
        extra=dict(row.extra),
    )


def _missing(problem: Problem, solution: Solution) -> Grade:
    return Grade(
        problem_id=problem.id,
        solver=solution.solver,
        mode=solution.mode,
        sample=solution.sample,
        blanks=(BlankGrade(verdict=None, detail="missing"),) * len(problem.answers),
        not_scored="missing",
    )
