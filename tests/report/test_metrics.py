"""Figures: worked examples, and what holds for any mixture of outcomes."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eduflow.errors import InputError
from eduflow.problem import STAGES, SUBJECTS, TYPES, NotScored
from eduflow.report.metrics import MINIMUM, Figure, Metrics, Scores, metrics
from eduflow.report.records import Record
from tests.support.records import make_record, random_records


def figures(found: Metrics) -> Iterator[Figure]:
    """Every figure there is."""

    def of(scores: Scores) -> Iterator[Figure]:
        yield scores.overall
        for part in (scores.stages, scores.subjects, scores.types, scores.cells, scores.groups):
            yield from part.values()
        for part in scores.subject_type.values():
            yield from part.values()

    for mode in found.modes.values():
        yield from of(mode.score)
        yield from of(mode.solved)
        yield from mode.pass_at.values()


def test_a_worked_example() -> None:
    """Four problems: ½, 1, 0 for want of an answer, and one whose call failed."""
    found = metrics(
        [
            make_record("a", (1, 0), answers=("1", "2"), stage="primary"),
            make_record("b", (1,), type="choice"),
            make_record("c", (0,), outcome="truncated", decided_by="settled", stage="high"),
            make_record("d", None, not_scored="failed", stage="high", subject="physics"),
        ]
    )
    mode = found.modes["direct"]
    overall = mode.score.overall
    assert overall.value == 0.5
    assert overall.lower_bound == 1.5 / 4
    assert (overall.points, overall.problems, overall.problems_scored, overall.units) == (1.5, 4, 3, 3)
    assert (overall.total, overall.scored, overall.not_scored) == (4, 3, {"failed": 1})
    assert overall.endings == {"ok": 2, "truncated": 1, "failed": 1}
    assert mode.solved.overall.value == pytest.approx(1 / 3)
    assert mode.solved.overall.lower_bound == 1 / 4
    assert mode.score.stages["high"].value == 0
    assert mode.score.stages["high"].lower_bound == 0
    assert mode.score.subjects["physics"].value is None
    assert mode.score.subject_type["math"]["choice"].value == 1
    # Cells: math-primary ½, math-middle 1, math-high 0; physics-high has nothing scored.
    assert mode.score.macro.value == 0.5
    assert mode.score.macro.of == ("math-primary", "math-middle", "math-high", "physics-high")
    assert mode.score.macro.lower_bound == 1.5 / 4
    assert mode.decided_by["comparator"] == {"right": 2, "wrong": 0}
    assert mode.decided_by["none"] == {"right": 0, "wrong": 1}
    assert mode.decided_by["settled"] == {"right": 0, "wrong": 1}
    assert mode.tokens == {"prompt": 400, "completion": 80, "solutions": 4}
    assert found.average is None
    assert mode.pass_at == {}


def test_the_average_is_the_mean_of_the_overalls() -> None:
    found = metrics(random_records(200, seed=4))
    assert found.average is not None
    values = [mode.score.overall.value for mode in found.modes.values()]
    assert found.average.value == pytest.approx(sum(v for v in values if v is not None) / 2)
    assert found.average.of == ("direct", "cot")
    assert found.average.interval is not None
    low, high = found.average.interval
    assert low < (found.average.value or 0) < high


def test_micro_weighs_problems_and_macro_weighs_cells() -> None:
    records = [make_record(f"m{i}", (1,), subject="math") for i in range(90)]
    records += [make_record(f"p{i}", (0,), subject="physics") for i in range(30)]
    score = metrics(records).modes["direct"].score
    assert score.overall.value == 0.75
    assert score.macro.value == 0.5
    assert score.macro_stages.value == 0.75


def test_a_problem_counts_once_however_many_samples_it_has() -> None:
    records = [make_record("a", (1,), sample=number) for number in range(4)]
    records += [make_record("b", (0,), sample=number) for number in range(2)]
    overall = metrics(records).modes["direct"].score.overall
    assert overall.value == 0.5
    assert (overall.problems, overall.total) == (2, 6)


def test_pass_at_k_of_a_worked_example() -> None:
    records = [make_record("a", (int(n == 0),), sample=n) for n in range(4)]
    records += [make_record("b", (0,), sample=n) for n in range(4)]
    # Three of c's samples are scored, so that pass@4 has no value for it.
    records += [make_record("c", (1,) if n else None, sample=n) for n in range(4)]
    found = metrics(records).modes["direct"]
    values = {k: figure.value for k, figure in found.pass_at.items()}
    assert values == pytest.approx({1: (0.25 + 0 + 1) / 3, 2: (0.5 + 0 + 1) / 3, 4: 0.5})
    assert found.pass_at[1].value == found.solved.overall.value
    assert (found.pass_at[4].problems, found.pass_at[4].problems_scored) == (3, 2)
    # As a lower bound c solved 3 of 4 at k = 1, and counts nothing at k = 4.
    assert found.pass_at[1].lower_bound == pytest.approx((0.25 + 0 + 0.75) / 3)
    assert found.pass_at[4].lower_bound == pytest.approx(1 / 3)
    assert found.samples == (4, 4)


def test_a_small_group_makes_no_claim() -> None:
    for number, claims in ((MINIMUM - 1, False), (MINIMUM, True)):
        overall = (
            metrics([make_record(f"p{i}", (i % 2,)) for i in range(number)]).modes["direct"].score.overall
        )
        assert (overall.interval is not None) is claims
        assert (overall.method == "wilson") is claims


def test_units_not_problems_make_a_group_large_enough() -> None:
    records = [make_record(f"p{i}", (i % 2,), unit=f"u{i // 2}") for i in range(MINIMUM + 10)]
    overall = metrics(records).modes["direct"].score.overall
    assert (overall.problems, overall.units, overall.interval) == (40, 20, None)


def test_the_method_is_wilson_only_for_right_and_wrong_alone() -> None:
    def method(records: list[Record]) -> str | None:
        return metrics(records).modes["direct"].score.overall.method

    plain = [make_record(f"p{i}", (i % 2,)) for i in range(40)]
    assert method(plain) == "wilson"
    assert method([*plain, make_record("half", (1, 0))]) == "bootstrap"
    assert method([*plain, make_record("p0", (0,), sample=1)]) == "bootstrap"
    assert method([*plain, make_record("variant", (1,), unit="p0")]) == "bootstrap"
    assert method([*plain, make_record("lost", None)]) == "wilson"


def test_being_right_every_time_is_no_certainty() -> None:
    records = [make_record(f"p{i}", (1,), sample=n) for i in range(40) for n in range(3)]
    overall = metrics(records).modes["direct"].score.overall
    assert overall.value == 1
    # 40 units, not 120 trials.
    assert overall.interval == pytest.approx((40 / (40 + 3.8415), 1), abs=1e-4)


def test_samples_of_a_problem_move_together() -> None:
    luck = random.Random(0)
    right = [luck.random() < 0.5 for _ in range(60)]
    once = [make_record(f"p{i}", (int(right[i]),)) for i in range(60)]
    four = [make_record(f"p{i}", (int(right[i]),), sample=n) for i in range(60) for n in range(4)]
    one, many = (metrics(records).modes["direct"].score.overall for records in (once, four))
    assert one.value == many.value
    assert one.interval is not None
    assert many.interval is not None
    assert many.interval == pytest.approx(one.interval, abs=0.02)


def test_language_twins_are_never_pooled() -> None:
    twins = [
        make_record(f"p{i}-{lang}", (1,), unit=f"p{i}", language=lang)
        for i in range(3)
        for lang in ("zh", "en")
    ]
    with pytest.raises(InputError, match="3 problems stand there in two languages"):
        metrics(twins)
    assert metrics(twins, language="en").problems == 3
    apart = [make_record("a", language="zh"), make_record("b", language="en")]
    assert metrics(apart).languages == ("zh", "en")


@pytest.mark.parametrize(
    ("records", "words"),
    [
        ([], "no graded solutions"),
        ([make_record("a", solver="x"), make_record("b", solver="y")], r"several solvers \(x, y\)"),
        ([make_record("a"), make_record("a", (0,))], "1 results stand there twice"),
    ],
)
def test_what_makes_no_figures_is_refused(records: list[Record], words: str) -> None:
    with pytest.raises(InputError, match=words):
        metrics(records)


def test_groups_of_the_callers_own() -> None:
    records = [make_record(f"p{i}", (i % 2,), extra={"level": i % 3} if i < 9 else {}) for i in range(12)]
    found = metrics(records, group=lambda record: f"level {record.extra['level']}" if record.extra else None)
    groups = found.modes["direct"].score.groups
    assert list(groups) == ["level 0", "level 1", "level 2"]
    assert [figure.problems for figure in groups.values()] == [3, 3, 3]


def test_metrics_are_plain_json_and_say_their_version() -> None:
    found = metrics(random_records(40, samples=2)).to_json()
    assert found["schema_version"] == 1
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert set(found["modes"]["direct"]["pass_at"]) == {"1", "2"}


REASONS: list[NotScored] = ["failed", "rejected_input", "missing", "judge_failed", "judge_unparsed"]
ONE = st.fixed_dictionaries(
    {
        "problem": st.integers(0, 25),
        "mode": st.sampled_from(["direct", "cot", "output"]),
        "sample": st.integers(0, 2),
        "verdicts": st.lists(st.integers(0, 1), min_size=1, max_size=4),
        "reason": st.sampled_from([None, None, None, *REASONS]),
        "outcome": st.sampled_from(["ok", "ok", "truncated", "filtered"]),
        "text": st.sampled_from(["x", ""]),
    }
)


@st.composite
def mixtures(draw: st.DrawFn) -> list[Record]:
    """Any mixture of endings; what belongs to a problem is the same in all its records."""
    found: dict[tuple[str, str, int], Record] = {}
    rows: list[dict[str, Any]] = draw(st.lists(ONE, min_size=1, max_size=60))
    for row in rows:
        shape = random.Random(row["problem"])
        # Units of one to three problems.
        given: dict[str, Any] = {
            "unit": f"u{row['problem'] // 3}",
            "subject": shape.choice(SUBJECTS),
            "stage": shape.choice(STAGES),
            "type": shape.choice(TYPES),
        }
        key = (f"p{row['problem']}", row["mode"], row["sample"])
        found[key] = make_record(
            key[0],
            None if row["reason"] else row["verdicts"],
            not_scored=row["reason"] or "failed",
            outcome=row["outcome"],
            text=row["text"],
            mode=key[1],
            sample=key[2],
            **given,
        )
    return list(found.values())


@settings(deadline=None, max_examples=60)
@given(mixtures())
def test_sums_close_and_bounds_hold_for_any_mixture(records: list[Record]) -> None:
    found = metrics(records)
    assert found.solutions == len(records) == sum(mode.score.overall.total for mode in found.modes.values())
    for figure in figures(found):
        assert figure.total == figure.scored + sum(figure.not_scored.values()) == sum(figure.endings.values())
        assert figure.units <= figure.problems_scored <= figure.problems <= figure.total
        assert figure.lower_bound is not None
        if figure.value is None:
            assert figure.problems_scored == 0
            continue
        assert 0 <= figure.lower_bound <= figure.value <= 1
        assert figure.value * figure.problems_scored == pytest.approx(figure.points)
        if figure.interval is not None:
            assert figure.units >= MINIMUM
            assert 0 <= figure.interval[0] <= figure.interval[1] <= 1
    for mode in found.modes.values():
        for scores in (mode.score, mode.solved):
            for means in (scores.macro, scores.macro_stages):
                if means.value is not None:
                    assert means.lower_bound is not None
                    assert means.lower_bound <= means.value + 1e-12


@settings(deadline=None, max_examples=60)
@given(mixtures())
def test_overall_is_the_weighted_mean_of_any_division(records: list[Record]) -> None:
    for mode in metrics(records).modes.values():
        for scores in (mode.score, mode.solved):
            matrix = {
                f"{subject} {kind}": figure
                for subject, by_type in scores.subject_type.items()
                for kind, figure in by_type.items()
            }
            for parts in (scores.stages, scores.subjects, scores.types, scores.cells, matrix):
                assert sum(part.points for part in parts.values()) == pytest.approx(scores.overall.points)
                for count in ("problems", "problems_scored", "total", "scored"):
                    assert sum(getattr(part, count) for part in parts.values()) == getattr(
                        scores.overall, count
                    )


@settings(deadline=None, max_examples=40)
@given(mixtures(), st.randoms(use_true_random=False))
def test_the_order_of_records_changes_nothing(records: list[Record], luck: random.Random) -> None:
    shuffled = records.copy()
    luck.shuffle(shuffled)
    assert json.dumps(metrics(shuffled).to_json()) == json.dumps(metrics(records).to_json())


@settings(deadline=None, max_examples=40)
@given(mixtures(), st.lists(st.tuples(st.integers(0, 30), st.sampled_from(REASONS)), min_size=1, max_size=10))
def test_failures_never_change_a_mean(records: list[Record], failures: list[tuple[int, NotScored]]) -> None:
    """Failed samples of problems old and new: every value stays, and the lower bound never rises."""
    before = metrics(records)
    like = {record.problem_id: record for record in records}
    more = []
    for sample, (number, reason) in enumerate(failures, start=10):
        old = like.get(f"p{number}")
        given = (
            {} if old is None else {name: getattr(old, name) for name in ("unit", "subject", "stage", "type")}
        )
        for mode in before.modes:
            more.append(make_record(f"p{number}", None, not_scored=reason, mode=mode, sample=sample, **given))
    after = metrics([*records, *more])
    for name, old_mode in before.modes.items():
        old_score, new_score = old_mode.score.overall, after.modes[name].score.overall
        assert new_score.value == old_score.value
        assert new_score.interval == old_score.interval
        assert new_score.lower_bound is not None
        assert old_score.lower_bound is not None
        assert new_score.lower_bound <= old_score.lower_bound + 1e-12
        assert new_score.total == old_score.total + len(failures)


def test_a_figure_agrees_with_a_plain_computation() -> None:
    records = list(random_records(300, samples=3, failures=0.2))
    found = metrics(records)
    for name, mode in found.modes.items():
        by_problem: dict[str, list[float]] = defaultdict(list)
        for record in records:
            if record.mode == name and record.grade.score is not None:
                by_problem[record.problem_id].append(record.grade.score)
        means = [sum(scores) / len(scores) for scores in by_problem.values()]
        assert mode.score.overall.value == pytest.approx(sum(means) / len(means))


def test_a_mean_of_figures_that_are_all_alike_claims_no_interval() -> None:
    records = [make_record(f"p{i}", (0,), mode=mode) for i in range(60) for mode in ("direct", "cot")]
    found = metrics(records)
    assert found.average is not None
    for mean in (found.average, found.modes["cot"].score.macro):
        assert mean is not None
        assert (mean.value, mean.interval) == (0, None)
