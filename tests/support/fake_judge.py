"""Judges for tests: an object with the engine's `call` that answers from a script and remembers what it was asked."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Sequence

from eduflow.engine.calls import Outcome, Reply, Request
from eduflow.engine.endpoints import Endpoint

ENDPOINT = Endpoint("judge", "judge-model", ("http://127.0.0.1:1/v1",))

Script = Callable[[Request], "str | Reply"]


class ScriptedCaller:
    """Answers each request by `script`, a function or the replies in order; keys are a hash of the request's text."""

    def __init__(self, script: Script | Sequence[str | Reply]) -> None:
        self.requests: list[Request] = []
        self._script = script

    async def call(self, request: Request) -> Reply:
        self.requests.append(request)
        said = self._script(request) if callable(self._script) else self._script[len(self.requests) - 1]
        key = hashlib.sha256(prompt(request).encode("utf-8", "surrogatepass")).hexdigest()
        if isinstance(said, str):
            return Reply("ok", said, key=key)
        return Reply(said.outcome, said.text, error=said.error, key=key)

    @property
    def prompts(self) -> list[str]:
        return [prompt(request) for request in self.requests]


def prompt(request: Request) -> str:
    """Every text of a request, role by role."""
    lines = []
    for message in request.messages:
        assert all(isinstance(part, str) for part in message.content)
        lines.append(f"{message.role}: " + "".join(str(part) for part in message.content))
    return "\n".join(lines)


def ended(outcome: Outcome, text: str = "") -> Reply:
    """A reply that ended in `outcome`."""
    return Reply(outcome, text, error="" if outcome in ("ok", "truncated") else "scripted")


def verdicts(*words: str, asked: Sequence[int] | None = None) -> str:
    """A well-formed reply: one word per blank, numbered from 1 or as `asked` says."""
    numbers = range(1, len(words) + 1) if asked is None else asked
    rows = [{"blank": number, "verdict": word} for number, word in zip(numbers, words, strict=True)]
    return json.dumps({"verdicts": rows})


def fenced(text: str) -> list[str]:
    """The texts that stand between the fence lines of a prompt, in order."""
    mark = re.search(r"^<<<([0-9a-f]{20})$", text, re.MULTILINE)
    assert mark is not None
    return re.findall(rf"^<<<{mark[1]}\n(.*?)\n{mark[1]}>>>$", text, re.MULTILINE | re.DOTALL)
