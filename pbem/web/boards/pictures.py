"""Pictures of positions and of whole games, for cards and for whoever shares a link."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, singledispatch
from typing import Any

from starlette.responses import Response

from pbem.diagrams import hextile, mamba
from pbem.diagrams.hextile import svg as hextile_svg
from pbem.diagrams.mamba import svg as mamba_svg
from pbem.domain.boards import Board
from pbem.domain.game_state import begin, follow, up_to_move
from pbem.games.game import Game
from pbem.games.hextile.facts import decisive, group_facts
from pbem.games.hextile.position import Position as HexTilePosition
from pbem.games.mamba.position import Position as MambaPosition
from pbem.usecases.context import Context
from pbem.usecases.understanding import find_board
from pbem.web.boards.page import number_of
from pbem.web.boards.samples import SAMPLES
from pbem.web.context import RequestContext

_HOUR = "max-age=3600"


@singledispatch
def replay(last: object, positions: Sequence[Any]) -> str | None:
    """The positions of a game as one drawing that plays by itself, or a still one of a single position.

    Returns:
        The drawing as SVG; None for a family that draws none.
    """
    return None


@replay.register
def _(last: HexTilePosition, positions: Sequence[HexTilePosition]) -> str:
    pictures = [hextile.picture_of(each, {}) for each in positions]
    if len(positions) == 1:
        return hextile_svg.draw(pictures[0])
    groups = group_facts(last.layout)
    lit = {cell for number in decisive(last, groups) for cell in groups[number].tiles}
    return hextile_svg.draw_replay(pictures, lit)


@replay.register
def _(last: MambaPosition, positions: Sequence[MambaPosition]) -> str:
    pictures = [mamba.Picture(each.squares, each.rules.size, each.rules.edges) for each in positions]
    return mamba_svg.draw_replay(pictures)


def positions_of(game: Game[Any, Any]) -> tuple[Any, ...]:
    """The positions of a short game, which is the sample of a game that has one, or else made of legal steps."""
    position = game.begin({}, game.players.start)
    positions = [position]
    for turn in SAMPLES.get(game.name, ()):
        position = game.read_input(position, turn).position
        positions.append(position)
    while game.name not in SAMPLES and position.outcome is None and len(positions) < _STEPS:
        steps = position.legal()
        position = position.play(steps[len(positions) * _STRIDE % len(steps)])
        positions.append(position)
    return tuple(positions)


_STEPS, _STRIDE = 24, 7
"""Steps of a game without a sample, and how far apart those chosen are in the list of legal ones."""


def show_picture_of_game(visit: RequestContext) -> Response:
    """The end of the sample of a game."""
    return _sample(visit, still=True)


def show_replay_of_game(visit: RequestContext) -> Response:
    """The sample of a game, which plays by itself."""
    return _sample(visit, still=False)


def show_picture_of_board(visit: RequestContext) -> Response:
    """A board as it stands."""
    return _of_board(visit, lambda board, context: (context.course(board).position,))


def show_replay_of_board(visit: RequestContext) -> Response:
    """A board from the beginning, which plays by itself."""
    return _of_board(visit, _positions)


def _of_board(visit: RequestContext, positions: Callable[[Board, Context], Sequence[Any]]) -> Response:
    def draw(context: Context) -> str | None:
        shown = positions(find_board(number_of(visit), None, context), context)
        return replay(shown[-1], shown)

    return svg(visit.look(draw), "no-cache")


def _positions(board: Board, context: Context) -> Sequence[Any]:
    game, course = context.games[board.game], context.course(board)
    state = begin(board, game)
    positions = [state.position]
    for moveno in range(1, course.ply):
        state = follow(up_to_move(board, course, moveno), game, state)
        positions.append(state.position)
    return [*positions, course.position] if course.inputs else positions


def _sample(visit: RequestContext, *, still: bool) -> Response:
    game = visit.look(lambda context: context.game(visit.word("game")))
    return svg(_drawn(game, still), f"public, {_HOUR}")


@cache
def _drawn(game: Game[Any, Any], still: bool) -> str | None:
    positions = positions_of(game)
    return replay(positions[-1], positions[-1:] if still else positions)


def svg(drawn: str | None, kept: str) -> Response:
    """An answer with a drawing; ``kept`` tells how long browsers keep it."""
    if drawn is None:
        return Response(status_code=404)
    return Response(drawn, headers={"content-type": "image/svg+xml", "cache-control": kept})
