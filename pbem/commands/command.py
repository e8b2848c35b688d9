"""What all commands have in common, and the values that they are made of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from enum import IntEnum
from typing import ClassVar, Literal, TypeAlias

from pbem.ids import BoardNumber

Which: TypeAlias = Literal["all", "active", "inactive", "next", "tournament", "standard"]
"""Boards of a player: ``next`` are those where they are to act; those of a tournament, and all others, are listed
while they are going on."""
Userid: TypeAlias = str
"""A player's handle, as typed."""


class Need(IntEnum):
    """How well the speaker of a command must be proven."""

    NOTHING = 0
    KNOWN = 1
    """A From address on record is enough: what follows is easily declined, or done again, and no words go with it."""
    PROOF = 2
    CONSENT = 3
    """However well the speaker is proven, they are asked at an address on record."""


@dataclass(frozen=True, slots=True)
class Credentials:
    """Userid and password as they stand in a classic command."""

    userid: Userid
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class BoardMoment:
    """``101`` or ``101#7``: a board now, or after its 7th move."""

    board: BoardNumber
    moveno: int | None = None


@dataclass(frozen=True, slots=True)
class Command:
    """Root of all commands."""

    form: ClassVar[str]
    """The verb, which names the template with the right forms, too; commands that nobody types have none."""
    needs: ClassVar[Need] = Need.NOTHING
    only_shows: ClassVar[bool] = False
    """It changes nothing, so a player whose account is frozen or closed may give it."""
    about_own_data: ClassVar[bool] = False
    """A banned player may give it: it is about what the server holds of them."""

    def arguments(self) -> Iterable[object]:
        """The words behind the verb, without userid and password."""
        return ()


@dataclass(frozen=True, slots=True)
class SpokenCommand(Command):
    """Root of the commands in which userid and password may stand."""

    needs: ClassVar[Need] = Need.PROOF
    speaker: Credentials | None = field(default=None, kw_only=True)


@dataclass(frozen=True, slots=True)
class BoardCommand(SpokenCommand):
    """Root of the commands that are about one board."""

    board: BoardNumber
    game: str | None = field(default=None, kw_only=True)
    """The game of the board, as far as the sender knows."""

    def arguments(self) -> Iterable[object]:
        """The board's number."""
        return (self.board,)


@dataclass(frozen=True, slots=True)
class TurnCommand(BoardCommand):
    """Root of the commands about the state of a board: a late letter must not act upon a newer position."""

    moveno: int | None = field(default=None, kw_only=True)
    """The move that is to be made next, if the sender says so."""

    def arguments(self) -> Iterable[object]:
        """The board's number, and that of the move."""
        return (self.board, *moveno_words(self.moveno))


def passwords_in(command: Command) -> frozenset[str]:
    """The passwords in a command: the speaker's, and any in a field that its `repr` leaves out."""
    parts = (command, getattr(command, "speaker", None))
    found = (getattr(part, each.name) for part in parts if part is not None for each in fields(part) if not each.repr)
    return frozenset(filter(None, found))


def moveno_words(moveno: int | None) -> Iterable[str]:
    """``#17``, if a number is given."""
    return () if moveno is None else (f"#{moveno}",)


def option_words(options: Iterable[str]) -> Iterable[str]:
    """Options with their dashes."""
    return (f"-{option}" for option in options)


def short_form(command: Command) -> str:
    """The line that says the same without userid and password; `pbem.commands.grammar.parse` reads it back.

    The game of a board is left out, since the board tells it.
    """
    game = None if isinstance(command, BoardCommand) else getattr(command, "game", None)
    words = (command.form, *command.arguments())
    return " ".join(map(str, words if game is None else (game, *words)))
