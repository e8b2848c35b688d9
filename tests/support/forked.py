"""``pbem serve`` in a process of its own that need not load it anew: to load it takes longer than most tests.

The processes are forked from one that has done nothing but load; each has its own folder, environment and output.
"""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from io import TextIOWrapper
from typing import TYPE_CHECKING

from pbem.cli.main import main

if TYPE_CHECKING:
    import signal
    from collections.abc import Mapping
    from multiprocessing.connection import Connection
    from pathlib import Path

_FORKING = multiprocessing.get_context("forkserver")
_FORKING.set_forkserver_preload(["tests.support.loaded"])


class Forked:
    """A server that was started; used like a `subprocess.Popen` with a pipe for its output.

    Args:
        folder: where it runs.
        environ: all variables that it has.
    """

    def __init__(self, folder: Path, environ: Mapping[str, str]) -> None:
        reading, writing = _FORKING.Pipe(duplex=False)
        # Not a daemon, which would not be allowed the child that reads letters.
        self._process = _FORKING.Process(target=_serve, args=(str(folder), dict(environ), writing), daemon=False)
        self._process.start()
        writing.close()
        with reading:
            self.stdout = os.fdopen(os.dup(reading.fileno()), encoding="utf-8")

    @property
    def pid(self) -> int:
        """The process."""
        assert self._process.pid is not None
        return self._process.pid

    def send_signal(self, number: signal.Signals) -> None:
        """Signal it."""
        os.kill(self.pid, number)

    def poll(self) -> int | None:
        """Its exit code; None while it runs."""
        return self._process.exitcode

    def wait(self, timeout: float) -> int:
        """Its exit code, once it has ended.

        Raises:
            subprocess.TimeoutExpired: it has not.
        """
        self._process.join(timeout)
        code = self.poll()
        if code is None:
            raise subprocess.TimeoutExpired("pbem serve", timeout)
        return code


def _serve(folder: str, environ: Mapping[str, str], output: Connection) -> None:
    """What the process does."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environ)
    sys.path[:0] = filter(None, environ.get("PYTHONPATH", "").split(os.pathsep))  # as a new interpreter has it
    for stream in (sys.stdout, sys.stderr):
        os.dup2(output.fileno(), stream.fileno())
    assert isinstance(sys.stdout, TextIOWrapper)
    sys.stdout.reconfigure(write_through=True)
    output.close()
    main(["serve"], prog_name="pbem")
