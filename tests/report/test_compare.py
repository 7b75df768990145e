"""Two runs, problem by problem."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from eduflow.errors import InputError
from eduflow.report.columns import Columns, collect
from eduflow.report.compare import Comparison, compare
from eduflow.report.intervals import sign_test
from eduflow.report.metrics import MINIMUM
from eduflow.report.records import Record, Source
from tests.support.records import make_record, random_records

Side = tuple[Source, Columns]


def side(name: str, records: Iterable[Record], **known: Any) -> Side:
    held = list(records)
    return Source(name=name, path=Path(name), read=lambda: held, **known), collect(held)


def pair(first: Iterable[Record], second: Iterable[Record], **options: Any) -> Comparison:
    return compare(side("old", first), side("new", second), **options)


def test_a_worked_example() -> None:
    old = [make_record(f"p{i}", (int(i < 20),)) for i in range(40)] + [
        make_record("x"),
        make_record("lost", None),
    ]
    # Five of the twenty right ones go wrong, ten of the wrong ones come right.
    new = [make_record(f"p{i}", (int(5 <= i < 30),)) for i in range(40)] + [
        make_record("y"),
        make_record("lost"),
    ]
    found = pair(old, new)
    mode = found.modes["direct"]
    assert (mode.overall.first, mode.overall.second, mode.overall.value) == (0.5, 0.625, 0.125)
    assert (mode.overall.problems, mode.overall.units) == (40, 40)
    assert (mode.only_first, mode.only_second, mode.unscored) == (1, 1, 1)
    assert (mode.right_to_wrong, mode.wrong_to_right) == (5, 10)
    assert mode.p_value == sign_test(10, 5)
    assert mode.overall.interval is not None
    # A paired difference of ±1 in 15 of 40: its standard error is √(15/40 − 0.125²)/√40 = 0.095.
    assert mode.overall.interval == pytest.approx((0.125 - 1.96 * 0.0948, 0.125 + 1.96 * 0.0948), abs=0.02)
    assert found.average is None
    assert {flip.problem_id for flip in found.flips if flip.direction == "right to wrong"} == {
        f"p{i}" for i in range(5)
    }
    assert {flip.problem_id for flip in found.flips if flip.direction == "wrong to right"} == {
        f"p{i}" for i in range(20, 30)
    }
    assert all((flip.first, flip.second) in ((1, 0), (0, 1)) for flip in found.flips)


def test_turning_the_pair_round_turns_everything_round() -> None:
    one, other = (
        list(random_records(200, seed=2)),
        list(random_records(200, seed=2, solver="better", ability=0.7)),
    )
    there, back = pair(one, other), pair(other, one)
    for name, mode in there.modes.items():
        mirror = back.modes[name]
        assert mode.overall.value is not None
        assert mode.overall.value == -(mirror.overall.value or 0)
        assert (mode.right_to_wrong, mode.wrong_to_right) == (mirror.wrong_to_right, mirror.right_to_wrong)
        assert mode.p_value == mirror.p_value
    assert len(there.flips) == len(back.flips)


def test_the_average_pairs_both_modes() -> None:
    found = pair(random_records(150, seed=3), random_records(150, seed=3, solver="b", ability=0.8))
    values = [mode.overall.value for mode in found.modes.values()]
    assert found.average is not None
    assert found.average.value == pytest.approx(sum(v for v in values if v is not None) / 2)
    assert found.average.interval is not None
    assert found.average.interval[0] > 0


def test_pairing_takes_away_what_problems_share() -> None:
    """The same luck in both runs but for a few problems: the paired interval is far narrower than either run's own."""
    old = [make_record(f"p{i}", (i % 2,)) for i in range(200)]
    new = [make_record(f"p{i}", (1 if i < 6 else i % 2,)) for i in range(200)]
    interval = pair(old, new).modes["direct"].overall.interval
    assert interval is not None
    assert 0 <= interval[0] < interval[1] < 0.04


def test_a_run_against_itself_has_no_difference_and_no_false_certainty() -> None:
    records = list(random_records(100))
    found = pair(records, records)
    for mode in found.modes.values():
        assert (mode.overall.value, mode.overall.interval) == (0, None)
        assert (mode.right_to_wrong, mode.wrong_to_right, mode.p_value) == (0, 0, 1.0)
    assert found.flips == ()


def test_too_few_problems_make_no_claim() -> None:
    old = [make_record(f"p{i}", (0,)) for i in range(MINIMUM - 1)]
    new = [make_record(f"p{i}", (i % 2,)) for i in range(MINIMUM - 1)]
    assert pair(old, new).modes["direct"].overall.interval is None


def test_with_several_samples_solved_means_more_than_half() -> None:
    def samples(name: str, right: int) -> list[Record]:
        return [make_record(name, (int(n < right),), sample=n) for n in range(4)]

    found = pair([*samples("a", 2), *samples("b", 3)], [*samples("a", 3), *samples("b", 4)])
    assert [(flip.problem_id, flip.first, flip.second) for flip in found.flips] == [("a", 0.5, 0.75)]


def test_problems_of_one_unit_flip_together_so_no_p_is_given() -> None:
    old = [make_record(f"p{i}", (0,), unit=f"u{i // 2}") for i in range(80)]
    new = [make_record(f"p{i}", (i // 2 % 2,), unit=f"u{i // 2}") for i in range(80)]
    mode = pair(old, new).modes["direct"]
    assert mode.p_value is None
    assert mode.overall.units == 40
    assert mode.overall.interval is not None


def refused(first: Side, second: Side, words: str) -> None:
    with pytest.raises(InputError, match=words):
        compare(first, second)


def test_runs_that_do_not_belong_side_by_side_are_refused() -> None:
    records = [make_record(f"p{i}", (i % 2,)) for i in range(4)]
    changed = [make_record("p0", (1,), answers=("43",)), *records[1:]]
    refused(
        side("a", records), side("b", changed), "1 problems have the same id in a and b but other answers"
    )
    assert compare(side("a", records), side("b", changed), force=True).modes["direct"].overall.problems == 4

    def known(mark: str) -> dict[str, Any]:
        return {"config": {"problems": {"fingerprint": mark * 64}}}

    refused(side("a", records, **known("1")), side("b", records, **known("2")), "different problem sets")
    forced = compare(side("a", records, **known("1")), side("b", records, **known("2")), force=True)
    assert "The runs were made from different problem sets." in forced.notes
    refused(side("a", records), side("b", [make_record("q1")]), "no problem is in both a and b")
    refused(side("a", records), side("b", [make_record("p0", mode="cot")]), "none is in both")


def test_two_languages_are_refused_and_matched_by_twins_when_forced() -> None:
    zh = [make_record(f"p{i}-zh", (int(i < 10),), unit=f"p{i}", language="zh") for i in range(40)]
    en = [make_record(f"p{i}-en", (int(i < 30),), unit=f"p{i}", language="en") for i in range(40)]
    refused(side("a", zh), side("b", en), "a is in zh and b in en; --force")
    found = compare(side("a", zh), side("b", en), force=True)
    assert found.matched_by == "unit"
    assert found.modes["direct"].overall.value == 0.5
    assert {flip.problem_id for flip in found.flips} == {f"p{i}" for i in range(10, 30)}
    assert any("matched with their twins" in note for note in found.notes)


def test_what_differs_between_the_configurations_is_said() -> None:
    records = [make_record("p1")]
    config = {
        "problems": {"fingerprint": "f" * 64},
        "solve": {"temperature": 0.0, "max_tokens": 10},
        "seed": 0,
    }
    other = config | {"solve": {"temperature": 0.7, "max_tokens": 10}}
    found = compare(side("a", records, config=config), side("b", records, config=other))
    assert found.notes == ("The configurations differ in solve.temperature.",)


def test_the_titles_say_when_one_of_them_saw_captions() -> None:
    found = pair([make_record("p1", input="images")], [make_record("p1", input="captions")])
    assert found.titles[0] == "toy on old (zh)"
    assert found.titles[1] == "toy on new (zh); captions in place of images (1 of 1 problems)"
