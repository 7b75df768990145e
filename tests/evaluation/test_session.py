"""A whole evaluation against a fake endpoint: every problem once, resumable, replayable, and honest about failures."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from eduflow.engine import Run
from eduflow.errors import ConfigError, EduflowError, InputError
from eduflow.evaluation import (
    EvalSettings,
    Finished,
    JudgeSettings,
    ProblemSet,
    RunLimits,
    RunSettings,
    dry_run,
    evaluate,
    session,
)
from eduflow.evaluation.keep import kept_problem
from eduflow.formats import write_jsonl
from eduflow.problem import ImageRef, Problem
from eduflow.report import Record, source_of
from tests.support.answers import adds, adds_half_the_time, asked
from tests.support.fake_endpoint import FakeEndpoint, Fault, Seen
from tests.support.problems import figure, make_problem, png, sums


def settings(tmp_path: Path, fake: FakeEndpoint, problems: list[Problem], **changes: Any) -> EvalSettings:
    """An evaluation of `problems` by `fake`; changes of the shared settings go by their names too."""
    path = tmp_path / "problems.jsonl"
    if not path.exists():
        write_jsonl(path, problems)
    common: dict[str, Any] = {"run": tmp_path / "run"}
    names = set(RunSettings.__dataclass_fields__)
    common |= {name: changes.pop(name) for name in list(changes) if name in names}
    sets = {name: changes.pop(name) for name in list(changes) if name in ProblemSet.__dataclass_fields__}
    return EvalSettings(
        problems=ProblemSet(str(path), **sets),
        solver=f"{fake.base_url}#fake",
        common=RunSettings(**common),
        **changes,
    )


def records(finished: Finished) -> list[Record]:
    with Run.read(finished.folder) as run:
        return list(source_of(run).records())


async def test_every_problem_has_one_record_per_mode(tmp_path: Path) -> None:
    with FakeEndpoint(adds) as fake:
        finished = await evaluate(settings(tmp_path, fake, sums(20)))
    found = records(finished)
    assert Counter((record.problem_id, record.mode) for record in found) == {
        (f"p{number}", mode): 1 for number in range(20) for mode in ("direct", "cot")
    }
    assert all(record.grade.score == 1 for record in found)
    assert (finished.records, finished.planned, finished.made, fake.count) == (40, 40, 40, 40)
    for name in ("run.json", "metrics.json", "report.md", "rescues.jsonl"):
        assert (finished.folder / name).is_file(), name


async def test_a_finished_run_makes_no_call_and_recomputes_to_the_same(tmp_path: Path) -> None:
    with FakeEndpoint(adds_half_the_time) as fake:
        wanted = settings(tmp_path, fake, sums(20))
        await evaluate(wanted)
        calls = fake.count
        assert (await evaluate(wanted)).made == 0
        again = await evaluate(replace(wanted, common=replace(wanted.common, recompute=True)))
    assert (again.made, again.recomputed) == (0, "same")
    assert fake.count == calls


async def test_more_samples_and_a_higher_limit_only_add(tmp_path: Path) -> None:
    with FakeEndpoint(adds) as fake:
        first = settings(tmp_path, fake, sums(10), limit=4, temperature=0.8, samples=2, modes=("cot",))
        await evaluate(first)
        assert fake.count <= 8
        wider = replace(first, samples=3, problems=replace(first.problems, limit=10))
        finished = await evaluate(wider)
    assert finished.records == 30
    assert {record.sample for record in records(finished)} == {0, 1, 2}
    assert finished.made == 30 - 8


async def test_another_configuration_in_the_same_folder_is_refused_and_reuse_costs_nothing(
    tmp_path: Path,
) -> None:
    with FakeEndpoint(adds) as fake:
        wanted = settings(tmp_path, fake, sums(5))
        await evaluate(wanted)
        with pytest.raises(ConfigError, match=r"another configuration \(solve\.max_tokens differ\).*--reuse"):
            await evaluate(replace(wanted, max_tokens=99))
        judged = replace(
            wanted.common,
            run=tmp_path / "other",
            reuse=(tmp_path / "run",),
            judge=JudgeSettings(f"{fake.base_url}#judge"),
        )
        calls = fake.count
        assert (await evaluate(replace(wanted, common=judged))).made == 0
    assert fake.count == calls


async def test_changed_problems_are_refused(tmp_path: Path) -> None:
    with FakeEndpoint(adds) as fake:
        wanted = settings(tmp_path, fake, sums(5))
        await evaluate(wanted)
        write_jsonl(
            wanted.problems.path, [*sums(4), make_problem(id="p4", question="1 + 1 = ____", answers=["2"])]
        )
        with pytest.raises(ConfigError, match=r"problems\.fingerprint differ"):
            await evaluate(wanted)


async def test_failures_are_counted_and_never_answers(tmp_path: Path) -> None:
    def faults(seen: Seen) -> Fault | None:
        numbers = asked(seen)
        broken = {
            0: Fault.status(400, "This model's maximum context length is 4096 tokens."),
            1: Fault.filtered(),
            2: Fault.truncated(),
            3: Fault.empty(),
        }
        return broken.get(numbers[0]) if numbers else None

    with FakeEndpoint(adds, faults) as fake:
        finished = await evaluate(settings(tmp_path, fake, sums(8), modes=("cot",)))
    found = {record.problem_id: record for record in records(finished)}
    assert found["p0"].grade.not_scored == "rejected_input"
    assert found["p0"].solution.text == ""
    assert [found[f"p{number}"].grade.score for number in range(1, 8)] == [0, 0, 0, 1, 1, 1, 1]
    assert [found[f"p{number}"].ending for number in range(5)] == [
        "rejected_input",
        "filtered",
        "truncated",
        "empty",
        "ok",
    ]
    overall = json.loads((finished.folder / "metrics.json").read_text())
    assert overall["schema_version"] >= 1


async def test_failed_calls_are_asked_again_only_on_demand(tmp_path: Path) -> None:
    broken = True

    def faults(seen: Seen) -> Fault | None:
        return Fault.cut_json() if broken and "3 + 10" in seen.text else None

    with FakeEndpoint(adds, faults) as fake:
        wanted = settings(tmp_path, fake, sums(5), modes=("direct",))
        finished = await evaluate(wanted)
        assert [r.problem_id for r in records(finished) if r.grade.not_scored == "failed"] == ["p3"]
        broken = False
        assert (await evaluate(wanted)).made == 0
        again = await evaluate(replace(wanted, common=replace(wanted.common, retry_failed=True)))
    assert again.made == 1
    assert all(record.grade.score == 1 for record in records(again))


async def test_a_broken_image_is_a_rejected_input_with_its_name(tmp_path: Path) -> None:
    (tmp_path / "broken.png").write_bytes(png()[:50])
    problems = [
        make_problem(id="good", question="1 + 2 = ____", answers=["3"], images=[figure()]),
        make_problem(
            id="bad",
            question="1 + 2 = ____",
            answers=["3"],
            images=[ImageRef(path=str(tmp_path / "broken.png"))],
        ),
    ]
    with FakeEndpoint(adds) as fake:
        finished = await evaluate(settings(tmp_path, fake, problems, modes=("direct",), images="send"))
    found = {record.problem_id: record for record in records(finished)}
    assert found["good"].grade.score == 1
    assert found["bad"].grade.not_scored == "rejected_input"
    assert "broken.png" in found["bad"].solution.detail


async def test_a_run_holds_its_problems_and_their_images(tmp_path: Path) -> None:
    problem = make_problem(id="good", question="1 + 2 = ____", answers=["3"], images=[figure("blue")])
    with FakeEndpoint(adds) as fake:
        finished = await evaluate(settings(tmp_path, fake, [problem], images="send"))
    with Run.read(finished.folder) as run:
        kept = kept_problem(run, "good")
    assert kept.question == problem.question
    assert kept.images[0].read() == problem.images[0].read()


async def test_a_blind_model_gets_captions_and_the_title_says_so(tmp_path: Path) -> None:
    problem = make_problem(
        id="p", question="1 + 2 = ____", answers=["3"], images=[figure()], captions=["a red square"]
    )
    with FakeEndpoint(adds, sees_images=False) as fake:
        finished = await evaluate(settings(tmp_path, fake, [problem], modes=("direct",)))
        assert "[Figure 1: a red square]" in fake.requests[-1].text
    assert records(finished)[0].input == "captions"
    assert "captions in place of images (1 of 1 problems)" in (finished.folder / "report.md").read_text()


async def test_a_blind_model_without_captions_is_an_error_before_any_problem(tmp_path: Path) -> None:
    with FakeEndpoint(adds, sees_images=False) as fake:
        with pytest.raises(ConfigError, match="does not see images"):
            await evaluate(settings(tmp_path, fake, [make_problem(id="p", images=[figure()])]))
        assert all("____" not in seen.text for seen in fake.requests)


async def test_a_limit_stops_the_run_and_is_obeyed_until_it_is_continued(tmp_path: Path) -> None:
    with FakeEndpoint(adds) as fake:
        wanted = settings(tmp_path, fake, sums(20), limits=RunLimits(calls=10))
        stopped = await evaluate(wanted)
        assert stopped.stopped == "calls"
        assert stopped.records == fake.count == 10
        obeying = await evaluate(replace(wanted, common=replace(wanted.common, limits=RunLimits())))
        assert (obeying.stopped, obeying.made) == ("calls", 0)
        going = await evaluate(replace(wanted, common=replace(wanted.common, limits=RunLimits(), go_on=True)))
    assert (going.stopped, going.records) == (None, 40)
    assert fake.count == 40


async def test_a_judge_rescues_what_the_comparators_miss_and_the_rescue_is_written_down(
    tmp_path: Path,
) -> None:
    def answer(seen: Seen) -> str:
        if seen.body["model"] == "judge":
            return '{"verdicts": [{"index": 1, "verdict": "right"}]}'
        return "\\boxed{a word for seven}"

    problem = make_problem(id="p", question="3 + 4 = ____", answers=["7"])
    with FakeEndpoint(answer) as fake:
        judge = JudgeSettings(f"{fake.base_url}#judge")
        finished = await evaluate(settings(tmp_path, fake, [problem], modes=("direct",), judge=judge))
    (record,) = records(finished)
    assert record.grade.score is not None or record.grade.not_scored == "judge_unparsed"
    assert record.grade.calls
    rescues = (finished.folder / "rescues.jsonl").read_text().splitlines()
    assert len(rescues) == (1 if record.grade.score == 1 else 0)


async def test_a_dead_endpoint_and_a_wrong_key_are_one_sentence(tmp_path: Path) -> None:
    with FakeEndpoint(adds, key="right") as fake, pytest.raises(EduflowError, match="key"):
        await evaluate(settings(tmp_path, fake, sums(3)))
    with pytest.raises(EduflowError, match=r"127\.0\.0\.1"):
        await evaluate(settings(tmp_path, fake, sums(3)))


async def test_shards_make_up_the_whole(tmp_path: Path) -> None:
    with FakeEndpoint(adds) as fake:
        seen: Counter[str] = Counter()
        for part in (1, 2):
            wanted = settings(
                tmp_path, fake, sums(20), shard=(part, 2), run=tmp_path / f"run{part}", modes=("cot",)
            )
            seen.update(record.problem_id for record in records(await evaluate(wanted)))
    assert seen == {f"p{number}": 1 for number in range(20)}


async def test_a_dry_run_asks_nothing(tmp_path: Path) -> None:
    with FakeEndpoint(adds) as fake:
        found = await dry_run(settings(tmp_path, fake, sums(20)))
        assert fake.count == 0
    assert found.calls == 40
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"modes": ("direct", "essay")}, "unknown mode 'essay'"),
        ({"modes": ()}, "names each mode once"),
        ({"samples": 2}, "at temperature 0 are all alike"),
        ({"samples": 0}, "at least 1"),
        ({"max_tokens": 0}, "at least 1"),
        ({"temperature": 3.0}, "from 0 to 2"),
    ],
)
def test_impossible_settings_are_refused(tmp_path: Path, changes: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        settings(tmp_path, FakeEndpoint(), sums(1), **changes)


async def test_a_broken_line_of_the_problems_ends_before_any_call(tmp_path: Path) -> None:
    path = tmp_path / "problems.jsonl"
    write_jsonl(path, sums(3))
    path.write_bytes(path.read_bytes() + b'{"id": "x", "subject": "maths"}\n')
    with FakeEndpoint(adds) as fake:
        with pytest.raises(InputError, match=r"problems\.jsonl:4"):
            await evaluate(settings(tmp_path, fake, []))
        assert fake.count == 0


def test_the_look_at_a_big_file_is_remembered_while_it_stays_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "REMEMBERED_FROM", 1)
    monkeypatch.setenv("EDUFLOW_MODELS", str(tmp_path / "cache"))
    path = tmp_path / "problems.jsonl"
    write_jsonl(path, sums(5))
    given = ProblemSet(str(path))
    first = session.look(given, given.open(), lambda _: None)
    remembered = session.look(given, iter(()), lambda _: None)  # nothing is read
    assert remembered[0] == first[0]
    assert remembered[1].to_json() == first[1].to_json()
    limited = replace(given, limit=3)
    assert session.look(limited, limited.open(), lambda _: None)[1].problems == 3
    write_jsonl(path, sums(6))
    assert session.look(given, given.open(), lambda _: None)[1].problems == 6
    for kept in (tmp_path / "cache" / "surveys").iterdir():
        kept.write_text("{}")
    assert session.look(given, given.open(), lambda _: None)[1].problems == 6


@pytest.mark.parametrize(
    ("first", "then", "kept"),
    [
        ({"modes": ("direct",), "limit": 5}, {"modes": ("cot",), "limit": 5}, 10),
        ({"limit": 4, "samples": 2}, {"limit": 8, "samples": 1}, 24),
        ({"shard": (1, 6)}, {"shard": (2, 6)}, 32),
    ],
    ids=["another mode", "more problems, fewer samples", "another shard"],
)
async def test_as_many_records_of_another_plan_are_not_taken_for_this_one(
    tmp_path: Path, first: dict[str, Any], then: dict[str, Any], kept: int
) -> None:
    with FakeEndpoint(adds) as fake:
        begun = await evaluate(settings(tmp_path, fake, sums(60), temperature=0.5, **first))
        wanted = settings(tmp_path, fake, sums(60), temperature=0.5, **then)
        finished = await evaluate(wanted)
        again = await evaluate(wanted)
    assert begun.records == finished.planned  # the trap
    assert (finished.records, again.made) == (kept, 0)


async def test_a_run_killed_while_it_made_records_again_is_not_taken_for_finished(tmp_path: Path) -> None:
    with FakeEndpoint(adds) as fake:
        direct = settings(tmp_path, fake, sums(8), modes=("direct",))
        cot = replace(direct, modes=("cot",))
        await evaluate(direct)
        finished = await evaluate(cot)
        with Run.open(
            finished.folder
        ) as run:  # what a kill leaves after the records of the other mode were made
            scope = source_of(run)
            run.write_config(scope.config, {**scope.about, "finished": None})
            names = [name for name, _ in run.results(scope.config_hash, scope.revision) if '"cot"' in name]
            run.delete_results(scope.config_hash, scope.revision, names)
        assert (await evaluate(cot)).records == 16
        assert fake.count == 16


async def test_recompute_of_another_plan_is_refused_and_deletes_nothing(tmp_path: Path) -> None:
    with FakeEndpoint(adds) as fake:
        wanted = settings(tmp_path, fake, sums(10), modes=("direct",))
        await evaluate(wanted)
        for other in (
            replace(wanted, modes=("direct", "cot")),
            replace(wanted, problems=replace(wanted.problems, limit=3)),
        ):
            with pytest.raises(ConfigError, match="--recompute makes the records of a finished run again"):
                await evaluate(replace(other, common=replace(other.common, recompute=True)))
        again = await evaluate(replace(wanted, common=replace(wanted.common, recompute=True)))
    assert (again.records, again.recomputed, fake.count) == (10, "same", 10)


async def test_a_run_without_a_result_takes_another_configuration(tmp_path: Path) -> None:
    with FakeEndpoint(adds, model="fake") as fake:
        wanted = settings(tmp_path, fake, sums(4), few_shot=9)
        with pytest.raises(ConfigError, match="few-shot 9"):
            await evaluate(wanted)
        finished = await evaluate(replace(wanted, few_shot=1))
        with Run.read(finished.folder) as run:
            config = run.read_config()
    assert finished.records == 8
    assert config is not None
    assert config["solve"]["few_shot"] == 1


@pytest.mark.parametrize("role", ["solver", "judge", "captioner"])
async def test_a_limit_in_money_needs_prices_of_everybody_who_is_asked(tmp_path: Path, role: str) -> None:
    with FakeEndpoint(adds) as fake:
        toml = tmp_path / "eduflow.toml"
        one = f'base_url = "{fake.base_url}"\nmodel = "fake"\n'
        price = "prices = { prompt = 1.0, completion = 1.0 }\n"
        toml.write_text(f"[endpoints.free]\n{one}[endpoints.priced]\n{one}{price}", encoding="utf-8")
        names = {"solver": "priced", "judge": "priced", "captioner": "priced"} | {role: "free"}
        wanted = settings(
            tmp_path,
            fake,
            sums(4),
            config=toml,
            limits=RunLimits(cost=1.0),
            judge=JudgeSettings(names["judge"]),
        )
        with pytest.raises(ConfigError, match="--max-cost needs the prices of endpoint 'free'"):
            await evaluate(replace(wanted, solver=names["solver"], captioner=names["captioner"]))
    assert fake.count == 0
