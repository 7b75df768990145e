"""Any sequence of puts, gets, deletions, flushes and reopenings is that of a dict."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from eduflow.engine import Outcome, Run, StoredCall
from tests.support.runs import stored

NAMES = st.sampled_from(["a", "b", "圆"])
TEXTS = st.text(max_size=20)
OUTCOMES: st.SearchStrategy[Outcome] = st.sampled_from(["ok", "truncated", "failed"])
OPERATIONS = st.lists(
    st.one_of(
        st.tuples(st.just("call"), NAMES, TEXTS, OUTCOMES),
        st.tuples(st.just("result"), NAMES, st.binary(max_size=20), st.sampled_from(["1", "2"])),
        st.tuples(st.just("problem"), NAMES, st.binary(max_size=20)),
        st.tuples(st.just("stop"), NAMES, st.integers(0, 9)),
        st.tuples(st.just("delete"), st.sampled_from(["1", "2"]), st.none() | st.lists(NAMES)),
        st.tuples(st.just("clear stops")),
        st.tuples(st.just("flush")),
        st.tuples(st.just("reopen")),
    ),
    max_size=30,
)


@settings(max_examples=80, deadline=None)
@given(OPERATIONS)
def test_a_run_is_four_dicts(operations: list[tuple[Any, ...]]) -> None:
    calls: dict[str, StoredCall] = {}
    results: dict[str, dict[str, bytes]] = {"1": {}, "2": {}}
    problems: dict[str, bytes] = {}
    stops: dict[str, tuple[int, str]] = {}
    with tempfile.TemporaryDirectory() as folder:
        run = Run.open(Path(folder) / "run")
        try:
            for operation in operations:
                match operation:
                    case ("call", name, text, outcome):
                        call = stored(name, text=text, outcome=outcome)
                        run.journal.put(call)
                        if name not in calls or calls[name].outcome == "failed":
                            calls[name] = call
                        assert run.journal.get(call.key) == calls[name]
                    case ("result", name, payload, revision):
                        refused = False
                        try:
                            run.put_result(name, "config", revision, payload)
                        except ValueError:
                            refused = True
                        assert refused == (results[revision].get(name, payload) != payload)
                        results[revision].setdefault(name, payload)
                        assert run.result(name, "config", revision) == results[revision][name]
                    case ("problem", name, payload):
                        if problems.setdefault(name, payload) == payload:
                            run.put_problem(name, payload)
                        assert run.problem(name) == problems[name]
                    case ("stop", name, step):
                        run.put_stop(name, step, "time")
                        stops[name] = (step, "time")
                    case ("delete", revision, names):
                        gone = (
                            set(results[revision]) if names is None else set(names) & set(results[revision])
                        )
                        assert run.delete_results("config", revision, names) == len(gone)
                        for name in gone:
                            del results[revision][name]
                    case ("clear stops",):
                        run.clear_stops()
                        stops.clear()
                    case ("flush",):
                        run.flush()
                    case _:
                        run.close()
                        run = Run.open(Path(folder) / "run")
            for name in ("a", "b", "圆"):
                assert run.journal.get(stored(name).key) == calls.get(name)
                for revision in ("1", "2"):
                    assert run.has_result(name, "config", revision) == (name in results[revision])
                    assert run.result(name, "config", revision) == results[revision].get(name)
            for revision in ("1", "2"):
                assert list(run.results("config", revision)) == list(results[revision].items())
            assert list(run.problems()) == list(problems.items())
            assert run.stops() == stops
        finally:
            run.close()
