"""What keeping a run costs: rows written per second, memory for a million problems, time to resume.

Writing: finished calls (1 KB requests and replies) go into

    journal     EduFlow's: SQLite, a 32-byte key in its own index, zlib, one writer thread, a commit each 0.25 s
    hex keys    SQLite as first written down: hex keys, WITHOUT ROWID, plain text, a commit each 1,000 rows
    jsonl+sync  a line for each call, forced to the disk: no row at risk, nothing can be looked up
    jsonl       a line for each call, left to the operating system

The writers take turns in rounds of 5,000 rows, so that a busy moment of the machine hits all of them; figures are medians
over the rounds, and ratios are taken within one.

Memory and resume: problems are generated one by one and streamed through a run, each with a result; the process's
memory (RSS) is read after a tenth and at the end. Then the finished run is opened again by a new process, which asks for every
item whether its result is there, as a resumed run does.

    python benchmarks/storage.py --quick
    python benchmarks/storage.py --json storage.json
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import random
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any, Protocol

from eduflow.engine import Run, StoredCall
from eduflow.problem import Problem

CONFIG, REVISION = "c" * 64, "1"
TEXT = (
    "the a of is and triangle side length area find given step so then we have therefore speed time distance force "
    "mass acceleration equation solve for x equals plus minus times divided by metres seconds answer is reaction"
)
WORDS = TEXT.split()


def call(number: int, rng: random.Random) -> StoredCall:
    def words(count: int) -> str:
        return " ".join(f"{word} {rng.randrange(1000)}" for word in rng.choices(WORDS, k=count))

    request = {"messages": [{"role": "user", "content": words(110)}], "temperature": 0, "max_tokens": 512}
    reply = {
        "text": words(110),
        "reasoning": "",
        "finish_reason": "stop",
        "usage": {"prompt": 300, "completion": 200},
    }
    return StoredCall(
        key=hashlib.sha256(str(number).encode()).digest(),
        identity="Qwen2.5-VL-7B-Instruct@main",
        sample=0,
        tag="solve",
        outcome="ok",
        request=json.dumps(request).encode(),
        reply=json.dumps(reply).encode(),
        prompt_tokens=300,
        completion_tokens=200,
        attempts=1,
        seconds=1.0,
    )


def calls(count: int) -> Iterator[StoredCall]:
    # A thousand texts under `count` keys, so that making them doesn't cover the cost of keeping them.
    rng = random.Random(0)
    texts = [call(number, rng) for number in range(min(count, 1000))]
    for number in range(count):
        text = texts[number % len(texts)]
        yield StoredCall(
            hashlib.sha256(f"key {number}".encode()).digest(),
            *(getattr(text, name) for name in StoredCall.__slots__[1:]),
        )


def as_line(call: StoredCall) -> dict[str, Any]:
    row = {name: getattr(call, name) for name in StoredCall.__slots__}
    return row | {"key": call.key.hex(), "request": call.request.decode(), "reply": call.reply.decode()}


class Writer(Protocol):
    def write(self, rows: list[StoredCall]) -> None: ...
    def close(self) -> None: ...


class JournalWriter:
    def __init__(self, folder: Path) -> None:
        self.run = Run.open(folder)

    def write(self, rows: list[StoredCall]) -> None:
        for row in rows:
            self.run.journal.put(row)
        self.run.flush()

    def close(self) -> None:
        self.run.close()


class HexKeyWriter:
    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.connection = sqlite3.connect(folder / "calls.sqlite")
        self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.execute("PRAGMA synchronous = NORMAL")
        self.connection.execute(
            """CREATE TABLE calls (key TEXT PRIMARY KEY, identity, sample, tag, outcome, request, reply, prompt_tokens,
            completion_tokens, attempts, seconds) WITHOUT ROWID"""
        )

    def write(self, rows: list[StoredCall]) -> None:
        for number, row in enumerate(rows, start=1):
            values = tuple(as_line(row).values())
            self.connection.execute("INSERT INTO calls VALUES (?,?,?,?,?,?,?,?,?,?,?)", values)
            if number % 1000 == 0:
                self.connection.commit()
        self.connection.commit()

    def close(self) -> None:
        self.connection.close()


class LineWriter:
    def __init__(self, folder: Path, sync: bool) -> None:
        folder.mkdir()
        self.file = open(folder / "calls.jsonl", "ab", buffering=0)  # noqa: SIM115
        self.sync = sync

    def write(self, rows: list[StoredCall]) -> None:
        for row in rows:
            self.file.write(json.dumps(as_line(row)).encode() + b"\n")
            if self.sync:
                os.fsync(self.file.fileno())

    def close(self) -> None:
        self.file.close()


WRITERS: dict[str, Callable[[Path], Writer]] = {
    "journal": JournalWriter,
    "hex keys": HexKeyWriter,
    "jsonl+sync": lambda folder: LineWriter(folder, sync=True),
    "jsonl": lambda folder: LineWriter(folder, sync=False),
}
ROUND = 5_000


def measure_writing(folder: Path, count: int) -> dict[str, dict[str, float]]:
    writers = {name: make(folder / name) for name, make in WRITERS.items()}
    speeds: dict[str, list[float]] = {name: [] for name in WRITERS}
    costs: dict[str, list[float]] = {name: [] for name in WRITERS}
    written = dict.fromkeys(WRITERS, 0)
    source = calls(count)
    while rows := list(islice(source, ROUND)):
        for name, writer in writers.items():
            # A disk flush for each row is slow: a twentieth of the rows is enough to see how slow.
            some = rows[: max(1, len(rows) // 20)] if name == "jsonl+sync" else rows
            start, processor = time.perf_counter(), time.process_time()
            writer.write(some)
            speeds[name].append(len(some) / (time.perf_counter() - start))
            costs[name].append((time.process_time() - processor) / len(some) * 1e6)
            written[name] += len(some)
    figures = {}
    for name, writer in writers.items():
        writer.close()
        files = [file for file in (folder / name).rglob("*") if file.is_file()]
        ratios = [ours / theirs for ours, theirs in zip(speeds["journal"], speeds[name], strict=True)]
        figures[name] = {
            "rows": written[name],
            "rows_per_second": median(speeds[name]),
            "rows_per_second_last_tenth": median(speeds[name][-max(1, len(ratios) // 10) :]),
            "processor_us_per_row": median(costs[name]),
            "bytes_per_row": sum(file.stat().st_size for file in files) / written[name],
            "journal_is_times_as_fast": median(ratios),
        }
        for file in files:
            file.unlink()
    return figures


def problems(count: int) -> Iterator[Problem]:
    rng = random.Random(1)
    for number in range(count):
        a, b = rng.randrange(1000), rng.randrange(1, 1000)
        yield Problem(
            id=f"problem-{number}",
            subject="math",
            stage="middle",
            grade=8,
            type="blank",
            question=f"A train leaves at {a % 24}:00 and travels {a} km at {b} km/h. 火车行驶了多少小时？ "
            * 3,
            answers=(f"{a}/{b}",),
            solution=(f"time = distance / speed = {a}/{b}",),
            language="en",
        )


def rss() -> float:
    """Megabytes of memory that this process holds now."""
    statm = Path("/proc/self/statm")
    if not statm.exists():
        return peak_rss()
    return int(statm.read_text().split()[1]) * resource.getpagesize() / 1e6


def peak_rss() -> float:
    unit = 1 if platform.system() == "Darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


def stream_child(folder: Path, count: int) -> dict[str, float]:
    start = time.perf_counter()
    early = rss()
    with Run.open(folder) as run:
        for number, problem in enumerate(problems(count)):
            run.put_problem(problem.id, problem.model_dump_json(exclude_defaults=True).encode())
            run.put_result(problem.id, CONFIG, REVISION, b'{"score":1.0,"calls":["%064x"]}' % number)
            if number == count // 10:
                early = rss()
        run.flush()
        late = rss()
        size = run.summary().journal_bytes
    return {
        "seconds": time.perf_counter() - start,
        "rss_tenth_mb": early,
        "rss_end_mb": late,
        "rss_peak_mb": peak_rss(),
        "journal_mb": size / 1e6,
    }


def resume_child(folder: Path, count: int) -> dict[str, float]:
    start = time.perf_counter()
    with Run.open(folder, create=False) as run:
        opened = time.perf_counter() - start
        missing = sum(not run.has_result(problem.id, CONFIG, REVISION) for problem in problems(count))
    resumed = time.perf_counter() - start
    if missing:
        raise SystemExit(f"{missing} results are missing")
    start = time.perf_counter()
    with Run.read(folder) as run:
        read = sum(1 for _ in run.results(CONFIG, REVISION))
    if read != count:
        raise SystemExit(f"{read} results instead of {count}")
    return {
        "open_seconds": opened,
        "resume_seconds": resumed,
        "read_results_seconds": time.perf_counter() - start,
        "rss_peak_mb": peak_rss(),
    }


CHILDREN = {"stream": stream_child, "resume": resume_child}


def child(kind: str, folder: Path, count: int) -> dict[str, float]:
    command = [sys.executable, __file__, "--child", kind, str(folder), str(count)]
    figures: dict[str, float] = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="small numbers, under a minute")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures as JSON")
    parser.add_argument("--rows", type=int, help="calls to write (200,000; quick: 10,000)")
    parser.add_argument(
        "--problems", type=int, nargs="*", help="problems to stream (100000 1000000; quick: 5000 20000)"
    )
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        kind, folder, count = options.child
        print(json.dumps(CHILDREN[kind](Path(folder), int(count))))
        return
    rows = options.rows or (10_000 if options.quick else 200_000)
    counts = options.problems or ([5_000, 20_000] if options.quick else [100_000, 1_000_000])

    figures: dict[str, Any] = {
        "schema_version": 1,
        "machine": f"{platform.platform()}, {os.cpu_count()} cores",
    }
    with tempfile.TemporaryDirectory(prefix="eduflow-storage-") as scratch:
        figures["writing"] = writing = measure_writing(Path(scratch), rows)
        print(
            f"{'writing':12} {'rows':>9} {'rows/s':>9} {'last tenth':>11} {'µs cpu/row':>11} {'bytes/row':>10} "
            f"{'journal is':>11}"
        )
        for name, row in writing.items():
            print(
                f"{name:12} {row['rows']:9,.0f} {row['rows_per_second']:9,.0f} {row['rows_per_second_last_tenth']:11,.0f} "
                f"{row['processor_us_per_row']:11.0f} {row['bytes_per_row']:10.0f} {row['journal_is_times_as_fast']:10.2f}x",
                flush=True,
            )
        figures["streaming"] = {}
        for count in counts:
            folder = Path(scratch) / f"run-{count}"
            streamed = child("stream", folder, count)
            resumed = child("resume", folder, count)
            figures["streaming"][str(count)] = {"stream": streamed, "resume": resumed}
            print(
                f"{count:,} problems streamed in {streamed['seconds']:.1f} s, journal {streamed['journal_mb']:.0f} MB; "
                f"memory {streamed['rss_tenth_mb']:.0f} MB after a tenth, {streamed['rss_end_mb']:.0f} MB at the end, "
                f"{streamed['rss_peak_mb']:.0f} MB at most"
            )
            print(
                f"{count:,} resumed in {resumed['resume_seconds']:.2f} s (opening {resumed['open_seconds'] * 1e3:.0f} ms), "
                f"all results read in {resumed['read_results_seconds']:.2f} s, memory {resumed['rss_peak_mb']:.0f} MB at most"
            )
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
