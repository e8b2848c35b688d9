"""Positions of the hexagonal tile games as mails show them."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from pbem.diagrams import ascii as letters
from pbem.diagrams import png
from pbem.diagrams.picture import Picture
from pbem.games.hextile import endings, nesting
from pbem.games.hextile.grid import cells_at
from pbem.games.hextile.position import Position  # noqa: TC001 - what `show` is told by
from pbem.games.hextile.tiles import Colour
from pbem.games.hextile.turns import Placement
from pbem.wording.boards import Fitting, Group, Shown, show
from pbem.wording.layout import ranges

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pbem.games.hextile.grid import Cell
    from pbem.games.hextile.regions import Region
    from pbem.games.hextile.tiles import States

NULL_POINT = "-"
"""Drawn in a space that no tile can fill, instead of its label."""


@show.register
def _(position: Position) -> Shown:
    layout, fitting = position.layout, position.fitting()
    nulls = layout.null_points
    labels = {cell: label for cell, label in layout.labels.items() if cell not in nulls}
    spaces = tuple(Fitting(labels[cell], ranges(states)) for cell, states in fitting.items() if states)
    return Shown(
        board=letters.draw(layout.tiles, labels | dict.fromkeys(nulls, NULL_POINT)),
        states=_states(position.rules.states),
        supply=position.supply,
        spaces=spaces,
        make_picture=lambda: png.draw(_picture(position, labels)),
        make_groups=lambda: _groups(position),
        make_moves=lambda: _moves(position),
    )


@lru_cache(maxsize=64)
def _states(states: States) -> str:
    """The same for all boards of a game."""
    return letters.draw_states(states)


def _picture(position: Position, labels: Mapping[Cell, str]) -> Picture:
    last = position.last_turn
    return Picture(
        position.layout.tiles,
        labels,
        null_points=position.layout.null_points,
        last={tile.cell for tile in last if not tile.automatic},
        automatic={tile.cell for tile in last if tile.automatic},
        dark=Colour.WHITE in position.colours,
    )


def _groups(position: Position) -> tuple[Group, ...]:
    regions = position.layout.regions
    killed = endings.killed(position.layout)
    own = (region for region in regions.by_name.values() if region.colour in position.colours and region.bridges)
    ordered = sorted(own, key=lambda region: -region.bridges)
    return tuple(_group(position, region, killed) for region in ordered)


def _group(position: Position, region: Region, killed: Sequence[Region]) -> Group:
    layout = position.layout
    cells = {cell for point in region.points for cell in cells_at(point)}
    open_to = (space.label for cell, space in layout.spaces.items() if cell in cells and position.fitting_at(cell))
    return Group(
        seat=position.colours.index(region.colour),
        bridges=region.bridges,
        loops=region.loops,
        eyes=len(nesting.eyes(layout.regions, region)) if region.is_coloured else 0,
        killed=region in killed,
        ways_out=tuple(open_to),
    )


def _moves(position: Position) -> dict[str, str]:
    """The first legal placement of each space; a comma tells that a second tile is wanted."""
    more = "," if position.tiles_to_lay > 1 else ""
    moves: dict[str, str] = {}
    for step in position.legal():
        if isinstance(step, Placement):
            label = position.layout.spaces[step.cell].label
            moves.setdefault(label, f"{label}{step.state}{more}")
    return moves
