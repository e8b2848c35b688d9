"""Commands about puzzles."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from pbem.commands.model.roots import Command


@dataclass(frozen=True, slots=True)
class NextPuzzle(Command):
    """``puzzle superbo``: a puzzle that the player has not solved yet; without a game of any."""

    form: ClassVar[str] = "puzzle"
    game: str | None = None


@dataclass(frozen=True, slots=True)
class PuzzleCommand(Command):
    """Root of the commands about one puzzle."""

    form: ClassVar[str] = "puzzle"
    number: int
    game: str | None = field(default=None, kw_only=True)
    """The game that the sender takes it to be of, if he says so."""


@dataclass(frozen=True, slots=True)
class ShowPuzzle(PuzzleCommand):
    """``puzzle show 12``: this puzzle."""


@dataclass(frozen=True, slots=True)
class AnswerPuzzle(PuzzleCommand):
    """``puzzle answer 12 a1,j12``: whether this is it."""

    move: str
