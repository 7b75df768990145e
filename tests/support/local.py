"""The small local model in tests: where it is, or why a test that needs it is skipped."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from eduflow.engine import models
from eduflow.errors import ConfigError


def smollm2() -> Path:
    """The model's file; skips the test where the `local` extra or the weights are missing."""
    if find_spec("xllamacpp") is None:
        pytest.skip("the 'local' extra is not installed")
    try:
        return models.find("smollm2")
    except ConfigError as error:
        pytest.skip(str(error))
