"""The verbs by which boards are begun: what stands behind them → the command."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TypeAlias

from pbem.commands.line import Line, credentials, names_in, nothing_left, split_options, whole_number
from pbem.commands.model import (
    AcceptChallenges,
    Challenge,
    Command,
    CreateTournament,
    Credentials,
    JoinTournament,
    LimitBoards,
    RejectChallenges,
    Seek,
    ShowLimit,
    ShowSeeks,
    ShowTournament,
    StartTournament,
    WithdrawFromTournament,
)
from pbem.commands.of_boards import read_accept_offer, read_reject_offer
from pbem.commands.refusals import GameNeeded, MissingWord, NameOfSeveralWords, NotANumber, UnknownDeed

_OfTournament: TypeAlias = type[JoinTournament | WithdrawFromTournament | StartTournament]


IN_TOURNAMENTS: Mapping[str, _OfTournament] = {
    "join": JoinTournament,
    "withdraw": WithdrawFromTournament,
    "start": StartTournament,
}
"""What may be done in a tournament that there is, by the word for it."""
_MOST_SOUGHT = 99


def _game(form: str, line: Line) -> str:
    if line.game is None:
        raise GameNeeded(form, sorted(line.games))
    return line.game


def read_challenge(line: Line) -> Command:
    """``<game> challenge [-options] <userid>*``; without a userid it is a seek."""
    game = _game("challenge", line)
    options, others = split_options(line.words)
    userids = names_in(others)
    return Challenge(game, userids, options) if userids else Seek(game, 1, options)


def read_accept(line: Line) -> Command:
    """``accept <board> ...``: an offer; ``<game> accept [<userid> <password>]``: challenges."""
    return read_accept_offer(line) if _is_of_board(line) else _of_all("accept", AcceptChallenges, line)


def read_reject(line: Line) -> Command:
    """``reject <board> ...``: an offer; ``<game> reject [<userid> <password>]``: challenges."""
    return read_reject_offer(line) if _is_of_board(line) else _of_all("reject", RejectChallenges, line)


def _of_all(form: str, kind: type[AcceptChallenges | RejectChallenges], line: Line) -> Command:
    """What is said of all challenges to a game."""
    if line.game is None:
        raise MissingWord(form, "board")
    speaker, words = credentials(form, line.words, line.games)
    nothing_left(form, line, words)
    return kind(line.game, speaker=speaker)


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
    """``<game> seek [<userid> <password>] [<n>] [-options]``; ``seek`` alone asks who looks for whom."""
    if line.game is None and not line.words:
        return ShowSeeks()
    game = _game("seek", line)
    speaker, words = credentials("seek", line.words, line.games)  # first: a password may look like an option
    options, words = split_options(words, numbers=1)
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
    if what == "show":
        nothing_left("tournament", line, line.words[2:])
        return ShowTournament(game, line.words[1] if line.words[1:] else None)
    if what != "create" and what not in IN_TOURNAMENTS:
        raise UnknownDeed("tournament", ("create", *IN_TOURNAMENTS, "show"))
    speaker, words = _entrant(line.words[1:], line.games)
    options, words = split_options(words)
    if what == "create" and len(split_options(line.words[1:])[1]) > 1 and len(words) != 1:
        raise NameOfSeveralWords("tournament")
    if not words:
        raise MissingWord("tournament", "name")
    nothing_left("tournament", line, words[1:])
    if what == "create":
        return CreateTournament(game, words[0], options, speaker=speaker)
    return IN_TOURNAMENTS[what](game, words[0], speaker=speaker)


def _entrant(words: tuple[str, ...], games: Collection[str]) -> tuple[Credentials | None, tuple[str, ...]]:
    """Perhaps credentials, and the words behind them.

    One word alone is the name of the tournament. What looks like an option behind the first word may be a password if
    a name follows it.
    """
    plain = split_options(words)[1]
    if len(plain) < 2:
        return None, words
    leading = words[: words.index(plain[0])]
    speaker, rest = credentials("tournament", words[len(leading) :], games)
    return speaker, (*leading, *rest)
