"""Regions and territory, on numbers: as `pbem.games.hextile.regions` and `endings`."""

from __future__ import annotations

from collections.abc import MutableSequence

from pbem.bots.boards import put
from pbem.bots.compiling import compiled, zeros
from pbem.bots.hextile.board import (
    BLOCKED,
    BRIDGES,
    CELLS,
    CHANGED,
    CLOSED,
    CLOSED_OF,
    COLOUR,
    CORNER,
    KILLED_OF,
    LARGEST,
    LARGEST_CLOSED_OF,
    LEFT,
    LOOPS_OF,
    PARENT,
    RECORD,
    RIGHT,
    RULES,
    SIZE,
    TILE,
    TILES,
    WAYS,
    WHITE_POINT,
    closed_at,
    corner_at,
    point_at,
    root_of,
    tiles_at,
)
from pbem.bots.hextile.ruleset import ONE_END, OTHER_END, SIDE, STATE_FIELDS, STATES, TIP_AT


@compiled
def touch(board: MutableSequence[int], log: MutableSequence[int], point: int, colour: int) -> None:
    """Count a new tile at a point."""
    if board[point] == 0:
        put(board, log, point + PARENT, point)
        put(board, log, point + SIZE, 1)
        put(board, log, point + BRIDGES, 0)
        put(board, log, point + WAYS, 2)
        put(board, log, point + BLOCKED, 0)
        put(board, log, point + LEFT, point)
        put(board, log, point + RIGHT, point)
        put(board, log, point + COLOUR, colour)
    else:
        root = root_of(board, point)
        put(board, log, root + WAYS, board[root + WAYS] - 1)


@compiled
def join(board: MutableSequence[int], log: MutableSequence[int], one: int, other: int) -> None:
    """Lay a bridge between two points."""
    kept, lost = root_of(board, one), root_of(board, other)
    if kept == lost:
        put(board, log, kept + BRIDGES, board[kept + BRIDGES] + 1)
        return
    if board[kept + SIZE] < board[lost + SIZE]:
        kept, lost = lost, kept
    put(board, log, lost + PARENT, kept)
    put(board, log, kept + SIZE, board[kept + SIZE] + board[lost + SIZE])
    put(board, log, kept + BRIDGES, board[kept + BRIDGES] + board[lost + BRIDGES] + 1)
    put(board, log, kept + WAYS, board[kept + WAYS] + board[lost + WAYS])
    if board[lost + BLOCKED]:
        put(board, log, kept + BLOCKED, board[kept + BLOCKED] + board[lost + BLOCKED])
    if board[lost + LEFT] < board[kept + LEFT]:
        put(board, log, kept + LEFT, board[lost + LEFT])
    if board[lost + RIGHT] > board[kept + RIGHT]:
        put(board, log, kept + RIGHT, board[lost + RIGHT])


@compiled
def note(board: MutableSequence[int], log: MutableSequence[int], point: int) -> None:
    """Keep account of what the region of a point has become: killed, closed, larger, with more loops."""
    root = root_of(board, point)
    colour, ways, bridges = board[root + COLOUR], board[root + WAYS], board[root + BRIDGES]
    if bridges > board[LARGEST + colour]:
        put(board, log, LARGEST + colour, bridges)
    loops = bridges - board[root + SIZE] + 1
    if loops > board[LOOPS_OF + colour]:
        put(board, log, LOOPS_OF + colour, loops)
    if ways == board[root + BLOCKED] and not board[KILLED_OF + colour]:
        put(board, log, KILLED_OF + colour, 1)
    if ways == 0:
        closed, count = closed_at(board), board[CLOSED]
        for each in range(max(0, count - 6), count):
            if board[closed + each] == root:
                return
        put(board, log, closed + count, root)
        put(board, log, CLOSED, count + 1)
        put(board, log, CHANGED, 1)
        put(board, log, CLOSED_OF + colour, board[CLOSED_OF + colour] + 1)
        if bridges > board[LARGEST_CLOSED_OF + colour]:
            put(board, log, LARGEST_CLOSED_OF + colour, bridges)


_MANY = 1 << 20
"""More than there are points."""


@compiled
def _cell_at(board: MutableSequence[int], point: int, index: int) -> int:
    """One of the three cells that meet at a point."""
    column = board[RULES + SIDE] * RECORD
    if point % RECORD == CORNER:
        cell = point - CORNER
        return cell if index == 0 else cell - column if index == 1 else cell - column + RECORD
    cell = point - WHITE_POINT
    return cell if index == 0 else cell + column - RECORD if index == 1 else cell + column


@compiled
def _slot(point: int) -> int:
    """Points in a row, two to each cell."""
    return (point - CELLS) // RECORD * 2 + (1 if point % RECORD == WHITE_POINT else 0)


@compiled
def _ends(board: MutableSequence[int], cell: int, coloured: int) -> tuple[int, int]:
    """The points that the coloured bridge of a tile joins (``coloured`` is 0), or its white one (3)."""
    facts = RULES + STATES + (board[cell + TILE] - 1) * STATE_FIELDS
    one, other = board[facts + ONE_END], board[facts + OTHER_END]
    return point_at(board, cell, one + coloured), point_at(board, cell, other + coloured)


@compiled
def _looped(board: MutableSequence[int], root: int, joins: MutableSequence[int], walls: MutableSequence[int]) -> None:
    """Find the loops of a region, without its branches.

    Args:
        joins: filled in: how many of their bridges end at a point.
        walls: filled in: whether the tile of a cell has one of them.
    """
    tiles, count = tiles_at(board), board[TILES]
    coloured = 0 if board[root + COLOUR] < 2 else 3
    for each in range(count):
        cell = board[tiles + each]
        one, other = _ends(board, cell, coloured)
        if root_of(board, one) == root and root_of(board, other) == root:
            joins[_slot(one)] += 1
            joins[_slot(other)] += 1
            walls[(cell - CELLS) // RECORD] = 1
    changed = 1
    while changed:
        changed = 0
        for each in range(count):
            cell = board[tiles + each]
            if walls[(cell - CELLS) // RECORD]:
                one, other = _ends(board, cell, coloured)
                if joins[_slot(one)] == 1 or joins[_slot(other)] == 1:
                    joins[_slot(one)] -= 1
                    joins[_slot(other)] -= 1
                    walls[(cell - CELLS) // RECORD] = 0
                    changed = 1


@compiled
def _box(board: MutableSequence[int], box: MutableSequence[int]) -> None:
    """Fill in the least and the most column, and the least and the most row, of a box around all tiles."""
    side, tiles = board[RULES + SIDE], tiles_at(board)
    box[0], box[1], box[2], box[3] = side, 0, side, 0
    for each in range(board[TILES]):
        place = (board[tiles + each] - CELLS) // RECORD
        box[0], box[1] = min(box[0], place // side - 1), max(box[1], place // side + 1)
        box[2], box[3] = min(box[2], place % side - 1), max(box[3], place % side + 1)


@compiled
def _is_within(board: MutableSequence[int], box: MutableSequence[int], place: int) -> int:
    """1 if a cell lies in the box."""
    side = board[RULES + SIDE]
    return 1 if box[0] <= place // side <= box[1] and box[2] <= place % side <= box[3] else 0


@compiled
def _outside(board: MutableSequence[int], root: int, box: MutableSequence[int], seen: MutableSequence[int]) -> None:
    """Mark the points of the box that are reached from its edge without crossing the loops of a region, whose ends too.

    Args:
        seen: 1 for what was reached, 2 for ends of the loops.
    """
    side, white, count = board[RULES + SIDE], 3 if board[root + COLOUR] < 2 else 0, 1
    walls, to_visit = zeros(side * side), zeros(2 * side * side)
    _looped(board, root, seen, walls)
    for slot in range(2 * side * side):
        if seen[slot]:
            seen[slot] = 2
    to_visit[0] = CELLS + (box[0] * side + box[2]) * RECORD + CORNER
    seen[_slot(to_visit[0])] = 1
    while count:
        count -= 1
        point = to_visit[count]
        for index in range(3):
            cell = _cell_at(board, point, index)
            place = (cell - CELLS) // RECORD
            apart = 0
            if walls[place]:
                tip = board[RULES + STATES + (board[cell + TILE] - 1) * STATE_FIELDS + TIP_AT]
                apart = point_at(board, cell, tip + white)
            if point == apart or not _is_within(board, box, place):
                continue
            for each in range(6):
                found = point_at(board, cell, each)
                if found != apart and not seen[_slot(found)]:
                    seen[_slot(found)] = 1
                    to_visit[count] = found
                    count += 1


@compiled
def encloses(board: MutableSequence[int], ring: int, inner: int) -> int:
    """1 if a region lies within a loop of another."""
    side = board[RULES + SIDE]
    box, seen = zeros(4), zeros(2 * side * side)
    _box(board, box)
    _outside(board, ring, box, seen)
    return 0 if seen[_slot(inner)] else 1


_COLUMNS, _ROWS = (0, 1, 1, 0, -1, -1), (-1, -1, 0, 1, 1, 0)
"""The way to the next corner in each direction, clockwise from n: as in `pbem.games.hextile.grid.DIRECTIONS`."""


@compiled
def _has_bridge(board: MutableSequence[int], point: int, direction: int) -> int:
    """1 if a coloured bridge leads from a corner towards another, whose directions are those of neighbours."""
    cell = point - CORNER
    if direction == 0 or direction == 5:
        cell -= board[RULES + SIDE] * RECORD
    elif direction > 2:
        cell -= (board[RULES + SIDE] - 1) * RECORD
    state = board[cell + TILE]
    return 1 if state and board[RULES + STATES + (state - 1) * STATE_FIELDS + TIP_AT] == 2 * direction % 3 else 0


@compiled
def _enclosed(board: MutableSequence[int], root: int) -> int:
    """The number of points that the loops of a group enclose, without its own.

    Corners are the points of a lattice of triangles, of which each has a tile or a white point in it, and bridges are
    their sides. Along the outer border of the group, with all within to the right, the area is counted (the shoelace
    formula), the steps, and those that have a white point to their right less those that have a tile there: three for
    each triangle of one kind that is enclosed beyond those of the other. By Euler's formula, the corners enclosed are
    half of the area and the steps, and one, less those of the group.
    """
    point, side = board[root + LEFT], board[RULES + SIDE]
    q, r = (point - CELLS) // RECORD // side, (point - CELLS) // RECORD % side
    start, first, direction, area, steps, white = point, -1, 0, 0, 0, 0
    while True:
        while not _has_bridge(board, point, direction):
            direction = (direction + 1) % 6
        if point == start:
            if direction == first:
                break
            first = direction if first < 0 else first
        to_q, to_r = q + _COLUMNS[direction], r + _ROWS[direction]
        area += q * to_r - to_q * r
        steps += 1
        white += 1 if direction % 2 == 0 else -1
        point += ((to_q - q) * side + to_r - r) * RECORD
        q, r, direction = to_q, to_r, (direction + 4) % 6
    area = abs(area)
    return 1 + (area + steps) // 2 - board[root + SIZE] + (area + white // 3) // 2


@compiled
def territory(board: MutableSequence[int], own: int, smallest: int) -> int:
    """As `pbem.games.hextile.endings.MostTerritory`: of the best group, and what breaks the tie, as one number."""
    tiles = tiles_at(board)
    best, fewest, total, found = 0, 0, 0, 0
    for place in range(board[TILES]):
        for corner in range(3):
            point = corner_at(board, board[tiles + place], corner)
            # each root is met at the first of the tiles that touch it
            has_loops = board[point + BRIDGES] >= board[point + SIZE]
            if board[point] == point and board[point + COLOUR] == own and has_loops and _is_first(board, point, place):
                bridges, each = board[point + BRIDGES], _enclosed(board, point)
                total += each
                if found == 0 or each > best or (each == best and bridges < fewest):
                    best, fewest, found = each, bridges, 1
    breaks = (_MANY // 2 - (fewest if found else 0)) if smallest else total
    return best * _MANY + breaks


@compiled
def _is_first(board: MutableSequence[int], point: int, place: int) -> int:
    """1 if no tile that was laid before touches the point."""
    tiles = tiles_at(board)
    for index in range(3):
        cell = _cell_at(board, point, index)
        for each in range(place):
            if board[tiles + each] == cell:
                return 0
    return 1
