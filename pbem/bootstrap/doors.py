"""The doors for letters, wired."""

from __future__ import annotations

from datetime import timedelta

from starlette.routing import Route

from pbem.bootstrap.parts import Parts
from pbem.config import BadSetting, ImapUrl, Settings
from pbem.executor import CommandExecutor
from pbem.mail_in.acceptance import Accept, Acceptance
from pbem.mail_in.addresses import OwnAddress
from pbem.mail_in.connection_limits import DoorLimits
from pbem.mail_in.doors import Door, DoorOptions, LmtpDoor, SmtpDoor, tls_context
from pbem.mail_in.mailbox import Mailbox, MailboxLogin, PasswordLogin
from pbem.mail_in.oauth import OAuthGrant, OAuthLogin
from pbem.meters import MailboxMeters, Meters
from pbem.storage.mailboxes import MailboxMarks
from pbem.web.inbound import inbound_route
from pbem.workers.mailbox import MailboxLimits, MailboxWorker, RefusalNotifier

_SHORTEST_LEASE = 60
"""Seconds: a mailbox may take so long to answer."""


def make_doors(settings: Settings, accept: Accept, ours: OwnAddress, meters: Meters) -> dict[str, Door]:
    """The doors that are to be opened, by their names.

    Raises:
        BadSetting: the certificate cannot be used.
    """
    doors: dict[str, Door] = {}
    if settings.smtp_listen is not None:
        doors["smtp"] = SmtpDoor(
            settings.smtp_listen,
            accept,
            ours,
            _limits(settings),
            DoorOptions(
                tls=tls_context(settings.smtp_certificate, settings.smtp_private_key),
                wants_proxy=settings.smtp_proxy_protocol,
            ),
            meters=meters.door("smtp"),
        )
    if settings.lmtp_listen is not None:
        doors["lmtp"] = LmtpDoor(
            settings.lmtp_listen,
            accept,
            ours,
            _limits(settings),
            DoorOptions(socket_mode=settings.lmtp_socket_mode),
            meters=meters.door("lmtp"),
        )
    return doors


def make_inbound_route(settings: Settings, accept: Accept, ours: OwnAddress, meters: Meters) -> Route | None:
    """The address of the web that takes letters; None: there is none."""
    if settings.inbound_secret is None:
        return None
    acceptance = Acceptance(accept, ours, _limits(settings), meters.door("inbound"))
    return inbound_route(acceptance, settings.inbound_secret, settings.max_letter_bytes)


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


def _limits(settings: Settings) -> DoorLimits:
    """The limits of each door."""
    return DoorLimits(
        letter_bytes=settings.max_letter_bytes,
        recipients=settings.max_recipients,
        connections=settings.max_connections,
        connections_per_host=settings.max_connections_per_host,
        session_commands=settings.max_session_commands,
        idle_seconds=settings.idle_seconds,
        session_seconds=settings.session_seconds,
        letters_per_hour=settings.max_letters_per_hour_per_host,
        bytes_per_hour=settings.max_bytes_per_hour_per_host,
        trusted=settings.trusted_clients or (),
    )
