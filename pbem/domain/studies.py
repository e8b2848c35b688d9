"""Private notes of players about boards, and their studies of finished games."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from pbem.ids import BoardNumber, PlayerId

LONGEST_NOTE = 4000
"""Characters."""
MOST_NOTES = 1000
"""Notes of one player."""
MOST_STUDIES = 100
"""Studies of one player."""


def with_lines(stored: str, typed: str) -> str:
    """A stored text and below it the lines of another one that it does not have, so that no words are lost."""
    known = stored.split("\n") if stored else []
    return "\n".join([*known, *(line for line in typed.split("\n") if line not in known)]).rstrip("\n")


@dataclass(frozen=True, slots=True)
class BoardNote:
    """The private note of a player at a board."""

    player: PlayerId
    board: BoardNumber
    text: str = field(repr=False)
    """Empty: it is to be deleted."""
    changed_at: datetime
    revision: int = 0
    """As read; 0: it is new."""


@dataclass(frozen=True, slots=True)
class StudyHead:
    """A study as a list shows it."""

    board: BoardNumber
    title: str = field(repr=False)
    changed_at: datetime
    key: str | None = field(default=None, repr=False)
    """Of its link; None while it is private."""


@dataclass(frozen=True, slots=True)
class Study:
    """A player's study of the game of a board."""

    player: PlayerId
    board: BoardNumber
    title: str = field(repr=False)
    moves: list[Any] | None = field(repr=False)
    """As in a record; None: the study is to be deleted."""
    changed_at: datetime
    key: str | None = field(default=None, repr=False)
    """Of its link; None while it is private."""
    revision: int = 0
    """As read; 0: it is new."""
