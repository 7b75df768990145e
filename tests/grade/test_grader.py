"""Who decides what, and which ends of a reply are scored."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eduflow.engine.calls import OUTCOMES
from eduflow.grade import Grader, Judge
from eduflow.problem import Grade, Outcome, Problem, Solution
from tests.support.fake_judge import ENDPOINT, ScriptedCaller, ended, fenced, verdicts
from tests.support.problems import make_problem

JUDGED = Grader(Judge(ENDPOINT))
TWO = make_problem(language="zh", question="电流____，电压____。", answers=["增大", "不变"])


def solved(text: str, outcome: Outcome = "ok", **changes: Any) -> Solution:
    row: dict[str, Any] = {"problem_id": "p1", "solver": "s", "mode": "cot", "text": text, "outcome": outcome}
    return Solution.parse(row | changes)


async def judged(
    problem: Problem, solution: Solution, *replies: Any, judge: Judge | None = None
) -> tuple[Grade, ScriptedCaller]:
    caller = ScriptedCaller(list(replies))
    grader = JUDGED if judge is None else Grader(judge)
    grade = await grader.grade(problem, solution, caller)
    assert len(caller.requests) == len(replies)
    return grade, caller


def deciders(grade: Grade) -> list[tuple[int | None, str]]:
    return [(blank.verdict, blank.decided_by) for blank in grade.blanks]


def test_the_comparator_decides_what_it_can() -> None:
    grade = Grader().check(make_problem(), solved("2 + 3 makes \\boxed{5}.", sample=3))
    assert (grade.score, deciders(grade), grade.sample, grade.mode) == (1, [(1, "comparator")], 3, "cot")
    assert grade.blanks[0].extracted == "5"
    assert grade.blanks[0].detail
    assert grade.calls == ()


def test_without_a_judge_a_miss_is_a_lower_bound_that_nobody_decided() -> None:
    grade = Grader().check(TWO, solved("\\boxed{变大} \\boxed{不变}"))
    assert grade.score == 0.5
    assert deciders(grade) == [(0, "none"), (1, "comparator")]


async def test_a_judge_is_asked_only_about_the_blanks_that_were_missed() -> None:
    grade, caller = await judged(TWO, solved("\\boxed{变大} \\boxed{不变}"), verdicts("right", asked=[1]))
    assert deciders(grade) == [(1, "judge"), (1, "comparator")]
    assert grade.score == 1
    assert fenced(caller.prompts[0]) == [TWO.question, "增大", "变大"]
    assert len(grade.calls) == 1


async def test_a_judge_is_not_asked_when_everything_is_accepted() -> None:
    grade, _ = await judged(TWO, solved("\\boxed{增大} \\boxed{不变}"))
    assert deciders(grade) == [(1, "comparator")] * 2
    assert grade.calls == ()


async def test_where_no_answer_was_extracted_the_judge_reads_the_whole_reply() -> None:
    text = "The two numbers are put together on the line, and where one lands then is one step right of four."
    said = '{"verdicts": [{"blank": 1, "answer": "one step right of four", "verdict": "right"}]}'
    grade, caller = await judged(make_problem(), solved("<think>It is 6.</think>" + text), said)
    assert deciders(grade) == [(1, "judge")]
    assert grade.blanks[0].extracted == "one step right of four"
    assert fenced(caller.prompts[0])[-1] == text


async def test_a_free_response_is_read_whole() -> None:
    problem = make_problem(type="free", answers=["because it is heavier"])
    text = "The stone sinks.\n\\boxed{it has more weight}"
    _, caller = await judged(problem, solved(text), verdicts("wrong"))
    assert fenced(caller.prompts[0])[-1] == text


async def test_the_judge_averages_nothing_the_code_does() -> None:
    problem = make_problem(type="free", answers=["a reason", "a result", "a unit"])
    text = "One long explanation that ends nowhere in particular and names a result but hardly a reason."
    grade, _ = await judged(problem, solved(text), verdicts("wrong", "right", "wrong"))
    assert grade.score == pytest.approx(1 / 3)


# Ends that nobody needs to be asked about


@pytest.mark.parametrize("outcome", ["failed", "rejected_input"])
async def test_a_call_that_brought_no_reply_is_not_scored(outcome: Outcome) -> None:
    grade, _ = await judged(TWO, solved("", outcome))
    assert (grade.score, grade.not_scored) == (None, outcome)
    assert [blank.verdict for blank in grade.blanks] == [None, None]


async def test_failure_text_is_never_an_answer() -> None:
    grade, _ = await judged(make_problem(), solved("Error 5: \\boxed{5}", "failed"))
    assert (grade.score, grade.not_scored) == (None, "failed")


@pytest.mark.parametrize(
    ("text", "outcome", "detail"),
    [
        ("", "ok", "empty"),
        (" \n", "ok", "empty"),
        ("<think>5</think>\n", "ok", "empty"),
        ("<think>It must be \\boxed{5}", "ok", "unclosed thinking"),
        ("", "filtered", "filtered"),
        ("\\boxed{5}", "filtered", "filtered"),
        ("", "truncated", "truncated"),
        ("<think>It must be \\boxed{5}", "truncated", "truncated"),
        ("So we add two and three and get 5, which is", "truncated", "truncated"),
        ("5", "truncated", "truncated"),
    ],
)
async def test_the_models_own_behaviour_scores_zero_without_a_call(
    text: str, outcome: Outcome, detail: str
) -> None:
    grade, _ = await judged(make_problem(), solved(text, outcome))
    assert (grade.score, deciders(grade)) == (0, [(0, "settled")])
    assert grade.blanks[0].detail == detail


@pytest.mark.parametrize("text", ["\\boxed{5 or 6}", "I don't know.", "我不知道。"])
async def test_refusals_and_shotgun_answers_are_settled_before_any_call(text: str) -> None:
    grade, _ = await judged(make_problem(), solved(text))
    assert (grade.score, deciders(grade)) == (0, [(0, "settled")])


async def test_a_shotgun_choice_and_a_clear_other_letter_are_settled_before_any_call() -> None:
    problem = make_problem(type="choice", answers=["A"], options={"A": "5", "B": "6", "C": "7"})
    for text in ("\\boxed{A or B or C}", "\\boxed{B}"):
        grade, _ = await judged(problem, solved(text))
        assert (grade.score, deciders(grade)) == (0, [(0, "settled")]), text


# Cut-off replies


@pytest.mark.parametrize(
    "text",
    ["So \\boxed{12}. To check this, let us", "Therefore the answer is 12.\nLet us check this by adding"],
)
def test_a_cut_off_reply_counts_where_its_final_answer_is_whole(text: str) -> None:
    grade = Grader().check(make_problem(answers=["12"]), solved(text, "truncated"))
    assert deciders(grade) == [(1, "comparator")]


@pytest.mark.parametrize(
    "text",
    [
        "Therefore the answer is 12",
        "Therefore the answer is 12.",
        "Therefore the answer is 12.\nWait. The answer is 1",
        "Therefore \\boxed{12",
        "<think>\\boxed{12}</think> I will now",
    ],
)
async def test_a_cut_off_reply_does_not_count_where_its_final_answer_may_be_half(text: str) -> None:
    grade, _ = await judged(make_problem(answers=["12"]), solved(text, "truncated"))
    assert deciders(grade) == [(0, "settled")]


async def test_of_a_cut_off_reply_a_judge_sees_the_explicit_answer_alone() -> None:
    problem = make_problem(answers=["twelve people"])
    said = solved("The hall holds \\boxed{a dozen persons}. Counting again, there are twelve pe", "truncated")
    grade, caller = await judged(problem, said, verdicts("right"))
    assert deciders(grade) == [(1, "judge")]
    assert fenced(caller.prompts[0]) == [problem.question, "twelve people", "a dozen persons"]
    _, caller = await judged(
        problem, said, "<evaluation>[['a'],['a'],[0]]</evaluation>", judge=Judge(ENDPOINT, preset="k12vista")
    )
    assert fenced(caller.prompts[0])[-1] == "(1) a dozen persons"


# Judges that fail


async def test_a_failed_judge_is_not_a_zero() -> None:
    grade, _ = await judged(TWO, solved("\\boxed{变大} \\boxed{不变}"), ended("failed"))
    assert (grade.score, grade.not_scored) == (None, "judge_failed")
    assert [blank.verdict for blank in grade.blanks] == [None, 1]
    assert len(grade.calls) == 1


@pytest.mark.parametrize(
    "said", ["It contains a 1.", "INCORRECT", "[[90]]", '{"verdicts": [{"blank": 1, "verdict": "CORRECT"}]}']
)
async def test_an_unreadable_judge_is_not_scored(said: str) -> None:
    grade, _ = await judged(TWO, solved("\\boxed{变大} \\boxed{不变}"), said, said)
    assert (grade.score, grade.not_scored) == (None, "judge_unparsed")
    assert len(grade.calls) == 2


async def test_orders_that_disagree_are_no_rescue_and_say_so() -> None:
    judge = Judge(ENDPOINT, swap=True)
    grade, _ = await judged(
        TWO, solved("\\boxed{变大} \\boxed{不变}"), verdicts("right"), verdicts("wrong"), judge=judge
    )
    assert deciders(grade) == [(0, "judge"), (1, "comparator")]
    assert "disagreed" in grade.blanks[0].detail


async def test_a_judge_needs_somebody_to_make_its_calls() -> None:
    with pytest.raises(TypeError, match="engine"):
        await JUDGED.grade(TWO, solved("\\boxed{变大} \\boxed{不变}"))


def test_the_configuration_names_what_a_grade_depends_on() -> None:
    assert Grader().config() != JUDGED.config()
    assert JUDGED.config() == Grader(Judge(ENDPOINT)).config()
    assert JUDGED.config() != Grader(Judge(ENDPOINT, swap=True)).config()


PIECES = st.sampled_from(
    ["\\boxed{", "}", "{", "5", " or ", "答案：", "The answer is ", "<think>", "</think>", "<answer>", "</answer>", "\n", "; ", "(1)", "①",
     "x>1", "\\frac{1}{", "不知道", "A", "、", "$", "=", "^{", "10", "wait", "\\text{kg}", "%", "CO_2", "1:2"]
)  # fmt: skip


@given(
    st.one_of(st.text(max_size=80), st.lists(PIECES, max_size=20).map("".join)),
    st.sampled_from(OUTCOMES),
    st.lists(st.sampled_from(["5", "x>1", "A", "增大", "5 kg", "(1)3;(2)4"]), min_size=1, max_size=3),
    st.sampled_from(["choice", "blank", "free"]),
)
def test_every_reply_gets_a_grade_whose_sums_close(
    text: str, outcome: Outcome, golds: list[str], kind: str
) -> None:
    grade = Grader().check(make_problem(answers=golds, type=kind), solved(text, outcome))
    assert len(grade.blanks) == len(golds)
    assert (grade.score is None) == (outcome in ("failed", "rejected_input"))
    assert all((blank.verdict == 1) == (blank.decided_by == "comparator") for blank in grade.blanks)
