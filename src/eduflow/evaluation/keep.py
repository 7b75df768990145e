"""Problems as a run keeps them: their images as blobs, so that a run can be read without the files it was made from."""

from __future__ import annotations

import json
from collections.abc import Iterator

from eduflow.engine import Run
from eduflow.errors import InputError
from eduflow.problem import Grade, ImageRef, Problem, Solution
from eduflow.report import Record


def problem_payload(problem: Problem, run: Run) -> bytes:
    """The problem as JSON, its images put into the run's blobs and named by their hash.

    An image that can't be read stays a path; the record of such a problem says what was wrong with it.
    """
    row = problem.model_dump(exclude={"images"}, exclude_defaults=True)
    if problem.images:
        row["images"] = [_image_row(ref, run) for ref in problem.images]
    return json.dumps(row, ensure_ascii=True, sort_keys=True).encode()


def _image_row(ref: ImageRef, run: Run) -> dict[str, str]:
    try:
        digest = run.put_blob(ref.read())
    except InputError:
        return {"path": ref.name}
    return {"sha256": digest}


def kept_problem(run: Run, problem_id: str) -> Problem:
    """A problem that the run keeps, with the bytes of its images.

    Raises:
        InputError: the run holds none of this id, or an image of it is missing or damaged.
    """
    payload = run.problem(problem_id)
    if payload is None:
        raise InputError(f"the run holds no problem '{problem_id}'", path=run.folder)
    row = json.loads(payload)
    for image in row.get("images", ()):
        if "sha256" in image:
            image["data"] = run.blob(image["sha256"])
            if image["data"] is None:
                raise InputError(f"the run lacks image {image['sha256']} of '{problem_id}'", path=run.folder)
    return Problem.parse(row)


def rescued(run: Run, records: Iterator[Record]) -> Iterator[tuple[Problem, Solution, Grade]]:
    """Problem, solution and grade of the records in which a judge called a miss right."""
    for record in records:
        if any(blank.decided_by == "judge" and blank.verdict == 1 for blank in record.grade.blanks):
            solution = Solution(
                problem_id=record.problem_id,
                solver=record.solver,
                mode=record.mode,
                sample=record.sample,
                text=record.solution.text,
                outcome=record.solution.outcome,
                call=record.solution.call,
            )
            yield kept_problem(run, record.problem_id), solution, record.grade
