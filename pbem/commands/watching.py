"""Commands of players who watch boards."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from pbem.commands.command import BoardCommand, Command, Credentials, SpokenCommand, Userid
from pbem.commands.line import Line, about, whole_number, without_to
from pbem.commands.refusals import GameNeeded, MissingWord, NotABoard
from pbem.commands.verb import Care, Group, Place, Scope, Verb
from pbem.ids import BoardNumber

_ALL = "all"


@dataclass(frozen=True, slots=True)
class Watched:
    """The boards somebody watches: by number, those of players, or all present and future ones."""

    boards: tuple[BoardNumber, ...] = ()
    userids: tuple[Userid, ...] = ()
    everything: bool = False

    @property
    def is_one_board(self) -> bool:
        """Only one board is watched."""
        return len(self.boards) == 1 and not self.userids and not self.everything

    def words(self) -> Iterable[object]:
        """The words that name it."""
        to = ("to",) if self.userids else ()
        return (*to, *self.boards, *self.userids, *((_ALL,) if self.everything else ()))


@dataclass(frozen=True, slots=True)
class Subscribe(BoardCommand):
    """``subscribe 101``: all mail of a board; a player there gets all of it again."""

    form: ClassVar[str] = "subscribe"


@dataclass(frozen=True, slots=True)
class SubscribeTo(SpokenCommand):
    """``subscribe fsmith secret 101 102``, ``superbo subscribe all``, ``subscribe to bob``."""

    form: ClassVar[str] = "subscribe"
    watched: Watched
    game: str | None = None

    def arguments(self) -> Iterable[object]:
        """Boards, userids or ``all``."""
        return self.watched.words()


@Verb(
    "subscribe",
    Group.WATCHING,
    Scope.GAMES,
    board=Place.ANYWHERE,
    care=Care.HARMLESS,
    beginning="sub",
    translations={"de": ("abonnieren",), "fr": ("abonner",)},
)
def read_subscribe(line: Line) -> Command:
    """``subscribe [<userid> <password>] <board>+|all|<userid>+``, credentials also behind boards and ``all``."""
    watched, speaker = _watched(line)
    if watched.is_one_board:
        return Subscribe(watched.boards[0], game=line.game, speaker=speaker)
    return SubscribeTo(watched, line.game, speaker=speaker)


@dataclass(frozen=True, slots=True)
class Unsubscribe(BoardCommand):
    """``unsubscribe 101``: no more mail about it; players there get it only on their turn, and at the end."""

    form: ClassVar[str] = "unsubscribe"


@dataclass(frozen=True, slots=True)
class UnsubscribeFrom(SpokenCommand):
    """``unsubscribe fsmith secret 101 102``, ``superbo unsubscribe all``, ``unsubscribe to bob``."""

    form: ClassVar[str] = "unsubscribe"
    watched: Watched
    game: str | None = None

    def arguments(self) -> Iterable[object]:
        """Boards, userids or ``all``."""
        return self.watched.words()


@Verb(
    "unsubscribe",
    Group.WATCHING,
    Scope.GAMES,
    board=Place.ANYWHERE,
    beginning="unsub",
    translations={"de": ("abbestellen",), "fr": ("désabonner",)},
)
def read_unsubscribe(line: Line) -> Command:
    """``unsubscribe [<userid> <password>] <board>+|all|<userid>+``, credentials also behind boards and ``all``."""
    watched, speaker = _watched(line)
    if watched.is_one_board:
        return Unsubscribe(watched.boards[0], game=line.game, speaker=speaker)
    return UnsubscribeFrom(watched, line.game, speaker=speaker)


def _watched(line: Line) -> tuple[Watched, Credentials | None]:
    speaker, words = None, line.words
    if words and words[0].lower() == "to":
        words = words[1:]
    elif len(words) > 1:
        speaker, words = line.credentials(words)
        if speaker is None:
            words, speaker = _split_trailing(line, words)
        else:
            words = without_to(words)
    if not words and line.answered is not None:
        return Watched((line.answered.board,)), speaker
    if not words:
        raise MissingWord(line.verb, "watched")
    boards = tuple(dict.fromkeys(BoardNumber(number) for word in words if (number := whole_number(word)) is not None))
    userids = tuple(word for word in words if word.lower() != _ALL and whole_number(word) is None)
    return Watched(boards, userids, any(word.lower() == _ALL for word in words)), speaker


def _split_trailing(line: Line, words: tuple[str, ...]) -> tuple[tuple[str, ...], Credentials | None]:
    """Boards or ``all``, and the credentials behind them, if there are any."""
    end = next((place for place, word in enumerate(words) if not _is_target(word)), len(words))
    targets, rest = words[:end], words[end:]
    if len(rest) < 2 and not targets:
        return words, None
    numbers = [number for number in map(whole_number, targets) if number is not None]
    if len(numbers) != 1:
        speaker, rest = line.credentials(rest)
        line.nothing_left(rest)
        return targets, speaker
    with about(BoardNumber(numbers[0])):
        speaker, rest = line.credentials(rest)
        line.nothing_left(rest)
    return targets, speaker


def _is_target(word: str) -> bool:
    return word.lower() == _ALL or whole_number(word) is not None


@dataclass(frozen=True, slots=True)
class NotifyOfEnd(SpokenCommand):
    """``superbo notify fsmith secret 101``: a mail when the board ends, or any board of the game; again to stop."""

    form: ClassVar[str] = "notify"
    boards: tuple[BoardNumber, ...] = ()
    game: str | None = None

    def arguments(self) -> Iterable[object]:
        """The numbers of the boards."""
        return self.boards


@Verb("notify", Group.WATCHING)
def read_notify(line: Line) -> Command:
    """``[<game>] notify [<userid> <password>] [<board>+]``, credentials also behind the boards."""
    speaker, words = line.credentials(line.words)
    if speaker is None:
        words, speaker = _split_trailing(line, words)
    boards = []
    for word in words:
        number = whole_number(word)
        if number is None:
            raise NotABoard("notify", word)
        boards.append(BoardNumber(number))
    if not boards and line.answered is not None and line.game is None:
        boards.append(line.answered.board)
    if not boards and line.game is None:
        raise GameNeeded("notify", sorted(line.games))
    return NotifyOfEnd(tuple(dict.fromkeys(boards)), line.game, speaker=speaker)
