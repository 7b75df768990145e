"""K12Vista, GAOKAO-MM, GAOKAO-Bench, MATH-Vision and MM-Eureka's K-12 test, on small files of our own content."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from eduflow.errors import InputError
from eduflow.formats import format_of, gaokao_bench, math_v, open_problems, open_recorded
from eduflow.problem import Problem
from tests.support.pictures import picture
from tests.support.refusal import refusal


def put(path: Path, document: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document, ensure_ascii=False), "utf-8")
    return path


def put_lines(path: Path, *rows: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return path


def only(path: Path, **options: Any) -> Problem:
    (problem,) = open_problems(path, **options)
    return problem


K12VISTA: dict[str, Any] = {
    "hash_id": "3f0c",
    "question": "<image>图中温度计甲的示数是____℃，乙的示数是____℃。",
    "type": "填空题",
    "subject": "physics-g9",
    "img": base64.b64encode(picture()).decode(),
    "format_answer": {"ground_truth": ["26", "-3; 或 270 K"], "format_solution": ["每小格 2 ℃。", "读数。"]},
}


def test_k12vista(tmp_path: Path) -> None:
    path = put_lines(tmp_path / "k.jsonl", K12VISTA)
    assert format_of(path) == "k12vista"
    problem = only(path)
    assert (problem.id, problem.cell, problem.grade, problem.type) == ("3f0c", "physics-middle", 9, "blank")
    assert problem.answers == ("26", "-3; 或 270 K")
    assert problem.solution == ("每小格 2 ℃。", "读数。")
    assert problem.images[0].read() == picture()
    assert problem.language == "zh"


@pytest.mark.parametrize(("grade", "stage"), [("g6", "primary"), ("g9", "middle"), ("g12", "high")])
def test_k12vista_grades_are_stages(tmp_path: Path, grade: str, stage: str) -> None:
    assert only(put_lines(tmp_path / "k.jsonl", {**K12VISTA, "subject": f"math-{grade}"})).stage == stage


def test_k12vista_choice_has_its_options_and_keeps_its_question(tmp_path: Path) -> None:
    question = "<image>灯亮的是 ( )A. 甲B. 乙C. 都亮D. 都不亮"
    row = {**K12VISTA, "type": "选择题", "question": question, "format_answer": {"ground_truth": ["C、A"]}}
    problem = only(put_lines(tmp_path / "k.jsonl", row))
    assert problem.answers == ("AC",)
    assert [(option.key, option.text) for option in problem.options][2] == ("C", "都亮")
    assert problem.question == question
    assert problem.extra == {"options_in_question": True}


@pytest.mark.parametrize(
    ("changes", "reason", "words"),
    [
        ({"img": "%%%"}, "broken_image", "not base64"),
        ({"img": ""}, "broken_image", "the image is missing"),
        ({"img": None}, "broken_image", "the image is missing"),
        ({"img": base64.b64encode(b"no picture at all").decode()}, "broken_image", "cannot be decoded"),
        ({"img": base64.b64encode(picture()[:-30]).decode()}, "broken_image", "cannot be decoded"),
        ({"img": base64.b64encode(picture("JPEG")[:-200]).decode()}, "broken_image", "cannot be decoded"),
        ({"subject": "math"}, "broken_row", "field 'subject'"),
        ({"subject": "history-g9"}, "broken_row", "unknown subject 'history'"),
        ({"subject": "math-g13"}, "broken_row", "field 'subject'"),
        ({"type": "作文"}, "broken_row", "unknown type '作文'"),
        ({"format_answer": {"ground_truth": []}}, "broken_row", "ground_truth"),
        ({"format_answer": None}, "broken_row", "format_answer"),
        ({"question": " "}, "broken_row", "field 'question': is empty"),
        ({"hash_id": None}, "broken_row", "field 'hash_id'"),
        ({"question": "<image><image>两图"}, "broken_row", "2 image marks for 1 images"),
    ],
)
def test_k12vista_bad_rows_are_counted(
    tmp_path: Path, changes: dict[str, Any], reason: str, words: str
) -> None:
    path = put_lines(tmp_path / "k.jsonl", K12VISTA, {**K12VISTA, "hash_id": "x", **changes})
    reading = open_problems(path)
    assert len(list(reading)) == 1
    assert reading.skipped.counts == {reason: 1}
    assert reading.skipped.rows[0].line == 2
    assert words in reading.skipped.rows[0].detail
    if reason == "broken_row":
        with pytest.raises(InputError, match=r"k\.jsonl:2"):
            list(open_problems(path, on_bad="strict"))
    else:
        assert len(list(open_problems(path, on_bad="strict"))) == 1


def gaokao_mm(folder: Path, **changes: Any) -> Path:
    name = "2010-2023_Physics_MCQs"
    entry = {
        "index": 3,
        "year": "2031",
        "category": "示例卷",
        "score": 6,
        "question": "如图，正确的是（）\nA. 甲\nB. 乙\nC. 丙\nD. 丁",
        "picture": [f"../Data/{name}/{name}_3_{i}.png" for i in range(2)],
        "answer": ["BD"],
        "analysis": "【解答】乙、丁正确。",
        **changes,
    }
    put(folder / "Data" / f"{name}.json", {"keywords": name, "example": [entry]})
    for i in range(2):
        file = folder / "Data" / name / f"{name}_3_{i}.png"
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(picture())
    return folder


def test_gaokao_mm(tmp_path: Path) -> None:
    folder = gaokao_mm(tmp_path / "set")
    for path in (folder, folder / "Data", folder / "Data" / "2010-2023_Physics_MCQs.json"):
        assert format_of(path) == "gaokao_mm"
        problem = only(path)
        assert problem.id == "2010-2023_Physics_MCQs-3"
        assert (problem.cell, problem.type, problem.answers) == ("physics-high", "choice", ("BD",))
        assert [image.read() for image in problem.images] == [picture()] * 2
        assert problem.solution == ("【解答】乙、丁正确。",)
        assert problem.extra["score"] == 6
        assert len(problem.options) == 4


def test_a_picture_that_is_not_there_is_left_to_the_solver(tmp_path: Path) -> None:
    folder = gaokao_mm(tmp_path, picture=["../Data/none.png"])
    problem = only(folder)
    with pytest.raises(InputError, match=r"none\.png"):
        problem.images[0].read()


def bench(folder: Path) -> Path:
    def file(keyword: str, *examples: dict[str, Any]) -> None:
        entries = [
            {"index": i, "year": "2031", "category": "甲卷", **entry} for i, entry in enumerate(examples)
        ]
        put(
            folder / "Results" / "some_model" / f"some-model_{keyword}.json",
            {"keyword": keyword, "model_name": "some-model", "example": entries},
        )

    question = "正确的是\nA. 甲\nB. 乙\nC. 丙\nD. 丁"
    file(
        "2010-2022_Physics_MCQs",
        {
            "score": 6,
            "question": question,
            "standard_answer": ["BD"],
            "analysis": "乙丁",
            "model_answer": ["B"],
            "model_output": "【答案】B<eoa>",
        },
        {
            "score": 6,
            "question": question,
            "standard_answer": ["A"],
            "analysis": " ",
            "model_answer": [],
            "model_output": "",
        },
    )
    file(
        "2010-2022_Biology_Open-ended_Questions",
        {
            "score": 9,
            "question": "回答",
            "standard_answer": "（1）核\n（2）膜\n",
            "analysis": "",
            "model_output": "核",
        },
    )
    file(
        "2010-2022_Math_II_Fill-in-the-Blank",
        {"score": 5, "question": "求和", "standard_answer": "$3$.\n", "analysis": "", "model_output": "3"},
    )
    file(
        "2010-2022_History_MCQs",
        {"score": 4, "question": question, "standard_answer": ["A"], "analysis": "", "model_output": "A"},
    )
    scores = {"2010-2022_Physics_MCQs": {"total_score": 12.0, "correct_score": 3.0, "question_num": 2.0}}
    put(
        folder / "Results" / "some_model" / "result" / "correction_score.json",
        {"subject": {"Physics": {"type": scores}}},
    )
    return folder


def test_gaokao_bench_problems(tmp_path: Path) -> None:
    folder = bench(tmp_path)
    assert format_of(folder) == "gaokao_bench"
    reading = open_problems(folder)
    found = {problem.id: problem for problem in reading}
    assert reading.skipped.counts == {"other_subject": 1}
    assert {name: problem.type for name, problem in found.items()} == {
        "2010-2022_Biology_Open-ended_Questions-0": "free",
        "2010-2022_Math_II_Fill-in-the-Blank-0": "blank",
        "2010-2022_Physics_MCQs-0": "choice",
        "2010-2022_Physics_MCQs-1": "choice",
    }
    first = found["2010-2022_Physics_MCQs-0"]
    assert (first.answers, first.extra["score"], first.solution) == (("BD",), 6, ("乙丁",))
    assert found["2010-2022_Physics_MCQs-1"].solution == ()
    assert found["2010-2022_Biology_Open-ended_Questions-0"].answers == ("（1）核\n（2）膜",)
    assert {problem.stage for problem in found.values()} == {"high"}


def test_gaokao_bench_outputs_have_the_ids_of_the_problems(tmp_path: Path) -> None:
    folder = bench(tmp_path)
    reading = open_recorded(folder)
    outputs = list(reading)
    assert {output.id for output in outputs} == {problem.id for problem in open_problems(folder)}
    assert reading.skipped.counts == {"other_subject": 1}
    physics = [output for output in outputs if "Physics" in output.id]
    assert (physics[0].output, physics[0].extra) == (
        "【答案】B<eoa>",
        {"model": "some-model", "model_answer": ["B"]},
    )
    # An output that is empty is an output; it is for the grader to say that it is worth nothing.
    assert (physics[1].output, physics[1].line) == ("", 2)
    assert gaokao_bench.published_scores(folder) == {
        "2010-2022_Physics_MCQs": gaokao_bench.PublishedScore(3.0, 12.0, 2)
    }


def test_gaokao_bench_of_several_models(tmp_path: Path) -> None:
    bench(tmp_path)
    (tmp_path / "Results" / "other_model").mkdir()
    for file in (tmp_path / "Results" / "some_model").glob("*Physics*.json"):
        (tmp_path / "Results" / "other_model" / file.name).write_bytes(file.read_bytes())
    reading = open_problems(tmp_path)
    assert len(list(reading)) == 4
    assert reading.skipped.counts == {"other_subject": 1}
    with pytest.raises(InputError, match="outputs of several models; name the folder of one"):
        list(open_recorded(tmp_path))
    assert len(list(open_recorded(tmp_path / "Results" / "other_model"))) == 2


def test_gaokao_bench_questions_alone(tmp_path: Path) -> None:
    entry = {
        "index": 0,
        "year": "2031",
        "score": 5,
        "question": "求和",
        "answer": "",
        "standard_answer": "3",
        "analysis": "",
    }
    keyword = "2010-2022_Math_I_Fill-in-the-Blank"
    put(
        tmp_path / "Data" / "Subjective_Questions" / f"{keyword}.json",
        {"keyword": keyword, "example": [entry]},
    )
    for path in (tmp_path, tmp_path / "Data"):
        assert format_of(path) == "gaokao_bench"
        assert only(path).answers == ("3",)
    with pytest.raises(InputError, match="field 'model_output'"):
        list(open_recorded(tmp_path, on_bad="strict"))


MATH_V = {
    "id": "17",
    "question": "Which shape has four corners?\n<image1>",
    "options": ["A", "B", "C"],
    "answer": "C",
    "solution": None,
    "level": 2,
    "subject": "descriptive geometry",
    "image": "images/17.png",
}


def test_math_v_without_its_images_keeps_the_marks(tmp_path: Path) -> None:
    path = put_lines(tmp_path / "test.jsonl", MATH_V)
    assert format_of(path) == format_of(tmp_path) == "math_v"
    problem = only(tmp_path)
    assert problem.question == "Which shape has four corners?\n<image>"
    assert problem.images == ()
    assert (problem.type, problem.answers, problem.language) == ("choice", ("C",), "en")
    assert problem.knowledge_points == ("descriptive geometry",)
    assert problem.extra == {"level": 2, "assumed": ["stage"], "options_in_question": False}


def test_math_v_with_its_images(tmp_path: Path) -> None:
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "17.png").write_bytes(picture())
    several = {**MATH_V, "id": "18", "question": "<image1> is to <image2>?", "options": [], "answer": "60"}
    put_lines(tmp_path / "test.jsonl", MATH_V, several)
    one, two = open_problems(tmp_path, defaults={"stage": "high"})
    assert one.images[0].read() == picture()
    assert (two.question, two.type, len(two.images)) == ("<image>\n<image1> is to <image2>?", "blank", 1)
    assert (one.stage, "assumed" in one.extra) == ("high", False)


def test_math_v_outputs(tmp_path: Path) -> None:
    put_lines(tmp_path / "test.jsonl", MATH_V)
    row = {"id": "17", "model": "m", "response": "\\boxed{C}", "model_answer": "c", "correct": True}
    put_lines(tmp_path / "outputs" / "One.jsonl", row)
    put(tmp_path / "outputs" / "One_result.json", {"-all": "1/1=100.0%", "note": 3})
    (output,) = open_recorded(tmp_path)
    assert (output.id, output.output, output.extra["correct"]) == ("17", "\\boxed{C}", True)
    assert math_v.published_scores(tmp_path) == {"-all": (1, 1)}
    put_lines(tmp_path / "outputs" / "Two.jsonl", row)
    with pytest.raises(InputError, match="name the outputs to read; there are: One, Two"):
        open_recorded(tmp_path)
    assert len(list(open_recorded(tmp_path, name="Two"))) == 1


def test_mm_eureka_k12(tmp_path: Path) -> None:
    entry = {
        "id": "5b1e",
        "question": "The ruler reads ____ cm.",
        "answer": "$$4.5$$ ",
        "image_path": "images/a.png",
    }
    put(tmp_path / "k12.json", [entry])
    for path in (tmp_path, tmp_path / "k12.json"):
        assert format_of(path) == "mm_eureka_k12"
        problem = only(path)
        assert (problem.cell, problem.type, problem.answers) == ("math-middle", "blank", ("$$4.5$$",))
        assert problem.images[0].path == str(tmp_path / "images" / "a.png")
        assert problem.extra == {"assumed": ["stage"]}
    assert only(tmp_path, defaults={"stage": "小学"}).stage == "primary"


@pytest.mark.parametrize("document", [{"example": 3}, 5, {"keywords": "x"}, [["a"]], []])
def test_documents_of_another_shape_are_one_sentence(tmp_path: Path, document: Any) -> None:
    path = put(tmp_path / "k12.json", document)
    with pytest.raises(InputError) as caught:
        open_problems(path)
    assert "looks like none of the known formats" in str(caught.value)
    for name in ("gaokao_mm", "gaokao_bench", "mm_eureka_k12"):
        said = refusal(lambda name=name: list(open_problems(path, name)))  # type: ignore[misc]
        assert str(path) in (said or "") or document == []
