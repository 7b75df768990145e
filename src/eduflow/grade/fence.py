"""What a model wrote, made safe to show to a judge: capped, neutralised, and put between lines that it cannot forge.

Nothing here decides anything. A judge reads data between two fence lines; the fence is a hash of the very text that
it holds, so no text can contain its own, and the same text always gets the same fence: journal keys stay the same.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable

# A middle dot after the first letter: a person and a judge still read the word, a parser no longer does.
_DOT = "·"
_VERDICT_FIELD = re.compile(r"(?i)(v)(?=erdict)")
# The words of our reply format where they stand as a value: quoted, or after a colon or an equals sign. A bare
# "right" stays as it is, because it may be the answer ("turn right").
_VERDICT_VALUE = re.compile(r"(?i)([\"'`“”‘’「『:：=]\s{0,8})(r|w)(?=(?<=r)ight\b|(?<=w)rong\b)")
# Marks of turns, thinking and our other reply format.
_TAG = re.compile(
    r"(?i)<(\|[^<>|\n]{0,40}\||/?\s{0,4}(?:evaluation|think|thinking|answer|system|user|assistant|tool_call|"
    r"im_start|im_end|start_of_turn|end_of_turn|bos|eos|s|sys)\s{0,4})>"
)
_INSTRUCTION = re.compile(r"(?i)\[(/?INST)\]")
_FENCE_MARK = re.compile(r"<{3,}|>{3,}")


def cap(text: str, limit: int, *, tail: float = 0.5) -> str:
    """The text if it has at most `limit` characters, else its head and its tail with a mark of what is left out.

    Args:
        tail: the share of `limit` that goes to the end of the text, 0 to 1.
    """
    if len(text) <= limit:
        return text
    end = int(limit * tail)
    start = limit - end
    mark = f"\n[... {len(text) - limit} characters left out ...]\n"
    return text[:start] + mark + (text[-end:] if end else "")


def neutralise(text: str) -> str:
    """The text with whatever could pass for a verdict, a turn mark or a fence made harmless but readable.

    - `verdict` becomes `v·erdict`; `right` and `wrong` become `r·ight` and `w·rong` where they stand in quotes or after
      a colon or an equals sign. A bare `right` stays: it may be the answer.
    - `<think>`, `<evaluation>`, `<|im_end|>` and their kind get the brackets ‹ ›; `[INST]` becomes ‹INST›; runs of three
      or more `<` or `>` become ‹ and ›.
    - control and format characters (line break and tab aside) go; lone surrogates become U+FFFD.
    """
    text = "".join(_plain(char) for char in text)
    text = _VERDICT_FIELD.sub(r"\1" + _DOT, text)
    text = _VERDICT_VALUE.sub(r"\1\2" + _DOT, text)
    text = _TAG.sub("‹\\1›", text)
    text = _INSTRUCTION.sub("‹\\1›", text)
    return _FENCE_MARK.sub(lambda m: ("‹" if m[0][0] == "<" else "›") * len(m[0]), text)


def _plain(char: str) -> str:
    if char in "\n\t" or " " <= char <= "~":
        return char
    category = unicodedata.category(char)
    if category == "Cs":
        return "\ufffd"
    return "" if category in ("Cc", "Cf") else char


class Fence:
    """A pair of lines around data, the same for every text of one prompt.

    Args:
        seed: the run's seed.
        texts: everything that will stand between fence lines, as it will stand there.
    """

    def __init__(self, seed: int, texts: Iterable[str]) -> None:
        content = "\0".join(texts)
        salt = 0
        while True:
            data = f"{seed}\0{salt}\0{content}".encode("utf-8", "surrogatepass")
            self.mark = hashlib.sha256(data).hexdigest()[:20]
            if self.mark not in content:
                return
            salt += 1

    def around(self, text: str) -> str:
        """The text between its two fence lines."""
        return f"<<<{self.mark}\n{text}\n{self.mark}>>>"
