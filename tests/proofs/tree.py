"""Proofs as text, and how they are taken from a search.

The first line of a proof is its claim: the variant, the turns up to the position, and the winner. Then comes the first
turn of the winner, if it is theirs, and below it a line for each answer: the answer, and the turn that follows it. The
lines that go on from there stand below, one blank further to the right. An answer without a line is followed by a turn
that wins at once, or leads to a position that stands further up, perhaps turned or mirrored.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pbem.games.hextile.position import Placement, Position
from tests.proofs.board import SECOND, key_of, lay_turn, take_back_turn, winning_turns
from tests.proofs.search import KEY, NUMBERS, SHIFT, THREATS, TURN, WORK, attack, defend, looked_up
from tests.proofs.solver import Search, cell_at

MOST_AGAIN = 2_000
"""Positions looked at again between two looks at the table."""


@dataclass(frozen=True, slots=True)
class Line:
    """An answer of the loser, the winner's turn after it, and what follows; texts as they are typed."""

    answer: str
    """Empty at the beginning, where the winner is to move."""
    turn: str
    then: list[Line] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Proof:
    """A claim and its proof."""

    variant: str
    turns: tuple[str, ...]
    wins: str
    """The name of the side that wins."""
    lines: list[Line]

    def __len__(self) -> int:
        """The number of turns of the winner."""
        return sum(1 for _ in walk(self.lines))


def walk(lines: Sequence[Line], depth: int = 0) -> Iterator[tuple[int, Line]]:
    """All lines with their depths, each before what follows it."""
    for line in lines:
        yield depth, line
        yield from walk(line.then, depth + 1)


def to_text(proof: Proof) -> str:
    """A proof as text."""
    claim = f"{proof.variant}: {' '.join(proof.turns) or 'from the start'}: {proof.wins} wins"
    texts = (" " * depth + f"{line.answer} {line.turn}".strip() for depth, line in walk(proof.lines))
    return "\n".join([claim, *texts, ""])


def to_proof(text: str) -> Proof:
    """The proof that a text has."""
    claim, *rows = text.splitlines()
    variant, turns, wins = claim.split(": ")
    lines: list[Line] = []
    open_lines = [lines]
    for row in rows:
        depth, words = len(row) - len(row.lstrip()), row.split()
        line = Line(words[0] if len(words) > 1 else "", words[-1])
        del open_lines[depth + 1 :]
        open_lines[depth].append(line)
        open_lines.append(line.then)
    begun = () if turns == "from the start" else tuple(turns.split())
    return Proof(variant, begun, wins.removesuffix(" wins"), lines)


class Extraction:
    """Takes a proof from the table of a search that is won."""

    def __init__(self, search: Search) -> None:
        self._search, self._done = search, set[int]()

    def lines(self, position: Position) -> list[Line]:
        """The lines from where the board of the search stands, which shows the same position."""
        if self._search.mover == self._search.seeker:
            return [self._turn("", position)]
        return list(self._answers(position))

    def _answers(self, position: Position) -> Iterator[Line]:
        """The lines for the answers to a turn that the position follows."""
        search, base = self._search, 0
        count = int(defend(search.board, search.room, base, search.seeker, search.counts))
        for turn in [int(each) for each in search.room[TURN : TURN + max(count, 0)]]:
            lay_turn(search.board, turn)
            key = int(key_of(search.board))
            if key not in self._done:
                after = played(position, turn)
                yield self._turn(text_of(after), after)
                self._done.add(key)
            take_back_turn(search.board, turn)

    def _turn(self, answer: str, position: Position) -> Line:
        """The line with the winner's turn in a position."""
        turn = self._best()
        after = played(position, turn)
        if after.outcome is not None:
            return Line(answer, text_of(after))
        lay_turn(self._search.board, turn)
        line = Line(answer, text_of(after), list(self._answers(after)))
        take_back_turn(self._search.board, turn)
        return line

    def _best(self) -> int:
        """The winner's turn that was proven with the least work."""
        search = self._search
        if winning_turns(search.board, search.seeker, search.room, THREATS):
            return int(search.room[THREATS])
        while not (proven := list(self._proven())):  # what the table knew of this position was replaced
            search.look_from_here(MOST_AGAIN)
        return min(proven)[1]

    def _proven(self) -> Iterator[tuple[int, int]]:
        """The work for each of the winner's turns that are proven to win, and the turn."""
        search = self._search
        for each in range(int(attack(search.board, search.room, 0, search.seeker, search.counts))):
            at = looked_up(search.table, search.size, int(search.room[KEY + each]))
            if at >= 0 and search.table[NUMBERS * search.size + at] // SHIFT == 0:
                yield int(search.table[WORK * search.size + at]), int(search.room[TURN + each])


def text_of(position: Position) -> str:
    """The turn that led to a position."""
    return ",".join(tile.text for tile in position.last_turn)


def played(position: Position, turn: int) -> Position:
    """The position after a turn of the search."""
    for tile in (turn % SECOND, turn // SECOND) if turn >= SECOND else (turn,):
        position = position.play(Placement(cell_at(tile // 4), tile % 4))
    return position
