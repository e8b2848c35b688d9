"""``pbem`` in a process of its own that need not load it anew: to load it takes longer than most tests.

The processes are forked from one that has done nothing but load; each has its own folder, environment and streams.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from multiprocessing import forkserver
from multiprocessing.connection import wait
from multiprocessing.reduction import DupFd
from pathlib import Path
from threading import Lock
from typing import Any

import pytest

from pbem.bootstrap import installed_games
from pbem.cli.main import main

_FORKING = multiprocessing.get_context("forkserver")
_FORKING.set_forkserver_preload(["tests.support.loaded"])


class Forked:
    """A process that was started; used like a `subprocess.Popen`, with a pipe for its output if it has no streams.

    Args:
        folder: where it runs.
        environ: all variables that it has.
        words: what is given to it.
        streams: the descriptors of its standard input, output and errors.
    """

    def __init__(
        self,
        folder: Path,
        environ: Mapping[str, str],
        words: Sequence[str] = ("serve",),
        streams: tuple[int, int, int] | None = None,
    ) -> None:
        if streams is None:
            reading, writing = os.pipe()
            self.stdout = os.fdopen(reading, encoding="utf-8")
            with open(os.devnull, "rb") as nothing, os.fdopen(writing, "wb"):  # noqa: PTH123 - a device
                self._start(folder, environ, words, (nothing.fileno(), writing, writing))
        else:
            self._start(folder, environ, words, streams)

    def _start(
        self, folder: Path, environ: Mapping[str, str], words: Sequence[str], streams: tuple[int, int, int]
    ) -> None:
        _start_forkserver()
        # Not a daemon, which would not be allowed the child that reads letters.
        self._process = _FORKING.Process(
            target=_run, args=(str(folder), dict(environ), tuple(words), _Streams(streams)), daemon=False
        )
        self._process.start()
        self._asking = Lock()

    @property
    def pid(self) -> int:
        """The process."""
        assert self._process.pid is not None
        return self._process.pid

    def send_signal(self, number: signal.Signals) -> None:
        """Signal it, if it still runs."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def poll(self) -> int | None:
        """Its exit code; None while it runs."""
        with self._asking:  # it can be read once, and two may wait for it
            return self._process.exitcode

    def wait(self, timeout: float) -> int:
        """Its exit code, once it has ended.

        Raises:
            subprocess.TimeoutExpired: it has not.
        """
        wait([self._process.sentinel], timeout)
        code = self.poll()
        if code is None:
            raise subprocess.TimeoutExpired("pbem", timeout)
        return code


@cache
def _start_forkserver() -> None:
    """Start the process that forks the others, without what the test that comes first has installed for itself."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("PYTHONPATH", raising=False)
        forkserver.ensure_running()


class _Streams:
    """Three descriptors on their way into another process."""

    def __init__(self, descriptors: tuple[int, int, int]) -> None:
        self._descriptors = descriptors

    def __getstate__(self) -> list[Any]:
        return [DupFd(each) for each in self._descriptors]

    def __setstate__(self, sent: list[Any]) -> None:
        self._sent = sent

    def put(self) -> None:
        """Make them those of this process."""
        for number, each in enumerate(self._sent):
            descriptor = each.detach()
            os.dup2(descriptor, number)
            os.close(descriptor)
        sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
        sys.stdout = os.fdopen(1, "w", buffering=1, encoding="utf-8", closefd=False)
        sys.stderr = os.fdopen(2, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False)


def run(
    folder: Path, environ: Mapping[str, str], *words: str, given: bytes = b"", timeout: float
) -> subprocess.CompletedProcess[bytes]:
    """Run ``pbem`` with these words to its end.

    Args:
        folder: where it runs.
        environ: all variables that it has.
        words: the subcommand and what belongs to it.
        given: its standard input.
        timeout: how many seconds it may take.

    Raises:
        subprocess.TimeoutExpired: it has taken longer, and was killed.
    """
    with tempfile.TemporaryFile() as input_, tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        input_.write(given)
        input_.seek(0)
        process = Forked(folder, environ, words, (input_.fileno(), output.fileno(), errors.fileno()))
        try:
            code = process.wait(timeout)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            raise
        for stream in (output, errors):
            stream.seek(0)
        return subprocess.CompletedProcess(["pbem", *words], code, output.read(), errors.read())


def _run(folder: str, environ: Mapping[str, str], words: Sequence[str], streams: _Streams) -> None:
    """The work of the process."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environ)
    if "PYTHONPATH" in environ:  # as a new interpreter has it
        sys.path[:0] = filter(None, environ["PYTHONPATH"].split(os.pathsep))
        installed_games.cache_clear()
    streams.put()
    main(list(words), prog_name="pbem")
