"""Boards of Lambo and Palago as one array of integers, quicker than those of `pbem.bots.hextile`.

All tiles of these games are alike, so that any state fits everywhere, and light mirrors dark: a white point lies across
the cell from each corner, and white bridges run across from dark ones. A colour is a sign here, `DARK` or `LIGHT`, by
which offsets are multiplied. A point is known by the cell whose W corner it is, or whose E point.

Compiled functions of `search` have those of this module in them, and the compiler does not notice a change here:
remove ``pbem/bots/__pycache__`` then.

A turn is one number: ``cell * 4 + state`` of one tile, and that of the other, if there is one, times `SECOND`.
"""

from __future__ import annotations

from collections.abc import MutableSequence

from pbem.bots.compiling import compiled

SIDE = 128
"""Columns and rows. The start tile lies in the middle, and fewer tiles than reach the edge are laid."""
CELLS = SIDE * SIDE
MIDDLE = SIDE // 2 * (SIDE + 1)
DARK, LIGHT = 1, -1
SECOND = 1 << 16

TILE, SPACE_SEEN, SEEN, FOUND, PARENT, OPEN, ONE, OTHER = (CELLS * each for each in range(8))
"""For each cell its state or 0, and a stamp. For each point: two stamps; then, once regions were found, the next point
of its region; of a root, the number of empty cells at the region, at most 3 for many, and two of them."""
TILES = 8 * CELLS
SPACES = TILES + 1024
POINTS = SPACES + 2048
STACK = POINTS + 2048
LAID, STAMP, LEFT, OPEN_ONE, OPEN_OTHER, HASHES = (STACK + 2048 + each for each in range(6))
"""Lists: the cells of tiles, spaces, points, and points to visit. Then counters: tiles laid, the last stamp, tiles left
in the supply; two empty cells at the region that was looked at last; and a hash for each symmetry."""
MOST_SYMMETRIES = 12
SYMMETRIES = HASHES + MOST_SYMMETRIES
"""The number of symmetries, then eight numbers for each: the images of the coordinates (three numbers each: times
column, times row, and added), a multiple of the state, and what is added to it."""
SYMMETRY = 8
LOTS = SYMMETRIES + 1 + SYMMETRY * MOST_SYMMETRIES
"""A random number for each tile on each cell."""
BOARD = LOTS + 4 * CELLS


@compiled
def corner(which: int) -> int:
    """The way from a cell to a corner: W, NE, SE. The way back leads to the white point across."""
    return 0 if which == 0 else SIDE - 1 if which == 1 else SIDE


@compiled
def beside(cell: int, direction: int) -> int:
    """A neighbour, clockwise from n."""
    if direction < 3:
        return cell - 1 if direction == 0 else cell + SIDE - 1 if direction == 1 else cell + SIDE
    return cell + 1 if direction == 3 else cell - SIDE + 1 if direction == 4 else cell - SIDE


@compiled
def are_neighbours(one: int, other: int) -> bool:
    """Return True if two cells touch."""
    apart = other - one
    return apart in (1, -1, SIDE, -SIDE, SIDE - 1, 1 - SIDE)


@compiled
def _mix(board: MutableSequence[int], cell: int, state: int) -> None:
    """Add a tile to the hashes, or take it away."""
    q, r = cell // SIDE, cell % SIDE
    for each in range(board[SYMMETRIES]):
        at = SYMMETRIES + 1 + SYMMETRY * each
        column = board[at] * q + board[at + 1] * r + board[at + 2]
        row = board[at + 3] * q + board[at + 4] * r + board[at + 5]
        image = (board[at + 6] * (state - 1) + board[at + 7]) % 3
        board[HASHES + each] ^= board[LOTS + (column * SIDE + row) * 4 + image]


@compiled
def lay(board: MutableSequence[int], tile: int) -> None:
    """Lay a tile; nothing is looked at."""
    cell = tile // 4
    board[TILE + cell] = tile % 4
    board[TILES + board[LAID]] = cell
    board[LAID] += 1
    board[LEFT] -= 1
    _mix(board, cell, tile % 4)


@compiled
def take_back(board: MutableSequence[int]) -> None:
    """Take back the tile that was laid last."""
    board[LAID] -= 1
    board[LEFT] += 1
    cell = board[TILES + board[LAID]]
    _mix(board, cell, board[TILE + cell])
    board[TILE + cell] = 0


@compiled
def lay_turn(board: MutableSequence[int], turn: int) -> None:
    """Lay the tiles of a turn."""
    lay(board, turn % SECOND)
    if turn >= SECOND:
        lay(board, turn // SECOND)


@compiled
def take_back_turn(board: MutableSequence[int], turn: int) -> None:
    """Take back the tiles of the turn that was laid last."""
    if turn >= SECOND:
        take_back(board)
    take_back(board)


@compiled
def key_of(board: MutableSequence[int]) -> int:
    """A number for the position that its images under all symmetries share; how many tiles lie says who is to move."""
    least = board[HASHES]
    for each in range(1, board[SYMMETRIES]):
        least = min(least, board[HASHES + each])
    return least


@compiled
def bridges_if_closed(board: MutableSequence[int], point: int, colour: int) -> int:
    """The bridges of the region of a point, each counted twice, if no empty cell touches it; else 0."""
    board[STAMP] += 1
    stamp, count, bridges = board[STAMP], 1, 0
    board[STACK] = point
    board[SEEN + point] = stamp
    while count:
        count -= 1
        here = board[STACK + count]
        for own in range(3):
            cell = here - colour * corner(own)
            state = board[TILE + cell]
            if state == 0:
                return 0
            if state - 1 != own:
                bridges += 1
                there = cell + colour * corner(3 - own - (state - 1))
                if board[SEEN + there] != stamp:
                    board[SEEN + there] = stamp
                    board[STACK + count] = there
                    count += 1
    return bridges


@compiled
def closes(board: MutableSequence[int], cell: int, colour: int) -> bool:
    """Return True if the tile of a cell belongs to a closed group with a bridge."""
    tip = board[TILE + cell] - 1
    if bridges_if_closed(board, cell + colour * corner(tip), colour):
        return True
    return bridges_if_closed(board, cell + colour * corner((tip + 1) % 3), colour) > 0


@compiled
def _root(board: MutableSequence[int], point: int) -> int:
    while board[PARENT + point] != point:
        point = board[PARENT + point]
    return point


@compiled
def _add_open(board: MutableSequence[int], root: int, cell: int) -> None:
    """Note an empty cell at a region."""
    count = board[OPEN + root]
    if count == 0:
        board[ONE + root] = cell
    elif count == 1:
        if board[ONE + root] == cell:
            return
        board[OTHER + root] = cell
    elif count == 2:
        if board[ONE + root] == cell or board[OTHER + root] == cell:
            return
    else:
        return
    board[OPEN + root] = count + 1


@compiled
def _join(board: MutableSequence[int], one: int, other: int) -> None:
    """Make one region of two."""
    kept, lost = _root(board, one), _root(board, other)
    if kept == lost:
        return
    board[PARENT + lost] = kept
    if board[OPEN + lost] > 2:
        board[OPEN + kept] = 3
        return
    if board[OPEN + lost] > 0:
        _add_open(board, kept, board[ONE + lost])
    if board[OPEN + lost] > 1:
        _add_open(board, kept, board[OTHER + lost])


@compiled
def find_regions(board: MutableSequence[int], colour: int) -> int:
    """Find the regions of a colour and the empty cells at each; return the number of points at `POINTS`."""
    board[STAMP] += 1
    stamp, count = board[STAMP], 0
    for each in range(board[LAID]):
        cell = board[TILES + each]
        for which in range(3):
            point = cell + colour * corner(which)
            if board[FOUND + point] != stamp:
                board[FOUND + point] = stamp
                board[PARENT + point] = point
                board[OPEN + point] = 0
                for own in range(3):
                    around = point - colour * corner(own)
                    if board[TILE + around] == 0:
                        _add_open(board, point, around)
                board[POINTS + count] = point
                count += 1
        tip = board[TILE + cell] - 1
        _join(board, cell + colour * corner((tip + 1) % 3), cell + colour * corner((tip + 2) % 3))
    return count


@compiled
def _has_won(board: MutableSequence[int], one: int, other: int, colour: int) -> bool:
    """Return True if tiles that were just laid on these cells, or on one if the other is 0, win.

    They close a group to which the first belongs, and none of the enemy's.
    """
    if not closes(board, one, colour) or closes(board, one, -colour):
        return False
    return other == 0 or not closes(board, other, -colour)


@compiled
def wins(board: MutableSequence[int], turn: int, colour: int) -> bool:
    """Return True if a turn that won before other tiles were laid still wins."""
    one, other = turn % SECOND, turn // SECOND
    if board[TILE + one // 4] or (other and (board[TILE + other // 4] or board[LEFT] < 2)):
        return False
    board[TILE + one // 4] = one % 4
    if other:
        board[TILE + other // 4] = other % 4
    found = _has_won(board, one // 4, other // 4, colour)
    board[TILE + one // 4] = 0
    if other:
        board[TILE + other // 4] = 0
    return found


@compiled
def _add_winning(
    board: MutableSequence[int], one: int, other: int, colour: int, found: MutableSequence[int], at: int
) -> int:
    """Fill in the turns on these two cells, or on one if the other is 0, that win; return how many do."""
    count = 0
    for first in range(1, 4):
        board[TILE + one] = first
        for second in range(1, 4 if other else 2):
            if other:
                board[TILE + other] = second
            if _has_won(board, one, other, colour):
                found[at + count] = one * 4 + first + ((other * 4 + second) * SECOND if other else 0)
                count += 1
    board[TILE + one] = 0
    if other:
        board[TILE + other] = 0
    return count


@compiled
def winning_turns(board: MutableSequence[int], colour: int, found: MutableSequence[int], at: int) -> int:
    """Fill in the turns with which a colour wins at once, without tiles that are not needed; return how many there are.

    Three cells meet at each point, so that every point of a group that a turn closes was touched before. All regions
    of which that group is made have no empty cells but those on which the turn lies. One of them has all of these.
    """
    count = 0
    if board[LEFT] == 0:
        return 0
    for each in range(find_regions(board, colour)):
        point = board[POINTS + each]
        if board[PARENT + point] == point:
            empty, one, other = board[OPEN + point], board[ONE + point], board[OTHER + point]
            if empty == 1:
                count += _add_winning(board, one, 0, colour, found, at + count)
            elif empty == 2 and board[LEFT] > 1 and are_neighbours(one, other):
                count += _add_winning(board, one, other, colour, found, at + count)
    return count


@compiled
def _find_open(board: MutableSequence[int], point: int, colour: int) -> int:
    """The number of empty cells at the region of a point, at most 3; note two of them."""
    board[STAMP] += 1
    stamp, count, empty = board[STAMP], 1, 0
    board[STACK] = point
    board[SEEN + point] = stamp
    while count:
        count -= 1
        here = board[STACK + count]
        for own in range(3):
            cell = here - colour * corner(own)
            state = board[TILE + cell]
            if state == 0:
                if empty == 0 or (cell != board[OPEN_ONE] and (empty == 1 or cell != board[OPEN_OTHER])):
                    if empty == 2:
                        return 3
                    board[OPEN_ONE + empty] = cell
                    empty += 1
            elif state - 1 != own:
                there = cell + colour * corner(3 - own - (state - 1))
                if board[SEEN + there] != stamp:
                    board[SEEN + there] = stamp
                    board[STACK + count] = there
                    count += 1
    return empty


@compiled
def _may_close(board: MutableSequence[int], point: int, colour: int) -> bool:
    """Return True if a turn wins by closing the group of a point."""
    empty = _find_open(board, point, colour)
    if empty == 0 or empty == 3:
        return False
    one, other, found = board[OPEN_ONE], board[OPEN_OTHER], False
    if empty == 2 and (board[LEFT] < 2 or not are_neighbours(one, other)):
        return False
    for first in range(1, 4):
        board[TILE + one] = first
        if empty == 1:
            left = _find_open(board, point, colour)
            if left == 0:
                found = found or _has_won(board, one, 0, colour)
            if left != 1 or board[LEFT] < 2 or not are_neighbours(one, board[OPEN_ONE]):
                continue
            other = board[OPEN_ONE]
        for second in range(1, 4):
            board[TILE + other] = second
            found = found or _has_won(board, one, other, colour)
        board[TILE + other] = 0
        if found:
            break
    board[TILE + one] = 0
    return found


@compiled
def may_close_at(board: MutableSequence[int], cell: int, colour: int) -> bool:
    """Return True if a turn wins by closing a group to which the tile of a cell belongs."""
    tip = board[TILE + cell] - 1
    if _may_close(board, cell + colour * corner(tip), colour):
        return True
    return _may_close(board, cell + colour * corner((tip + 1) % 3), colour)


@compiled
def find_spaces(board: MutableSequence[int]) -> int:
    """Gather the empty cells beside tiles at `SPACES`; return how many there are."""
    board[STAMP] += 1
    stamp, count = board[STAMP], 0
    for each in range(board[LAID]):
        for direction in range(6):
            cell = beside(board[TILES + each], direction)
            if board[TILE + cell] == 0 and board[SPACE_SEEN + cell] != stamp:
                board[SPACE_SEEN + cell] = stamp
                board[SPACES + count] = cell
                count += 1
    return count


@compiled
def _closes_any(board: MutableSequence[int], cell: int) -> bool:
    return closes(board, cell, DARK) or closes(board, cell, LIGHT)


@compiled
def quiet_turns(board: MutableSequence[int], found: MutableSequence[int], base: int) -> int:
    """Fill in every turn, from ``base`` on, that closes no group; return their number.

    Of two orders of the same tiles there is one. Where no turn wins at once, all others lose at once.
    """
    spaces, count = find_spaces(board), 0
    stamp = board[STAMP]
    for place in range(spaces):
        cell = board[SPACES + place]
        for state in range(1, 4):
            board[TILE + cell] = state
            if _closes_any(board, cell):
                continue
            if board[LEFT] == 1:
                found[base + count] = cell * 4 + state
                count += 1
                continue
            for direction in range(6):
                there = beside(cell, direction)
                if board[TILE + there] or (board[SPACE_SEEN + there] == stamp and there < cell):
                    continue
                for second in range(1, 4):
                    board[TILE + there] = second
                    if not _closes_any(board, there):
                        found[base + count] = cell * 4 + state + (there * 4 + second) * SECOND
                        count += 1
                board[TILE + there] = 0
        board[TILE + cell] = 0
    return count


@compiled
def largest(board: MutableSequence[int], colour: int) -> int:
    """The bridges of the largest group of a colour."""
    count, most = find_regions(board, colour), 0
    for each in range(count):
        board[ONE + board[POINTS + each]] = 0
    for each in range(board[LAID]):
        cell = board[TILES + each]
        tip = board[TILE + cell] - 1
        root = _root(board, cell + colour * corner((tip + 1) % 3))
        board[ONE + root] += 1
        most = max(most, board[ONE + root])
    return most
