"""The readers on the data as published; skipped where they are not there."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from eduflow.formats import (
    gaokao_bench,
    math_v,
    open_problems,
    open_recorded,
    options_in_question,
    write_jsonl,
)
from tests.support.data import real_data


@pytest.mark.parametrize(
    ("name", "rows", "images", "options"),
    [
        ("gaokao_mm", 563, 759, 511),
        ("gaokao_bench", 928, 0, 551),
        ("math_v", 3040, 0, 1532),
        ("mm_eureka_k12", 250, 250, 0),
        ("k12vista_format/sample.jsonl", 30, 30, 30),
    ],
)
def test_every_row_is_read(name: str, rows: int, images: int, options: int, tmp_path: Path) -> None:
    path = real_data(name.partition("/")[0]).parent / name
    reading = open_problems(path)
    problems = list(reading)
    assert len(problems) == rows
    assert reading.skipped.total == 0
    assert sum(len(problem.images) for problem in problems) == images
    assert sum(bool(problem.options) for problem in problems) == options
    assert all(Path(image.path).is_file() for p in problems for image in p.images if image.path is not None)
    for problem in problems:
        keys = {option.key for option in problem.options}
        assert not keys or set("".join(problem.answers)) <= keys
    write_jsonl(tmp_path / "copy.jsonl.gz", problems)
    assert list(open_problems(tmp_path / "copy.jsonl.gz")) == problems


def test_gaokao_mm_counts() -> None:
    problems = list(open_problems(real_data("gaokao_mm")))
    assert Counter(problem.subject for problem in problems) == {
        "geography": 221,
        "physics": 174,
        "math": 80,
        "chemistry": 67,
        "biology": 21,
    }
    assert {problem.language for problem in problems} == {"zh"}
    assert sum(len(problem.answers[0]) > 1 for problem in problems) == 73
    assert all(len(problem.options) in (0, 4) for problem in problems)
    assert all(options_in_question(problem) for problem in problems)


def test_gaokao_bench_counts_marks_and_outputs() -> None:
    folder = real_data("gaokao_bench")
    problems = list(open_problems(folder))
    assert Counter((problem.subject, problem.type) for problem in problems) == {
        ("math", "choice"): 214,
        ("biology", "choice"): 150,
        ("chemistry", "choice"): 124,
        ("physics", "choice"): 64,
        ("math", "blank"): 81,
        ("math", "free"): 123,
        ("biology", "free"): 116,
        ("physics", "free"): 47,
        ("chemistry", "free"): 9,
    }
    scores = gaokao_bench.published_scores(folder)
    marks = Counter[str]()
    for problem in problems:
        if problem.type == "choice":
            marks[problem.extra["keyword"]] += problem.extra["score"]
    assert {keyword: scores[keyword].total for keyword in marks} == marks
    assert {keyword: scores[keyword].correct for keyword in marks} == {
        "2010-2022_Math_I_MCQs": 575,
        "2010-2022_Physics_MCQs": 213,
        "2010-2022_Chemistry_MCQs": 330,
        "2010-2022_Biology_MCQs": 726,
    }
    outputs = list(open_recorded(folder))
    assert [output.id for output in outputs] == [problem.id for problem in problems]
    assert sum("model_answer" in output.extra for output in outputs) == 552


def test_math_v_outputs_and_their_published_flags() -> None:
    folder = real_data("math_v")
    outputs = list(open_recorded(folder))
    assert [output.id for output in outputs] == [problem.id for problem in open_problems(folder)]
    right = sum(output.extra["correct"] for output in outputs)
    assert (right, len(outputs)) == math_v.published_scores(folder)["-all"]
