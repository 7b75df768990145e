"""What an endpoint is found to be able to do, and that nothing passes by luck."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from eduflow.cli.endpoints import app
from eduflow.engine import Endpoint, Engine, Limits, Persistence, Run, probe_vision
from eduflow.engine.probe import check_endpoint, number_picture, probe_numbers
from tests.support.fake_endpoint import FakeEndpoint, Fault, Seen, default_answer

QUICK = Persistence(first_wait=0.001, longest_wait=0.002, patience=0.0, first_patience=0.0)


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    with Run.open(tmp_path / "run") as opened:
        yield opened


def to(fake: FakeEndpoint) -> Endpoint:
    return Endpoint("fake", "fake", (fake.base_url,), limits=Limits(attempts=2, timeout=20))


def reads(seen: Seen, seed: int = 0) -> str:
    """What a model that sees answers: the number in the picture."""
    for number in probe_numbers(seed):
        if seen.images and json.loads(number_picture(number).url_json) == seen.images[0]:
            return str(number)
    return default_answer(seen)


def test_the_numbers_differ_and_follow_the_seed() -> None:
    pairs = [probe_numbers(seed) for seed in range(200)]
    assert all(1000 <= number <= 9999 for pair in pairs for number in pair)
    assert all(first != second for first, second in pairs)
    assert len(set(pairs)) > 195
    assert pairs[7] == probe_numbers(7)


def test_the_picture_shows_something() -> None:
    assert number_picture(1234).data != number_picture(1235).data
    assert number_picture(1234).data == number_picture(1234).data


async def test_a_model_that_sees_is_found_to_see_once(run: Run) -> None:
    with FakeEndpoint(reads) as fake:
        async with Engine(run.journal) as engine:
            assert await probe_vision(engine, to(fake)) is True
            assert await probe_vision(engine, to(fake)) is True
    assert fake.count == 2


@pytest.mark.parametrize("form", ["The number is {}.", "{:,}", "**{}**", "It reads 7 {}"])
async def test_the_number_may_be_dressed_up(form: str) -> None:
    def script(seen: Seen) -> str:
        return form.format(int(reads(seen)))

    with FakeEndpoint(script) as fake:
        async with Engine() as engine:
            seen = await probe_vision(engine, to(fake))
    assert seen is (form != "It reads 7 {}")


@pytest.mark.parametrize("said", ["I see a picture.", "", "12345678", str(probe_numbers(0)[0])])
async def test_a_model_that_guesses_is_not_found_to_see(said: str) -> None:
    with FakeEndpoint(said) as fake:
        async with Engine() as engine:
            assert await probe_vision(engine, to(fake)) is False


@pytest.mark.parametrize("fault", [Fault.status(500), Fault.status(400, "no images here"), Fault.null()])
async def test_an_endpoint_that_fails_on_pictures_does_not_see(fault: Fault) -> None:
    with FakeEndpoint("ready", lambda seen: fault if seen.images else None) as fake:
        async with Engine(persistence=QUICK) as engine:
            assert await probe_vision(engine, to(fake)) is False


def able(seen: Seen) -> str:
    if "response_format" in seen.body:
        return '{"zq7": 4}'
    if seen.images:
        return reads(seen)
    if "random words" in seen.text:
        return f"words for seed {seen.body.get('seed')}"
    return "ready"


async def findings(fake: FakeEndpoint) -> dict[str, bool | None]:
    async with Engine(persistence=QUICK) as engine:
        check = await check_endpoint(engine, to(fake))
    assert all(finding.detail for finding in check.findings)
    return {finding.what: finding.holds for finding in check.findings}


async def test_an_endpoint_that_can_do_everything() -> None:
    with FakeEndpoint(able, model="fake") as fake:
        found = await findings(fake)
    assert len(found) == 7
    assert set(found.values()) == {True}


async def test_an_endpoint_that_can_do_nothing_but_answer() -> None:
    count = 0

    def script(seen: Seen) -> str | Fault:
        nonlocal count
        count += 1
        return Fault.reply(f"answer {count}")

    with FakeEndpoint(script, honours_n=False, sees_images=False) as fake:
        fake.model = None
        found = await findings(fake)
    assert found == {
        "answers": True,
        "model is listed": True,
        "sees images": False,
        "log-probabilities": False,
        "honours n": False,
        "honours a seed": False,
        "honours a JSON schema": False,
    }


async def test_a_text_that_never_changes_says_nothing_about_seeds() -> None:
    with FakeEndpoint("always the same") as fake:
        assert (await findings(fake))["honours a seed"] is None


async def test_a_dead_endpoint_is_one_finding() -> None:
    with FakeEndpoint() as fake:
        pass
    assert await findings(fake) == {"answers": False}


# --- the command ------------------------------------------------------------------------------------------------------


def test_the_command_prints_a_line_for_each_finding() -> None:
    with FakeEndpoint(able, model="fake") as fake:
        result = CliRunner().invoke(app, ["check", f"{fake.base_url}#fake"])
    assert result.exit_code == 0
    assert result.stdout.count("yes") == 7


def test_the_command_prints_json(tmp_path: Path) -> None:
    with FakeEndpoint(able, model="fake") as fake, FakeEndpoint() as dead:
        dead.close()
        config = tmp_path / "my.toml"
        config.write_text(
            f"[endpoints.good]\nbase_url = '{fake.base_url}'\nmodel = 'fake'\n"
            f"[endpoints.dead]\nbase_url = '{dead.base_url}'\nmodel = 'fake'\n"
        )
        result = CliRunner().invoke(app, ["check", "--config", str(config), "--json"])
    assert result.exit_code == 2
    data = json.loads(result.stdout)
    assert data["schema_version"] == 1
    good, bad = data["endpoints"]
    assert good["endpoint"] == "good"
    assert all(finding["holds"] for finding in good["findings"])
    assert [finding["what"] for finding in bad["findings"]] == ["answers"]
    assert "cannot be reached" in bad["findings"][0]["detail"]


def test_the_command_says_when_there_is_nothing_to_check(tmp_path: Path) -> None:
    empty = tmp_path / "empty.toml"
    empty.write_text("")
    result = CliRunner().invoke(app, ["check", "--config", str(empty)])
    assert "there is no endpoint to check" in str(result.exception)
