"""Commands that show boards, and those for talking about them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import ClassVar, get_args

from pbem.commands.command import BoardCommand, BoardMoment, Command, Need, SpokenCommand, Userid, Which, moveno_words
from pbem.commands.line import Line, about, names_in, whole_number
from pbem.commands.verb import Care, Group, Place, Scope, Verb
from pbem.ids import BoardNumber

_WHICH: dict[str, Which] = {which: which for which in get_args(Which)}


def _split_which(line: Line, words: tuple[str, ...]) -> tuple[tuple[str, ...], Which]:
    """Take the word off the end that says which boards are meant; one is enough."""
    which = [word.lower() for word in takewhile(lambda word: word.lower() in _WHICH, reversed(words))]
    line.nothing_left(words[len(words) - len(which) + 1 :] if which else ())
    return (words[:-1], _WHICH[which[0]]) if which else (words, "active")


@dataclass(frozen=True, slots=True)
class ShowBoards(Command):
    """``superbo show 101 102#7``."""

    form: ClassVar[str] = "show"
    moments: tuple[BoardMoment, ...]
    game: str | None = None


@dataclass(frozen=True, slots=True)
class ShowPlayersBoards(Command):
    """``superbo show fsmith jdoe next``: the boards of these players, drawn."""

    form: ClassVar[str] = "show"
    userids: tuple[Userid, ...]
    which: Which = "active"
    game: str | None = None


@Verb(
    "show",
    Group.BOARDS,
    Scope.GAMES,
    board=Place.ANYWHERE,
    care=Care.HARMLESS,
    takes_password=False,
    begins_sentences=False,
    translations={"de": ("zeigen",), "fr": ("montrer",)},
)
def read_show(line: Line) -> Command:
    """``show <board>[#<moveno>]+`` or ``show <userid>+ [all|active|inactive|next|tournament|standard]``.

    Without boards and userids the sender's own are meant.
    """
    words, which = _split_which(line, line.words)
    if not words and line.answered is not None:
        return ShowBoards((BoardMoment(line.answered.board),), line.game)
    named = names_in(words)
    if not named or [word.lower() for word in words] == ["me"]:
        return ShowAs((), which, line.game)
    if which == "active" and _are_boards(named):
        return ShowBoards(tuple(map(line.moment, named)), line.game)
    return ShowPlayersBoards(named, which, line.game)


def _are_boards(words: Sequence[str]) -> bool:
    return re.match(r"[0-9]+(#|$)", words[0]) is not None


@dataclass(frozen=True, slots=True)
class ShowAs(SpokenCommand):
    """``showas fsmith secret 101 102``, ``showas next``: boards, with those parts that only the speaker may see."""

    form: ClassVar[str] = "showas"
    needs: ClassVar[Need] = Need.KNOWN
    only_shows: ClassVar[bool] = True
    moments: tuple[BoardMoment, ...] = ()
    which: Which = "active"
    """The speaker's boards that are meant, if none is named."""
    game: str | None = None


@Verb("showas", Group.BOARDS, Scope.GAMES, board=Place.ANYWHERE)
def read_showas(line: Line) -> Command:
    """``showas [<userid> <password>] [<board>[#<moveno>]+|all|active|inactive|next|tournament|standard]``."""
    speaker, words = line.credentials(line.words)
    boards, which = _split_which(line, words)
    if not boards and not words and line.answered is not None:
        return ShowAs((BoardMoment(line.answered.board),), game=line.game, speaker=speaker)
    if boards and boards != words:
        line.nothing_left(words[len(boards) :])
    return ShowAs(tuple(map(line.moment, boards)), which, line.game, speaker=speaker)


@dataclass(frozen=True, slots=True)
class TableOfBoards(Command):
    """``superbo games fsmith all``: one line for each board; without a userid the boards of everybody."""

    form: ClassVar[str] = "games"
    userids: tuple[Userid, ...] = ()
    which: Which = "active"
    game: str | None = None
    page: int = 1
    """The part of a long table that is meant."""


@Verb(
    "games",
    Group.BOARDS,
    Scope.GAMES,
    care=Care.HARMLESS,
    takes_password=False,
    translations={"de": ("partien", "spiele"), "fr": ("parties", "jeux")},
)
def read_games(line: Line) -> Command:
    """``games [<userid>*] [all|active|inactive|next|tournament|standard] [<page>]``."""
    page = whole_number(line.words[-1]) if line.words else None
    words = line.words if page is None else line.words[:-1]
    userids, which = _split_which(line, words)
    return TableOfBoards(names_in(userids), which, line.game, page or 1)


@dataclass(frozen=True, slots=True)
class Chat(BoardCommand):
    """``chat 101 fsmith secret``: the text below it goes to the players and subscribers of the board."""

    form: ClassVar[str] = "chat"


@Verb("chat", Group.BOARDS, board=Place.ANYWHERE, care=Care.HARMLESS)
def read_chat(line: Line) -> Command:
    """``chat <board> [<userid> <password>]``."""
    board, speaker = line.board_and_speaker()
    return Chat(board, game=line.game, speaker=speaker)


@dataclass(frozen=True, slots=True)
class ExportBoard(Command):
    """``superbo export 101``: the game record as a file."""

    form: ClassVar[str] = "export"
    board: BoardNumber
    game: str | None = None


@Verb(
    "export",
    Group.BOARDS,
    board=Place.FIRST,
    care=Care.HARMLESS,
    translations={"de": ("exportieren",), "fr": ("exporter",)},
)
def read_export(line: Line) -> Command:
    """``export <board>``."""
    board, words = line.board_and_rest()
    with about(board):
        line.nothing_left(words)
    return ExportBoard(board, line.game)


@dataclass(frozen=True, slots=True)
class AnalyseBoard(BoardCommand):
    """``superbo analyse 101#7 fsmith secret``: the value of each move of a finished game, or of that one move."""

    form: ClassVar[str] = "analyse"
    moveno: int | None = None
    """The turn to analyse; None: the whole game."""

    def arguments(self) -> Iterable[object]:
        """``101#7``."""
        return ("".join((str(self.board), *moveno_words(self.moveno))),)


@Verb(
    "analyse",
    Group.BOARDS,
    board=Place.ANYWHERE,
    care=Care.HARMLESS,
    synonyms=("analyze",),
    translations={"de": ("analysieren",), "fr": ("analyser",)},
)
def read_analyse(line: Line) -> Command:
    """``analyse <board>[#<moveno>] [<userid> <password>]``, in either order."""
    speaker, words = line.credentials(line.words)
    found, words = line.moment_and_rest(words)
    with about(found.board):
        if speaker is None:
            speaker, words = line.credentials(words)
        line.nothing_left(words)
    return AnalyseBoard(found.board, found.moveno, game=line.game, speaker=speaker)


@dataclass(frozen=True, slots=True)
class AskHint(BoardCommand):
    """``superbo hint 101 fsmith secret``: what the strongest robot would play."""

    form: ClassVar[str] = "hint"


@Verb(
    "hint",
    Group.BOARDS,
    board=Place.ANYWHERE,
    care=Care.HARMLESS,
    translations={"de": ("tipp",), "fr": ("indice",)},
)
def read_hint(line: Line) -> Command:
    """``hint <board> [<userid> <password>]``, in either order."""
    board, speaker = line.board_and_speaker()
    return AskHint(board, game=line.game, speaker=speaker)


@dataclass(frozen=True, slots=True)
class Mailed(BoardCommand):
    """``mailed 101``: the mails about the board, their recipients, times and fates."""

    form: ClassVar[str] = "mailed"
    needs: ClassVar[Need] = Need.KNOWN
    only_shows: ClassVar[bool] = True


@Verb("mailed", Group.BOARDS, board=Place.ANYWHERE, care=Care.HARMLESS)
def read_mailed(line: Line) -> Command:
    """``mailed <board> [<userid> <password>]``."""
    board, speaker = line.board_and_speaker()
    return Mailed(board, game=line.game, speaker=speaker)


@dataclass(frozen=True, slots=True)
class Resend(BoardCommand):
    """``resend 101``: the speaker's last mail of that board again."""

    form: ClassVar[str] = "resend"
    needs: ClassVar[Need] = Need.KNOWN
    only_shows: ClassVar[bool] = True


@Verb("resend", Group.BOARDS, board=Place.ANYWHERE)
def read_resend(line: Line) -> Command:
    """``resend <board> [<userid> <password>]``."""
    board, speaker = line.board_and_speaker()
    return Resend(board, game=line.game, speaker=speaker)
