"""One game on two boards: that of the rules, and the one of integers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.bots import boards
from pbem.bots.compiling import integers
from pbem.bots.hextile import board as numbers
from pbem.bots.hextile.rules import SIDE, encode, number_of
from pbem.bots.hextile.turns import ILLEGAL, lay_in_turn, legal, swap
from pbem.games.hextile.grid import Cell
from pbem.games.hextile.turns import SWAP, Placement

if TYPE_CHECKING:
    from pbem.games.game import Options, Seat
    from pbem.games.hextile.family import HexTileGame
    from pbem.games.hextile.position import Position
    from pbem.games.hextile.turns import Step


class Pair:
    """A position, and the board that shows the same."""

    def __init__(self, game: HexTileGame, options: Options, first: Seat = 0) -> None:
        self.position: Position = game.begin(options, 2, first)
        self.board, self.log = numbers.new_board(encode(self.position.rules))
        self._side = int(self.board[numbers.RULES + SIDE])
        self._found = integers([0] * 40_000)
        numbers.begin(self.board, self.log, first)

    def cell(self, address: int) -> Cell:
        """The cell of a record."""
        place = (address - numbers.CELLS) // numbers.RECORD
        return Cell(place // self._side - self._side // 2, place % self._side - self._side // 2)

    def address(self, cell: Cell) -> int:
        """Where the record of a cell begins."""
        half = self._side // 2
        return numbers.CELLS + ((cell.q + half) * self._side + cell.r + half) * numbers.RECORD

    def legal(self) -> set[Placement]:
        """What may be laid by the board of integers."""
        count = legal(self.board, self.log, self._found)
        return {Placement(self.cell(int(each) // 16), int(each) % 16) for each in self._found[:count]}

    def play(self, step: Step) -> None:
        """Play a step on both."""
        self.position = self.position.play(step)
        if step is SWAP:
            swap(self.board, self.log)
            return
        assert isinstance(step, Placement)
        came = lay_in_turn(self.board, self.log, self.address(step.cell), step.state, 1)
        assert came != ILLEGAL, step

    def shown(self) -> dict[str, object]:
        """What the board of integers shows."""
        board = self.board
        cells = range(numbers.CELLS, numbers.CELLS + self._side**2 * numbers.RECORD, numbers.RECORD)
        counters = {name: int(board[at]) for name, at in (("ply", numbers.PLY), ("by hand", numbers.BY_HAND))}
        spaces = int(numbers.spaces_at(board))
        listed = board[spaces : spaces + int(board[numbers.SPACES])]
        return counters | {
            "tiles": {self.cell(at): int(board[at]) for at in cells if board[at]},
            "spaces": {self.cell(int(at)): int(board[at + numbers.DECIDED]) for at in listed},
            "null points": {self.cell(at) for at in cells if board[at + numbers.AT] == numbers.IS_NULL},
            "left": int(board[numbers.LEFT_IN_ALL]),
            "winner": int(board[boards.WINNER]),
            "swapped": bool(board[numbers.SWAPPED]),
        }

    def expected(self) -> dict[str, object]:
        """What the position shows."""
        layout, outcome = self.position.layout, self.position.outcome
        nulls = set(layout.null_points)
        winner = boards.NOBODY if outcome is None else outcome.winners[0] if outcome.winners else boards.DRAWN
        return {
            "ply": self.position.ply,
            "by hand": sum(not tile.automatic for tile in self.position.turn),
            "tiles": {cell: state.number for cell, state in layout.tiles.items()},
            "spaces": {cell: number_of(space.decided) for cell, space in layout.spaces.items() if cell not in nulls},
            "null points": nulls,
            "left": sum(self.position.supply.values()),
            "winner": winner,
            "swapped": self.position.swapped,
        }
