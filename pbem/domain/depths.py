"""How much lies where in a server, and since when: what is waiting, and what waits for the operator."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Depths:
    """Counts of what lies in the database; each moment is of the oldest of them, None where there is none."""

    letters_waiting: int = 0
    """Not handled yet."""
    letters_since: datetime | None = None
    letters_shunted: int = 0
    """Set aside, since they could not be handled."""
    shunted_since: datetime | None = None
    mails_waiting: int = 0
    """Not handed over yet."""
    mails_since: datetime | None = None
    mails_resting: int = 0
    """Those of them that the relay did not take, to be tried again later."""
    mails_failed: int = 0
    """Given up lately."""
    failed_since: datetime | None = None
    addresses_suppressed: int = 0
    """Nothing is mailed to them."""
    suppressed_lately: int = 0
    """Those of them that came lately."""
    reports_open: int = 0
    """What players told of each other, and nobody has looked after."""
    reports_since: datetime | None = None
    robots_waiting: int = 0
    """Turns that computer opponents have to think about."""
    robots_since: datetime | None = None
    analyses_waiting: int = 0
    robots_stuck: int = 0
    """Tasks set aside, since they ended their thinker again and again."""
