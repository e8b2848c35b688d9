"""Vacations, and pauses of clocks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo

from pbem.domain.players import Vacation
from pbem.errors import NotAllowed
from pbem.ids import PlayerId

_DAY = timedelta(days=1)
_YEAR = timedelta(days=365)
_KEPT = timedelta(days=396)


class VacationIsPast(NotAllowed):
    """The last day of the planned vacation is over."""

    until: date
    today: date


class VacationTooLong(NotAllowed):
    """So many days within a year are not to be had; ``latest`` is the last that is, None if there is none."""

    until: date
    most: int
    latest: date | None


def under_way(vacations: Iterable[Vacation], now: datetime) -> Vacation | None:
    """The vacation that a player is on."""
    return next((each for each in vacations if each.began_at <= now < each.ends_at), None)


def days_away(vacations: Iterable[Vacation], zone: tzinfo) -> frozenset[date]:
    """The days on which a player was away, or will be."""
    return frozenset(day for each in vacations for day in _days(each, zone))


def _days(vacation: Vacation, zone: tzinfo) -> list[date]:
    first = vacation.began_at.astimezone(zone).date()
    last = (vacation.ends_at - timedelta.resolution).astimezone(zone).date()
    return [first + count * _DAY for count in range((last - first).days + 1)]


def latest_day(vacations: Iterable[Vacation], now: datetime, zone: tzinfo, most: int) -> date | None:
    """The last day until which a player who leaves now may be away; None: not even today.

    Args:
        vacations: so far; the one under way is replaced.
        now: when.
        zone: the timezone whose days count.
        most: days away of any 365.
    """
    day = now.astimezone(zone).date()
    away = set(days_away(_so_far(vacations, now), zone))
    latest = None
    for _ in range(most):
        away.add(day)
        if sum(day - _YEAR < each <= day for each in away) > most:
            break
        latest, day = day, day + _DAY
    return latest


def _so_far(vacations: Iterable[Vacation], now: datetime) -> list[Vacation]:
    """The vacations, the one under way up to now."""
    return [Vacation(each.began_at, min(each.ends_at, now)) for each in vacations if each.began_at < now]


def away_until(
    vacations: Iterable[Vacation], until: date, now: datetime, zone: tzinfo, most: int
) -> tuple[Vacation, ...]:
    """The vacations of a player who is away from now to the end of a day, or for longer or shorter than planned.

    Raises:
        VacationIsPast, VacationTooLong: the vacation is impossible.
    """
    known = tuple(vacations)
    today = now.astimezone(zone).date()
    if until < today:
        raise VacationIsPast(until, today)
    latest = latest_day(known, now, zone, most)
    if latest is None or until > latest:
        raise VacationTooLong(until, most, latest)
    present = under_way(known, now)
    ends_at = datetime.combine(until + _DAY, time.min, zone).astimezone(now.tzinfo)
    before = [each for each in _lately(known, now) if each != present]
    return (*before, Vacation(now if present is None else present.began_at, ends_at))


def back_again(vacations: Iterable[Vacation], now: datetime) -> tuple[Vacation, ...]:
    """The vacations of a player who is back now."""
    return tuple(Vacation(each.began_at, min(each.ends_at, now)) for each in _lately(vacations, now))


def _lately(vacations: Iterable[Vacation], now: datetime) -> list[Vacation]:
    return [each for each in vacations if each.ends_at > now - _KEPT]


def days_left(vacations: Iterable[Vacation], now: datetime, zone: tzinfo, most: int) -> int:
    """The number of days in a row, counted from today, that a player may be away."""
    latest = latest_day(vacations, now, zone, most)
    return 0 if latest is None else (latest - now.astimezone(zone).date()).days + 1


VACATION, OFFER, ROBOT, UNREACHABLE = "vacation", "offer", "robot", "unreachable"
"""Why clocks stand; see `Pause`."""
_OF_ONE = (VACATION, ROBOT)
"""Reasons for which the clock of that player alone stands."""


@dataclass(frozen=True, slots=True)
class Pause:
    """A stretch of time that no clock of a board counts; a vacation: none of its player's own."""

    player: PlayerId
    """The player on whose account the clocks stand."""
    began_at: datetime
    why: str
    """``unreachable``: mail to the player comes back; the operator has stopped it (``mail stopped``) or frozen their
    account (``frozen``); they are on ``vacation``, have made an ``offer`` that waits for an answer, or are a
    ``robot``, which has no clock at all: it thinks as fast as the server lets it, and nobody is to gain by a slow
    one."""
    ended_at: datetime | None = None
    """None while it lasts; that of a vacation is known beforehand."""
    ends_by: datetime | None = None
    """When the clock runs again although the reason lasts; None: not before the reason ends."""

    @property
    def is_of_one(self) -> bool:
        """The clocks of the others run on."""
        return self.why in _OF_ONE


def standing_for(player: PlayerId, pauses: Iterable[Pause]) -> tuple[Pause, ...]:
    """The pauses that stop the clocks of a player's seats: another player's vacation does not."""
    return tuple(each for each in pauses if not each.is_of_one or each.player == player)


def counted(start: datetime, end: datetime, pauses: Iterable[Pause]) -> timedelta:
    """The part of the time from ``start`` to ``end`` that clocks count; pauses may overlap."""
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
