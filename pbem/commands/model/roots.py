"""What all commands have in common, and the values that they are made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal, TypeAlias

from pbem.ids import BoardNumber

Which: TypeAlias = Literal["all", "active", "inactive", "next", "tournament", "standard"]
"""Which boards of a player are meant: ``next`` are those that wait for him; those of a tournament, or all others, are
meant as far as they are on."""


@dataclass(frozen=True, slots=True)
class Credentials:
    """Userid and password as they stand in a classic command."""

    userid: str
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class BoardMoment:
    """``101`` or ``101#7``: a board now, or after its 7th move."""

    board: BoardNumber
    moveno: int | None = None


@dataclass(frozen=True, slots=True)
class Command:
    """Root of all commands; ``form`` names the template with the right form of it."""

    form: ClassVar[str]


@dataclass(frozen=True, slots=True)
class SpokenCommand(Command):
    """Root of the commands in which userid and password may stand."""

    speaker: Credentials | None = field(default=None, kw_only=True)


@dataclass(frozen=True, slots=True)
class BoardCommand(SpokenCommand):
    """Root of the commands that are about one board."""

    board: BoardNumber
    game: str | None = field(default=None, kw_only=True)
    """The game that the sender takes the board to be of, if he says so."""


@dataclass(frozen=True, slots=True)
class TurnCommand(BoardCommand):
    """Root of the commands about how a board stands now: a late letter must not act upon a newer position."""

    moveno: int | None = field(default=None, kw_only=True)
    """The move that is to be made next, if the sender says so."""
