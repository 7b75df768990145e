"""The commands: one file per verb, thin over the library. Errors that a user can mend end with exit code 2."""

from __future__ import annotations

import contextlib
import io
import os
import sys

import typer

from eduflow import __version__
from eduflow.cli import endpoints, grade, models, problems, runs
from eduflow.cli.eval import evaluate_command
from eduflow.cli.report import report_command
from eduflow.errors import EduflowError

app = typer.Typer(
    name="eduflow",
    help="Step-by-step reasoning on K-12 problems: evaluate models, grade answers, read the reports.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
app.command("eval")(evaluate_command)
app.add_typer(grade.app, name="grade")
app.command("report")(report_command)
app.add_typer(endpoints.app, name="endpoints")
app.add_typer(models.app, name="models")
app.add_typer(problems.app, name="problems")
app.add_typer(runs.app, name="runs")


def _version(value: bool) -> None:
    if value:
        typer.echo(f"eduflow {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version."
    ),
) -> None:
    """EduFlow's commands."""


def main() -> None:
    """Run the command line; every `EduflowError`, and whatever the system refuses, is one sentence and exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        # An old locale or code page gets a "?" for what it can't show, not a traceback.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        app()
    except EduflowError as error:
        print(f"eduflow: {error}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:
        # The reader of our output went away (`| head`): nothing is wrong, and Python must not complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        # A full disk under our output, a file that goes away while it is read: nobody needs a traceback for that.
        where = f"{error.filename}: " if error.filename is not None else ""
        with contextlib.suppress(OSError):
            print(f"eduflow: {where}{error.strerror or error}", file=sys.stderr)
        with contextlib.suppress(OSError):  # what is still buffered can't be written either
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(2)
