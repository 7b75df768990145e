"""The report of one run: its title, tables and notes, for a terminal and for Markdown."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from eduflow import __version__
from eduflow.problem import STAGES, SUBJECTS, TYPES
from eduflow.report.columns import DECIDERS, ENDINGS, NOT_SCORED, Columns
from eduflow.report.grids import (
    Grid,
    code,
    code_block,
    count,
    escaped,
    figure_cell,
    mean_cell,
    percent,
    signed,
    span,
    titled,
)
from eduflow.report.metrics import MINIMUM, Figure, Metrics, ModeMetrics
from eduflow.report.records import Source

if TYPE_CHECKING:
    from rich.console import Console

READING = (
    "A score is the mean of the verdicts per blank, in percent; under it the 95% interval and n, the problems scored "
    f"(of all). A group of fewer than {MINIMUM} scored problems makes no claim: it shows only how many of them were right."
)


def title(source: Source, found: Metrics | Columns) -> str:
    """Who was tested on what, and what stood for the images."""
    problems = source.config.get("problems")
    set_name = problems.get("name") if isinstance(problems, dict) else None
    note = input_note(found.inputs, found.problems)
    name = f"{found.solver} on {set_name or source.name} ({' and '.join(found.languages)})"
    return f"{name}; {note}" if note else name


def input_note(inputs: Mapping[str, int], problems: int) -> str:
    """What the title says about images, "" where they were sent or there are none."""
    said = []
    if captions := inputs.get("captions"):
        said.append(f"captions in place of images ({captions:,} of {problems:,} problems)")
    if dropped := inputs.get("dropped"):
        said.append(f"images dropped ({dropped:,} of {problems:,} problems)")
    return ", ".join(said)


def stage_grid(metrics: Metrics) -> Grid:
    """Primary, Middle, High and Overall of every mode, macro and the solved rate beside them."""
    rows = []
    for name, mode in metrics.modes.items():
        score = mode.score
        stages = [figure_cell(score.stages.get(stage)) for stage in STAGES]
        rows.append(
            (
                name,
                *stages,
                figure_cell(score.overall),
                mean_cell(score.macro, "cell"),
                figure_cell(mode.solved.overall),
            )
        )
    if metrics.average is not None:
        blanks = ("",) * len(STAGES)
        rows.append(("Avg.", *blanks, mean_cell(metrics.average, "mode"), "", ""))
    return Grid("Answer score", ("mode", *titled(STAGES), "Overall", "Macro", "Solved"), tuple(rows))


def matrix_grid(name: str, mode: ModeMetrics) -> Grid:
    """Subject × type of one mode, with the sums of both."""
    score = mode.score
    types = [kind for kind in TYPES if kind in score.types]
    rows = [
        (
            subject,
            *(figure_cell(score.subject_type[subject].get(kind)) for kind in types),
            figure_cell(score.subjects[subject]),
        )
        for subject in SUBJECTS
        if subject in score.subjects
    ]
    rows.append(("all", *(figure_cell(score.types[kind]) for kind in types), figure_cell(score.overall)))
    return Grid(f"Subject × type, {name}", ("", *titled(types), "All"), tuple(rows))


def pass_grid(metrics: Metrics) -> Grid | None:
    """pass@k of the modes that have several samples per problem."""
    rows = [
        (name, str(k), figure_cell(figure))
        for name, mode in metrics.modes.items()
        for k, figure in mode.pass_at.items()
    ]
    return (
        Grid("pass@k: at least one of k samples is wholly right", ("mode", "k", "pass@k"), tuple(rows))
        if rows
        else None
    )


def counts_grid(metrics: Metrics) -> Grid:
    """What the figures stand on: solutions by scoring and by ending, blanks by who decided them, tokens."""
    modes = list(metrics.modes.values())
    overalls = [mode.score.overall for mode in modes]

    def row(label: str, values: list[str]) -> tuple[str, ...]:
        return (label, *values)

    rows = [
        row("problems", [count(figure.problems) for figure in overalls]),
        row("solutions", [count(figure.total) for figure in overalls]),
        row("· scored", [count(figure.scored) for figure in overalls]),
    ]
    rows += [
        row(
            f"· not scored: {_words(reason)}",
            [count(figure.not_scored.get(reason, 0)) for figure in overalls],
        )
        for reason in NOT_SCORED
        if any(reason in figure.not_scored for figure in overalls)
    ]
    rows += [
        row(f"ended {_words(ending)}", [count(figure.endings.get(ending, 0)) for figure in overalls])
        for ending in ENDINGS
        if any(ending in figure.endings for figure in overalls)
    ]
    if any(figure.scored < figure.total for figure in overalls):
        rows.append(
            row("lower bound of Overall (not scored = 0)", [percent(f.lower_bound) for f in overalls])
        )
    for who in DECIDERS:
        decided = [mode.decided_by[who] for mode in modes]
        if any(sum(entry.values()) for entry in decided):
            label = "blanks decided by nobody" if who == "none" else f"blanks decided by {who}"
            if who == "settled":
                label = "blanks settled without asking anybody"
            shares = [_share(mode, who) for mode in modes]
            rows.append(row(label, shares))
    if any(mode.tokens["solutions"] for mode in modes):
        for kind in ("prompt", "completion"):
            rows.append(row(f"{kind} tokens", [count(mode.tokens[kind]) for mode in modes]))
    return Grid("What the figures stand on", ("", *metrics.modes), tuple(rows))


def _share(mode: ModeMetrics, who: str) -> str:
    mine = sum(mode.decided_by[who].values())
    total = sum(sum(entry.values()) for entry in mode.decided_by.values())
    return f"{mine:,} ({100 * mine / total:.0f}%)" if total else "0"


def _words(code: str) -> str:
    return {"judge_failed": "the judge failed", "judge_unparsed": "the judge was not understood"}.get(
        code, code.replace("_", " ")
    )


def notes(source: Source, metrics: Metrics) -> list[str]:
    """Sentences that belong beside the tables."""
    said = []
    planned = source.about.get("planned")
    if isinstance(planned, int) and planned > metrics.solutions:
        said.append(
            f"The run is not finished: {metrics.solutions:,} of {planned:,} planned solutions are there."
        )
    for reason, number in source.stopped.items():
        said.append(f"Stopped by the limit on {reason or 'the run'}: {count(number)} problem(s).")
    told = source.about.get("notes")
    said += [_sentence(str(note)) for note in told] if isinstance(told, list) else []
    undecided = sum(mode.decided_by["none"]["wrong"] for mode in metrics.modes.values())
    if undecided:
        said.append(
            f"{undecided:,} blanks count 0 because no comparator accepted them and no judge was asked: with them the "
            "scores are a lower bound."
        )
    if any(mode.score.overall.scored < mode.score.overall.total for mode in metrics.modes.values()):
        said.append("What is not scored stays out of a score; the lower bound counts it as 0.")
    if len(metrics.languages) > 1:
        said.append("The problems are in several languages, each problem in one.")
    return said


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")


def facts(source: Source) -> list[tuple[str, str]]:
    """What made the figures: configuration, hashes, versions, one name and one value each."""
    found = [("run", str(source.path))]
    if source.config_hash:
        found.append(("configuration" if source.config else "file", source.config_hash[:12]))
    if source.fingerprint:
        found.append(("problem set", source.fingerprint[:12]))
    solver = source.config.get("solver")
    if isinstance(solver, dict) and solver.get("identity"):
        found.append(("solver", str(solver["identity"])))
    if source.revision:
        found.append(("algorithm", source.revision))
    judge = source.config.get("grader", {}) if isinstance(source.config.get("grader"), dict) else {}
    if "judge" in judge:
        found.append(("judge", _judge_name(judge["judge"])))
    versions = source.about.get("versions")
    if isinstance(versions, dict):
        found += [(str(name), str(versions[name])) for name in ("eduflow", "python") if name in versions]
    return [*found, ("reported by", f"eduflow {__version__}")]


def _judge_name(judge: Any) -> str:
    if not isinstance(judge, dict):
        return "none" if judge is None else str(judge)
    name = judge.get("identity") or judge.get("endpoint") or judge.get("model")
    return str(name) if name else "yes"


def published_grid(
    figures: Mapping[str, Figure], published: Mapping[str, float], *, title: str, ours: str = "ours"
) -> Grid:
    """Our figures beside published ones.

    Args:
        figures: by name, e.g. `metrics.modes["output"].score.groups`.
        published: the published share of 0..1 under the same names; a name that only one side has keeps its row.
        title: names the publication.
        ours: the head of our column.
    """
    rows = []
    for name in [*published, *(name for name in figures if name not in published)]:
        figure, theirs = figures.get(name), published.get(name)
        mine = None if figure is None else figure.value
        difference = "" if mine is None or theirs is None else signed(mine - theirs)
        interval = span(figure.interval) if figure is not None and figure.interval is not None else ""
        seen = "" if figure is None else f"{figure.problems_scored:,}/{figure.problems:,}"
        rows.append((name, percent(mine), interval, percent(theirs), difference, seen))
    return Grid(title, ("", ours, "95%", "published", "difference", "n"), tuple(rows))


def grids(metrics: Metrics) -> list[Grid]:
    """The tables of one run, in their order."""
    found = [stage_grid(metrics)]
    found += [matrix_grid(name, mode) for name, mode in metrics.modes.items()]
    if (passed := pass_grid(metrics)) is not None:
        found.append(passed)
    return [*found, counts_grid(metrics)]


def print_metrics(source: Source, metrics: Metrics, console: Console) -> None:
    """One run's report in a terminal."""
    from rich.text import Text

    console.print(Text(title(source, metrics), style="bold"))
    for grid in grids(metrics):
        grid.print(console)
    console.print(Text(READING, style="dim"))
    for note in notes(source, metrics):
        console.print(Text(note))
    line = " · ".join(value if name == "run" else f"{name} {value}" for name, value in facts(source))
    console.print(Text(line, style="dim"))


def markdown(source: Source, metrics: Metrics) -> str:
    """One run's report as Markdown, with its whole configuration."""
    parts = [f"# {escaped(title(source, metrics))}", READING]
    parts += [grid.markdown() for grid in grids(metrics)]
    if said := notes(source, metrics):
        parts.append("\n".join(f"- {escaped(note)}" for note in said))
    parts.append("## How it was made")
    parts.append("\n".join(f"- {name}: {code(value)}" for name, value in facts(source)))
    for name, content in (("Configuration", source.config), ("About the run", source.about)):
        if content:
            text = json.dumps(content, ensure_ascii=False, indent=2, sort_keys=True)
            parts.append(f"{name}:\n\n{code_block(text, 'json')}")
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"
