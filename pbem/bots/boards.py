"""What the boards of integers of all families have in common: a head, changes that are taken back, and lots.

A board is one array of integers of 32 bits. It begins with numbers of its family, some of which have their place here;
what stands behind them is the family's own. Every change goes through `put`, which notes in a log what was there
before, so that a search can play and take back. The first number of a log says where its last note ends.
"""

from __future__ import annotations

from collections.abc import MutableSequence

from pbem.bots.compiling import compiled

HEXTILE, MAMBA = range(2)
"""The families."""

WINNER, LOT, FAMILY, SEATS = 12, 13, 14, 15
"""Where each board has: who has won (`NOBODY` while the game is on, `DRAWN`, a seat, or for teams the first of them),
the state of its lots (never 0), its family, and for how many the game is."""

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
    """A number by lot, from 0 (xorshift with 32 bits: Marsaglia, "Xorshift RNGs", 2003)."""
    drawn = board[LOT] & 0xFFFFFFFF
    drawn ^= drawn << 13 & 0xFFFFFFFF
    drawn ^= drawn >> 17
    drawn ^= drawn << 5 & 0xFFFFFFFF
    board[LOT] = drawn - (drawn >> 31 << 32)
    return (drawn >> 1) * below >> 31
