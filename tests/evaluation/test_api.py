"""The commands as plain functions: the same run, from a script."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import eduflow
from eduflow.evaluation import EvalSettings, evaluate
from eduflow.formats import write_jsonl
from tests.support.answers import adds
from tests.support.fake_endpoint import FakeEndpoint
from tests.support.local import smollm2
from tests.support.problems import sums


def test_every_promised_name_is_there() -> None:
    for name in eduflow.__all__:
        assert getattr(eduflow, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = eduflow.nothing


def test_a_script_evaluates_and_grades(tmp_path: Path) -> None:
    problems = tmp_path / "problems.jsonl"
    write_jsonl(problems, sums(4))
    with FakeEndpoint(adds) as fake:
        finished = eduflow.evaluate(
            problems, f"{fake.base_url}#m", modes=["cot"], limit=3, run=tmp_path / "run", quiet=True
        )
    assert (finished.records, finished.made) == (3, 3)
    outputs = tmp_path / "outputs.jsonl"
    outputs.write_text("".join(json.dumps({"id": f"p{n}", "output": "\\boxed{7}"}) + "\n" for n in range(4)))
    graded = eduflow.grade_predictions(problems, outputs, run=tmp_path / "graded", quiet=True)
    assert (graded.records, graded.made) == (4, 0)


async def test_inside_a_running_loop_the_coroutine_is_asked_for(tmp_path: Path) -> None:
    problems = tmp_path / "problems.jsonl"
    write_jsonl(problems, sums(1))
    with FakeEndpoint(adds) as fake:
        with pytest.raises(RuntimeError, match="await"):
            eduflow.evaluate(problems, f"{fake.base_url}#m", run=tmp_path / "run")
        common = eduflow.RunSettings(run=tmp_path / "run")
        settings = EvalSettings(eduflow.ProblemSet(str(problems)), f"{fake.base_url}#m", common=common)
        assert (await evaluate(settings)).records == 2


@pytest.mark.local
def test_the_local_model_takes_the_whole_way(tmp_path: Path) -> None:
    smollm2()
    # Its text is not reproducible under parallel load; the shape of the run is.
    finished = eduflow.evaluate(
        eduflow.ProblemSet("k12mini", language="en", limit=2),
        "local",
        max_tokens=12,
        run=tmp_path / "run",
        quiet=True,
    )
    assert (finished.records, finished.planned, finished.made) == (4, 4, 4)
    found = json.loads((tmp_path / "run" / "metrics.json").read_text(encoding="utf-8"))
    report = (tmp_path / "run" / "report.md").read_text(encoding="utf-8")
    assert found["schema_version"] >= 1
    assert "captions in place of images (2 of 2 problems)" in report
    assert list((tmp_path / "run" / "logs").glob("*.log"))
