from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eduflow.formats import choice_letters, options_in_question, parse_options
from eduflow.problem import Problem


def texts(question: str, *answers: str) -> list[str]:
    options = parse_options(question, answers)
    assert [option.key for option in options] == list("ABCDEFGH"[: len(options)])
    return [option.text for option in options]


@pytest.mark.parametrize(
    "question",
    [
        "哪个最大 ( )\nA. 一\nB. 二\nC. 三\nD. 四",
        "哪个最大（　　）A．一B．二C．三D．四",
        "哪个最大（）\nA．一   \nB．二   \nC．三   \nD．四\n",
        "哪个最大\n（A）一 （B）二\n（C）一半 （D）四".replace("一半", "三"),
        "Which is largest? (A) 一 (B) 二 (C) 三 (D) 四",
        "哪个最大\nA、一\nB、二\nC、三\nD、四",
        "哪个最大\nA: 一\nB：二\nC: 三\nD: 四",
        "哪个最大\nＡ．一\nＢ．二\nＣ．三\nＤ．四",
        "哪个最大\nA) 一\nB) 二\nC) 三\nD) 四",
        "哪个最大 A. 一 B. 二\nC. 三 D. 四",
        "哪个最大\nA. 一\nB. 二\nc. 三\nD. 四",
        "哪个最大\nA. 一\nB 二\nC. 三\nD. 四",
        "哪个最大\nA. 一\nB. 二\n$\\mathrm{C}$. 三\nD. 四",
        "小球从 A、B、C、D 四点落下，经过点 A. 哪个最大\nA. 一\nB. 二\nC. 三\nD. 四",
    ],
)
def test_layouts_of_published_questions(question: str) -> None:
    assert texts(question, "B") == ["一", "二", "三", "四"]


def test_figures_right_before_a_key() -> None:
    assert texts("体积为 ( )A. 6B. 9C. 12D. 18") == ["6", "9", "12", "18"]
    assert texts("面积为 ( )A. $18+36 \\sqrt{5}$B. $54$C. 90D. 81") == [
        "$18+36 \\sqrt{5}$",
        "$54$",
        "90",
        "81",
    ]


def test_letters_inside_texts_are_no_keys() -> None:
    question = "下列正确的是\nA. 与 $\\mathrm{B}$. 相同\nB. DNA. 链\nC. 用 E. coli 表达\nD. 点 A 和点 D"
    assert texts(question) == ["与 $\\mathrm{B}$. 相同", "DNA. 链", "用 E. coli 表达", "点 A 和点 D"]


@pytest.mark.parametrize(
    "question",
    [
        "求 A、B、C 三点的距离。",
        "Points A, B and C lie on a line. Find AB.",
        "如图，A. 求面积",
        "电流为 2A. 电压为 3V. C. 求功率",
        "A. 甲 B. 乙 D. 丁",
        "A. 甲\nB. \nC. 丙\nD. 丁",
        "A. 甲\nB. 乙\nB. 又乙\nC. 丙",
        "表格 \\hline A & 甲 \\\\ \\hline B & 乙 \\\\ \\hline C & 丙",
        "A. 甲\nB. 乙\nC. 丙D. 丁 A. 甲",
        "",
    ],
)
def test_nothing_is_given_where_the_reading_is_not_plain(question: str) -> None:
    assert parse_options(question) == ()


def test_an_answer_outside_the_keys_found_gives_nothing() -> None:
    assert texts("A. 甲\nB. 乙\nC. 丙", "C") == ["甲", "乙", "丙"]
    assert texts("A. 甲\nB. 乙\nC. 丙", "AD") == []


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("A", "A"),
        ("CA", "AC"),
        ("A、C", "AC"),
        (" B ,D. ", "BD"),
        ("Ａ；Ｂ", "AB"),
        ("A and C", "AC"),
        ("AA", None),
        ("a", None),
        ("", None),
        ("答案 A", None),
        ("I", None),
        ("A or B", None),
    ],
)
def test_letters_of_an_answer(text: str, letters: str | None) -> None:
    assert choice_letters(text) == letters


def problem(question: str, options: list[str], said: bool | None = None) -> Problem:
    return Problem(
        id="p",
        subject="math",
        stage="high",
        type="choice",
        question=question,
        options=[{"key": "ABCD"[i], "text": text} for i, text in enumerate(options)],
        answers=("A",),
        language="zh",
        extra={} if said is None else {"options_in_question": said},
    )


def test_a_prompt_is_told_whether_the_question_shows_its_options() -> None:
    assert options_in_question(problem("哪个\nA. 一\nB. 二\nC. 三", ["一", "二", "三"]))
    assert not options_in_question(problem("一、二、三，哪个？", ["一", "二", "三"]))
    assert options_in_question(problem("看图选择", []))
    assert not options_in_question(problem("哪个\nA. 一\nB. 二\nC. 三", ["一", "二", "三"], said=False))


@settings(deadline=None)
@given(
    st.text(alphabet="ABCDabcE.．、:：()（） \n$\\{}12甲乙", max_size=80), st.sampled_from(["", "A", "BD"])
)
def test_whatever_the_text_the_options_are_pieces_of_it_in_order(question: str, answer: str) -> None:
    place = 0
    for option, key in zip(parse_options(question, [answer]), "ABCDEFGH", strict=False):
        assert option.key == key
        assert option.text
        place = question.index(option.text, place) + len(option.text)


@settings(deadline=None)
@given(
    st.lists(
        st.text(alphabet="甲乙丙xyz123 ", min_size=1, max_size=8).filter(str.strip), min_size=3, max_size=6
    )
)
def test_options_written_one_a_line_are_read_back(options: list[str]) -> None:
    question = "下列哪个正确\n" + "\n".join(
        f"{key}. {text}" for key, text in zip("ABCDEF", options, strict=False)
    )
    assert texts(question) == [text.strip() for text in options]
