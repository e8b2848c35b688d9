"""The one mail a day of who wants no more: what it tells of, and when it goes out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from itertools import groupby
from zoneinfo import ZoneInfo

from pbem.ids import BoardNumber, PlayerId

AT = time(7)
"""On the player's clock."""


@dataclass(frozen=True, slots=True)
class DigestEntry:
    """Something that has happened at a board."""

    player: PlayerId
    """Who is to hear of it."""
    board: BoardNumber
    at: datetime
    due_at: datetime
    """When the mail goes out."""
    writer: str = ""
    """Who has written something with it, if anybody has."""
    comment: str = ""
    id: int = 0
    """The database's number for it; 0 before it is stored."""


@dataclass(frozen=True, slots=True)
class Happened:
    """What has happened at one board."""

    board: BoardNumber
    since: datetime
    """When the first of it has."""
    comments: tuple[DigestEntry, ...]


def next_digest(now: datetime, zone: ZoneInfo) -> datetime:
    """When the mail goes out that tells of what happens now."""
    local = now.astimezone(zone)
    days = 0 if local.time() < AT else 1
    return datetime.combine(local.date() + timedelta(days=days), AT, zone).astimezone(UTC)


def by_board(entries: Iterable[DigestEntry]) -> tuple[Happened, ...]:
    """The same board by board, the lowest number first, and at each in the order in which it happened."""
    ordered = sorted(entries, key=lambda each: (each.board, each.at, each.id))
    boards = ((board, list(some)) for board, some in groupby(ordered, key=lambda each: each.board))
    return tuple(Happened(board, some[0].at, tuple(each for each in some if each.comment)) for board, some in boards)
