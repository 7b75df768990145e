"""The look at a set before a run: what is taken, and what ties a run to its problems."""

from __future__ import annotations

import pytest

from eduflow.errors import ConfigError
from eduflow.evaluation.survey import DRAWN, Selection, settle_language, survey
from eduflow.problem import Problem
from tests.support.problems import figure, make_problem


def ids(selection: Selection, problems: list[Problem]) -> list[str]:
    return [problem.id for problem in selection.apply(problems)]


def twins(count: int) -> list[Problem]:
    return [
        make_problem(id=f"p{number}-{language}", group=f"p{number}", language=language)
        for number in range(count)
        for language in ("zh", "en")
    ]


def test_twins_are_never_pooled() -> None:
    problems = twins(3)
    assert settle_language(problems, Selection()).language == "zh"
    assert settle_language(problems, Selection(language="en")).language == "en"
    found = survey(problems, Selection(language="en"))
    assert found.problems == 3
    assert found.languages == {"en": 3}


def test_two_languages_without_twins_may_stand_together() -> None:
    problems = [make_problem(id="a", language="zh"), make_problem(id="b", language="en")]
    assert settle_language(problems, Selection()).language is None
    assert survey(problems, Selection()).languages == {"en": 1, "zh": 1}


def test_limits_count_before_sharding() -> None:
    problems = [make_problem(id=f"p{number}") for number in range(200)]
    whole = ids(Selection(limit=100), problems)
    shards = [ids(Selection(limit=100, shard=(part, 3)), problems) for part in (1, 2, 3)]
    assert sorted(whole) == sorted(shards[0] + shards[1] + shards[2])
    assert all(shards)


def test_per_cell_takes_the_first_of_each_cell_and_type() -> None:
    problems = [
        make_problem(id=f"{subject}-{stage}-{number}", subject=subject, stage=stage)
        for number in range(3)
        for subject in ("math", "physics")
        for stage in ("middle", "high")
    ]
    assert ids(Selection(per_cell=1), problems) == [
        "math-middle-0",
        "math-high-0",
        "physics-middle-0",
        "physics-high-0",
    ]


def test_the_fingerprint_is_of_the_whole_set() -> None:
    problems = [make_problem(id=f"p{number}") for number in range(20)]
    whole = survey(problems, Selection()).fingerprint
    assert survey(problems, Selection(limit=3)).fingerprint == whole
    assert survey(problems, Selection(shard=(2, 2))).fingerprint == whole
    assert survey(problems[:-1], Selection()).fingerprint != whole


@pytest.mark.parametrize(
    "changes",
    [
        {"question": "2 + 4 = ____"},
        {"answers": ["6"]},
        {"solution": ["2 + 3 = 5"]},
        {"ordered": False},
        {"images": [figure("red")]},
        {"captions": ["a caption"], "images": [figure("blue")]},
    ],
)
def test_what_a_solver_grader_or_report_is_shown_changes_the_fingerprint(changes: dict[str, object]) -> None:
    plain = survey([make_problem()], Selection()).fingerprint
    assert survey([make_problem(**changes)], Selection()).fingerprint != plain


def test_extra_does_not_change_the_fingerprint() -> None:
    plain = survey([make_problem()], Selection()).fingerprint
    assert survey([make_problem(extra={"a": 1})], Selection()).fingerprint == plain


def test_images_without_captions_are_counted() -> None:
    problems = [
        make_problem(id="text"),
        make_problem(id="both", images=[figure()], captions=["a square"]),
        make_problem(id="first", images=[figure()]),
        make_problem(id="second", images=[figure()]),
    ]
    found = survey(problems, Selection())
    assert (found.problems, found.with_images, found.without_captions) == (4, 3, 2)
    assert found.first_without_captions == "first"


def test_problems_are_drawn_from_the_whole_set() -> None:
    problems = [make_problem(id=f"p{number}") for number in range(1000)]
    drawn = [int(problem.id[1:]) for problem in survey(problems, Selection()).drawn]
    assert len(set(drawn)) == DRAWN
    assert max(drawn) > 500


def test_nothing_to_evaluate_is_said() -> None:
    with pytest.raises(ConfigError, match="no problems to evaluate in language 'zh'"):
        survey([make_problem()], Selection(language="zh"))
