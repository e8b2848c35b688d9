"""The floor: an SMTP server on uvloop that takes letters and does nothing with them.

As a process of its own it prints its port. With the argument ``log`` it prints for each letter when it came (seconds
of the clock that all processes share) and to whom, and so it is what mails are handed over to.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
import warnings
from pathlib import Path
from typing import Self

import uvloop
from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.bench.processes import Processes

_REPOSITORY = Path(__file__).parents[2]


class Nothing:
    """The handler."""

    async def handle_DATA(self, _server: SMTP, _session: Session, _envelope: Envelope) -> str:  # noqa: N802
        """Take it."""
        return "250 OK"


class Log:
    """The handler that tells what came."""

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Take it, and say so."""
        print(time.monotonic(), envelope.rcpt_tos[0], flush=True)
        return "250 OK"


async def _serve(handler: Nothing | Log) -> None:
    server = await asyncio.get_running_loop().create_server(
        lambda: SMTP(handler, hostname="floor", enable_SMTPUTF8=True), "127.0.0.1", 0
    )
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.Event().wait()


class Floor:
    """Such a server, in a process of its own."""

    def __init__(self, folder: Path, *, keeps_log: bool = False) -> None:
        self._file = folder / f"floor-{time.monotonic_ns()}.log"
        self._arguments = ["log"] if keeps_log else []
        self.port = 0

    def __enter__(self) -> Self:
        call = [sys.executable, "-m", "tests.bench.floor", *self._arguments]
        environ = {**os.environ, "PYTHONPATH": str(_REPOSITORY)}
        with self._file.open("wb") as output:
            self._process = subprocess.Popen(call, env=environ, stdout=output, cwd=_REPOSITORY)
        self.processes = Processes([self._process.pid])
        while not self._file.read_text().endswith("\n"):
            assert self._process.poll() is None, "the floor did not start"
            time.sleep(0.01)
        self.port = int(self._file.read_text().splitlines()[0])
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait()

    def arrivals(self) -> list[tuple[float, str]]:
        """When a mail came, by ``time.monotonic``, and to whom; in the order in which they came."""
        whole = self._file.read_text().rpartition("\n")[0].splitlines()[1:]
        return [(float(at), address) for at, address in (line.split() for line in whole)]


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    uvloop.run(_serve(Log() if "log" in sys.argv else Nothing()))
