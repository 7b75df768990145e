"""One HTTP attempt: bytes out, status and bytes in, or a typed failure. Replicas and their choice stand here too."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp

from eduflow.engine.endpoints import Endpoint
from eduflow.errors import ConfigError

# A reply above this is not read to its end. The longest honest replies (32k tokens, each with its top 20
# log-probabilities) come near it.
REPLY_LIMIT = 64 * 2**20
# Keys shorter than this are placeholders such as "EMPTY", which a model may well say.
_REAL_KEY = 12
_CONNECT_SECONDS = 15.0
_LOOPBACK = ("localhost", "127.0.0.1", "::1", "0.0.0.0")  # noqa: S104 - compared with, never bound


@dataclass(frozen=True, slots=True)
class Raw:
    """A whole HTTP reply."""

    status: int
    body: bytes
    retry_after: str | None = None


class TransportError(Exception):
    """An attempt that brought no whole reply.

    `kind`: "unreachable" (nothing was sent: refused, no such host, TLS), "dropped" (the connection broke),
    "timeout" (the total time limit), "too_large" (the reply passed the size limit).
    """

    def __init__(self, kind: Literal["unreachable", "dropped", "timeout", "too_large"], message: str) -> None:
        super().__init__(message)
        self.kind = kind


@dataclass(slots=True)
class Replica:
    """One base URL of an endpoint. After it could not be reached it is left alone until `down_until`."""

    base_url: str
    in_flight: int = 0
    down_until: float = 0.0
    misses: int = 0
    proxy: str | None = field(init=False)

    def __post_init__(self) -> None:
        # Looked up once: the environment does not change, and asking for every call costs more than the call's JSON.
        parts = urlsplit(self.base_url)
        host = parts.hostname or ""
        direct = host in _LOOPBACK or proxy_bypass(host)
        self.proxy = None if direct else getproxies().get(parts.scheme)

    def missed(self, now: float) -> None:
        """It could not be reached: leave it alone for 1, 2, 4, ... at most 60 seconds."""
        self.misses += 1
        self.down_until = now + min(60.0, 2.0 ** (self.misses - 1))

    def reached(self) -> None:
        self.misses, self.down_until = 0, 0.0


def choose(replicas: Sequence[Replica], affinity: str | None, now: float) -> Replica:
    """The replica to ask: with an affinity always the same one while it is up, else the least busy one.

    Rendezvous hashing: when a replica goes down, only its own requests move. When all are down, they are tried all the
    same.
    """
    if len(replicas) == 1:
        return replicas[0]
    up = [replica for replica in replicas if replica.down_until <= now] or replicas
    if affinity is None:
        return min(up, key=lambda replica: replica.in_flight)
    return max(up, key=lambda replica: hashlib.sha256(f"{affinity}\0{replica.base_url}".encode()).digest())


class Transport:
    """The HTTP side of the engine: one connection pool for all endpoints."""

    def __init__(self) -> None:
        self._session: aiohttp.ClientSession | None = None
        self._closed = False

    async def close(self) -> None:
        """Close all connections; nothing can be sent afterwards."""
        self._closed = True
        if self._session is not None:
            await self._session.close()
            self._session = None

    def _open(self) -> aiohttp.ClientSession:
        if self._closed:
            raise RuntimeError("the engine is closed")
        if self._session is None:
            self._session = aiohttp.ClientSession(
                # How many are in flight is the limiter's business.
                connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=30),
                cookie_jar=aiohttp.DummyCookieJar(),
                headers={"Content-Type": "application/json", "User-Agent": "eduflow"},
            )
        return self._session

    async def post(self, endpoint: Endpoint, replica: Replica, body: bytes, seconds: float) -> Raw:
        """Send a chat request and read the whole reply.

        Args:
            endpoint: for the key and for messages.
            replica: which base URL.
            body: the JSON body.
            seconds: time limit, from sending to the last byte.

        Raises:
            TransportError: no whole reply came.
            ConfigError: the variable that should hold the key is not set.
        """
        return await self._send("POST", endpoint, replica, "/chat/completions", body, seconds)

    async def get(self, endpoint: Endpoint, replica: Replica, path: str, seconds: float) -> Raw:
        """Read `path` below the base URL. Raises as `post`."""
        return await self._send("GET", endpoint, replica, path, None, seconds)

    async def _send(
        self, method: str, endpoint: Endpoint, replica: Replica, path: str, body: bytes | None, seconds: float
    ) -> Raw:
        key = read_key(endpoint)
        headers = {} if key is None else {"Authorization": f"Bearer {key}"}
        replica.in_flight += 1
        try:
            async with self._open().request(
                method,
                replica.base_url + path,
                data=body,
                headers=headers,
                proxy=replica.proxy,
                # A redirected POST would arrive as a GET, or carry the key elsewhere.
                allow_redirects=False,
                timeout=aiohttp.ClientTimeout(total=seconds, sock_connect=_CONNECT_SECONDS),
            ) as response:
                raw = await _read(response)
                reply = Raw(response.status, scrub(raw, key), response.headers.get("Retry-After"))
        except aiohttp.ConnectionTimeoutError:
            replica.missed(time.monotonic())
            raise TransportError("unreachable", f"{replica.base_url} does not take a connection") from None
        except TimeoutError:
            raise TransportError("timeout", f"no whole reply within {seconds:g} s") from None
        except aiohttp.ClientConnectorError as error:
            replica.missed(time.monotonic())
            raise TransportError(
                "unreachable", f"{replica.base_url} cannot be reached: {_why(error)}"
            ) from None
        except aiohttp.InvalidURL:
            raise ConfigError(f"endpoint '{endpoint.name}': '{replica.base_url}' is not a URL") from None
        except (aiohttp.ClientError, OSError) as error:
            raise TransportError("dropped", f"the connection broke: {_why(error)}") from None
        except ValueError as error:
            # aiohttp's word for a header that cannot be sent; its text may hold the header, so it is not repeated.
            raise ConfigError(
                f"endpoint '{endpoint.name}': the request cannot be sent ({type(error).__name__}); "
                f"check base_url and the value of {endpoint.key_env or 'the key variable'}"
            ) from None
        finally:
            replica.in_flight -= 1
        replica.reached()
        return reply


async def _read(response: aiohttp.ClientResponse) -> bytes:
    # Read in pieces: the stated length says nothing about a compressed or chunked body.
    pieces: list[bytes] = []
    size = 0
    while piece := await response.content.readany():
        pieces.append(piece)
        size += len(piece)
        if size > REPLY_LIMIT:
            response.close()
            raise TransportError("too_large", f"the reply is over {REPLY_LIMIT // 2**20} MiB")
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def read_key(endpoint: Endpoint) -> str | None:
    """The endpoint's key, out of the environment.

    Raises:
        ConfigError: the variable is not set; names the variable.
    """
    if endpoint.key_env is None:
        return None
    key = os.environ.get(endpoint.key_env, "").strip()
    if not key:
        raise ConfigError(
            f"endpoint '{endpoint.name}' needs its key in the environment variable {endpoint.key_env}"
        )
    return key


def scrub(raw: bytes, key: str | None) -> bytes:
    """The body without the key, should a server repeat it."""
    if key is None or len(key) < _REAL_KEY:
        return raw
    return raw.replace(key.encode(), b"[key]") if key.encode() in raw else raw


def _why(error: BaseException) -> str:
    """A short reason without addresses of objects or headers."""
    inner = getattr(error, "os_error", None)
    number = inner.errno if isinstance(inner, OSError) else None
    # asyncio's own words for a refused connection name the address a second time; the system's don't.
    text = os.strerror(number) if number and number > 0 else str(inner or error) or type(error).__name__
    return " ".join(text.split())[:200]
