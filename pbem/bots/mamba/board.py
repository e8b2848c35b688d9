"""A board as one array of integers, and the ways to change a cell.

The array begins with counters and the rules. Behind them stand the cells, row by row from below, with a border of
`OFF` all round; a cell is known by its place in the array, and its neighbours are 1 and a `WIDTH` away. Then come the
keys of which the board's hash is made, lists, and how often boards have stood.
"""

from __future__ import annotations

from collections.abc import MutableSequence

from pbem.bots.boards import put
from pbem.bots.compiling import compiled

ON_TURN, FIRST, PLY, ROUND, QUIET, STIRRED, HASH, LAID, IN_PLAY = range(9)
"""The counters: whose turn it is, who began, the ply, the round, quiet turns, whether more than a move has happened in
the turn under way, the hash of the cells, how many pieces have laid in this turn, and how many seats are in play."""

PIECES, PLAYING = 16, 20
"""By seat, from these counters on: how many pieces, and whether it is in play."""

WIDTH, TEAMS, STRICT, MUST_MOVE, ROUNDS, TOO_FEW, SLOTS = range(24, 31)
"""The rules: cells to the one above, whether there are teams, whether pieces at the edge lay nothing, whether a pass is
for those who cannot move, the last round or 0, how many pieces are too few; and slots for boards that have stood."""

START_COUNTS = 31
"""The rules, too: whether a series that comes back to its own start makes its piece rest, as in their version 1."""

MOMENTS, SEEN, BLOCKED, RESTING, ROWS, COLUMNS, MOVED_FROM, MOVED_TO, CHANGES = range(32, 41)
"""Of the balance under way: how long four of its lists are, bits of the rows and columns that have changed, the way of
the piece that has moved, or zeros, and how often a cell has changed. None of it is noted, since it says nothing between
two steps."""

SQUARES = 41
"""The index at which the cells begin; all of them are below 256."""
AREA = 172
"""Numbers from a cell to its key for the first owner, and on to those of the others."""
OFF = 8
"""The value beyond the edge; owners are 1 to 4, and 0 is empty."""
OWNER_BITS = 7

SEAT_KEYS = SQUARES + 5 * AREA
LAID_AT = SEAT_KEYS + 4
OWN_AT = LAID_AT + 40
RESTING_AT = OWN_AT + 40
BLOCKED_AT = RESTING_AT + 200
SEEN_AT = BLOCKED_AT + 2 * 200
MOMENTS_AT = SEEN_AT + 200
CHANGES_AT = MOMENTS_AT + 800
STEPS_AT = CHANGES_AT + 4000
STOOD_AT = STEPS_AT + 1000
"""The start of the lists: keys of the player on turn, cells that have laid, cells to draw from, the lists of a balance
(changes as a cell and what stood there), steps to draw from, and slots of two numbers for boards that have stood."""

ROOM = 200
"""The room for lists of a balance, which hardly ever have ten entries."""
MOST_CHANGES = 1500
"""After so many changes a balance is left as it is; there is room for what one more series changes."""

PIECES_IN_ALL, LONGEST, QUIET_ROUNDS, REPETITIONS = 40, 4, 30, 3
"""As in `pbem.games.mamba`. They stand here again since what is compiled is kept for as long as the sources of the
robots do not change (`pbem.bots.compiling`), whatever becomes of others."""


@compiled
def set_square(board: MutableSequence[int], log: MutableSequence[int], cell: int, owner: int) -> None:
    """Change what stands on a cell: a piece of seat ``owner - 1``, or nothing with 0."""
    earlier, key = board[cell], board[HASH]
    if earlier:
        key ^= board[cell + earlier * AREA]
        put(board, log, PIECES + earlier - 1, board[PIECES + earlier - 1] - 1)
    if owner:
        key ^= board[cell + owner * AREA]
        put(board, log, PIECES + owner - 1, board[PIECES + owner - 1] + 1)
    put(board, log, cell, owner)
    put(board, log, HASH, key)
    changes, place = board[CHANGES], cell - SQUARES
    board[CHANGES_AT + 2 * changes], board[CHANGES_AT + 2 * changes + 1] = cell, earlier
    board[CHANGES] = changes + 1
    board[ROWS] |= 1 << place // board[WIDTH]
    board[COLUMNS] |= 1 << place % board[WIDTH]


@compiled
def supply_of(board: MutableSequence[int]) -> int:
    """The number of pieces off the board."""
    return PIECES_IN_ALL - board[PIECES] - board[PIECES + 1] - board[PIECES + 2] - board[PIECES + 3]


@compiled
def first_cell(board: MutableSequence[int]) -> int:
    """The lowest cell of the board."""
    return SQUARES + board[WIDTH] + 1


@compiled
def end_of_cells(board: MutableSequence[int]) -> int:
    """The place behind the highest cell of the board."""
    return SQUARES + board[WIDTH] * (board[WIDTH] - 1) - 1


@compiled
def is_isolated(board: MutableSequence[int], cell: int) -> int:
    """1 if nothing stands around a piece (RULES 5)."""
    below, above = cell - board[WIDTH], cell + board[WIDTH]
    near = board[below - 1] | board[below] | board[below + 1] | board[cell - 1]
    near |= board[cell + 1] | board[above - 1] | board[above] | board[above + 1]
    return 1 if (near if board[STRICT] else near & OWNER_BITS) == 0 else 0


@compiled
def is_suffocated(board: MutableSequence[int], cell: int) -> int:
    """1 if a piece stands on a cell, and no cell at its sides is empty (RULES 8)."""
    if board[cell] == 0 or board[cell] == OFF or board[cell - 1] == 0 or board[cell + 1] == 0:
        return 0
    return 1 if board[cell - board[WIDTH]] and board[cell + board[WIDTH]] else 0


@compiled
def party_of(board: MutableSequence[int], seat: int) -> int:
    """The lowest seat of those that win together with this one."""
    return seat % 2 if board[TEAMS] else seat
