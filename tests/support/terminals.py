"""A terminal with a shell, into which the blocks of a page are pasted."""

from __future__ import annotations

import os
import re
import subprocess
import termios
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Self

from tests.support.mail import PATIENCE
from tests.support.tools import require_tool

_CTRL_C = "\x03"


class Terminal:
    """A shell in a terminal of its own, which does not echo.

    Args:
        folder: where the shell begins.
        environ: its variables.
        entering: the beginning of a command that runs the shell elsewhere.
    """

    def __init__(self, folder: Path, environ: Mapping[str, str], entering: Sequence[str] = ()) -> None:
        self.shown = ""
        """All that was printed so far."""
        self._answered = 0
        self._keyboard, screen = os.openpty()
        modes = termios.tcgetattr(screen)
        modes[3] = modes[3] & ~termios.ECHO | termios.NOFLSH  # what is typed after Ctrl-C is not lost
        termios.tcsetattr(screen, termios.TCSANOW, modes)
        self._shell = subprocess.Popen(
            [require_tool("setsid"), "--ctty", *entering, "bash", "--norc", "--noediting", "-i"],
            cwd=folder,
            env={**environ, "TERM": "dumb", "PS1": "", "PS2": ""},
            stdin=screen,
            stdout=screen,
            stderr=screen,
        )
        os.close(screen)
        self._reading = Thread(target=self._read)
        self._reading.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        deadline = time.monotonic() + PATIENCE
        while self._shell.poll() is None and time.monotonic() < deadline:
            for keys in (_CTRL_C, "exit\n"):  # a shell may lose what is typed while it is interrupted
                with suppress(OSError):  # it has ended already
                    self._type(keys)
                time.sleep(0.2)
        self._shell.kill()
        self._shell.wait(PATIENCE)
        self._reading.join()
        os.close(self._keyboard)

    def _read(self) -> None:
        while True:
            try:
                part = os.read(self._keyboard, 65536)
            except OSError:  # nobody holds the other end any more
                return
            self.shown += part.decode(errors="replace").replace("\r\n", "\n")

    def _type(self, keys: str) -> None:
        os.write(self._keyboard, keys.encode())

    def wait_for(self, pattern: str) -> str:
        """Wait until something that fits a pattern is printed; return what was printed before since the last time."""
        deadline = time.monotonic() + 3 * PATIENCE
        while (found := re.compile(pattern, re.MULTILINE).search(self.shown, self._answered)) is None:
            assert self._shell.poll() is None, self.shown
            assert time.monotonic() < deadline, self.shown
            time.sleep(0.02)
        before, self._answered = self.shown[self._answered : found.start()], found.end()
        return before

    def paste(self, block: str) -> str:
        """Paste a block whose commands all end well; return what they print."""
        self.paste_lasting(f"set -e\n{block}set +e\necho all is well\n")
        return self.wait_for("^all is well\n")

    def paste_lasting(self, block: str) -> None:
        """Paste a block whose last command goes on."""
        for line in block.splitlines(keepends=True):
            self._type(line)

    def press_ctrl_c(self) -> None:
        """End the command that goes on, and wait until the shell listens again."""
        self._type(_CTRL_C)
        time.sleep(0.2)
        self.paste("")
