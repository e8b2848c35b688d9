"""Games that nobody but computer opponents plays on: they do not play among themselves, so such a game is over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.domain.robots import is_robot

if TYPE_CHECKING:
    from pbem.domain.boards import Board
    from pbem.games.game import Position, Seat


def is_left_to_robots(board: Board, position: Position[Any]) -> bool:
    """Whether only computer opponents play on, and for nobody else.

    Who is out by the rules has not given up: while a partner of his plays, the game is his, too.
    """
    if not all(is_robot(board.seats[seat].userid) for seat in position.playing):
        return False
    left = board.left
    return all(is_robot(board.seats[seat].userid) or seat in left for party in _parties(position) for seat in party)


def heirs(board: Board, position: Position[Any]) -> tuple[Seat, ...]:
    """The seats that have won where a game is left to robots: all parties that play on, alike; empty if that is all.

    Who has left takes his partner with him, unless nobody would have won then.
    """
    parties, left = _parties(position), board.left
    staying = [party for party in parties if not any(seat in left for seat in party)] or parties
    winners = tuple(sorted({seat for party in staying for seat in party}))
    return () if len(winners) == len(board.seats) else winners


def _parties(position: Position[Any]) -> list[tuple[Seat, ...]]:
    """Who wins together with each seat in play, as it is when all others have left."""
    found = []
    for seat in position.playing:
        alone = position
        for other in position.playing:
            alone = alone if other == seat or alone.outcome is not None else alone.leave(other)
        found.append((seat,) if alone.outcome is None else alone.outcome.winners)
    return found
