"""The SMTP and LMTP doors: they listen, let sessions in, store letters, and end in order.

A letter is answered ``250`` only after it is safe.
"""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import ssl
import stat
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import structlog
from aiosmtpd.proxy_protocol import ProxyData
from aiosmtpd.smtp import Envelope as SmtpEnvelope
from aiosmtpd.smtp import Session as SmtpSession

from pbem.config import BadSetting, Listen, UnixListen
from pbem.domain.letters import Envelope
from pbem.mail_in.acceptance import TRY_LATER, Accept, Acceptance
from pbem.mail_in.addresses import OwnAddress
from pbem.mail_in.connection_limits import ConnectionLimiter, DoorLimits, spare_files
from pbem.mail_in.session import CLOSING, GuardedSession, LmtpSession, Session, SessionSetup
from pbem.meters import DoorMeters, Meters

log = structlog.get_logger()

_CERTIFICATE, _KEY = "PBEM_SMTP_CERTIFICATE", "PBEM_SMTP_PRIVATE_KEY"
_LONGEST_QUEUE = 100
"""Clients that the system keeps waiting until they are let in."""


class Handler:
    """Answers for a door, to all of its sessions."""

    def __init__(self, acceptance: Acceptance, guests: ConnectionLimiter[GuardedSession], meters: DoorMeters) -> None:
        self._acceptance = acceptance
        self._guests = guests
        self._meters = meters
        self.closing = False

    async def handle_PROXY(  # noqa: N802 - aiosmtpd's name
        self, session: Session, _spoken: SmtpSession, _envelope: SmtpEnvelope, proxy: ProxyData
    ) -> bool:
        """Count the session for the host that the balancer names."""
        host = None if proxy.src_addr is None else str(proxy.src_addr)
        refusal = self._guests.why_not_from(host)
        if refusal is not None:
            log.warning("connection refused", because=refusal)
            self._meters.turned_away.inc()
            await session.push(refusal)
            return False
        self._guests.enter(session, host)
        return True

    async def handle_EHLO(  # noqa: N802 - aiosmtpd's name
        self, session: Session, spoken: SmtpSession, _envelope: SmtpEnvelope, name: str, replies: list[str]
    ) -> list[str]:
        """Offer what there is: aiosmtpd would name AUTH within TLS."""
        spoken.host_name = name
        offered = [reply for reply in replies if reply[4:8] not in ("AUTH", "HELP")]
        forwarding = ["250-XFORWARD ADDR"] if session.is_mta else []
        return [*offered, *forwarding, "250-PIPELINING", "250 ENHANCEDSTATUSCODES"]

    async def handle_MAIL(  # noqa: N802 - aiosmtpd's name
        self,
        session: Session,
        _spoken: SmtpSession,
        envelope: SmtpEnvelope,
        address: str | None,
        options: list[str],
    ) -> str:
        """Take the envelope's sender, unless the door is closing."""
        if self.closing:
            return CLOSING
        refusal = self._acceptance.refuse_sender(session.client, sender_of(address))
        if refusal is not None:
            return refusal
        envelope.mail_from = address or ""
        envelope.mail_options.extend(options)
        return "250 2.1.0 Sender ok"

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, _session: Session, _spoken: SmtpSession, envelope: SmtpEnvelope, address: str, options: list[str]
    ) -> str:
        """Take a recipient."""
        refusal = self._acceptance.refuse_recipient(address, len(envelope.rcpt_tos))
        if refusal is not None:
            return refusal
        envelope.rcpt_tos.append(address)
        envelope.rcpt_options.extend(options)
        return "250 2.1.5 Recipient ok"

    async def handle_DATA(  # noqa: N802 - aiosmtpd's name
        self, session: Session, _spoken: SmtpSession, envelope: SmtpEnvelope
    ) -> str:
        """Have the letter stored."""
        letter = envelope.content
        assert letter is None or isinstance(letter, bytes)  # noqa: S101 - for the types
        came = Envelope(sender_of(envelope.mail_from), tuple(envelope.rcpt_tos), session.client)
        return await self._acceptance.store(came, letter)

    async def handle_exception(self, error: Exception) -> str:
        """Tell a client nothing of what went wrong in here."""
        log.error("session failed", error=type(error).__name__)
        return TRY_LATER


def sender_of(address: str | None) -> str:
    """The sender of an envelope as aiosmtpd has it, which writes the null sender in two ways."""
    return (address or "").removeprefix("<>")


@dataclass(frozen=True, slots=True)
class DoorOptions:
    """Options of a door: what clients need to connect."""

    tls: ssl.SSLContext | None = None
    """The certificate for STARTTLS; None: it is not offered."""
    wants_proxy: bool = False
    """Each connection begins with a PROXY line."""
    socket_mode: int = 0o600
    """Says who may connect to a UNIX socket, as the mode of a file."""


class Door:
    """Listens, and hands every letter to ``accept``.

    Args:
        listen: where to listen; port 0 lets the system choose.
        accept: stores a letter; its future tells the letter's number, None if it had come before.
        ours: which recipients are ours.
        limits: what the door bears; the size of a letter is announced as SIZE (RFC 1870).
        options: how clients connect.
        meters: what is counted here.
    """

    session: ClassVar[type[Session]] = Session
    """The protocol of this door."""

    def __init__(
        self,
        listen: Listen | UnixListen,
        accept: Accept,
        ours: OwnAddress,
        limits: DoorLimits,
        options: DoorOptions = DoorOptions(),
        meters: DoorMeters | None = None,
    ) -> None:
        self.listen = listen
        self._socket_mode = options.socket_mode
        self.guests: ConnectionLimiter[GuardedSession] = ConnectionLimiter(limits)
        self.meters = meters or Meters().door("none")
        self.handler = Handler(Acceptance(accept, ours, limits, self.meters), self.guests, self.meters)
        self._setup = SessionSetup(
            self.handler,
            limits,
            ours.domain,
            self.guests,
            self.meters,
            options.tls,
            options.wants_proxy,
        )
        self._server: asyncio.Server | None = None
        self._socket_file: tuple[Path, int] | None = None

    async def open(self) -> Listen | UnixListen:
        """Begin to listen; return where.

        Raises:
            OSError: that is not possible.
        """
        loop = asyncio.get_running_loop()
        queue = min(_LONGEST_QUEUE, spare_files() // 2)  # all of it may be let in before any is told to go
        if isinstance(self.listen, UnixListen):
            listening, self._socket_file = _unix_socket(Path(self.listen.path), self._socket_mode)
            self._server = await loop.create_unix_server(self._enter, sock=listening, backlog=queue)
            return self.listen
        self._server = await loop.create_server(self._enter, self.listen.host, self.listen.port, backlog=queue)
        host, port = self._server.sockets[0].getsockname()[:2]
        return Listen(str(host), int(port))

    @property
    def is_open(self) -> bool:
        """Sessions are let in."""
        return self._server is not None and self._server.is_serving()

    def _enter(self) -> Session:
        return self.session(self._setup)

    async def close(self, patience: float) -> None:
        """Take no more sessions, let letters under way finish within ``patience`` seconds, end the rest."""
        if self._server is None:
            return
        self.handler.closing = True
        self._server.close()
        self._remove_socket_file()
        loop = asyncio.get_running_loop()
        deadline = loop.time() + patience
        told: set[GuardedSession] = set()
        while self.guests and loop.time() < deadline:
            for session in self.guests.all:
                if session.is_idle and session not in told:
                    told.add(session)
                    session.hang_up()
            await asyncio.sleep(0.02)
        for session in self.guests.all:
            session.hang_up()
        await asyncio.sleep(0)

    def _remove_socket_file(self) -> None:
        """Take the socket away, unless it is another server's by now."""
        if self._socket_file is None:
            return
        path, inode = self._socket_file
        with suppress(OSError):
            if path.lstat().st_ino == inode:
                path.unlink()


class SmtpDoor(Door):
    """For the mail servers of the world, or for an MTA in front (RFC 5321)."""


class LmtpDoor(Door):
    """For the MTA in front: it is answered for each recipient (RFC 2033)."""

    session = LmtpSession


def tls_context(certificate: str | None, private_key: str | None) -> ssl.SSLContext | None:
    """A context of these two files; None unless both are named.

    Raises:
        BadSetting: they cannot be used.
    """
    if certificate is None or private_key is None:
        return None
    for name, path in ((_CERTIFICATE, certificate), (_KEY, private_key)):
        _check_readable(name, path)
    # Without a password OpenSSL would ask the terminal for that of an encrypted key.
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(certificate, private_key, password="")
    except ssl.SSLError as wrong:
        reason = wrong.reason or "not readable as PEM"
        raise BadSetting(_CERTIFICATE, f"{certificate} and {private_key} cannot be used together: {reason}") from None
    return context


def _check_readable(name: str, path: str) -> None:
    try:
        with Path(path).open("rb"):
            pass
    except OSError as failed:
        raise BadSetting(name, f"{path} cannot be read: {failed.strerror}") from None


def _unix_socket(path: Path, mode: int) -> tuple[socket.socket, tuple[Path, int]]:
    """A bound socket, and its file by name and number; one that a killed server has left behind is replaced."""
    with suppress(FileNotFoundError):
        if not stat.S_ISSOCK(path.lstat().st_mode):
            raise OSError(errno.EEXIST, "there is a file that is no socket")
        if _is_answered(path):
            raise OSError(errno.EADDRINUSE, "another server listens there")
        path.unlink()
    listening = socket.socket(socket.AF_UNIX)
    mask = os.umask(0o177)  # nobody comes in before the mode is set
    try:
        listening.bind(str(path))
        path.chmod(mode)
    except BaseException:
        listening.close()
        raise
    finally:
        os.umask(mask)
    return listening, (path, path.lstat().st_ino)


def _is_answered(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(1)
        try:
            client.connect(str(path))
        except ConnectionRefusedError:
            return False
        except TimeoutError:  # its queue is full: it is there
            return True
    return True
