"""Positions short of the end, and what they come to if all play well, found by trying everything."""

from __future__ import annotations

from random import Random
from typing import Any

from pbem.bootstrap import find_games
from pbem.games.game import Game, Position

GAMES = find_games()


def begun(variant: str, players: int = 2) -> tuple[Game[Any, Any], Position[Any]]:
    """A game, and its first position."""
    name, *words = variant.split()
    return GAMES[name], GAMES[name].begin(GAMES[name].read_options(words), players)


def by_lot(variant: str, seed: int, most_steps: int = 10_000) -> list[Position[Any]]:
    """The positions of a game by lot, step by step, from the first."""
    lots = Random(f"{variant} {seed}")
    positions = [begun(variant)[1]]
    while len(positions) <= most_steps and positions[-1].outcome is None and (legal := positions[-1].legal()):
        positions.append(positions[-1].play(lots.choice(legal)))
    return positions


def worth(position: Position[Any]) -> float:
    """The worth of a position of two players for the one to act, from 0 to 1; for the first seat once it is over."""
    if position.outcome is not None:
        return share(position, 0)
    seat = position.to_act
    assert seat is not None
    best = 0.0
    for step in position.legal():
        after = position.play(step)
        if after.outcome is not None:
            found = share(after, seat)
        else:
            found = worth(after) if after.to_act == seat else 1 - worth(after)
        best = max(best, found)
        if best == 1:
            break
    return best


def share(position: Position[Any], seat: int) -> float:
    """The worth of a finished game for a seat."""
    assert position.outcome is not None
    winners = position.outcome.winners
    return float(seat in winners) if winners else 1 / 2
