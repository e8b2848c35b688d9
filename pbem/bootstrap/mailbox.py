"""The mailbox, wired; loaded only where there is one."""

from __future__ import annotations

from datetime import timedelta

from pbem.bootstrap.parts import Parts
from pbem.config import BadSetting, ImapUrl, Settings
from pbem.executor import CommandExecutor
from pbem.mail_in.acceptance import Accept
from pbem.mail_in.mailbox import Mailbox, MailboxLogin, PasswordLogin
from pbem.mail_in.oauth import OAuthGrant, OAuthLogin
from pbem.meters import MailboxMeters
from pbem.storage.mailboxes import MailboxMarks
from pbem.workers.mailbox import MailboxLimits, MailboxWorker, RefusalNotifier

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
    if settings.mailbox_token_url is None:
        if password is None:
            raise BadSetting("PBEM_MAILBOX_PASSWORD", "must be set when PBEM_MAILBOX_URL has no password")
        return PasswordLogin(url.user, password)
    client_id, refresh_token = settings.mailbox_client_id, settings.mailbox_refresh_token
    if client_id is None or refresh_token is None:
        missing = "PBEM_MAILBOX_CLIENT_ID" if client_id is None else "PBEM_MAILBOX_REFRESH_TOKEN"
        raise BadSetting(missing, "must be set, too, when PBEM_MAILBOX_TOKEN_URL is")
    grant = OAuthGrant(settings.mailbox_token_url, client_id, settings.mailbox_client_secret, refresh_token)
    return OAuthLogin(url.user, grant)
