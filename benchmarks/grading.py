"""What grading an answer costs, and what it lets through: EduFlow's comparators beside math-verify 0.9.0 on the same pairs.

The pairs are those of tests/grade/cases.jsonl that are an extracted answer to a blank (no options, no whole outputs, no question), each
with its true verdict; rows whose reason says "for the judge" are right or wrong by synonyms and counted for neither. `--golds FILE` adds all pairs of
different golds of a file in MM-Eureka's form for the times, and prints the pairs that each side accepts.

Times are of one comparison, gold and answer read anew (caches emptied), and of the same again with the gold and answer read already, as when many
samples of one problem are graded. math-verify runs in a child process, `verify(parse("$gold$"), parse("$answer$"))` with its
own time-outs as they come; a pair on which it takes longer than the limit is killed with the child and counted.

Bombs: each is compared while another thread counts turns of a millisecond; "held" is the longest time that it got no turn.

    python benchmarks/grading.py --quick
    python benchmarks/grading.py --json grading.json
"""

from __future__ import annotations

import argparse
import json
import platform
import select
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from itertools import permutations
from pathlib import Path
from statistics import median
from typing import Any

from eduflow.grade import compare as _module
from eduflow.grade import normalise, parse, question
from eduflow.grade.compare import compare

ROOT = Path(__file__).resolve().parents[1]

BOMBS = {
    "10^{10^{10}}": "10^{10^{10}}",
    "9^{9^{9^9}}": "9^{9^{9^9}}",
    "\\gcd(7^{10^9},2)": "\\gcd(7^{10^9},2)",
    "(10^9)!": "(10^9)!",
    "sum of 3,000 terms": "+".join(["1"] * 3_000),
    "sum of 87 roots": "+".join(f"\\sqrt{{{n}}}" for n in range(2, 89)),
    "100,000 characters": "1 " * 50_000,
    "20,000 digits": "9" * 20_000,
    "60 nested brackets": "(" * 60 + "1" + ")" * 60,
    "200 nested fractions": "\\frac{1}{" * 200 + "1" + "}" * 200,
}

CHILD = """
import json, sys, time
from math_verify import parse, verify
print("ready", flush=True)
for line in sys.stdin:
    gold, answer = json.loads(line)
    start = time.perf_counter()
    try:
        right = bool(verify(parse(f"${gold}$"), parse(f"${answer}$")))
    except Exception:
        right = False
    print(json.dumps([time.perf_counter() - start, right]), flush=True)
"""


class MathVerify:
    """math-verify in a child process that is killed and started again when a pair takes too long."""

    def __init__(self, limit: float) -> None:
        self.limit = limit
        self.child: subprocess.Popen[str] | None = None

    def ask(self, gold: str, answer: str) -> tuple[float, bool | None]:
        """Seconds and verdict; None for a pair that was killed."""
        if self.child is None:
            self.child = subprocess.Popen(
                [sys.executable, "-c", CHILD],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
            self._line(60)
            self.ask("1", "1")
        assert self.child.stdin is not None
        self.child.stdin.write(json.dumps([gold, answer]) + "\n")
        self.child.stdin.flush()
        line = self._line(self.limit)
        if line is None:
            self.close()
            return self.limit, None
        seconds, right = json.loads(line)
        return seconds, right

    def _line(self, limit: float) -> str | None:
        assert self.child is not None
        assert self.child.stdout is not None
        ready, _, _ = select.select([self.child.stdout], [], [], limit)
        return (self.child.stdout.readline() or None) if ready else None

    def close(self) -> None:
        """End the child."""
        if self.child is not None:
            self.child.kill()
            self.child.wait()
            self.child = None


def forget() -> None:
    """Empty the caches of the comparators."""
    for cache in (
        normalise._clean_cached,
        normalise._tokens_cached,
        parse._parse_cached,
        question.asked,
        _module._several_values,
        _module._listed_alternatives,
    ):
        cache.cache_clear()


def ours(gold: str, answer: str, subject: str) -> tuple[float, float, bool]:
    """Seconds anew, seconds again, verdict."""
    forget()
    times = []
    right = False
    for _ in range(2):
        start = time.perf_counter()
        right = compare(gold, answer, subject=subject).right
        times.append(time.perf_counter() - start)
    return times[0], times[1], right


def figures(times: Sequence[float]) -> dict[str, float]:
    """Median, 99th percentile and worst, in microseconds."""
    ordered = sorted(times)
    return {
        "median_us": round(median(ordered) * 1e6, 1),
        "p99_us": round(ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))] * 1e6, 1),
        "worst_us": round(ordered[-1] * 1e6, 1),
    }


def held(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds of `work`, and the longest time that another thread got no turn meanwhile."""
    longest, done = [0.0], threading.Event()

    def count() -> None:
        last = time.perf_counter()
        while not done.wait(0.001):
            now = time.perf_counter()
            longest[0] = max(longest[0], now - last)
            last = now

    thread = threading.Thread(target=count)
    thread.start()
    start = time.perf_counter()
    work()
    seconds = time.perf_counter() - start
    time.sleep(0.005)
    done.set()
    thread.join()
    return seconds, longest[0]


def cases(quick: bool) -> list[dict[str, Any]]:
    """The pairs with their true verdicts."""
    lines = (ROOT / "tests" / "grade" / "cases.jsonl").read_bytes().split(b"\n")
    found = [json.loads(line) for line in lines if line]
    found = [
        case
        for case in found
        if case["form"] == "final"
        and case["type"] == "blank"
        and not case["question"]
        and "for the judge" not in case["why"]
    ]
    return found[::6] if quick else found


def run(quick: bool, golds: Path | None) -> dict[str, Any]:
    """All measurements."""
    compare("\\sqrt{2}\\sin 1", "\\sqrt{2}\\sin 2")  # mpmath is loaded at first use
    rival = MathVerify(3 if quick else 20)
    rows = cases(quick)
    result: dict[str, Any] = {
        "pairs": len(rows),
        "python": platform.python_version(),
        "machine": platform.machine(),
    }
    anew: list[float] = []
    again: list[float] = []
    theirs: list[float] = []
    ratios: list[float] = []
    wrong_ours: list[str] = []
    wrong_theirs: list[str] = []
    missed_ours: list[str] = []
    missed_theirs: list[str] = []
    killed = 0
    # In a pass of its own: a child process in between would leave the processor's caches cold.
    for row in rows:
        ours(row["gold"], row["answer"], row["subject"])
    mine = [ours(row["gold"], row["answer"], row["subject"]) for row in rows]
    for row, (first, second, right) in zip(rows, mine, strict=True):
        gold, answer = row["gold"], row["answer"]
        seconds, verdict = rival.ask(gold, answer)
        anew.append(first)
        again.append(second)
        theirs.append(seconds)
        ratios.append(seconds / first)
        killed += verdict is None
        for accepted, wrong, missed in (
            (right, wrong_ours, missed_ours),
            (bool(verdict), wrong_theirs, missed_theirs),
        ):
            if accepted and not row["right"]:
                wrong.append(f"{gold} | {answer}")
            if row["right"] and not accepted:
                missed.append(f"{gold} | {answer}")
    right_rows = sum(row["right"] for row in rows)
    result["eduflow"] = {
        **figures(anew),
        "again": figures(again),
        "false_accepts": len(wrong_ours),
        "false_rejects": len(missed_ours),
    }
    result["math_verify"] = {
        **figures(theirs),
        "killed": killed,
        "false_accepts": len(wrong_theirs),
        "false_rejects": len(missed_theirs),
    }
    result["right"], result["wrong"] = right_rows, len(rows) - right_rows
    result["ratio_median"] = round(median(ratios), 1)
    result["math_verify_accepts_wrongly"] = wrong_theirs
    result["eduflow_accepts_wrongly"] = wrong_ours
    if golds is not None:
        result["golds"] = all_pairs(golds, quick)
    bombs = {}
    names = list(BOMBS.items())[:5] if quick else list(BOMBS.items())
    for name, text in names:

        def both(text: str = text) -> None:
            compare("3", text)
            compare(text, "3")

        forget()
        seconds, longest = held(both)
        their_seconds, verdict = rival.ask("3", text)
        bombs[name] = {
            "seconds": round(seconds, 4), "held_seconds": round(longest, 4),
            "math_verify_seconds": None if verdict is None else round(their_seconds, 2), "math_verify_limit": rival.limit,
        }  # fmt: skip
    result["bombs"] = bombs
    rival.close()
    return result


def all_pairs(path: Path, quick: bool) -> dict[str, Any]:
    """Times and accepted pairs over all pairs of different golds."""
    golds = list(dict.fromkeys(row["answer"] for row in json.loads(path.read_bytes())))
    golds = golds[:60] if quick else golds
    times, accepted = [], []
    for gold, answer in permutations(golds, 2):
        start = time.perf_counter()
        right = compare(gold, answer).right
        times.append(time.perf_counter() - start)
        if right:
            accepted.append([gold, answer])
    return {"pairs": len(times), **figures(times), "accepted": accepted}


def show(result: dict[str, Any]) -> None:
    """The figures as text."""
    one, two = result["eduflow"], result["math_verify"]
    print(f"{result['pairs']} pairs, {result['right']} right and {result['wrong']} wrong")
    print(f"{'':14}{'median':>10}{'p99':>10}{'worst':>12}{'false accepts':>15}{'false rejects':>15}")
    for name, row in (("EduFlow", one), ("  again", one["again"]), ("math-verify", two)):
        counts = f"{row['false_accepts']:>15}{row['false_rejects']:>15}" if "false_accepts" in row else ""
        print(
            f"{name:14}{row['median_us']:>7.0f} us{row['p99_us']:>7.0f} us{row['worst_us']:>9.0f} us{counts}"
        )
    print(
        f"math-verify takes {result['ratio_median']} times as long at the median pair; {two['killed']} pairs killed"
    )
    if "golds" in result:
        row = result["golds"]
        print(
            f"all {row['pairs']} pairs of golds: median {row['median_us']} us, p99 {row['p99_us']} us, worst {row['worst_us']} us; accepted:"
        )
        for gold, answer in row["accepted"]:
            print(f"    {gold!r} {answer!r}")
    for name, row in result["bombs"].items():
        theirs = row["math_verify_seconds"]
        told = f"killed after {row['math_verify_limit']} s" if theirs is None else f"{theirs} s"
        print(
            f"bomb {name:22} {row['seconds']:.4f} s, another thread waited {row['held_seconds']:.4f} s at most; math-verify {told}"
        )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="every sixth pair and half of the bombs")
    parser.add_argument("--golds", type=Path, help="a file in MM-Eureka's form, for all pairs of its golds")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    result = run(options.quick, options.golds)
    show(result)
    if options.json is not None:
        options.json.write_text(json.dumps(result, ensure_ascii=False, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
