"""The findings of a look at the relay, for the operator; no mail is handed over."""

from __future__ import annotations

import re
import smtplib
import ssl
from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pbem.config.values import is_this_machine
from pbem.domain.administration import Finding, Level, clock_finding
from pbem.domain.letters import one_line
from pbem.mail_out.relay import RelayDown, connect_relay, greeting_of

if TYPE_CHECKING:  # HTTP is loaded where tokens are used
    from pbem.access_tokens import AccessTokens

_WHAT = "relay"
_TAKEN = 250
_DATE = re.compile(r"[A-Z][a-z]{2}, [0-9]{1,2} [A-Z][a-z]{2} [0-9]{4} [0-9:]{8} (?:[+-][0-9]{4}|GMT)")


def leaves_from_here(url: str) -> bool:
    """Return True if mails go out by a mail server on this machine, which hands them to those of their recipients."""
    return url.startswith("lmtp+unix:") or is_this_machine(urlsplit(url).hostname or "")


def check_relay(url: str, sender: str, tokens: AccessTokens | None = None) -> Iterator[Finding]:
    """Connect to the relay as for a mail, and see if it takes one from our address.

    Args:
        url: of the relay, as in the setting.
        sender: our address.
        tokens: go in place of a password.
    """
    if url.startswith("maildir:"):
        said = f"mails are kept in the folder {url.removeprefix('maildir:')} and sent to nobody: set PBEM_RELAY_URL"
        yield Finding(_WHAT, Level.WARNING, said)
        return
    began = datetime.now(UTC)
    try:
        with connect_relay(url, tokens) as connection:
            connection.ehlo_or_helo_if_needed()
            ours, theirs = began + (datetime.now(UTC) - began) / 2, _time_in(greeting_of(connection))
            code, answer = connection.mail(sender)
            is_encrypted = isinstance(connection.sock, ssl.SSLSocket)
            can_starttls = connection.has_extn("starttls")
    except RelayDown as failed:
        yield Finding(_WHAT, Level.WRONG, str(failed.facts["reason"]))
        return
    except (OSError, ValueError) as failed:  # smtplib's exceptions are OSErrors
        yield Finding(_WHAT, Level.WRONG, _trouble(failed, has_token=tokens is not None))
        return
    if code != _TAKEN:
        said = f"it takes no mail from {sender}: {code} {_answer(answer)}; is that an address of this account?"
        yield Finding(_WHAT, Level.WRONG, said)
        return
    yield Finding(_WHAT, Level.OK, f"it takes mails from {sender}")
    if theirs is not None and not leaves_from_here(url):
        yield clock_finding(ours - theirs, urlsplit(url).hostname or "")
    if not is_encrypted and not leaves_from_here(url):
        secret = "password" if tokens is None else "access token"
        yield _unencrypted(url, secret, can_starttls=can_starttls)


def _time_in(greeting: str) -> datetime | None:
    """The time that a relay tells when it greets, as those of Microsoft, Exim and Sendmail do."""
    found = _DATE.search(greeting)
    try:
        return None if found is None else parsedate_to_datetime(found[0])
    except ValueError:
        return None


def _unencrypted(url: str, secret: str, *, can_starttls: bool) -> Finding:
    helps = "it offers STARTTLS: add ?starttls=yes to" if can_starttls else "use smtps:// in"
    if urlsplit(url).username:
        said = f"the {secret} goes over the network unencrypted; {helps} PBEM_RELAY_URL"
        return Finding("encryption of the relay", Level.WRONG, said)
    said = f"mails go over the network unencrypted; {helps} PBEM_RELAY_URL"
    return Finding("encryption of the relay", Level.WARNING, said)


def _trouble(failed: Exception, *, has_token: bool) -> str:
    """The fault of a connection, and what helps; the password is in none of these."""
    match failed:
        case ssl.SSLCertVerificationError():
            said = f"its certificate is not valid: {failed.verify_message}"
            return f"{said}; is it the host that the provider names? The password was not sent"
        case ssl.SSLError():
            said = (failed.reason or "no TLS").replace("_", " ").lower()
            return f"it does not speak TLS as expected ({said}): smtps:// is mostly port 465, smtp:// port 587 or 25"
        case smtplib.SMTPAuthenticationError() if has_token:
            said = f"it refuses name and access token: {failed.smtp_code} {_answer(failed.smtp_error)}"
            return f"{said}; is the token of this account, does its scope let it send, is SMTP allowed there?"
        case smtplib.SMTPAuthenticationError():
            said = f"it refuses name and password: {failed.smtp_code} {_answer(failed.smtp_error)}"
            return f"{said}; is it an app password, and %40 written for an @ in the name?"
        case smtplib.SMTPNotSupportedError():
            return f"{failed} Is the port right? Providers mostly use smtps:// and 465, or smtp:// and 587"
        case smtplib.SMTPResponseException():
            return f"it wants nothing from us: {failed.smtp_code} {_answer(failed.smtp_error)}"
        case ValueError():
            return f"host, name or password cannot be written in SMTP ({type(failed).__name__}): see PBEM_RELAY_URL"
    said = failed.strerror if isinstance(failed, OSError) and failed.strerror else str(failed)
    said = one_line(said) or type(failed).__name__
    return f"it cannot be reached: {said}; does it run, is host and port right, does a firewall let pbem out?"


def _answer(said: bytes | str) -> str:
    return one_line(said.decode(errors="replace") if isinstance(said, bytes) else said)
