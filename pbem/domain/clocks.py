"""Clocks of boards: their rules, waits and verdicts; and durations as they are typed."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from pbem.domain.vacations import OFFER, Pause, counted, when_counted
from pbem.errors import NotAllowed, Quoted, Unreadable

_ONE_DAY, _HOUR, _MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
_UNITS = {"m": _MINUTE, "h": _HOUR, "d": _ONE_DAY, "": _ONE_DAY}
SHORTEST, LONGEST = timedelta(minutes=1), timedelta(days=366)
"""Times that a clock can be set to."""


class UnreadableDuration(Unreadable):
    """The word is no time such as ``10m``, ``36h`` or ``21``."""

    word: Quoted


class DurationOutOfRange(NotAllowed):
    """No clock can be set to so short or so long a time."""

    word: Quoted
    shortest: timedelta
    longest: timedelta


def read_duration(word: str) -> timedelta:
    """A time as players write it: ``10m``, ``36h``, ``7d``; a bare number means days.

    Raises:
        UnreadableDuration: it is none.
        DurationOutOfRange: no clock can be set to it.
    """
    match = re.fullmatch(r"([0-9]{1,9})([mhd]?)", word.strip().lower(), re.ASCII)
    if match is None:
        raise UnreadableDuration(word)
    count, unit = int(match[1]), _UNITS[match[2]]
    if count > LONGEST // unit or count * unit < SHORTEST:
        raise DurationOutOfRange(word, SHORTEST, LONGEST)
    return count * unit


def duration_word(time: timedelta) -> str:
    """A time as it is typed: ``21``, ``36h``, ``10m``."""
    if time % _ONE_DAY == timedelta(0):
        return str(time // _ONE_DAY)
    return f"{time // _HOUR}h" if time % _HOUR == timedelta(0) else f"{max(1, time // _MINUTE)}m"


_DAY = timedelta(days=1)
_CLOSEST = timedelta(minutes=5)
"""The least time between two nags."""
_MOST_NAGS = 14
"""Most nags, if there are more than one a day."""
MISSED = timedelta(minutes=10)
"""If nobody has looked for so long, letters sent in time may still be on their way."""


@dataclass(frozen=True, slots=True)
class ClockRules:
    """The times that a board waits for the player to act; fixed when it begins."""

    nag: timedelta = timedelta(days=7)
    """After this the player is reminded, and then each day."""
    forfeit: timedelta = timedelta(days=21)
    """After this the player has lost."""
    total: timedelta | None = None
    """The time of each player for all their turns together; None: unlimited."""
    is_own: bool = False
    """The board has a clock of its own instead of the server's."""
    opening: ClockRules | None = None
    """The clock of whoever has not moved yet, where this one gives another time than the server's: nobody is hurried
    who may not have seen the challenge, and no challenge waits longer for an answer than any other."""

    def opened_as(self, usual: ClockRules) -> ClockRules:
        """The clock of a board that begins with a challenge, on a server whose own clock is ``usual``."""
        if self.forfeit == usual.forfeit and (self.total is None or self.total >= usual.forfeit):
            return self
        return replace(self, opening=ClockRules(usual.nag, usual.forfeit))

    @property
    def first_nag(self) -> timedelta:
        """When the first nag comes: where the rules would have it too late, half-way to the forfeit."""
        return self.nag if self.nag < self.forfeit else self.forfeit / 2

    @property
    def reminder(self) -> timedelta:
        """The time into the first turn until the reminder; a total time may bring it before `first_nag`."""
        return self.first_nag if self.total is None else min(self.first_nag, self.total - min(self.grace, self.total))

    @property
    def between_nags(self) -> timedelta:
        """A day; with a shorter clock as long as until the first nag, but not too often."""
        if self.first_nag >= _DAY:
            return _DAY
        seldom = (self.forfeit - self.first_nag) / _MOST_NAGS
        return min(max(self.first_nag, seldom, _CLOSEST), _DAY)

    @property
    def grace(self) -> timedelta:
        """The least time between the announcement of a loss and the loss."""
        longest = min(self.forfeit - self.first_nag, _DAY)
        return longest if self.total is None else min(longest, max(self.total / 4, SHORTEST))


class VerdictKind(StrEnum):
    """The kinds of verdict about a wait."""

    WAIT = "wait"
    NAG = "nag"
    FORFEIT = "forfeit"
    """The player who was waited for has lost."""
    DRAW = "draw"
    """The draw that was offered counts as agreed upon."""
    UNANSWERED = "unanswered"
    """The challenge counts as declined: the player who was waited for has never made a move."""
    LAPSE = "lapse"
    """The request to take a move back counts as refused."""


@dataclass(frozen=True, slots=True)
class ClockVerdict:
    """The verdict about a wait at this moment."""

    kind: VerdictKind
    at: datetime | None = None
    """To wait: until when, None if something else must happen first. To nag: when the wait ends, to be told."""


@dataclass(frozen=True, slots=True)
class Wait:
    """A board's wait for a player to act, or for answers to an offer."""

    rules: ClockRules
    since: datetime
    ends_in: VerdictKind = VerdictKind.FORFEIT
    """Any but `WAIT` and `NAG`."""
    pauses: tuple[Pause, ...] = ()
    """Those that stop the clock of the player waited for; none that is yet to begin."""
    used: timedelta = timedelta(0)
    """The part of their total time that the player had used before."""
    nagged_at: datetime | None = None
    """When the last nag was sent; one of an earlier wait is none."""
    forfeit_at: datetime | None = None
    """The moment that it named."""

    @property
    def nagged(self) -> tuple[datetime, datetime] | None:
        """When the last nag of this wait was sent, and the moment that it named."""
        if self.nagged_at is None or self.forfeit_at is None or self.nagged_at < self.since:
            return None
        return self.nagged_at, self.forfeit_at

    @property
    def announced(self) -> tuple[datetime, datetime] | None:
        """When it was told at which moment the wait ends, and that moment: by a nag, or with the turn itself.

        An offer makes the moment later, and the mail that tells of its end names it anew; other pauses end without one.
        """
        if self.nagged is not None or not self.is_by_total or any(self._is_silent(each) for each in self.pauses):
            return self.nagged
        ends_at = when_counted(self.since, self.limit, self.pauses)
        return None if ends_at is None else (self.since, ends_at)

    def _is_silent(self, pause: Pause) -> bool:
        return pause.why != OFFER and (pause.ended_at is None or pause.ended_at > self.since)

    @property
    def is_shifted_by_offers(self) -> bool:
        """Only offers have made the announced moment untrue: they give nobody more time than they took."""
        if self.announced is None or self.ends_at is None or self.ends_at <= self.announced[1]:
            return False
        since = self.announced[0]
        return all(each.why == OFFER for each in self.pauses if each.ended_at is None or each.ended_at > since)

    def lasted(self, now: datetime) -> timedelta:
        """The time that it has lasted, as clocks count."""
        return counted(self.since, now, self.pauses)

    @property
    def limit(self) -> timedelta:
        """The longest time that the wait may last, as clocks count."""
        if self.rules.total is None or self.ends_in not in (VerdictKind.FORFEIT, VerdictKind.UNANSWERED):
            return self.rules.forfeit
        return min(self.rules.forfeit, max(self.rules.total - self.used, timedelta(0)))

    @property
    def is_by_total(self) -> bool:
        """The rest of a total time ends it, sooner than the forfeit time."""
        return self.limit < self.rules.forfeit

    @property
    def grace(self) -> timedelta:
        """The least time between the announcement and the end: at most the time that there was."""
        return min(self.rules.grace, self.limit)

    @property
    def ends_at(self) -> datetime | None:
        """When the time is up, and no pause has come upon the moment told; None: a pause has no end yet."""
        ends_at = when_counted(self.since, self.limit, self.pauses)
        if ends_at is None or self.nagged is None:
            return ends_at
        nagged_at, forfeit_at = self.nagged
        told = when_counted(nagged_at, forfeit_at - nagged_at, self.pauses)
        return None if told is None else max(ends_at, told)


def next_look(wait: Wait) -> datetime | None:
    """When something must be done about a wait, if nothing happens before; None: a pause has no end yet."""
    ends_at = wait.ends_at
    if ends_at is None:
        return None
    if wait.nagged is None:
        first = min(wait.rules.first_nag, wait.limit - wait.grace)
        is_told = wait.announced is not None and not first
        return ends_at if is_told else when_counted(wait.since, first, wait.pauses)
    nagged_at, forfeit_at = wait.nagged
    if ends_at > forfeit_at:
        return _resumed(wait, nagged_at)
    again = nagged_at + wait.rules.between_nags
    return again if forfeit_at - again >= wait.rules.between_nags / 2 else forfeit_at


def _resumed(wait: Wait, nagged_at: datetime) -> datetime:
    """When the last of the pauses ends that have made the moment told untrue."""
    return max((each.ended_at for each in wait.pauses if each.ended_at is not None), default=nagged_at)


def verdict(wait: Wait, now: datetime) -> ClockVerdict:
    """The verdict about a wait.

    A nag from the future is none: the clock has been set back since.
    """
    if is_ahead(wait, now):
        wait = replace(wait, nagged_at=None, forfeit_at=None)
    look, ends_at = next_look(wait), wait.ends_at
    runs_at = when_counted(now, timedelta(0), wait.pauses)
    if look is None or ends_at is None or runs_at is None:
        return ClockVerdict(VerdictKind.WAIT)
    if now < max(look, runs_at):
        return ClockVerdict(VerdictKind.WAIT, max(look, runs_at))
    if now - ends_at > MISSED:
        return ClockVerdict(VerdictKind.NAG, now + wait.rules.grace)
    is_told = wait.announced is not None and (ends_at <= wait.announced[1] or wait.is_shifted_by_offers)
    if not is_told:
        return ClockVerdict(VerdictKind.NAG, max(ends_at, now + wait.grace))
    return ClockVerdict(VerdictKind.NAG, ends_at) if now < ends_at else ClockVerdict(wait.ends_in)


def is_ahead(wait: Wait, now: datetime) -> bool:
    """Return True if its last nag was sent by a clock that was ahead."""
    return wait.nagged_at is not None and wait.nagged_at > now
