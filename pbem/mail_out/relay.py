"""The relay, which takes our mails, by SMTP or into a Maildir; and the schedule of retries."""

from __future__ import annotations

import os
import re
import smtplib
import ssl
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import parse_qs, unquote, urlsplit

from pbem.domain.letters import one_line
from pbem.domain.players import is_mailable
from pbem.domain.replies import without_tokens
from pbem.errors import PbemError
from pbem.mail_out import pipelining

if TYPE_CHECKING:  # HTTP is loaded where tokens are used
    from pbem.access_tokens import AccessToken, AccessTokens

_TIMEOUT = 30
_TOO_LARGE = 552
"""Said to MAIL FROM of a mail that is over the relay's limit (RFC 1870 s 6.1)."""
_XOAUTH2 = "XOAUTH2"
_PERMANENT = 500
"""SMTP replies from here on say no for good (RFC 5321 s 4.2.1)."""


class Deferred(PbemError):
    """The relay does not take this mail now."""

    def __init__(self, reason: str) -> None:
        PbemError.__init__(self, reason=without_tokens(reason))


class Refused(PbemError):
    """The relay will never take this mail; ``of_recipient``: because of its recipient, as if it had come back."""

    def __init__(self, reason: str, *, of_recipient: bool = False) -> None:
        PbemError.__init__(self, reason=without_tokens(reason))
        self.of_recipient = of_recipient


class RelayDown(PbemError):
    """The relay cannot be reached; other mails need not be tried now.

    ``is_busy``: it says so itself, when it is greeted or logged in to, because of how much we send or try.
    """

    is_busy: bool

    def __init__(self, reason: str, *, is_busy: bool = False) -> None:
        PbemError.__init__(self, reason=without_tokens(reason), is_busy=is_busy)


class RelayBusy(Deferred):
    """The relay has had too much from us for now (RFC 3463 s 3.8: 4.7.x): if it says so again, all mails wait."""


class Relay(Protocol):
    """Takes mails over. Used by one thread."""

    def send(self, sender: str, recipient: str, raw: bytes, name: str) -> None:
        """Hand one mail over; ``name`` is the same whenever the same mail is tried again.

        Raises:
            Deferred, RelayBusy, Refused, RelayDown: it was not taken.
        """

    def close(self) -> None:
        """Let go of what is held open."""


class MaildirRelay:
    """A folder in which every mail is kept, for trying out and for reading with ``mutt -f``."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def send(self, sender: str, recipient: str, raw: bytes, name: str) -> None:
        """Write the mail aside, then move it in: a reader never sees half of one."""
        del sender, recipient  # the file is the mail; its envelope does not travel with it
        if (self._folder / "new" / name).exists() or any((self._folder / "cur").glob(f"{name}*")):
            return  # in cur a reader has added its flags to the name
        try:
            for place in ("tmp", "new", "cur"):
                (self._folder / place).mkdir(parents=True, exist_ok=True)
            aside = self._folder / "tmp" / name
            with aside.open("wb") as file:
                file.write(raw.replace(b"\r\n", b"\n"))
                file.flush()
                os.fsync(file.fileno())
            aside.replace(self._folder / "new" / name)
            _sync(self._folder / "new")
        except OSError as failed:
            raise RelayDown(failed.strerror or type(failed).__name__) from None

    def close(self) -> None:
        """Hold nothing open, let go of nothing."""


def _sync(folder: Path) -> None:
    """Have the names in a folder reach the disk."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


class SmtpRelay:
    """An MTA, by a connection that is kept for the mails that follow.

    Args:
        connect: makes a connection.
        per_connection: so many mails are handed over by one; None: any number.
    """

    def __init__(self, connect: Callable[[], smtplib.SMTP], per_connection: int | None = None) -> None:
        self._connect = connect
        self._per_connection = per_connection
        self._handed_over = 0
        self._connection: smtplib.SMTP | None = None

    def send(self, sender: str, recipient: str, raw: bytes, name: str) -> None:
        """Hand one mail over; a connection that the MTA has ended since the last one is made anew, once and at once."""
        del name  # the MTA knows the mail by its Message-ID
        if not all(is_mailable(each) for each in (sender or recipient, recipient)):
            raise Refused("the address cannot be written in SMTP")
        is_reused = self._connection is not None
        try:
            self._send(sender, recipient, raw)
        except OSError as failed:
            self._drop()
            if not (is_reused and _is_ended(failed)):
                raise _verdict(failed) from None
            self.send(sender, recipient, raw, "")

    def _send(self, sender: str, recipient: str, raw: bytes) -> None:
        if self._handed_over == self._per_connection:
            self.close()
        if self._connection is None:
            self._connection, self._handed_over = self._connected(), 0
        self._handed_over += 1
        pipelining.send(self._connection, sender, recipient, raw)

    def _connected(self) -> smtplib.SMTP:
        try:
            return self._connect()
        except ValueError as unusable:  # a host name or a password that smtplib cannot write
            raise RelayDown(type(unusable).__name__) from None

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def close(self) -> None:
        """Say goodbye to the MTA."""
        connection, self._connection = self._connection, None
        if connection is not None:
            try:
                connection.quit()
            except (OSError, smtplib.SMTPException):
                connection.close()


_CLOSING = 421
"""Said in place of any answer by an MTA that ends the connection (RFC 5321 s 3.8)."""


def _is_ended(failed: OSError) -> bool:
    """Return True if an MTA has ended a connection that it had kept, or wants no further mail on it.

    Its goodbye after a timeout is read as the answer to the next command: mostly 421, elsewhere another 4xx.
    """
    match failed:
        case smtplib.SMTPSenderRefused():
            return failed.smtp_code < _PERMANENT
        case smtplib.SMTPRecipientsRefused():
            return any(code == _CLOSING for code, _ in failed.recipients.values())
        case smtplib.SMTPResponseException():
            return failed.smtp_code == _CLOSING
    return isinstance(failed, (smtplib.SMTPServerDisconnected, ConnectionError, ssl.SSLError))


_NO_MAILBOX = (550, 551, 553)
"""Said to RCPT for an address that there is not (RFC 5321 s 4.2.3)."""
_STATUS = re.compile(r"5\.([0-9]{1,3})\.[0-9]{1,3}\b")
_OF_ADDRESS_OR_MAILBOX = ("1", "2")
"""Subjects of a status (RFC 3463 s 3.2, 3.3)."""


def _is_of_recipient(code: int, text: str) -> bool:
    """Return True if RCPT was refused because of the address, rather than because we may not write to it from here."""
    status = _STATUS.match(text)
    return code in _NO_MAILBOX if status is None else status[1] in _OF_ADDRESS_OR_MAILBOX


def _is_busy(said: bytes | str) -> bool:
    """Return True if an MTA puts us off because of how much we send, rather than because of the mail."""
    return _as_text(said).startswith("4.7.")


def _as_text(said: bytes | str) -> str:
    return said.decode(errors="replace") if isinstance(said, bytes) else said


def _verdict(failed: OSError) -> PbemError:
    """Translate an answer of the MTA into our exception; smtplib's exceptions are OSErrors."""
    answer: bytes | str
    at_rcpt = isinstance(failed, smtplib.SMTPRecipientsRefused)
    match failed:
        case smtplib.SMTPRecipientsRefused():
            code, answer = next(iter(failed.recipients.values()))
        case smtplib.SMTPDataError():
            code, answer = failed.smtp_code, failed.smtp_error
        case smtplib.SMTPSenderRefused() if failed.smtp_code == _TOO_LARGE:
            return Refused(f"{failed.smtp_code} too large")
        case smtplib.SMTPSenderRefused() if failed.smtp_code < _PERMANENT and _is_busy(failed.smtp_error):
            code, answer = failed.smtp_code, failed.smtp_error
        case smtplib.SMTPSenderRefused():
            # It does not like us, whoever the mail is for: that is no reason to give the mail up.
            return RelayDown(f"{failed.smtp_code} to our own address")
        case smtplib.SMTPResponseException():  # at its greeting, or when logging in
            said = failed.smtp_error
            return RelayDown(f"{failed.smtp_code} {one_line(_as_text(said))}", is_busy=_is_busy(said))
        case _:
            return RelayDown(str(failed))
    said = _as_text(answer)
    text = f"{code} {one_line(said)}"
    if code < _PERMANENT:
        return RelayBusy(text) if _is_busy(said) else Deferred(text)
    return Refused(text, of_recipient=at_rcpt and _is_of_recipient(code, said))


def make_relay(url: str, per_connection: int | None = None, tokens: AccessTokens | None = None) -> Relay:
    """The relay that ``PBEM_RELAY_URL`` names: ``smtp://``, ``smtps://``, ``lmtp+unix:`` or ``maildir:``.

    ``?starttls=yes`` wants an encrypted connection with a valid certificate; it is the
    default where the URL holds a name. ``tokens`` go in place of a password.
    """
    if url.startswith("maildir:"):
        return MaildirRelay(Path(url.removeprefix("maildir:")))
    return SmtpRelay(partial(connect_relay, url, tokens), per_connection)


def connect_relay(url: str, tokens: AccessTokens | None = None) -> smtplib.SMTP:
    """A connection to the relay, encrypted and logged in as its URL says.

    An access token that is refused although it should be good is asked for anew, once.

    Raises:
        SMTPException, OSError, ValueError: that is not possible.
        RelayDown: there is no access token.
    """
    if tokens is None:
        return _connect(url, None)
    token = _token(tokens)
    if not token.is_new:
        try:
            return _connect(url, token)
        except smtplib.SMTPAuthenticationError as refused:
            if refused.smtp_code < _PERMANENT:
                raise
            tokens.drop(token)
            token = _token(tokens)
    try:
        return _connect(url, token)
    except smtplib.SMTPAuthenticationError as refused:
        if refused.smtp_code >= _PERMANENT:
            tokens.drop(token)
        said = tokens.masked(_as_text(refused.smtp_error))
        raise smtplib.SMTPAuthenticationError(refused.smtp_code, said) from None


class _Greeted(smtplib.SMTP):
    """A connection that keeps what the server has said first."""

    greeting = b""

    def connect(self, host: str = "localhost", port: int = 0, source_address: Any = None) -> tuple[int, bytes]:
        code, self.greeting = super().connect(host, port, source_address)
        return code, self.greeting


class _GreetedTls(_Greeted, smtplib.SMTP_SSL):
    """The same in TLS from the first byte."""


def greeting_of(connection: smtplib.SMTP) -> str:
    """The greeting of a relay; empty if it was not kept."""
    return _as_text(connection.greeting) if isinstance(connection, _Greeted) else ""


def _token(tokens: AccessTokens) -> AccessToken:
    from pbem.access_tokens import NoAccessToken

    try:
        return tokens.get()
    except NoAccessToken as none:
        raise RelayDown(none.says) from None


def _connect(url: str, token: AccessToken | None) -> smtplib.SMTP:
    if url.startswith("lmtp+unix:"):
        return smtplib.LMTP(url.removeprefix("lmtp+unix:"), timeout=_TIMEOUT)
    parts = urlsplit(url)
    host = parts.hostname or "localhost"
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    starttls = parse_qs(parts.query).get("starttls", ["yes" if user else "no"])[0] != "no"
    if parts.scheme == "smtps":
        context = ssl.create_default_context()
        connection: smtplib.SMTP = _GreetedTls(host, parts.port or 465, timeout=_TIMEOUT, context=context)
    else:
        connection = _Greeted(host, parts.port or 25, timeout=_TIMEOUT)
    try:
        if starttls and parts.scheme != "smtps":
            connection.starttls(context=ssl.create_default_context())
        if token is not None:
            _log_in(connection, user, token)
        elif user:
            connection.login(user, password)
    except BaseException:
        connection.close()
        raise
    return connection


def _log_in(connection: smtplib.SMTP, user: str, token: AccessToken) -> None:
    """Show an access token (XOAUTH2); why it is refused is asked for, and said in JSON, before the answer comes."""
    connection.ehlo_or_helo_if_needed()
    if _XOAUTH2 not in connection.esmtp_features.get("auth", "").upper().split():
        raise smtplib.SMTPNotSupportedError(f"It does not offer {_XOAUTH2}, which access tokens need.")
    shown = f"user={user}\1auth=Bearer {token.text}\1\1"
    connection.auth(_XOAUTH2, lambda challenge=None: shown if challenge is None else "")


def next_attempt(
    attempts: int, created_at: datetime, now: datetime, delays: Sequence[int], give_up_after: timedelta
) -> datetime | None:
    """When to try next after ``attempts`` failures, the last just now; None: not again.

    Args:
        attempts: failures so far, at least 1.
        created_at: when the mail was stored.
        now: the moment of the last failure.
        delays: seconds to wait after each failure; the last goes for all that follow.
        give_up_after: how old a mail may become.
    """
    if now - created_at >= give_up_after:
        return None
    return now + timedelta(seconds=delays[min(attempts, len(delays)) - 1])
