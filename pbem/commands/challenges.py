"""Commands that begin boards or look for opponents, and those that show ratings and results."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from pbem.commands.command import Command, Need, SpokenCommand, Userid, option_words
from pbem.commands.line import DASHES, Line, about, names_in, split_options, whole_number
from pbem.commands.refusals import NotANumber
from pbem.commands.verb import Care, Group, Place, Scope, Verb
from pbem.ids import BoardNumber

_MOST_SOUGHT = 99


@dataclass(frozen=True, slots=True)
class Challenge(Command):
    """``superbo challenge bob``: starts a board. ``options`` are the option words without their dashes."""

    form: ClassVar[str] = "challenge"
    needs: ClassVar[Need] = Need.KNOWN
    game: str
    userids: tuple[Userid, ...]
    options: tuple[str, ...] = ()

    def arguments(self) -> Iterable[object]:
        """Options and userids."""
        return (*option_words(self.options), *self.userids)


@Verb(
    "challenge",
    Group.CHALLENGES,
    care=Care.HARMLESS,
    beginning="chall",
    takes_password=False,
    translations={"de": ("herausfordern", "herausforderung"), "fr": ("défier", "défi")},
)
def read_challenge(line: Line) -> Command:
    """``<game> challenge [-options] <userid>*``; without a userid it is a seek."""
    game = line.needed_game()
    options, others = split_options(line.words)
    userids = names_in(others)
    return Challenge(game, userids, options) if userids else Seek(game, 1, options)


@dataclass(frozen=True, slots=True)
class PlayAgain(Command):
    """``again 101``: starts the same game between the same players, once the board is over."""

    form: ClassVar[str] = "again"
    needs: ClassVar[Need] = Need.KNOWN
    board: BoardNumber
    game: str | None = None

    def arguments(self) -> Iterable[object]:
        """The board's number."""
        return (self.board,)


@Verb(
    "again",
    Group.CHALLENGES,
    board=Place.FIRST,
    care=Care.HARMLESS,
    translations={"de": ("nochmal",), "fr": ("encore",)},
)
def read_again(line: Line) -> Command:
    """``again <board>``."""
    board, words = line.board_and_rest()
    with about(board):
        line.nothing_left(words)
    return PlayAgain(board, line.game)


@dataclass(frozen=True, slots=True)
class Seek(SpokenCommand):
    """``superbo seek fsmith secret 2 -adjacent_pair -pace=3``: looks for others who seek the same; 0 ends it."""

    form: ClassVar[str] = "seek"
    needs: ClassVar[Need] = Need.KNOWN
    game: str
    wanted: int = 1
    options: tuple[str, ...] = ()
    """As typed, without their dashes; those of the game, of the clock and of the seek."""

    def arguments(self) -> Iterable[object]:
        """``2 -adjacent_pair``."""
        return (self.wanted, *option_words(self.options))


@dataclass(frozen=True, slots=True)
class ShowSeeks(Command):
    """``seek``: all players who are looking for an opponent, in all games."""

    form: ClassVar[str] = "seek"


@Verb("seek", Group.CHALLENGES, care=Care.HARMLESS, translations={"de": ("suchen",), "fr": ("chercher",)})
def read_seek(line: Line) -> Command:
    """``<game> seek [<userid> <password>] [<n>] [-options]``; ``seek`` alone lists all seeks."""
    if line.game is None and not line.words:
        return ShowSeeks()
    game = line.needed_game()
    speaker, words = line.credentials(line.words)  # first: a password may look like an option
    options, words = split_options(words, numbers=1)
    line.nothing_left(words[1:])
    if not words:
        return Seek(game, 1, options, speaker=speaker)
    number = 0 if words[0] == "0" else whole_number(words[0])
    if number is None or number > _MOST_SOUGHT:
        raise NotANumber("seek", words[0])
    return Seek(game, number, options, speaker=speaker)


@dataclass(frozen=True, slots=True)
class ShowRobots(Command):
    """``superbo robot``: the computer opponents for a game; without one for every game."""

    form: ClassVar[str] = "robot"
    game: str | None = None


@Verb(
    "robot",
    Group.CHALLENGES,
    Scope.GAMES,
    care=Care.HARMLESS,
    takes_password=False,
    translations={"de": ("roboter",)},
)
def read_robot(line: Line) -> Command:
    """``[<game>] robot``."""
    line.nothing_left(line.words)
    return ShowRobots(line.game)


@dataclass(frozen=True, slots=True)
class AcceptChallenges(SpokenCommand):
    """``superbo accept fsmith secret``: the speaker may be challenged, to any number of boards."""

    form: ClassVar[str] = "accept"
    game: str


@dataclass(frozen=True, slots=True)
class RejectChallenges(SpokenCommand):
    """``superbo reject fsmith secret``: nobody may challenge the speaker."""

    form: ClassVar[str] = "reject"
    game: str


@dataclass(frozen=True, slots=True)
class ShowLimit(SpokenCommand):
    """``superbo limit fsmith secret``: the number of boards that the speaker may be challenged to."""

    form: ClassVar[str] = "limit"
    needs: ClassVar[Need] = Need.KNOWN
    only_shows: ClassVar[bool] = True
    game: str


@dataclass(frozen=True, slots=True)
class LimitBoards(SpokenCommand):
    """``superbo limit fsmith secret 5``: no challenges while the speaker has so many active boards."""

    form: ClassVar[str] = "limit"
    game: str
    most: int

    def arguments(self) -> Iterable[object]:
        """``5``."""
        return (self.most,)


@Verb("limit", Group.CHALLENGES)
def read_limit(line: Line) -> Command:
    """``<game> limit [<userid> <password>] [<n>|accept|reject]``."""
    game = line.needed_game()
    speaker, words = line.credentials(line.words)
    line.nothing_left(words[1:])
    if not words:
        return ShowLimit(game, speaker=speaker)
    word = words[0].lower()
    if word == "accept":
        return AcceptChallenges(game, speaker=speaker)
    number = whole_number(word)
    if word in ("reject", "0"):
        return RejectChallenges(game, speaker=speaker)
    if number is None:
        raise NotANumber("limit", words[0])
    return LimitBoards(game, number, speaker=speaker)


@dataclass(frozen=True, slots=True)
class ShowStandings(Command):
    """``mambo standings mambogo``: the ratings of the players of a game or a variant of it; without a game of all."""

    form: ClassVar[str] = "standings"
    game: str | None = None
    variant: str = ""
    """As typed, without dashes; empty: the game as it is usually played."""

    def arguments(self) -> Iterable[object]:
        """The variant."""
        return (self.variant,) if self.variant else ()


@Verb(
    "standings",
    Group.CHALLENGES,
    Scope.GAMES,
    care=Care.HARMLESS,
    synonyms=("ratings",),
    takes_password=False,
    translations={"de": ("rangliste",), "fr": ("classement",)},
)
def read_standings(line: Line) -> Command:
    """``[<game>] standings``, ``<game> standings <variant>``."""
    if line.game is None or not line.words:
        line.nothing_left(line.words)
        return ShowStandings(line.game)
    line.nothing_left(line.words[1:])
    return ShowStandings(line.game, line.words[0].lstrip(DASHES).lower())


@dataclass(frozen=True, slots=True)
class ShowHistory(Command):
    """``superbo history fsmith``: finished boards, of one player or all, of one game or all."""

    form: ClassVar[str] = "history"
    userid: Userid | None = None
    game: str | None = None


@Verb(
    "history",
    Group.CHALLENGES,
    Scope.GAMES,
    care=Care.HARMLESS,
    takes_password=False,
    translations={"de": ("verlauf",), "fr": ("historique",)},
)
def read_history(line: Line) -> Command:
    """``[<game>] history [<userid>]``."""
    line.nothing_left(line.words[1:])
    return ShowHistory(line.words[0] if line.words else None, line.game)
