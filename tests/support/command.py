"""The command line in the test's own process: exit code, standard output, standard error."""

from __future__ import annotations

import contextlib
import io
import sys
from dataclasses import dataclass
from unittest import mock

from eduflow.cli import main


@dataclass(frozen=True, slots=True)
class Ran:
    code: int
    out: str
    err: str

    def refused(self, *parts: str) -> None:
        """Check that it ended as bad input must: exit code 2 and one sentence on stderr that holds all `parts`."""
        assert self.code == 2, (self.code, self.out, self.err)
        assert "Traceback" not in self.err
        lines = [line for line in self.err.split("\n") if line.startswith("eduflow: ")]
        assert len(lines) == 1, self.err
        for part in parts:
            assert part in lines[0], (part, lines[0])


def run_command(*arguments: object) -> Ran:
    """`eduflow` with these arguments."""
    out, err = io.StringIO(), io.StringIO()
    code = 0
    with (
        mock.patch.object(sys, "argv", ["eduflow", *map(str, arguments)]),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else 1
    return Ran(code, out.getvalue(), err.getvalue())
