"""A small set of keys that may say yes too often, and no only when it is true (a Bloom filter)."""

from __future__ import annotations

from struct import Struct

_WORDS = Struct("<4I")
_BYTES = 1 << 23
_MASK = _BYTES - 1


class KeySet:
    """Keys whose bytes are random already (sha256). 8 MB for any number of them.

    The chance of a wrong yes is 1 in 90,000 at a million keys and 1 in 25 at ten million. `add` is for one thread at a
    time; `in` may be asked by any.
    """

    def __init__(self) -> None:
        self._bits = bytearray(_BYTES)

    def add(self, key: bytes) -> None:
        """Put in a key of at least 16 bytes."""
        bits = self._bits
        # The lowest three bits of each word choose the bit, the next 23 the byte.
        for word in _WORDS.unpack_from(key):
            bits[word >> 3 & _MASK] |= 1 << (word & 7)

    def __contains__(self, key: bytes) -> bool:
        bits = self._bits
        for word in _WORDS.unpack_from(key):  # noqa: SIM110 - `all` takes twice as long
            if not bits[word >> 3 & _MASK] >> (word & 7) & 1:
                return False
        return True
