"""A PgBouncer of our own for the tests, configured by the very file of ``deploy/pgbouncer``.

It has a temporary folder and a loopback port. Only names, ports and paths differ from what an operator installs.
"""

from __future__ import annotations

import configparser
import os
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
from sqlalchemy import URL, make_url

from tests.support.mail import PATIENCE
from tests.support.ports import free_port
from tests.support.postgresql import USER, unprivileged_account
from tests.support.tools import require_tool

DEPLOYED = Path(__file__).parents[2] / "deploy" / "pgbouncer" / "pgbouncer.ini"
HOST = "127.0.0.1"

# As for Postfix: when the tests let go of the pipe, or are killed, it ends; and nobody has said then that the folder is
# still wanted.
_GUARD = (
    'folder=$1; shift; "$@" & echo $!; wanted=$(cat); kill -TERM $!; wait $!; '
    'cd /; [ -n "$wanted" ] || rm -rf -- "$folder"'
)


@dataclass
class PgBouncer:
    """A PgBouncer that runs in front of a database."""

    folder: Path
    port: int
    database: str
    """The URL of the database behind it."""
    connections: int
    """To the database, at most."""
    password: str = field(default_factory=lambda: secrets.token_urlsafe(12))
    _guard: subprocess.Popen[str] | None = None
    _pid: int = 0

    @property
    def url(self) -> str:
        """The URL of the database through it."""
        url = URL.create("postgresql+psycopg", USER, self.password, HOST, self.port, "pbem")
        return url.render_as_string(hide_password=False)

    def configure(self) -> None:
        """Write its files."""
        url = make_url(self.database)
        ini = configparser.ConfigParser(interpolation=None)
        ini.read(DEPLOYED)
        ini["databases"] = {"pbem": f"host={url.query['host']} dbname={url.database} user={USER}"}
        ini["pgbouncer"].update(
            {
                "listen_addr": HOST,
                "listen_port": str(self.port),
                "auth_file": str(self.folder / "userlist.txt"),
                "default_pool_size": str(self.connections),
                "logfile": str(self.folder / "log"),
                "pidfile": str(self.folder / "pid"),
            }
        )
        with (self.folder / "pgbouncer.ini").open("w") as file:
            ini.write(file)
        (self.folder / "userlist.txt").write_text(f'"{USER}" "{self.password}"\n')

    def start(self) -> None:
        """Start it, and wait until it answers."""
        words = [require_tool("pgbouncer"), "-q", str(self.folder / "pgbouncer.ini")]
        command = ["/bin/sh", "-c", _GUARD, "guard", str(self.folder), *words]
        self._guard = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=self.folder,
            text=True,
            start_new_session=True,
            **unprivileged_account(),
        )
        assert self._guard.stdout is not None
        self._pid = int(self._guard.stdout.readline())
        self._wait_until_ready()

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + PATIENCE
        while not self._answers():
            assert time.monotonic() < deadline, (self.folder / "log").read_text()
            time.sleep(0.02)

    def _answers(self) -> bool:
        try:
            psycopg.connect(host=HOST, port=self.port, user=USER, password=self.password, dbname="pbem").close()
        except psycopg.OperationalError:
            return False
        return True

    def stop(self, number: signal.Signals = signal.SIGTERM) -> None:
        """End it; connections through it are cut."""
        guard, self._guard = self._guard, None
        if guard is None:
            return
        with suppress(ProcessLookupError):
            os.kill(self._pid, number)
        guard.communicate("wanted", timeout=PATIENCE)

    def restart(self, number: signal.Signals = signal.SIGTERM) -> None:
        """End it and start it again."""
        self.stop(number)
        self.start()


@contextmanager
def running_pgbouncer(database: str, connections: int = 20) -> Iterator[PgBouncer]:
    """A PgBouncer in front of a database of ours, in a folder that is gone afterwards.

    Args:
        database: its URL.
        connections: that PgBouncer has to it, at most.
    """
    require_tool("pgbouncer")
    folder = Path(tempfile.mkdtemp(prefix="pbem-pgbouncer-"))
    pgbouncer = PgBouncer(folder, free_port(), database, connections)
    try:
        pgbouncer.configure()
        own = unprivileged_account()
        if own:
            for path in (folder, *folder.iterdir()):
                os.chown(path, own["user"], own["group"])
        pgbouncer.start()
        yield pgbouncer
    finally:
        pgbouncer.stop(signal.SIGTERM)
        shutil.rmtree(folder, ignore_errors=True)
