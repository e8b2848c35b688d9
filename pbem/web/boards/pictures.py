"""Pictures of positions and of whole games, for cards and for whoever shares a link."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, singledispatch
from typing import Any

from PIL.Image import Image
from starlette.exceptions import HTTPException
from starlette.responses import Response

from pbem.diagrams import figures, hextile, mamba
from pbem.diagrams.hextile import png as hextile_png
from pbem.diagrams.hextile import svg as hextile_svg
from pbem.diagrams.mamba import png as mamba_png
from pbem.diagrams.mamba import svg as mamba_svg
from pbem.diagrams.png import Palette, centred
from pbem.diagrams.replay import LAST, STEP
from pbem.domain.boards import Board
from pbem.domain.game_state import begin, follow, up_to_move
from pbem.games.game import Game
from pbem.games.hextile.facts import deciding_tiles
from pbem.games.hextile.position import Position as HexTilePosition
from pbem.games.mamba.position import Position as MambaPosition
from pbem.ids import BoardNumber
from pbem.usecases.context import Context
from pbem.usecases.understanding import find_board
from pbem.web.boards.page import number_of
from pbem.web.boards.samples import SAMPLES
from pbem.web.boards.views import example_game
from pbem.web.context import RequestContext
from pbem.wording.mamba import changed_cells

_HOUR = "max-age=3600"


@singledispatch
def replay(last: Any, positions: Sequence[Any]) -> str | None:
    """The positions of a game as one drawing that plays by itself, or a still one of a single position.

    Returns:
        The drawing as SVG; None for a game without figures.
    """
    drawn = [each.figure for each in positions]
    if last.figure is None:
        return None
    return figures.draw_still(last.figure) if len(drawn) == 1 else figures.draw_replay(drawn)


@replay.register
def _(last: HexTilePosition, positions: Sequence[HexTilePosition]) -> str:
    pictures = _with_something_on_them(positions)
    if len(pictures) == 1:
        return hextile_svg.draw(pictures[0], _LEAST_ROWS)
    return hextile_svg.draw_replay(pictures, deciding_tiles(last), _LEAST_ROWS)


@replay.register
def _(last: MambaPosition, positions: Sequence[MambaPosition]) -> str:
    pictures = [mamba.Picture(each.squares, each.rules.size, each.rules.edges) for each in positions]
    return mamba_svg.draw_replay(pictures)


@singledispatch
def pixels(last: Any, positions: Sequence[Any], width: int, height: int) -> tuple[Palette, Iterator[Image]] | None:
    """The positions of a game as pictures of one size that fit in this; None for a game without figures."""
    if last.figure is None:
        return None
    size = figures.scale(last.figure, width, height, _LARGEST_SHARED)
    return figures.PALETTE, (figures.image(each.figure, size) for each in positions)


@pixels.register
def _(
    last: HexTilePosition, positions: Sequence[HexTilePosition], width: int, height: int
) -> tuple[Palette, Iterator[Image]]:
    pictures = _with_something_on_them(positions)
    largest = _LARGEST_SHARED if len(positions) == 1 else hextile_png.LARGEST_COLUMN
    return hextile_png.PALETTE, hextile_png.images(pictures, width, height, largest)


@pixels.register
def _(
    last: MambaPosition, positions: Sequence[MambaPosition], width: int, height: int
) -> tuple[Palette, Iterator[Image]]:
    pictures = [
        mamba.Picture(each.squares, each.rules.size, each.rules.edges, changed_cells(each)) for each in positions
    ]
    return mamba_png.PALETTE, mamba_png.images(pictures, min(width, height))


def _with_something_on_them(positions: Sequence[HexTilePosition]) -> list[hextile.Picture]:
    """The positions from the first one with a tile on; of a game without tiles its first space, rather than nothing."""
    begun = [hextile.picture_of(each, {}) for each in positions if each.layout.tiles]
    last = positions[-1]
    return begun or [hextile.picture_of(last, dict.fromkeys(last.layout.spaces, ""))]


_LEAST_ROWS = 3
"""The least height of a drawing, in tiles: a single one looks like a tile, not like a sign."""
_LARGEST_SHARED = 84
"""Pixels from a column to the next in a picture to share: few tiles fill it as well."""

SHARED = (1200, 630)
"""The width and height of pictures to share, as sites that show links like them (ogp.me)."""
_EDGE = 24
"""Pixels around the board there."""
_PAPER = "#fbf8f2"
"""As of our pages where they are light."""

MOST_ANIMATED = 600
"""The most pixels to a side of an animation."""
MOST_TURNS = 400
"""Of longer games no animation is made."""
LONGEST = 60
"""Seconds that the turns of an animation take together: in long games they follow each other faster."""


def positions_of(game: Game[Any, Any]) -> Sequence[Any]:
    """The positions of the sample of a game, or of an example of one that has no sample."""
    if game.name not in SAMPLES:
        return example_game(game)
    positions = [game.begin({}, game.players.start)]
    for turn in SAMPLES[game.name]:
        positions.append(game.read_input(positions[-1], turn).position)
    return positions


def show_picture_of_game(visit: RequestContext) -> Response:
    """The end of the sample of a game."""
    return _sample(visit, still=True)


def show_replay_of_game(visit: RequestContext) -> Response:
    """The sample of a game, which plays by itself."""
    return _sample(visit, still=False)


def show_pictures(visit: RequestContext) -> Response:
    """The ends of the samples of all games on one sheet: a page with many of them asks once."""
    return _sheet(visit, still=True)


def show_replays(visit: RequestContext) -> Response:
    """The samples of all games on one sheet."""
    return _sheet(visit, still=False)


def _sheet(visit: RequestContext, *, still: bool) -> Response:
    games = visit.look(lambda context: tuple(context.games.values()))
    return svg(_drawn_sheet(games, still), f"public, {_HOUR}")


@cache
def _drawn_sheet(games: tuple[Game[Any, Any], ...], still: bool) -> str:
    """A sheet on which each game has a view of its own, named after it: ``#superbo``."""
    return _on_a_sheet({game.name: _drawn(game, still) for game in games})


def _on_a_sheet(drawn: Mapping[str, str | None]) -> str:
    """Drawings as one, with a view for each, named like it."""
    views, drawings = [], []
    for number, (name, drawing) in enumerate(drawn.items()):
        top = number * _HEIGHT
        views.append(f'<view id="{name}" viewBox="0 {top} {_WIDTH} {_HEIGHT}"/>')
        place = f' x="0" y="{top}" width="{_WIDTH}" height="{_HEIGHT}"'
        drawings.append(_SIZE.sub(place, drawing or "", count=1))
    size = f'width="{_WIDTH}" height="{_HEIGHT}" viewBox="0 0 {_WIDTH} {_HEIGHT * len(drawn)}"'
    return "".join((f'<svg xmlns="http://www.w3.org/2000/svg" {size}>', *views, *drawings, "</svg>"))


def show_pictures_of_boards(visit: RequestContext) -> Response:
    """Some boards as they stand, on one sheet: ``?of=101.7,102.3`` names them and their last events."""
    of = visit.request.query_params.get("of", "")
    if not _BOARDS.fullmatch(of):
        raise HTTPException(404)
    wanted = {BoardNumber(int(number)): int(event) for number, event in _NUMBERS.findall(of)}

    def draw(context: Context) -> tuple[str, bool]:
        boards = [find_board(number, None, context) for number in wanted]
        positions = {f"b{board.number}": context.course(board).position for board in boards}
        drawn = _on_a_sheet({name: replay(position, (position,)) for name, position in positions.items()})
        return drawn, all(board.event_number == wanted[board.number] for board in boards)

    drawn, is_of_now = visit.look(draw)
    return svg(drawn, f"public, {_HOUR}" if is_of_now else "no-store")


_BOARDS = re.compile(r"[1-9][0-9]{0,8}\.[0-9]{1,5}(?:,[1-9][0-9]{0,8}\.[0-9]{1,5}){0,7}")
"""At most eight boards, and the number of the last event of each: another event makes another sheet."""
_NUMBERS = re.compile(r"([0-9]+)\.([0-9]+)")
_WIDTH, _HEIGHT = 320, 240
_SIZE = re.compile(r' width="[^"]*" height="[^"]*"')


def show_picture_of_board(visit: RequestContext) -> Response:
    """A board as it stands."""
    return _of_board(visit, lambda board, context: (context.course(board).position,))


def show_replay_of_board(visit: RequestContext) -> Response:
    """A board from the beginning, which plays by itself."""
    return _of_board(visit, _positions)


def show_shared_picture(visit: RequestContext) -> Response:
    """A board as it stands, as a picture for whoever shows a link to it."""

    def draw(board: Board, context: Context) -> bytes | None:
        position = context.course(board).position
        found = pixels(position, (position,), SHARED[0] - 2 * _EDGE, SHARED[1] - 2 * _EDGE)
        return None if found is None else found[0].png(centred(next(found[1]), *SHARED), _PAPER)

    return _png(visit, draw)


def show_animation(visit: RequestContext) -> Response:
    """A board from the beginning, as an animated picture (APNG)."""

    def draw(board: Board, context: Context) -> bytes | None:
        course = context.course(board)
        if not course.inputs or course.ply > MOST_TURNS:
            return None
        found = pixels(course.position, _positions(board, context), MOST_ANIMATED, MOST_ANIMATED)
        return None if found is None else found[0].animation(found[1], min(STEP, LONGEST / max(1, course.ply)), LAST)

    return _png(visit, draw)


def _png(visit: RequestContext, draw: Callable[[Board, Context], bytes | None]) -> Response:
    """The picture of a board, which is drawn again only after an event there."""
    number = number_of(visit)
    board = visit.look(lambda context: find_board(number, None, context))

    def make() -> Response:
        drawn = visit.look(lambda context: draw(board, context))
        if drawn is None:
            raise HTTPException(404)
        return Response(
            drawn, headers={"content-type": "image/png", "cache-control": "no-cache", "vary": "Accept-Encoding"}
        )

    return visit.site.kept.page((visit.request.url.path, board.event_number), make)


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
        raise HTTPException(404)
    return Response(drawn, headers={"content-type": "image/svg+xml", "cache-control": kept})
