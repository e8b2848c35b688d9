"""The LMTP door (RFC 2033), for an MTA in front: it is answered for each recipient."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.mail_in.doors import Door
from pbem.mail_in.session import Session

if TYPE_CHECKING:
    from collections.abc import Sequence

_ANOTHER_PROTOCOL = "500 5.5.1 This is LMTP: say LHLO"


class LmtpSession(Session):
    """A session that begins with LHLO."""

    greeting = "LHLO"
    is_mta = True

    @property
    def client(self) -> str | None:
        """The client that the MTA names: its own address says nothing."""
        return self._forwarded

    async def smtp_LHLO(self, arg: str) -> None:  # noqa: N802 - aiosmtpd's naming
        """Greet; what is offered is the same as in SMTP."""
        if arg:
            await super().smtp_EHLO(arg)
        else:
            await self.push("501 5.5.4 Syntax: LHLO hostname")

    async def smtp_HELO(self, hostname: str) -> None:  # noqa: N802 - aiosmtpd's name
        """Refuse: whoever says so would not wait for the reply to each recipient (RFC 2033 s 4.1)."""
        del hostname
        await self.push(_ANOTHER_PROTOCOL)

    async def smtp_EHLO(self, hostname: str) -> None:  # noqa: N802 - aiosmtpd's name
        """Refuse likewise."""
        await self.smtp_HELO(hostname)

    def _replies_to(self, status: str, recipients: Sequence[str]) -> list[str]:
        """One reply for each recipient that was taken, all the same: the letter is stored once (RFC 2033 s 4.2)."""
        return [status for _ in recipients]


class LmtpDoor(Door):
    """For the MTA in front."""

    session = LmtpSession
