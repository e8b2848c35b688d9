"""The event loop that a server runs on."""

from __future__ import annotations

import asyncio
from asyncio import AbstractEventLoop


def new_event_loop() -> AbstractEventLoop:
    """The quickest that there is here: libuv's (uvloop) where it is installed, or else Python's own."""
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()
