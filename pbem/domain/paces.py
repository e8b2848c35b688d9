"""How fast players move: how long they keep the others waiting, move by move."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta
from itertools import chain, islice
from statistics import median

from pbem.domain.boards import Board
from pbem.domain.events import LEAVING, EventKind
from pbem.domain.vacations import counted, standing_for
from pbem.ids import PlayerId

MOST_BOARDS = 20
"""Of a player that are looked at, the newest first."""

_MOST_MOVES = 200

_TURNING = (EventKind.MOVE, EventKind.UNDO, *LEAVING)
"""Events after which somebody is to act who was not before."""


def move_times(board: Board, player: PlayerId) -> Iterator[timedelta]:
    """How long a player has kept the others waiting at a board, by move, the newest first.

    An answer to a decision is a move. Pauses do not count, nor moves that were taken back, nor what was played before
    a seat was given to him, nor moves that the board was imported with: all of them are as old as the board.
    """
    if len(board.players) < len(board.seats):
        return
    times: list[timedelta] = []
    since, seated_at = board.game_begun_at, board.game_begun_at
    pauses, in_force = standing_for(player, board.pauses), {event.number for event in board.in_force}
    for event in board.played:
        is_his = board.seats[event.seat].player == player
        if event.kind is EventKind.HANDOVER and is_his:
            times, seated_at = [], event.at
        elif event.kind is EventKind.MOVE and is_his and event.at > board.begun_at and event.number in in_force:
            times.append(counted(max(since, seated_at), event.at, pauses))
        if event.kind in _TURNING:
            since = event.at
    yield from reversed(times)


def pace(boards: Iterable[Board], player: PlayerId) -> timedelta | None:
    """The median time per move of a player; None if he has made none.

    Args:
        boards: his boards, the newest first.
        player: whom it is about.
    """
    newest = islice(boards, MOST_BOARDS)
    times = list(islice(chain.from_iterable(move_times(board, player) for board in newest), _MOST_MOVES))
    return timedelta(seconds=median(each.total_seconds() for each in times)) if times else None
