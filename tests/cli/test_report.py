"""`eduflow report` from the outside."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from eduflow.cli import main
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


@dataclass
class Done:
    """How a command ended, and what it printed."""

    code: int
    out: str
    err: str


@pytest.fixture
def report(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Done]:
    """Runs the command in this process, as the installed one would."""

    def run(*arguments: object) -> Done:
        monkeypatch.setattr(sys, "argv", ["eduflow", "report", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        code = ended.value.code
        return Done(code if isinstance(code, int) else 0 if code is None else 1, *capsys.readouterr())

    return run


def test_one_run(runs: list[Path], tmp_path: Path, report: Callable[..., Done]) -> None:
    done = report(
        runs[0],
        "--markdown",
        tmp_path / "a.md",
        "--csv",
        tmp_path / "a.csv",
        "--export",
        tmp_path / "a.jsonl",
    )
    assert (done.code, done.err) == (0, "")
    assert "甲 on toys (zh)" in done.out
    assert "Subject × type, cot" in done.out
    assert "# 甲 on toys" in (tmp_path / "a.md").read_text(encoding="utf-8")
    assert (tmp_path / "a.csv").read_bytes().startswith(b"\xef\xbb\xbf")
    assert len(list(read_jsonl(tmp_path / "a.jsonl"))) == 120
    again = report(tmp_path / "a.jsonl", "--json")
    first = report(runs[0], "--json")
    assert json.loads(again.out)["metrics"] == json.loads(first.out)["metrics"]
    assert json.loads(first.out)["kind"] == "run"


def test_two_runs(runs: list[Path], tmp_path: Path, report: Callable[..., Done]) -> None:
    done = report(*runs[:2], "--flips", tmp_path / "flips.jsonl")
    assert done.code == 0
    assert "Difference: 乙 minus 甲" in done.out
    found = json.loads(report(*runs[:2], "--json").out)
    assert found["kind"] == "pair"
    assert found["schema_version"] == 1
    rows = [json.loads(line) for line in (tmp_path / "flips.jsonl").read_bytes().split(b"\n")[:-1]]
    assert rows == found["flips"]
    assert rows


def test_many_runs(runs: list[Path], report: Callable[..., Done]) -> None:
    done = report(*runs, "--baseline", "甲")
    assert done.code == 0
    assert done.out.index("乙") < done.out.index("丙")
    assert "gains over 甲" in done.out
    found = json.loads(report(*runs, "--json").out)
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
        (["good.jsonl", "./good.jsonl"], "a run is named twice"),
        (["good.jsonl", "--baseline", "best"], "the baseline 'best' is none of the runs: good"),
        (["good.jsonl", "--csv", "notes.txt/x"], "cannot be written"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(
    arguments: list[str],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    report: Callable[..., Done],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("notes.txt").write_text("hello\n", encoding="utf-8")
    Path("empty.jsonl").write_bytes(b"")
    write_records("good.jsonl", random_records(3))
    good = next(iter(random_records(1))).to_bytes()
    Path("rows.jsonl").write_bytes(good + b"\n{}\n")
    done = report(*arguments)
    assert done.code == 2
    assert words in done.err
    assert done.err.startswith("eduflow: ")
    assert done.err.count("\n") == 1


def test_an_old_locale_gets_question_marks_and_no_traceback(runs: list[Path]) -> None:
    command = [sys.executable, "-c", "from eduflow.cli import main; main()", "report", str(runs[0])]
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "COLUMNS": "80"}
    done = subprocess.run(command, capture_output=True, env=environment, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"? on toys (zh)" in done.stdout


@pytest.mark.skipif(
    not os.path.exists("/dev/full"), reason="needs a device that is always full: Linux's /dev/full"
)
@pytest.mark.parametrize("json", [(), ("--json",)], ids=["tables", "JSON"])
def test_a_full_disk_under_the_output_is_one_sentence(runs: list[Path], json: tuple[str, ...]) -> None:
    with open("/dev/full", "w") as full:
        ended = subprocess.run(
            [sys.executable, "-c", "from eduflow.cli import main; main()", "report", str(runs[0]), *json],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert (ended.returncode, ended.stderr) == (2, "eduflow: No space left on device\n")
