"""Positions as JSON, in those parts that only the rules of the game can tell from a record."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch
from typing import Any

from pbem.domain.game_state import GameState
from pbem.games.hextile.grid import Cell
from pbem.games.hextile.position import Position
from pbem.web.api.answers import Json
from pbem.wording.hextile import labels_when_laid


@singledispatch
def hextile_of(position: object) -> Json | None:
    """The facts of a hexagonal tile position beside its tiles and groups; None for another game."""
    return None


@hextile_of.register(Position)
def _(position: Position) -> Json:
    layout, fitting = position.layout, position.fitting()
    filled = {cell: label for cell, label in labels_when_laid(position).items() if label}
    nulls = set(layout.null_points)
    return {
        "spaces": [
            {**_labelled(cell, label), "states": list(fitting[cell])}
            for cell, label in layout.labels.items()
            if cell not in nulls
        ],
        "null_points": [_labelled(cell, layout.labels[cell]) for cell in layout.null_points],
        "filled": [_labelled(cell, label) for cell, label in filled.items()],
        "supply": dict(position.supply),
        "last_turn": [
            {**_labelled(tile.cell, tile.label), "state": tile.state.number, "automatic": tile.automatic}
            for tile in position.turn or position.last_turn
        ],
    }


def _labelled(cell: Cell, label: str) -> dict[str, Any]:
    return {"label": label, "q": cell.q, "r": cell.r}


def turns_of(course: GameState) -> Sequence[Json]:
    """The moves played so far, as in the list of moves."""
    return [
        {
            "move": played.moveno,
            "seat": played.seat,
            "text": played.text.move,
            "automatic": list(played.text.automatic),
        }
        for played in course.inputs
    ]
