"""Times as players write them: ``10m``, ``36h``, ``7d``; a bare number means days."""

from __future__ import annotations

import re
from datetime import timedelta

from pbem.errors import NotAllowed, Quoted, Unreadable

_DAY, _HOUR, _MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
_UNITS = {"m": _MINUTE, "h": _HOUR, "d": _DAY, "": _DAY}
SHORTEST, LONGEST = timedelta(minutes=1), timedelta(days=366)
"""Times that a clock can be set to."""


class UnreadableDuration(Unreadable):
    """The word is no time such as ``10m``, ``36h`` or ``21``."""

    word: Quoted


class DurationOutOfRange(NotAllowed):
    """No clock can be set to so little, or so much."""

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
    if time % _DAY == timedelta(0):
        return str(time // _DAY)
    return f"{time // _HOUR}h" if time % _HOUR == timedelta(0) else f"{max(1, time // _MINUTE)}m"
