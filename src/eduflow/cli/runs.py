"""`eduflow runs`: look into run folders and merge the shards of one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from eduflow.engine.run import Summary

app = typer.Typer(help="Look into run folders, and merge the shards of one.", no_args_is_help=True)

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]


@app.command()
def merge(
    out: Annotated[Path, typer.Argument(help="The merged run; made where it is missing.")],
    runs: Annotated[list[Path], typer.Argument(help="The runs to merge: the shards of one configuration.")],
    as_json: AsJson = False,
) -> None:
    """Bring the shards of one run together in one folder.

    It can be repeated, and killed and started again. Runs whose configurations differ are refused. Where two runs hold
    different content under one key, the first stays and the conflict is counted.

    Example: eduflow runs merge runs/all runs/shard-1 runs/shard-2
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

    from eduflow.engine.shards import merge_runs

    console = Console(stderr=True)
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
    )
    tasks: dict[tuple[Path, str], TaskID] = {}

    def tell(folder: Path, kind: str, done: int, total: int | None) -> None:
        if total == 0:
            return
        if (folder, kind) not in tasks:
            tasks[folder, kind] = bar.add_task(f"{folder.name} {kind}", total=total)
        bar.update(tasks[folder, kind], completed=done)

    with bar if console.is_terminal else nullcontext():
        merged = merge_runs(out, runs, tell)
    kinds = {
        kind: {
            word: getattr(getattr(merged, kind), word) for word in ("new", "known", "replaced", "conflicts")
        }
        for kind in ("problems", "calls", "results", "stops", "images")
    }
    if as_json:
        typer.echo(json.dumps({"schema_version": 1, "run": str(out), **kinds}))
        return
    rows = [(kind, *(f"{count:,}" for count in counts.values())) for kind, counts in kinds.items()]
    _print_table(f"merged into {out}", ("", "new", "known", "replaced", "conflicts"), rows, numbers_from=1)
    if any(counts["conflicts"] for counts in kinds.values()):
        typer.echo(
            "Conflicts: the runs hold different content under one key; the first run's stays. "
            "Results that used the other call may change with --recompute.",
            err=True,
        )


@app.command()
def show(
    run: Annotated[Path, typer.Argument(help="The run's folder.")],
    check: Annotated[
        bool, typer.Option("--check", help="Read the whole journal and every image, and say what is damaged.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show what a run holds: its configuration, calls by endpoint and outcome, tokens, results, stops.

    It only reads, also while the run is going on.

    Example: eduflow runs show runs/NAME
    """
    from eduflow.engine.lock import holder, is_held
    from eduflow.engine.run import Run
    from eduflow.errors import InputError

    with Run.read(run) as opened:
        summary = opened.summary()
        config = opened.read_config()
        about = opened.read_about()
        damage = opened.check() if check else []
    state = f"being written by {holder(run)}" if is_held(run) else "not being written"
    if as_json:
        typer.echo(
            json.dumps(
                {
                    "schema_version": 1,
                    "run": str(run),
                    "state": state,
                    "config": config,
                    "about": about,
                    **_as_dict(summary),
                    **({"damage": damage} if check else {}),
                }
            )
        )
    else:
        typer.echo(
            f"{run}: {state}; {summary.problems:,} problems, {sum(count for _, _, count in summary.results):,} results, "
            f"{summary.stops:,} stopped, journal {summary.journal_bytes / 1e6:,.1f} MB"
        )
        calls = [
            (
                count.identity,
                count.tag,
                count.outcome,
                f"{count.calls:,}",
                f"{count.prompt_tokens:,}",
                f"{count.completion_tokens:,}",
                f"{count.attempts:,}",
            )
            for count in summary.calls
        ]
        head = ("model", "for", "outcome", "calls", "prompt tokens", "completion tokens", "attempts")
        _print_table("model calls", head, calls, numbers_from=3)
        results = [(config[:12], revision, f"{count:,}") for config, revision, count in summary.results]
        _print_table("results", ("configuration", "revision", "items"), results, numbers_from=2)
        if config is not None:
            typer.echo(json.dumps(config, ensure_ascii=False, indent=2))
    if damage:
        raise InputError("; ".join(damage[:5]), path=run)
    if check and not as_json:
        typer.echo("checked: nothing is damaged")


@app.command(name="list")
def list_runs(
    folder: Annotated[Path, typer.Argument(help="The folder that the runs lie in.")] = Path("runs"),
    as_json: AsJson = False,
) -> None:
    """List the runs in a folder, the newest first.

    Example: eduflow runs list
    """
    from datetime import datetime

    from eduflow.engine.lock import is_held
    from eduflow.engine.run import JOURNAL_FILE, Run
    from eduflow.errors import InputError

    if not folder.is_dir():
        raise InputError("there is no such folder", path=folder)
    journals = sorted(
        folder.glob(f"*/{JOURNAL_FILE}"), key=lambda path: (-path.stat().st_mtime, path.parent.name)
    )
    found: list[dict[str, Any]] = []
    for journal in journals:
        entry: dict[str, Any] = {
            "run": str(journal.parent),
            "written": datetime.fromtimestamp(journal.stat().st_mtime)
            .astimezone()
            .isoformat(timespec="seconds"),
            "busy": is_held(journal.parent),
        }
        try:
            with Run.read(journal.parent) as opened:
                summary = opened.summary()
            entry |= {
                "problems": summary.problems,
                "results": sum(count for _, _, count in summary.results),
                "calls": sum(count.calls for count in summary.calls),
                "failed": sum(count.calls for count in summary.calls if count.outcome == "failed"),
                "stops": summary.stops,
            }
        except InputError as error:
            entry["error"] = str(error)
        found.append(entry)
    if as_json:
        typer.echo(json.dumps({"schema_version": 1, "runs": found}))
        return
    numbers = ("problems", "results", "calls", "failed", "stops")
    rows = [
        (
            Path(entry["run"]).name,
            entry["written"][:16].replace("T", " ") + (" (busy)" if entry["busy"] else ""),
            *(f"{entry[name]:,}" if name in entry else "?" for name in numbers),
        )
        for entry in found
    ]
    _print_table(str(folder), ("run", "written", *numbers), rows, numbers_from=2)
    for entry in found:
        if "error" in entry:
            typer.echo(entry["error"], err=True)


def _as_dict(summary: Summary) -> dict[str, Any]:
    from dataclasses import asdict

    return asdict(summary) | {
        "results": [
            {"config": config, "revision": revision, "items": count}
            for config, revision, count in summary.results
        ]
    }


def _print_table(
    title: str, head: tuple[str, ...], rows: Sequence[tuple[str, ...]], *, numbers_from: int
) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(title=title, title_justify="left")
    for index, name in enumerate(head):
        table.add_column(name, justify="right" if index >= numbers_from else "left")
    for row in rows:
        table.add_row(*row)
    Console().print(table)
