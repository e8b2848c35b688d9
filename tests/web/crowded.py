"""Boards late in long games: as many tiles as the options give, played at random without an end."""

from __future__ import annotations

from random import Random
from typing import Any

from pbem.bootstrap import find_games
from pbem.games.game import IllegalMove
from pbem.games.hextile.position import Placement, Position

LARGEST = {
    "mambo": ("-size=400",),
    "mambo -mambogo": ("-mambogo", "-size=400"),
    "superbo": ("-num_tiles=200",),
    "lambo": ("-size=400",),
    "palago": ("-size=400",),
}
"""The options under which most tiles are laid."""


def crowded(name: str, left: int = 4) -> dict[str, Any]:
    """The record of a game that goes on until so few tiles are left."""
    rng, game = Random(1), find_games()[name.split()[0]]
    options = game.read_options([word.removeprefix("-") for word in LARGEST[name]])
    position, turns = game.begin(options, 2), list[Any]()
    steps: list[Placement] = []
    while sum(position.supply.values()) > left or position.mid_turn:
        step, after = _any(position, rng)
        steps.append(step)
        if after.ply > position.ply:
            turns.append(game.input_record(after, steps))
            steps = []
        position = after
    facts = {"format": "pbem-game/1", "game": game.name, "options": dict(options), "players": ["a", "b"]}
    return {**facts, "turns": turns, "rules": game.rules, "first": 0}


def _any(position: Position, rng: Random) -> tuple[Placement, Position]:
    """Some tile that may be laid and does not end the game."""
    cells = list(position.layout.spaces)
    while True:
        cell = rng.choice(cells)
        states = position.fitting_at(cell)
        step = Placement(cell, rng.choice(states).number) if states else None
        try:
            after = step and position.play(step)
        except IllegalMove:
            continue
        if step and after and after.outcome is None:
            return step, after
