"""`eduflow eval` killed with -9 at random moments: it goes on, repeats nothing but the last second, and ends the same.

EDUFLOW_KILLS=20 kills that often.
"""

from __future__ import annotations

import os
import random
import sys
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from eduflow.engine import Run
from eduflow.formats import write_jsonl
from eduflow.report import source_of
from tests.support.answers import adds_half_the_time
from tests.support.fake_endpoint import FakeEndpoint
from tests.support.kill import run_and_kill
from tests.support.problems import sums

KILLS = int(os.environ.get("EDUFLOW_KILLS", "5"))
PROBLEMS = 60 * KILLS
LATENCY = 0.03
# A starved machine may stretch the second that can be lost; the count below holds without a clock.
SLACK = 3.0


def records(folder: Path) -> dict[tuple[str, str], str]:
    """The records of a run, one per item, without what tells one run from another."""
    found: dict[tuple[str, str], str] = {}
    with Run.read(folder) as run:
        for record in source_of(run).records():
            item = (record.problem_id, record.mode)
            assert item not in found
            found[item] = record.model_dump_json()
    return found


@pytest.mark.timeout(60 + 20 * KILLS)
def test_a_killed_evaluation_goes_on_where_it_was(tmp_path: Path) -> None:
    problems = tmp_path / "problems.jsonl"
    write_jsonl(problems, sums(PROBLEMS))
    moments = random.Random(20)
    with FakeEndpoint(adds_half_the_time, latency=LATENCY, slots=4) as fake:

        def command(run: str) -> list[str]:
            arguments = [
                "eval",
                str(problems),
                "--solver",
                f"{fake.base_url}#fake",
                "--run",
                str(tmp_path / run),
            ]
            return [sys.executable, "-m", "eduflow", *arguments]

        kills = []
        for number in range(KILLS):
            # Some right after the start, so that two kills come without any work between them.
            delay = 0.3 if number % 3 == 2 else moments.uniform(0.8, 2.0)
            ended = run_and_kill(command("killed"), delay)
            if not ended.killed:
                break
            kills.append(ended.moment)
        assert len(kills) == KILLS, "the run was over before the last kill: it proves less than it says"
        last = run_and_kill(command("killed"), None)
        assert last.returncode == 0, last.output
        repeated = defaultdict(list)
        for seen in fake.requests:
            repeated[seen.raw].append(seen.at)
        before = fake.count
        again = run_and_kill(command("killed"), None)
        assert again.returncode == 0
        assert fake.count == before, "a finished run made a call"
        recomputed = run_and_kill([*command("killed"), "--recompute"], None)
        assert "the records are the same as before" in recomputed.output
        assert fake.count == before
        undisturbed = run_and_kill(command("undisturbed"), None)
        assert undisturbed.returncode == 0
    for times in repeated.values():
        for earlier in times[:-1]:
            kill = min((moment for moment in kills if moment >= earlier), default=None)
            assert kill is not None, "a call was repeated without a kill between"
            assert kill - (earlier + LATENCY) < SLACK, "a call that had long finished was repeated"
    assert records(tmp_path / "killed") == records(tmp_path / "undisturbed")
    assert Counter(mode for _, mode in records(tmp_path / "killed")) == {"direct": PROBLEMS, "cot": PROBLEMS}
