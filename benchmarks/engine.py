"""Calls per second and processor time per call: the engine against a bare aiohttp loop and against AsyncOpenAI.

The endpoint is a fake one in another process that takes 20 ms for a reply. Every call carries a prompt of its own and
a 30 KB image. All clients get the same prompts, keep 64 calls in flight, and read the reply's text.

    bare               one aiohttp session, 64 workers, json.dumps and json.loads; an image is encoded once
    bare, each time    the same, with the image encoded for every call
    engine             Engine with a Journal on disk: keys, outcomes, retries, statistics, every call and image kept
    engine, no journal what the journal costs is the difference
    openai             AsyncOpenAI as its documentation shows it

The first and the third are measured twice: an image serves 20 calls, as in tree search or best-of-N, or 2, as in an
evaluation in two modes. The others have 20 (of the last two only the encoding would differ). The clients take turns,
and each figure is the median over the rounds; ratios are taken within a round, to the bare loop with as many calls an
image.

    python benchmarks/engine.py --quick
    python benchmarks/engine.py --json engine.json
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

import aiohttp

from eduflow.engine import Endpoint, Engine, Image, Limits, Message, Request, Run

ROOT = Path(__file__).resolve().parent.parent
IN_FLIGHT = 64
LATENCY = 0.020
IMAGE_BYTES = 30_000
ROWS = [
    ("bare", 20),
    ("engine", 20),
    ("engine, no journal", 20),
    ("bare", 2),
    ("engine", 2),
    ("bare, each time", 20),
    ("openai", 20),
]
PROMPT = (
    "Solve the problem step by step and put the final answer into \\boxed{{}}. The figure shows a triangle with "
    "sides of {a} cm and {b} cm and a right angle between them. What is its area in square centimetres? ({number})"
)


@dataclass(frozen=True)
class Task:
    text: str
    image: bytes


@dataclass(frozen=True)
class Figure:
    """One client in one round: calls per image and second, milliseconds of processor time per call, calls made."""

    client: str
    calls_per_image: int
    per_second: float
    cpu_ms: float
    calls: int


@contextmanager
def endpoint() -> Iterator[str]:
    """The fake endpoint's base URL, while its process runs."""
    command = [sys.executable, "-m", "tests.support.fake_endpoint", "--latency", str(LATENCY)]
    command += ["--answer", "The area is half of the product of the two sides. \\boxed{42}"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait()


def tasks(calls: int, calls_per_image: int, seed: int) -> list[Task]:
    draw = random.Random(seed)
    images = [draw.randbytes(IMAGE_BYTES) for _ in range(-(-calls // calls_per_image))]
    return [
        Task(
            PROMPT.format(a=number % 17 + 3, b=number % 23 + 2, number=f"{seed}-{number}"),
            images[number // calls_per_image],
        )
        for number in range(calls)
    ]


async def workers(work: list[Task], ask: Callable[[Task], Awaitable[str]]) -> None:
    """The tasks, 64 at a time."""
    pending = iter(work)

    async def worker() -> None:
        for task in pending:
            text = await ask(task)
            assert text.endswith("{42}"), text

    await asyncio.gather(*(worker() for _ in range(IN_FLIGHT)))


async def bare(work: list[Task], base_url: str, once: bool) -> None:
    encoded: dict[int, str] = {}

    def url(image: bytes) -> str:
        if not once:
            return "data:image/png;base64," + base64.b64encode(image).decode()
        if id(image) not in encoded:
            encoded[id(image)] = "data:image/png;base64," + base64.b64encode(image).decode()
        return encoded[id(image)]

    connector = aiohttp.TCPConnector(limit=IN_FLIGHT)
    async with aiohttp.ClientSession(connector=connector) as session:

        async def ask(task: Task) -> str:
            content = [
                {"type": "image_url", "image_url": {"url": url(task.image)}},
                {"type": "text", "text": task.text},
            ]
            body = {"model": "fake", "messages": [{"role": "user", "content": content}], "temperature": 0}
            async with session.post(f"{base_url}/chat/completions", json=body) as response:
                data = await response.json()
            return str(data["choices"][0]["message"]["content"])

        await workers(work, ask)


async def engine(work: list[Task], base_url: str, folder: Path | None) -> None:
    target = Endpoint("fake", "fake", (base_url,), limits=Limits(concurrency=IN_FLIGHT))
    images: dict[int, Image] = {}
    with Run.open(folder) if folder else nullcontext() as run:
        async with Engine(run.journal if run else None) as made:

            async def ask(task: Task) -> str:
                image = images.get(id(task.image))
                if image is None:
                    image = images[id(task.image)] = Image(task.image, "image/png")
                message = Message.user(image, task.text)
                return (await made.call(Request(target, (message,), {"temperature": 0}))).text

            async for text in made.stream(work, ask, IN_FLIGHT):
                assert text.endswith("{42}"), text


async def openai(work: list[Task], base_url: str) -> None:
    from openai import AsyncOpenAI

    async with AsyncOpenAI(api_key="none", base_url=base_url) as client:

        async def ask(task: Task) -> str:
            url = "data:image/png;base64," + base64.b64encode(task.image).decode()
            content: list[Any] = [
                {"type": "image_url", "image_url": {"url": url}},
                {"type": "text", "text": task.text},
            ]
            reply = await client.chat.completions.create(
                model="fake", messages=[{"role": "user", "content": content}], temperature=0
            )
            return str(reply.choices[0].message.content)

        await workers(work, ask)


def measure(client: str, per_image: int, work: list[Task], base_url: str, folder: Path) -> Figure:
    runs: dict[str, Callable[[], Any]] = {
        "bare": lambda: bare(work, base_url, True),
        "bare, each time": lambda: bare(work, base_url, False),
        "engine": lambda: engine(work, base_url, folder),
        "engine, no journal": lambda: engine(work, base_url, None),
        "openai": lambda: openai(work, base_url),
    }
    begun, cpu = time.perf_counter(), time.process_time()
    asyncio.run(runs[client]())
    seconds, cpu = time.perf_counter() - begun, time.process_time() - cpu
    shutil.rmtree(folder, ignore_errors=True)
    return Figure(client, per_image, len(work) / seconds, 1000 * cpu / len(work), len(work))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="fewer calls; under a minute")
    parser.add_argument("--json", type=Path, default=None, metavar="FILE")
    options = parser.parse_args()
    calls, rounds = (3000, 3) if options.quick else (6000, 5)
    figures: dict[tuple[str, int], list[Figure]] = {}
    with endpoint() as base_url, tempfile.TemporaryDirectory() as folder:
        asyncio.run(bare(tasks(200, 2, -1), base_url, True))  # the server's first requests are slower
        for number in range(rounds):
            for client, per_image in ROWS if number % 2 == 0 else reversed(ROWS):
                # The SDK is slow enough that fewer calls tell as much.
                count = calls // 12 if client == "openai" else calls
                work = tasks(count, per_image, number)
                figure = measure(client, per_image, work, base_url, Path(folder) / "run")
                figures.setdefault((client, per_image), []).append(figure)
                print(
                    f"{client:18} {per_image:10} {figure.per_second:8.0f} {figure.cpu_ms:7.2f}",
                    file=sys.stderr,
                )
    rows = [
        {
            "client": client,
            "calls_per_image": per_image,
            "calls_per_second": round(median(f.per_second for f in figures[client, per_image]), 1),
            "cpu_ms_per_call": round(median(f.cpu_ms for f in figures[client, per_image]), 3),
            "of_bare": round(
                median(
                    f.per_second / b.per_second
                    for f, b in zip(figures[client, per_image], figures["bare", per_image], strict=True)
                ),
                3,
            ),
        }
        for client, per_image in ROWS
    ]
    print(f"{'client':18} {'calls/image':>11} {'calls/s':>8} {'ms cpu':>7} {'of bare':>8}")
    for row in rows:
        print(
            f"{row['client']:18} {row['calls_per_image']:11} {row['calls_per_second']:8.0f} "
            f"{row['cpu_ms_per_call']:7.2f} {row['of_bare']:8.2f}"
        )
    if options.json is not None:
        report = {
            "schema": 2,
            "cores": os.cpu_count(),
            "latency_seconds": LATENCY,
            "image_bytes": IMAGE_BYTES,
            "in_flight": IN_FLIGHT,
            "clients": rows,
            "rounds": [asdict(figure) for found in figures.values() for figure in found],
        }
        options.json.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
