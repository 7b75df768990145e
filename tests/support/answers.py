"""What a fake model says to small sums: functions from a request to a reply, the same for the same request."""

from __future__ import annotations

import hashlib
import re

from tests.support.fake_endpoint import Seen

_SUM = re.compile(r"(\d+) \+ (\d+) = ____")


def adds(seen: Seen) -> str:
    """The sum in the last question, boxed."""
    first, second = _SUM.findall(seen.text)[-1]
    return f"Step 1: {first} + {second} = {int(first) + int(second)}\n\\boxed{{{int(first) + int(second)}}}"


def adds_half_the_time(seen: Seen) -> str:
    """Right for about half of the questions, told by their hash, else one too many."""
    first, second = _SUM.findall(seen.text)[-1]
    wrong = hashlib.sha256(f"{first} {second}".encode()).digest()[0] % 2
    return f"\\boxed{{{int(first) + int(second) + wrong}}}"
