"""K12-Mini as it is installed: its counts, its twins, its figures and captions."""

from __future__ import annotations

import io
import re
from collections import Counter
from pathlib import Path

import pytest
from PIL import Image

from eduflow.benchmarks import k12mini
from eduflow.errors import InputError
from eduflow.grade.blanks import check_answers
from eduflow.problem import LANGUAGES, TYPES, Problem

CELLS = {"math-primary", "math-middle", "math-high"} | {
    f"{subject}-{stage}"
    for subject in ("physics", "chemistry", "biology", "geography")
    for stage in ("middle", "high")
}
GRADES = {"primary": 6, "middle": 9, "high": 12}
PROBLEMS = list(k12mini.load())
TWINS = list(zip(k12mini.load("zh"), k12mini.load("en"), strict=True))

by_id = pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.id)
by_group = pytest.mark.parametrize("twins", TWINS, ids=lambda twins: twins[0].group)


def test_every_cell_has_every_type_in_both_languages() -> None:
    counts = Counter((problem.cell, problem.type, problem.language) for problem in PROBLEMS)
    assert set(counts) == {
        (cell, kind, language) for cell in CELLS for kind in TYPES for language in LANGUAGES
    }
    assert len(PROBLEMS) == 2 * len(TWINS) >= 66


def test_load_gives_one_language_when_asked() -> None:
    assert {problem.language for problem in k12mini.load("en")} == {"en"}
    assert {problem.language for problem in PROBLEMS} == {"zh", "en"}


def test_an_installation_without_its_data_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(k12mini, "FOLDER", tmp_path)
    with pytest.raises(InputError, match="not installed"):
        list(k12mini.load())


def test_the_right_letters_are_balanced() -> None:
    letters = Counter(problem.answers[0] for problem in k12mini.load("zh") if problem.type == "choice")
    assert set(letters) == set("ABCD")
    assert max(letters.values()) - min(letters.values()) <= 1


@by_id
def test_the_problem_is_complete(problem: Problem) -> None:
    assert problem.id == f"{problem.group}-{problem.language}"
    assert problem.grade == GRADES[problem.stage]
    assert problem.question.count("<image>") == len(problem.images) == len(problem.captions) == 1
    assert len(problem.captions[0]) > 20
    assert 2 <= len(problem.solution) <= 6
    assert problem.knowledge_points
    assert problem.difficulty is None  # nobody has measured it
    if problem.type == "choice":
        assert [option.key for option in problem.options] == list("ABCD")
        assert len({option.text for option in problem.options}) == 4
        assert len(problem.answers) == 1
    else:
        assert not problem.options
    if problem.type == "blank":
        assert problem.question.count("____") == len(problem.answers)
    if problem.type == "free":
        marks = re.findall(r"[（(](\d)[)）]", problem.question)
        assert marks == [str(i + 1) for i in range(len(problem.answers))]


@by_id
def test_the_texts_are_in_the_problem_s_language(problem: Problem) -> None:
    texts = [
        problem.question,
        *problem.solution,
        *problem.captions,
        *problem.knowledge_points,
        *problem.answers,
    ]
    texts += [option.text for option in problem.options]
    chinese = [text for text in texts if re.search(r"[\u4e00-\u9fff]", text)]
    if problem.language == "en":
        assert not chinese
        assert not [text for text in texts if re.search(r"[，。；：（）]", text)]
    else:
        assert {problem.question, problem.captions[0], *problem.knowledge_points} <= set(chinese)


@by_group
def test_twins_agree(twins: tuple[Problem, Problem]) -> None:
    zh, en = twins
    same = ("group", "subject", "stage", "grade", "type", "ordered", "source")
    assert [getattr(zh, name) for name in same] == [getattr(en, name) for name in same]
    for name in ("answers", "images", "captions", "solution", "options", "knowledge_points"):
        assert len(getattr(zh, name)) == len(getattr(en, name)), name
    for one, other in zip(zh.answers, en.answers, strict=True):
        assert re.findall(r"[\d./:-]+", one) == re.findall(r"[\d./:-]+", other), "only words are translated"


@by_group
def test_twins_state_the_same_numbers(twins: tuple[Problem, Problem]) -> None:
    """In their captions; the texts may count differently ("two" arcs, 两段弧)."""
    zh, en = (Counter(re.findall(r"\d+(?:\.\d+)?", twin.captions[0])) for twin in twins)
    # A range may repeat its unit or its end in one language only, so the sets are compared, not the counts.
    assert set(zh) - {"1", "2", "12", "30", "100"} == set(en) - {"1", "2", "12", "30", "100"}


@by_id
def test_the_figure_is_crisp_and_small(problem: Problem) -> None:
    path = problem.images[0].path
    assert path is not None
    assert Path(path).is_absolute()
    content = problem.images[0].read()
    assert len(content) <= 45_000
    image = Image.open(io.BytesIO(content))
    image.load()
    assert image.format == "PNG"
    assert 800 <= image.width <= 1400
    assert 350 <= image.height <= 1400
    corner = image.convert("RGB").getpixel((0, 0))
    assert corner == (255, 255, 255)
    assert not {"Creation Time", "tIME", "Software"} & image.info.keys()


def test_there_is_no_figure_without_a_problem() -> None:
    used = {Path(problem.images[0].path or "").name for problem in PROBLEMS}
    assert used == {path.name for path in (k12mini.FOLDER / "figures").iterdir()}


@by_id
@pytest.mark.parametrize("with_unit", [True, False])
def test_the_right_answers_are_graded_right(problem: Problem, with_unit: bool) -> None:
    """Also without the units, which the questions name."""
    given = [answer if with_unit else re.sub(r"^([\d.]+) \D.*$", r"\1", answer) for answer in problem.answers]
    matches = check_answers(
        problem.answers,
        given,
        question=problem.question,
        type=problem.type,
        options=problem.options,
        ordered=problem.ordered,
        subject=problem.subject,
    )
    assert [match.verdict for match in matches] == ["right"] * len(problem.answers)
