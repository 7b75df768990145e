"""Small problems of our own for tests."""

from __future__ import annotations

import io
from typing import Any

from PIL import Image

from eduflow.problem import ImageRef, Problem


def png(
    color: str = "red", size: tuple[int, int] = (64, 48), mode: str = "RGB", file_format: str = "PNG"
) -> bytes:
    """The bytes of a plain picture."""
    out = io.BytesIO()
    Image.new(mode, size, color).save(out, file_format)
    return out.getvalue()


def make_problem(**changes: Any) -> Problem:
    """A valid problem, with some of its fields changed."""
    row: dict[str, Any] = {
        "id": "p1",
        "subject": "math",
        "stage": "middle",
        "type": "blank",
        "question": "2 + 3 = ____",
        "answers": ["5"],
        "language": "en",
    }
    return Problem.parse(row | changes)


def figure(color: str = "red") -> ImageRef:
    """An image with its bytes inside."""
    return ImageRef(data=png(color))


def sums(count: int) -> list[Problem]:
    """Small sums, each with its own numbers, subjects and stages in turn."""
    subjects = ("math", "physics", "chemistry", "biology", "geography")
    return [
        make_problem(
            id=f"p{number}",
            subject=subjects[number % 5],
            stage=("middle", "high")[number % 2],
            question=f"{number} + {number + 7} = ____",
            answers=[str(2 * number + 7)],
        )
        for number in range(count)
    ]
