"""`eduflow eval` and `eduflow grade` from the command line: what a user sees, and what bad input gets."""

from __future__ import annotations

import json
import signal
import sys
import time
from pathlib import Path

import pytest

from eduflow.engine import Run
from eduflow.formats import write_jsonl
from eduflow.problem import Problem
from eduflow.report import source_of
from tests.support.answers import adds, adds_half_the_time
from tests.support.command import run_command
from tests.support.ctrl_c import listening_child
from tests.support.fake_endpoint import FakeEndpoint
from tests.support.problems import figure, make_problem, sums


def written(tmp_path: Path, problems: list[Problem]) -> Path:
    path = tmp_path / "problems.jsonl"
    write_jsonl(path, problems)
    return path


def test_eval_prints_the_table_and_where_the_run_is(tmp_path: Path) -> None:
    with FakeEndpoint(adds) as fake:
        ran = run_command(
            "eval", written(tmp_path, sums(40)), "--solver", f"{fake.base_url}#m", "--run", tmp_path / "run"
        )
    assert ran.code == 0, ran.err
    for word in ("Middle", "High", "Overall", "direct", "cot", "100.0"):
        assert word in ran.out
    assert "80 of 80 records; 80 calls made now" in ran.err


def test_eval_prints_json_alone_on_stdout(tmp_path: Path) -> None:
    with FakeEndpoint(adds_half_the_time) as fake:
        arguments = ("--solver", f"{fake.base_url}#m", "--run", tmp_path / "run", "--mode", "cot", "--json")
        ran = run_command("eval", written(tmp_path, sums(40)), *arguments)
    found = json.loads(ran.out)
    assert found["schema_version"] == 1
    assert (found["records"], found["planned"], found["calls_made"], found["stopped"]) == (40, 40, 40, None)
    assert found["metrics"] == json.loads((tmp_path / "run" / "metrics.json").read_text(encoding="utf-8"))


def test_a_dry_run_says_what_it_would_take(tmp_path: Path) -> None:
    problems = written(tmp_path, sums(40))
    with FakeEndpoint(adds) as fake:
        config = tmp_path / "eduflow.toml"
        config.write_text(
            f'[endpoints.m]\nbase_url = "{fake.base_url}"\nmodel = "m"\nprices = {{ prompt = 1.0, completion = 2.0 }}\n'
        )
        ran = run_command("eval", problems, "--solver", "m", "--config", config, "--dry-run", "--json")
        shown = run_command("eval", problems, "--solver", "m", "--config", config, "--dry-run")
        assert fake.count == 0
    found = json.loads(ran.out)
    assert found["calls"] == 80
    assert 0 < found["cost"] < found["most_cost"]
    assert "80" in shown.out
    assert "USD" in shown.out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["eval", "nowhere.jsonl", "--solver", "local"], ["nowhere.jsonl", "no such file"]),
        (["eval", "k12mini", "--solver", "nobody"], ["unknown endpoint 'nobody'"]),
        (["eval", "k12mini", "--solver", "http://127.0.0.1:9/v1"], ["names no model"]),
        (["eval", "k12mini", "--solver", "x.gguf"], ["x.gguf"]),
        (
            ["eval", "k12mini", "--solver", "http://127.0.0.1:9/v1#m", "--mode", "essay"],
            ["unknown mode 'essay'"],
        ),
        (["eval", "k12mini", "--solver", "http://127.0.0.1:9/v1#m", "--shard", "3/2"], ["3/2"]),
        (
            ["eval", "k12mini", "--solver", "http://127.0.0.1:9/v1#m", "--language", "fr"],
            ["unknown language 'fr'"],
        ),
        (
            ["eval", "k12mini", "--solver", "http://127.0.0.1:9/v1#m", "--limit", "0"],
            ["--limit must be at least 1"],
        ),
        (
            ["eval", "k12mini", "--solver", "http://127.0.0.1:9/v1#m", "--images", "maybe"],
            ["--images", "maybe"],
        ),
        (["eval", "k12mini", "--solver", "http://127.0.0.1:9/v1#m", "--judge-swap"], ["need --judge"]),
        (["eval", "k12mini", "--solver", "http://127.0.0.1:9/v1#m", "--prompts", "nowhere"], ["nowhere"]),
        (["eval", "k12mini", "--solver", "m", "--config", "nowhere.toml"], ["nowhere.toml"]),
        (["eval", "k12mini", "--solver", "http://127.0.0.1:9/v1#m", "--reuse", "nowhere"], ["nowhere"]),
        (["grade"], ["--problems"]),
        (["grade", "--problems", "k12mini", "--predictions", "nowhere.jsonl"], ["nowhere.jsonl"]),
        (["grade", "--problems", "k12mini"], ["k12mini"]),
        (["grade", "--problems", "k12mini", "--shown", "none"], ["--shown"]),
        (["report", "nowhere"], ["nowhere"]),
        (["models", "fetch", "gpt"], ["unknown model 'gpt'"]),
    ],
)
def test_bad_arguments_get_one_sentence(
    arguments: list[str], said: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run_command(*arguments).refused(*said)
    assert not (tmp_path / "runs").exists() or not list((tmp_path / "runs").glob("*/metrics.json"))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("not json", "is not JSON"),
        ('{"id": "x"}', "field 'subject'"),
        (
            json.dumps(make_problem(id="x").model_dump(mode="json") | {"subject": "maths"}),
            "unknown value 'maths'",
        ),
        (
            json.dumps(make_problem(id="x").model_dump(mode="json") | {"type": "essay"}),
            "unknown value 'essay'",
        ),
        (json.dumps(make_problem(id="p0").model_dump(mode="json")), "p0"),
    ],
)
def test_a_broken_line_is_named_with_its_number(line: str, said: str, tmp_path: Path) -> None:
    path = written(tmp_path, sums(2))
    with path.open("a", encoding="utf-8") as file:
        file.write(line + "\n")
    ran = run_command("eval", path, "--solver", "http://127.0.0.1:9/v1#m", "--run", tmp_path / "run")
    ran.refused("problems.jsonl:3", said)


def test_an_empty_file_is_said(tmp_path: Path) -> None:
    path = tmp_path / "problems.jsonl"
    path.touch()
    run_command("eval", path, "--solver", "http://127.0.0.1:9/v1#m", "--format", "eduflow").refused(
        "problems"
    )


def test_a_blind_model_with_bare_images_is_said(tmp_path: Path) -> None:
    with FakeEndpoint(adds, sees_images=False) as fake:
        path = written(tmp_path, [make_problem(id="p", images=[figure()])])
        for images in ("auto", "send"):
            ran = run_command(
                "eval", path, "--solver", f"{fake.base_url}#m", "--images", images, "--run", tmp_path / images
            )
            ran.refused("does not see images")


def test_a_wrong_key_is_said_without_the_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = tmp_path / "eduflow.toml"
    monkeypatch.setenv("MY_KEY", "sk-very-secret")
    with FakeEndpoint(adds, key="right") as fake:
        config.write_text(f'[endpoints.m]\nbase_url = "{fake.base_url}"\nmodel = "m"\nkey_env = "MY_KEY"\n')
        arguments = ("--solver", "m", "--config", config, "--run", tmp_path / "run")
        ran = run_command("eval", written(tmp_path, sums(3)), *arguments)
    ran.refused("MY_KEY")
    for path in (tmp_path / "run").rglob("*"):
        assert path.is_dir() or b"sk-very-secret" not in path.read_bytes()
    assert "sk-very-secret" not in ran.out + ran.err


def test_predictions_are_graded_and_what_does_not_meet_is_counted(tmp_path: Path) -> None:
    problems = written(tmp_path, sums(40))
    rows: list[dict[str, str | None]] = [
        {"id": f"p{number}", "output": f"\\boxed{{{2 * number + 7}}}"} for number in range(1, 40)
    ]
    rows += [{"id": "stranger", "output": "1"}, {"id": "p1", "output": "again"}]
    rows[1] |= {"output": "cut off", "finish_reason": "length"}
    rows[2] |= {"output": None}
    predictions = tmp_path / "outputs.jsonl"
    predictions.write_text("".join(json.dumps(row) + "\n" for row in rows))
    arguments = ("--problems", problems, "--predictions", predictions, "--run", tmp_path / "run", "--json")
    found = json.loads(run_command("grade", *arguments).out)
    assert (found["records"], found["calls_made"]) == (40, 0)
    about = json.loads((tmp_path / "run" / "run.json").read_text())["about"]["predictions"]
    assert (about["rows"], about["graded"], about["missing"], about["unknown"], about["repeated"]) == (
        41,
        39,
        1,
        1,
        1,
    )
    assert about["missing_first"] == ["p0 (output)"]
    assert about["unknown_first"] == ["line 40: stranger"]
    assert about["repeated_first"] == ["line 41: p1"]
    report = (tmp_path / "run" / "report.md").read_text()
    for word in ("missing", "truncated", "failed"):
        assert word in report


def test_predictions_of_a_csv_with_other_column_names(tmp_path: Path) -> None:
    problems = written(tmp_path, sums(3))
    predictions = tmp_path / "outputs.csv"
    predictions.write_text(
        "qid,response\np0,\\boxed{7}\np1,\\boxed{9}\np2,\\boxed{0}\n", encoding="utf-8-sig"
    )
    arguments = (
        "--predictions",
        predictions,
        "--output-map",
        "id=qid,output=response",
        "--run",
        tmp_path / "run",
    )
    ran = run_command("grade", "--problems", problems, *arguments, "--json")
    assert ran.code == 0, ran.err
    assert json.loads(ran.out)["records"] == 3


def test_ctrl_c_says_how_to_go_on_and_loses_nothing(tmp_path: Path) -> None:
    problems = written(tmp_path, sums(60))
    with FakeEndpoint(adds, latency=0.1, slots=4) as fake:
        arguments = ["eval", str(problems), "--solver", f"{fake.base_url}#m", "--run", str(tmp_path / "run")]
        command = [sys.executable, "-m", "eduflow", *arguments]
        with listening_child(command) as child:
            limit = time.monotonic() + 60
            while fake.count < 20 and child.poll() is None:
                assert time.monotonic() < limit, "the command made no calls"
                time.sleep(0.01)
            child.send_signal(signal.SIGINT)
            out, err = child.communicate(timeout=30)
        assert child.returncode == 130, err
        assert "Traceback" not in err
        assert "the same command goes on from there" in err
        assert out == ""
        ran = run_command(*arguments)
        assert ran.code == 0, ran.err
        # At most the calls that were in flight were made twice.
        assert 120 <= fake.count <= 120 + 2 * 64
        with Run.read(tmp_path / "run") as run:
            assert len(list(source_of(run).records())) == 120


@pytest.mark.parametrize(
    ("lines", "said"),
    [("", "there are no predictions to grade"), ('{"id": "x" ' + " " * 70_000_000 + "}", "were left out")],
    ids=["empty", "over-long rows alone"],
)
def test_a_file_without_a_prediction_is_said(tmp_path: Path, lines: str, said: str) -> None:
    problems = written(tmp_path, sums(2))
    (tmp_path / "outputs.jsonl").write_text(lines, encoding="utf-8")
    arguments = (
        "--problems",
        problems,
        "--predictions",
        tmp_path / "outputs.jsonl",
        "--run",
        tmp_path / "run",
    )
    run_command("grade", *arguments).refused("outputs.jsonl", said)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("option", ["--judge", "--captioner"])
def test_an_empty_name_is_not_taken_for_none(tmp_path: Path, option: str) -> None:
    # As a script writes it whose variable is not set: going on without a judge would give other figures.
    problems = written(tmp_path, sums(2))
    run_command("eval", problems, "--solver", "http://127.0.0.1:1/v1#m", option, "").refused(
        "unknown endpoint ''"
    )
