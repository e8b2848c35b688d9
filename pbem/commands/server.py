"""Commands about the whole server: help, games, players, puzzles, words for others."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import ClassVar

from pbem.commands.command import Command, SpokenCommand, Userid
from pbem.commands.line import Line, whole_number, without_sentence_end
from pbem.commands.refusals import MissingWord, NotANumber
from pbem.commands.verb import Care, Group, Scope, Verb


@dataclass(frozen=True, slots=True)
class Help(Command):
    """``help``, ``help superbo``, ``help move``."""

    form: ClassVar[str] = "help"
    subjects: tuple[str, ...] = ()


@Verb(
    "help",
    Group.SERVER,
    takes_password=False,
    game_is_argument=True,
    begins_sentences=False,
    translations={"de": ("hilfe",), "fr": ("aide",)},
)
def read_help(line: Line) -> Command:
    """``help [<subject>+]``."""
    return Help((line.game, *line.words) if line.game else line.words)


@dataclass(frozen=True, slots=True)
class ListGames(Command):
    """``list``: the games that the server plays; ``list superbo``: these of them."""

    form: ClassVar[str] = "list"
    games: tuple[str, ...] = ()


@Verb(
    "list",
    Group.SERVER,
    takes_password=False,
    game_is_argument=True,
    begins_sentences=False,
    translations={"de": ("liste",), "fr": ("liste",)},
)
def read_list(line: Line) -> Command:
    """``list [<game>*]``."""
    return ListGames((line.game, *line.words) if line.game else line.words)


@dataclass(frozen=True, slots=True)
class ShowWho(Command):
    """``who fsmith``: the public record of a player; without a userid the players who were here lately."""

    form: ClassVar[str] = "who"
    userid: Userid | None = None


@Verb("who", Group.SERVER, Scope.SERVER, takes_password=False, begins_sentences=False)
def read_who(line: Line) -> Command:
    """``who [<userid>]``."""
    line.nothing_left(line.words[1:])
    return ShowWho(line.words[0] if line.words else None)


@dataclass(frozen=True, slots=True)
class NextPuzzle(Command):
    """``puzzle superbo``: a puzzle that the player has not solved yet; without a game, one of any game."""

    form: ClassVar[str] = "puzzle"
    game: str | None = None


@dataclass(frozen=True, slots=True)
class PuzzleCommand(Command):
    """Root of the commands about one puzzle."""

    number: int
    game: str | None = field(default=None, kw_only=True)
    """The game of the puzzle, as far as the sender knows."""


@dataclass(frozen=True, slots=True)
class ShowPuzzle(PuzzleCommand):
    """``puzzle show 12``: this puzzle."""

    form: ClassVar[str] = "puzzle"

    def arguments(self) -> Iterable[object]:
        """``show 12``."""
        return ("show", self.number)


@dataclass(frozen=True, slots=True)
class AnswerPuzzle(PuzzleCommand):
    """``puzzle answer 12 a1,j12``: a move that may solve it."""

    form: ClassVar[str] = "puzzle"
    move: str

    def arguments(self) -> Iterable[object]:
        """``answer 12 a1,j12``."""
        return ("answer", self.number, self.move)


@Verb(
    "puzzle",
    Group.SERVER,
    care=Care.HARMLESS,
    takes_password=False,
    game_is_argument=True,
    translations={"de": ("rätsel",), "fr": ("énigme",)},
)
def read_puzzle(line: Line) -> Command:
    """``puzzle [<game>]``, ``puzzle [show] <n>``, ``puzzle answer <n> <move>``; a game may also come first.

    Raises:
        MissingWord, NotANumber, LeftOver: the words are none of these.
    """
    first = line.words[0].lower() if line.words else ""
    if not first:
        return NextPuzzle(line.game)
    if first in line.games and line.game in (None, first):
        line.nothing_left(line.words[1:])
        return NextPuzzle(first)
    if first not in {"show", "answer"}:
        line.nothing_left(line.words[1:])
        return ShowPuzzle(_number(first), game=line.game)
    words = line.words[1:]
    if not words:
        raise MissingWord("puzzle", "puzzle")
    number, rest = _number(words[0]), without_sentence_end(words[1:])
    if first == "show":
        line.nothing_left(rest)
        return ShowPuzzle(number, game=line.game)
    if not rest:
        raise MissingWord("puzzle", "move")
    return AnswerPuzzle(number, " ".join(rest), game=line.game)


def _number(word: str) -> int:
    number = whole_number(word)
    if number is None:
        raise NotANumber("puzzle", word)
    return number


@dataclass(frozen=True, slots=True)
class SendMessage(SpokenCommand):
    """``message fsmith secret bob jdoe``: the text below it goes to these players."""

    form: ClassVar[str] = "message"
    to: tuple[Userid, ...]

    def arguments(self) -> Iterable[object]:
        """``to bob jdoe``."""
        return ("to", *self.to)


@Verb("message", Group.SERVER, Scope.SERVER, care=Care.PERSONAL, translations={"de": ("nachricht",)})
def read_message(line: Line) -> Command:
    """``message [<userid> <password>] <to>+``; short also ``message to <to>+``."""
    speaker, words = line.speaker_and_others()
    return SendMessage(words, speaker=speaker)


@dataclass(frozen=True, slots=True)
class Broadcast(SpokenCommand):
    """``broadcast fsmith secret``: the text below it goes to everybody who wants such mails."""

    form: ClassVar[str] = "broadcast"


@Verb("broadcast", Group.SERVER, Scope.SERVER, care=Care.PERSONAL)
def read_broadcast(line: Line) -> Command:
    """``broadcast [<userid> <password>]``."""
    speaker, words = line.credentials(line.words)
    line.nothing_left(words)
    return Broadcast(speaker=speaker)
