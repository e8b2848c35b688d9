"""Rules 8 to 14 reckoned a second time, from their text alone: plain loops, copied boards, whole trees of choices.

Nothing here is shared with the game but the way cells are counted: (column, row), both from 0 at a1. It is slow, and
says ``TooWide`` where the tree of what may follow grows beyond its bound.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

Cell: TypeAlias = tuple[int, int]
Pieces: TypeAlias = dict[Cell, int]
Frozen: TypeAlias = frozenset[tuple[Cell, int]]
Signature: TypeAlias = tuple[object, ...]
Option: TypeAlias = tuple[Cell, ...]
"""The piece to turn, alone; or the end of an alignment and the cell next to it."""

LONGEST = 4
DIRECTIONS: tuple[Cell, ...] = ((1, 0), (-1, 0), (0, 1), (0, -1))


@dataclass(frozen=True)
class Settled:
    """A restored balance: ``pieces`` when those ``out`` have left, ``counts`` of all seats where nobody is left."""

    pieces: Frozen
    out: frozenset[int]
    counts: tuple[int, ...] | None


@dataclass(frozen=True, eq=False)
class Asked:
    """A choice that matters: what follows each option is the same object where it is the same."""

    owner: int
    kind: Literal["turn", "cut"]
    options: tuple[tuple[Option, "Tree"], ...]


Tree: TypeAlias = Settled | Asked


class TooWide(Exception):
    """More may follow than is worth the reckoning."""


@dataclass(frozen=True)
class Step:
    """A step: the board ``before`` and ``after`` it, by the player on turn; a move names its two cells."""

    before: Pieces
    after: Pieces
    moved: tuple[Cell, Cell] | None = None


@dataclass(frozen=True)
class MambaTable:
    """``size`` cells a side, ``seats`` players at the start, those still ``playing``, one of them on turn."""

    size: int
    seats: int
    playing: frozenset[int]
    on_turn: int
    version: int = 2
    """Of the rules; in the first one a series that came back to its own start made the piece rest, too (rule 13 c)."""

    @property
    def threshold(self) -> int:
        """The number of pieces at which a player is out (rule 14)."""
        if self.seats == 2 and self.size == 11:
            return 6
        return {2: 4, 3: 3, 4: 2}[self.seats]


@dataclass(frozen=True)
class Moment:
    """The facts for rules 12 and 13 when the player on turn picks a piece; ``stood`` has the boards of earlier ones."""

    pieces: Frozen
    blocked: frozenset[tuple[Cell, Signature]] = frozenset()
    returned: frozenset[Cell] = frozenset()
    stood: frozenset[Frozen] = frozenset()


@dataclass(frozen=True)
class Series:
    """A series of ``cell``: who was ``last`` given it, and the boards that would be a block."""

    begun: Moment
    cell: Cell
    last: int
    remembered: frozenset[Frozen]
    removed: bool = False


def run(pieces: Pieces, cell: Cell, direction: Cell) -> list[Cell]:
    """The pieces of the owner of ``cell`` that follow it in one direction, the nearest first."""
    found = []
    x, y = cell[0] + direction[0], cell[1] + direction[1]
    while pieces.get((x, y)) == pieces[cell]:
        found.append((x, y))
        x, y = x + direction[0], y + direction[1]
    return found


def length(pieces: Pieces, cell: Cell, direction: Cell) -> int:
    """The length of the alignment through ``cell`` on the line of ``direction`` (rule 9)."""
    back = (-direction[0], -direction[1])
    return len(run(pieces, cell, direction)) + 1 + len(run(pieces, cell, back))


def neighbours(cell: Cell) -> Iterator[tuple[Cell, Cell]]:
    """Each direction with the cell that lies there, on the board or not."""
    for direction in DIRECTIONS:
        yield direction, (cell[0] + direction[0], cell[1] + direction[1])


def takers(pieces: Pieces, cell: Cell) -> set[int]:
    """In whose favour the piece can turn (rule 11)."""
    return {
        pieces[other]
        for direction, other in neighbours(cell)
        if other in pieces
        and pieces[other] != pieces[cell]
        and length(pieces, other, direction) > length(pieces, cell, direction)
    }


def signature(pieces: Pieces, cell: Cell) -> Signature:
    """The piece's owner and what is seen from it in each direction (rule 11)."""
    seen: list[object] = [pieces[cell]]
    for direction, other in neighbours(cell):
        if other not in pieces:
            seen.append("free")
        elif pieces[other] == pieces[cell]:
            seen.append(len(run(pieces, cell, direction)))
        else:
            seen.append((pieces[other], length(pieces, other, direction)))
    return tuple(seen)


def suffocated(pieces: Pieces, size: int) -> list[Cell]:
    """The pieces that have no empty cell beside them; what lies off the board is not empty (rule 8)."""
    return [
        cell
        for cell in pieces
        if all(other in pieces or not (0 <= other[0] < size and 0 <= other[1] < size) for _, other in neighbours(cell))
    ]


def cuts(pieces: Pieces) -> dict[Option, list[Cell]]:
    """The cells that each way to shorten an overlong alignment takes away (rule 10)."""
    found: dict[Option, list[Cell]] = {}
    for cell in pieces:
        for direction in DIRECTIONS:
            back = (-direction[0], -direction[1])
            line = [cell, *run(pieces, cell, direction)]
            if len(line) > LONGEST and not run(pieces, cell, back):
                found[(cell, line[1])] = line[: len(line) - LONGEST]
    return found


def lowest_first(option: Option) -> list[Cell]:
    """Row 1 first, each row from a on."""
    return [(y, x) for x, y in option]


class Recount:
    """All that may follow one step, as a tree of the choices that matter."""

    def __init__(self, table: MambaTable, step: Step, bound: int = 1000) -> None:
        self.table = table
        self.bound = bound
        self.old = self._old_signatures(step)
        self.known: dict[tuple[object, ...], Tree] = {}
        self.moments: dict[Moment, Tree] = {}
        self.tree = self._balance(step.after)

    def _old_signatures(self, step: Step) -> dict[Cell, Signature]:
        """Signatures with which pieces could turn before the step, by where they are after it (rule 13 b)."""
        old = {cell: signature(step.before, cell) for cell in step.before if takers(step.before, cell)}
        if step.moved is not None and step.moved[0] in old:
            old[step.moved[1]] = old.pop(step.moved[0])
        return old

    def _balance(self, pieces: Pieces) -> Tree:
        gone = suffocated(pieces, self.table.size)
        left = {cell: owner for cell, owner in pieces.items() if cell not in gone}
        return self._shorten(left, lambda after: self._moment(Moment(frozenset(after.items()))))

    def _shorten(self, pieces: Pieces, then: Callable[[Pieces], Tree]) -> Tree:
        """The tree that follows when overlong alignments are cut, one after the other."""
        ways = cuts(pieces)
        if not ways:
            return then(pieces)
        (owner,) = {pieces[end] for end, _ in ways}
        following = {}
        for way, taken in ways.items():
            left = {cell: piece for cell, piece in pieces.items() if cell not in taken}
            following[way] = self._shorten(left, then)
        return self._choice(owner, "cut", following)

    def _choice(self, owner: int, kind: Literal["turn", "cut"], following: dict[Option, Tree]) -> Tree:
        """Asked only when two continuations differ; otherwise the lowest cell."""
        options = tuple((option, following[option]) for option in sorted(following, key=lowest_first))
        if all(tree is options[0][1] for _, tree in options):
            return options[0][1]
        key = (owner, kind, *((option, id(tree)) for option, tree in options))
        return self.known.setdefault(key, Asked(owner, kind, options))

    def _offered(self, moment: Moment) -> list[Cell]:
        pieces = dict(moment.pieces)
        found = []
        for cell in pieces:
            if takers(pieces, cell) and cell not in moment.returned:
                now = signature(pieces, cell)
                if (cell, now) not in moment.blocked and self.old.get(cell) != now:
                    found.append(cell)
        return found

    def _moment(self, moment: Moment) -> Tree:
        if moment not in self.moments:
            if len(self.moments) >= self.bound:
                raise TooWide
            self.moments[moment] = self._pick(moment)
        return self.moments[moment]

    def _pick(self, moment: Moment) -> Tree:
        offered = self._offered(moment)
        if not offered:
            return self._settled(dict(moment.pieces))
        before_first = self.table.on_turn - 1
        following: dict[Option, Tree] = {
            (cell,): self._series(Series(moment, cell, before_first, frozenset({moment.pieces})), dict(moment.pieces))
            for cell in offered
        }
        return self._choice(self.table.on_turn, "turn", following)

    def _series(self, series: Series, pieces: Pieces) -> Tree:
        if series.cell not in pieces or not takers(pieces, series.cell):
            return self._series_over(series, pieces)
        round_of_seats = [(series.last + further) % self.table.seats for further in range(1, self.table.seats + 1)]
        taker = next(seat for seat in round_of_seats if seat in takers(pieces, series.cell))
        turned = {**pieces, series.cell: taker}
        if cuts(turned):
            fresh = Series(series.begun, series.cell, taker, frozenset(), removed=True)
            return self._shorten(turned, lambda after: self._series(fresh, after))
        board = frozenset(turned.items())
        if board in series.remembered:
            return self._series_over(series, turned, blocked=True)
        remembered = series.remembered | {board}
        return self._series(Series(series.begun, series.cell, taker, remembered, series.removed), turned)

    def _series_over(self, series: Series, pieces: Pieces, blocked: bool = False) -> Tree:
        begun, board = series.begun, frozenset(pieces.items())
        blocks = begun.blocked
        if blocked:
            blocks = blocks | {(series.cell, signature(pieces, series.cell))}
        returned = frozenset[Cell]() if series.removed else begun.returned
        stood = begun.stood | {begun.pieces}
        if board in (stood if self.table.version == 1 else begun.stood):
            returned = returned | {series.cell}
        return self._moment(Moment(board, blocks, returned, stood))

    def _settled(self, pieces: Pieces) -> Tree:
        """Rule 14: everybody with too few pieces leaves, all together, and nothing is looked at again."""
        counts = [list(pieces.values()).count(seat) for seat in range(self.table.seats)]
        out = frozenset(seat for seat in self.table.playing if counts[seat] <= self.table.threshold)
        left = frozenset((cell, owner) for cell, owner in pieces.items() if owner not in out)
        end = Settled(left, out, tuple(counts) if out == self.table.playing else None)
        return self.known.setdefault(("settled", left, out, end.counts), end)
