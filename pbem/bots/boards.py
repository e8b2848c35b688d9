"""Boards as searches see them, and the robots with their budgets."""

from __future__ import annotations

from collections.abc import Mapping, MutableSequence
from dataclasses import dataclass
from typing import Any

from pbem.bots.compiling import compiled
from pbem.games.game import Game, Position
from pbem.games.hextile.endings import ClosesWithEye, Eats, Kills, MakesLoops
from pbem.games.hextile.position import Position as HexTilePosition

HEXTILE, MAMBA = range(2)
"""The families."""

WINNER, LOT, FAMILY, SEATS = 12, 13, 14, 15
"""The places of the winner (`NOBODY` while the game is on, `DRAWN`, a seat, or for teams the first of them),
the random state (never 0), the family, and the number of players."""

NOBODY, DRAWN = -2, -1

MOST_STEPS = 20_000
"""More steps than any position has."""


@compiled
def put(board: MutableSequence[int], log: MutableSequence[int], at: int, value: int) -> None:
    """Change a number of the board, and note what it was."""
    noted = log[0]
    log[noted + 1] = at
    log[noted + 2] = board[at]
    log[0] = noted + 2
    board[at] = value


@compiled
def take_back(board: MutableSequence[int], log: MutableSequence[int], mark: int) -> None:
    """Take back all changes since the log was as long as ``mark``."""
    noted = log[0]
    while noted > mark:
        board[log[noted - 1]] = log[noted]
        noted -= 2
    log[0] = noted


@compiled
def lot(board: MutableSequence[int], below: int) -> int:
    """A random number from 0 (xorshift with 32 bits: Marsaglia, "Xorshift RNGs", 2003)."""
    drawn = board[LOT] & 0xFFFFFFFF
    drawn ^= drawn << 13 & 0xFFFFFFFF
    drawn ^= drawn >> 17
    drawn ^= drawn << 5 & 0xFFFFFFFF
    board[LOT] = drawn - (drawn >> 31 << 32)
    return (drawn >> 1) * below >> 31


_TIMES = 2
"""As many tiles as a game has by default, so often. What a playout takes grows faster than the board."""


def tiles_of(position: Position[Any]) -> int | None:
    """The number of tiles that the game of a position has, laid ones included; None where there are none."""
    return sum(position.rules.supply.values()) if isinstance(position, HexTilePosition) else None


def most_tiles(game: Game[Any, Any]) -> int | None:
    """With how many tiles a game is played at most; None: with any board that it has."""
    usual = tiles_of(game.begin(game.read_options(()), min(game.players)))
    return None if usual is None else _TIMES * usual


@dataclass(frozen=True, slots=True)
class Level:
    """An opponent; its strength depends on playouts alone, not on the machine."""

    userid: str
    number: int
    """From 1, the weakest."""
    playouts: int
    """The number of playouts for a turn in most games."""

    def playouts_in(self, position: Position[Any]) -> int:
        """The number of playouts for a turn in a position."""
        return self.playouts * _times_as_many(position).get(self.userid, 1)


def _times_as_many(position: Position[Any]) -> Mapping[str, int]:
    """The levels that make more playouts, and how many times as many.

    Turns of one tile that need not close a region are searched quickly. Where loops alone win, whoever begins mostly
    does, and where turns of two tiles win by an eye or by eating, little is seen with fewer: there a level shows only
    with so many more (`docs/robots.md`).
    """
    if not isinstance(position, HexTilePosition):
        return {}
    kinds = {type(win) for win in position.rules.wins}
    if position.rules.tiles_a_turn > 1:
        return {STRONGEST: 4} if kinds == {Eats} else {STRONGEST: 2} if kinds == {ClosesWithEye} else {}
    if kinds == {MakesLoops}:
        return {"robot4": 4, STRONGEST: 4}
    return {STRONGEST: 4} if kinds <= {Kills, MakesLoops} else {}


LEVELS: Mapping[str, Level] = {
    f"robot{number}": Level(f"robot{number}", number, playouts)
    for number, playouts in enumerate((64, 256, 1024, 4096, 16384), start=1)
}
"""All opponents by userid, weakest first."""

STRONGEST = "robot5"
"""The robot that ``robot`` means."""
