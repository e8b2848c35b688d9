"""The server as an operator runs it: processes with roles, on a database that lies on a disk."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from sqlalchemy import Engine, text

from pbem.storage.engine import make_engine, reading
from tests.bench.processes import Processes
from tests.support.databases import put_sqlite

SETTINGS = {
    "confirm_signup": "false",
    "password_memory_kib": "8",
    "password_rounds": "1",
    "smtp_listen": "127.0.0.1:0",
    "web_listen": "off",
    "thinkers": "0",
    "secret_key": "a key that nobody else knows",
    "max_answers_per_day": "100000",
    "max_answers_per_hour": "100000",
    "max_stranger_mails_per_day": "100000",
    "max_stranger_mails_per_hour": "1000000",
    "max_answer_bytes_per_day": "1000000000",
    "max_unread_in_a_row": "1000",
    "max_unproven_challenges_per_day": "10000",
    "max_challenges_per_day": "10000",
    "max_waiting_letters": "10000000",
    "max_session_commands": "1000000",
    "log_level": "error",
}
"""Machines write more than people may; what a password costs the operator chooses, so here it is as good as free."""
_REPOSITORY = Path(__file__).parents[2]
_AS_INSTALLED = Path(__file__).parent / "as_installed"
_LOOK_EVERY = 0.01
_START_SECONDS = 120


class BenchServer:
    """Processes of one server, each with some of the roles; without a URL they have an SQLite file in their folder."""

    def __init__(self, folder: Path, roles: Sequence[str], url: str | None = None, **settings: str) -> None:
        self._folder = folder
        self._roles = roles
        self._settings = SETTINGS | settings
        self._url = url
        self._started: list[subprocess.Popen[bytes]] = []
        self.program = ["-m", "pbem"]
        """The arguments for Python."""
        self.port = 0
        """The port for letters."""
        self.ready_seconds = 0.0
        """The seconds until all processes were ready."""

    def __enter__(self) -> Self:
        self._folder.mkdir()
        if self._url is None:
            self._url = put_sqlite(self._folder / "pbem.db")
        begun = time.monotonic()
        try:
            for number, roles in enumerate(self._roles):
                self._start(roles, self._log(number))
            for number, process in enumerate(self._started):
                self._wait_until_ready(process, self._log(number))
            self.ready_seconds = time.monotonic() - begun
        except BaseException:
            self.__exit__()
            raise
        return self

    @property
    def environ(self) -> dict[str, str]:
        """The variables of its processes; with them any subcommand works on its database."""
        environ = {name: value for name, value in os.environ.items() if not name.startswith("PBEM_")}
        settings = {"database_url": self._url, "relay_url": f"maildir:{self._folder}/mail"} | self._settings
        # what is measured lies beside this file, whatever is installed
        environ["PYTHONPATH"] = os.pathsep.join(map(str, (_AS_INSTALLED, _REPOSITORY)))
        return environ | {f"PBEM_{name.upper()}": str(value) for name, value in settings.items()}

    def _start(self, roles: str, log: Path) -> None:
        call = [sys.executable, *self.program, "serve", "--only", roles]
        with log.open("wb") as output:
            process = subprocess.Popen(call, env=self.environ, stdout=output, stderr=output, cwd=self._folder)
        self._started.append(process)

    def _log(self, number: int) -> Path:
        return self._folder / f"{number}.log"

    def _wait_until_ready(self, process: subprocess.Popen[bytes], log: Path) -> None:
        deadline = time.monotonic() + _START_SECONDS
        while "pbem: ready" not in log.read_text():
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(_LOOK_EVERY)
        for line in log.read_text().splitlines():
            if line.startswith("pbem: smtp "):
                self.port = int(line.rpartition(":")[2])

    def __exit__(self, *_: object) -> None:
        if "_engine" in self.__dict__:
            self._engine.dispose()
        for process in self._started:
            process.terminate()
        for process in self._started:
            process.wait()

    @property
    def processes(self) -> Processes:
        """All of them."""
        return Processes([process.pid for process in self._started])

    @cached_property
    def _engine(self) -> Engine:
        assert self._url is not None
        return make_engine(self._url)

    def rows(self, sql: str, **values: Any) -> list[Any]:
        """The rows that a query finds in the database."""
        with reading(self._engine) as connection:
            return list(connection.execute(text(sql), values))

    def wait(self) -> None:
        """Wait until every letter is answered, and the answer is stored."""
        self._wait_for("inbox")

    def wait_for_mails(self) -> None:
        """Wait until every letter is answered, and the answers are handed over."""
        self._wait_for("inbox")
        self._wait_for("outbox")

    def _wait_for(self, queue: str) -> None:
        while self.rows(f"SELECT 1 FROM {queue} WHERE state = 'waiting' LIMIT 1"):  # noqa: S608 - one of ours
            assert all(process.poll() is None for process in self._started), "a process has ended"
            time.sleep(_LOOK_EVERY)
