"""What an HTTP reply means: a pure function from status and raw bytes to an outcome.

Nothing that an endpoint says about its own trouble ever becomes text of an answer. `docs/outcomes.md` holds the same
rules in prose.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, Literal

from eduflow.engine.calls import Outcome, TokenLogprob, Usage
from eduflow.engine.keys import clean

# What to do about trouble:
#   retry       the endpoint's fault; ask again (5xx, broken bodies, error objects)
#   overload    the same, and go easier on it (429, 503, 529)
#   refused     a 400 that does not blame the input: asked once more, then failed
#   input       the request's content is at fault: `rejected_input`
#   filtered    a policy of the endpoint stopped prompt or answer: `filtered`
#   fatal       no call can work until the user mends something: key, model name, URL, quota
#   unreachable, timeout   what the transport reports, beside the kinds that are read off a reply
TroubleKind = Literal["retry", "overload", "refused", "input", "filtered", "fatal", "unreachable", "timeout"]

_MESSAGE_LIMIT = 300


@dataclass(frozen=True, slots=True)
class Choice:
    """One sample of a reply. `empty` marks a finished reply with no text, which is asked for once more."""

    outcome: Outcome
    text: str
    reasoning: str
    finish_reason: str | None
    logprobs: tuple[TokenLogprob, ...] = ()
    error: str = ""

    @property
    def empty(self) -> bool:
        return self.outcome == "ok" and not self.text.strip()


@dataclass(frozen=True, slots=True)
class Answer:
    """A reply that brought samples, in the server's order. `usage` is for all of them together.

    `given` counts the choices of the reply, those included that were too broken to be among `choices`.
    """

    choices: tuple[Choice, ...]
    usage: Usage
    given: int = 1


@dataclass(frozen=True, slots=True)
class Trouble:
    """A reply that brought none. `field` names the parameter that a 400 complains about, where it is n or seed."""

    kind: TroubleKind
    message: str
    status: int
    field: Literal["n", "seed"] | None = None


def classify(status: int, raw: bytes) -> Answer | Trouble:
    """What a reply means.

    Args:
        status: the HTTP status.
        raw: the whole body, as it came.
    """
    if not 200 <= status < 300:
        return _trouble(status, *_error_of(raw))
    try:
        data = json.loads(raw)
    except (ValueError, RecursionError):
        return Trouble("retry", _not_json(raw), status)
    if not isinstance(data, dict):
        return Trouble("retry", f"the reply is JSON, but no object: {_short(raw)}", status)
    if data.get("error"):
        message, code = _error_of(raw)
        inner = _as_status(data["error"])
        return _trouble(inner or 500, message, code)
    choices = data.get("choices")
    if not isinstance(choices, list) or not choices:
        return Trouble("retry", "the reply has no choices", status)
    read: list[Choice] = []
    fault = ""
    for choice in _in_order(choices):
        result = _choice(choice)
        if isinstance(result, Choice):
            read.append(result)
        else:
            fault = result
    # One broken choice among several is left out; the engine asks for what is missing.
    return (
        Answer(tuple(read), _usage(data.get("usage")), len(choices))
        if read
        else Trouble("retry", fault, status)
    )


def retry_after(value: str | None, now: float) -> float | None:
    """The seconds that a `Retry-After` header asks to wait: a number or an HTTP date; None where it says nothing.

    Args:
        value: the header.
        now: the time, in seconds since the epoch.
    """
    if value is None:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(value).timestamp() - now
        except ValueError:
            return None
    return max(0.0, seconds) if math.isfinite(seconds) else None


# --- a reply with samples -------------------------------------------------------------------------------------------

_TRUNCATED = frozenset({"length", "max_tokens", "model_length", "max_length"})
_FILTERED = frozenset(
    {"content_filter", "safety", "sensitive", "recitation", "prohibited_content", "blocklist"}
)
_BROKEN_OFF = frozenset({"error", "abort", "insufficient_system_resource", "network_error"})


def _in_order(choices: list[Any]) -> list[Any]:
    """The choices by their index where every one has its own; else as they came."""
    if len(choices) == 1:
        return choices
    places = [choice.get("index") if isinstance(choice, dict) else None for choice in choices]
    if all(type(place) is int for place in places) and len(set(places)) == len(places):
        return [
            choice for _, choice in sorted(zip(places, choices, strict=True), key=lambda pair: pair[0] or 0)
        ]
    return choices


def _choice(choice: Any) -> Choice | str:
    """The sample, or what is wrong with it."""
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(message, dict):
        return "a choice has no message"
    content = _text(message.get("content"))
    text = clean(content or "")
    reasoning = clean(_text(message.get("reasoning_content")) or _text(message.get("reasoning")) or "")
    given = choice.get("finish_reason")
    reason = clean(given)[:40] if isinstance(given, str) and given else None
    folded = (reason or "").lower()
    logprobs = _logprobs(choice.get("logprobs"))
    if folded in _BROKEN_OFF or choice.get("error"):
        return f"the endpoint broke the reply off (finish reason '{reason}')"
    if folded in _FILTERED:
        return Choice(
            "filtered", text, reasoning, reason, logprobs, "stopped by the endpoint's content filter"
        )
    if folded in _TRUNCATED:
        return Choice("truncated", text, reasoning, reason, logprobs)
    refusal = message.get("refusal")
    if isinstance(refusal, str) and refusal.strip() and not text.strip():
        return Choice("filtered", "", reasoning, reason, (), f"refused: {_short(clean(refusal))}")
    if content is None and not reasoning:
        return "the reply's content is null"
    if not text.strip() and reason is None:
        return "the reply is empty and has no finish reason"
    return Choice("ok", text, reasoning, reason, logprobs)


def _text(content: Any) -> str | None:
    """The text of a content field, which is a string or a list of parts; None for anything else."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        texts = [
            part.get("text") for part in content if isinstance(part, dict) and part.get("type") == "text"
        ]
        found = [text for text in texts if isinstance(text, str)]
        return "".join(found) if found else None
    return None


def _logprobs(given: Any) -> tuple[TokenLogprob, ...]:
    """The output tokens with their log-probabilities; empty where a token's is missing or no number."""
    content = given.get("content") if isinstance(given, dict) else None
    if not isinstance(content, list):
        return ()
    tokens: list[TokenLogprob] = []
    for entry in content:
        own = _token(entry)
        if own is None:
            return ()
        top = entry.get("top_logprobs")
        others = [_token(other) for other in top] if isinstance(top, list) else []
        tokens.append(TokenLogprob(*own, tuple(other for other in others if other is not None)))
    return tuple(tokens)


def _token(entry: Any) -> tuple[str, float] | None:
    if not isinstance(entry, dict):
        return None
    token, value = entry.get("token"), entry.get("logprob")
    if not isinstance(token, str) or isinstance(value, bool) or not isinstance(value, int | float):
        return None
    # A probability can't exceed 1; rounding lets it do so by a hair.
    return (clean(token), min(float(value), 0.0)) if math.isfinite(value) and value < 0.01 else None


def _usage(given: Any) -> Usage:
    if not isinstance(given, dict):
        return Usage()
    return Usage(_count(given.get("prompt_tokens")), _count(given.get("completion_tokens")))


def _count(value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    # 2^53 bounds what a float carries exactly, and no reply has that many tokens.
    return int(value) if 0 <= value < 2**53 and value == int(value) else None


# --- a reply with an error ------------------------------------------------------------------------------------------

_POLICY = re.compile(
    r"content[ _-]?(?:filter|policy|management)|data_?inspection|moderation|flagged|inappropriate content"
    r"|responsible ?ai|prohibited content|sensitive (?:word|content)|safety (?:system|filter)",
    re.IGNORECASE,
)
_TOO_LONG = re.compile(
    r"context[ _-]?(?:length|window|size)|max(?:imum)?[ _](?:model|input|sequence|prompt)[ _-]?(?:len|tokens)"
    r"|(?:prompt|input|request|message)s?(?: is| are)? too (?:long|large)|too many (?:input |prompt )?tokens"
    r"|string_above_max_length|range of input length|exceed\w* .{0,40}token",
    re.IGNORECASE,
)
_IMAGE = re.compile(
    r"image|picture|base64|pixel|aspect ratio|multi-?modal|vision|larger than factor", re.IGNORECASE
)
# A 5xx is the endpoint's trouble unless it says in so many words that the picture is at fault.
_IMAGE_FOR_EVER = re.compile(
    r"image input is not supported|(?:does not|doesn't|not) support (?:image|vision|multi-?modal)"
    r"|must be larger than factor|cannot identify image|invalid image",
    re.IGNORECASE,
)
_QUOTA = re.compile(
    r"insufficient_quota|exceeded your current quota|insufficient balance|billing", re.IGNORECASE
)
_FIELD = re.compile(r"""['"`\s.:=(\[](seed|n)['"`\s.:=,)\]]""")


def _trouble(status: int, message: str, code: str) -> Trouble:
    said = f"{code} {message}"
    shown = f"HTTP {status}: {message}"
    if status == 402 or (status in (403, 429) and _QUOTA.search(said)):
        return Trouble("fatal", shown, status)
    if status in (400, 403, 422, 451) and _POLICY.search(said):
        return Trouble("filtered", shown, status)
    if status in (301, 302, 303, 307, 308, 401, 403, 404, 405):
        return Trouble("fatal", shown, status)
    if status == 413:
        return Trouble("input", shown, status)
    if status in (400, 422):
        if _TOO_LONG.search(said) or _IMAGE.search(said):
            return Trouble("input", shown, status)
        field = _FIELD.search(f" {said} ")
        return Trouble("refused", shown, status, field.group(1) if field else None)  # type: ignore[arg-type]
    if status >= 500 and (_IMAGE_FOR_EVER.search(said) or "context_length_exceeded" in said):
        return Trouble("input", shown, status)
    if status in (429, 503, 529):
        return Trouble("overload", shown, status)
    return Trouble("retry" if status >= 500 or status in (408, 409, 425) else "refused", shown, status)


def _error_of(raw: bytes) -> tuple[str, str]:
    """Message and code of an error body of any of the usual shapes."""
    try:
        data = json.loads(raw)
    except (ValueError, RecursionError):
        return _not_json(raw), ""
    error = data.get("error") if isinstance(data, dict) else data
    if isinstance(error, dict):
        code = f"{error.get('code') or ''} {error.get('type') or ''} {error.get('param') or ''}"
        return _short(clean(str(error.get("message") or error))), code
    if isinstance(error, str) and error:
        return _short(clean(error)), ""
    if isinstance(data, dict):
        return _short(clean(str(data.get("message") or data.get("detail") or data))), str(
            data.get("code") or ""
        )
    return _short(clean(str(data))), ""


def _as_status(error: Any) -> int | None:
    """The HTTP status that an error object inside a 200 names."""
    if isinstance(error, dict):
        for name in ("status", "code", "status_code"):
            value = error.get(name)
            if isinstance(value, str) and value.isdecimal() and len(value) == 3:
                value = int(value)
            if type(value) is int and 400 <= value < 600:
                return value
        if "context_length_exceeded" in (error.get("code"), error.get("type")):
            return 400
        if error.get("type") in ("invalid_request_error", "BadRequestError"):
            return 400
    return None


def _not_json(raw: bytes) -> str:
    head = raw[:2000].lstrip().lower()
    if head.startswith((b"<!doctype", b"<html", b"<head", b"<?xml")):
        title = re.search(rb"<title>(.{0,120}?)</title>", raw[:4000], re.IGNORECASE | re.DOTALL)
        said = f" titled '{_short(title.group(1))}'" if title else ""
        return f"an HTML page{said} instead of JSON"
    if not head:
        return "an empty body"
    return f"a body that is not whole JSON: {_short(raw)}"


def _short(text: str | bytes) -> str:
    """One line of at most 300 characters."""
    if isinstance(text, bytes):
        text = text[: 4 * _MESSAGE_LIMIT].decode("utf-8", "replace")
    line = " ".join(text[: 4 * _MESSAGE_LIMIT].split())
    return line if len(line) <= _MESSAGE_LIMIT else line[: _MESSAGE_LIMIT - 1] + "…"
