"""`eduflow eval`: a model's scores on a set of problems."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from eduflow.cli.common import (
    Defaults,
    Format,
    Language,
    Limit,
    Map,
    PerCell,
    Shard,
    counting,
    pairs,
    print_finished,
    problem_set,
    run_settings,
    stoppable,
    words,
)

if TYPE_CHECKING:
    from eduflow.evaluation.estimate import Estimate


def evaluate_command(
    problems: Annotated[str, typer.Argument(help="A file or folder of problems, or 'k12mini'.")],
    solver: Annotated[
        str, typer.Option(help="The model: a name from eduflow.toml, URL#MODEL, 'local', or a GGUF file.")
    ],
    mode: Annotated[
        str, typer.Option(help="direct, cot (step by step), or both with a comma.")
    ] = "direct,cot",
    samples: Annotated[
        int, typer.Option(help="Samples per problem and mode; more than 1 needs --temperature.")
    ] = 1,
    images: Annotated[
        str,
        typer.Option(
            help="auto: send if the model sees, else captions. Or send, caption, drop.",
            rich_help_panel="How problems are put",
        ),
    ] = "auto",
    captioner: Annotated[
        str | None,
        typer.Option(
            help="The endpoint that captions images which have no caption.",
            rich_help_panel="How problems are put",
        ),
    ] = None,
    judge: Annotated[
        str | None,
        typer.Option(
            help="The endpoint that is asked about answers that don't match.", rich_help_panel="The judge"
        ),
    ] = None,
    judge_preset: Annotated[
        str, typer.Option(help="How the judge is asked: eduflow or k12vista.", rich_help_panel="The judge")
    ] = "eduflow",
    judge_swap: Annotated[
        bool,
        typer.Option(
            help="Ask twice with the sides swapped; rescue on agreement.", rich_help_panel="The judge"
        ),
    ] = False,
    judge_schema: Annotated[
        bool, typer.Option(help="Send the judge a JSON schema (vLLM, SGLang).", rich_help_panel="The judge")
    ] = False,
    second_opinion: Annotated[
        str | None,
        typer.Option(help="'math-verify' to ask it behind the comparators.", rich_help_panel="The judge"),
    ] = None,
    language: Language = None,
    limit: Limit = None,
    per_cell: PerCell = None,
    shard: Shard = None,
    format: Format = None,
    map: Map = None,
    defaults: Defaults = None,
    temperature: Annotated[
        float, typer.Option(help="Sampling temperature.", rich_help_panel="How problems are put")
    ] = 0.0,
    max_tokens: Annotated[
        int, typer.Option(help="Most new tokens of a reply.", rich_help_panel="How problems are put")
    ] = 4096,
    few_shot: Annotated[
        int,
        typer.Option(
            help="Worked examples before each problem, 0 to 2.", rich_help_panel="How problems are put"
        ),
    ] = 0,
    prompts: Annotated[
        Path | None,
        typer.Option(
            help="A folder of templates that replace the package's.", rich_help_panel="How problems are put"
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="The run's seed.", rich_help_panel="How problems are put")] = 0,
    run: Annotated[
        Path | None,
        typer.Option(
            help="The run's folder; named after set and model if left out.", rich_help_panel="The run"
        ),
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option(help="The endpoints' file; ./eduflow.toml if left out.", rich_help_panel="The run"),
    ] = None,
    reuse: Annotated[
        list[Path] | None,
        typer.Option(help="Take over the calls of another run. Repeatable.", rich_help_panel="The run"),
    ] = None,
    retry_failed: Annotated[
        bool, typer.Option(help="Ask failed calls again.", rich_help_panel="The run")
    ] = False,
    recompute: Annotated[
        bool, typer.Option(help="Make every record anew from the journal.", rich_help_panel="The run")
    ] = False,
    go_on: Annotated[
        bool,
        typer.Option("--continue", help="Go on with a run that a limit stopped.", rich_help_panel="The run"),
    ] = False,
    max_calls: Annotated[
        int | None, typer.Option(help="Stop before so many calls are passed.", rich_help_panel="Limits")
    ] = None,
    max_total_tokens: Annotated[
        int | None, typer.Option(help="Stop before so many tokens are passed.", rich_help_panel="Limits")
    ] = None,
    max_cost: Annotated[
        float | None, typer.Option(help="Stop before so much money is passed.", rich_help_panel="Limits")
    ] = None,
    max_minutes: Annotated[
        float | None, typer.Option(help="Start nothing new after so many minutes.", rich_help_panel="Limits")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option(help="Say what it would take, and stop.", rich_help_panel="The run")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON on stdout.", rich_help_panel="The run")
    ] = False,
) -> None:
    """Evaluate a model on K-12 problems: every finished call is kept, and the same command goes on where it was.

    Example: eduflow eval problems.jsonl --solver http://localhost:8000/v1#Qwen2.5-VL-7B-Instruct --mode direct,cot
    """
    from eduflow import evaluation as room

    settings = room.EvalSettings(
        problems=problem_set(
            problems,
            format,
            language,
            limit,
            per_cell,
            shard,
            pairs("--map", map),
            pairs("--default", defaults),
        ),
        solver=solver,
        modes=cast(Any, words(mode)),
        samples=samples,
        images=cast(Any, images),
        captioner=captioner,
        temperature=temperature,
        max_tokens=max_tokens,
        few_shot=few_shot,
        common=run_settings(
            run=run,
            config=config,
            judge=judge,
            judge_preset=judge_preset,
            judge_swap=judge_swap,
            judge_schema=judge_schema,
            second_opinion=second_opinion,
            prompts=prompts,
            seed=seed,
            reuse=reuse,
            retry_failed=retry_failed,
            recompute=recompute,
            go_on=go_on,
            limits=room.RunLimits(max_calls, max_total_tokens, max_cost, max_minutes),
        ),
    )
    with stoppable(), counting("looking at the problems") as tick:
        if dry_run:
            _print_estimate(room.run_now(room.dry_run(settings, tick=tick)), as_json)
            return
        finished = room.run_now(room.evaluate(settings, tick=tick))
    print_finished(finished, as_json)


def _print_estimate(found: Estimate, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(found.to_json()))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(
        title=f"Dry run, estimated from {found.drawn} of {found.problems:,} problems", show_header=False
    )
    table.add_row("calls", f"{found.calls:,}")
    if found.judge_calls:
        table.add_row("calls of the judge", f"at most {found.judge_calls:,}")
    table.add_row("prompt tokens", f"about {found.prompt_tokens:,}")
    table.add_row("new tokens", f"about {found.new_tokens:,}, at most {found.most_new_tokens:,}")
    if found.cost is None or found.most_cost is None:
        table.add_row("cost", "no prices are set for this endpoint")
    else:
        table.add_row(
            "cost", f"about {found.cost:.2f}, at most {found.most_cost:.2f} {found.currency}, without a judge"
        )
    table.add_row("time", f"about {found.minutes:.1f} min at 40 tokens/s in each slot")
    Console().print(table)
