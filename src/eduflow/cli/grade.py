"""`eduflow grade`: grade answers, and say why a grade is what it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from eduflow.cli.common import (
    Defaults,
    Format,
    Language,
    Limit,
    Map,
    PerCell,
    counting,
    print_finished,
    problem_set,
    run_settings,
    stoppable,
)
from eduflow.cli.common import (
    pairs as name_value_pairs,
)
from eduflow.errors import ConfigError

app = typer.Typer(
    help="Grade answers that were made elsewhere, or see how a grade comes about.",
    invoke_without_command=True,
)


@app.callback()
def grade_command(
    context: typer.Context,
    problems: Annotated[str | None, typer.Option(help="A file or folder of problems, or 'k12mini'.")] = None,
    predictions: Annotated[
        Path | None, typer.Option(help="JSONL or CSV: id, output, optionally sample, mode, finish_reason.")
    ] = None,
    format: Format = None,
    map: Map = None,
    output_map: Annotated[
        str | None, typer.Option(help="Columns of the predictions: id=ID,output=ANSWER,...")
    ] = None,
    defaults: Defaults = None,
    language: Language = None,
    limit: Limit = None,
    per_cell: PerCell = None,
    solver: Annotated[
        str | None, typer.Option(help="What to call the model; the file's name if left out.")
    ] = None,
    shown: Annotated[
        str, typer.Option(help="What the model saw of problems with images: images, captions or dropped.")
    ] = "images",
    judge: Annotated[
        str | None, typer.Option(help="The endpoint that is asked about answers that don't match.")
    ] = None,
    judge_preset: Annotated[
        str, typer.Option(help="How the judge is asked: eduflow or k12vista.")
    ] = "eduflow",
    judge_swap: Annotated[
        bool, typer.Option(help="Ask twice with the sides swapped; rescue on agreement.")
    ] = False,
    judge_schema: Annotated[bool, typer.Option(help="Send the judge a JSON schema (vLLM, SGLang).")] = False,
    second_opinion: Annotated[
        str | None, typer.Option(help="'math-verify' to ask it behind the comparators.")
    ] = None,
    prompts: Annotated[
        Path | None, typer.Option(help="A folder of templates that replace the package's.")
    ] = None,
    seed: Annotated[int, typer.Option(help="The run's seed.")] = 0,
    run: Annotated[
        Path | None, typer.Option(help="The run's folder; named after set and model if left out.")
    ] = None,
    config: Annotated[
        Path | None, typer.Option(help="The endpoints' file; ./eduflow.toml if left out.")
    ] = None,
    reuse: Annotated[
        list[Path] | None, typer.Option(help="Take over the judge's calls of another run.")
    ] = None,
    retry_failed: Annotated[bool, typer.Option(help="Ask failed calls of the judge again.")] = False,
    recompute: Annotated[bool, typer.Option(help="Grade everything anew.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON on stdout.")] = False,
) -> None:
    """Grade outputs that were made elsewhere. Formats that record outputs (gaokao_bench, math_v) need no --predictions.

    Example: eduflow grade --problems problems.jsonl --predictions outputs.jsonl
    """
    if context.invoked_subcommand is not None:
        return
    if problems is None:
        raise ConfigError("name the problems with --problems; see 'eduflow grade --help'")
    if shown not in ("images", "captions", "dropped"):
        raise ConfigError(f"--shown is images, captions or dropped, not '{shown}'")
    from eduflow import evaluation as room

    settings = room.GradeSettings(
        problems=problem_set(
            problems,
            format,
            language,
            limit,
            per_cell,
            None,
            name_value_pairs("--map", map),
            name_value_pairs("--default", defaults),
        ),
        predictions=predictions,
        columns=name_value_pairs("--output-map", output_map),
        solver=solver,
        shown=cast(Any, shown),
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
        ),
    )
    with stoppable(), counting("reading") as tick:
        finished = room.run_now(room.grade(settings, tick=tick))
    print_finished(finished, as_json)


# A gold such as -1 is an argument, not an unknown option.
@app.command(context_settings={"ignore_unknown_options": True})
def explain(
    gold: Annotated[
        str, typer.Argument(help='The gold answer; for several blanks a JSON list: \'["37", "20"]\'.')
    ],
    answer: Annotated[str, typer.Argument(help="The answer to grade.")],
    question: Annotated[str, typer.Option(help="The question, which may ask for a unit or a form.")] = "",
    type: Annotated[str, typer.Option(help="The type of the problem: choice, blank or free.")] = "blank",
    subject: Annotated[
        str | None, typer.Option(help="The subject: in chemistry, letters are symbols of elements.")
    ] = None,
    output: Annotated[
        bool, typer.Option("--output", help="The answer is a whole model output; extract from it.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show what is extracted, how it is read, who compares it and what comes out. No judge is asked.

    Example: eduflow grade explain '500 cm' 'So the length is \\boxed{5 m}' --output
    """
    from eduflow.grade.explain import explain as explained
    from eduflow.grade.explain import render

    explanation = explained(
        gold, answer, question=question, type=type, form="output" if output else None, subject=subject
    )
    if as_json:
        typer.echo(json.dumps(explanation.to_json(), ensure_ascii=False))
    else:
        render(explanation)


@app.command()
def pairs(
    file: Annotated[Path, typer.Argument(help="JSON lines with gold and answer; see docs/judge.md.")],
) -> None:
    """Grade pairs of gold and answer without a judge: one JSON line each, with verdict, comparator, extracted.

    Example: eduflow grade pairs pairs.jsonl | grep '"miss"'
    """
    import sys

    from eduflow.engine.files import json_bytes
    from eduflow.grade.pairs import check_pair, graded_row, read_pairs

    out = sys.stdout.buffer
    for number, pair in read_pairs(file):
        out.write(json_bytes(graded_row(number, pair, check_pair(pair))) + b"\n")
    out.flush()
