"""The verbs by which boards are looked at: what stands behind them → the command."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from pbem.commands.line import (
    Line,
    about,
    board_and_rest,
    credentials,
    moment,
    names_in,
    nothing_left,
    split_options,
    whole_number,
)
from pbem.commands.model import (
    AnalyseBoard,
    BoardMoment,
    Command,
    PreviewBoard,
    PreviewNew,
    ShowAs,
    ShowBoards,
    ShowHistory,
    ShowPlayersBoards,
    ShowStandings,
    TableOfBoards,
    Which,
)
from pbem.commands.refusals import GameNeeded
from pbem.commands.steps import are_steps

_WHICH: dict[str, Which] = {
    "all": "all",
    "active": "active",
    "inactive": "inactive",
    "next": "next",
    "tournament": "tournament",
    "standard": "standard",
}


def _split_which(verb: str, line: Line, words: tuple[str, ...]) -> tuple[tuple[str, ...], Which]:
    """Take the word off the end that says which boards are meant; one is enough."""
    which = [word.lower() for word in takewhile(lambda word: word.lower() in _WHICH, reversed(words))]
    nothing_left(verb, line, words[len(words) - len(which) + 1 :] if which else ())
    return (words[:-1], _WHICH[which[0]]) if which else (words, "active")


def _are_boards(words: Sequence[str]) -> bool:
    return re.match(r"[0-9]+(#|$)", words[0]) is not None


def read_show(line: Line) -> Command:
    """``show <board>[#<moveno>]+`` or ``show <userid>+ [all|active|inactive|next|tournament|standard]``.

    Without boards and userids the sender's own are meant.
    """
    words, which = _split_which("show", line, line.words)
    if not words and line.answered is not None:
        return ShowBoards((BoardMoment(line.answered.board),), line.game)
    if not words or [word.lower() for word in words] == ["me"]:
        return ShowAs((), which, line.game)
    words = names_in(words)
    if which == "active" and _are_boards(words):
        return ShowBoards(tuple(moment("show", word) for word in words), line.game)
    return ShowPlayersBoards(words, which, line.game)


def read_showas(line: Line) -> Command:
    """``showas [<userid> <password>] [<board>[#<moveno>]+|all|active|inactive|next|tournament|standard]``."""
    speaker, words = credentials("showas", line.words, line.games)
    boards, which = _split_which("showas", line, words)
    if not boards and not words and line.answered is not None:
        return ShowAs((BoardMoment(line.answered.board),), game=line.game, speaker=speaker)
    if boards and boards != words:
        nothing_left("showas", line, words[len(boards) :])
    moments = tuple(moment("showas", word) for word in boards)
    return ShowAs(moments, which, line.game, speaker=speaker)


def read_analyse(line: Line) -> Command:
    """``analyse <board>[#<moveno>] [<userid> <password>]``, in either order."""
    speaker, words = credentials("analyse", line.words, line.games)
    found, words = _moment_and_rest("analyse", replace(line, words=words))
    with about(found.board):
        if speaker is None:
            speaker, words = credentials("analyse", words, line.games)
        nothing_left("analyse", line, words)
    return AnalyseBoard(found.board, found.moveno, game=line.game, speaker=speaker)


def read_games(line: Line) -> Command:
    """``games [<userid>*] [all|active|inactive|next|tournament|standard] [<page>]``."""
    page = whole_number(line.words[-1]) if line.words else None
    words = line.words if page is None else line.words[:-1]
    userids, which = _split_which("games", line, words)
    return TableOfBoards(names_in(userids), which, line.game, page or 1)


def read_standings(line: Line) -> Command:
    """``[<game>] standings``."""
    nothing_left("standings", line, line.words)
    return ShowStandings(line.game)


def read_history(line: Line) -> Command:
    """``[<game>] history [<userid>]``."""
    nothing_left("history", line, line.words[1:])
    return ShowHistory(line.words[0] if line.words else None, line.game)


def read_preview(line: Line) -> Command:
    """``preview <board>[#<moveno>] <turn>*`` or ``<game> preview new [<players>] [-options] <turn>*``."""
    if line.words and line.words[0].lower() == "new":
        return _preview_new(line)
    start, words = _moment_and_rest("preview", line)
    return PreviewBoard(start, _turns(words), line.game)


def _moment_and_rest(form: str, line: Line) -> tuple[BoardMoment, tuple[str, ...]]:
    """``101`` or ``101#7``, and the words behind it; an answer to the mail of a board may leave the number out."""
    first = line.words[0] if line.words else ""
    if re.match(r"[0-9]+#", first):
        return moment(form, first), line.words[1:]
    if line.answered is not None and re.fullmatch(r"#[0-9]+", first):
        return moment(form, f"{line.answered.board}{first}"), line.words[1:]
    board, words = board_and_rest(form, line)
    return BoardMoment(board), words


def _preview_new(line: Line) -> Command:
    if line.game is None:
        raise GameNeeded("preview", sorted(line.games))
    options, words = split_options(line.words[1:], numbers=1)
    players = whole_number(words[0]) if words else None
    return PreviewNew(line.game, players, options, _turns(words if players is None else words[1:]))


def _turns(words: tuple[str, ...]) -> tuple[str, ...]:
    """The turns that some words are: one word each, unless strokes stand between them, or they are steps of one."""
    text = " ".join(words)
    if "/" in text:
        return tuple(turn.strip() for turn in text.split("/") if turn.strip())
    return (text,) if are_steps(text) else words
