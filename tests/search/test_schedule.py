"""Schedules: those that come with EduFlow, a user's own, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from eduflow.errors import ConfigError, InputError
from eduflow.search import load_schedule

OWN = """
name = "short"
start = ["summary"]
terminal = "answer"
max_depth = 3

[next]
summary = ["thinking"]
thinking = ["thinking", "answer"]
"""


@pytest.mark.parametrize("name", ["edumcts", "steps", "staged", "whole"])
def test_every_schedule_leads_to_its_end_within_its_depth(name: str) -> None:
    schedule = load_schedule(name)
    reached = {("root", 0)}
    ended = False
    for depth in range(schedule.max_depth):
        kinds = [kind for kind, at in reached if at == depth and kind != schedule.terminal]
        for kind in kinds:
            after = schedule.allowed(kind, depth, flawed=False, flaws=0, images=True)
            assert after
            reached |= {(k, depth + 1) for k in after}
            ended |= schedule.terminal in after
    assert ended
    assert schedule.allowed("thinking", schedule.max_depth, flawed=False, flaws=0, images=True) == ()


def test_a_schedule_of_ones_own_is_a_file(tmp_path: Path) -> None:
    path = tmp_path / "short.toml"
    path.write_text(OWN, encoding="utf-8")
    schedule = load_schedule(str(path))
    assert schedule.allowed("thinking", 2, flawed=False, flaws=0, images=False) == ("answer",)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('"summary"', '"sumary"'), "unknown kind 'sumary'"),
        (('thinking = ["thinking", "answer"]', ""), "followed by nothing"),
        (('thinking = ["thinking", "answer"]', 'thinking = ["thinking"]'), "never reached"),
        (("[next]", '[next]\nanswer = ["thinking"]'), "can't be followed"),
        (("max_depth = 3", "max_depth = 0"), "max_depth"),
        (("max_depth = 3", 'max_depth = 3\ncolour = "red"'), "colour"),
        (("[next]", "[next"), "not TOML"),
    ],
)
def test_a_table_that_does_not_close_is_refused_with_its_file(
    tmp_path: Path, change: tuple[str, str], message: str
) -> None:
    path = tmp_path / "short.toml"
    path.write_text(OWN.replace(*change), encoding="utf-8")
    with pytest.raises(InputError, match=message) as error:
        load_schedule(str(path))
    assert error.value.path == str(path)


def test_an_unknown_schedule_names_the_known_ones() -> None:
    with pytest.raises(ConfigError, match="edumcts, staged, steps, whole"):
        load_schedule("nothing")
