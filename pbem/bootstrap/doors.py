"""The doors for letters, wired."""

from __future__ import annotations

from starlette.routing import Route

from pbem.config import Settings
from pbem.mail_in.acceptance import Accept, Acceptance
from pbem.mail_in.addresses import OwnAddress
from pbem.mail_in.connection_limits import DoorLimits
from pbem.mail_in.doors import Door, DoorOptions, LmtpDoor, SmtpDoor, tls_context
from pbem.meters import Meters
from pbem.web.inbound import inbound_route


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
