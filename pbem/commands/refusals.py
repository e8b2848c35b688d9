"""Why a line is no command: one class a reason, with the facts that its template words.

``form`` names the command that was meant, for the template with its right form.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pbem.errors import PbemError, Quoted, Unreadable


class UnknownCommand(Unreadable):
    """The line begins with no verb and no game; ``verbs`` and ``games`` may have been meant."""

    word: Quoted
    verbs: Sequence[str]
    games: Sequence[str]


class MoveWithoutBoard(Unreadable):
    """The line is a move, or begins with one, and answers no mail of a board: nobody knows where it is to be played."""

    def __init__(self, move: str) -> None:
        PbemError.__init__(self, form="move", move=move if len(move) <= 40 else f"{move[:40]} ...")


class UnknownGame(Unreadable):
    """A verb of boards stands behind a word that is none of our games; ``said``: the words behind it."""

    word: Quoted
    games: Sequence[str]
    said: Annotated[str, 200] = ""


class UnknownVerb(Unreadable):
    """The word behind the game is none of the verbs that may stand there."""

    word: Quoted
    game: str
    verbs: Sequence[str]


class NoVerb(Unreadable):
    """The line is the name of a game and nothing else."""

    game: str


class GameNeeded(Unreadable):
    """The verb cannot do without a game in front."""

    form: str
    games: Sequence[str]


class NotOfOneGame(Unreadable):
    """The verb belongs to the whole server; a game in front says nothing."""

    form: str
    game: str


class MissingWord(Unreadable):
    """The command ends too early; ``what`` names what is missing: board, move, userid."""

    form: str
    what: str


class PasswordMissing(Unreadable):
    """A word was taken for a userid, since it stands where one may stand, and nothing follows it."""

    form: str
    userid: str


class NotABoard(Unreadable):
    """A word that stands where a board's number belongs is none."""

    form: str
    word: Quoted


class NotAMoveNumber(Unreadable):
    """What stands behind ``#`` is no number of a move."""

    form: str
    word: Quoted


class NoMoveButCommand(Unreadable):
    """A command of its own stands where only a move can: nobody can queue to resign, or submit an undo."""

    form: str
    verb: str
    board: int


class NotANumber(Unreadable):
    """A word that stands where a number belongs is none, or one that makes no sense there."""

    form: str
    word: Quoted


class NotADate(Unreadable):
    """A word that stands where a date belongs is none."""

    form: str
    word: Quoted


class UnknownDeed(Unreadable):
    """The word that says what is to be done is none of ``deeds``; it may be a password, and is not repeated."""

    form: str
    deeds: Sequence[str]


class NotASetting(Unreadable):
    """A word that stands where a preference is set has not the form ``key=value``."""

    form: str
    word: Quoted


class LeftOver(Unreadable):
    """The command is complete before the line is; ``place`` is that of the first word too many, from 1."""

    form: str
    place: int


class NameOfSeveralWords(Unreadable):
    """The name of a tournament is one word; several stand there, of which two may be userid and password."""

    form: str


class ReadsAsSentence(Unreadable):
    """The line begins with a verb that sentences begin with, too, and goes on like one of them."""

    form: str


class TooManyWords(Unreadable):
    """The line is far longer than any command."""

    most: int
