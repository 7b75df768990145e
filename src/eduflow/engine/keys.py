"""What is sent for a request, and the key under which its replies are journalled.

The body that goes over the wire and the canonical form that is hashed are made from the same parts. They differ in
three ways: an image is its data URL in the body and its sha256 in the canonical form; the seed and `n` stand only in
the body; the canonical form has its fields sorted.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from eduflow.engine.calls import Image, Message, Request
from eduflow.errors import ConfigError

# Fields that the engine sets itself; as a parameter they would contradict it or change the shape of the reply.
_RESERVED = ("messages", "model", "n", "seed", "stream")
_SURROGATE = re.compile("[\ud800-\udfff]")
# Made once: json.dumps would make an encoder for every call of it.
_SORTED = json.JSONEncoder(ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")).encode
_AS_IS = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


def clean(text: str) -> str:
    """The text with each lone surrogate replaced by U+FFFD, because UTF-8 cannot carry one. All else is kept."""
    return text if text.isascii() else _SURROGATE.sub("�", text)


def canonical(request: Request) -> bytes:
    """The canonical JSON of the request: fields sorted, images as `{"sha256": ...}`, no seed, no `n`.

    Raises:
        ConfigError: a parameter that the engine sets itself, or one that JSON cannot carry.
    """
    messages = [
        {
            "role": message.role,
            "content": [
                {"sha256": part.sha256} if isinstance(part, Image) else {"type": "text", "text": part}
                for part in _parts(message)
            ],
        }
        for message in request.messages
    ]
    return _dump({**_fields(request), "messages": messages}, sort=True)


def journal_key(canonical_request: bytes, identity: str, sample: int, seed: int) -> bytes:
    """The 32 bytes under which one sample of a request is journalled."""
    digest = hashlib.sha256(canonical_request)
    digest.update(b"[%s,%d,%d]" % (_as_json(identity), sample, seed))
    return digest.digest()


@lru_cache(maxsize=256)
def _as_json(identity: str) -> bytes:
    return _dump(identity, sort=False)


def sent_seed(seed: int, sample: int) -> int:
    """The seed sent with a sample: 0 to 2^31 - 1, made of the run's seed and the sample's index alone."""
    digest = hashlib.sha256(b"eduflow seed %d sample %d" % (seed, sample)).digest()
    return int.from_bytes(digest[:4], "big") & 0x7FFFFFFF


def body(request: Request, *, seed: int | None, n: int = 1) -> bytes:
    """The request body as JSON. Images are joined in as the bytes that were encoded once per `Image`.

    Args:
        request: what to ask; its `sample` plays no part here.
        seed: the seed to send; None for none (some servers refuse the field).
        n: how many samples to ask for in one call; the field is left out for 1.

    Raises:
        ConfigError: as for `canonical`.
    """
    fields = _fields(request)
    if seed is not None:
        fields["seed"] = seed
    if n > 1:
        fields["n"] = n
    pieces = [_dump(fields, sort=False)[:-1], b',"messages":[']
    for index, message in enumerate(request.messages):
        pieces.append(b'%s{"role":"%s","content":' % (b"," if index else b"", message.role.encode()))
        _write_content(_parts(message), pieces)
        pieces.append(b"}")
    pieces.append(b"]}")
    return b"".join(pieces)


def _write_content(parts: list[str | Image], pieces: list[bytes]) -> None:
    # A plain string where there is no image: some servers take parts only for models that see.
    if len(parts) == 1 and isinstance(parts[0], str):
        pieces.append(_dump(parts[0], sort=False))
        return
    pieces.append(b"[")
    for index, part in enumerate(parts):
        if index:
            pieces.append(b",")
        if isinstance(part, Image):
            pieces += (b'{"type":"image_url","image_url":{"url":', part.url_json, b"}}")
        else:
            pieces += (b'{"type":"text","text":', _dump(part, sort=False), b"}")
    pieces.append(b"]")


def _parts(message: Message) -> list[str | Image]:
    """The message's content with neighbouring texts joined, so that how a text was put together leaves no trace."""
    parts: list[str | Image] = []
    for part in message.content:
        if isinstance(part, str) and parts and isinstance(parts[-1], str):
            parts[-1] += part
        else:
            parts.append(part)
    return parts or [""]


def _fields(request: Request) -> dict[str, Any]:
    """Every field but the messages. The endpoint's `extra_body` wins over the request's parameters."""
    endpoint = request.endpoint
    check_fields(request.params, "the request's parameters")
    return {"model": endpoint.model, **request.params, **endpoint.extra_body}


def check_fields(fields: Mapping[str, Any], where: str) -> None:
    """Refuse a field that the engine sets itself.

    Raises:
        ConfigError: naming the field and where it stands.
    """
    for name in _RESERVED:
        if name in fields:
            raise ConfigError(f"{where}: '{name}' is set by the engine and cannot be given")


def _dump(value: Any, *, sort: bool) -> bytes:
    try:
        text = (_SORTED if sort else _AS_IS)(value)
    except (TypeError, ValueError) as error:
        raise ConfigError(f"a request parameter cannot be written as JSON: {error}") from None
    return clean(text).encode()
