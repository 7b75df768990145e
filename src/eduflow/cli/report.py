"""`eduflow report`: the figures of one run, the difference of two, or a leaderboard of many."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer


def report_command(
    runs: Annotated[list[Path], typer.Argument(help="Run folders, or JSONL exports of their records.")],
    baseline: Annotated[
        str | None, typer.Option(help="A leaderboard with gains over this run, by its folder's name.")
    ] = None,
    leaderboard: Annotated[
        bool, typer.Option("--leaderboard", help="A leaderboard also of one or two runs.")
    ] = False,
    language: Annotated[
        str | None, typer.Option(help="Only the problems in this language: zh or en.")
    ] = None,
    force: Annotated[
        bool,
        typer.Option("--force", help="Compare runs of different problem sets or languages all the same."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
    markdown: Annotated[Path | None, typer.Option(help="Write the report as Markdown.")] = None,
    csv: Annotated[Path | None, typer.Option(help="Write every figure as CSV (opens in Excel).")] = None,
    flips: Annotated[
        Path | None, typer.Option(help="Of two runs: write every problem that flipped, as JSONL.")
    ] = None,
    export: Annotated[Path | None, typer.Option(help="Of one run: write its records as JSONL.")] = None,
) -> None:
    """Show the figures of a run, the paired difference of two, or a leaderboard of several.

    Example: eduflow report runs/mine
    Example: eduflow report runs/before runs/after --flips flips.jsonl
    Example: eduflow report runs/a runs/b runs/c --baseline a --markdown leaderboard.md
    """
    from rich.console import Console

    from eduflow.errors import ConfigError
    from eduflow.problem import LANGUAGES
    from eduflow.report import boards, compare, files, pairs, tables
    from eduflow.report.columns import collect
    from eduflow.report.metrics import metrics_of
    from eduflow.report.records import open_source, write_records

    if language not in (None, *LANGUAGES):
        raise ConfigError(f"unknown language '{language}'; known: {', '.join(LANGUAGES)}")
    as_board = leaderboard or baseline is not None or len(runs) > 2
    if flips is not None and (as_board or len(runs) != 2):
        raise ConfigError("--flips needs exactly two runs, and no --leaderboard or --baseline")
    if export is not None and len(runs) != 1:
        raise ConfigError("--export needs exactly one run")
    if len({path.resolve() for path in runs}) < len(runs):
        raise ConfigError("a run is named twice")
    sources = [open_source(path) for path in runs]
    console = Console()

    if as_board:
        board = boards.leaderboard(sources, baseline=baseline, language=language, force=force)
        if markdown is not None:
            files.write_text(markdown, boards.leaderboard_markdown(board))
        if csv is not None:
            files.write_csv(csv, [(row.source, row.metrics) for row in board.rows])
        if as_json:
            typer.echo(json.dumps(board.to_json(), allow_nan=False))
        else:
            boards.print_leaderboard(board, console)
    elif len(sources) == 2:
        first, second = ((source, collect(source.glances(), language=language)) for source in sources)
        one, other = boards.names_of(sources)
        found = compare.compare(first, second, force=force, names=(one, other))
        if markdown is not None:
            files.write_text(markdown, pairs.comparison_markdown(found))
        if csv is not None:
            files.write_csv(csv, [(source, metrics_of(columns)) for source, columns in (first, second)])
        if flips is not None:
            pairs.write_flips(flips, found)
        if as_json:
            made = [files.source_json(source) for source in sources]
            typer.echo(json.dumps(found.to_json() | {"kind": "pair", "runs": made}, allow_nan=False))
        else:
            pairs.print_comparison(found, console)
    else:
        source = sources[0]
        figures = metrics_of(collect(source.glances(), language=language))
        if export is not None:
            write_records(export, source.records())
        if markdown is not None:
            files.write_text(markdown, tables.markdown(source, figures))
        if csv is not None:
            files.write_csv(csv, [(source, figures)])
        if as_json:
            typer.echo(json.dumps(files.metrics_json(source, figures), allow_nan=False))
        else:
            tables.print_metrics(source, figures, console)
