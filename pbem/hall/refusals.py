"""Refusals of moves in the hall, and of its games in files; templates word them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pbem.errors import NotAllowed, Quoted, Unreadable
from pbem.games.game import LONGEST_QUOTE, IllegalMove, UnreadableMove


class CannotBePlayed(UnreadableMove):
    """Nothing that can be played here is written so; ``word`` is the first words of it, as many as are quoted."""

    word: Annotated[str, LONGEST_QUOTE]
    title: str
    example: str


class NotPlayableNow(IllegalMove):
    """The notation is right, but no such move can be played here.

    ``word`` is all words of the move, and ``example`` is one that can be played, empty if none can.
    """

    word: Annotated[str, LONGEST_QUOTE]
    example: str


class AmbiguousMove(UnreadableMove):
    """A word can mean several moves."""

    word: Annotated[str, LONGEST_QUOTE]
    meant: Sequence[str]


class TurnIsComplete(UnreadableMove):
    """More was written than belongs to the turn, of which ``last`` is the end."""

    last: str
    word: Annotated[str, LONGEST_QUOTE]


class TurnGoesOn(IllegalMove):
    """A turn is not complete; ``example`` is something that could follow ``last``."""

    last: str
    example: str


class MoveNotPossible(IllegalMove):
    """A move, out of a record or a page, cannot be played here."""

    move: str


class SwapNotPossible(IllegalMove):
    """The sides cannot be swapped, or not any more."""


class NotWellFormed(Unreadable):
    """A game in a file breaks the format; ``line`` is where, from 1, and ``word`` the first that is wrong, if any."""

    format: str
    line: int
    word: Annotated[str, LONGEST_QUOTE]


class BoardTooSmall(NotAllowed):
    """Under these options nobody could win, since the board has no room for it."""

    options: Sequence[str]


class GameNotNamed(NotAllowed):
    """A game in a file is of no kind that is played here; ``word`` is the name that it has there."""

    format: str
    word: Quoted


class BegunElsewhere(NotAllowed):
    """A game in a file begins with a position of its own."""

    format: str


class LongerThanAnyGame(NotAllowed):
    """A game in a file is longer than any."""

    turns: int
    most: int


class PlayersNotNamed(Unreadable):
    """A game in a file does not say who played it."""

    format: str
