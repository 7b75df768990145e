"""The grader: comparators first, a judge only on a miss.

`Grader.check` is deterministic: the same problem and solution give the same grade, in any thread, on any machine. `Grader.grade`
does the same and then asks the judge about the blanks that stayed open. Who decided each blank is in the grade.

How a reply ended decides first:

| outcome | grade |
|---|---|
| failed, rejected_input | not scored |
| filtered | 0 for every blank, settled |
| ok, nothing after the thinking, or thinking that never ends | 0 for every blank, settled |
| ok | comparators, then the judge |
| truncated | only a final answer that is explicit and whole: comparators, then the judge in its `verify` mode, which sees that answer alone; every other blank 0, settled |

A truncated reply is cut off at an unknown place, so an answer on its last line may be half of one: "the answer is 12" may have
been going to be 120. It counts where it stands in a closed box or tag, or on a line that ended.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from eduflow.engine.run import Run
from eduflow.grade.blanks import Match, check_answers
from eduflow.grade.extract import Extraction, extract, strip_thinking
from eduflow.grade.judge import Caller, Case, Judge
from eduflow.grade.opinion import SecondOpinion, StruckInRun
from eduflow.grade.settled import settled_by
from eduflow.problem import BlankGrade, Grade, NotScored, Problem, Solution

# Counts up whenever the same reply may be graded differently; part of a run's configuration.
REVISION = "2"

# What `check_answers` names where nothing was compared: no answer was found, or which belongs to which blank is unknown.
_UNALIGNED = frozenset({"none", "blanks"})
# What they name where the gold is of no kind that they read: everything else that they missed, they read and found different.
_UNREAD = "text"
_CLOSED = frozenset({"boxed", "tag"})


@dataclass(frozen=True, slots=True)
class _Checked:
    """A grade before the judge: its blanks, and which of them are open (numbers from 1).

    `aligned` is whether every open blank has an extracted answer of its own.
    """

    blanks: tuple[BlankGrade, ...]
    open: tuple[int, ...] = ()
    aligned: bool = True
    not_scored: NotScored | None = None


class Grader:
    """Grades solutions.

    Args:
        judge: asked about the blanks that the comparators could not accept; None leaves those 0, decided by "none": a lower bound.
        second_opinion: math-verify behind the comparators, in a worker of its own (see `opinion.py`): "math-verify" for one
            with default limits, or a `SecondOpinion` of the caller's; None for none.

    Raises:
        MissingExtra: "math-verify" is not installed.
    """

    def __init__(
        self,
        judge: Judge | None = None,
        second_opinion: Literal["math-verify"] | SecondOpinion | None = None,
    ) -> None:
        self.judge = judge
        self.second_opinion = SecondOpinion() if second_opinion == "math-verify" else second_opinion

    def config(self) -> dict[str, Any]:
        """Everything that a grade depends on beside problem and solution, for the run's configuration."""
        return {
            "revision": REVISION,
            "judge": None if self.judge is None else self.judge.config(),
            "second_opinion": None if self.second_opinion is None else self.second_opinion.config(),
        }

    def keep_in(self, run: Run) -> None:
        """Let `run` keep the questions at which a limit of the second opinion strikes, so that it says the same when resumed."""
        if self.second_opinion is not None:
            self.second_opinion.struck = StruckInRun(run)

    def close(self) -> None:
        """End the second opinion's worker."""
        if self.second_opinion is not None:
            self.second_opinion.close()

    def check(self, problem: Problem, solution: Solution) -> Grade:
        """The grade without a judge."""
        return _grade(problem, solution, self._checked(problem, solution))

    async def grade(self, problem: Problem, solution: Solution, engine: Caller | None = None) -> Grade:
        """The grade, the judge asked where a blank stayed open.

        Args:
            engine: makes the judge's calls; needed with a judge.
        """
        if self.second_opinion is None:
            checked = self._checked(problem, solution)
        else:
            # It waits for another process, which must not hold up the event loop.
            checked = await asyncio.to_thread(self._checked, problem, solution)
        if self.judge is None or not checked.open:
            return _grade(problem, solution, checked)
        if engine is None:
            raise TypeError("grading with a judge needs the engine that makes its calls")
        return await self._judged(self.judge, engine, problem, solution, checked)

    def _checked(self, problem: Problem, solution: Solution) -> _Checked:
        count = len(problem.answers)
        outcome = solution.outcome
        if outcome in ("failed", "rejected_input"):
            return _Checked((BlankGrade(verdict=None, detail=outcome),) * count, not_scored=outcome)
        if outcome == "filtered":
            return _settled(count, "filtered")
        spoken = strip_thinking(solution.text)
        if spoken is None:
            return _settled(count, "truncated" if outcome == "truncated" else "unclosed thinking")
        if not spoken.strip():
            return _settled(count, "truncated" if outcome == "truncated" else "empty")
        extraction = extract(solution.text, blanks=count)
        if outcome == "truncated" and not _whole(extraction, solution.text, count):
            return _settled(count, "truncated")
        matches = check_answers(
            problem.answers,
            extraction,
            question=problem.question,
            type=problem.type,
            options=problem.options,
            ordered=problem.ordered,
            subject=problem.subject,
        )
        blanks: list[BlankGrade] = []
        still_open: list[int] = []
        aligned = True
        for number, match in enumerate(matches, start=1):
            blank = self._blank(problem, number, match, spoken)
            if blank.decided_by == "none" and outcome == "truncated" and match.extracted is None:
                blank = BlankGrade(verdict=0, decided_by="settled", detail="truncated")
            if blank.decided_by == "none":
                still_open.append(number)
                aligned &= match.extracted is not None and match.comparator not in _UNALIGNED
            blanks.append(blank)
        return _Checked(tuple(blanks), tuple(still_open), aligned)

    def _blank(self, problem: Problem, number: int, match: Match, spoken: str) -> BlankGrade:
        if match.verdict == "right":
            return BlankGrade(
                verdict=1, extracted=match.extracted, decided_by="comparator", detail=match.comparator
            )
        why = settled_by(match, spoken)
        if why is not None:
            return BlankGrade(verdict=0, extracted=match.extracted, decided_by="settled", detail=why)
        detail = match.detail
        if (
            self.second_opinion is not None
            and match.comparator == _UNREAD
            and match.extracted is not None
            and problem.type != "choice"
        ):
            opinion = self.second_opinion.ask(problem.answers[number - 1], match.extracted, problem.question)
            if opinion.right:
                return BlankGrade(
                    verdict=1, extracted=match.extracted, decided_by="comparator", detail="math-verify"
                )
            detail = "; ".join(part for part in (detail, opinion.note) if part)
        return BlankGrade(verdict=0, extracted=match.extracted, decided_by="none", detail=detail)

    async def _judged(
        self, judge: Judge, engine: Caller, problem: Problem, solution: Solution, checked: _Checked
    ) -> Grade:
        answers = tuple(blank.extracted for blank in checked.blanks)
        ruling = await judge.rule(engine, _case(judge, problem, solution, checked, answers))
        blanks = list(checked.blanks)
        not_scored: NotScored | None = None
        if ruling.status != "ruled":
            not_scored = "judge_failed" if ruling.status == "failed" else "judge_unparsed"
        for number in checked.open:
            old = blanks[number - 1]
            verdict = ruling.verdicts.get(number)
            if verdict is None:
                blanks[number - 1] = BlankGrade(verdict=None, extracted=old.extracted, detail=ruling.note)
                continue
            blanks[number - 1] = BlankGrade(
                verdict=1 if verdict.right else 0,
                extracted=old.extracted if verdict.answer is None else verdict.answer,
                decided_by="judge",
                detail=ruling.note if number in ruling.disagreed else judge.endpoint.identity,
            )
        return _grade(problem, solution, _Checked(tuple(blanks), not_scored=not_scored), tuple(ruling.calls))


def _case(
    judge: Judge, problem: Problem, solution: Solution, checked: _Checked, answers: Sequence[str | None]
) -> Case:
    """How the judge is asked: by the extracted answers where all open blanks have one, else by the whole reply."""
    if solution.outcome == "truncated":
        # What stands beyond the explicit answer is unfinished work, and nothing is to be read into it.
        if judge.preset == "eduflow":
            return Case(problem, checked.open, tuple(answers))
        lines = (
            f"({number}) {answer}" for number, answer in enumerate(answers, start=1) if answer is not None
        )
        return Case(problem, checked.open, reply="\n".join(lines))
    if judge.preset == "eduflow" and problem.type != "free" and checked.aligned:
        return Case(problem, checked.open, tuple(answers))
    return Case(problem, checked.open, reply=strip_thinking(solution.text) or "")


def _whole(extraction: Extraction, text: str, blanks: int) -> bool:
    """Whether the final answer of a truncated reply is explicit and cannot have been cut."""
    if extraction.source in _CLOSED:
        return True
    if extraction.source != "cue":
        return False
    return extract(text[: text.rfind("\n") + 1], blanks=blanks) == extraction


def _settled(count: int, why: str) -> _Checked:
    return _Checked((BlankGrade(verdict=0, decided_by="settled", detail=why),) * count)


def _grade(problem: Problem, solution: Solution, checked: _Checked, calls: tuple[str, ...] = ()) -> Grade:
    score = None
    if checked.not_scored is None:
        score = sum(blank.verdict or 0 for blank in checked.blanks) / len(checked.blanks)
    return Grade(
        problem_id=problem.id,
        solver=solution.solver,
        mode=solution.mode,
        sample=solution.sample,
        blanks=checked.blanks,
        score=score,
        not_scored=checked.not_scored,
        calls=calls,
    )
