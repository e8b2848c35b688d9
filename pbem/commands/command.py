"""The base classes of all commands, and the values that commands are made of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from enum import IntEnum
from typing import ClassVar, Literal, TypeAlias

from pbem.ids import BoardNumber

Which: TypeAlias = Literal["all", "active", "inactive", "next", "tournament", "standard"]
"""Boards of a player: ``next`` are those where they are to act; ``tournament`` and ``standard`` are the active boards
inside and outside tournaments."""
Userid: TypeAlias = str
"""A player's handle, as typed."""


class Need(IntEnum):
    """The degree of proof that a command needs of its speaker."""

    NOTHING = 0
    KNOWN = 1
    """A From address on record is enough: the effects are easily declined or repeated, and no words are passed on."""
    PROOF = 2
    CONSENT = 3
    """The speaker is always asked at an address on record, however well they are proven."""


@dataclass(frozen=True, slots=True)
class Credentials:
    """The userid and password of a classic command."""

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
    """The verb, which also names the template with the right forms; commands that nobody types have none."""
    needs: ClassVar[Need] = Need.NOTHING
    only_shows: ClassVar[bool] = False
    """It changes nothing, so a player whose account is frozen or closed may give it."""
    about_own_data: ClassVar[bool] = False
    """A banned player may give it: it is about what the server holds of them."""
    for_guests: ClassVar[bool] = False
    """A guest may give it, though it needs a speaker."""

    def arguments(self) -> Iterable[object]:
        """The words behind the verb, without userid and password."""
        return ()


@dataclass(frozen=True, slots=True)
class SpokenCommand(Command):
    """Root of the commands that may contain userid and password."""

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

    for_guests: ClassVar[bool] = True
    moveno: int | None = field(default=None, kw_only=True)
    """The number of the next move, if the sender gives it."""

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
    """The same command in one line, without userid and password; `pbem.commands.grammar.parse` reads it back.

    The game of a board is left out, since the board tells it.
    """
    game = None if isinstance(command, BoardCommand) else getattr(command, "game", None)
    words = (command.form, *command.arguments())
    return " ".join(map(str, words if game is None else (game, *words)))
