"""`eduflow runs`: list, show and merge, as a user sees them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from eduflow.cli.runs import app
from eduflow.engine import Run
from eduflow.errors import ConfigError, EduflowError, InputError
from tests.support.runs import stored

CONFIG = "c" * 64


def command(*arguments: object) -> str:
    """Standard output of the command; an error that a user can mend is raised as it is."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    if isinstance(result.exception, EduflowError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.stdout


def make(folder: Path, item: str, *, seed: int = 1) -> Path:
    with Run.open(folder) as run:
        run.write_config({"seed": seed, "model": "玩具"})
        run.put_problem(item, b"{}")
        run.journal.put(stored(item))
        run.journal.put(stored(item + "!", outcome="failed", tag="judge"))
        run.put_result(item, CONFIG, "1", item.encode())
    return folder


def test_merge_prints_what_became_of_every_row(tmp_path: Path) -> None:
    one, two = make(tmp_path / "1", "a"), make(tmp_path / "2", "b")
    assert json.loads(command("merge", tmp_path / "all", one, two, "--json")) == {
        "schema_version": 1,
        "run": str(tmp_path / "all"),
        "problems": {"new": 2, "known": 0, "replaced": 0, "conflicts": 0},
        "calls": {"new": 4, "known": 0, "replaced": 0, "conflicts": 0},
        "results": {"new": 2, "known": 0, "replaced": 0, "conflicts": 0},
        "stops": {"new": 0, "known": 0, "replaced": 0, "conflicts": 0},
        "images": {"new": 0, "known": 0, "replaced": 0, "conflicts": 0},
    }
    table = command("merge", tmp_path / "all", one, two)
    assert "calls" in table
    assert "conflicts" in table
    make(tmp_path / "3", "c", seed=2)
    with pytest.raises(ConfigError, match="differ in 'seed'"):
        command("merge", tmp_path / "all", tmp_path / "3")


def test_show_prints_the_run_for_people_and_programs(tmp_path: Path) -> None:
    folder = make(tmp_path / "run", "a")
    text = command("show", folder)
    assert "not being written; 1 problems, 1 results, 0 stopped" in text
    assert '"model": "玩具"' in text
    shown = json.loads(command("show", folder, "--json"))
    assert shown["config"] == {"seed": 1, "model": "玩具"}
    assert [(call["tag"], call["outcome"], call["calls"]) for call in shown["calls"]] == [
        ("judge", "failed", 1),
        ("solve", "ok", 1),
    ]
    assert shown["results"] == [{"config": CONFIG, "revision": "1", "items": 1}]
    with Run.open(folder):
        assert "being written by process" in command("show", folder)
    with pytest.raises(InputError, match="there is no run"):
        command("show", tmp_path / "nothing")


def test_show_with_check_finds_damage(tmp_path: Path) -> None:
    folder = make(tmp_path / "run", "a")
    with Run.open(folder) as run:
        run.put_blob(b"picture")
    assert "nothing is damaged" in command("show", folder, "--check")
    assert json.loads(command("show", folder, "--check", "--json"))["damage"] == []
    (folder / "blobs" / "1.pack").write_bytes(b"Picture")
    with pytest.raises(InputError, match="the file is damaged"):
        command("show", folder, "--check")


def test_list_shows_every_run_and_names_the_broken_ones(tmp_path: Path) -> None:
    make(tmp_path / "good", "a")
    make(tmp_path / "bad", "b")
    (tmp_path / "bad" / "journal.sqlite").write_bytes(b"no database")
    (tmp_path / "other folder").mkdir()
    listed = {
        Path(entry["run"]).name: entry for entry in json.loads(command("list", tmp_path, "--json"))["runs"]
    }
    assert set(listed) == {"good", "bad"}
    assert listed["good"]["results"] == 1
    assert listed["good"]["failed"] == 1
    assert "damaged" in listed["bad"]["error"]
    assert "good" in command("list", tmp_path)
    with pytest.raises(InputError, match="no such folder"):
        command("list", tmp_path / "nothing")
