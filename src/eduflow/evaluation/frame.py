"""What surrounds the making of records: the configuration, what was there before, the progress, the report at the end."""

from __future__ import annotations

import hashlib
import platform
import sys
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from importlib import metadata
from typing import Any, Literal

from eduflow.engine import Engine, Progress, Run
from eduflow.errors import ConfigError
from eduflow.evaluation.driver import settle_config
from eduflow.evaluation.keep import rescued
from eduflow.evaluation.settings import Finished, ProblemSet, RunSettings
from eduflow.evaluation.survey import Survey
from eduflow.grade import write_rescues
from eduflow.report import Record, config_hash, write_report


class Frame:
    """What surrounds the making of records: the configuration, what was there before, the report at the end."""

    def __init__(
        self,
        run: Run,
        engine: Engine,
        common: RunSettings,
        config: dict[str, Any],
        revision: str,
        planned: int,
    ) -> None:
        self.run, self.engine, self.common = run, engine, common
        self.config, self.revision, self.planned = config, revision, planned
        self.hash = config_hash(config)
        self.before: bytes | None = None
        self.started = datetime.now(UTC)

    def begin(self, about: Mapping[str, Any], problems: ProblemSet, found: Survey) -> None:
        settle_config(self.run, self.config)
        self.plan = {**about, "modes": sorted(about["modes"]), **selected(problems)}
        self.facts = {
            "problems": {"path": problems.path, "survey": found.to_json(), **selected(problems)},
            "versions": versions(),
        }
        if self.run.read_config() != self.config:
            self._write(about, None)
        if self.common.recompute:
            self._check_recompute()
        if self.common.recompute or self.common.retry_failed:
            # Written before anything is deleted, so that a kill in between leaves no run that looks finished.
            self.run.write_config(self.config, {**self.run.read_about(), "finished": None})
        if self.common.recompute:
            self.before = self._digest()
            self.run.delete_results(self.hash, self.revision)
        if self.common.retry_failed:
            self.run.delete_results(self.hash, self.revision, self._failed())
        self.found = self.run.count_results(self.hash, self.revision)

    def _check_recompute(self) -> None:
        """Records that the plan doesn't cover would be deleted and not made again, and those that it adds are no recomputation.

        Raises:
            ConfigError: the run's records are not exactly those of this plan.
        """
        about = self.run.read_about()
        count = self.run.count_results(self.hash, self.revision)
        if about.get("finished") != self.plan or about.get("planned") != count:
            raise ConfigError(
                f"--recompute makes the records of a finished run again, and {self.run.folder} does not hold exactly those of "
                "this command; give the modes, samples and selection that it was made with, and finish it first without "
                "--recompute"
            )

    def stopped_before(self) -> str | None:
        """The limit that stopped the run before and is to be obeyed still."""
        stops = self.run.stops()
        if stops and self.common.go_on:
            self.run.clear_stops()
            return None
        return next((reason for _, reason in stops.values()), None)

    def complete(self) -> bool:
        """Whether every record of this plan is there, so that nobody needs to go through the problems.

        Their number alone does not say it: another mode, or another shard, may have made as many.
        """
        finished = self.run.read_about().get("finished") == self.plan
        return finished and self.run.count_results(self.hash, self.revision) >= self.planned

    def progress(self) -> RecordProgress:
        done = self.run.count_results(self.hash, self.revision)
        return RecordProgress(self.engine, max(self.planned, done), done, quiet=self.common.quiet)

    def end(self, about: Mapping[str, Any], stopped: str | None) -> Finished:
        """Write the report, unless it stands already; what was made stays made whatever happens here."""
        self.run.flush()
        records = self.run.count_results(self.hash, self.revision)
        made = self.engine.total.made
        folder = self.run.folder
        before = self.run.read_about()
        finished = None if stopped else self.plan
        same = made == 0 and records == self.found
        same = same and (before.get("stopped"), before.get("finished")) == (stopped, finished)
        if records and not (same and self.before is None and (folder / "metrics.json").exists()):
            self._write(about, stopped, finished)
            write_report(self.run)
            write_rescues(folder / "rescues.jsonl", rescued(self.run, self._judged()))
        recomputed: Literal["same", "changed"] | None = None
        if self.before is not None:
            recomputed = "same" if self._digest() == self.before else "changed"
        return Finished(folder, records, self.planned, made, stopped, recomputed)

    def _write(
        self, about: Mapping[str, Any], stopped: str | None, finished: Mapping[str, Any] | None = None
    ) -> None:
        facts = {
            "planned": self.planned,
            "stopped": stopped,
            "finished": finished,
            "started": self.started.isoformat(timespec="seconds"),
            "ended": datetime.now(UTC).isoformat(timespec="seconds"),
            "calls": {
                f"{name} {tag}".strip(): {
                    "made": stats.made,
                    "cached": stats.cached,
                    "outcomes": dict(stats.outcomes),
                    "prompt_tokens": stats.prompt_tokens,
                    "completion_tokens": stats.completion_tokens,
                    "cost": stats.cost,
                }
                for (name, tag), stats in sorted(self.engine.stats.items())
            },
        }
        self.run.write_config(self.config, {**self.facts, **about, **facts})

    def _judged(self) -> Iterator[Record]:
        """The records that a judge had a word in; most are passed over unread."""
        for _, payload in self.run.results(self.hash, self.revision):
            if b'"judge"' in payload:
                yield Record.from_bytes(payload)

    def _digest(self) -> bytes:
        """A hash of all records, whatever their order."""
        total = 0
        for item, payload in self.run.results(self.hash, self.revision):
            total ^= int.from_bytes(hashlib.sha256(item.encode() + b"\0" + payload).digest(), "big")
        return total.to_bytes(32, "big")

    def _failed(self) -> list[str]:
        """The items whose record hangs on a call that failed."""
        reasons = ("failed", "judge_failed")
        return [
            item
            for item, payload in self.run.results(self.hash, self.revision)
            if b'failed"' in payload and Record.from_bytes(payload).grade.not_scored in reasons
        ]


class RecordProgress:
    """The engine's progress line around the making of records; nothing where it is to be quiet."""

    def __init__(self, engine: Engine, planned: int, done: int, *, quiet: bool) -> None:
        self._progress = None if quiet else Progress("records", planned, engine, done=done)

    def __enter__(self) -> Callable[[Record], None]:
        if self._progress is not None:
            self._progress.__enter__()
        return self._advance

    def __exit__(self, *error: Any) -> None:
        if self._progress is not None:
            self._progress.__exit__(*error)

    def _advance(self, record: Record) -> None:
        if self._progress is not None:
            self._progress.advance()


def selected(problems: ProblemSet) -> dict[str, Any]:
    shard = None if problems.shard is None else f"{problems.shard[0]}/{problems.shard[1]}"
    return {"limit": problems.limit, "per_cell": problems.per_cell, "shard": shard}


def versions() -> dict[str, str]:
    """The versions that stand in a run: EduFlow, Python, and the libraries that a result may hang on."""
    names = ("eduflow", "aiohttp", "pydantic", "pillow", "numpy", "mpmath", "xllamacpp")
    found = {"python": platform.python_version(), "platform": f"{sys.platform} {platform.machine()}"}
    for name in names:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found
