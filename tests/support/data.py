"""Where the real data are that some tests read. They are no part of the repository; without them the tests skip and say so."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

_ROOT = Path(__file__).resolve().parents[2]


def real_data(name: str) -> Path:
    """The folder `name` of the real data: under `EDUFLOW_TEST_DATA`, else in `../shared/data` beside the repository."""
    given = os.environ.get("EDUFLOW_TEST_DATA")
    folder = Path(given) if given else _ROOT.parent / "shared" / "data"
    if not (folder / name).is_dir():
        pytest.skip(f"real data '{name}' is not in {'EDUFLOW_TEST_DATA' if given else '../shared/data'}")
    return folder / name
