"""What keeping a run costs: rows written per second, memory for a million problems, time to resume.

Writing: finished calls (1 KB requests and replies) go into

    journal     EduFlow's: SQLite, a 32-byte key in its own index, zlib, one writer thread, a commit each 0.25 s
    hex keys    SQLite as first written down: hex keys, WITHOUT ROWID, plain text, a commit each 1,000 rows
    jsonl+sync  a line for each call, forced to the disk: no row at risk, nothing can be looked up
    jsonl       a line for each call, left to the operating system

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
from pathlib import Path
from typing import Any

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


def write_journal(folder: Path, count: int) -> None:
    with Run.open(folder) as run:
        for row in calls(count):
            run.journal.put(row)


def write_hex_keys(folder: Path, count: int) -> None:
    folder.mkdir()
    connection = sqlite3.connect(folder / "calls.sqlite")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute(
        """CREATE TABLE calls (key TEXT PRIMARY KEY, identity, sample, tag, outcome, request, reply, prompt_tokens,
        completion_tokens, attempts, seconds) WITHOUT ROWID"""
    )
    for number, row in enumerate(calls(count), start=1):
        connection.execute("INSERT INTO calls VALUES (?,?,?,?,?,?,?,?,?,?,?)", tuple(as_line(row).values()))
        if number % 1000 == 0:
            connection.commit()
    connection.commit()
    connection.close()


def write_lines(sync: bool) -> Callable[[Path, int], None]:
    def write(folder: Path, count: int) -> None:
        folder.mkdir()
        with open(folder / "calls.jsonl", "ab", buffering=0) as file:
            for row in calls(count):
                file.write(json.dumps(as_line(row)).encode() + b"\n")
                if sync:
                    os.fsync(file.fileno())

    return write


WRITERS: dict[str, Callable[[Path, int], None]] = {
    "journal": write_journal,
    "hex keys": write_hex_keys,
    "jsonl+sync": write_lines(True),
    "jsonl": write_lines(False),
}


def measure_writing(folder: Path, count: int) -> dict[str, dict[str, float]]:
    figures = {}
    for name, write in WRITERS.items():
        rows = max(1000, count // 50) if name == "jsonl+sync" else count
        start, processor = time.perf_counter(), time.process_time()
        write(folder / name, rows)
        seconds, processor = time.perf_counter() - start, time.process_time() - processor
        size = sum(file.stat().st_size for file in (folder / name).iterdir())
        figures[name] = {
            "rows": rows,
            "rows_per_second": rows / seconds,
            "processor_us_per_row": processor / rows * 1e6,
            "bytes_per_row": size / rows,
        }
        for file in (folder / name).iterdir():
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
            f"{'writing':12} {'rows':>9} {'rows/s':>9} {'µs cpu/row':>11} {'bytes/row':>10} {'journal is':>11}"
        )
        for name, row in writing.items():
            ratio = writing["journal"]["rows_per_second"] / row["rows_per_second"]
            print(
                f"{name:12} {row['rows']:9,.0f} {row['rows_per_second']:9,.0f} {row['processor_us_per_row']:11.0f} "
                f"{row['bytes_per_row']:10.0f} {ratio:10.2f}x"
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
