"""A chat endpoint that answers by script and does every bad thing that endpoints do.

In a test:

    with FakeEndpoint(answer=lambda seen: "4") as fake:
        endpoint = Endpoint("fake", "fake", (fake.base_url,))

    FakeEndpoint(faults=[Fault.status(500), Fault.rate_limited("2")])     # the first two requests, then answers
    FakeEndpoint(faults=lambda seen: Fault.html() if "bad" in seen.text else None)

As a process of its own: `python -m tests.support.fake_endpoint --port 0 --latency 0.02`, which prints its base URL.

It speaks HTTP/1.1 on a bare asyncio protocol: it has to break the rules of HTTP at will, and to be cheap enough that a
benchmark measures the client. The same request always gets the same answer.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import hashlib
import json
import math
import re
import struct
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Literal, Self

HANG = 3600.0


@dataclass(frozen=True)
class Seen:
    """One request as it arrived. `number` counts chat requests from 0."""

    number: int
    path: str
    headers: dict[str, str]
    raw: bytes
    at: float

    @property
    def body(self) -> dict[str, Any]:
        data: dict[str, Any] = json.loads(self.raw)
        return data

    @property
    def text(self) -> str:
        """All texts of all messages, joined by line breaks."""
        texts = []
        for message in self.body["messages"]:
            content = message["content"]
            parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
            texts += [part["text"] for part in parts if part["type"] == "text"]
        return "\n".join(texts)

    @property
    def images(self) -> list[str]:
        """The data URLs of all images."""
        return [
            part["image_url"]["url"]
            for message in self.body["messages"]
            if isinstance(message["content"], list)
            for part in message["content"]
            if part["type"] == "image_url"
        ]

    @property
    def n(self) -> int:
        return int(self.body.get("n", 1))


@dataclass(frozen=True)
class Fault:
    """A reply gone wrong: status and body as given, or something done to the connection instead.

    `action`: "reply" sends it; "drop" closes the connection without a byte; "cut" states the whole length, sends half
    and closes; "hang" never answers; "reset" ends with a TCP reset.
    """

    code: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    action: Literal["reply", "drop", "cut", "hang", "reset"] = "reply"
    delay: float = 0.0

    @staticmethod
    def status(status: int, message: str = "something broke", **error: Any) -> Fault:
        """An error object with an error status; `error` adds fields to it (`code="content_filter"`)."""
        return Fault(status, json.dumps({"error": {"message": message, "code": status, **error}}).encode())

    @staticmethod
    def rate_limited(retry_after: str | None = None) -> Fault:
        headers = {} if retry_after is None else {"Retry-After": retry_after}
        return Fault(429, b'{"error": {"message": "slow down"}}', headers)

    @staticmethod
    def html(code: int = 200) -> Fault:
        page = b"<!DOCTYPE html><html><head><title>Bad gateway</title></head><body>42</body></html>"
        return Fault(code, page, {"Content-Type": "text/html"})

    @staticmethod
    def error_in_200(message: str = "the engine died", **error: Any) -> Fault:
        return Fault(200, json.dumps({"error": {"message": message, **error}}).encode())

    @staticmethod
    def no_choices() -> Fault:
        return Fault(200, b'{"object": "chat.completion", "choices": [], "usage": {"prompt_tokens": 3}}')

    @staticmethod
    def cut() -> Fault:
        return Fault(200, completion("an answer that is never seen whole"), action="cut")

    @staticmethod
    def cut_json() -> Fault:
        """A body that ends early although its length was stated as such."""
        whole = completion("an answer that is never seen whole")
        return Fault(200, whole[: len(whole) // 2])

    @staticmethod
    def drop() -> Fault:
        return Fault(action="drop")

    @staticmethod
    def reset() -> Fault:
        return Fault(action="reset")

    @staticmethod
    def hang() -> Fault:
        return Fault(action="hang")

    @staticmethod
    def null(**message: Any) -> Fault:
        """Content null; with `reasoning_content="..."` or `reasoning="..."` the words are there instead."""
        return Fault(200, completion(None, message=message))

    @staticmethod
    def empty() -> Fault:
        return Fault(200, completion(""))

    @staticmethod
    def reply(text: str | None, **changes: Any) -> Fault:
        """A whole reply with changes: `finish_reason=`, `usage=`, `message=`, `logprobs=`."""
        return Fault(200, completion(text, **changes))

    @staticmethod
    def truncated(text: str = "so the answer is") -> Fault:
        return Fault(200, completion(text, finish_reason="length"))

    @staticmethod
    def filtered(text: str | None = None) -> Fault:
        return Fault(200, completion(text, finish_reason="content_filter"))

    @staticmethod
    def unclosed_thinking() -> Fault:
        return Fault(200, completion("<think>first I would", finish_reason="length"))

    @staticmethod
    def surrogates() -> Fault:
        """Half of a surrogate pair, as a JSON escape, in text and reasoning."""
        return Fault(200, completion("x \ud83d y", message={"reasoning_content": "r \udc00"}))

    @staticmethod
    def line_separator() -> Fault:
        return Fault(200, completion("one\u2028two\u2029three\x85four"))

    @staticmethod
    def bad_usage() -> Fault:
        return Fault(200, completion("fine", usage={"prompt_tokens": math.nan, "completion_tokens": -5}))

    @staticmethod
    def huge(size: int = 20 * 2**20) -> Fault:
        return Fault(200, completion("x" * size))


Answer = str | Fault
Script = Callable[[Seen], Answer]


def completion(
    text: str | Sequence[str | None] | None,
    *,
    finish_reason: str | None = "stop",
    usage: Any = ...,
    message: dict[str, Any] | None = None,
    logprobs: Any = None,
) -> bytes:
    """A chat completion as JSON, with one choice per text; ASCII, so that anything can be in it."""
    texts = [text] if text is None or isinstance(text, str) else list(text)
    if usage is ...:
        usage = {"prompt_tokens": 10, "completion_tokens": sum(len((each or "").split()) for each in texts)}
    choices = [
        {
            "index": index,
            "message": {"role": "assistant", "content": each, **(message or {})},
            "finish_reason": finish_reason,
            "logprobs": logprobs,
        }
        for index, each in enumerate(texts)
    ]
    data = {"id": "x", "object": "chat.completion", "model": "fake", "choices": choices, "usage": usage}
    return json.dumps(data).encode()


def default_answer(seen: Seen) -> str:
    """A word made of the request, the same for the same request."""
    return "answer " + hashlib.sha256(seen.raw).hexdigest()[:8]


def spread(text: str, top: int) -> dict[str, Any]:
    """Log-probabilities for the words of a text: each word 0.9, its rivals share the rest."""
    content = []
    for word in re.findall(r"\s*\S+|\s+$", text) or [text]:
        rivals = [{"token": f"{word}~{i}", "logprob": math.log(0.1 / top)} for i in range(1, top)]
        own = {"token": word, "logprob": math.log(0.9)}
        content.append({**own, "top_logprobs": [own, *rivals] if top else []})
    return {"content": content}


class FakeEndpoint:
    """An endpoint on a free port of the loopback, served by a thread while the `with` block runs.

    Args:
        answer: the text of every reply, or a function from the request to a text or a `Fault`; with n > 1 it is called once.
            None answers with a word made of the request.
        faults: what goes wrong, before `answer` is asked: a list, one per request, None for nothing, after whose end all
            is well; or a function of the request.
        latency: seconds before each reply.
        honours_n: whether `n` brings that many choices (numbered, so that they differ).
        sees_images: whether images are taken; else they get a 500.
        smallest_image: an image with a side below this many pixels gets a 500 (PNG only; 0 takes all).
        key: the key that requests must carry, else 401; None takes all.
        model: the only model known, else 404; None takes all.
        slots: requests answered at a time; the others wait. 0 for no bound.
        keep: whether `requests` keeps what arrived; `count` counts in any case.
    """

    def __init__(
        self,
        answer: str | Script | None = None,
        faults: Sequence[Fault | None] | Callable[[Seen], Fault | None] = (),
        *,
        latency: float = 0.0,
        honours_n: bool = True,
        sees_images: bool = True,
        smallest_image: int = 28,
        key: str | None = None,
        model: str | None = None,
        slots: int = 0,
        port: int = 0,
        keep: bool = True,
    ) -> None:
        self.answer = answer
        self.faults = faults
        self.latency = latency
        self.honours_n = honours_n
        self.sees_images = sees_images
        self.smallest_image = smallest_image
        self.key = key
        self.model = model
        self.slots = slots
        self.keep = keep
        self.requests: list[Seen] = []
        self.count = 0
        self.in_flight = 0
        self.most_in_flight = 0
        self.port = port
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._server: asyncio.Server | None = None
        self._connections: set[_Connection] = set()
        self._room: asyncio.Semaphore | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def __enter__(self) -> Self:
        started = threading.Event()

        def serve() -> None:
            self._loop = asyncio.new_event_loop()
            self._loop.run_until_complete(self.start())
            started.set()
            self._loop.run_forever()
            self._loop.run_until_complete(self.stop())
            self._loop.close()

        self._thread = threading.Thread(target=serve, daemon=True, name="fake endpoint")
        self._thread.start()
        if not started.wait(10):
            raise RuntimeError("the fake endpoint did not start")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Stop serving: connections break, and new ones are refused. `__enter__` again serves on the same port."""
        if self._thread is not None and self._loop is not None:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._thread = None

    async def start(self) -> None:
        """Serve on the running loop."""
        self._room = asyncio.Semaphore(self.slots) if self.slots else None
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(
            lambda: _Connection(self), "127.0.0.1", self.port, backlog=1024
        )
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        if self._server is not None:
            self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for connection in list(self._connections):
            connection.transport.abort()
        await asyncio.sleep(0)

    # --- what a request gets ----------------------------------------------------------------------------------------

    def reply_to(self, seen: Seen) -> Fault:
        """The reply, right or wrong. Runs in the server's thread."""
        if self.key is not None and seen.headers.get("authorization") != f"Bearer {self.key}":
            given = seen.headers.get("authorization", "nothing")
            return Fault.status(401, f"Incorrect API key provided: {given}")
        if seen.path == "/v1/models":
            names = [self.model or "fake"]
            return Fault(200, json.dumps({"data": [{"id": name} for name in names]}).encode())
        if seen.path != "/v1/chat/completions":
            return Fault.status(404, f"no such path: {seen.path}")
        if self.model is not None and seen.body.get("model") != self.model:
            return Fault.status(404, f"The model `{seen.body.get('model')}` does not exist.")
        fault = self._fault(seen)
        if fault is not None:
            return fault
        if isinstance(self.answer, str):
            if b'"n":' not in seen.raw and b"logprobs" not in seen.raw and b"image_url" not in seen.raw:
                return Fault(200, completion(self.answer))
            answer: Answer = self.answer
        else:
            answer = (self.answer or default_answer)(seen)
        if isinstance(answer, Fault):
            return answer
        body = seen.body
        texts = [answer] if seen.n == 1 or not self.honours_n else [f"{answer} #{i}" for i in range(seen.n)]
        logprobs = spread(answer, int(body.get("top_logprobs", 0))) if body.get("logprobs") else None
        limit = body.get("max_tokens")
        if isinstance(limit, int) and len(answer.split()) > limit:
            texts = [" ".join(text.split()[:limit]) for text in texts]
            return Fault(200, completion(texts, finish_reason="length", logprobs=logprobs))
        return Fault(200, completion(texts, logprobs=logprobs))

    def _fault(self, seen: Seen) -> Fault | None:
        if callable(self.faults):
            fault = self.faults(seen)
        else:
            fault = self.faults[seen.number] if seen.number < len(self.faults) else None
        if fault is not None or b"image_url" not in seen.raw:
            return fault
        if not self.sees_images:
            return Fault.status(
                500, "image input is not supported - hint: you may need to provide the mmproj"
            )
        for url in seen.images if self.smallest_image else ():
            if min(_png_size(url)) < self.smallest_image:
                return Fault.status(500, "Internal Server Error")
        return None

    def _received(self, connection: _Connection, path: str, headers: dict[str, str], raw: bytes) -> None:
        chat = path.endswith("/chat/completions")
        seen = Seen(self.count, path, headers, raw, time.monotonic())
        if chat:
            self.count += 1
            if self.keep:
                self.requests.append(seen)
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        fault = self.reply_to(seen)
        loop = asyncio.get_running_loop()
        if self._room is None and fault.action != "hang":
            delay = self.latency + fault.delay
            if delay:
                loop.call_later(delay, connection.answer, fault)
            else:
                connection.answer(fault)
            return
        task = loop.create_task(self._answer_later(connection, fault))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _answer_later(self, connection: _Connection, fault: Fault) -> None:
        delay = HANG if fault.action == "hang" else self.latency + fault.delay
        async with self._room or contextlib.nullcontext():
            await asyncio.sleep(delay)
        connection.answer(fault)


class _Connection(asyncio.Protocol):
    """One connection: requests are taken one after the other, each with a Content-Length."""

    transport: asyncio.Transport

    def __init__(self, fake: FakeEndpoint) -> None:
        self.fake = fake
        self.pieces: list[bytes] = []
        self.size = 0
        self.needed = 0  # bytes of the whole request, 0 until its head is there
        self.head = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.fake._connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self.fake._connections.discard(self)

    def data_received(self, data: bytes) -> None:
        self.pieces.append(data)
        self.size += len(data)
        if not self.needed:
            whole = b"".join(self.pieces)
            self.pieces = [whole]
            end = whole.find(b"\r\n\r\n")
            if end < 0:
                return
            self.head = whole[:end]
            length = re.search(rb"\r\ncontent-length: *(\d+)", self.head, re.IGNORECASE)
            self.needed = end + 4 + (int(length.group(1)) if length else 0)
        if self.size >= self.needed:
            whole = b"".join(self.pieces)
            raw = whole[len(self.head) + 4 : self.needed]
            self.pieces, self.size, self.needed = [], 0, 0
            first, *lines = self.head.decode("latin-1").split("\r\n")
            pairs = (line.partition(":") for line in lines)
            headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
            self.fake._received(self, first.split(" ")[1], headers, raw)

    def answer(self, fault: Fault) -> None:
        self.fake.in_flight -= 1
        if self.transport.is_closing():
            return
        if fault.action == "drop":
            self.transport.close()
        elif fault.action == "reset":
            self.transport.abort()
        else:
            kind = fault.headers.get("Content-Type", "application/json")
            extra = "".join(
                f"{name}: {value}\r\n" for name, value in fault.headers.items() if name != "Content-Type"
            )
            head = f"HTTP/1.1 {fault.code} X\r\nContent-Type: {kind}\r\n{extra}Content-Length: {len(fault.body)}\r\n\r\n"
            sent = fault.body[: len(fault.body) // 2] if fault.action == "cut" else fault.body
            self.transport.write(head.encode("latin-1") + sent)
            if fault.action == "cut":
                self.transport.close()


def _png_size(url: str) -> tuple[int, int]:
    """Width and height of a PNG data URL; large numbers for anything else."""
    import base64

    head = base64.b64decode(url.partition(",")[2][:64])
    if head[:8] != b"\x89PNG\r\n\x1a\n":
        return (10**6, 10**6)
    width, height = struct.unpack(">II", head[16:24])
    return (width, height)


def main() -> None:
    parser = argparse.ArgumentParser(description="Serve a fake chat endpoint and print its base URL.")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before each reply")
    parser.add_argument("--answer", default=None, help="the text of every reply")
    parser.add_argument(
        "--failure-rate", type=float, default=0.0, help="share of requests that get a 500, 0 to 1"
    )
    options = parser.parse_args()

    def faults(seen: Seen) -> Fault | None:
        share = int.from_bytes(hashlib.sha256(seen.raw).digest()[:4], "big") / 2**32
        return Fault.status(500) if share < options.failure_rate else None

    async def serve() -> None:
        fake = FakeEndpoint(
            options.answer,
            faults if options.failure_rate else (),
            latency=options.latency,
            smallest_image=0,
            port=options.port,
            keep=False,
        )
        await fake.start()
        print(fake.base_url, flush=True)
        await asyncio.Event().wait()

    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve())


if __name__ == "__main__":
    main()
