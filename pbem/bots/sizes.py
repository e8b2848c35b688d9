"""How large the boards are that computer opponents play on: their budgets count playouts, however long one takes."""

from __future__ import annotations

from typing import Any

from pbem.games.game import Game, Position
from pbem.games.hextile.position import Position as HexTilePosition

_TIMES = 2
"""As many tiles as a game has by default, so often. What a playout takes grows faster than the board."""


def tiles_of(position: Position[Any]) -> int | None:
    """How many tiles the game of a position has, laid ones included; None where there are none."""
    return sum(position.rules.supply.values()) if isinstance(position, HexTilePosition) else None


def most_tiles(game: Game[Any, Any]) -> int | None:
    """With how many tiles a game is played at most; None: with any board that it has."""
    usual = tiles_of(game.begin(game.read_options(()), min(game.players)))
    return None if usual is None else _TIMES * usual
