"""A search tree: UCT with what is known to help where many steps are good for either player.

Sources: Kocsis and Szepesvári, "Bandit based Monte-Carlo planning" (2006), the search; Gelly and Wang, "Exploration
exploitation in Go" (2006), first-play urgency; Gelly and Silver, "Monte-Carlo tree search and rapid action value
estimation in computer Go" (2011), all moves as first; Teytaud and Teytaud, "On the huge benefit of decisive moves"
(2010); Winands, Björnsson and Saito, "Monte-Carlo tree search solver" (2008).

A tree is two arrays, of integers and of floats, with a record in each for every node. Node 0 is the head. What a node
is worth is told from the side of the seat that played the step which leads there.
"""

from __future__ import annotations

import math
from collections.abc import MutableSequence

from pbem.bots.boards import DRAWN, MOST_STEPS, NOBODY, SEATS, WINNER, lot, take_back
from pbem.bots.compiling import compiled
from pbem.bots.kernel import TRIES, finish, play, share, stands, steps, to_act

NODE = 6
STEP, MOVER, FIRST, COUNT, VISITS, PROVEN = range(NODE)
"""Integers of a node: the step that leads there, the seat that plays it, its first child, how many it has, how often it
was visited, and who wins if all play well (`NOBODY`: that is not known)."""

ROOT, NODES = 0, 1
"""Integers of the head: the root, and how many nodes there are."""

SUMS = 3
SUM, ALIKE_SUM, ALIKE_VISITS = range(SUMS)
"""Floats of a node: what its playouts were worth; and, of all playouts from its parent that came to what the step
makes, whoever made it and when, what they were worth and how many they were."""

EXPLORATION, ALIKE, URGENCY, PATIENCE, DECISIVE, SOLVER = range(TRIES + 1, TRIES + 7)
"""Settings of the search, behind those of playouts: see `pbem.bots.search.Settings`."""

DEEPEST = 4_000
"""How many steps a line can have."""


@compiled
def plant(tree: MutableSequence[int], sums: MutableSequence[float]) -> None:
    """Begin a tree that has nothing but a root."""
    tree[ROOT], tree[NODES] = 1, 1
    _add(tree, sums, -1, -1, NOBODY)


@compiled
def _add(tree: MutableSequence[int], sums: MutableSequence[float], step: int, mover: int, proven: int) -> None:
    """Add a node that was never visited."""
    node = tree[NODES]
    tree[NODES] = node + 1
    at = node * NODE
    tree[at + STEP], tree[at + MOVER], tree[at + PROVEN] = step, mover, proven
    tree[at + FIRST], tree[at + COUNT], tree[at + VISITS] = 0, 0, 0
    for each in range(SUMS):
        sums[node * SUMS + each] = 0.0


@compiled
def search(
    board: MutableSequence[int],
    log: MutableSequence[int],
    tree: MutableSequence[int],
    sums: MutableSequence[float],
    settings: MutableSequence[float],
    room: MutableSequence[int],
    worths: MutableSequence[float],
    playouts: int,
) -> int:
    """Add so many playouts to a tree, whose root is where the board stands; fewer if it is proven who wins.

    Args:
        room: free for use: `MOST_STEPS` for steps, as many for who has won after them, `DEEPEST` for the line.
        worths: free for use: one for each seat; and as many behind them, to which what playouts were worth is added.

    Returns:
        How many were added.
    """
    for done in range(playouts):
        if tree[tree[ROOT] * NODE + PROVEN] != NOBODY:
            return done
        mark = log[0]
        depth = _descend(board, log, tree, sums, settings, room)
        leaf = room[2 * MOST_STEPS + depth]
        proven = tree[leaf * NODE + PROVEN]
        if proven != NOBODY:
            for seat in range(board[SEATS]):
                worths[seat] = share(board, proven, seat)
        else:
            finish(board, log, worths, settings)
        for seat in range(board[SEATS]):
            worths[board[SEATS] + seat] += worths[seat]
        _back_up(board, tree, sums, settings, room, worths, depth)
        take_back(board, log, mark)
    return playouts


@compiled
def _descend(
    board: MutableSequence[int],
    log: MutableSequence[int],
    tree: MutableSequence[int],
    sums: MutableSequence[float],
    settings: MutableSequence[float],
    room: MutableSequence[int],
) -> int:
    """Play from the root to a leaf, which may get children by that.

    Returns:
        How many steps that was; the nodes of the line are in the room.
    """
    node, depth, line = tree[ROOT], 0, 2 * MOST_STEPS
    while True:
        room[line + depth] = node
        at = node * NODE
        if tree[at + COUNT] == 0 and tree[at + VISITS] >= settings[PATIENCE]:
            _expand(board, log, tree, sums, settings, room, node)
        if tree[at + PROVEN] != NOBODY or tree[at + COUNT] == 0 or depth + 1 >= DEEPEST:
            return depth
        node = _select(board, tree, sums, settings, node)
        play(board, log, tree[node * NODE + STEP])
        depth += 1
        if board[WINNER] != NOBODY and settings[SOLVER]:
            tree[node * NODE + PROVEN] = board[WINNER]


@compiled
def _expand(
    board: MutableSequence[int],
    log: MutableSequence[int],
    tree: MutableSequence[int],
    sums: MutableSequence[float],
    settings: MutableSequence[float],
    room: MutableSequence[int],
    node: int,
) -> None:
    """Give a leaf a child for each step, or, where one wins, that one alone; none if there is no room for them."""
    if board[WINNER] != NOBODY:
        return
    count, mover, at = steps(board, log, room), to_act(board), node * NODE
    if (tree[NODES] + count) * NODE > len(tree):
        return
    if count == 0:
        tree[at + PROVEN] = DRAWN
        return
    first, begun = 0, tree[NODES]
    if settings[DECISIVE]:
        for each in range(count):
            if share(board, room[MOST_STEPS + each], mover) == 1.0:
                first, count = each, 1
                break
    for each in range(first, first + count):
        _add(tree, sums, room[each], mover, room[MOST_STEPS + each] if settings[SOLVER] else NOBODY)
    tree[at + FIRST], tree[at + COUNT] = begun, count
    prove(board, tree, node)


@compiled
def prove(board: MutableSequence[int], tree: MutableSequence[int], node: int) -> int:
    """Find out whether its children prove who wins at a node; 1 if they do.

    One step that wins is enough; else all must be proven, and be worth the same to all or be one seat's best.
    """
    at = node * NODE
    first, all_proven, best, worth = tree[at + FIRST], 1, NOBODY, -1.0
    for child in range(first, first + tree[at + COUNT]):
        proven = tree[child * NODE + PROVEN]
        if proven == NOBODY:
            all_proven = 0
        else:
            each = share(board, proven, tree[child * NODE + MOVER])
            if each > worth:
                best, worth = proven, each
    if worth == 1.0 or (all_proven and worth >= 0.0):
        tree[at + PROVEN] = best
        return 1
    return 0


@compiled
def _select(
    board: MutableSequence[int],
    tree: MutableSequence[int],
    sums: MutableSequence[float],
    settings: MutableSequence[float],
    node: int,
) -> int:
    """The child to go on with; among equals by lot."""
    at = node * NODE
    first, count = tree[at + FIRST], tree[at + COUNT]
    known = math.log(tree[at + VISITS] + 1.0)
    start, chosen, best = lot(board, count), first, -1e9
    for each in range(count):
        child = first + (start + each) % count
        proven = tree[child * NODE + PROVEN]
        if proven == NOBODY:
            value = _value(tree, sums, settings, child, known)
        else:
            value = share(board, proven, tree[child * NODE + MOVER])
            value = -1.0 if value == 0.0 else value  # a step that loses is never one to look at again
        if value > best:
            chosen, best = child, value
    return chosen


@compiled
def _value(
    tree: MutableSequence[int],
    sums: MutableSequence[float],
    settings: MutableSequence[float],
    child: int,
    known: float,
) -> float:
    """How urgent it is to look at a step: what it seemed worth so far, and more for one that is little known."""
    visits, alike = tree[child * NODE + VISITS], sums[child * SUMS + ALIKE_VISITS]
    value = sums[child * SUMS + SUM] / visits if visits else settings[URGENCY]
    if settings[ALIKE] and alike:
        weight = math.sqrt(settings[ALIKE] / (3.0 * visits + settings[ALIKE]))
        value += weight * (sums[child * SUMS + ALIKE_SUM] / alike - value)
    return value + settings[EXPLORATION] * math.sqrt(known / (visits + 1.0))


@compiled
def _back_up(
    board: MutableSequence[int],
    tree: MutableSequence[int],
    sums: MutableSequence[float],
    settings: MutableSequence[float],
    room: MutableSequence[int],
    worths: MutableSequence[float],
    depth: int,
) -> None:
    """Tell all nodes of the line what the playout was worth, and what it has proven."""
    line, proves = 2 * MOST_STEPS, settings[SOLVER]
    for each in range(depth, -1, -1):
        node = room[line + each]
        at = node * NODE
        tree[at + VISITS] += 1
        if tree[at + MOVER] >= 0:
            sums[node * SUMS + SUM] += worths[tree[at + MOVER]]
        if settings[ALIKE]:
            for child in range(tree[at + FIRST], tree[at + FIRST] + tree[at + COUNT]):
                if stands(board, tree[child * NODE + STEP]):
                    sums[child * SUMS + ALIKE_VISITS] += 1.0
                    sums[child * SUMS + ALIKE_SUM] += worths[tree[child * NODE + MOVER]]
        if proves and each < depth:
            proves = prove(board, tree, node) if tree[room[line + each + 1] * NODE + PROVEN] != NOBODY else 0
