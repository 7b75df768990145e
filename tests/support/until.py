"""Waiting in tests for something to become true."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


async def until(condition: Callable[[], object]) -> None:
    """Return when `condition()` is true; fail after half a minute."""
    async with asyncio.timeout(30):
        while not condition():  # noqa: ASYNC110 - what is waited for happens in another thread
            await asyncio.sleep(0.005)
