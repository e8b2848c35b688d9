"""Time that players have used, and time that no clock counts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from pbem.ids import PlayerId


@dataclass(frozen=True, slots=True)
class ClockRules:
    """How long a board waits for who is to act there; fixed when it begins."""

    nag: timedelta = timedelta(days=7)
    """After this he is reminded, and then each day."""
    forfeit: timedelta = timedelta(days=21)
    """After this he has lost."""
    total: timedelta | None = None
    """What each player may take for all his turns together; None: as long as the game lasts."""
    is_own: bool = False
    """Whether the board has a clock of its own instead of the server's."""


@dataclass(frozen=True, slots=True)
class Pause:
    """A stretch of time that no clock of a board counts."""

    player: PlayerId
    """Whom it is about."""
    began_at: datetime
    why: str
    """``unreachable``: mail to him comes back; the operator has stopped it (``mail stopped``) or frozen his account
    (``frozen``)."""
    ended_at: datetime | None = None
    """None while it lasts."""


def counted(start: datetime, end: datetime, pauses: Iterable[Pause]) -> timedelta:
    """How much of the time from ``start`` to ``end`` clocks count; pauses may overlap."""
    total, reached = end - start, start
    for pause in sorted(pauses, key=lambda each: each.began_at):
        stands_from = max(pause.began_at, reached)
        stands_to = end if pause.ended_at is None else min(pause.ended_at, end)
        if stands_from < stands_to:
            total -= stands_to - stands_from
            reached = stands_to
    return max(total, timedelta(0))
