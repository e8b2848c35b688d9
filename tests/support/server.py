"""The server as an operator runs it: a process of its own, spoken to by SMTP alone."""

from __future__ import annotations

import os
import signal
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from time import monotonic, sleep
from typing import Self, TextIO

from tests.support.ahead import AHEAD
from tests.support.databases import Database, database_of, settings_of
from tests.support.forked import Forked
from tests.support.mail import PATIENCE, Person, Postbox
from tests.support.tidiness import faults_of

CHEAP = {
    "PBEM_PASSWORD_MEMORY_KIB": "8",
    "PBEM_PASSWORD_ROUNDS": "1",
    "PBEM_WEB_LISTEN": "off",
    "PBEM_THINKERS": "0",
    "PBEM_PROCESSES": "1",
}
PATIENT = {
    "PBEM_MAX_ANSWERS_PER_DAY": "10000",
    "PBEM_MAX_STRANGER_MAILS_PER_DAY": "10000",
    "PBEM_MAX_ANSWER_BYTES_PER_DAY": "1000000000",
    "PBEM_MAX_ANSWERS_PER_HOUR": "10000",
    "PBEM_MAX_STRANGER_MAILS_PER_HOUR": "10000",
    "PBEM_MAX_UNREAD_IN_A_ROW": "1000",
    "PBEM_MAX_UNPROVEN_CHALLENGES_PER_DAY": "1000",
    "PBEM_AUTHSERV_ID": "mx.example.org",
}
"""A test asks more in a second than people do in a day, and again and again the same."""


class GameServer(ABC):
    """A server in a folder of its own that people write to, and whose mails come to a postbox."""

    def __init__(self, folder: Path, postbox: Postbox, /, **settings: str) -> None:
        self.folder = folder
        self.postbox = postbox
        self.settings = settings
        self.port = 0
        self.was_killed = False

    @property
    def database(self) -> Database:
        """Its database, looked at from outside."""
        url = self.settings.get("database_url")
        return database_of(self.folder) if url is None else Database(url)

    def environ(self) -> dict[str, str]:
        """The variables that hold its settings; it finds its tables made already, which saves time."""
        settings = self.settings
        if "database_url" not in settings:
            database_of(self.folder)
            settings = settings_of(self.folder) | settings
        return CHEAP | PATIENT | {f"PBEM_{name.upper()}": value for name, value in settings.items()}

    @abstractmethod
    def passes(self, time: timedelta) -> None:
        """Let the clock of its machine be ahead by so much; where it never was, that counts from the next start on."""

    @abstractmethod
    def start(self) -> Self:
        """Start it and wait until it is ready."""

    @abstractmethod
    def stop(self) -> int:
        """Ask it to end; return its exit code."""

    @abstractmethod
    def kill(self) -> None:
        """End it as a power cut would."""

    def person(self, name: str) -> Person:
        """Somebody with an address at example.org."""
        return Person(f"{name}@example.org", self.postbox, self.port)

    def player(self, userid: str, password: str | None = "secret") -> Person:
        """Somebody who has signed up and confirmed their address."""
        person = self.person(userid)
        person.says(" ".join(filter(None, ["signup", userid, password])))
        person.answers(person.hears(), "yes")
        assert person.hears().subject == f"Welcome to pbem, {userid}"
        return person

    def check(self) -> None:
        """See that of what it has mailed nothing came twice, and nothing would be mangled by mail systems."""
        mails, repeated = self.postbox.mails, self.postbox.repeated
        assert self.was_killed or not repeated, f"came twice: {[mail.subject for mail in repeated]}"
        untidy = {mail.subject: faults for mail in mails if (faults := faults_of(mail.raw, mail.parsed))}
        assert not untidy, f"mails that mail systems would mangle: {untidy}"


class RunningServer(GameServer):
    """``pbem serve`` in a process of its own, spoken to by SMTP."""

    def __init__(self, folder: Path, postbox: Postbox, roles: str = "", /, **settings: str) -> None:
        super().__init__(folder, postbox, **settings)
        self.roles = roles
        self.web = ""
        """The address of its pages, if it has any."""
        self.lines: list[str] = []
        """The lines that it has printed so far."""
        self._words = ("serve", "--only", roles) if roles else ("serve",)
        self._clock: Path | None = None
        self._process: Forked | subprocess.Popen[str] | None = None
        self._printed: Queue[str | None] = Queue()

    def passes(self, time: timedelta) -> None:
        """Let the clock of its machine be ahead by so much; where it never was, that counts from the next start on."""
        self._clock = self.folder / "ahead"
        soon = self._clock.with_suffix(".new")
        soon.write_text(str(time.total_seconds()))
        soon.replace(self._clock)

    def start(self) -> Self:
        """Start it and wait until it is ready."""
        environ = {name: value for name, value in os.environ.items() if not name.startswith("PBEM_")}
        environ |= {
            "PBEM_SMTP_LISTEN": f"127.0.0.1:{self.port}",
            "PBEM_RELAY_URL": f"smtp://127.0.0.1:{self.postbox.port}",
            "PBEM_RETRY_MAIL_SECONDS": "1",
            "PBEM_RETRY_LETTER_SECONDS": "0",
            "PBEM_WAIT_FOR_ROBOTS_SECONDS": "0",
        }
        environ |= self.environ()
        self._printed = Queue()
        if self._clock is not None:
            environ[AHEAD] = str(self._clock)
        self._process = self._launch(environ)
        Thread(target=self._read, args=(self._process.stdout, self._printed), daemon=True).start()
        while True:
            line = self._next_line()
            if line.startswith("pbem: smtp "):
                self.port = int(line.rpartition(":")[2])
            if line.startswith("pbem: web "):
                self.web = line.removeprefix("pbem: web ")
            if line.startswith("pbem: ready"):
                return self

    def _launch(self, environ: dict[str, str]) -> Forked | subprocess.Popen[str]:
        return Forked(self.folder, environ, self._words)

    def _read(self, output: TextIO, printed: Queue[str | None]) -> None:
        with output as lines:
            for line in lines:
                self.lines.append(line.rstrip("\n"))
                printed.put(line.rstrip("\n"))
        printed.put(None)

    def _next_line(self) -> str:
        try:
            line = self._printed.get(timeout=3 * PATIENCE)  # the first one of a run is loaded and compiled
        except Empty:
            line = None
        assert line is not None, "the server did not get ready:\n" + "\n".join(self.lines)
        return line

    def says(self, words: str) -> bool:
        """True if it has printed a line with these words."""
        return any(words in line for line in self.lines)

    def wait_for_line(self, words: str) -> None:
        """Wait until it has printed a line with these words."""
        deadline = monotonic() + PATIENCE
        while not self.says(words):
            assert monotonic() < deadline, f"it never said {words!r}:\n" + "\n".join(self.lines)
            sleep(0.05)

    def wait_for_end_of_output(self) -> None:
        """Wait until `lines` has all that it printed before it ended."""
        while self._printed.get(timeout=PATIENCE) is not None:
            pass

    @property
    def pid(self) -> int:
        """The process."""
        assert self._process is not None
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """True if it has not ended."""
        return self._process is not None and self._process.poll() is None

    def kill(self) -> None:
        """End it as a power cut would."""
        self.was_killed = True
        self._end(signal.SIGKILL)

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Ask it to end; return its exit code."""
        return self._end(number)

    def _end(self, number: signal.Signals) -> int:
        assert self._process is not None
        if self._process.poll() is None:
            self._process.send_signal(number)
        return self._process.wait(PATIENCE)


@contextmanager
def running_server(folder: Path, ahead: timedelta | None = None, /, **settings: str) -> Iterator[RunningServer]:
    """A server and its postbox, both ended at the end; with a clock that can be ahead, if it is said by how much."""
    with Postbox() as postbox:
        server = RunningServer(folder, postbox, **settings)
        if ahead is not None:
            server.passes(ahead)
        server.start()
        try:
            yield server
        finally:
            server.stop()
        server.check()
