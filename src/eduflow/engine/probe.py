"""What an endpoint can do, found out by asking it."""

from __future__ import annotations

import hashlib
import io
import json
import re
import time
from dataclasses import dataclass
from typing import Any

from PIL import Image as Picture
from PIL import ImageDraw, ImageFont

from eduflow.engine.calls import Image, Message, Reply, Request
from eduflow.engine.classify import Answer, Choice
from eduflow.engine.endpoints import Endpoint
from eduflow.engine.engine import EndpointDown, Engine
from eduflow.errors import ConfigError

_READ_NUMBER = "Which number is written in the picture? Answer with the number alone."
# Room for a model that thinks before it answers.
_ROOM = 1024


@dataclass(frozen=True, slots=True)
class Finding:
    """One question about an endpoint: `holds` is None where it could not be told, and `detail` says why."""

    what: str
    holds: bool | None
    detail: str


@dataclass(frozen=True, slots=True)
class Check:
    """All findings about one endpoint; `seconds` is the time of its first answer."""

    endpoint: str
    model: str
    findings: tuple[Finding, ...]
    seconds: float | None

    @property
    def answers(self) -> bool:
        return self.findings[0].holds is True

    def to_json(self) -> dict[str, Any]:
        return {
            "endpoint": self.endpoint,
            "model": self.model,
            "seconds": self.seconds,
            "findings": [{"what": f.what, "holds": f.holds, "detail": f.detail} for f in self.findings],
        }


def number_picture(number: int) -> Image:
    """A PNG, 400 x 200 pixels, with the number in black on white. The same number gives the same bytes."""
    picture = Picture.new("RGB", (400, 200), "white")
    ImageDraw.Draw(picture).text(
        (200, 100), str(number), fill="black", font=ImageFont.load_default(size=120), anchor="mm"
    )
    out = io.BytesIO()
    picture.save(out, "PNG")
    return Image(out.getvalue(), "image/png")


def probe_numbers(seed: int) -> tuple[int, int]:
    """Two different numbers of four digits, made of the seed."""
    digest = hashlib.sha256(b"eduflow probe %d" % seed).digest()
    first = 1000 + int.from_bytes(digest[:4], "big") % 9000
    return first, 1000 + (first - 1000 + 1 + int.from_bytes(digest[4:8], "big") % 8999) % 9000


async def probe_vision(engine: Engine, endpoint: Endpoint) -> bool:
    """Whether the endpoint reads pictures: it is shown two random numbers of four digits and must name both.

    The calls are journalled like any other, so a run finds out once. A model that guesses passes once in 81 million.

    Raises:
        ConfigError, EndpointDown: as `Engine.call`.
    """
    return (await _sees(engine, endpoint)).holds is True


async def accepts_images(engine: Engine, endpoint: Endpoint) -> bool:
    """Whether the endpoint takes a picture at all, however well it reads it. One journalled call.

    Raises:
        ConfigError, EndpointDown: as `Engine.call`.
    """
    reply = await _read(engine, endpoint, probe_numbers(engine.seed)[0])
    return reply.outcome not in ("rejected_input", "failed")


async def _read(engine: Engine, endpoint: Endpoint, number: int) -> Reply:
    messages = (Message.user(number_picture(number), _READ_NUMBER),)
    return await engine.call(
        Request(endpoint, messages, {"temperature": 0, "max_tokens": _ROOM}, tag="probe")
    )


async def _sees(engine: Engine, endpoint: Endpoint) -> Finding:
    for number in probe_numbers(engine.seed):
        reply = await _read(engine, endpoint, number)
        if reply.outcome in ("rejected_input", "failed"):
            return Finding("sees images", False, f"a picture is refused: {reply.error}")
        # "4,821" and "4 821" are the same number.
        said = re.sub(r"(?<=\d)[,\s](?=\d)", "", reply.text)
        if str(number) not in re.findall(r"\d+", said):
            return Finding("sees images", False, f"it was shown {number} and said {_quote(reply.text)}")
    return Finding("sees images", True, "it read two random numbers")


async def check_endpoint(engine: Engine, endpoint: Endpoint) -> Check:
    """Everything that `eduflow endpoints check` says about one endpoint. About nine short calls."""
    begun = time.monotonic()
    hello = await _first(engine, endpoint, "Say the word 'ready'.", {"temperature": 0, "max_tokens": _ROOM})
    seconds = time.monotonic() - begun
    if isinstance(hello, str):
        return Check(endpoint.name, endpoint.model, (Finding("answers", False, hello),), None)
    findings = [Finding("answers", True, f"in {seconds:.2f} s: {_quote(hello.text or hello.reasoning)}")]
    for look in (_listed, _vision, _logprobs, _honours_n, _seed, _schema):
        findings.append(await look(engine, endpoint))
    return Check(endpoint.name, endpoint.model, tuple(findings), seconds)


async def _ask(
    engine: Engine,
    endpoint: Endpoint,
    text: str,
    params: dict[str, Any],
    *,
    n: int = 1,
    seed: int | None = None,
) -> Answer | str:
    """The answer, or why there is none."""
    try:
        result = await engine.ask_once(Request(endpoint, (Message.user(text),), params), n=n, seed=seed)
    except (ConfigError, EndpointDown) as error:
        return str(error)
    return result if isinstance(result, Answer) else result.message


async def _first(
    engine: Engine, endpoint: Endpoint, text: str, params: dict[str, Any], *, seed: int | None = None
) -> Choice | str:
    answer = await _ask(engine, endpoint, text, params, seed=seed)
    return answer if isinstance(answer, str) else answer.choices[0]


async def _listed(engine: Engine, endpoint: Endpoint) -> Finding:
    if endpoint.local_path is not None:
        return Finding("model is listed", True, f"served from {endpoint.local_path}")
    names = await engine.models(endpoint)
    if names is None:
        return Finding("model is listed", None, "the endpoint has no list of models")
    if endpoint.model in names:
        return Finding("model is listed", True, endpoint.model)
    shown = ", ".join(names[:5]) + (", ..." if len(names) > 5 else "")
    return Finding("model is listed", False, f"'{endpoint.model}' is not among: {shown}")


async def _vision(engine: Engine, endpoint: Endpoint) -> Finding:
    try:
        return await _sees(engine, endpoint)
    except (ConfigError, EndpointDown) as error:
        return Finding("sees images", False, str(error))


async def _logprobs(engine: Engine, endpoint: Endpoint) -> Finding:
    what = "log-probabilities"
    params = {"temperature": 0, "max_tokens": 4, "logprobs": True, "top_logprobs": 20}
    choice = await _first(engine, endpoint, "Is water wet? Answer Yes or No.", params)
    if isinstance(choice, str):
        return Finding(what, False, choice)
    if not choice.logprobs:
        return Finding(what, False, "asked for and not in the reply")
    top = max(len(token.top) for token in choice.logprobs)
    return Finding(what, top > 1, f"{top} alternatives for each token, 20 asked for")


async def _honours_n(engine: Engine, endpoint: Endpoint) -> Finding:
    what = "honours n"
    answer = await _ask(engine, endpoint, "Name a colour.", {"temperature": 1, "max_tokens": 8}, n=3)
    if isinstance(answer, str):
        return Finding(what, False, answer)
    return Finding(what, answer.given == 3, f"asked for 3 samples, got {answer.given}")


async def _seed(engine: Engine, endpoint: Endpoint) -> Finding:
    what = "honours a seed"
    said: list[str] = []
    for seed in (1, 1, 2):
        choice = await _first(
            engine, endpoint, "Write ten random words.", {"temperature": 1, "max_tokens": 32}, seed=seed
        )
        if isinstance(choice, str):
            return Finding(what, False, choice)
        said.append(choice.text or choice.reasoning)
    if said[0] != said[1]:
        return Finding(what, False, "the same seed brought two different texts")
    if said[0] == said[2]:
        return Finding(what, None, "the text is the same whatever the seed")
    return Finding(what, True, "the same seed brought the same text, another seed another")


async def _schema(engine: Engine, endpoint: Endpoint) -> Finding:
    what = "honours a JSON schema"
    # A word that nobody says of himself, so that a model that answers in JSON by habit does not pass.
    schema = {
        "type": "object",
        "properties": {"zq7": {"type": "integer"}},
        "required": ["zq7"],
        "additionalProperties": False,
    }
    params = {
        "temperature": 0,
        "max_tokens": _ROOM,
        "response_format": {"type": "json_schema", "json_schema": {"name": "reply", "schema": schema}},
    }
    choice = await _first(engine, endpoint, "How many legs has a horse?", params)
    if isinstance(choice, str):
        return Finding(what, False, choice)
    try:
        data = json.loads(choice.text)
    except (ValueError, RecursionError):
        data = None
    held = isinstance(data, dict) and list(data) == ["zq7"] and type(data["zq7"]) is int
    return Finding(what, held, f"it said {_quote(choice.text)}")


def _quote(text: str) -> str:
    line = " ".join(text.split())
    return f"'{line if len(line) <= 60 else line[:59] + '…'}'"
