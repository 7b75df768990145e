"""`eduflow problems`: files are written whole, counted, readable again; wrong options are one sentence."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from eduflow.benchmarks.procedural import TEMPLATES, generate
from eduflow.cli.problems import app
from eduflow.errors import ConfigError, InputError
from eduflow.formats import open_problems

SOME = "change,bar_chart,moles"


def run(*args: str) -> str:
    result = CliRunner().invoke(app, args, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_jsonl_with_pictures_in_a_folder_reads_back(tmp_path: Path) -> None:
    out = tmp_path / "set" / "problems.jsonl"
    facts = json.loads(
        run("generate", "-n", "9", "--language", "both", "--templates", SOME, "--out", str(out), "--json")
    )
    assert (facts["problems"], facts["records"], facts["with_image"]) == (9, 18, 6)
    assert facts["types"] == {"choice": 6, "free": 6, "blank": 6}
    problems = list(open_problems(out))
    made = list(generate(9, 0, "both", SOME.split(",")))
    assert [p.model_copy(update={"images": ()}) for p in problems] == [
        p.model_copy(update={"images": ()}) for p in made
    ]
    assert [p.extra for p in problems] == [p.extra for p in made]
    for problem, source in zip(problems, made, strict=True):
        assert [image.read() for image in problem.images] == [image.data for image in source.images]
    # Twins share the file; its name is its hash.
    pictures = list((tmp_path / "set" / "images").rglob("*.png"))
    assert len(pictures) == 3
    assert all(hashlib.sha256(path.read_bytes()).hexdigest() == path.stem for path in pictures)
    assert not [path for path in (tmp_path / "set").rglob("*") if path.name.endswith(".tmp")]


def test_a_folder_of_problems_can_be_moved(tmp_path: Path) -> None:
    run("generate", "-n", "3", "--templates", SOME, "--out", str(tmp_path / "a" / "problems.jsonl"))
    (tmp_path / "a").rename(tmp_path / "b")
    for problem in open_problems(tmp_path / "b" / "problems.jsonl"):
        assert all(image.read().startswith(b"\x89PNG") for image in problem.images)


@pytest.mark.parametrize("name", ["problems.jsonl", "problems.jsonl.gz", "problems.parquet"])
def test_embedded_pictures_need_no_folder(tmp_path: Path, name: str) -> None:
    if name.endswith(".parquet"):
        pytest.importorskip("pyarrow")
    run("generate", "-n", "6", "--templates", SOME, "--embed", "--out", str(tmp_path / name))
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert list(open_problems(tmp_path / name)) == list(generate(6, templates=SOME.split(",")))


def test_equal_commands_write_equal_bytes_and_more_only_adds(tmp_path: Path) -> None:
    contents = []
    for n, name in ((6, "a.jsonl"), (6, "b.jsonl"), (12, "c.jsonl")):
        run("generate", "-n", str(n), "--templates", SOME, "--seed", "5", "--out", str(tmp_path / name))
        contents.append((tmp_path / name).read_bytes())
    assert contents[0] == contents[1]
    assert contents[2].startswith(contents[0])
    assert contents[2].count(b"\n") == 12


def test_the_list_names_every_template() -> None:
    lines = run("generate", "--list").splitlines()
    assert [line.split()[0] for line in lines] == list(TEMPLATES)
    rows = json.loads(run("generate", "--list", "--json"))["templates"]
    assert [row["name"] for row in rows] == list(TEMPLATES)
    assert rows[0]["knowledge_points"][0].keys() == {"zh", "en"}


def test_show_prints_what_a_reader_needs(tmp_path: Path) -> None:
    out = tmp_path / "p.jsonl"
    run("generate", "-n", "3", "--language", "en", "--templates", SOME, "--out", str(out))
    text = run("show", str(out), "--skip", "1", "--limit", "1")
    (problem,) = list(open_problems(out))[1:2]
    assert problem.id in text
    assert problem.captions[0] in text
    assert f"answer: {' | '.join(problem.answers)}" in text
    assert text.count("──") == 1


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["generate"], "--out is missing"),
        (["generate", "--out", "x.csv"], "must end in .jsonl"),
        (["generate", "--out", "x.jsonl", "-n", "-1"], "0 or more, not -1"),
        (["generate", "--out", "x.jsonl", "--language", "fr"], "unknown language 'fr'"),
        (["generate", "--out", "x.jsonl", "--templates", "change,nothing"], "unknown template 'nothing'"),
        (["generate", "--out", "x.jsonl", "--templates", " , "], "list of templates is empty"),
        (["generate", "--list", "--templates", "nothing"], "unknown template 'nothing'"),
        (["show", "x.jsonl", "--limit", "-1"], "must be 0 or more"),
    ],
)
def test_a_wrong_option_is_named_and_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, args: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError, match=message):
        run(*args)
    assert list(tmp_path.iterdir()) == []


def test_an_error_leaves_no_half_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "images").write_text("a file stands where the folder should be")
    with pytest.raises(InputError, match="cannot be written"):
        run("generate", "-n", "9", "--templates", SOME, "--out", str(tmp_path / "p.jsonl"))
    assert [path.name for path in tmp_path.iterdir()] == ["images"]


def test_the_command_itself_ends_with_one_sentence_and_code_2(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from eduflow.cli import main; main()", "problems", "generate"]
    done = subprocess.run(
        [*command, "--out", "x.txt"], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "must end in" in done.stderr
