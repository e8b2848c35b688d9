"""Pictures of positions as PNG, for mails: no mail program shows SVG reliably."""

from __future__ import annotations

from PIL import Image

from pbem.diagrams.hextile import inks, sprites
from pbem.diagrams.hextile.picture import Extent, Picture, Scale
from pbem.diagrams.hextile.sprites import Face, Mark, Sprite
from pbem.games.hextile.grid import Cell, State, half_row

MOST_PIXELS = 700
"""To a side: as wide as mail programs show a picture without scaling it down."""

LARGEST_COLUMN = 48
"""From a column to the next on a small board."""


def draw(picture: Picture) -> bytes:
    """A PNG on white paper, at most `MOST_PIXELS` wide and high."""
    board = _Board(picture.extent)
    board.draw(picture)
    return board.encoded()


class _Board:
    """The paper; its pixels are indices of the palette of sprites."""

    def __init__(self, extent: Extent) -> None:
        self._scale = _fitting(extent)
        self._left, self._top = extent.left, extent.top
        self._image = Image.new("L", _size(extent, self._scale))

    def draw(self, picture: Picture) -> None:
        """Draw what lies below first: the outer half of a rim below all tiles."""
        scale = self._scale
        for cell in picture.labels:
            self._paste(cell, sprites.rim(scale, inks.SPACE))
        for cell in picture.blocked:
            self._paste(cell, sprites.null_point(scale))
        for cell in picture.tiles:
            self._paste(cell, sprites.rim(scale, inks.RIM))
        for cell, state in picture.tiles.items():
            self._paste(cell, sprites.tile(scale, _face(picture, cell, state)))
        for cell, text in picture.labels.items():
            self._paste(cell, sprites.label(scale, text))

    def encoded(self) -> bytes:
        """The whole as a file."""
        self._image.thumbnail((MOST_PIXELS, MOST_PIXELS), Image.Resampling.NEAREST)
        return sprites.PALETTE.png(self._image)

    def _paste(self, cell: Cell, sprite: Sprite | None) -> None:
        if sprite is not None:
            x = (cell.q - self._left) * self._scale.column
            y = (half_row(cell) - self._top) * self._scale.half_height
            self._image.paste(sprite.image, (x, y), sprite.mask)


def _fitting(extent: Extent) -> Scale:
    """The largest scale at which the board is not too large; the smallest there is, if all are."""
    scales = map(Scale, range(LARGEST_COLUMN, 0, -1))
    return next((scale for scale in scales if max(_size(extent, scale)) <= MOST_PIXELS), Scale(1))


def _size(extent: Extent, scale: Scale) -> tuple[int, int]:
    x, y = scale.middle
    width = (extent.right - extent.left) * scale.column + 2 * x
    return width, (extent.bottom - extent.top) * scale.half_height + 2 * y


def _face(picture: Picture, cell: Cell, state: State) -> Face:
    mark = Mark.BY_HAND if cell in picture.last else Mark.AUTOMATIC if cell in picture.automatic else Mark.NONE
    return Face(state.bridge, state.tip, state.tip_at, picture.dark, mark)
