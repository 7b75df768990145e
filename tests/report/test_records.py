"""Records: what a report needs of one graded solution, in and out of JSON, from runs and from exports."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from eduflow.engine import Run
from eduflow.errors import InputError
from eduflow.problem import BlankGrade, Grade, Solution
from eduflow.report.metrics import metrics
from eduflow.report.records import (
    Glance,
    Record,
    config_hash,
    open_source,
    read_jsonl,
    source_of,
    write_records,
)
from tests.support.problems import make_problem
from tests.support.records import make_record, random_records


def test_a_record_comes_back_from_its_json() -> None:
    for record in random_records(50, samples=2):
        again = Record.from_bytes(record.to_bytes())
        assert again == record
        assert again.extra == record.extra
        assert b"\n" not in record.to_bytes()


def test_a_record_is_made_of_problem_solution_and_grade() -> None:
    problem = make_problem(id="p7", group="twins-7", answers=["5", "6"], grade=8)
    solution = Solution(
        problem_id="p7",
        solver="m",
        mode="cot",
        sample=3,
        text="5; 7",
        call="ab12",
        extra={"prompt_tokens": 11, "completion_tokens": 7, "reasoning": "hm", "error": "late"},
    )
    blanks = (BlankGrade(verdict=1, decided_by="comparator"), BlankGrade(verdict=0))
    grade = Grade(problem_id="p7", solver="m", mode="cot", sample=3, blanks=blanks, score=0.5)
    record = Record.of(problem, solution, grade, input="captions", extra={"category": "algebra"})
    assert (record.unit, record.school_grade, record.answers) == ("twins-7", 8, ("5", "6"))
    assert (record.solution.text, record.solution.reasoning, record.solution.call) == ("5; 7", "hm", "ab12")
    assert record.solution.detail == "late"
    assert (record.tokens.prompt, record.tokens.completion) == (11, 7)
    assert record.input == "captions"
    assert record.extra == {"category": "algebra"}
    assert record.schema_version == 1


def test_a_grade_of_another_solution_is_refused() -> None:
    record = make_record("p1")
    row = json.loads(record.to_bytes())
    row["sample"] = 1
    with pytest.raises(InputError, match="the grade belongs to another solution"):
        Record.from_bytes(json.dumps(row).encode())


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"subject": "maths"}, "field 'subject'"),
        ({"schema_version": 2}, "use a newer EduFlow"),
        ({"input": "video"}, "field 'input'"),
        ({"surprise": 1}, "field 'surprise'"),
        ({"grade": None}, "field 'grade'"),
    ],
)
def test_a_faulty_record_names_its_field(change: dict[str, Any], words: str) -> None:
    row = json.loads(make_record().to_bytes()) | change
    with pytest.raises(InputError) as caught:
        Record.from_bytes(json.dumps(row).encode())
    assert words in str(caught.value)


@pytest.mark.parametrize("line", [b"", b"[]", b"null", b"{", b'{"a": NaN}', b"\xff\xfe"])
def test_what_is_not_a_record_is_one_sentence(line: bytes) -> None:
    with pytest.raises(InputError):
        Record.from_bytes(line)


def test_text_survives_the_separators_that_end_lines_elsewhere(tmp_path: Path) -> None:
    texts = ["a\u2028b", "a\x85b", "a\nb\r\nc", "\x00", "�", "𝕏 ∠ABC = 37°20′"]
    records = [make_record(f"p{number}", text=text) for number, text in enumerate(texts)]
    path = tmp_path / "results.jsonl"
    assert write_records(path, records) == len(texts)
    assert [record.solution.text for record in read_jsonl(path)] == texts


def test_half_a_surrogate_pair_in_extra_does_not_lose_the_record() -> None:
    record = make_record(extra={"note": "a\ud800b"})
    assert Record.from_bytes(record.to_bytes()).extra == {"note": "a�b"}


def test_a_broken_line_is_named_with_its_number(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    lines = [record.to_bytes() for record in random_records(2, modes=("direct",))]
    path.write_bytes(lines[0] + b"\n\n" + lines[1][:-20] + b"\n")
    with pytest.raises(InputError) as caught:
        list(read_jsonl(path))
    assert str(caught.value).startswith(f"{path}:3: is not JSON")


@pytest.mark.parametrize(
    ("record", "ending"),
    [
        (make_record(), "ok"),
        (make_record(verdicts=(0,), outcome="truncated"), "truncated"),
        (make_record(verdicts=(0,), outcome="filtered", text=""), "filtered"),
        (make_record(verdicts=(0,), text=" \n"), "empty"),
        (
            make_record(verdicts=(0, 0), text="<think>…</think>", decided_by="settled", detail="empty"),
            "empty",
        ),
        (
            make_record(verdicts=(0,), text="<think>…", decided_by="settled", detail="unclosed thinking"),
            "empty",
        ),
        (make_record(verdicts=(0,), text="A or B", decided_by="settled", detail="several answers"), "ok"),
        (make_record(verdicts=None, not_scored="failed"), "failed"),
        (make_record(verdicts=None, not_scored="rejected_input"), "rejected_input"),
        (make_record(verdicts=None, not_scored="missing", outcome="failed", text=""), "missing"),
        (make_record(verdicts=None, not_scored="judge_unparsed"), "ok"),
    ],
)
def test_how_a_solution_ended(record: Record, ending: str) -> None:
    assert record.ending == ending


def test_a_glance_says_what_the_record_says() -> None:
    records = [
        *random_records(60, samples=2),
        make_record(verdicts=(0,), text=" "),
        make_record(answers=("a", "b"), verdicts=(1, 0)),
    ]
    for record in records:
        assert Glance.from_bytes(record.to_bytes()) == Glance.of(record)
    assert json.dumps(metrics(map(Glance.of, records[:200])).to_json()) == json.dumps(
        metrics(records[:200]).to_json()
    )


@pytest.mark.parametrize(
    "change", [{"schema_version": 2}, {"grade": {}}, {"tokens": None}, {"solution": "text"}]
)
def test_a_faulty_result_is_as_clear_at_a_glance(change: dict[str, Any]) -> None:
    line = json.dumps(json.loads(make_record().to_bytes()) | change).encode()
    sentences = []
    for parse in (Glance.from_bytes, Record.from_bytes):
        with pytest.raises(InputError) as caught:
            parse(line)
        sentences.append(str(caught.value))
    assert sentences[0] == sentences[1]


def put(run: Run, records: list[Record], config: dict[str, Any]) -> None:
    for record in records:
        item = f"{record.problem_id}/{record.mode}/{record.sample}"
        run.put_result(item, config_hash(config), str(config["algorithm"]), record.to_bytes())


def test_a_run_gives_its_records_and_what_is_known_about_them(tmp_path: Path) -> None:
    records = list(random_records(5))
    config = {"algorithm": "eval-1", "problems": {"name": "toys", "fingerprint": "f" * 64}}
    with Run.open(tmp_path / "mine") as run:
        run.write_config(config, {"planned": 12})
        put(run, records, config)
        put(run, records[:1], config | {"seed": 2})
        run.put_stop("p9", 0, "cost")
        assert list(source_of(run).records()) == records
    source = open_source(tmp_path / "mine")
    assert list(source.records()) == records
    assert list(source.records()) == records
    assert list(source.glances()) == [Glance.of(record) for record in records]
    assert (source.name, source.fingerprint, source.stopped) == ("mine", "f" * 64, {"cost": 1})
    assert source.config_hash == config_hash(config)
    assert source.about == {"planned": 12}
    write_records(tmp_path / "results.jsonl", source.records())
    export = open_source(tmp_path / "results.jsonl")
    assert export.name == "results"
    assert list(export.records()) == records


def test_a_run_can_be_read_while_it_is_written(tmp_path: Path) -> None:
    config = {"algorithm": "eval-1"}
    records = list(random_records(4))
    with Run.open(tmp_path / "busy") as run:
        run.write_config(config)
        put(run, records, config)
        run.flush()
        assert list(open_source(tmp_path / "busy").records()) == records


def test_a_result_that_is_no_record_names_its_item(tmp_path: Path) -> None:
    config = {"algorithm": "eval-1"}
    with Run.open(tmp_path / "odd") as run:
        run.write_config(config)
        run.put_result("p1", config_hash(config), "eval-1", b'{"score": 1}')
    with pytest.raises(InputError, match="the result of item p1 is no record"):
        list(open_source(tmp_path / "odd").records())


def test_what_holds_no_results_is_refused(tmp_path: Path) -> None:
    with Run.open(tmp_path / "new") as run:
        run.write_config({"algorithm": "eval-1"})
    for path, words in (
        (tmp_path / "new", "holds no results"),
        (tmp_path / "none", "there is no run"),
        (tmp_path, "there is no run in this folder"),
    ):
        with pytest.raises(InputError, match=words):
            open_source(path)


def test_results_of_other_configurations_are_not_taken_for_this_one(tmp_path: Path) -> None:
    with Run.open(tmp_path / "two") as run:
        run.write_config({"algorithm": "eval-1", "seed": 3})
        for seed in (1, 2):
            put(run, list(random_records(1)), {"algorithm": "eval-1", "seed": seed})
    with pytest.raises(InputError, match=r"belong to the configuration in its run\.json"):
        open_source(tmp_path / "two")


@pytest.mark.skipif(
    sys.platform != "linux", reason="needs a file that opens and can't be read: Linux's /proc"
)
def test_a_file_that_cannot_be_read_is_an_input_error() -> None:
    with pytest.raises(InputError, match="/proc/self/mem: cannot be read: "):
        open_source("/proc/self/mem")
