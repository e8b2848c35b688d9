"""Commands about puzzles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pbem.commands.model.roots import Command


@dataclass(frozen=True, slots=True)
class NextPuzzle(Command):
    """``puzzle superbo``: a puzzle that the player has not solved yet; without a game of any."""

    form: ClassVar[str] = "puzzle"
    game: str | None = None


@dataclass(frozen=True, slots=True)
class ShowPuzzle(Command):
    """``puzzle show 12``: this puzzle."""

    form: ClassVar[str] = "puzzle"
    number: int
    game: str | None = None
    """The game that the sender takes it to be of, if he says so."""


@dataclass(frozen=True, slots=True)
class AnswerPuzzle(Command):
    """``puzzle answer 12 a1,j12``: whether this is it."""

    form: ClassVar[str] = "puzzle"
    number: int
    move: str
    game: str | None = None
    """The game that the sender takes it to be of, if he says so."""
