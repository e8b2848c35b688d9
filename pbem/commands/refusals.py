"""Reasons why a line is no command: one class for each, with the facts that its template words.

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
    """The line is a move, or begins with one, and answers no mail of a board, so its board is unknown."""

    def __init__(self, move: str) -> None:
        PbemError.__init__(self, form="move", move=move if len(move) <= 40 else f"{move[:40]} ...")


class UnknownGame(Unreadable):
    """The verb needs a board, and the word before it is none of our games; ``said``: the words behind that word."""

    word: Quoted
    games: Sequence[str]
    said: Annotated[str, 200] = ""


class UnknownVerb(Unreadable):
    """The word behind the game is none of the verbs allowed there."""

    word: Quoted
    game: str
    verbs: Sequence[str]


class NoVerb(Unreadable):
    """The line is only the name of a game."""

    game: str


class GameNeeded(Unreadable):
    """The verb needs a game in front."""

    form: str
    games: Sequence[str]


class NotOfOneGame(Unreadable):
    """The verb belongs to the whole server; a game in front of it says nothing."""

    form: str
    game: str


class MissingWord(Unreadable):
    """The command ends too early; ``what`` names what is missing: board, move, userid."""

    form: str
    what: str


class PasswordMissing(Unreadable):
    """A word was taken for a userid because of its place, and nothing follows it."""

    form: str
    userid: str


class NotABoard(Unreadable):
    """The word in the place of a board's number is none."""

    form: str
    word: Quoted


class NotAMoveNumber(Unreadable):
    """The word behind ``#`` is no number of a move."""

    form: str
    word: Quoted


class NoMoveButCommand(Unreadable):
    """A command of its own is in the place of a move: nobody can queue to resign, or submit an undo."""

    form: str
    verb: str
    board: int


class NotANumber(Unreadable):
    """The word in the place of a number is none, or one that makes no sense there."""

    form: str
    word: Quoted


class NotADate(Unreadable):
    """The word in the place of a date is none."""

    form: str
    word: Quoted


class UnknownDeed(Unreadable):
    """The word that says what to change is none of ``deeds``; it may be a password, and is not repeated."""

    form: str
    deeds: Sequence[str]


class NotASetting(Unreadable):
    """The word in the place of a preference has not the form ``key=value``."""

    form: str
    word: Quoted


class LeftOver(Unreadable):
    """The command is complete before the line is; ``place`` is that of the first word too many, from 1."""

    form: str
    place: int


class NameOfSeveralWords(Unreadable):
    """The name of a tournament is one word; there are several, two of which may be userid and password."""

    form: str


class ReadsAsSentence(Unreadable):
    """The line begins with a verb that also begins sentences, and goes on like a sentence."""

    form: str


class TooManyWords(Unreadable):
    """The line is far longer than any command."""

    most: int
