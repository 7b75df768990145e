"""`eduflow endpoints`: what the configured endpoints can do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from eduflow.engine.endpoints import Endpoint
    from eduflow.engine.probe import Check

app = typer.Typer(help="Endpoints: the models that are asked.", no_args_is_help=True)


@app.callback()
def group() -> None:
    """Endpoints: the models that are asked."""


@app.command()
def check(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME | URL#MODEL | local | FILE.gguf]...",
            help="Which endpoints; all of eduflow.toml where none is named.",
        ),
    ] = None,
    config: Annotated[
        Path | None, typer.Option(help="The configuration; ./eduflow.toml where it is not given.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Ask each endpoint whether it answers, lists the model, sees images, gives log-probabilities, honours n, a
    seed and a JSON schema. Ends with exit code 2 where one does not answer.

    Example: eduflow endpoints check http://localhost:8000/v1#Qwen2.5-VL-7B-Instruct
    """
    import asyncio

    from eduflow.engine.config import load_config, resolve
    from eduflow.errors import ConfigError

    loaded = load_config(config)
    chosen = names or list(loaded.endpoints)
    if not chosen:
        raise ConfigError(
            "there is no endpoint to check: name one as URL#MODEL, or write eduflow.toml (see docs/endpoints.md)"
        )
    checks = asyncio.run(_check([resolve(name, loaded) for name in chosen]))
    if as_json:
        typer.echo(
            json.dumps(
                {"schema_version": 1, "endpoints": [done.to_json() for done in checks]}, ensure_ascii=False
            )
        )
    else:
        _show(checks)
    if not all(done.answers for done in checks):
        raise typer.Exit(2)


async def _check(endpoints: list[Endpoint]) -> list[Check]:
    from eduflow.engine.engine import Engine, Persistence
    from eduflow.engine.probe import check_endpoint

    async with Engine(persistence=Persistence(first_patience=0.0, patience=0.0)) as engine:
        return [await check_endpoint(engine, endpoint) for endpoint in endpoints]


def _show(checks: list[Check]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    words = {
        True: Text("yes", style="green"),
        False: Text("no", style="red"),
        None: Text("unknown", style="yellow"),
    }
    console = Console()
    for done in checks:
        table = Table(title=Text(f"{done.endpoint} ({done.model})"), title_justify="left", show_header=False)
        for finding in done.findings:
            table.add_row(Text(finding.what), words[finding.holds], Text(finding.detail, overflow="fold"))
        console.print(table)
