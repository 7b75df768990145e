"""What several commands share: the options that name problems, the settings of a run, and what is printed at its end."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from eduflow.errors import ConfigError

if TYPE_CHECKING:
    from eduflow.evaluation import Finished, ProblemSet, RunLimits, RunSettings

Language = Annotated[
    str | None,
    typer.Option(
        help="zh or en; twins are never pooled, zh is taken where nobody chooses.",
        rich_help_panel="Which problems",
    ),
]
Limit = Annotated[
    int | None, typer.Option(help="Take at most so many problems.", rich_help_panel="Which problems")
]
PerCell = Annotated[
    int | None,
    typer.Option(
        help="Take at most so many of each subject × stage × type.", rich_help_panel="Which problems"
    ),
]
Shard = Annotated[
    str | None,
    typer.Option(
        help="i/n: take shard i of n; bring them together with 'runs merge'.",
        rich_help_panel="Which problems",
    ),
]
Format = Annotated[
    str | None,
    typer.Option(
        help="The problems' format; told by the look of the file if left out.",
        rich_help_panel="Which problems",
    ),
]
Map = Annotated[
    str | None,
    typer.Option(help="Columns of a plain table: question=Q,answer=A,...", rich_help_panel="Which problems"),
]
Defaults = Annotated[
    list[str] | None,
    typer.Option(
        "--default",
        help="A field that the file doesn't say: stage=middle. Repeatable.",
        rich_help_panel="Which problems",
    ),
]

# A pass over a file that takes no longer than this shows nothing.
PATIENCE = 2.0


def words(text: str) -> tuple[str, ...]:
    """The words of a list with commas."""
    return tuple(word.strip() for word in text.split(",") if word.strip())


def pairs(option: str, given: str | list[str] | None) -> dict[str, str]:
    """`a=b,c=d` as a dictionary.

    Raises:
        ConfigError: a part has no `=`, or a name stands twice.
    """
    found: dict[str, str] = {}
    for part in words(",".join(given) if isinstance(given, list) else given or ""):
        name, equals, value = part.partition("=")
        if not (equals and name.strip() and value.strip()):
            raise ConfigError(f"{option} is written name=value, not '{part}'")
        if name.strip() in found:
            raise ConfigError(f"{option} names '{name.strip()}' twice")
        found[name.strip()] = value.strip()
    return found


def problem_set(
    path: str,
    format: str | None,
    language: str | None,
    limit: int | None,
    per_cell: int | None,
    shard: str | None,
    columns: Mapping[str, str],
    defaults: Mapping[str, str],
) -> ProblemSet:
    """The set that the options name."""
    from eduflow.engine.shards import parse_shard
    from eduflow.evaluation import ProblemSet

    parts = parse_shard(shard) if shard else None
    return ProblemSet(path, format, columns, defaults, cast(Any, language), limit, per_cell, parts)


def run_settings(
    *,
    run: Path | None,
    config: Path | None,
    judge: str | None,
    judge_preset: str,
    judge_swap: bool,
    judge_schema: bool,
    second_opinion: str | None,
    prompts: Path | None,
    seed: int,
    reuse: list[Path] | None,
    retry_failed: bool,
    recompute: bool,
    go_on: bool = False,
    limits: RunLimits | None = None,
) -> RunSettings:
    """The settings that eval and grade share.

    Raises:
        ConfigError: an option needs another one, or its value is unknown.
    """
    from eduflow.evaluation import JudgeSettings, RunLimits, RunSettings

    if judge is None and (judge_swap or judge_schema or judge_preset != "eduflow"):
        raise ConfigError("the --judge-... options need --judge")
    if second_opinion not in (None, "math-verify"):
        raise ConfigError(f"unknown second opinion '{second_opinion}'; known: math-verify")
    return RunSettings(
        run=run,
        config=config,
        judge=None
        if judge is None
        else JudgeSettings(judge, cast(Any, judge_preset), judge_swap, judge_schema),
        second_opinion=cast(Any, second_opinion),
        prompts=prompts,
        seed=seed,
        reuse=tuple(reuse or ()),
        retry_failed=retry_failed,
        recompute=recompute,
        go_on=go_on,
        limits=limits or RunLimits(),
        quiet=False,
    )


@contextmanager
def counting(label: str) -> Iterator[Callable[[int], None]]:
    """A counter on stderr for a pass over a file, shown in a terminal once the pass takes long."""
    begun = time.monotonic()
    shown = False

    def tick(count: int) -> None:
        nonlocal shown
        if sys.stderr.isatty() and (elapsed := time.monotonic() - begun) > PATIENCE:
            shown = True
            print(f"\r{label}: {count:,} ({count / elapsed:,.0f}/s)", end="", file=sys.stderr, flush=True)

    try:
        yield tick
    finally:
        if shown:
            print(file=sys.stderr)


@contextmanager
def stoppable() -> Iterator[None]:
    """Ctrl-C ends the command with one sentence that says how to go on; the engine has kept what was finished."""
    try:
        yield
    except KeyboardInterrupt:
        _tell("stopped: every finished call is kept; the same command goes on from there")
        raise typer.Exit(130) from None


def print_finished(finished: Finished, as_json: bool) -> None:
    """The report of a run at its end, and what a user does next."""
    from eduflow.report import print_report

    if as_json:
        found = finished.folder / "metrics.json"
        metrics = json.loads(found.read_text(encoding="utf-8")) if finished.records else None
        facts = {
            "run": str(finished.folder),
            "records": finished.records,
            "planned": finished.planned,
            "calls_made": finished.made,
            "stopped": finished.stopped,
            "recomputed": finished.recomputed,
        }
        typer.echo(json.dumps({"schema_version": 1, **facts, "metrics": metrics}, ensure_ascii=False))
    elif finished.records:
        print_report(finished.folder)
        if finished.published:
            from rich.console import Console

            for grid in finished.published:
                grid.print(Console())
    held = f"{finished.records:,} of {finished.planned:,} records"
    if finished.records > finished.planned:
        held = f"{finished.records:,} records, of which this command plans {finished.planned:,}"
    _tell(f"{held}; {finished.made:,} calls made now; run: {finished.folder}")
    if finished.recomputed is not None:
        _tell(f"recomputed from the journal: the records are {_RECOMPUTED[finished.recomputed]}")
    if finished.stopped is not None:
        _tell(f"stopped by the limit on {finished.stopped}; go on with the same command and --continue")


def _tell(text: str) -> None:
    typer.echo(text, err=True)


_RECOMPUTED = {"same": "the same as before", "changed": "not the same as before"}
