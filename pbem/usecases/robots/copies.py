"""Whether a game that is over has stood as a board does that is in play: what is told of it would help there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.domain.boards import Board
from pbem.domain.courses import Course
from pbem.domain.events import EventKind
from pbem.domain.fingerprints import Lookalikes, fingerprint
from pbem.domain.robots import robots_at
from pbem.games.game import Game, Position
from pbem.ids import BoardNumber, PlayerId
from pbem.usecases.context import Context
from pbem.usecases.robots.looks import replayed

_COMMON_INPUTS = 4
"""After fewer inputs boards stand alike by chance, and every opening would be in play somewhere."""
_COMMON_OF_HIS = 2
"""The same for boards of the asker: there are few, and he is who would be helped."""


def same_in_play(board: Board, asker: PlayerId, context: Context) -> BoardNumber | None:
    """The number of a board that people play against each other and that stands as this one did once, if there is one.

    It has the same options, and as many turns have brought both to the same position, in whatever order; after some
    moves, fewer if the asker plays there.

    Raises:
        NotPlayed: there was no game at the board.
    """
    game, course = context.games[board.game], context.course(board)
    once = [each for each in replayed(board, course, game).courses if len(each.inputs) >= _COMMON_OF_HIS]
    if not once:
        return None
    for other in context.uow.boards.alike(_lookalikes(board, once, asker)):
        is_between_people = len(set(other.players) - set(robots_at(other))) > 1
        if is_between_people and other.options == board.options:
            now, least = context.course(other), _COMMON_OF_HIS if asker in other.players else _COMMON_INPUTS
            stood = [each.position for each in once if len(each.inputs) >= least]
            if now.result is None and any(_is_same(game, now.position, each) for each in stood):
                return other.number
    return None


def _lookalikes(board: Board, once: Sequence[Course], asker: PlayerId) -> Lookalikes:
    """The boards that may stand as a game has stood ``once``."""
    common = [each for each in once if len(each.inputs) >= _COMMON_INPUTS]
    return Lookalikes(
        game=board.game,
        anybodys={fingerprint(each.position) for each in common},
        players={fingerprint(each.position) for each in once},
        player=asker,
        records=[event.record for event in board.events if event.kind is EventKind.MOVE],
    )


def _is_same(game: Game[Any, Any], one: Position[Any], other: Position[Any]) -> bool:
    return (one.ply, one.to_act) == (other.ply, other.to_act) and game.report(one) == game.report(other)
