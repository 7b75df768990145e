from __future__ import annotations

from pathlib import Path

import pytest

from eduflow.errors import InputError
from eduflow.formats import FORMATS, format_of, open_problems, open_recorded
from eduflow.formats.reading import SeenIds
from eduflow.formats.words import language_of, plain_name


def test_a_missing_path_is_named(tmp_path: Path) -> None:
    for call in (open_problems, open_recorded):
        with pytest.raises(InputError, match=r"gone\.jsonl: there is no such file or folder"):
            call(tmp_path / "gone.jsonl")


def test_an_unknown_file_gets_the_list_of_formats(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"prompt": "x"}\n')
    with pytest.raises(InputError, match="looks like none of the known formats") as caught:
        open_problems(tmp_path / "a.jsonl")
    assert all(name in str(caught.value) for name in (*FORMATS, "table"))
    with pytest.raises(InputError, match="looks like none"):
        format_of(tmp_path)


def test_a_broken_first_line_is_told_when_the_format_is_looked_for(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('\n{"id": \n')
    with pytest.raises(InputError, match=r"a\.jsonl:2: is not JSON"):
        open_problems(tmp_path / "a.jsonl")


def test_wrong_options_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("{}\n")
    with pytest.raises(InputError, match="unknown format 'parket'; known: eduflow"):
        open_problems(tmp_path / "a.jsonl", "parket")
    with pytest.raises(InputError, match="unknown subject 'alchemy'; known: math"):
        open_problems(tmp_path / "a.jsonl", "eduflow", defaults={"subject": "alchemy"})
    with pytest.raises(InputError, match="no default for 'id'"):
        open_problems(tmp_path / "a.jsonl", "eduflow", defaults={"id": "x"})
    with pytest.raises(InputError, match="a column map is for tables"):
        open_problems(tmp_path / "a.jsonl", "k12vista", columns={"question": "Q"})
    with pytest.raises(InputError, match="'eduflow' brings no recorded outputs"):
        open_recorded(tmp_path / "a.jsonl", "eduflow")


def test_every_format_says_what_it_is() -> None:
    assert all(form.name == name and form.about for name, form in FORMATS.items())


def test_seen_ids_finds_every_repetition_and_nothing_else() -> None:
    seen = SeenIds()
    names = [f"id-{i}" for i in range(20_000)]
    assert not any(seen.add(name) for name in names)
    assert all(seen.add(name) for name in names)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("如图，求 $\\triangle ABC$ 的面积。", "zh"),
        ("As shown, find the area of triangle ABC.", "en"),
        ("Write the character 大 in the box and count the strokes.", "en"),
        (
            "\\begin{tabular}{|c|c|}\\hline A & \\text{稀盐酸} & \\mathrm{NaOH} \\\\ \\end{tabular} 正确的是",
            "zh",
        ),
        ("$x+1=2$", "en"),
        ("", "en"),
    ],
)
def test_the_language_of_a_text(text: str, language: str) -> None:
    assert language_of(text) == language


def test_names_in_data_files() -> None:
    assert plain_name("subject", " Maths ") == "math"
    assert plain_name("type", "Multiple_Choice") == "choice"
    assert plain_name("stage", "初中") == "middle"
    with pytest.raises(InputError, match="unknown type 7"):
        plain_name("type", 7)
