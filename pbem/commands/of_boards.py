"""The verbs of boards: what stands behind them → the command."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from pbem.commands.line import (
    about,
    board_and_rest,
    credentials,
    moment,
    nothing_left,
    split_moveno,
    whole_number,
    without_sentence_end,
)
from pbem.commands.model import (
    BoardMoment,
    Challenge,
    Command,
    ExportBoard,
    Mailed,
    MakeMove,
    Resend,
    Resign,
    ShowBoards,
    ShowPlayersBoards,
    Subscribe,
    TableOfBoards,
    Unsubscribe,
    Which,
)
from pbem.commands.refusals import GameNeeded, MissingWord
from pbem.commands.steps import begins_with_cells

if TYPE_CHECKING:
    from pbem.commands.line import Line
    from pbem.commands.model import Credentials
    from pbem.ids import BoardNumber

DASHES = "-\u2013\u2014\u2212"
"""Before an option; a telephone makes a dash or a minus sign of what was typed as a hyphen, or as two."""

_WHICH: dict[str, Which] = {"all": "all", "active": "active", "inactive": "inactive", "next": "next"}


def read_move(line: Line) -> Command:
    """``move <board> [<userid> <password>] <move>[#<moveno>]``."""
    board, words = board_and_rest("move", line)
    with about(board):
        words, moveno = split_moveno("move", words)
        speaker, words = credentials("move", words, line.games)
        if not words:
            raise MissingWord("move", "move")
    words = without_sentence_end(words)
    if [word.lower() for word in words] == ["resign"]:
        return Resign(board, game=line.game, speaker=speaker)
    if speaker is None and whole_number(line.words[0]) is None and begins_with_cells(words):
        words = ("move", *words)  # an answer: the word is that of the step, and without it cells might mean another
    return MakeMove(board, " ".join(words), moveno, game=line.game, speaker=speaker)


def read_resign(line: Line) -> Command:
    """``resign <board> [<userid> <password>]``."""
    board, words = board_and_rest("resign", line)
    with about(board):
        speaker, words = credentials("resign", words, line.games)
        nothing_left("resign", line, words)
    return Resign(board, game=line.game, speaker=speaker)


def read_swap(line: Line) -> Command:
    """``swap <board> [<userid> <password>] [#<moveno>]``."""
    board, words = board_and_rest("swap", line)
    with about(board):
        speaker, words = credentials("swap", words, line.games)
        words, moveno = split_moveno("swap", words)  # behind the password, which may hold a # itself
        nothing_left("swap", line, words)
    return MakeMove(board, "swap", moveno, game=line.game, speaker=speaker)


def read_unsubscribe(line: Line) -> Command:
    """``unsubscribe <board> [<userid> <password>]`` or ``unsubscribe [<userid> <password>] <board>``."""
    board, speaker = _board_and_speaker("unsubscribe", line)
    return Unsubscribe(board, game=line.game, speaker=speaker)


def read_subscribe(line: Line) -> Command:
    """``subscribe <board> [<userid> <password>]`` or ``subscribe [<userid> <password>] <board>``."""
    board, speaker = _board_and_speaker("subscribe", line)
    return Subscribe(board, game=line.game, speaker=speaker)


def read_mailed(line: Line) -> Command:
    """``mailed <board> [<userid> <password>]``."""
    board, speaker = _board_and_speaker("mailed", line)
    return Mailed(board, game=line.game, speaker=speaker)


def read_resend(line: Line) -> Command:
    """``resend <board> [<userid> <password>]``."""
    board, speaker = _board_and_speaker("resend", line)
    return Resend(board, game=line.game, speaker=speaker)


def _board_and_speaker(form: str, line: Line) -> tuple[BoardNumber, Credentials | None]:
    """A board and perhaps credentials, in either order, and nothing else."""
    speaker, words = credentials(form, line.words, line.games)
    board, words = board_and_rest(form, replace(line, words=words))
    with about(board):
        if speaker is None:
            speaker, words = credentials(form, words, line.games)
        nothing_left(form, line, words)
    return board, speaker


def read_export(line: Line) -> Command:
    """``export <board>``."""
    board, words = board_and_rest("export", line)
    with about(board):
        nothing_left("export", line, words)
    return ExportBoard(board, line.game)


def read_challenge(line: Line) -> Command:
    """``<game> challenge [-options] <userid>+``."""
    if line.game is None:
        raise GameNeeded("challenge", sorted(line.games))
    options = tuple(word.lstrip(DASHES) for word in line.words if word[0] in DASHES)
    userids = tuple(word for word in line.words if word[0] not in DASHES)
    if not userids:
        raise MissingWord("challenge", "userid")
    return Challenge(line.game, userids, options)


def _players_and_which(line: Line) -> tuple[tuple[str, ...], Which]:
    words = line.words
    if words and words[-1].lower() in _WHICH:
        return words[:-1], _WHICH[words[-1].lower()]
    return words, "active"


def read_show(line: Line) -> Command:
    """``show <board>[#<moveno>]+`` or ``show <userid>+ [all|active|inactive|next]``."""
    words, which = _players_and_which(line)
    if not words and line.answered is not None:
        return ShowBoards((BoardMoment(line.answered.board),), line.game)
    if not words:
        raise MissingWord("show", "board")
    if words == line.words and re.match(r"[0-9]+(#|$)", words[0]):
        return ShowBoards(tuple(moment("show", word) for word in words), line.game)
    return ShowPlayersBoards(words, which, line.game)


def read_games(line: Line) -> Command:
    """``games [<userid>*] [all|active|inactive|next]``."""
    userids, which = _players_and_which(line)
    return TableOfBoards(userids, which, line.game)
