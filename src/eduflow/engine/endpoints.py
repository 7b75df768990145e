"""Endpoints: who is asked, under which limits, at which price.

An endpoint comes from `eduflow.toml` by name, or from the command line as `URL#MODEL`. Its identity, which goes into
journal keys, is `model@revision` and never a URL, so that replicas share it. Keys are named by the environment
variable that holds them; the value is read when a request is sent and stands nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

# Tokens of each slot of a local model. A small one that finds no end writes on to its limit, which a solver takes as half of this.
LOCAL_CONTEXT = 4096


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on the use of one endpoint.

    Args:
        concurrency: most calls in flight; the engine starts lower and grows while the endpoint keeps up.
        timeout: seconds for one attempt, from sending to the last byte.
        attempts: most HTTP attempts of one call.
        requests_per_minute: a rate to stay under; None for none.
    """

    concurrency: int = 64
    timeout: float = 600.0
    attempts: int = 5
    requests_per_minute: float | None = None


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One model behind one or several OpenAI-compatible base URLs.

    Args:
        name: what the user calls it.
        model: the model name that is sent.
        base_urls: the replicas, each ending before `/chat/completions`. Empty for a local model.
        revision: which weights; part of the identity.
        key_env: the environment variable that holds the key; None for none.
        limits: bounds on its use.
        price_prompt, price_completion: money per million tokens, in `currency`; None where unknown.
        extra_body: fields merged into every request body.
        vision: whether it sees images; None where nobody has said and it must be probed.
        context: its context length in tokens, None where unknown.
        local_path: the GGUF file of a local model, which the engine serves itself.
    """

    name: str
    model: str
    base_urls: tuple[str, ...] = ()
    revision: str | None = None
    key_env: str | None = None
    limits: Limits = Limits()
    price_prompt: float | None = None
    price_completion: float | None = None
    currency: str = "USD"
    extra_body: Mapping[str, Any] = field(default_factory=dict, hash=False)
    vision: bool | None = None
    context: int | None = None
    local_path: str | None = None

    @property
    def identity(self) -> str:
        """`model@revision`, or the model alone."""
        return self.model if self.revision is None else f"{self.model}@{self.revision}"
