"""The opening explorer: what was played in finished games, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pbem.commands.playing import ExploreBoard, ExploreGame
from pbem.domain.boards import Board
from pbem.domain.game_state import BoardEnding, GameState
from pbem.domain.mails import Notice
from pbem.domain.openings import MOST_TURNS, Continuation, Tally, is_boundary, key_of, turn_said
from pbem.errors import PlayerError
from pbem.usecases.context import Context, handles
from pbem.usecases.notices import to_sender
from pbem.usecases.previews import new_board, played_on, split_turns
from pbem.usecases.seats import facts_of_nobodys
from pbem.usecases.understanding import at_moment

MOST_SHOWN = 12
"""The turns that a mail or page shows."""


@dataclass(frozen=True, slots=True)
class ExploredTurn:
    """A turn that was played in a position, in its words."""

    inputs: Sequence[str]
    found: Continuation


@dataclass(frozen=True, slots=True)
class Explored:
    """The turns that were played in a position, the usual ones first, and the sums of all."""

    turns: Sequence[ExploredTurn]
    people: Tally
    robots: Tally
    is_deep: bool
    """No turn is counted there: it is behind the opening, or within a turn."""


@handles(ExploreBoard)
def explore_board(command: ExploreBoard, context: Context) -> list[Notice]:
    """The turns that were played in the position of a board, or after some more turns.

    Raises:
        NoSuchBoard, OtherGame, NoSuchMove: it is not there.
        TooManyTurns, TurnPastEnd, PreviewStopped, DecisionBetween: these turns cannot be played.
    """
    board = _where_play_ended(at_moment(command.moment, command.game, context), context)
    return _told(board, command.turns, context, {"moveno": command.moment.moveno})


@handles(ExploreGame)
def explore_game(command: ExploreGame, context: Context) -> list[Notice]:
    """The turns that were played at the beginning of a game, or after some turns.

    Raises:
        NoSuchGame, OtherNumberOfPlayers: there is no such game.
        PlayerError: the options are not those of the game.
        TooManyTurns, TurnPastEnd, PreviewStopped, DecisionBetween: these turns cannot be played.
    """
    board = new_board(command.game, command.players, command.options, context)
    return _told(board, command.turns, context, {"players": command.players})


def _where_play_ended(board: Board, context: Context) -> Board:
    """A board without the events that ended it, unless the rules did: its last position may be that of other games."""
    while (result := context.course(board).result) is not None and result.ending is not BoardEnding.RULES:
        board = replace(board, events=board.events[:-1])
    return board


def _told(board: Board, turns: Sequence[str], context: Context, facts: Mapping[str, object]) -> list[Notice]:
    turns = split_turns(turns, board, context)
    board, course = played_on(board, turns, context)
    said = facts_of_nobodys(board, course, context.games[board.game])
    explored = explore(board, course, context)
    about = {"turns": turns, "explored": explored, "earlier": _earlier(board, course, explored, turns)}
    about |= {"most_turns": MOST_TURNS, "most_shown": MOST_SHOWN}
    return [to_sender("explore", context, {**said, **about, **facts})]


def _earlier(board: Board, course: GameState, explored: Explored, turns: Sequence[str]) -> int | None:
    """The last move of a board after which something may have been counted, if that is before what was asked about."""
    is_behind = board.number and explored.is_deep and not turns and course.position.ply > 0
    return min(course.position.ply, MOST_TURNS) - 1 if is_behind else None


def explore(board: Board, course: GameState, context: Context) -> Explored:
    """The turns that were played in the position of a board."""
    game, position = context.games[board.game], course.position
    if course.result is not None or position.ply >= MOST_TURNS or not is_boundary(position):
        return Explored((), Tally(), Tally(), is_deep=True)
    found, people, robots = context.uow.openings.after(key_of(game, board.options, position), MOST_SHOWN)
    turns = []
    for each in found:
        try:
            turns.append(ExploredTurn(turn_said(game, position, each.record)[0], each))
        except PlayerError:
            continue  # a position of the same look, in which more is allowed
    return Explored(turns, people, robots, is_deep=False)
