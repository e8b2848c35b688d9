"""The preferences of players about their mails.

A preference is a field of `Preferences`: its name is the key that players type.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from pbem.errors import Quoted, Unreadable

_MOST_CLOSE = 5
_NO_PLACES = ("localtime", "Factory")
"""Names that time zone files have and that mean no time."""


class UnknownPreference(Unreadable):
    """There is no preference of this name."""

    word: Quoted
    known: tuple[str, ...]


class BadPreference(Unreadable):
    """The preference ``key`` has other values than this word."""

    key: str
    word: Quoted
    values: tuple[str, ...]


class NoSuchTimezone(Unreadable):
    """There is no timezone of this name; ``close`` are names that look or end like it."""

    word: Quoted
    close: tuple[str, ...]


@cache
def _timezones() -> Mapping[str, str]:
    """The names of all timezones, by how they read without case."""
    return {name.casefold(): name for name in sorted(available_timezones()) if name not in _NO_PLACES}


def read_timezone(word: str) -> str:
    """The IANA name of a timezone, in whatever case it is typed.

    Raises:
        NoSuchTimezone: there is none.
    """
    known = _timezones()
    key = word.casefold().replace(" ", "_")
    if key not in known:
        raise NoSuchTimezone(word, _close_timezones(key))
    return known[key]


def _close_timezones(key: str) -> tuple[str, ...]:
    """The timezones that end in a word, as Europe/Paris does in Paris; else those that look like it."""
    known = _timezones()
    ends = {each.rpartition("/")[2]: each for each in known if "/" in each}
    if key in ends:
        return (known[ends[key]],)
    looks = get_close_matches(key, known, _MOST_CLOSE) or get_close_matches(key, ends, _MOST_CLOSE)
    return tuple(known[ends.get(each, each)] for each in looks)


LANGUAGES = ("en", "de", "fr")
"""The languages that templates are translated to, by their codes; the first is the one they are written in."""
ENGLISH = LANGUAGES[0]
_MOST_WANTED = 10


def preferred_language(wanted: str) -> str | None:
    """The first of our languages that a header wants: ``de-AT, en;q=0.8`` (RFC 9110 s 12.5.4, RFC 3282).

    None if it wants none of them, or cannot be read.
    """
    found: list[tuple[float, str]] = []
    for each in wanted.split(",")[:_MOST_WANTED]:
        tag, _, weight = each.partition(";")
        language = tag.strip().lower().partition("-")[0]
        try:
            quality = float(weight.strip().removeprefix("q=")) if weight.strip() else 1.0
        except ValueError:
            continue
        if language in LANGUAGES and quality > 0:
            found.append((quality, language))
    return max(found, key=lambda each: each[0])[1] if found else None


def _one_of(default: str, *others: str) -> Any:
    return field(default=default, metadata={"values": (default, *others)})


@dataclass(frozen=True, slots=True)
class Preferences:
    """The choices of one player; the first of the values is the default."""

    mail: str = _one_of("both", "text", "html")
    """The parts of a mail with a board."""
    board: str = _one_of("both", "ascii", "picture")
    """The form in which the HTML part of such a mail shows the board."""
    legend: str = _one_of("first", "on", "off")
    """The possible parts of a turn are shown below the board: the states of a tile, or all steps. By default only to
    beginners at a kind of game."""
    layout: str = _one_of("usual", "classic")
    """The form of the list of moves and of the times of a game; programs written for Rognlie's server expect the
    classic one."""
    describe: str = _one_of("off", "on")
    """The groups on the board, or the alignments, are described in words."""
    language: str = _one_of(*LANGUAGES)
    """The language of mails, help and pages."""

    digest: str = _one_of("off", "daily")
    """All events at the player's boards come in one mail a day."""
    timezone: str = field(default="UTC", metadata={"values": ("UTC",), "read": read_timezone})
    """The timezone of the times in mails: its IANA name."""
    broadcast: str = _one_of("on", "off")
    """Messages of others to all players come, too."""

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """The names of all preferences."""
        return tuple(cls._fields())

    @classmethod
    def values(cls, key: str) -> tuple[str, ...]:
        """The values that a preference can have, the default first; of timezones no other is named."""
        values: tuple[str, ...] = cls._fields()[key]["values"]
        return values

    @classmethod
    @cache
    def _fields(cls) -> Mapping[str, Mapping[str, Any]]:
        """The metadata of each preference, by name."""
        return {each.name: each.metadata for each in fields(cls)}

    @classmethod
    def read(cls, key: str, word: str) -> str:
        """The value of a preference that a player types, in any case.

        Raises:
            BadPreference, NoSuchTimezone: it can have no such value.
        """
        metadata = cls._fields()[key]
        if "read" in metadata:
            return str(metadata["read"](word))
        if word.lower() not in metadata["values"]:
            raise BadPreference(key, word.lower(), cls.values(key))
        return word.lower()

    @property
    def zone(self) -> ZoneInfo:
        """The timezone; should this machine not have it any more, UTC."""
        try:
            return ZoneInfo(self.timezone)
        except ZoneInfoNotFoundError:
            return ZoneInfo("UTC")

    @classmethod
    def stored(cls, chosen: Mapping[str, str]) -> Preferences:
        """The preferences that `chosen` has stored; names that are no longer preferences are ignored."""
        known = {key: value for key, value in chosen.items() if key in cls._fields() and cls._holds(key, value)}
        return cls(**known)

    @classmethod
    def _holds(cls, key: str, value: str) -> bool:
        return "read" in cls._fields()[key] or value in cls.values(key)

    def chosen(self) -> dict[str, str]:
        """The differences from the defaults, by name."""
        now = {key: str(getattr(self, key)) for key in self.names()}
        return {key: value for key, value in now.items() if value != self.values(key)[0]}

    def with_value(self, word: str, value: str) -> Preferences:
        """The preferences with one of them set, as a player types it.

        Raises:
            UnknownPreference, BadPreference, NoSuchTimezone: it cannot be set so.
        """
        key = word.lower()
        if key not in self.names():
            raise UnknownPreference(word, self.names())
        return replace(self, **{key: self.read(key, value)})
