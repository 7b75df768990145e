"""`eduflow report` from the outside."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from eduflow.engine import Run
from eduflow.report.records import config_hash, read_jsonl, write_records
from tests.support.records import random_records


@pytest.fixture
def runs(tmp_path: Path) -> list[Path]:
    """Three runs of one set by three models, and nothing else in the folder."""
    config = {"algorithm": "eval-1", "problems": {"name": "toys", "fingerprint": "ab" * 32}}
    folders = []
    for name, ability in (("甲", 0.4), ("乙", 0.6), ("丙", 0.2)):
        mine = config | {"solver": {"name": name, "identity": name}}
        with Run.open(tmp_path / "runs" / name) as run:
            run.write_config(mine)
            for record in random_records(60, solver=name, ability=ability):
                item = f"{record.problem_id}/{record.mode}"
                run.put_result(item, config_hash(mine), "eval-1", record.to_bytes())
        folders.append(tmp_path / "runs" / name)
    return folders


def report(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from eduflow.cli import main; main()", "report", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=60, check=False)


def test_one_run(runs: list[Path], tmp_path: Path) -> None:
    done = report(
        runs[0],
        "--markdown",
        tmp_path / "a.md",
        "--csv",
        tmp_path / "a.csv",
        "--export",
        tmp_path / "a.jsonl",
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "甲 on toys (zh)" in done.stdout
    assert "Subject × type, cot" in done.stdout
    assert "# 甲 on toys" in (tmp_path / "a.md").read_text(encoding="utf-8")
    assert (tmp_path / "a.csv").read_bytes().startswith(b"\xef\xbb\xbf")
    assert len(list(read_jsonl(tmp_path / "a.jsonl"))) == 120
    again = report(tmp_path / "a.jsonl", "--json")
    first = report(runs[0], "--json")
    assert json.loads(again.stdout)["metrics"] == json.loads(first.stdout)["metrics"]
    assert json.loads(first.stdout)["kind"] == "run"


def test_two_runs(runs: list[Path], tmp_path: Path) -> None:
    done = report(*runs[:2], "--flips", tmp_path / "flips.jsonl")
    assert done.returncode == 0
    assert "Difference: 乙 minus 甲" in done.stdout
    found = json.loads(report(*runs[:2], "--json").stdout)
    assert found["kind"] == "pair"
    assert found["schema_version"] == 1
    rows = [json.loads(line) for line in (tmp_path / "flips.jsonl").read_bytes().split(b"\n")[:-1]]
    assert rows == found["flips"]
    assert rows


def test_many_runs(runs: list[Path]) -> None:
    done = report(*runs, "--baseline", "甲")
    assert done.returncode == 0
    assert done.stdout.index("乙") < done.stdout.index("丙")
    assert "gains over 甲" in done.stdout
    found = json.loads(report(*runs, "--json").stdout)
    assert [row["name"] for row in found["rows"]] == ["乙", "甲", "丙"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nothing-here"], "there is no run"),
        (["."], "there is no run in this folder"),
        (["notes.txt"], "notes.txt:1: is not JSON"),
        (["rows.jsonl"], "rows.jsonl:2, field 'problem_id': is missing"),
        (["empty.jsonl"], "there are no graded solutions"),
        (["good.jsonl", "--language", "fr"], "unknown language 'fr'"),
        (["good.jsonl", "--language", "en"], "there are no graded solutions in language 'en'"),
        (["good.jsonl", "--flips", "f"], "--flips needs exactly two runs"),
        (["good.jsonl", "good.jsonl", "--export", "f"], "--export needs exactly one run"),
        (["good.jsonl", "--baseline", "best"], "the baseline 'best' is none of the runs: good"),
        (["good.jsonl", "--csv", "notes.txt/x"], "cannot be written"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(
    arguments: list[str], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("notes.txt").write_text("hello\n", encoding="utf-8")
    Path("empty.jsonl").write_bytes(b"")
    write_records("good.jsonl", random_records(3))
    good = next(iter(random_records(1))).to_bytes()
    Path("rows.jsonl").write_bytes(good + b"\n{}\n")
    done = report(*arguments)
    assert done.returncode == 2
    assert words in done.stderr
    assert done.stderr.startswith("eduflow: ")
    assert done.stderr.count("\n") == 1
