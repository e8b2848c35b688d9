"""A look at everything that a server depends on, with what helps where something is wrong."""

from __future__ import annotations

import ctypes
import stat
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from http.client import HTTPException
from pathlib import Path
from typing import Any, cast
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from sqlalchemy import Engine, Row, text
from sqlalchemy.exc import SQLAlchemyError

from pbem.bootstrap.database import (
    LISTEN_URL,
    key_file,
    listen_engine_of,
    replica_of,
    sqlite_path,
    using_database,
)
from pbem.bootstrap.relay import relay_tokens
from pbem.bootstrap.status import condition
from pbem.bootstrap.upkeep import key_finding, open_database
from pbem.bootstrap.wording import make_wording
from pbem.config import BadSetting, Listen, Settings, UnixListen
from pbem.config.values import is_this_machine, masked_url
from pbem.domain.administration import Finding, Level, clock_finding
from pbem.domain.backups import BackupState
from pbem.mail_in.addresses import OwnAddress
from pbem.mail_in.certificate_check import check_certificate
from pbem.mail_out.dns_check import check_dns
from pbem.mail_out.relay_check import check_relay, leaves_from_here
from pbem.storage.engine import reading
from pbem.storage.process_notifier import own_session
from pbem.storage.replica import ReplicaUnusable
from pbem.storage.upkeep import Database
from pbem.usecases.attention import judge

_PATIENCE = 10
"""Seconds for which a server of the web is waited for."""
_CONNECTION = text(
    "SELECT host(inet_server_addr()) AS server, host(inet_client_addr()) AS client, ssl, clock_timestamp() AS at,"
    " pg_database_size(current_database()) AS size FROM pg_stat_ssl WHERE pid = pg_backend_pid()"
)
_HELP = {
    "integrity": "stop the server and restore the newest backup, or call the SQLite shell's .recover",
    "foreign keys": "restore the newest backup, or report this",
    "counts": "report this: lists show wrong numbers",
    "writable": "is the disk full, does the file belong to the server's account, has another program locked it?",
}


def examine(settings: Settings, resolver: Listen | None, selector: str) -> Iterator[Finding]:
    """Look at everything; a part that fails does not keep the others from being looked at.

    Args:
        settings: of the server.
        resolver: asked about the DNS; None: that of this machine.
        selector: of the key by which our mails are signed.
    """
    yield from _settings(settings)
    yield from _doors(settings)
    yield from _secrets(settings)
    yield from _database(settings)
    providers = [*_relay(settings), *_mailbox(settings)]
    yield from _clock(settings, is_compared=any(each.what == "clock" for each in providers))
    yield from providers
    from_here = leaves_from_here(settings.relay_url)
    yield from check_dns(OwnAddress(settings.address).domain, resolver, selector, leaves_from_here=from_here)
    yield from _pages(settings)


def _settings(settings: Settings) -> Iterator[Finding]:
    """Settings that can be used and are nevertheless not what a public server wants."""
    found = list(_odd_settings(settings))
    yield from found or [Finding("settings", Level.OK)]


def _odd_settings(settings: Settings) -> Iterator[Finding]:
    if settings.address.endswith("@localhost"):
        said = f"nobody outside of this machine can write to {settings.address}: set PBEM_ADDRESS"
        yield Finding("address", Level.WARNING, said)
    if settings.operator is None:
        yield Finding("operator", Level.WARNING, "nobody is told of alarms and reports: set PBEM_OPERATOR")
    if settings.trust_from:
        said = "anyone who can forge a From line can move for anyone else: set PBEM_TRUST_FROM to false"
        yield Finding("trust_from", Level.WARNING, said)
    ways_in = (settings.smtp_listen, settings.lmtp_listen, settings.mailbox_url, settings.inbound_secret)
    if not any(ways_in):
        said = "no letter comes in: set PBEM_SMTP_LISTEN, PBEM_LMTP_LISTEN, PBEM_MAILBOX_URL or PBEM_INBOUND_SECRET"
        yield Finding("letters", Level.WRONG, said)
    if settings.inbound_secret is not None and settings.web_listen is None:
        yield Finding("inbound", Level.WRONG, "letters by HTTP need the web pages: set PBEM_WEB_LISTEN")


def _doors(settings: Settings) -> Iterator[Finding]:
    """Doors that others can reach without TLS, and the certificate of ours."""
    found = list(_open_doors(settings))
    yield from found or [Finding("doors", Level.OK, "only this machine can reach them")]


def _open_doors(settings: Settings) -> Iterator[Finding]:
    certificate = check_certificate(settings.smtp_certificate, settings.smtp_private_key)
    if certificate is not None:
        yield certificate
    elif _is_open(settings.smtp_listen):
        said = f"letters come to {settings.smtp_listen} unencrypted: set PBEM_SMTP_CERTIFICATE, or let an MTA in front"
        yield Finding("smtp door", Level.WARNING, said)
    if _is_open(settings.lmtp_listen):
        said = f"{settings.lmtp_listen} has no TLS and believes what it hears: let only your own MTA reach it"
        yield Finding("lmtp door", Level.WARNING, said)
    if _is_open(settings.web_listen):
        said = f"{settings.web_listen} has no TLS: let only your own proxy reach it"
        yield Finding("web door", Level.WARNING, said)
    if _is_open(settings.monitor_listen):
        said = f"{settings.monitor_listen} answers anybody: let only your own machines reach it"
        yield Finding("monitor door", Level.WARNING, said)


def _is_open(listen: Listen | UnixListen | None) -> bool:
    return isinstance(listen, Listen) and not is_this_machine(listen.host)


def _secrets(settings: Settings) -> Iterator[Finding]:
    """Files that hold secrets and that any account of the machine can read or write."""
    found = list(filter(None, (_secret(what, path) for what, path in _secret_files(settings))))
    yield from found or [Finding("secrets", Level.OK, "no other account can read their files")]


def _secret(what: str, path: Path) -> Finding | None:
    try:
        if _is_open_to_all(path):
            return Finding("secrets", Level.WRONG, f"any account can use {path} ({what}): chmod o-rwx {path}")
    except FileNotFoundError:  # whoever needs it says so
        pass
    except OSError as failed:
        return Finding("secrets", Level.WRONG, f"{path} ({what}) cannot be looked at: {failed.strerror}")
    return None


def _secret_files(settings: Settings) -> Iterator[tuple[str, Path]]:
    for _, shown, source in settings.rows():
        if "***" in shown and source.startswith("file "):
            yield "settings with secrets", Path(source.removeprefix("file "))
            break
    database = sqlite_path(settings)
    if database is not None:
        yield "letters and reply addresses", database
        if settings.secret_key is None:
            yield "the secret key", key_file(database)
    if settings.smtp_private_key is not None:
        yield "the private key", Path(settings.smtp_private_key)
    for token in {settings.mailbox_refresh_token, settings.relay_refresh_token} - {None}:
        if str(token).startswith("file:"):
            yield "the refresh token", Path(str(token).removeprefix("file:"))
    if settings.backup_folder is not None:
        for backup in sorted(Path(settings.backup_folder).glob("*.db*"))[-2:]:
            yield "a backup", backup


def _is_open_to_all(path: Path) -> bool:
    """Return True if accounts that have nothing to do with a file can read or write it.

    Raises:
        OSError: it cannot be looked at.
    """
    path = path.resolve()
    if not path.stat().st_mode & (stat.S_IROTH | stat.S_IWOTH):
        return False
    return all(parent.stat().st_mode & stat.S_IXOTH for parent in path.parents)


def _database(settings: Settings) -> Iterator[Finding]:
    path = None
    try:
        path = sqlite_path(settings)
        if path is not None and not path.exists():
            said = f"there is no {path.absolute()} yet; the first start makes it, in the folder that it is started in"
            yield Finding("database", Level.WARNING, said)
            return
        with open_database(settings) as database:
            with using_database():
                yield _connection(database, settings)
            if database.file is None:
                yield _listening(database.engine, settings)
                yield from _replica(database.engine, settings)
            yield from _checks(database, settings)
            yield from _condition(database.engine, settings)
    except BadSetting as wrong:
        helps = "is it the right file, and may this account read it?"
        if path is None:
            helps = "does the database server run, and does it let this account in?"
        yield Finding("database", Level.WRONG, f"{wrong.facts['reason']}; {helps}")


def _connection(database: Database, settings: Settings) -> Finding:
    """The finding about the connection to the database, and its size."""
    where, level, helps = masked_url(settings.database_url), Level.OK, ""
    with reading(database.engine) as connection:
        if database.file is not None:
            connection.execute(text("SELECT count(*) FROM sqlite_schema"))
            where, size = str(database.file.absolute()), database.file.stat().st_size
        else:
            seen = connection.execute(_CONNECTION).one()
            size = seen.size
            if _is_elsewhere(seen) and not seen.ssl:
                level = Level.WARNING
                helps = "; letters go there unencrypted: add sslmode=verify-full to PBEM_DATABASE_URL"
    return Finding("database", level, f"{where}, {_megabytes(size)}{helps}")


def _listening(engine: Engine, settings: Settings) -> Finding:
    """The finding about the connection on which a process hears of others."""
    what = "database, listening"
    listens = listen_engine_of(settings)
    try:
        with using_database(LISTEN_URL), (listens or engine).connect() as connection:
            own_session(connection, engine)
    except BadSetting as wrong:
        return Finding(what, Level.WRONG, str(wrong))
    finally:
        if listens is not None:
            listens.dispose()
    return Finding(what, Level.OK)


def _replica(engine: Engine, settings: Settings) -> Iterator[Finding]:
    """The finding about the replica, if there is one: pages do without."""
    replica = replica_of(settings, engine)
    if replica is None:
        return
    level, said = Level.OK, masked_url(settings.database_read_url or "")
    try:
        replica.connect().close()
    except (ReplicaUnusable, SQLAlchemyError) as failed:
        why = " ".join(str(getattr(failed, "orig", None) or failed).split())
        level, said = Level.WARNING, f"{why}; meanwhile all pages come from the database itself"
    finally:
        replica.engine.dispose()
    yield Finding("database, replica", level, said)


def _is_elsewhere(seen: Row[Any]) -> bool:
    """Return True if PostgreSQL is on another machine."""
    return seen.server is not None and seen.server != seen.client and not is_this_machine(seen.server)


def _megabytes(size: int) -> str:
    return f"{size / 1_000_000:.1f} MB"


def _checks(database: Database, settings: Settings) -> Iterator[Finding]:
    for what, level, said in filter(None, (*database.check(), key_finding(settings))):
        helps = f"; {_HELP[what]}" if level is not Level.OK and what in _HELP else ""
        yield Finding(f"database, {what}", level, said + helps)


def _condition(engine: Engine, settings: Settings) -> Iterator[Finding]:
    """The state of queues, disk and backups, judged as for the page of the operator."""
    now = datetime.now(UTC)
    try:
        seen = condition(engine, settings, now)
    except SQLAlchemyError:  # its tables are those of another version, which has been said
        return
    found = {each.what: each for each in judge(seen)}
    waiting = f"{seen.depths.letters_waiting} letters and {seen.depths.mails_waiting} mails wait"
    yield Finding("queues", Level.OK, waiting)
    if seen.disk is not None and "disk_short" not in found:
        yield Finding("disk", Level.OK, f"{_megabytes(seen.disk.free)} of {_megabytes(seen.disk.size)} are free")
    if seen.backups is None:
        said = "none that pbem knows of, so nobody notices if they fail: set PBEM_BACKUP_FOLDER"
        yield Finding("backup", Level.WARNING, said)
    else:
        yield _backup(seen.backups, settings, is_old="backup_old" in found)
    wording = make_wording(settings)
    for what, each in found.items():
        if what not in ("other_schema", "backup_failed", "backup_old"):  # these were said
            said, _, command = wording.tool("attention", {"found": [each]}).strip().partition("\n")
            level = Level.WRONG if each.is_urgent else Level.WARNING
            yield Finding(what.replace("_", " "), level, f"{said}; {command.strip()}")


def _backup(backups: BackupState, settings: Settings, *, is_old: bool) -> Finding:
    folder = settings.backup_folder
    said = f"there is none in {folder}"
    if backups.made_at is not None:
        said = f"the last good one is of {backups.made_at:%Y-%m-%d %H:%M} UTC: {folder}/{backups.file}"
    if backups.failed_at is not None:
        why = f"the last attempt failed at {backups.failed_at:%Y-%m-%d %H:%M} UTC: {backups.why}"
        return Finding("backup", Level.WRONG, f"{why}; {said}")
    if is_old:
        helps = "does a process with the role clock run?" if settings.backup_hours else "does whatever makes them run?"
        return Finding("backup", Level.WARNING, f"{said}; {helps}")
    return Finding("backup", Level.OK, f"{said}, {_megabytes(backups.octets)}")


def _clock(settings: Settings, *, is_compared: bool) -> Iterator[Finding]:
    """The clock of this machine, compared with that of another one to which the server talks anyway.

    ``is_compared``: relay or mailbox have told their time, so that nobody else is needed.
    """
    off = None if settings.database_url.startswith("sqlite") else _off_database(settings)
    if off is not None:
        yield clock_finding(off, "PostgreSQL")
        return
    for url in _others(settings):
        with suppress(OSError, HTTPException, ValueError, TypeError):
            yield clock_finding(_off_web(url), urlsplit(url).hostname or "")
            return
    if not is_compared:
        yield _kept_clock()


def _kept_clock() -> Finding:
    """The finding about a clock that nothing can be compared with: the system knows if a program keeps it (NTP)."""
    state = _Timex()
    try:
        is_kept = ctypes.CDLL(None).adjtimex(ctypes.byref(state)) >= 0 and not state.status & _UNSYNCHRONIZED
    except (OSError, AttributeError):  # another system
        return Finding("clock", Level.OK, "not compared: nobody here tells the time")
    if is_kept:
        return Finding("clock", Level.OK, "not compared, but a time service keeps it")
    said = "not compared, and no time service keeps it: start one, for example with `timedatectl set-ntp true`"
    return Finding("clock", Level.WARNING, said)


class _Timex(ctypes.Structure):
    """The state of the system's clock (adjtimex(2)); what is unset changes nothing."""

    _fields_ = (
        ("modes", ctypes.c_uint),
        *((name, ctypes.c_long) for name in ("offset", "frequency", "largest_error", "estimated_error")),
        ("status", ctypes.c_int),
        ("more", ctypes.c_char * 256),
    )


_UNSYNCHRONIZED = 0x40


def _off_database(settings: Settings) -> timedelta | None:
    """The time of our clock less that of PostgreSQL on another machine; None if it is on this one, or does not say."""
    try:
        with open_database(settings) as database, reading(database.engine) as connection:
            began = datetime.now(UTC)
            seen = connection.execute(_CONNECTION).one()
    except (BadSetting, SQLAlchemyError):  # that was said
        return None
    ours = began + (datetime.now(UTC) - began) / 2
    return ours - cast("datetime", seen.at) if _is_elsewhere(seen) else None


def _others(settings: Settings) -> Iterator[str]:
    """Servers of the web that are spoken to anyway."""
    yield from filter(None, (settings.mailbox_token_url, settings.relay_token_url))
    if settings.alarm_webhook is not None:
        yield settings.alarm_webhook.url
    if settings.push_private_key is not None:
        yield from (f"https://{host}" for host in settings.push_services if "*" not in host)


def _off_web(url: str) -> timedelta:
    """The time of our clock less that of a server of the web.

    Raises:
        OSError, HTTPException, ValueError, TypeError: it does not tell.
    """
    began = datetime.now(UTC)
    _, date = _head(url)
    half = timedelta(seconds=0.5)  # it tells whole seconds
    return began + (datetime.now(UTC) - began) / 2 - parsedate_to_datetime(str(date)) - half


def _head(url: str) -> tuple[int, str | None]:
    """The status and the date that a server of the web answers with, asked for its first page.

    Raises:
        OSError, HTTPException: it cannot be reached.
    """
    parts = urlsplit(url)
    page = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}/"
    try:
        with urlopen(Request(page, method="HEAD"), timeout=_PATIENCE) as answer:  # noqa: S310 - the settings take HTTP alone
            return answer.status, answer.headers["Date"]
    except HTTPError as refused:
        with refused:
            return refused.code, refused.headers["Date"]


def _relay(settings: Settings) -> Iterator[Finding]:
    try:
        tokens = relay_tokens(settings)
    except BadSetting as wrong:
        yield Finding("relay", Level.WRONG, str(wrong))
        return
    yield from check_relay(settings.relay_url, settings.address, tokens)


def _mailbox(settings: Settings) -> Iterator[Finding]:
    if settings.mailbox_url is None:
        return
    from pbem.bootstrap.mailbox import make_mailbox  # IMAP is loaded where there is a mailbox
    from pbem.mail_in.mailbox_check import check_mailbox

    try:
        mailbox = make_mailbox(settings, settings.mailbox_url)
    except BadSetting as wrong:
        yield Finding("mailbox", Level.WRONG, str(wrong))
        return
    ours = OwnAddress(settings.address)
    yield from check_mailbox(mailbox, ours, settings.authserv_id, settings.max_letter_bytes)


def _pages(settings: Settings) -> Iterator[Finding]:
    """The finding about the web pages, as mails name them."""
    if settings.web_listen is None:
        return
    what = "web_url"
    parts = urlsplit(settings.site_url)
    if is_this_machine(parts.hostname or ""):
        if not settings.address.endswith("@localhost"):
            said = f"mails name {settings.site_url}, which only this machine can reach: set PBEM_WEB_URL"
            yield Finding(what, Level.WARNING, said)
    elif parts.scheme != "https":
        said = f"{settings.site_url} is not encrypted: anybody on the way can sign in as its players; use https://"
        yield Finding(what, Level.WARNING, said)
    else:
        yield _reached(settings.site_url)


def _reached(url: str) -> Finding:
    what = "web_url"
    try:
        status, _ = _head(url)
    except (OSError, HTTPException) as failed:
        reason = getattr(failed, "reason", failed)
        said = getattr(reason, "verify_message", "") or getattr(reason, "strerror", "") or str(reason)
        return Finding(what, Level.WARNING, f"{url} cannot be reached from here: {said}; see the proxy in front")
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return Finding(what, Level.WARNING, f"{url} answers {status}: does pbem run, and does the proxy find it?")
    return Finding(what, Level.OK, f"{url} answers")
