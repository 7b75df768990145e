"""`eduflow problems`: make procedural problems, and look at problems of any format."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from eduflow.cli.common import PATIENCE, words
from eduflow.errors import ConfigError, InputError

if TYPE_CHECKING:
    from eduflow.problem import ImageRef, Problem

app = typer.Typer(help="Make procedural problems, and look at problem files.", no_args_is_help=True)

_SUFFIXES = (".jsonl", ".jsonl.gz", ".parquet")


@app.command()
def generate(
    n: Annotated[int, typer.Option("-n", help="How many problems; twins count as one.")] = 1000,
    seed: Annotated[int, typer.Option(help="Equal seeds give equal problems; a larger -n only adds.")] = 0,
    out: Annotated[
        Path | None, typer.Option(help="The file to write: .jsonl, .jsonl.gz or .parquet.")
    ] = None,
    language: Annotated[str, typer.Option(help="zh, en, or both (two twins a problem).")] = "zh",
    templates: Annotated[str | None, typer.Option(help="Names with commas; all if left out.")] = None,
    embed: Annotated[
        bool, typer.Option("--embed", help="Put pictures into the file, not into images/ beside it.")
    ] = False,
    list_: Annotated[bool, typer.Option("--list", help="List the templates and stop.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    """Make school problems with answers, steps and pictures, as many as wanted.

    Example: eduflow problems generate -n 1000 --seed 0 --language both --out problems.jsonl
    """
    from eduflow.benchmarks import procedural

    names = None if templates is None else list(words(templates))
    if list_:
        _list(procedural, names, as_json)
        return
    if out is None:
        raise ConfigError("--out is missing: name the file to write, such as problems.jsonl")
    if not out.name.endswith(_SUFFIXES):
        raise ConfigError(f"--out must end in {', '.join(_SUFFIXES)}, not '{out.name}'")
    problems = procedural.generate(n, seed, cast(Any, language), names)

    from eduflow.formats import write_jsonl, write_parquet
    from eduflow.problem import Problem

    summary = _Summary()
    folder = None if embed else out.parent / "images"
    begun = time.monotonic()
    stream = summary.seen(_placed(problems, folder))
    with _progress(stream, n * (2 if language == "both" else 1)) as shown:
        if out.name.endswith(".parquet"):
            written = write_parquet(out, shown, Problem)
        else:
            written = write_jsonl(out, shown)
    seconds = time.monotonic() - begun
    facts = {
        "schema_version": 1,
        "out": str(out),
        "problems": n,
        "records": written,
        "images": str(folder) if folder and summary.pictures else None,
        "with_image": summary.pictures,
        "seed": seed,
        "language": language,
        "templates": len(names) if names is not None else len(procedural.TEMPLATES),
        "subjects": dict(summary.subjects),
        "types": dict(summary.types),
        "stages": dict(summary.stages),
        "seconds": round(seconds, 3),
    }
    if as_json:
        typer.echo(json.dumps(facts, ensure_ascii=False))
        return
    shares = ", ".join(f"{name} {count:,}" for name, count in (summary.types + summary.subjects).items())
    typer.echo(
        f"{written:,} problems written to {out} in {seconds:.1f} s "
        f"({written / max(seconds, 1e-9):,.0f}/s), {summary.pictures:,} with a picture: {shares}"
    )


@app.command()
def show(
    file: Annotated[Path, typer.Argument(help="Problems in any format that EduFlow reads.")],
    limit: Annotated[int, typer.Option(help="At most so many problems.")] = 5,
    skip: Annotated[int, typer.Option(help="Pass over so many first.")] = 0,
) -> None:
    """Print problems with answers and reference steps, to read them.

    Example: eduflow problems show problems.jsonl --limit 3
    """
    from itertools import islice

    from eduflow.formats import open_problems

    if limit < 0 or skip < 0:
        raise ConfigError("--limit and --skip must be 0 or more")
    for problem in islice(open_problems(file), skip, skip + limit):
        typer.echo(_text(problem))


def _text(problem: Problem) -> str:
    grade = "" if problem.grade is None else f"grade {problem.grade}, "
    place = f"{problem.subject}, {problem.stage}, {grade}{problem.type}, {problem.language}"
    lines = [f"── {problem.id} ({place})", problem.question]
    lines += [f"  {option.key}. {option.text}" for option in problem.options]
    lines += [f"  image: {image.name}" for image in problem.images]
    lines += [f"  caption: {caption}" for caption in problem.captions]
    lines += [f"  step {number}: {step}" for number, step in enumerate(problem.solution, 1)]
    lines.append(f"  answer: {' | '.join(problem.answers)}\n")
    return "\n".join(lines)


def _list(procedural: Any, names: list[str] | None, as_json: bool) -> None:
    kinds = procedural.known(list(procedural.TEMPLATES) if names is None else names)
    if as_json:
        rows = [
            {
                "name": kind.name,
                "subject": kind.subject,
                "grade": kind.grade,
                "type": kind.type,
                "image": kind.image,
                "knowledge_points": [{"zh": zh, "en": en} for zh, en in kind.knowledge],
            }
            for kind in kinds
        ]
        typer.echo(json.dumps({"schema_version": 1, "templates": rows}, ensure_ascii=False))
        return
    for kind in kinds:
        points = "; ".join(en for _, en in kind.knowledge)
        image = "image" if kind.image else ""
        typer.echo(
            f"{kind.name:<24} {kind.subject:<10} grade {kind.grade:<3} {kind.type:<7} {image:<6} {points}"
        )


class _Summary:
    """What went by, counted."""

    def __init__(self) -> None:
        self.subjects: Counter[str] = Counter()
        self.types: Counter[str] = Counter()
        self.stages: Counter[str] = Counter()
        self.pictures = 0

    def seen(self, problems: Iterator[Problem]) -> Iterator[Problem]:
        for problem in problems:
            self.subjects[problem.subject] += 1
            self.types[problem.type] += 1
            self.stages[problem.stage] += 1
            self.pictures += bool(problem.images)
            yield problem


def _placed(problems: Iterator[Problem], folder: Path | None) -> Iterator[Problem]:
    """The problems with their pictures in files named by hash; as they are where `folder` is None."""
    for problem in problems:
        if folder is None or not problem.images:
            yield problem
        else:
            yield problem.model_copy(update={"images": tuple(_stored(i, folder) for i in problem.images)})


def _stored(image: ImageRef, folder: Path) -> ImageRef:
    import secrets

    from eduflow.problem import ImageRef

    assert image.sha256 is not None
    # Two levels, so that a million pictures don't lie in one folder.
    path = folder / image.sha256[:2] / f"{image.sha256}.png"
    if not path.exists():
        temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            temporary.write_bytes(image.read())
            temporary.replace(path)
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror}", path=path) from None
        finally:
            temporary.unlink(missing_ok=True)
    return ImageRef(path=str(path.absolute()), sha256=image.sha256)


class _progress:
    """A bar with its rate on stderr, in a terminal, once the work takes longer than two seconds."""

    def __init__(self, problems: Iterator[Problem], total: int) -> None:
        self._problems = problems
        self._total = total
        self._bar: Any = None

    def __enter__(self) -> Iterator[Problem]:
        return self._counted() if sys.stderr.isatty() else self._problems

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def _counted(self) -> Iterator[Problem]:
        begun = last = time.monotonic()
        task: Any = None
        for count, problem in enumerate(self._problems, 1):
            yield problem
            now = time.monotonic()
            if now - last < 0.1 or now - begun < PATIENCE:
                continue
            last = now
            if self._bar is None:
                self._bar = _bar()
                task = self._bar.add_task("problems", total=self._total, rate="")
                self._bar.start()
            self._bar.update(task, completed=count, rate=f"{count / (now - begun):,.0f}/s")


def _bar() -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
