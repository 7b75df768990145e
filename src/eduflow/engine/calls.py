"""What goes into a model call and what comes out: requests, images, replies, outcomes.

The engine knows no education. A request is an OpenAI chat request whose images are held apart, by the hash of their
bytes, so that they are encoded once and journalled once.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from eduflow.engine.endpoints import Endpoint

# How a call ended. All are final; `--retry-failed` asks failed calls again.
Outcome = Literal["ok", "truncated", "filtered", "rejected_input", "failed"]
OUTCOMES: tuple[Outcome, ...] = ("ok", "truncated", "filtered", "rejected_input", "failed")


@dataclass(frozen=True)
class Image:
    """An image as it is sent: bytes in a format that endpoints take, checked by decoding before it gets here."""

    data: bytes = field(repr=False)
    media_type: str

    @cached_property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()

    @cached_property
    def url_json(self) -> bytes:
        """The JSON string of its data URL, quotes included. Encoded once, then joined into every body."""
        return b'"data:%s;base64,%s"' % (self.media_type.encode(), base64.b64encode(self.data))


@dataclass(frozen=True, slots=True)
class Message:
    """One chat message; `content` is a run of texts and images in their order."""

    role: Literal["system", "user", "assistant"]
    content: tuple[str | Image, ...]

    @staticmethod
    def user(*content: str | Image) -> Message:
        return Message("user", content)

    @staticmethod
    def system(text: str) -> Message:
        return Message("system", (text,))

    @staticmethod
    def assistant(text: str) -> Message:
        return Message("assistant", (text,))


@dataclass(frozen=True, slots=True)
class Request:
    """One model call.

    Args:
        endpoint: who is asked.
        messages: the conversation.
        params: fields of the request body beside `model` and `messages` (temperature, max_tokens, stop, logprobs,
            top_logprobs, response_format, ...). A seed does not belong here: the engine derives it.
        sample: which sample of this prompt this is, from 0. Part of the journal key.
        affinity: requests with the same word go to the same replica, for its prefix cache. Not part of the key.
        tag: what the call is for ("solve", "judge", "caption"), for counts by purpose. Not part of the key.
    """

    endpoint: Endpoint
    messages: tuple[Message, ...]
    params: Mapping[str, Any] = field(default_factory=dict)
    sample: int = 0
    affinity: str | None = None
    tag: str = ""


@dataclass(frozen=True, slots=True)
class Usage:
    """Token counts as the endpoint gave them; None where it gave none or nonsense (NaN, negative, text)."""

    prompt: int | None = None
    completion: int | None = None


@dataclass(frozen=True, slots=True)
class TokenLogprob:
    """One output token with its log-probability and the alternatives that were returned beside it."""

    token: str
    logprob: float
    top: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """How a call ended and what it brought.

    `text` is empty for every outcome that brought none; it is never an error message: those stand in `error`.
    `reasoning` is what a server returned in a field of its own. `key` is the journal key (hex). `cached` says that no
    call was made now. `attempts` counts the HTTP requests of the call when it was made.
    """

    outcome: Outcome
    text: str = ""
    reasoning: str = ""
    error: str = ""
    finish_reason: str | None = None
    logprobs: tuple[TokenLogprob, ...] = ()
    usage: Usage = Usage()
    key: str = ""
    cached: bool = False
    attempts: int = 0
    seconds: float = 0.0
