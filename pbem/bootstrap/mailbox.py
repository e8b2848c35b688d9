"""The mailbox, wired; loaded only where there is one."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime, make_msgid

from pbem.bootstrap.parts import Parts
from pbem.bootstrap.relay import mailbox_tokens, relay_maker
from pbem.config import BadSetting, ImapUrl, Settings
from pbem.domain.administration import Finding, Level
from pbem.executor import CommandExecutor
from pbem.mail_in.acceptance import Accept
from pbem.mail_in.addresses import OwnAddress
from pbem.mail_in.mailbox import Mailbox, MailboxLogin, MailboxTrouble, OAuthLogin, PasswordLogin
from pbem.mail_in.mailbox_check import await_letter
from pbem.mail_out.relay import Deferred, MaildirRelay, Refused, RelayDown
from pbem.meters import MailboxMeters
from pbem.storage.mailboxes import MailboxMarks
from pbem.workers.mailbox import MailboxLimits, MailboxWorker, RefusalNotifier

_SUB_ADDRESS = "check"
_SHORTEST_LEASE = 60
"""Seconds: a mailbox may take so long to answer."""


def make_mailbox_worker(
    settings: Settings, url: ImapUrl, accept: Accept, parts: Parts, executor: CommandExecutor
) -> MailboxWorker:
    """The worker that fetches letters from the mailbox.

    Raises:
        BadSetting: nothing proves who fetches.
    """
    mailbox = make_mailbox(settings, url)
    lease = timedelta(seconds=max(settings.lease_seconds, _SHORTEST_LEASE))
    marks = MailboxMarks(parts.engine, mailbox.name, parts.owner, lease)
    taken = MailboxLimits(parts.ours, settings.max_letter_bytes, settings.max_recipients)
    refused = RefusalNotifier(executor, parts.ours)
    return MailboxWorker(mailbox, marks, accept, taken, refused, MailboxMeters(executor.meters))


def make_mailbox(settings: Settings, url: ImapUrl) -> Mailbox:
    """The mailbox, not open yet.

    Raises:
        BadSetting: nothing proves who fetches.
    """
    return Mailbox(url, _mailbox_login(settings, url), settings.mailbox_taken)


def _mailbox_login(settings: Settings, url: ImapUrl) -> MailboxLogin:
    password = settings.mailbox_password or url.password
    tokens = mailbox_tokens(settings)
    if tokens is not None:
        return OAuthLogin(url.user, tokens)
    if password is None:
        raise BadSetting("PBEM_MAILBOX_PASSWORD", "must be set when PBEM_MAILBOX_URL has no password")
    return PasswordLogin(url.user, password)


def send_around(settings: Settings, mailbox: Mailbox, ours: OwnAddress, patience: float) -> Iterator[Finding]:
    """Send a letter to ourselves by the relay, and wait for it in the mailbox.

    Args:
        settings: name the relay.
        mailbox: not open yet; closed afterwards.
        ours: our addresses.
        patience: seconds until it should have come.
    """
    try:
        relay = relay_maker(settings)()
    except BadSetting as wrong:
        yield Finding("relay", Level.WRONG, str(wrong))
        return
    if isinstance(relay, MaildirRelay):
        yield Finding("relay", Level.WRONG, "PBEM_RELAY_URL keeps mails in a folder: nothing was sent")
        return
    to = f"{ours.local}+{_SUB_ADDRESS}@{ours.domain}" if settings.sub_addresses else ours.address
    message_id = make_msgid("check", ours.domain)
    fields = {
        "From": ours.address,
        "To": to,
        "Subject": "pbem check-mail",
        "Date": format_datetime(datetime.now(UTC)),
        "Message-ID": message_id,
        "Auto-Submitted": "auto-generated",
    }
    letter = "".join(f"{name}: {value}\r\n" for name, value in fields.items()) + "\r\nThis letter goes around once.\r\n"
    try:
        first = mailbox.open().uid_next
        mailbox.prepare_folder()
        relay.send(ours.address, to, letter.encode("ascii"), "check")
        yield Finding("relay", Level.OK, "it has taken a letter to ourselves")
        yield from await_letter(mailbox, first, message_id, ours, to, settings.authserv_id, patience)
    except (Deferred, Refused, RelayDown) as failed:
        yield Finding("relay", Level.WRONG, f"{failed.facts['reason']}: nothing was sent")
    except MailboxTrouble as trouble:
        yield Finding("mailbox", Level.WRONG, f"{trouble.facts['why']}: {trouble.facts['says']}")
    finally:
        relay.close()
        mailbox.close()
