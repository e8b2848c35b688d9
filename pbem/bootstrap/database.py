"""The configured database: its engine, its file, its lock and its key."""

from __future__ import annotations

import fcntl
import os
import secrets
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import IO

import structlog
from sqlalchemy import Engine, make_url
from sqlalchemy.exc import SQLAlchemyError

from pbem.config import NO_KEY, SHORTEST_KEY, BadSetting, Settings
from pbem.domain.replies import Signer
from pbem.storage.engine import is_starting, make_engine
from pbem.storage.process_notifier import WrongListenUrl
from pbem.storage.replica import ReadReplica
from pbem.storage.schema import NewerSchema, has_anybody

log = structlog.get_logger()

LISTEN_URL = "PBEM_DATABASE_LISTEN_URL"
_FOUND_OUT_AT_ONCE = {"connect_timeout": "2", "tcp_user_timeout": "5000"}
"""For libpq, of a replica: seconds, and milliseconds; without it the database itself is asked."""
_STARTING_SECONDS = 60.0
_LOOK_AGAIN_SECONDS = 1.0
_ENDING_SECONDS, _LOOK_SOON_SECONDS = 2.0, 0.02
"""The processes of a server that was killed end within this time."""


@contextmanager
def using_database(name: str = "PBEM_DATABASE_URL") -> Iterator[None]:
    """A stretch in which trouble with the database is the operator's.

    Args:
        name: of the setting that says which it is.

    Raises:
        BadSetting: the database cannot be used.
    """
    try:
        yield
    except NewerSchema as newer:
        raise BadSetting(name, f"the database cannot be used: {newer}") from None
    except WrongListenUrl as wrong:
        raise BadSetting(LISTEN_URL, str(wrong)) from None
    except SQLAlchemyError as failed:
        reason = " ".join(str(getattr(failed, "orig", None) or type(failed).__name__).split())
        if "no such " in reason or "does not exist" in reason:  # a table or a column, on either engine
            reason += "; if it is of an earlier version, `pbem db upgrade` brings it up to date"
        raise BadSetting(name, f"the database cannot be used: {reason}") from None


def engine_of(settings: Settings, *, takes_turns: bool = False) -> Engine:
    """The engine of the configured database.

    Args:
        settings: say which it is.
        takes_turns: whether other processes write to it all the time.

    Raises:
        BadSetting: there is no such kind of database, or what speaks to it is not installed.
    """
    path = sqlite_path(settings) if takes_turns else None
    turns = None if path is None else path.with_name(path.name + ".turn")
    with _making_engine("PBEM_DATABASE_URL"):
        return make_engine(
            settings.database_url,
            settings.database_connections,
            turns,
            prepares=settings.prepares_statements,
        )


def listen_engine_of(settings: Settings) -> Engine | None:
    """The engine of the connection by which this process listens; None: that of the database is good enough.

    Raises:
        BadSetting: its URL cannot be used.
    """
    if settings.database_listen_url is None:
        return None
    with _making_engine(LISTEN_URL):
        return make_engine(settings.database_listen_url, connections=1)


def replica_of(settings: Settings, primary: Engine) -> ReadReplica | None:
    """The replica that is read from where nobody waits for something of their own; None: there is none.

    Raises:
        BadSetting: its URL cannot be used.
    """
    if settings.database_read_url is None:
        return None
    with _making_engine("PBEM_DATABASE_READ_URL"):
        url = make_url(settings.database_read_url)
        given = {name: value for name, value in _FOUND_OUT_AT_ONCE.items() if name not in url.query}
        replica = make_engine(
            url.update_query_dict(given).render_as_string(hide_password=False),
            settings.database_connections,
            prepares=settings.prepares_statements,
        )
    return ReadReplica(primary, replica, settings.max_replica_lag_seconds)


@contextmanager
def _making_engine(name: str) -> Iterator[None]:
    """A stretch in which an engine is made of the URL that a setting names."""
    try:
        yield
    except ModuleNotFoundError as missing:
        needed = "PostgreSQL needs the package psycopg, which is not installed: pip install 'pbem[postgresql]'"
        raise BadSetting(name, needed) from missing
    except (SQLAlchemyError, ValueError):
        raise _no_database_url(name) from None


def await_database(engine: Engine, seconds: float = _STARTING_SECONDS) -> None:
    """Wait until PostgreSQL takes connections, if it does not yet: machines start everything at once.

    Any other trouble, and that which lasts longer, is left to whoever uses the database next.
    """
    if engine.dialect.name == "sqlite":
        return
    until = monotonic() + seconds
    while True:
        try:
            with engine.connect():
                return
        except SQLAlchemyError as failed:
            if not is_starting(failed) or monotonic() >= until:
                return
            log.warning("database not ready", why=" ".join(str(failed.__cause__).split()))
        sleep(_LOOK_AGAIN_SECONDS)


def sqlite_path(settings: Settings) -> Path | None:
    """The file of an SQLite database; None if it is another one.

    Raises:
        BadSetting: there is no such kind of database.
    """
    try:
        url = make_url(settings.database_url)
    except (SQLAlchemyError, ValueError):
        raise _no_database_url() from None
    if url.get_backend_name() != "sqlite":
        return None
    return Path(url.database or "pbem.db")


def _no_database_url(name: str = "PBEM_DATABASE_URL") -> BadSetting:
    """Without the URL itself, which may hold a password."""
    return BadSetting(name, "must be sqlite:///file or postgresql+psycopg://user@host:port/name")


def existing_path(settings: Settings) -> Path | None:
    """The file of an SQLite database that is there; None if it is another one.

    Raises:
        BadSetting: it is not there.
    """
    path = sqlite_path(settings)
    if path is not None and not path.exists():
        raise BadSetting("PBEM_DATABASE_URL", f"there is no database {path.absolute()}")
    return path


def lock_database(settings: Settings) -> IO[str] | None:
    """Keep a second server off an SQLite database: only one may take over what a killed one had leased.

    Raises:
        BadSetting: there is one already, or the folder cannot be written.
    """
    path = sqlite_path(settings)
    return None if path is None else lock_file(path)


def lock_file(path: Path) -> IO[str]:
    """Keep other servers off the file of an SQLite database.

    Raises:
        BadSetting: there is one already, or the folder cannot be written.
    """
    file = path.with_name(path.name + ".lock")
    try:
        lock = file.open("a")
    except OSError as failed:
        raise BadSetting("PBEM_DATABASE_URL", f"{file.absolute()} cannot be written: {failed.strerror}") from None
    until = monotonic() + _ENDING_SECONDS
    while not _is_locked(lock):
        if monotonic() >= until:
            lock.close()
            raise BadSetting("PBEM_DATABASE_URL", f"another server is running on {path.absolute()}")
        sleep(_LOOK_SOON_SECONDS)
    return lock


def _is_locked(lock: IO[str]) -> bool:
    """Lock a file, unless another process has."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def signer_of(settings: Settings) -> Signer:
    """Make the signer of our addresses and links, with the secret key of the settings or the one beside the database.

    Raises:
        BadSetting: there is none, and none can be made.
    """
    return Signer(settings.secret_key or kept_key(settings))


def kept_key(settings: Settings) -> tuple[str, ...]:
    """The secret key beside an SQLite database, made as long as it has signed nothing that anybody may have.

    Raises:
        BadSetting: it is lost, it cannot be read or made, or the database is another one.
    """
    file = _place_of_key(settings)
    with _using_key(file):
        if _is_to_be_made(settings):
            _keep_key(file)
        return _key_in(file)


def check_key(settings: Settings) -> str:
    """See that a server would find its key, or make one; what is to be said of it if it is not there yet.

    Raises:
        BadSetting: it would not.
    """
    if settings.secret_key is not None:
        return ""
    file = _place_of_key(settings)
    with _using_key(file):
        if _is_to_be_made(settings):
            return "none yet; the first start makes it"
        _key_in(file)
    return ""


def _is_to_be_made(settings: Settings) -> bool:
    """Return True if a server would make a new key: there is none, and no mail is out that would lose its proof.

    Raises:
        BadSetting: the key is lost.
    """
    file, path = _place_of_key(settings), sqlite_path(settings)
    if path is None or file.exists():
        return False
    if path.exists() and _has_anybody(settings):
        raise _lost_key(file)
    return True


def _lost_key(file: Path) -> BadSetting:
    """The message where the key is lost."""
    signed = "by which the reply addresses in all mails are signed"
    return BadSetting("PBEM_SECRET_KEY", f"the secret key {file.absolute()} is missing, {signed}; {_way_out(file)}")


def _way_out(file: Path) -> str:
    """The remedy where a key is lost; not done unasked, for it voids all mails sent so far."""
    key = shlex.quote(str(file.absolute()))
    makes = f"(umask 077; rm -f {key}; head -c 24 /dev/urandom | base64 >{key})"
    voids = "by which no older mail proves anything any more"
    return f"bring it back from a backup, or make a new one, {voids}, as the user that runs the server: {makes}"


def _has_anybody(settings: Settings) -> bool:
    engine = engine_of(settings)
    try:
        with using_database():
            return has_anybody(engine)
    finally:
        engine.dispose()


def _place_of_key(settings: Settings) -> Path:
    path = sqlite_path(settings)
    if path is None:
        raise BadSetting("PBEM_SECRET_KEY", NO_KEY)
    return key_file(path)


@contextmanager
def _using_key(file: Path) -> Iterator[None]:
    try:
        yield
    except OSError as failed:
        raise BadSetting("PBEM_SECRET_KEY", f"{file.absolute()} cannot be used: {failed.strerror}") from None


def _key_in(file: Path) -> tuple[str, ...]:
    key = file.read_bytes().decode("ascii", "replace").strip()
    if len(key) < SHORTEST_KEY or not (key.isascii() and "".join(key.split()).isprintable()):
        raise BadSetting("PBEM_SECRET_KEY", f"{file.absolute()} holds no key; {_way_out(file)}")
    return (key,)


def key_file(database: Path) -> Path:
    """The file with the secret key of an SQLite database."""
    return database.with_name(database.name + ".key")


def _keep_key(file: Path) -> None:
    """Make a key; it is there whole or not at all, or letters could be signed with half of it."""
    aside = file.with_name(file.name + ".new")
    aside.unlink(missing_ok=True)
    with open(aside, "x", opener=lambda name, flags: os.open(name, flags, 0o600)) as out:
        out.write(secrets.token_urlsafe(32) + "\n")
        out.flush()
        os.fsync(out.fileno())
    aside.replace(file)
