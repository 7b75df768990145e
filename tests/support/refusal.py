"""What a call says when it refuses its input."""

from __future__ import annotations

from collections.abc import Callable

from eduflow.errors import InputError


def refusal(call: Callable[[], object]) -> str | None:
    """The sentence of the `InputError` that the call raises, None where it raises nothing; other exceptions pass."""
    try:
        call()
    except InputError as error:
        return str(error)
    return None
