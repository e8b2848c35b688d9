"""Brings the board to rest after a laying or a move: as `pbem.games.mamba.balance`, the lowest cell first.

A piece is stale if it could turn with the same signature before the step (RULES 13b); its signature shows that. So only
rows and columns that have changed since then need to be looked at. Views along these are as in
`pbem.games.mamba.squares`.
"""

from __future__ import annotations

import math
from collections.abc import MutableSequence

from pbem.bots.boards import NOBODY, SEATS, WINNER, put
from pbem.bots.compiling import compiled
from pbem.bots.mamba.board import (
    BLOCKED,
    BLOCKED_AT,
    CHANGES,
    CHANGES_AT,
    COLUMNS,
    HASH,
    LONGEST,
    MOMENTS,
    MOMENTS_AT,
    MOST_CHANGES,
    MOVED_FROM,
    MOVED_TO,
    OFF,
    ON_TURN,
    OWNER_BITS,
    PIECES,
    PLAYING,
    RESTING,
    RESTING_AT,
    ROOM,
    ROWS,
    SEEN,
    SEEN_AT,
    SQUARES,
    START_COUNTS,
    STIRRED,
    TEAMS,
    TOO_FEW,
    WIDTH,
    end_of_cells,
    first_cell,
    is_isolated,
    is_suffocated,
    set_square,
    supply_of,
)

NONE = 1 << 20
"""Higher than any cell."""


@compiled
def _stir(board: MutableSequence[int], log: MutableSequence[int]) -> None:
    """Note that the turn is no quiet one."""
    if not board[STIRRED]:
        put(board, log, STIRRED, 1)


@compiled
def _suffocate(board: MutableSequence[int], log: MutableSequence[int], cell: int) -> None:
    """Remove, all at once, what has no empty cell at its sides now that a cell was filled (RULES 8)."""
    width = board[WIDTH]
    middle, left, right = is_suffocated(board, cell), is_suffocated(board, cell - 1), is_suffocated(board, cell + 1)
    below, above = is_suffocated(board, cell - width), is_suffocated(board, cell + width)
    if middle + left + right + below + above == 0:
        return
    _stir(board, log)
    if middle:
        set_square(board, log, cell, 0)
    if left:
        set_square(board, log, cell - 1, 0)
    if right:
        set_square(board, log, cell + 1, 0)
    if below:
        set_square(board, log, cell - width, 0)
    if above:
        set_square(board, log, cell + width, 0)


@compiled
def _cut(board: MutableSequence[int], log: MutableSequence[int], cell: int) -> int:
    """Cut what is too long through a cell, the lowest end first (RULES 10); 1 if anything was.

    Nothing else can be too long: the cell is the one that has changed. Ends are compared piece by piece, as the rules
    order them, so an end of one piece comes before a longer one that begins with it.
    """
    width, was_cut = board[WIDTH], 0
    while board[cell]:
        left, below = follow(board, cell, -1), follow(board, cell, -width)
        row = left + follow(board, cell, 1) + 1 - LONGEST
        column = below + follow(board, cell, width) + 1 - LONGEST
        if row <= 0 and column <= 0:
            break
        lowest, step, surplus = cell - left, 1, row
        if row <= 0 or (column > 0 and (below or (left == 0 and column == 1))):
            lowest, step, surplus = cell - below * width, width, column
        for each in range(surplus):
            set_square(board, log, lowest + each * step, 0)
        was_cut = 1
    if was_cut:
        _stir(board, log)
        board[SEEN], board[MOMENTS], board[RESTING] = 0, 0, 0
    return was_cut


@compiled
def _signature_before(board: MutableSequence[int], cell: int) -> int:
    """The signature that a piece had before the step; for a cell that was empty, one that no piece has."""
    count = board[CHANGES]
    for each in range(count - 1, -1, -1):
        _swap(board, CHANGES_AT + 2 * each)
    found = signature(board, board[MOVED_FROM] if cell == board[MOVED_TO] else cell)
    for each in range(count):
        _swap(board, CHANGES_AT + 2 * each)
    return found


@compiled
def _swap(board: MutableSequence[int], at: int) -> None:
    """Change what stands on a cell with what stood there before the change that is listed there."""
    cell = board[at]
    board[at + 1], board[cell] = board[cell], board[at + 1]


@compiled
def _is_stale(board: MutableSequence[int], cell: int) -> int:
    """1 if a piece that can turn is not offered (RULES 13)."""
    for each in range(board[RESTING]):
        if board[RESTING_AT + each] == cell:
            return 1
    now = signature(board, cell)
    if now == _signature_before(board, cell):
        return 1
    for each in range(board[BLOCKED]):
        if board[BLOCKED_AT + 2 * each] == cell and board[BLOCKED_AT + 2 * each + 1] == now:
            return 1
    return 0


@compiled
def _offered_on(board: MutableSequence[int], cell: int, step: int, lowest: int) -> int:
    """The lowest piece that is offered on a line from ``cell`` on, if it is lower than ``lowest``."""
    while cell < lowest and board[cell] != OFF:
        if board[cell] and favours(board, cell) and not _is_stale(board, cell):
            return cell
        cell += step
    return lowest


@compiled
def _offered(board: MutableSequence[int]) -> int:
    """The lowest piece that is offered (RULES 12, 13); `NONE` if the balance is restored."""
    width, lowest = board[WIDTH], NONE
    rows, columns = board[ROWS], board[COLUMNS]
    for each in range(1, width - 1):
        if rows >> each & 1:
            lowest = _offered_on(board, SQUARES + each * width + 1, 1, lowest)
        if columns >> each & 1:
            lowest = _offered_on(board, SQUARES + width + each, width, lowest)
    return lowest


@compiled
def _is_listed(board: MutableSequence[int], at: int, count: int) -> int:
    """1 if the board as it stands is in a list of hashes."""
    for each in range(at, at + count):
        if board[each] == board[HASH]:
            return 1
    return 0


@compiled
def _end_series(board: MutableSequence[int], cell: int) -> None:
    """Let a piece rest if its series has led back to an earlier moment of choice (RULES 13c).

    The last moment in the list is the one at which the series began.
    """
    earlier = board[MOMENTS] if board[START_COUNTS] else board[MOMENTS] - 1
    if _is_listed(board, MOMENTS_AT, earlier) and board[RESTING] < ROOM:
        board[RESTING_AT + board[RESTING]] = cell
        board[RESTING] += 1


@compiled
def _next_of(board: MutableSequence[int], owners: int, seat: int) -> int:
    """The first seat from one on, clockwise, whose bit as an owner is set."""
    while owners >> (seat + 1) & 1 == 0:
        seat = (seat + 1) % board[SEATS]
    return seat


@compiled
def _transform(board: MutableSequence[int], log: MutableSequence[int], cell: int) -> None:
    """Let a piece undergo its series (RULES 12)."""
    seat = board[ON_TURN]
    board[SEEN_AT], board[SEEN] = board[HASH], 1
    while board[cell]:
        owners = favours(board, cell)
        if owners == 0:
            _end_series(board, cell)
            return
        seat = _next_of(board, owners, seat)
        set_square(board, log, cell, seat + 1)
        seat = (seat + 1) % board[SEATS]
        if _is_listed(board, SEEN_AT, board[SEEN]) or board[SEEN] == ROOM:
            if board[BLOCKED] < ROOM:
                board[BLOCKED_AT + 2 * board[BLOCKED]] = cell
                board[BLOCKED_AT + 2 * board[BLOCKED] + 1] = signature(board, cell)
                board[BLOCKED] += 1
            _end_series(board, cell)
            _cut(board, log, cell)
            return
        board[SEEN_AT + board[SEEN]] = board[HASH]
        board[SEEN] += 1
        _cut(board, log, cell)


@compiled
def remember(board: MutableSequence[int], moved_from: int, moved_to: int) -> None:
    """Begin to list what changes in a laying or a move; for a laying its way is zeros."""
    board[MOVED_FROM], board[MOVED_TO] = moved_from, moved_to
    board[ROWS], board[COLUMNS], board[CHANGES] = 0, 0, 0


@compiled
def come_to_rest(board: MutableSequence[int], log: MutableSequence[int], cell: int) -> None:
    """Bring the board to rest now that a cell was filled; what was before has been remembered."""
    board[MOMENTS], board[BLOCKED], board[RESTING] = 0, 0, 0
    _suffocate(board, log, cell)
    _cut(board, log, cell)
    for _ in range(4 * ROOM):
        found = _offered(board)
        if found == NONE or board[CHANGES] > MOST_CHANGES:
            return
        _stir(board, log)
        board[MOMENTS_AT + board[MOMENTS]] = board[HASH]
        board[MOMENTS] += 1
        _transform(board, log, found)


_PIECE, _LAYER, _MARGIN = 0.22, 0.13, 0.8
"""The weights of a piece, of one that can lay, and of the logarithm of how many pieces a player has more than are too
few. A side's share of the points goes with the exponential of their sum.

They were fitted (conditional logit) to 242 games of two players that chose the best of one to six random moves,
from positions of the last 250 turns; games of three and four players say much the same. What rows there are, who
touches whom, who stands at the edge and who is on turn told hardly more. Only a layer was fitted at twice as much; in
40 games with 125 playouts a step that did a little worse (0.45 of the points)."""


@compiled
def appraise(board: MutableSequence[int], worths: MutableSequence[float]) -> None:
    """Fill in what the position is worth to each seat: from 0 to 1, and 1 for all sides together."""
    for seat in range(board[SEATS]):
        worths[seat] = 0.0
    if board[WINNER] == NOBODY:
        _judge(board, worths)
    elif board[WINNER] >= 0:
        worths[board[WINNER]] = 1.0
    else:
        for seat in range(2 if board[TEAMS] else board[SEATS]):
            worths[seat] = 1.0
    _share(board, worths)


@compiled
def _judge(board: MutableSequence[int], worths: MutableSequence[float]) -> None:
    """Fill in how strong each player stands, as numbers whose relations count."""
    if supply_of(board):
        for cell in range(first_cell(board), end_of_cells(board)):
            if board[cell] & OWNER_BITS and is_isolated(board, cell):
                worths[board[cell] - 1] += _LAYER
    for seat in range(board[SEATS]):
        if board[PLAYING + seat]:
            pieces = board[PIECES + seat]
            margin = max(1, pieces - board[TOO_FEW])
            worths[seat] = math.exp(worths[seat] + _PIECE * pieces) * margin**_MARGIN


@compiled
def _share(board: MutableSequence[int], worths: MutableSequence[float]) -> None:
    """Let the worths of all sides be 1 together, and partners have the same."""
    total = 0.0
    for seat in range(board[SEATS]):
        total += worths[seat]
    for seat in range(board[SEATS]):
        worths[seat] /= total
    if board[TEAMS]:
        for seat in range(2):
            worths[seat] += worths[seat + 2]
            worths[seat + 2] = worths[seat]


@compiled
def follow(board: MutableSequence[int], cell: int, step: int) -> int:
    """The number of pieces of the same owner that follow in a direction."""
    owner, at = board[cell], cell + step
    count = 0
    while board[at] == owner:
        count += 1
        at += step
    return count


@compiled
def _view(board: MutableSequence[int], cell: int, step: int) -> int:
    """A piece's view in a direction, below 128: the number of its own, or the neighbour's owner and alignment."""
    own = follow(board, cell, step)
    beside = board[cell + step]
    if own or beside & OWNER_BITS == 0:
        return own
    return beside * 16 + 1 + follow(board, cell + step, step)


@compiled
def signature(board: MutableSequence[int], cell: int) -> int:
    """The signature of a piece as one number (RULES 11)."""
    width = board[WIDTH]
    row = _view(board, cell, -1) * 128 + _view(board, cell, 1)
    column = _view(board, cell, -width) * 128 + _view(board, cell, width)
    return ((board[cell] * 128 * 128) + row) * 128 * 128 + column


@compiled
def _favour(board: MutableSequence[int], cell: int, step: int) -> int:
    """In whose favour a piece can turn by its neighbour in a direction: a bit of the owner, or 0."""
    beside = board[cell + step]
    if beside == 0 or beside == OFF or beside == board[cell]:
        return 0
    if follow(board, cell + step, step) > follow(board, cell, -step):
        return 1 << beside
    return 0


@compiled
def favours(board: MutableSequence[int], cell: int) -> int:
    """In whose favour a piece can turn: the bits of those owners (RULES 11)."""
    width = board[WIDTH]
    row = _favour(board, cell, -1) | _favour(board, cell, 1)
    return row | _favour(board, cell, -width) | _favour(board, cell, width)
