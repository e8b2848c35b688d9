"""Positions of the hexagonal tile games as mails show them."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from pbem.diagrams import ascii as letters
from pbem.diagrams import png
from pbem.diagrams.picture import Picture
from pbem.games.hextile import facts
from pbem.games.hextile.position import Position  # noqa: TC001 - what `show` is told by
from pbem.games.hextile.tiles import Colour
from pbem.games.hextile.turns import Placement
from pbem.wording.boards import Fitting, Group, Shown, show
from pbem.wording.layout import ranges

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.games.hextile.grid import Cell
    from pbem.games.hextile.tiles import States

@show.register
def _(position: Position) -> Shown:
    layout, fitting = position.layout, position.fitting()
    nulls = layout.null_points
    labels = {cell: label for cell, label in layout.labels.items() if cell not in nulls}
    spaces = tuple(Fitting(labels[cell], ranges(states)) for cell, states in fitting.items() if states)
    return Shown(
        board=letters.draw(layout.tiles, labels | dict.fromkeys(nulls, letters.NULL_POINT)),
        states=_states(position.rules.states),
        supply=position.supply,
        spaces=spaces,
        sizes=_sizes(position),
        make_picture=lambda: png.draw(_picture(position, labels)),
        make_groups=lambda: _groups(position),
        make_moves=lambda: _moves(position),
        laid=bool(position.last_turn),
        may_swap=position.may_swap,
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


def _sizes(position: Position) -> tuple[tuple[int, ...], ...]:
    by_colour: dict[Colour, list[int]] = {colour: [] for colour in position.colours}
    for region in position.layout.regions.by_name.values():
        if region.bridges and region.colour in by_colour:
            by_colour[region.colour].append(region.bridges)
    return tuple(tuple(sorted(sizes, reverse=True)) for sizes in by_colour.values())


def _groups(position: Position) -> tuple[Group, ...]:
    """The groups of the players that have a bridge: a lone tip says nothing."""
    own = (fact for fact in facts.group_facts(position.layout) if fact.bridges and fact.colour in position.colours)
    return tuple(_group(position, fact) for fact in sorted(own, key=lambda fact: -fact.bridges))


def _group(position: Position, fact: facts.Group) -> Group:
    return Group(
        seat=position.colours.index(fact.colour),
        bridges=fact.bridges,
        loops=fact.loops,
        eyes=fact.eyes,
        territory=fact.territory,
        closed=fact.closed,
        killed=bool(fact.killed),
        ways_out=tuple(position.layout.spaces[cell].label for cell in fact.liberties),
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
