"""The doors for letters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.mail_in.guards import DoorLimits
from pbem.mail_in.lmtp import LmtpDoor
from pbem.mail_in.smtp import SmtpDoor
from pbem.mail_in.tls import tls_context

if TYPE_CHECKING:
    from pbem.config import Listen, Settings, UnixListen
    from pbem.mail_in.addresses import OwnAddress
    from pbem.mail_in.handler import Accept
    from pbem.meters import Meters


def make_smtp_door(listen: Listen, settings: Settings, accept: Accept, ours: OwnAddress, meters: Meters) -> SmtpDoor:
    """The SMTP door.

    Raises:
        BadSetting: its certificate cannot be used.
    """
    return SmtpDoor(
        listen,
        accept,
        ours,
        _limits(settings),
        tls=tls_context(settings.smtp_certificate, settings.smtp_private_key),
        wants_proxy=settings.smtp_proxy_protocol,
        meters=meters.door("smtp"),
    )


def make_lmtp_door(
    listen: Listen | UnixListen, settings: Settings, accept: Accept, ours: OwnAddress, meters: Meters
) -> LmtpDoor:
    """The LMTP door."""
    mode, limits = settings.lmtp_socket_mode, _limits(settings)
    return LmtpDoor(listen, accept, ours, limits, socket_mode=mode, meters=meters.door("lmtp"))


def _limits(settings: Settings) -> DoorLimits:
    """What each door bears."""
    return DoorLimits(
        letter_bytes=settings.max_letter_bytes,
        recipients=settings.max_recipients,
        connections=settings.max_connections,
        connections_per_host=settings.max_connections_per_host,
        session_commands=settings.max_session_commands,
        idle_seconds=settings.idle_seconds,
        session_seconds=settings.session_seconds,
    )
