"""Answers from whose time nothing can be learned: they leave at full tenths of a second after their requests came.

Who asks for a link, or tries a password, is told the same whether there is such a player or not, and the work is nearly
the same; but a question that is stored and a mail that is kept cost a millisecond or two more than none.
"""

from __future__ import annotations

import asyncio
import math
import time

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

BEAT = 0.1
"""Seconds: several times what the work takes, so that nearly all of these answers leave after one."""


class Evenly(Response):
    """Another answer, held back until the next beat; no thread waits for it.

    Args:
        answer: what is answered.
        began: when the work on it began, by `time.monotonic`.
    """

    def __init__(self, answer: Response, began: float) -> None:
        super().__init__(answer.body, answer.status_code, answer.headers)
        self.raw_headers = answer.raw_headers
        self._began = began

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Wait, and send it."""
        passed = time.monotonic() - self._began
        await asyncio.sleep(math.ceil(passed / BEAT) * BEAT - passed)
        await super().__call__(scope, receive, send)
