"""A search from one position: its board, its tree, and what the tree says."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from dataclasses import astuple, dataclass
from typing import Any

from pbem.bots import kernel, translation
from pbem.bots.boards import FAMILY, HEXTILE, LOT, MAMBA, MOST_STEPS, NOBODY, SEATS, take_back
from pbem.bots.compiling import floats, zeros
from pbem.bots.tree import (
    COUNT,
    DEEPEST,
    FIRST,
    MOVER,
    NODE,
    NODES,
    PROVEN,
    ROOT,
    STEP,
    SUM,
    SUMS,
    VISITS,
    plant,
    prove,
    search,
)
from pbem.games.game import Seat

_MOST_NODES = 3_000_000
_NODES_A_PLAYOUT = 60


@dataclass(frozen=True, slots=True)
class Settings:
    """What a search does; `docs/robots.md` has the matches that settled the numbers.

    The order is that of the settings in `pbem.bots.kernel` and `pbem.bots.tree`.
    """

    turns: int = 40
    """After how many turns a playout is judged as it stands, in games that have no end soon."""
    tries: int = 24
    """How many turns are drawn in a playout, where one may win, before any is played; in Mamba moves, of which the one
    that takes most is played."""
    exploration: float = 0.15
    """The weight of what is little known (UCT's C)."""
    alike: float = 500
    """After how many visits what a step seemed worth counts as much as what all playouts say that came to what it makes
    (RAVE's equivalence parameter); 0: only its own count."""
    urgency: float = 0.6
    """What a step counts as worth before anything is known of it (FPU)."""
    patience: int = 1
    """How often a leaf is visited before its children are added."""
    decisive: bool = False
    """Whether a step that wins at once is the only one that is looked at; beside proofs that has shown no worth."""
    solver: bool = True
    """Whether wins and losses are proven."""


BEST = {HEXTILE: Settings(), MAMBA: Settings(turns=0, tries=1, exploration=0.3, alike=0)}
"""The strongest settings that are known, by family."""

PLAIN = Settings(tries=0, exploration=0.7, alike=0, urgency=10, solver=False)
"""UCT without anything else, to measure against."""


@dataclass(frozen=True, slots=True)
class Branch:
    """What a tree says of one step."""

    node: int
    step: int
    visits: int
    worth: float
    """To the seat that plays it, from 0 to 1."""
    proven: bool

    @property
    def rank(self) -> tuple[int, int, float]:
        """By which the best comes last: proven wins, then what was visited most, proven losses first."""
        settled = 0 if not self.proven or self.worth not in {0.0, 1.0} else 1 if self.worth else -1
        return settled, self.visits, self.worth


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
        settings = settings or BEST[int(board[FAMILY])]
        self._solves = settings.solver
        board[LOT] = seed * 2_654_435_761 % 2_147_483_647 or 1
        nodes = min(_MOST_NODES, 2_000 + _NODES_A_PLAYOUT * playouts)
        self._tree, self._sums = zeros(nodes * NODE), floats(nodes * SUMS)
        self._settings, self._worths = floats(len(astuple(settings))), floats(2 * int(board[SEATS]))
        for place, value in enumerate(astuple(settings)):
            self._settings[place] = float(value)
        self._room = zeros(2 * MOST_STEPS + DEEPEST)
        plant(self._tree, self._sums)

    @property
    def root(self) -> int:
        """The node where the board stands."""
        return int(self._tree[ROOT])

    def add(self, playouts: int, line: Sequence[Branch] = ()) -> int:
        """Add so many playouts behind a line from the root; fewer if it gets proven who wins. How many it were."""
        root = self.root
        for branch in line:
            kernel.play(self.board, self.log, branch.step)
            self._tree[ROOT] = branch.node
        parts = self.board, self.log, self._tree, self._sums, self._settings, self._room, self._worths
        made = int(search(*parts, playouts))
        take_back(self.board, self.log, 0)
        self._tree[ROOT] = root
        if self._solves:
            for node in [branch.node for branch in line[-2::-1]] + [root]:
                prove(self.board, self._tree, node)
        return made

    def advance(self, step: Any) -> bool:
        """Let the game go on by a step, and keep what is known of it; False if nothing is, or no room is left."""
        following = {branch.step: branch.node for branch in self.branches(self.root)}
        node = following.get(translation.to_number(self.board, step))
        if node is None or 2 * int(self._tree[NODES]) * NODE > len(self._tree):
            return False
        kernel.play(self.board, self.log, int(self._tree[node * NODE + STEP]))
        self.log[0], self._tree[ROOT] = 0, node
        return True

    def worth_of(self, seat: Seat) -> float:
        """What the playouts were worth to a seat, all in all."""
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
