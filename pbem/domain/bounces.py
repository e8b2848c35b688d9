"""Mails that came back, and when an address is not written to any more because of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.ids import PlayerId

WITHIN = timedelta(days=7)
"""How long a failure counts."""
MOST_TEMPORARY = 3
"""Mails within that time that did not arrive for now, after which an address is given up."""


@dataclass(frozen=True, slots=True)
class Bounce:
    """A mail that came back from an address of a player, or was refused for it."""

    player: PlayerId
    address_key: str
    at: datetime
    permanent: bool
    status: str = ""
    diagnosis: str = ""
    mail: int | None = None
    """Which mail it was, where that could be found out."""

    @property
    def why(self) -> str:
        """Why it came back, in the words of the system that sent it back; empty if it said nothing."""
        return self.diagnosis or self.status


def is_given_up(bounces: Iterable[Bounce], now: datetime) -> bool:
    """Whether an address is not written to any more after these failures, all of them its own.

    One for good is enough, or several for now within the time that they count; a mail that is
    reported again and again while somebody tries to deliver it counts once.
    """
    lately = [each for each in bounces if now - each.at < WITHIN]
    unknown = sum(each.mail is None for each in lately)
    known = {each.mail for each in lately if each.mail is not None}
    return any(each.permanent for each in lately) or len(known) + unknown >= MOST_TEMPORARY
