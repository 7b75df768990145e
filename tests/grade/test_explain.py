"""`eduflow grade explain`: what a user reads who disagrees with a grade."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from eduflow.cli.grade import app
from eduflow.errors import InputError
from eduflow.grade.explain import explain


def printed(*arguments: str) -> str:
    result = CliRunner().invoke(app, ["explain", *arguments], catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout


def test_it_shows_both_sides_as_given_and_as_read_and_who_compared_them() -> None:
    explanation = explain("$\\dfrac{1}{2}$", "１/２")
    (blank,) = explanation.blanks
    assert (blank.gold, blank.answer) == ("$\\dfrac{1}{2}$", "１/２")
    assert "$" not in blank.gold_read
    assert blank.answer_read == "1/2" or "１" not in str(blank.answer_read)
    assert blank.comparator
    assert (explanation.form, explanation.type) == ("final", "blank")


def test_it_shows_what_each_side_is_read_as() -> None:
    (blank,) = explain("5 m", "500 cm").blanks
    assert (blank.gold_kind, blank.answer_kind, blank.comparator) == ("quantity", "quantity", "quantity")
    (blank,) = explain("[1,2]", "x>1").blanks
    assert (blank.gold_kind, blank.answer_kind, blank.verdict) == ("interval", "relation", "miss")
    assert explain("CO", "Co", subject="chemistry").blanks[0].gold_kind == "chemistry"
    assert explain("B", "B. blue", type="choice").blanks[0].answer_kind == "choice"
    assert explain("10^{10^{10}}", "1" * 5_000).blanks[0].verdict == "miss"


def test_it_agrees_with_the_grade_of_the_same_pair() -> None:
    for gold, answer, verdict in (("5", "5", "right"), ("5", "6", "miss"), ("5", "So \\boxed{5}", "right")):
        assert explain(gold, answer).blanks[0].verdict == verdict


def test_a_whole_output_shows_where_its_answer_was_taken_from() -> None:
    explanation = explain("5", "<think>6?</think> It is 5, so \\boxed{5}.", form="output")
    assert (explanation.form, explanation.source, explanation.thinking) == ("output", "boxed", True)
    assert explanation.extracted == ("5",)
    text = printed("5", "<think>6?</think> It is 5, so \\boxed{5}.", "--output")
    for shown in ("a whole output", "left out", "the last box", "right"):
        assert shown in text


def test_it_says_why_nothing_was_extracted() -> None:
    explanation = explain("5", "<think>It is \\boxed{5}", form="output")
    assert (explanation.source, explanation.extracted, explanation.blanks[0].verdict) == ("none", (), "miss")
    assert explanation.reason
    assert "never ends" in printed("5", "<think>It is \\boxed{5}", "--output")


def test_several_blanks_are_explained_one_by_one() -> None:
    text = printed('["37", "20"]', "\\boxed{37;21}")
    assert "blank 2 of 2" in text
    assert "0.500" in text
    # A gold that is an interval or a list of numbers is one gold.
    assert len(explain("[1, 2]", "[1, 2]").blanks) == 1


def test_brackets_in_an_answer_are_no_markup() -> None:
    assert "[red]x[/red]" in printed("x", "[red]x[/red]")


def test_a_miss_says_whether_a_judge_would_be_asked() -> None:
    assert "a judge would be asked" in printed("增大", "变大")
    assert "no judge would be asked" in printed("A", "B", "--type", "choice")
    assert "no judge would be asked" in printed("5", "5 or 6")
    assert "no judge would be asked" in printed("5", "I don't know.", "--output")


def test_a_negative_answer_is_no_option() -> None:
    assert "right" in printed("-1", "-1")
    assert "miss" in printed("-x", "-y", "--question", "?")


def test_json_is_one_object_with_a_schema_version() -> None:
    found = json.loads(printed("增大", "变大", "--json", "--question", "电流____"))
    assert found["schema_version"] == 1
    assert found["question"] == "电流____"
    assert found["blanks"][0]["verdict"] == "miss"


@pytest.mark.parametrize(("gold", "field"), [("", "gold"), ('["5", ""]', "gold")])
def test_an_empty_gold_is_refused(gold: str, field: str) -> None:
    with pytest.raises(InputError) as caught:
        explain(gold, "5")
    assert caught.value.field == field


def command(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    script = "from eduflow.cli import main; main()"
    return subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, check=False)


def test_a_user_who_gives_no_pair_gets_one_sentence_and_exit_code_2(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text('{"gold": "5", "answer": "5"}\n{"gold": "5"}\n')
    done = command("grade", "pairs", str(path))
    assert done.returncode == 2
    assert done.stderr.decode().strip() == f"eduflow: {path}:2, field 'answer': is missing"
    assert json.loads(done.stdout)["verdict"] == "right"
    done = command("grade", "pairs", str(tmp_path / "nothing.jsonl"))
    assert (done.returncode, done.stdout) == (2, b"")
    assert command("grade", "explain", "", "5").returncode == 2
    assert command("grade", "explain", "500", "500", "--json").returncode == 0
