"""The command line as a user runs it: a process of its own, in a folder of its own."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.databases import settings_of
from tests.support.forked import Forked, run
from tests.support.mail import PATIENCE

_CHEAP = {"PBEM_PASSWORD_MEMORY_KIB": "8", "PBEM_PASSWORD_ROUNDS": "1", "PBEM_PROCESSES": "1"}


def environment(settings: dict[str, str]) -> dict[str, str]:
    """The caller's environment with these settings and no others."""
    given = {f"PBEM_{name.upper()}": value for name, value in settings.items()}
    return {name: value for name, value in os.environ.items() if not name.startswith("PBEM_")} | _CHEAP | given


def environment_in(folder: Path, settings: dict[str, str]) -> dict[str, str]:
    """The same with what leads to the database of a folder, unless these settings name one."""
    return environment(settings if "database_url" in settings else settings_of(folder) | settings)


def pbem(folder: Path, *words: str, given: str = "", **settings: str) -> subprocess.CompletedProcess[str]:
    """Run a subcommand to its end, with ``given`` on the standard input."""
    done = run(folder, environment_in(folder, settings), *words, given=given.encode(), timeout=3 * PATIENCE)
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


@dataclass
class Serving:
    """A server that delivers into the Maildir ``mail`` of its folder."""

    folder: Path
    printed: list[str] = field(default_factory=list)

    def address_of(self, part: str) -> str:
        """The address at which a part (smtp, web) listens, as the server has printed it."""
        return next(line.split()[-1] for line in self.printed if line.startswith(f"pbem: {part} "))


@contextmanager
def serving(folder: Path, *, python: str | None = None, **settings: str) -> Iterator[Serving]:
    """``pbem serve`` on ports of the system's choice, ended at the end; by another Python, if one is named."""
    defaults = {"smtp_listen": "127.0.0.1:0", "web_listen": "off", "thinkers": "0"}
    environ = environment_in(folder, defaults | settings)
    process = Forked(folder, environ) if python is None else _begun(python, folder, environ)
    server = Serving(folder)
    assert process.stdout is not None
    try:
        for line in process.stdout:
            server.printed.append(line.rstrip("\n"))
            if line.startswith("pbem: ready"):
                break
        assert server.printed, "the server printed nothing"
        assert server.printed[-1].startswith("pbem: ready"), "\n".join(server.printed)
        yield server
    finally:
        process.send_signal(signal.SIGTERM)
        process.stdout.read()
        process.stdout.close()
        code = process.wait(PATIENCE)
    assert code == 0


def _begun(python: str, folder: Path, environ: dict[str, str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [python, "-u", "-m", "pbem", "serve"],
        cwd=folder,
        env=environ,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


SIGNUP = b"""From: Alice <alice@example.org>
To: pbem@localhost
Subject: signup alice secret
Message-ID: <1@example.org>

"""


def deliver(folder: Path, letter: bytes, *words: str, **settings: str) -> subprocess.CompletedProcess[bytes]:
    """Pipe a letter into the program; what is in capitals goes into its environment as it is."""
    environ = {name: value for name, value in os.environ.items() if name not in ("SENDER", "RECIPIENT")}
    plain = {name: value for name, value in settings.items() if name.isupper()}
    environ |= environment_in(folder, {name: value for name, value in settings.items() if not name.isupper()}) | plain
    return run(folder, environ, "deliver", *words, given=letter, timeout=3 * PATIENCE)
