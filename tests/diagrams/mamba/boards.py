"""Boards of Mamba to draw."""

from __future__ import annotations

import random
from functools import cache
from typing import TYPE_CHECKING

from pbem.diagrams.mamba.picture import Picture
from pbem.games.mamba.game import MAMBA

if TYPE_CHECKING:
    from pbem.games.mamba.position import Position

PLAYERS = (2, 3, 4)


def start(players: int, size: int = 9) -> Position:
    """Before the first turn."""
    return MAMBA.begin({"size": size}, players)


@cache
def crowded(players: int, size: int = 9, seed: int = 1) -> Position:
    """The fullest position among those of some random turns, at rest or not."""
    chance, now = random.Random(seed), start(players, size)  # noqa: S311  no secret
    fullest = now
    for _ in range(150):
        now = now.play(chance.choice(now.legal()))
        if now.outcome is not None:
            break
        fullest = min(now, fullest, key=lambda each: each.supply)
    return fullest


def picture(position: Position, viewer: int | None = None) -> Picture:
    """What a mail shows of a position."""
    turn = position.latest
    before = position.squares if turn is None else turn.began
    changed = (cell for cell, mark in enumerate(position.squares) if mark != before[cell])
    return Picture(position.squares, position.rules.size, position.rules.edges, frozenset(changed), viewer)
