"""Time that no clock of a board counts, and time that is counted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.ids import PlayerId

VACATION, OFFER, ROBOT, UNREACHABLE = "vacation", "offer", "robot", "unreachable"
"""Why clocks stand; see `Pause`."""
_OF_ONE = (VACATION, ROBOT)
"""Reasons for which the clock of that player alone stands."""


@dataclass(frozen=True, slots=True)
class Pause:
    """A stretch of time that no clock of a board counts; a vacation: none of its player's own."""

    player: PlayerId
    """Whom it is about."""
    began_at: datetime
    why: str
    """``unreachable``: mail to him comes back; the operator has stopped it (``mail stopped``) or frozen his account
    (``frozen``); he is on ``vacation``, has made an ``offer`` that is to be answered, or is a ``robot``, which has no
    clock at all: it thinks as fast as the server lets it, and nobody is to gain by a slow one."""
    ended_at: datetime | None = None
    """None while it lasts; that of a vacation is known beforehand."""
    ends_by: datetime | None = None
    """When the clock runs again although the reason lasts; None: not before the reason ends."""

    @property
    def is_of_one(self) -> bool:
        """Whether the clocks of the others run on."""
        return self.why in _OF_ONE


def standing_for(player: PlayerId, pauses: Iterable[Pause]) -> tuple[Pause, ...]:
    """The pauses that stand for the seats of a player: somebody else's vacation does not."""
    return tuple(each for each in pauses if not each.is_of_one or each.player == player)


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


def when_counted(start: datetime, span: timedelta, pauses: Iterable[Pause]) -> datetime | None:
    """The first moment at which clocks run and have counted a time since ``start``; None: a pause has no end yet."""
    moment = start + span
    for pause in sorted(pauses, key=lambda each: each.began_at):
        if pause.began_at > moment:
            break
        if pause.ended_at is None:
            return None
        moment += max(pause.ended_at - max(pause.began_at, start), timedelta(0))
        start = max(start, pause.ended_at)
    return moment
