"""Graded solutions made up for tests: any mixture of subjects, endings and verdicts."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any, Literal

from eduflow.problem import STAGES, SUBJECTS, TYPES, BlankGrade, Grade, NotScored, Outcome
from eduflow.report.records import Record, RecordedSolution, Tokens

Decider = Literal["comparator", "judge", "settled", "none"]


def make_record(
    problem_id: str = "p1",
    verdicts: Sequence[int] | None = (1,),
    *,
    not_scored: NotScored = "failed",
    outcome: Outcome = "ok",
    decided_by: Decider | None = None,
    detail: str = "",
    mode: str = "direct",
    sample: int = 0,
    solver: str = "toy",
    text: str = "the answer",
    **changes: Any,
) -> Record:
    """A record; `verdicts=None` makes one that is not scored, for the reason `not_scored`."""
    blanks: tuple[BlankGrade, ...]
    if verdicts is None:
        blanks = (BlankGrade(verdict=None, detail=not_scored),) * len(changes.get("answers", ("42",)))
        score = None
        if outcome == "ok" and not_scored in ("failed", "rejected_input"):
            outcome, text = not_scored, ""
    else:
        blanks = tuple(
            BlankGrade(
                verdict=1 if verdict else 0,
                extracted="x",
                decided_by=decided_by or ("comparator" if verdict else "none"),
                detail=detail,
            )
            for verdict in verdicts
        )
        score = sum(verdicts) / len(verdicts)
    row: dict[str, Any] = {
        "problem_id": problem_id,
        "unit": problem_id,
        "subject": "math",
        "stage": "middle",
        "type": "blank",
        "language": "zh",
        "input": "text",
        "answers": ("42",) * len(blanks),
        "tokens": Tokens(prompt=100, completion=20),
    }
    return Record(
        **(row | changes),
        mode=mode,
        sample=sample,
        solver=solver,
        solution=RecordedSolution(text=text, outcome=outcome, call=None),
        grade=Grade(
            problem_id=problem_id,
            solver=solver,
            mode=mode,
            sample=sample,
            blanks=blanks,
            score=score,
            not_scored=not_scored if score is None else None,
        ),
    )


def random_records(
    problems: int,
    *,
    seed: int = 0,
    ability: float = 0.5,
    modes: Sequence[str] = ("direct", "cot"),
    samples: int = 1,
    failures: float = 0.05,
    **changes: Any,
) -> Iterator[Record]:
    """Records of `problems` made-up problems: the same seed gives the same problems and, per ability, the same luck."""
    for number in range(problems):
        shape = random.Random(f"{seed} {number}")
        # The proportions of the published set: one primary subject, five middle, five high.
        cell = shape.randrange(11)
        stage = STAGES[0] if cell == 0 else STAGES[1 + (cell - 1) // 5]
        subject = SUBJECTS[0] if cell == 0 else SUBJECTS[(cell - 1) % 5]
        kind = shape.choice(TYPES)
        blanks = 1 if kind == "choice" else shape.randint(1, 3)
        hardness = shape.random()
        for mode in modes:
            for sample in range(samples):
                luck = random.Random(f"{seed} {number} {mode} {sample} {changes.get('solver', 'toy')}")
                given: dict[str, Any] = {
                    "subject": subject,
                    "stage": stage,
                    "type": kind,
                    "answers": ("42",) * blanks,
                    "mode": mode,
                    "sample": sample,
                } | changes
                name = f"{subject}-{stage}-{number}"
                if luck.random() < failures:
                    reason: NotScored = luck.choice(("failed", "judge_unparsed"))
                    yield make_record(name, None, not_scored=reason, **given)
                elif luck.random() < failures:
                    ending: Outcome = luck.choice(("truncated", "filtered"))
                    yield make_record(
                        name,
                        (0,) * blanks,
                        outcome=ending,
                        decided_by="settled",
                        detail=ending,
                        text="",
                        **given,
                    )
                else:
                    chance = min(0.98, max(0.02, ability + 0.6 * (0.5 - hardness)))
                    verdicts = [int(luck.random() < chance) for _ in range(blanks)]
                    yield make_record(name, verdicts, **given)
