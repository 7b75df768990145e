"""PEBench, ProcessBench and PRMBench: their rows, their published figures, and what is never scored as a number."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from eduflow.benchmarks import pebench, prmbench, processbench
from eduflow.benchmarks.judged import JudgedSolution
from eduflow.critique.score import judged_right
from eduflow.errors import InputError
from eduflow.labels import Label
from eduflow.problem import Critique, StepCritique
from tests.support.data import real_data
from tests.support.pictures import picture

PE_ROW = {
    "hash_id": "a1",
    "question": "<image>长方形的周长是____cm。",
    "img": base64.b64encode(picture()).decode(),
    "format_solution": ["周长是 2×(5+3)=16 cm。"],
    "ground_truth": ["16"],
    "student_infer": ["长是 5，宽是 3。", "2×5+3=13。", "答：13 cm。"],
    "step_labels": [
        ["长是 5，宽是 3。", "步骤正确", "读图正确。"],
        ["2×5+3=13。", "知识应用错误", "周长公式少乘了宽。"],
        ["答：13 cm。", "步骤正确", "承接上一步。"],
    ],
}
PB_ROW = {
    "id": "gsm8k-0",
    "generator": "m",
    "problem": "How many is 3 × 4 + 1?",
    "steps": ["3 × 4 = 14.", "14 + 1 = 15."],
    "final_answer_correct": False,
    "label": 0,
}
PRM_ROW = {
    "idx": "own_1",
    "classification": "counterfactual",
    "original_question": "What is 12% of 50?",
    "modified_question": "What is 12% of 50?",
    "original_process": ["12% is 0.12.", "0.12 × 50 = 6."],
    "modified_process": ["12% is 1.2.", "1.2 × 50 = 60.", "So 60."],
    "error_steps": [1],
    "reason": "12% is 0.12.",
}


def write(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def said(item: JudgedSolution, *labels: Label | None, outcome: Any = "ok") -> Critique:
    return Critique(
        problem_id=item.id,
        solver="student",
        mode="cot",
        critic="c",
        outcome=outcome,
        split=item.solution.steps[: len(labels)],
        steps=tuple(StepCritique(label=label) for label in labels),
    )


def perfect(item: JudgedSolution) -> Critique:
    labels = [Label.CORRECT if judged_right(step) is not False else Label.REASONING for step in item.gold]
    return said(item, *labels)


CS, CE, KAE = Label.CORRECT, Label.CALCULATION, Label.KNOWLEDGE_USE


def test_a_pebench_row_keeps_steps_labels_and_reasons(tmp_path: Path) -> None:
    (item,) = pebench.read(write(tmp_path / "pe.jsonl", [PE_ROW]))
    assert [step.text for step in item.solution.steps] == PE_ROW["student_infer"]
    for step in item.solution.steps:
        assert step.start is not None
        assert item.solution.text[step.start : step.end] == step.text
    assert [step.label for step in item.gold] == [CS, KAE, CS]
    assert item.gold[1].explanation == "周长公式少乘了宽。"
    assert item.problem.group == "a1"
    assert item.problem.extra["assumed"] == ["stage", "subject", "type"]


def test_two_students_of_one_problem_are_two_items(tmp_path: Path) -> None:
    other = {**PE_ROW, "student_infer": ["16。"], "step_labels": [["16。", "步骤正确", ""]]}
    items = list(pebench.read(write(tmp_path / "pe.jsonl", [PE_ROW, other])))
    assert len({item.id for item in items}) == 2
    assert {item.problem.group for item in items} == {"a1"}


def test_pebench_accuracy_is_per_label_micro_and_macro(tmp_path: Path) -> None:
    (item,) = pebench.read(write(tmp_path / "pe.jsonl", [PE_ROW]))
    found = pebench.score([(item, said(item, CS, CE, CS))])
    assert found.accuracy == {CS: 1.0, KAE: 0.0}
    assert found.micro == pytest.approx(2 / 3)
    assert found.macro == 0.5
    assert found.confusion[KAE] == {CE: 1}


@pytest.mark.parametrize(
    ("critique", "reason"),
    [
        (lambda item: said(item, CS, KAE), "count_mismatch"),
        (
            lambda item: said(item, CS, KAE, CS).model_copy(update={"steps": perfect(item).steps * 2}),
            "count_mismatch",
        ),
        (lambda item: said(item, outcome="unparsed"), "unparsed"),
        (lambda item: said(item, outcome="failed"), "failed"),
        (lambda item: None, "missing"),
    ],
)
def test_a_critique_that_does_not_fit_is_counted_and_never_cut_to_fit(
    tmp_path: Path, critique: Callable[[JudgedSolution], Critique | None], reason: str
) -> None:
    (item,) = pebench.read(write(tmp_path / "pe.jsonl", [PE_ROW]))
    whole = item.model_copy(update={"solution": item.solution})
    found = pebench.score([(item, critique(item)), (whole, said(whole, CS, KAE, CS))])
    assert dict(found.tally.reasons) == {reason: 1}
    assert (found.tally.items, found.tally.scored, found.unscored_steps) == (2, 1, 3)
    assert found.micro == 1.0
    assert found.micro_bound == 0.5


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"step_labels": [["x", "步骤正确", ""]]}, "step_labels"),
        (
            {"step_labels": [["a", "步骤错误", ""], ["b", "步骤正确", ""], ["c", "步骤正确", ""]]},
            "step_labels.0",
        ),
        ({"step_labels": [["a"], ["b"], ["c"]]}, "step_labels.0"),
        ({"student_infer": []}, "student_infer"),
        ({"ground_truth": [" "]}, "ground_truth"),
        ({"subject": "history-g9"}, "subject"),
    ],
)
def test_a_bad_pebench_row_is_named_with_line_and_field(
    tmp_path: Path, change: dict[str, Any], field: str
) -> None:
    path = write(tmp_path / "pe.jsonl", [PE_ROW, {**PE_ROW, "hash_id": "b2", **change}])
    with pytest.raises(InputError) as error:
        list(pebench.read(path))
    assert (error.value.line, error.value.field) == (2, field)


def test_f1_rows_average_as_published() -> None:
    # A published row of ProcessBench: F1 per part, 400 and three times 1000 items.
    rows = [(36.56, 400), (49.61, 1000), (36.07, 1000), (37.00, 1000)]
    assert processbench.weighted_mean(rows) == pytest.approx(40.38, abs=5e-3)
    assert processbench.harmonic(0.4, 0.9) == pytest.approx(2 * 0.4 * 0.9 / 1.3)
    assert processbench.harmonic(0, 0) == 0


def test_processbench_finds_the_first_error_exactly(tmp_path: Path) -> None:
    right = {**PB_ROW, "id": "gsm8k-1", "steps": ["3 × 4 = 12.", "13."], "label": -1}
    later = {**PB_ROW, "id": "math-0", "steps": ["a", "b", "c"], "label": 1}
    sound = {**PB_ROW, "id": "math-1", "steps": ["a"], "label": -1}
    items = list(processbench.read(write(tmp_path / "pb.jsonl", [PB_ROW, right, later, sound])))
    assert [item.first_error for item in items] == [0, None, 1, None]
    # The step after the first error is not annotated and counts for nothing.
    assert [judged_right(step) for step in items[2].gold] == [True, False, None]
    answers = [said(items[0], CE, CS), said(items[1], CS, CE), said(items[2], CS, CE, CE), said(items[3], CS)]
    found = processbench.score(zip(items, answers, strict=True))
    assert (found.subsets["gsm8k"].erroneous, found.subsets["gsm8k"].correct) == (1.0, 0.0)
    assert found.subsets["gsm8k"].f1 == 0.0
    assert found.subsets["math"].f1 == 1.0
    assert found.mean_f1 == found.weighted_f1 == 0.5


def test_an_open_step_before_any_error_says_nothing_about_the_first_error(tmp_path: Path) -> None:
    later = {**PB_ROW, "id": "math-0", "steps": ["a", "b", "c"], "label": 1}
    (item,) = processbench.read(write(tmp_path / "pb.jsonl", [later]))
    open_before = processbench.score([(item, said(item, None, CE, CS))]).subsets["math"]
    assert dict(open_before.tally.reasons) == {"unknown": 1}
    open_after = processbench.score([(item, said(item, CS, CE, None))]).subsets["math"]
    assert open_after.erroneous == 1.0


@pytest.mark.parametrize(("label", "steps"), [(2, ["a", "b"]), (-2, ["a"]), (True, ["a", "b"]), ("0", ["a"])])
def test_a_label_outside_the_steps_is_refused(tmp_path: Path, label: Any, steps: list[str]) -> None:
    path = write(tmp_path / "pb.jsonl", [{**PB_ROW, "label": label, "steps": steps}])
    with pytest.raises(InputError, match="index"):
        list(processbench.read(path))


def test_prmbench_counts_errors_from_one_and_keeps_originals_apart(tmp_path: Path) -> None:
    twice = {**PRM_ROW, "classification": "confidence", "error_steps": [1, 3]}
    items = list(prmbench.read(write(tmp_path / "prm.jsonl", [PRM_ROW, twice])))
    assert [item.id for item in items] == ["correct_own_1", "counterfactual_own_1", "confidence_own_1"]
    assert [item.first_error for item in items] == [None, 0, 0]
    found = prmbench.score((item, perfect(item)) for item in items)
    assert (found.total.tp, found.total.tn, found.total.fp, found.total.fn) == (3, 3, 0, 0)
    assert found.total.prm_score == 1.0
    assert found.kinds["correct"].tp == 2
    assert found.kinds["correct"].negative_f1 is None


def test_prmbench_scores_have_the_right_step_as_the_positive_class(tmp_path: Path) -> None:
    (_, item) = prmbench.read(write(tmp_path / "prm.jsonl", [PRM_ROW]))
    found = prmbench.score([(item, said(item, CS, CE, CS))]).total  # misses the error, flags a right step
    assert (found.tp, found.fp, found.tn, found.fn) == (1, 1, 0, 1)
    assert found.f1 == pytest.approx(0.5)
    assert found.negative_f1 == 0.0
    assert found.to_json()["first_error_accuracy"] == 0.0
    silent = prmbench.score([(item, said(item, None, None, None))]).total
    assert (silent.unknown, silent.prm_score) == (3, None)


def test_error_steps_that_a_row_does_not_have_are_left_out_and_noted(tmp_path: Path) -> None:
    (_, item) = prmbench.read(write(tmp_path / "prm.jsonl", [{**PRM_ROW, "error_steps": [2, 4]}]))
    assert [judged_right(step) for step in item.gold] == [True, False, True]
    assert item.extra["beyond_the_steps"] == [4]


@pytest.mark.parametrize("errors", [[0], [-1], ["1"], None, [True]])
def test_an_error_step_that_is_no_number_from_one_on_is_refused(tmp_path: Path, errors: Any) -> None:
    path = write(tmp_path / "prm.jsonl", [{**PRM_ROW, "error_steps": errors}])
    with pytest.raises(InputError, match="counted from 1"):
        list(prmbench.read(path))


def test_the_real_prmbench_rows_are_read_whole() -> None:
    items = list(prmbench.read(real_data("prmbench")))
    kinds = {item.subset for item in items}
    assert kinds == {"correct", "confidence", "counterfactual"}
    assert sum(item.subset != "correct" for item in items) == 801
    found = prmbench.score((item, perfect(item)) for item in items)
    assert found.total.prm_score == 1.0
    assert found.total.tally.scored == 801
    assert sum("beyond_the_steps" in item.extra for item in items) == 18
