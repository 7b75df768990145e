"""Endpoints from `eduflow.toml`, from the command line as `URL#MODEL`, and local model files by path.

A table of the file, every field but `base_url` and `model` optional:

    [endpoints.qwen]
    base_url = ["http://gpu1:8000/v1", "http://gpu2:8000/v1"]    # one, or several replicas
    model = "Qwen2.5-VL-7B-Instruct"
    revision = "2026-03"                                         # part of the identity in journals
    key_env = "QWEN_KEY"                                         # the variable's name, never the key
    vision = true
    context = 32768
    limits = { concurrency = 64, timeout = 600, attempts = 5, requests_per_minute = 3000 }
    prices = { prompt = 0.2, completion = 0.6, currency = "USD" }    # per million tokens
    extra_body = { chat_template_kwargs = { enable_thinking = false } }

    [endpoints.tuned]
    path = "models/tuned.gguf"                                   # instead of base_url and model; needs the `local` extra
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from eduflow.engine import models
from eduflow.engine.endpoints import LOCAL_CONTEXT, Endpoint, Limits
from eduflow.engine.files import atomic_write
from eduflow.engine.keys import check_fields
from eduflow.errors import ConfigError, InputError

CONFIG_FILE = "eduflow.toml"
LOCAL = "local"
# Slots of a local model: each holds a whole context in memory, and on a processor more do not bring more tokens.
LOCAL_LIMITS = Limits(concurrency=4)

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")


@dataclass(frozen=True, slots=True)
class Config:
    """The endpoints of a configuration file; `path` is None where there is no file."""

    endpoints: Mapping[str, Endpoint] = field(default_factory=dict)
    path: Path | None = None


def load_config(path: str | Path | None = None) -> Config:
    """Read the configuration.

    Args:
        path: the file; None for `./eduflow.toml`, else `~/.config/eduflow/eduflow.toml`, else an empty configuration.

    Raises:
        ConfigError: the file is missing or not TOML, or a field is unknown or wrong; names file and field.
    """
    if path is None:
        home = os.environ.get("XDG_CONFIG_HOME")
        folder = Path(home) if home else Path.home() / ".config"
        found = [p for p in (Path(CONFIG_FILE), folder / "eduflow" / CONFIG_FILE) if p.is_file()]
        if not found:
            return Config()
        path = found[0]
    path = Path(path)
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"{path}: cannot read the configuration: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not TOML: {error}") from None
    try:
        file = _File.model_validate(data)
    except ValidationError as error:
        raise ConfigError(f"{path}: {_fault(error)}") from None
    endpoints = {name: table.endpoint(name, path) for name, table in file.endpoints.items()}
    return Config(endpoints, path)


def resolve(spec: str, config: Config) -> Endpoint:
    """The endpoint that a user names.

    Args:
        spec: a name of the configuration, `URL#MODEL`, `local` (the small model of `eduflow models fetch`), or the
            path of a GGUF file.
        config: where names are looked up.

    Raises:
        ConfigError: nothing of that name; the sentence lists the known ones.
    """
    if spec in config.endpoints:
        endpoint = config.endpoints[spec]
        if endpoint.local_path is not None:
            # Hashed here: reading the configuration must not read every model that it names.
            return replace(endpoint, revision=_cached_sha256(Path(endpoint.local_path)))
        return endpoint
    if spec == LOCAL:
        return local_endpoint(models.find("smollm2"), name=LOCAL, context=2048)
    if spec.lower().startswith(("http://", "https://")):
        url, _, model = spec.partition("#")
        if not model:
            raise ConfigError(f"'{spec}' names no model: write it as URL#MODEL")
        return Endpoint(name=model, model=model, base_urls=(_base_url(url),))
    if spec.endswith(".gguf"):
        return local_endpoint(spec)
    known = ", ".join([*config.endpoints, LOCAL])
    where = f"{config.path}" if config.path else f"there is no {CONFIG_FILE}"
    raise ConfigError(
        f"unknown endpoint '{spec}'; known: {known} ({where}); or give it as URL#MODEL, or a .gguf file's path"
    )


def local_endpoint(
    path: str | Path, *, name: str | None = None, limits: Limits = LOCAL_LIMITS, context: int = LOCAL_CONTEXT
) -> Endpoint:
    """An endpoint for a GGUF file, identified by the file's name and sha256.

    Raises:
        ConfigError: the file cannot be read.
    """
    path = Path(path)
    return Endpoint(
        name=name or path.stem,
        model=path.name,
        revision=_cached_sha256(path),
        limits=limits,
        vision=False,
        context=context,
        local_path=str(path.resolve()),
    )


def _base_url(url: str) -> str:
    """A base URL without a trailing slash or the path that is added to it.

    Raises:
        ConfigError: it is not an http or https URL.
    """
    url = url.strip().rstrip("/").removesuffix("/chat/completions")
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise ConfigError(f"'{url}' is not an http or https URL")
    if parts.username is not None or parts.password is not None:
        # Not repeated: it holds a password.
        raise ConfigError("a base_url must not hold a user or password: name the key's variable as key_env")
    return url


# --- the file -------------------------------------------------------------------------------------------------------


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


_Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
_Price = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class _LimitsTable(_Table):
    concurrency: int = Field(default=Limits().concurrency, ge=1, le=10_000)
    timeout: _Positive = Limits().timeout
    attempts: int = Field(default=Limits().attempts, ge=1, le=100)
    requests_per_minute: _Positive | None = None


class _PricesTable(_Table):
    prompt: _Price
    completion: _Price
    currency: str = "USD"


class _EndpointTable(_Table):
    base_url: str | list[str] | None = None
    model: str | None = Field(default=None, min_length=1)
    revision: str | None = Field(default=None, min_length=1)
    key_env: str | None = None
    limits: _LimitsTable | None = None
    prices: _PricesTable | None = None
    extra_body: dict[str, Any] = Field(default_factory=dict)
    vision: bool | None = None
    context: int | None = Field(default=None, ge=1)
    path: str | None = None

    @field_validator("base_url")
    @classmethod
    def _urls(cls, value: str | list[str] | None) -> str | list[str] | None:
        urls = [value] if isinstance(value, str) else value
        if urls is None:
            return None
        if not urls:
            raise ValueError("is an empty list")
        try:
            return [_base_url(url) for url in urls]
        except ConfigError as error:
            raise ValueError(str(error)) from None

    @field_validator("key_env")
    @classmethod
    def _variable(cls, value: str | None) -> str | None:
        # The value is not repeated: whoever gets this wrong has put the key here.
        if value is not None and not _VARIABLE.fullmatch(value):
            raise ValueError("must be the name of an environment variable, not the key itself")
        return value

    @field_validator("extra_body")
    @classmethod
    def _extra(cls, value: dict[str, Any]) -> dict[str, Any]:
        try:
            check_fields(value, "extra_body")
            json.dumps(value, allow_nan=False)
        except (ConfigError, TypeError, ValueError) as error:
            raise ValueError(str(error)) from None
        return value

    @model_validator(mode="after")
    def _whole(self) -> _EndpointTable:
        if self.path is not None:
            if self.base_url is not None or self.model is not None:
                raise ValueError("has a path as well as base_url or model: it is either local or remote")
            if self.revision is not None:
                raise ValueError("has a path and a revision: a local model's revision is its sha256")
        elif self.base_url is None or self.model is None:
            raise ValueError("needs base_url and model, or path for a local model")
        return self

    def endpoint(self, name: str, file: Path) -> Endpoint:
        limits = None if self.limits is None else Limits(**self.limits.model_dump())
        prices = self.prices
        if self.path is not None:
            path = (file.parent / Path(self.path).expanduser()).resolve()
            model, urls = path.name, []
        else:
            assert self.model is not None
            assert isinstance(self.base_url, list)
            path, model, urls = None, self.model, self.base_url
        return Endpoint(
            name=name,
            model=model,
            base_urls=tuple(urls),
            revision=self.revision,
            key_env=self.key_env,
            limits=limits or (Limits() if path is None else LOCAL_LIMITS),
            price_prompt=prices.prompt if prices else None,
            price_completion=prices.completion if prices else None,
            currency=prices.currency if prices else "USD",
            extra_body=self.extra_body,
            vision=self.vision if path is None else False,
            context=self.context or (LOCAL_CONTEXT if path is not None else None),
            local_path=None if path is None else str(path),
        )


class _File(_Table):
    endpoints: dict[str, _EndpointTable] = Field(default_factory=dict)


def _fault(error: ValidationError) -> str:
    """The first fault as one sentence with its field; values are not repeated, since one may be a key."""
    first = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"] if part not in ("str", "list[str]"))
    if first["type"] == "extra_forbidden":
        parent = first["loc"][-2] if len(first["loc"]) > 1 else None
        tables: dict[str, type[_Table]] = {"limits": _LimitsTable, "prices": _PricesTable}
        table = tables.get(str(parent), _EndpointTable if len(first["loc"]) > 1 else _File)
        return f"unknown field '{place}'; known there: {', '.join(table.model_fields)}"
    return f"field '{place}': {first['msg'].removeprefix('Value error, ')}"


# --- hashes of model files ------------------------------------------------------------------------------------------


def _cached_sha256(path: Path) -> str:
    """The file's sha256; remembered by path, size and time of change, since a model may have many gigabytes.

    Raises:
        ConfigError: the file cannot be read.
    """
    try:
        stat = path.stat()
        place = str(path.resolve())
        stamp = [stat.st_size, stat.st_mtime_ns]
        cache = models.models_dir() / "sha256.json"
        known = _read_cache(cache)
        entry = known.get(place)
        if isinstance(entry, list) and entry[:-1] == stamp:
            return str(entry[-1])
        digest = models.sha256_of(path)
    except OSError as error:
        raise ConfigError(f"{path}: cannot read the model file: {error.strerror}") from None
    known[place] = [*stamp, digest]
    # A cache that cannot be written costs time, nothing else.
    with contextlib.suppress(InputError), atomic_write(cache) as file:
        json.dump(known, file)
    return digest


def _read_cache(cache: Path) -> dict[str, Any]:
    try:
        known = json.loads(cache.read_bytes())
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}
