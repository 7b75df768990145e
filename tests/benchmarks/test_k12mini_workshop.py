"""K12-Mini's workshop: every answer is worked out again, every figure can be drawn again."""

from __future__ import annotations

import importlib.util
import re
from dataclasses import replace
from fractions import Fraction

import pytest
from workshop.k12mini.build import PACKAGE, check, difference, entries, figures, file_name, main
from workshop.k12mini.item import Entry, one, read_number, wrong_sums
from workshop.k12mini.style import FONT, FontMissing, Pen, font_is_there, render

from eduflow.benchmarks import k12mini
from eduflow.problem import LANGUAGES, Language

HAS_MATPLOTLIB = importlib.util.find_spec("matplotlib") is not None
needs_drawing = pytest.mark.skipif(
    not HAS_MATPLOTLIB or not font_is_there(),
    reason="drawing K12-Mini's figures needs the 'workshop' extra and the font Noto Sans CJK SC (Debian: fonts-noto-cjk)",
)
ENTRIES = entries()
by_entry = pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.group)


@by_entry
def test_the_answers_come_out_again_from_the_numbers_of_the_figure(entry: Entry) -> None:
    assert entry.faults() == []


def test_the_package_holds_what_the_workshop_says() -> None:
    names = {path.name for path in (PACKAGE / "figures").iterdir()}
    kept = {problem.id: problem for problem in k12mini.load()}
    made = {
        problem.id: problem
        for entry in ENTRIES
        for language in LANGUAGES
        for problem in [entry.problem(language, str(PACKAGE / "figures" / file_name(entry, language, names)))]
    }
    assert made == kept


@by_entry
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_caption_does_not_say_the_answer(entry: Entry, language: Language) -> None:
    """Except where a blank asks for a reading of the figure, which a caption cannot but give; a single letter or
    digit that names a part of the figure is no answer by itself."""
    if entry.type == "choice" or entry.item.reading:
        return
    caption = one(entry.item.caption, language)
    for answer in entry.item.answers:
        text = one(answer, language).strip("$").partition(" ")[0]
        if len(text) > 1 and entry.group not in GIVEN:
            assert not re.search(rf"(?<![\d.]){re.escape(text)}(?![\d.%])", caption), text


# Numbers that are in the figure with another meaning than in the answer.
GIVEN = {"math-g9-free-1"}  # BC = 20 m is found to equal the marked AB = 20 m


def test_a_wrong_answer_is_found() -> None:
    entry = next(e for e in ENTRIES if e.group == "math-g6-blank-1")
    wrong = replace(entry, item=replace(entry.item, answers=["25.12", "36.5"]))
    assert wrong.faults() == ["the answer is 36.5, worked out again it is 36.48"] * 2
    choice = next(e for e in ENTRIES if e.group == "physics-g12-choice-1")
    assert "options that hold" in replace(choice, item=replace(choice.item, answers=["A"])).faults()[0]
    assert "1 checked" in replace(entry, item=replace(entry.item, check=lambda: [1.0])).faults()[0]


@pytest.mark.parametrize(
    ("text", "value"),
    [("12", 12), ("0.12 mol/(L·min)", 0.12), ("−145", -145), ("-145", -145), ("80%", 0.8), ("7.3%", 0.073), ("4/3", Fraction(4, 3)), ("$4\\sqrt{5}$", 80**0.5)],
)  # fmt: skip
def test_answers_are_read_as_numbers(text: str, value: float) -> None:
    assert read_number(text) == pytest.approx(float(value), abs=1e-12)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("So 3 × (4 + 5) = 27 cm.", 0),
        ("So 3 × (4 + 5) = 28 cm.", 1),
        ("3.14 × 8² ÷ 4 = 50.24（cm²）", 0),
        ("1.5 + 17.32 = 18.82 ≈ 18.8", 0),
        ("(18 − 12) ÷ 12 = 50%.", 0),
        ("(18 − 12) ÷ 12 = 40%.", 1),
        ("2/3 × 2/3 × 1/4 = 1/9", 0),
        ("10 ÷ 3 ≈ 3.33", 0),
        ("10 ÷ 3 ≈ 3.34", 1),
        ("a + b = 7", 0),
        ("x = 5", 0),
    ],
)
def test_sums_in_solutions_are_checked(text: str, wrong: int) -> None:
    assert len(wrong_sums(text)) == wrong


@needs_drawing
@pytest.mark.parametrize("entry", ENTRIES[::6], ids=lambda entry: entry.group)
def test_the_figure_is_the_one_that_is_drawn_now(entry: Entry) -> None:
    drawn = figures(entry)
    kept = {path.name: path.read_bytes() for path in (PACKAGE / "figures").glob(f"{entry.group}*.png")}
    assert drawn.keys() == kept.keys()
    for name, content in drawn.items():
        assert difference(content, kept[name]) < 0.2, name


@needs_drawing
def test_a_moved_line_is_seen() -> None:
    def drawing(height: float) -> bytes:
        def draw(pen: Pen) -> None:
            pen.picture(0, 10, 0, 5)
            pen.box(0, 0, 10, 5)
            pen.line((0, height), (10, height))

        return render(draw, "zh")

    assert drawing(2.0) == drawing(2.0)
    assert difference(drawing(2.0), drawing(2.0)) == 0
    assert difference(drawing(2.0), drawing(2.2)) > 0.2


@needs_drawing
def test_a_character_that_the_font_lacks_is_an_error() -> None:
    def draw(pen: Pen) -> None:
        pen.picture(0, 10, 0, 5)
        pen.label((5, 2), "$x$ \u10ffff" + chr(0x10FFF0))

    with pytest.raises((FontMissing, UserWarning)):
        render(draw, "zh")


@needs_drawing
def test_a_missing_font_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workshop.k12mini.style.font_is_there", lambda: False)
    with pytest.raises(FontMissing, match=FONT):
        render(lambda pen: None, "en")


@needs_drawing
def test_the_builder_writes_single_figures_and_a_sheet(tmp_path: object) -> None:
    from pathlib import Path

    folder = Path(str(tmp_path))
    assert main(["--only", "math-g9-blank-1", "--into", str(folder)]) == 0
    assert [path.name for path in (folder / "figures").iterdir()] == ["math-g9-blank-1.png"]
    assert not (folder / "problems.jsonl").exists()
    assert main(["--only", "math-g9-blank-1", "--sheet", str(folder / "sheet.png")]) == 0
    assert (folder / "sheet.png").stat().st_size > 1000


@needs_drawing
def test_check_names_what_differs(tmp_path: object) -> None:
    from pathlib import Path
    from shutil import copytree

    folder = Path(str(tmp_path)) / "k"
    copytree(PACKAGE, folder)
    (folder / "figures" / "math-g9-blank-1.png").unlink()
    (folder / "figures" / "stray.png").write_bytes(b"")
    drawn = {path.name: path.read_bytes() for path in (PACKAGE / "figures").iterdir()}
    assert check(folder, drawn) == [
        "figures/math-g9-blank-1.png is missing",
        "figures/stray.png belongs to no problem",
    ]
