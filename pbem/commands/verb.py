"""The declaration of a verb: all that the rest of the server knows about a word of the command language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, IntEnum

from pbem.commands.command import Command
from pbem.commands.line import Line


class Group(Enum):
    """The subjects of commands, in the order in which lists of the commands name them."""

    ACCOUNTS = "accounts"
    SERVER = "server"
    BOARDS = "boards"
    CHALLENGES = "challenges"
    WATCHING = "watching"
    TOURNAMENTS = "tournaments"


class Scope(Enum):
    """The word that may come in front of a verb."""

    SERVER = "server"
    """Nothing: the command is about no game."""
    GAME = "game"
    """The name of a game."""
    GAMES = "game or all"
    """The name of a game, or ``all``, which means the same as no word."""


class Place(Enum):
    """The place of the number of a board behind a verb."""

    NOWHERE = "nowhere"
    FIRST = "first"
    """At once: no userid comes before it."""
    ANYWHERE = "anywhere"


class Care(IntEnum):
    """The care that the server takes with a verb that may not be meant."""

    HARMLESS = 0
    """A slip may be read as it: it gives nothing up and touches no account."""
    USUAL = 1
    PERSONAL = 2
    """It is not taken from below a Subject that is a sentence: it touches an account, or passes words on."""
    STRICT = 3
    """It is not taken from below a sentence at all."""
    FINAL = 4
    """It cannot be taken back: no answer suggests it without the rest of a line, which may say the contrary."""


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
    translations: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    """Words of other languages, by language, that mean it at the head of a line where nothing else is meant.

    They are also understood without their accents. Unlike synonyms they are no words of the command language: see
    `translated.py`.
    """
    beginning: str = ""
    """The least beginning of the word that is read as it: ``chall``."""
    takes_password: bool = True
    """False: no password can stand behind it, so that polite words may."""
    game_is_argument: bool = False
    """A game behind it is a word like any other."""
    begins_sentences: bool = True
    """People also begin sentences with it."""
    takes_text: bool = False
    """The words behind it may be a long text, of more words than other commands have."""
    keeps_lines: bool = False
    """The lines below it are its own words, even those that look like commands."""
    read: Callable[[Line], Command] = _read_nothing
    """Makes a command of the words behind the verb."""

    @property
    def other_names(self) -> tuple[str, ...]:
        """All its synonyms and slips."""
        return (*self.synonyms, *self.slips)

    def __call__(self, read: Callable[[Line], Command]) -> Verb:
        """Return the verb with its reader; used as the reader's decorator."""
        return replace(self, read=read)
