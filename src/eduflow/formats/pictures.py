"""Images that stand inside a data file: decoded from base64 and checked, so that a broken one is counted at once."""

from __future__ import annotations

import base64
import binascii
import io
import warnings

from eduflow.formats.reading import BrokenImage
from eduflow.problem import ImageRef

_JPEG_END = b"\xff\xd9"


def image_of(data: bytes, field: str) -> ImageRef:
    """The image with these bytes.

    Raises:
        BrokenImage: the bytes are no image, or one that is cut off or damaged.
    """
    from PIL import Image  # not needed for most files, and slow to import

    try:
        with warnings.catch_warnings():
            # Pillow only warns of an image that is large enough to fill the memory; here that is a refusal.
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(data)) as picture:
                kind = picture.format
                # Decoding every picture costs milliseconds a row. A PNG's checksums and a JPEG's end tell the same.
                if kind == "PNG":
                    picture.verify()
                elif kind != "JPEG" or _JPEG_END not in data[-64:]:
                    picture.load()
    except Exception as error:  # noqa: BLE001 - Pillow's decoders raise whatever they like on damaged data
        raise BrokenImage(f"the image cannot be decoded: {error}", field=field) from None
    return ImageRef(data=data)


def bytes_of_base64(text: str, field: str) -> bytes:
    """The bytes in a base64 text, with or without a `data:image/...;base64,` head; white space is ignored.

    Raises:
        BrokenImage: the text is not base64.
    """
    if text.startswith("data:"):
        text = text.partition(",")[2]
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        raise BrokenImage("the image is not base64", field=field) from None


def image_of_base64(text: str, field: str) -> ImageRef:
    """The image in a base64 text.

    Raises:
        BrokenImage: as `bytes_of_base64` and `image_of`.
    """
    return image_of(bytes_of_base64(text, field), field)
