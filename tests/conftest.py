"""A skipped test prints its reason (`-ra`), and in CI a skip that nobody expects fails the run."""

from __future__ import annotations

import os
import re

import pytest

# Skips that are right in CI too: the real data are no part of the repository.
EXPECTED = (re.compile(r"real data '[^']+' is not in "),)


def reason_of(report: pytest.TestReport | pytest.CollectReport) -> str:
    """Why a test was skipped."""
    return report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") != "true" or reporter is None:
        return
    reasons = {
        report.nodeid: reason_of(report).removeprefix("Skipped: ")
        for report in reporter.stats.get("skipped", [])
    }
    unexpected = {
        node: why for node, why in reasons.items() if not any(known.match(why) for known in EXPECTED)
    }
    for node, why in sorted(unexpected.items()):
        reporter.write_line(f"unexpected skip in CI: {node}: {why}", red=True)
    if unexpected and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
