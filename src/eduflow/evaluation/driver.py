"""The evaluation of one solver: problems in, one graded record per problem, mode and sample out, all of it in a run.

A record is put into the run when its calls are; a run that was ended in any way goes on where it was. What decides the
records is the run's configuration; what only decides which of them are made (modes, samples, limits, shards) is not,
so a later start may ask for more.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

from eduflow.engine import Endpoint, Engine, Run, Stats
from eduflow.errors import ConfigError
from eduflow.evaluation.budget import Bound, Budget, RunLimits, call_bound, total_bound
from eduflow.evaluation.estimate import prompt_tokens
from eduflow.evaluation.figures import CaptionFailed, Shown, caption_calls, show
from eduflow.evaluation.keep import problem_payload
from eduflow.evaluation.survey import Selection, Survey
from eduflow.grade import Grader
from eduflow.problem import Mode, Problem, Solution
from eduflow.report import Record, config_hash
from eduflow.solve import BrokenImage, ImageInput, SolveOptions, max_tokens, solution_of, solve_request

# Counts up whenever the same calls may give another record.
ALGORITHM = "eval-1"


@dataclass(frozen=True)
class Evaluation:
    """What is evaluated, and how.

    Args:
        problems: the set; iterated more than once.
        name: what the set is called in the report.
        selection, survey: what is taken of it, and what a look at it found.
        solver: the model.
        shown: what stands for images.
        modes, samples: the records per problem.
        options: how problems are put to the solver.
        grader: who grades.
        captioner: makes captions where `shown` asks for ones that a problem lacks.
        seed: the run's seed.
    """

    problems: Iterable[Problem]
    name: str
    selection: Selection
    survey: Survey
    solver: Endpoint
    shown: ImageInput
    modes: tuple[Mode, ...] = ("direct", "cot")
    samples: int = 1
    options: SolveOptions = field(default_factory=SolveOptions)
    grader: Grader = field(default_factory=Grader)
    captioner: Endpoint | None = None
    seed: int = 0

    def config(self) -> dict[str, Any]:
        """What decides the records: JSON values, no key, no URL."""
        return {
            "kind": "eval",
            "algorithm": ALGORITHM,
            "problems": {
                "name": self.name,
                "language": self.selection.language,
                "fingerprint": self.survey.fingerprint,
            },
            "solver": {"name": self.solver.name, "identity": self.solver.identity},
            "shown": self.shown,
            "captioner": None if self.captioner is None else self.captioner.identity,
            "solve": self.options.config(),
            "grader": self.grader.config(),
            "seed": self.seed,
        }

    @property
    def planned(self) -> int:
        """How many records the run has when it is finished."""
        return self.survey.problems * len(self.modes) * self.samples

    def items(self, problem: Problem) -> list[tuple[Mode, int]]:
        return [(mode, sample) for mode in self.modes for sample in range(self.samples)]


def item_name(problem_id: str, mode: str, sample: int) -> str:
    return json.dumps([problem_id, mode, sample], ensure_ascii=False)


def settle_config(run: Run, config: dict[str, Any]) -> str:
    """Check that the run is one of this configuration, and return its hash. A run without a result is of none yet.

    Raises:
        ConfigError: the run was made otherwise; the message names what differs and what to do.
    """
    old = run.read_config()
    if old is not None and old != config and run.summary().results:
        names = ", ".join(differing(old, config))
        raise ConfigError(
            f"the run {run.folder} was made with another configuration ({names} differ); name a new folder with --run, "
            f"and add --reuse {run.folder} to keep the calls that are the same"
        )
    return config_hash(config)


def differing(old: dict[str, Any], new: dict[str, Any], prefix: str = "") -> list[str]:
    """The dotted names of the fields in which two configurations differ."""
    names: list[str] = []
    for name in sorted(old.keys() | new.keys()):
        one, other = old.get(name), new.get(name)
        if isinstance(one, dict) and isinstance(other, dict):
            names += differing(one, other, f"{prefix}{name}.")
        elif one != other:
            names.append(prefix + name)
    return names


@dataclass(slots=True)
class _Job:
    """The records of one problem that are still to be made."""

    problem: Problem
    missing: list[tuple[Mode, int]]
    bound: Bound


class Driver:
    """Makes the records that a run lacks.

    Args:
        evaluation, run, engine: what, where, and through whom.
        limits: run-wide limits of this start.
        on_record: called with each record as it is kept, and with the engine's totals.
    """

    def __init__(
        self,
        evaluation: Evaluation,
        run: Run,
        engine: Engine,
        *,
        limits: RunLimits | None = None,
        on_record: Callable[[Record], None] = lambda _: None,
    ) -> None:
        self.evaluation = evaluation
        self.run = run
        self.engine = engine
        self.config = config_hash(evaluation.config())
        self.budget = Budget(limits or RunLimits())
        self.on_record = on_record

    async def go(self) -> str | None:
        """Make every record that is missing; returns the limit that struck, None where the run is finished.

        Raises:
            EndpointDown, ConfigError: from the engine; what was finished is kept.
        """
        evaluation = self.evaluation
        # A local server keeps one prefix per slot, and more problems than slots would push them out. Elsewhere some problems are
        # at the judge or between two calls while others fill the slots.
        slots = evaluation.solver.limits.concurrency
        in_flight = slots if evaluation.solver.local_path is not None else 2 * slots
        async with aclosing(self.engine.stream(self._jobs(), self._work, in_flight)) as done:
            async for records in done:
                for record in records:
                    self.on_record(record)
        return self.budget.struck

    async def _jobs(self) -> AsyncIterator[_Job]:
        evaluation = self.evaluation
        for problem in evaluation.selection.apply(evaluation.problems):
            missing = [
                (mode, sample)
                for mode, sample in evaluation.items(problem)
                if not self.run.has_result(item_name(problem.id, mode, sample), self.config, ALGORITHM)
            ]
            if not missing:
                continue
            bound = self._bound(problem, len(missing))
            if not await self.budget.reserve(bound, self._totals):
                self.run.put_stop(problem.id, 0, self.budget.struck or "")
                return
            yield _Job(problem, missing, bound)

    def _totals(self) -> Stats:
        return self.engine.total

    def _bound(self, problem: Problem, records: int) -> Bound:
        evaluation, options = self.evaluation, self.evaluation.options
        tokens = prompt_tokens(problem, evaluation.shown)
        bounds = [call_bound(evaluation.solver, tokens, max_tokens(evaluation.solver, options), records)]
        if evaluation.captioner is not None and (count := caption_calls(problem, evaluation.shown)):
            bounds.append(call_bound(evaluation.captioner, tokens, options.max_tokens, count))
        if (judge := evaluation.grader.judge) is not None:
            asks = (1 + judge.retries) * (2 if judge.swap else 1)
            bounds.append(
                call_bound(judge.endpoint, tokens + options.max_tokens, judge.max_tokens, records * asks)
            )
        return total_bound(*bounds)

    async def _work(self, job: _Job) -> list[Record]:
        try:
            solutions, shown = await self._solve(job)
            grades = await asyncio.gather(
                *(self.evaluation.grader.grade(job.problem, solution, self.engine) for solution in solutions)
            )
        finally:
            self.budget.release(job.bound)
        self.run.put_problem(job.problem.id, problem_payload(job.problem, self.run))
        records = []
        for solution, grade in zip(solutions, grades, strict=True):
            record = Record.of(job.problem, solution, grade, input=shown)
            item = item_name(job.problem.id, solution.mode, solution.sample)
            self.run.put_result(item, self.config, ALGORITHM, record.to_bytes())
            records.append(record)
        return records

    async def _solve(self, job: _Job) -> tuple[list[Solution], ImageInput]:
        evaluation, problem = self.evaluation, job.problem
        try:
            shown = await show(
                problem, evaluation.shown, self.engine, evaluation.options, evaluation.captioner
            )
        except BrokenImage as error:
            return [
                self._unsolved(problem, item, "rejected_input", str(error)) for item in job.missing
            ], evaluation.shown
        except CaptionFailed as error:
            return [
                self._unsolved(problem, item, "failed", str(error)) for item in job.missing
            ], evaluation.shown
        by_mode = {
            mode: [sample for other, sample in job.missing if other == mode]
            for mode in dict.fromkeys(m for m, _ in job.missing)
        }
        # One mode after the other: their prompts begin alike, so the second finds its beginning in the server's prefix cache.
        answered = [await self._answers(problem, mode, samples, shown) for mode, samples in by_mode.items()]
        return [solution for solutions in answered for solution in solutions], shown.input

    async def _answers(
        self, problem: Problem, mode: Mode, samples: list[int], shown: Shown
    ) -> list[Solution]:
        evaluation = self.evaluation
        # Missing samples may have gaps after a kill; the journal answers for those in between.
        first, count = samples[0], samples[-1] - samples[0] + 1
        request = solve_request(
            problem,
            mode,
            evaluation.solver,
            evaluation.options,
            shown=shown.input,
            images=shown.images,
            captions=shown.captions,
            sample=first,
        )
        replies = await self.engine.samples(request, count)
        return [
            solution_of(problem, mode, evaluation.solver.name, sample, replies[sample - first])
            for sample in samples
        ]

    def _unsolved(self, problem: Problem, item: tuple[Mode, int], outcome: Any, why: str) -> Solution:
        mode, sample = item
        return Solution(
            problem_id=problem.id,
            solver=self.evaluation.solver.name,
            mode=mode,
            sample=sample,
            text="",
            outcome=outcome,
            extra={"error": why},
        )
