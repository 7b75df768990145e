"""What a fake model says to small sums: functions from a request to a reply, the same for the same request."""

from __future__ import annotations

import hashlib
import re

from tests.support.fake_endpoint import Seen

_SUM = re.compile(r"(\d+) \+ (\d+) = ____")


def asked(seen: Seen) -> tuple[int, int] | None:
    """The numbers of the sum in the last question; None where the request asks for none (the engine's own checks)."""
    found = _SUM.findall(seen.text)
    return (int(found[-1][0]), int(found[-1][1])) if found else None


def adds(seen: Seen) -> str:
    """The sum in the last question, boxed."""
    numbers = asked(seen)
    if numbers is None:
        return "Hello."
    first, second = numbers
    return f"Step 1: {first} + {second} = {first + second}\n\\boxed{{{first + second}}}"


def adds_half_the_time(seen: Seen) -> str:
    """Right for about half of the questions, told by their hash, else one too many."""
    numbers = asked(seen)
    if numbers is None:
        return "Hello."
    first, second = numbers
    wrong = hashlib.sha256(f"{first} {second}".encode()).digest()[0] % 2
    return f"\\boxed{{{first + second + wrong}}}"
