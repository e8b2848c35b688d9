"""The declaration of a verb: all that the rest of the server knows about a word of the command language."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum, IntEnum

from pbem.commands.command import Command
from pbem.commands.line import Line


class Group(Enum):
    """What commands are about, in the order in which lists of the commands name them."""

    ACCOUNTS = "accounts"
    SERVER = "server"
    BOARDS = "boards"
    CHALLENGES = "challenges"
    WATCHING = "watching"
    TOURNAMENTS = "tournaments"


class Scope(Enum):
    """What may stand in front of a verb."""

    SERVER = "server"
    """Nothing: the command is about no game."""
    GAME = "game"
    """The name of a game."""
    GAMES = "game or all"
    """The name of a game, or ``all``, which says no more than neither."""


class Place(Enum):
    """Where the number of a board stands behind a verb."""

    NOWHERE = "nowhere"
    FIRST = "first"
    """At once: no userid stands before it."""
    ANYWHERE = "anywhere"


class Care(IntEnum):
    """How careful the server is where a verb may not be meant."""

    HARMLESS = 0
    """A slip may be read as it: it gives nothing up and touches no account."""
    USUAL = 1
    PERSONAL = 2
    """It is not taken from below a Subject that is a sentence: it touches an account, or passes words on."""
    STRICT = 3
    """It is not taken from below a sentence at all."""
    FINAL = 4
    """It cannot be taken back: nobody is told to send it without the rest of a line, which may say the contrary."""


def _read_nothing(line: Line) -> Command:
    raise NotImplementedError(line.verb)


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb and its reader."""

    word: str
    group: Group
    scope: Scope = Scope.GAME
    board: Place = Place.NOWHERE
    care: Care = Care.USUAL
    synonyms: tuple[str, ...] = ()
    slips: tuple[str, ...] = ()
    """Other words that are read as it, and never suggested."""
    beginning: str = ""
    """So much of the word is enough: ``chall``."""
    takes_password: bool = True
    """False: no password can stand behind it, so that polite words may."""
    game_is_argument: bool = False
    """A game behind it is a word like others."""
    begins_sentences: bool = True
    """People begin sentences with it, too."""
    read: Callable[[Line], Command] = _read_nothing
    """Makes a command of the words behind the verb."""

    @property
    def other_names(self) -> tuple[str, ...]:
        """All else that it is called."""
        return (*self.synonyms, *self.slips)

    def __call__(self, read: Callable[[Line], Command]) -> Verb:
        """The verb with its reader; decorates the reader."""
        return replace(self, read=read)
