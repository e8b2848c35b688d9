"""The verbs by which boards are begun: what stands behind them → the command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.commands.line import credentials, nothing_left, split_options, whole_number
from pbem.commands.model import (
    AcceptChallenges,
    Challenge,
    Command,
    CreateTournament,
    JoinTournament,
    LimitBoards,
    RejectChallenges,
    Seek,
    ShowLimit,
    ShowTournament,
    StartTournament,
    WithdrawFromTournament,
)
from pbem.commands.of_boards import read_accept_offer, read_reject_offer
from pbem.commands.refusals import GameNeeded, MissingWord, NotANumber, UnknownDeed

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeAlias

    from pbem.commands.line import Line

    _OfTournament: TypeAlias = type[JoinTournament | WithdrawFromTournament | StartTournament]

_IN_TOURNAMENTS: Mapping[str, _OfTournament] = {
    "join": JoinTournament,
    "withdraw": WithdrawFromTournament,
    "start": StartTournament,
}
_MOST_SOUGHT = 99


def _game(form: str, line: Line) -> str:
    if line.game is None:
        raise GameNeeded(form, sorted(line.games))
    return line.game


def read_challenge(line: Line) -> Command:
    """``<game> challenge [-options] <userid>*``; without a userid it is a seek."""
    game = _game("challenge", line)
    options, userids = split_options(line.words)
    return Challenge(game, userids, options) if userids else Seek(game, 1, options)


def read_accept(line: Line) -> Command:
    """``accept <board> ...``: an offer; ``<game> accept [<userid> <password>]``: challenges."""
    if _is_of_board(line):
        return read_accept_offer(line)
    if line.game is None:
        raise MissingWord("accept", "board")
    speaker, words = credentials("accept", line.words, line.games)
    nothing_left("accept", line, words)
    return AcceptChallenges(line.game, speaker=speaker)


def read_reject(line: Line) -> Command:
    """``reject <board> ...``: an offer; ``<game> reject [<userid> <password>]``: challenges."""
    if _is_of_board(line):
        return read_reject_offer(line)
    if line.game is None:
        raise MissingWord("reject", "board")
    speaker, words = credentials("reject", line.words, line.games)
    nothing_left("reject", line, words)
    return RejectChallenges(line.game, speaker=speaker)


def _is_of_board(line: Line) -> bool:
    """Whether a word that answers offers and challenges alike is meant for a board."""
    first = line.words[0].partition("#")[0] if line.words else ""
    return whole_number(first) is not None or (line.answered is not None and line.game is None)


def read_limit(line: Line) -> Command:
    """``<game> limit [<userid> <password>] [<n>|accept|reject]``."""
    game = _game("limit", line)
    speaker, words = credentials("limit", line.words, line.games)
    nothing_left("limit", line, words[1:])
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


def read_seek(line: Line) -> Command:
    """``<game> seek [<userid> <password>] [<n>] [-options]``."""
    game = _game("seek", line)
    options, words = split_options(line.words)
    speaker, words = credentials("seek", words, line.games)
    nothing_left("seek", line, words[1:])
    if not words:
        return Seek(game, 1, options, speaker=speaker)
    number = 0 if words[0] == "0" else whole_number(words[0])
    if number is None or number > _MOST_SOUGHT:
        raise NotANumber("seek", words[0])
    return Seek(game, number, options, speaker=speaker)


def read_tournament(line: Line) -> Command:
    """``<game> tournament create|join|withdraw|start [<userid> <password>] <name>``, or ``show [<name>]``."""
    game = _game("tournament", line)
    what = line.words[0].lower() if line.words else "show"
    options, words = split_options(line.words[1:])
    if what == "show":
        nothing_left("tournament", line, words[1:])
        return ShowTournament(game, words[0] if words else None)
    if what != "create" and what not in _IN_TOURNAMENTS:
        raise UnknownDeed("tournament", ("create", *_IN_TOURNAMENTS, "show"))
    speaker = None
    if len(words) > 1:
        speaker, words = credentials("tournament", words, line.games)
    if not words:
        raise MissingWord("tournament", "name")
    nothing_left("tournament", line, words[1:])
    if what == "create":
        return CreateTournament(game, words[0], options, speaker=speaker)
    return _IN_TOURNAMENTS[what](game, words[0], speaker=speaker)
