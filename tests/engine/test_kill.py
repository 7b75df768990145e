"""Kill -9 at random moments: what was finished stays, nothing is there twice, and the run goes on.

EDUFLOW_KILLS=20 kills that often and also holds the loss to one second, which a starved machine may stretch.
"""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path

import pytest

from eduflow.engine import Run
from tests.support.kill import Ended, run_and_kill
from tests.support.kill_worker import CONFIG, REVISION, call_keys, image, item_name, result_of
from tests.support.runs import ROOT

KILLS = int(os.environ.get("EDUFLOW_KILLS", "6"))
ITEMS = 150 * KILLS


class Bench:
    """A run, its ledger, and what is known about them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "run"
        self.ledger_path = folder / "ledger"
        self.ready = folder / "ready"
        self.ledger_path.touch()

    def work(self, delay: float | None, *, from_ready: bool = True) -> Ended:
        command = [sys.executable, "-m", "tests.support.kill_worker"]
        command += [str(self.folder), str(self.ledger_path), str(self.ready), str(ITEMS)]
        return run_and_kill(command, delay, ready=self.ready if from_ready else None, cwd=ROOT)

    def ledger(self) -> list[tuple[str, str, float]]:
        lines = self.ledger_path.read_text().splitlines()
        return [(kind, name, float(moment)) for kind, name, moment in map(str.split, lines)]

    def lost(self, since: int) -> list[float]:
        """When each finished thing was finished that the ledger notes after line `since` and the run doesn't hold."""
        kept = []
        with Run.open(self.folder) as run:  # the lock is free again
            assert run.check() == []
            for kind, name, moment in self.ledger()[since:]:
                if kind == "call":
                    there = run.journal.get(bytes.fromhex(name)) is not None
                else:
                    there = run.has_result(name, CONFIG, REVISION)
                kept.append((there, moment))
        first_lost = next((index for index, (there, _) in enumerate(kept) if not there), len(kept))
        assert not any(there for there, _ in kept[first_lost:]), (
            "an older row is lost while a newer one is there"
        )
        return [moment for _, moment in kept[first_lost:]]

    def check_results(self) -> int:
        """Each result is there once, and is what its calls give; returns how many there are."""
        seen = set()
        with Run.read(self.folder) as run:
            for item, result in run.results(CONFIG, REVISION):
                assert item not in seen
                seen.add(item)
                calls = [run.journal.get(key) for key in call_keys(item)]
                assert result == result_of([call.reply for call in calls if call is not None])
                assert run.blob(image(item).sha256) == image(item).data
                assert run.problem(item) == item.encode()
        return len(seen)


@pytest.mark.timeout(30 + 10 * KILLS)
def test_kills_at_random_moments_lose_only_the_newest_rows_and_the_run_goes_on(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    moments = random.Random(2026)
    longest = 0.0
    hit = 0
    for kill in range(KILLS):
        before = len(bench.ledger())
        # Every third kill comes early, from the start of the process: into imports, locking and opening, and twice
        # in a row with the one before.
        early = kill % 3 == 2
        ended = bench.work(moments.uniform(0.05, 1.0), from_ready=not early)
        assert ended.killed or ended.returncode == 0, ended.output
        hit += ended.killed
        if not (bench.folder / "lock").exists():
            continue  # killed before it got that far
        lost = bench.lost(before)
        longest = max([longest, *(ended.moment - moment for moment in lost)])
        print(
            f"kill {kill}: {len(bench.ledger()) - before} finished, {len(lost)} lost, {longest:.3f} s at most"
        )
        bench.check_results()
    assert hit >= KILLS // 2
    assert bench.ledger(), "the kills came before any work"
    if "EDUFLOW_KILLS" in os.environ:
        assert longest <= 1.0

    ended = bench.work(None)
    assert ended.returncode == 0, ended.output
    assert bench.check_results() == ITEMS
    made = len(bench.ledger())
    calls = {name for kind, name, _ in bench.ledger() if kind == "call"}
    assert calls == {key.hex() for index in range(ITEMS) for key in call_keys(item_name(index))}

    ended = bench.work(None)
    assert ended.returncode == 0, ended.output
    assert len(bench.ledger()) == made, "a finished run made something again"
