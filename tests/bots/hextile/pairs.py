"""One game on two boards: that of the rules, and the one of integers."""

from __future__ import annotations

from collections.abc import MutableSequence

from pbem.bots import boards
from pbem.bots.compiling import integers
from pbem.bots.hextile import board as numbers
from pbem.bots.hextile import cell_at, from_position, to_number, to_step
from pbem.bots.hextile.ruleset import SIDE, number_of
from pbem.bots.hextile.turns import play, steps
from pbem.games.game import Options, Seat
from pbem.games.hextile import HexTileGame
from pbem.games.hextile.position import Position, Step


class HextilePair:
    """A position, and the board that shows the same."""

    def __init__(self, game: HexTileGame, options: Options, first: Seat = 0) -> None:
        self.position: Position = game.begin(options, 2, first)
        self.board, self.log = from_position(self.position)
        self._found = integers([0] * 2 * boards.MOST_STEPS)

    def legal(self) -> set[Step]:
        """The steps that the board of integers allows."""
        count = steps(self.board, self.log, self._found, boards.MOST_STEPS)
        return {to_step(self.board, int(each)) for each in self._found[:count]}

    def play(self, step: Step) -> None:
        """Play a step on both."""
        self.position = self.position.play(step)
        play(self.board, self.log, to_number(self.board, step))

    def shown(self) -> dict[str, object]:
        """The facts on the board of integers."""
        return shown_on(self.board)

    def carried_over(self) -> dict[str, object]:
        """The facts on a board of integers that was made from the current position."""
        return shown_on(from_position(self.position)[0])

    def expected(self) -> dict[str, object]:
        """The facts of the position."""
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


def shown_on(board: MutableSequence[int]) -> dict[str, object]:
    """The facts on a board of integers."""
    side = int(board[numbers.RULES + SIDE])
    cells = range(numbers.CELLS, numbers.CELLS + side * side * numbers.RECORD, numbers.RECORD)
    counters = {name: int(board[at]) for name, at in (("ply", numbers.PLY), ("by hand", numbers.BY_HAND))}
    spaces = int(numbers.spaces_at(board))
    listed = board[spaces : spaces + int(board[numbers.SPACES])]
    return counters | {
        "tiles": {cell_at(board, at): int(board[at]) for at in cells if board[at]},
        "spaces": {cell_at(board, at): int(board[at + numbers.DECIDED]) for at in listed},
        "null points": {cell_at(board, at) for at in cells if board[at + numbers.AT] == numbers.IS_NULL},
        "left": int(board[numbers.LEFT_IN_ALL]),
        "winner": int(board[boards.WINNER]),
        "swapped": bool(board[numbers.SWAPPED]),
    }
