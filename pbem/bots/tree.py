"""Monte Carlo tree search: the tree, and the playouts that grow it."""

from __future__ import annotations

import math
from collections.abc import MutableSequence, Sequence
from dataclasses import astuple, dataclass, replace
from typing import Any

from pbem.bots import kernel
from pbem.bots.boards import DRAWN, FAMILY, HEXTILE, LOT, MAMBA, MOST_STEPS, NOBODY, SEATS, WINNER, lot, take_back
from pbem.bots.compiling import compiled, floats, zeros
from pbem.bots.hextile.patterns import is_learned, learned, worth
from pbem.bots.kernel import WINS, finish, is_in_either_order, play, share, stands, steps, to_act, win_at_once
from pbem.games.game import Seat

NODE = 6
STEP, MOVER, FIRST, COUNT, VISITS, PROVEN = range(NODE)
"""Integers of a node: the step that leads there, the seat that plays it, its first child, how many it has, how often it
was visited, and who wins if all play well (`NOBODY`: that is not known)."""

ROOT, NODES, IS_FULL = 0, 1, 2
"""Integers of the head: the root, how many nodes there are, and 1 once there was no room for more."""

SUMS = 3
SUM, ALIKE_SUM, ALIKE_VISITS = range(SUMS)
"""Floats of a node: what its playouts were worth; and, of all playouts from its parent that came to what the step
makes, whoever made it and when, what they were worth and how many they were."""

EXPLORATION, ALIKE, URGENCY, PATIENCE, DECISIVE, SOLVER, LEARNED = range(WINS + 1, WINS + 8)
"""Settings of the search, behind those of playouts: see `pbem.bots.tree.Settings`."""

DEEPEST = 4_000
"""The most steps that a line can have."""


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
    network: MutableSequence[float],
    playouts: int,
) -> int:
    """Add so many playouts to a tree whose root is the position of the board; fewer once the winner is proven.

    Args:
        room: free for use: `MOST_STEPS` for steps, as many for the winners after them, `DEEPEST` for the line.
        worths: free for use: one for each seat; and as many after them, to which the worth of playouts is added.
        network: that of `pbem.bots.hextile.patterns` where positions are judged by it, too; otherwise it is not read.

    Returns:
        How many were added.
    """
    for done in range(playouts):
        if tree[tree[ROOT] * NODE + PROVEN] != NOBODY:
            return done
        mark = log[0]
        depth = _descend(board, log, tree, sums, settings, room)
        leaf = room[2 * MOST_STEPS + depth]
        if depth and settings[SOLVER] and settings[WINS] and tree[leaf * NODE + PROVEN] == NOBODY:
            _look(board, log, tree, sums, settings, room, leaf, room[2 * MOST_STEPS + depth - 1])
        proven = tree[leaf * NODE + PROVEN]
        if proven != NOBODY:
            for seat in range(board[SEATS]):
                worths[seat] = share(board, proven, seat)
        elif settings[LEARNED]:
            mover, judged, weight = to_act(board), worth(board, network, room), settings[LEARNED]
            if weight < 1.0:
                finish(board, log, worths, settings)
            worths[mover] += weight * (judged - worths[mover])
            worths[1 - mover] = 1.0 - worths[mover]
        else:
            finish(board, log, worths, settings)
        for seat in range(board[SEATS]):
            worths[board[SEATS] + seat] += worths[seat]
        _back_up(board, tree, sums, settings, room, worths, depth)
        take_back(board, log, mark)
    return playouts


@compiled
def _look(
    board: MutableSequence[int],
    log: MutableSequence[int],
    tree: MutableSequence[int],
    sums: MutableSequence[float],
    settings: MutableSequence[float],
    room: MutableSequence[int],
    leaf: int,
    parent: int,
) -> None:
    """Prove a leaf where a turn that wins at once is found quickly; within a turn the leaf gets children by that."""
    mark, mover = log[0], to_act(board)
    if win_at_once(board, log):
        winner = board[WINNER]
        take_back(board, log, mark)
        if tree[leaf * NODE + MOVER] != mover:
            tree[leaf * NODE + PROVEN] = winner
        elif tree[leaf * NODE + COUNT] == 0:
            expand(board, log, tree, sums, settings, room, leaf, parent)


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
            expand(board, log, tree, sums, settings, room, node, room[line + depth - 1] if depth else -1)
        if tree[at + PROVEN] != NOBODY or tree[at + COUNT] == 0 or depth + 1 >= DEEPEST:
            return depth
        node = _select(board, tree, sums, settings, node)
        play(board, log, tree[node * NODE + STEP])
        depth += 1
        if board[WINNER] != NOBODY and settings[SOLVER]:
            tree[node * NODE + PROVEN] = board[WINNER]


@compiled
def expand(
    board: MutableSequence[int],
    log: MutableSequence[int],
    tree: MutableSequence[int],
    sums: MutableSequence[float],
    settings: MutableSequence[float],
    room: MutableSequence[int],
    node: int,
    parent: int,
) -> None:
    """Give a leaf a child for each step, or, where one wins, that one alone; none if there is no room for them.

    Args:
        parent: the node before; -1 if there is none. A turn of two steps that the parent has in the other order, too,
            is left out in one of them.
    """
    if board[WINNER] != NOBODY:
        return
    count, mover, at = steps(board, log, room), to_act(board), node * NODE
    if (tree[NODES] + count) * NODE > len(tree):
        tree[IS_FULL] = 1
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
    goes_on = parent >= 0 and settings[SOLVER] and tree[at + MOVER] == mover
    for each in range(first, first + count):
        winner = room[MOST_STEPS + each]
        is_last = each + 1 == first + count and tree[NODES] == begun  # a node keeps one child at least
        if goes_on and winner == NOBODY and not is_last and _comes_earlier(board, log, tree, parent, node, room[each]):
            continue
        _add(tree, sums, room[each], mover, winner if settings[SOLVER] else NOBODY)
    tree[at + FIRST], tree[at + COUNT] = begun, tree[NODES] - begun
    prove(board, tree, node)


@compiled
def _comes_earlier(
    board: MutableSequence[int],
    log: MutableSequence[int],
    tree: MutableSequence[int],
    parent: int,
    node: int,
    step: int,
) -> int:
    """1 if a step is one of those before a node beside it, and what it comes to after the node is found there."""
    for other in range(tree[parent * NODE + FIRST], node):
        if tree[other * NODE + STEP] == step:
            return is_in_either_order(board, log, tree[node * NODE + STEP], step)
    return 0


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
    """The child to go on with; among equals a random one."""
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
    """The urgency of looking at a step: its apparent worth so far, and more for one that is little known."""
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


_MOST_NODES = 3_000_000
_NODES_A_PLAYOUT = 60


@dataclass(frozen=True, slots=True)
class Settings:
    """Parameters of a search; `docs/robots.md` has the matches that settled the numbers.

    The order is that of the settings in `pbem.bots.kernel` and `pbem.bots.tree`.
    """

    turns: int = 40
    """After how many turns a playout is judged as it stands, in games that have no end soon."""
    tries: int = 1
    """In Mamba: moves drawn in each turn of a playout, of which the one that takes most is played."""
    wins: bool = True
    """Playouts play a turn that closes a region, or makes a loop, and so wins at once wherever there is one."""
    exploration: float = 0.15
    """The weight of what is little known (UCT's C)."""
    alike: float = 500
    """After how many visits what a step seemed worth counts as much as what all playouts say that came to what it makes
    (RAVE's equivalence parameter); 0: only its own count."""
    urgency: float = 0.6
    """The assumed worth of a step before anything is known about it (FPU)."""
    patience: int = 1
    """Visits of a leaf before its children are added."""
    decisive: bool = False
    """A step that wins at once is the only one that is looked at; with proofs this has shown no benefit."""
    solver: bool = True
    """Wins and losses are proven."""
    learned: float = 0.75
    """The weight of a network of patterns (`pbem.bots.hextile.patterns`) beside that of playouts, in games that have
    one."""


BEST = {HEXTILE: Settings(), MAMBA: Settings(turns=0, exploration=0.3, alike=0)}
"""The strongest settings that are known, by family."""

PLAIN = Settings(wins=False, exploration=0.7, alike=0, urgency=10, solver=False, learned=0)
"""UCT without anything else, to measure against."""


def _settings_for(board: MutableSequence[int], settings: Settings | None) -> Settings:
    """Settings, or the best known, as they can be used on a board."""
    settings = settings or BEST[int(board[FAMILY])]
    return settings if board[FAMILY] == HEXTILE and is_learned(board) else replace(settings, learned=0)


@dataclass(frozen=True, slots=True)
class Branch:
    """The findings of a tree about one step."""

    node: int
    step: int
    visits: int
    worth: float
    """To the seat that plays it, from 0 to 1."""
    proven: bool

    @property
    def rank(self) -> tuple[int, float, int]:
        """By which the best comes last: proven losses first, then by what the worth is at least, proven wins last.

        The step that was visited most may have lost its worth by what was found last.
        """
        settled = 0 if not self.proven or self.worth not in {0.0, 1.0} else 1 if self.worth else -1
        doubt = 0.0 if self.proven else 1 / math.sqrt(self.visits)
        return settled, self.worth - doubt, self.visits


class Search:
    """A tree that grows over one board."""

    def __init__(
        self,
        board: MutableSequence[int],
        log: MutableSequence[int],
        settings: Settings | None,
        *,
        seed: int,
        playouts: int,
    ) -> None:
        """Begin a search.

        Args:
            board: where the search begins.
            log: the log of the board.
            settings: what to do; None: what is known to be best.
            seed: any integer; the same one gives the same tree.
            playouts: about how many are to come, for the room that they need.
        """
        self.board, self.log = board, log
        settings = _settings_for(board, settings)
        self._solves = settings.solver
        board[LOT] = seed * 2_654_435_761 % 2_147_483_647 or 1
        nodes = min(_MOST_NODES, 2_000 + _NODES_A_PLAYOUT * playouts)
        self._tree, self._sums = zeros(nodes * NODE), floats(nodes * SUMS)
        self._settings, self._worths = floats(len(astuple(settings))), floats(2 * int(board[SEATS]))
        for place, value in enumerate(astuple(settings)):
            self._settings[place] = float(value)
        self._network = learned() if settings.learned else floats(1)
        self._room = zeros(2 * MOST_STEPS + DEEPEST)
        plant(self._tree, self._sums)

    @property
    def root(self) -> int:
        """The node where the board stands."""
        return int(self._tree[ROOT])

    @property
    def is_full(self) -> bool:
        """A node has no children since there was no room for them."""
        return bool(self._tree[IS_FULL])

    @property
    def is_proven(self) -> bool:
        """The winner is known."""
        return bool(self._tree[self.root * NODE + PROVEN] != NOBODY)

    def add(self, playouts: int, line: Sequence[Branch] = ()) -> int:
        """Add so many playouts behind a line from the root; fewer if it gets proven who wins. How many it were."""
        root = self.root
        for branch in line:
            kernel.play(self.board, self.log, branch.step)
            self._tree[ROOT] = branch.node
        parts = self.board, self.log, self._tree, self._sums, self._settings, self._room, self._worths
        made = int(search(*parts, self._network, playouts))
        take_back(self.board, self.log, 0)
        self._tree[ROOT] = root
        if self._solves:
            for node in [branch.node for branch in line[-2::-1]] + [root]:
                prove(self.board, self._tree, node)
        return made

    def advance(self, step: Any) -> bool:
        """Let the game go on by a step, and keep what is known of it; False if nothing is, or no room is left."""
        following = {branch.step: branch.node for branch in self.branches(self.root)}
        node = following.get(kernel.to_number(self.board, step))
        if node is None or 2 * int(self._tree[NODES]) * NODE > len(self._tree):
            return False
        kernel.play(self.board, self.log, int(self._tree[node * NODE + STEP]))
        self.log[0], self._tree[ROOT] = 0, node
        return True

    def know(self, steps: Sequence[int], winner: int) -> None:
        """Note who wins after some steps from the root, and what that proves of the steps before."""
        path, node = list[int](), self.root
        for step in steps:
            path.append(node)
            node = self._child(node, path[-2] if len(path) > 1 else -1, step)
            if node < 0:
                break
            kernel.play(self.board, self.log, step)
        take_back(self.board, self.log, 0)
        if node >= 0:
            self._tree[node * NODE + PROVEN] = winner
            for each in reversed(path):
                prove(self.board, self._tree, each)

    def _child(self, node: int, parent: int, step: int) -> int:
        """The node that a step leads to from where the board stands; -1 if there is none, or no room for it."""
        if not self._tree[node * NODE + COUNT]:
            parts = self.board, self.log, self._tree, self._sums, self._settings, self._room
            expand(*parts, node, parent)
        first, count = (int(self._tree[node * NODE + each]) for each in (FIRST, COUNT))
        found = (each for each in range(first, first + count) if self._tree[each * NODE + STEP] == step)
        return next(found, -1)

    def worth_of(self, seat: Seat) -> float:
        """The total worth of the playouts to a seat."""
        seats = len(self._worths) // 2
        return float(self._worths[seats + seat]) / max(1, int(self._tree[self.root * NODE + VISITS]))

    def branches(self, node: int) -> list[Branch]:
        """The steps from a node as far as they were looked at, the best first."""
        first, count = (int(self._tree[node * NODE + each]) for each in (FIRST, COUNT))
        found = [self._branch(child) for child in range(first, first + count)]
        return sorted((each for each in found if each.visits or each.proven), key=lambda each: each.rank, reverse=True)

    def _branch(self, node: int) -> Branch:
        step, mover, visits, proven = (int(self._tree[node * NODE + each]) for each in (STEP, MOVER, VISITS, PROVEN))
        if proven != NOBODY:
            return Branch(node, step, visits, float(kernel.share(self.board, proven, mover)), proven=True)
        worth = float(self._sums[node * SUMS + SUM]) / visits if visits else 0.0
        return Branch(node, step, visits, worth, proven=False)
