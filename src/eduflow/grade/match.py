"""The verdict of the comparators on one blank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Match:
    """What the comparators say of one blank.

    "right" is proven; "miss" means no more than not proven, and is the judge's to decide, unless `settled`: a clean naming of other options, an
    empty or refused answer, a hedge between options. `comparator` names who decided or last tried, `detail` says why it missed.
    """

    verdict: Literal["right", "miss"]
    extracted: str | None
    comparator: str
    detail: str = ""
    settled: bool = False

    @property
    def right(self) -> bool:
        """Whether the verdict is "right"."""
        return self.verdict == "right"
