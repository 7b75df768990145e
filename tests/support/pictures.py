"""Small pictures for tests."""

from __future__ import annotations

import io

from PIL import Image


def picture(kind: str = "PNG", mode: str = "RGB", size: tuple[int, int] = (40, 30)) -> bytes:
    """The bytes of a picture file with some content."""
    image = Image.linear_gradient("L").resize(size).convert(mode)
    buffer = io.BytesIO()
    image.save(buffer, kind)
    return buffer.getvalue()
