"""One game on two boards: that of the rules, and the one of integers."""

from __future__ import annotations

from collections.abc import MutableSequence
from random import Random

from pbem.bots import boards
from pbem.bots.compiling import integers
from pbem.bots.mamba import address, cell_at, from_position, to_number, to_step
from pbem.bots.mamba import board as numbers
from pbem.bots.mamba.turns import play, steps, to_act
from pbem.games.mamba.events import is_quiet
from pbem.games.mamba.game import MAMBA
from pbem.games.mamba.position import Position
from pbem.games.mamba.squares import EMPTY, MARKS
from pbem.games.mamba.steps import Step

VARIANTS = (
    "2",
    "2 size=11",
    "2 must_move rounds=60",
    "2 strict_isolation",
    "3",
    "3 size=11 must_move",
    "3 strict_isolation rounds=40",
    "4",
    "4 size=11 rounds=80",
    "4 must_move strict_isolation",
    "4 teams",
    "4 teams size=11 strict_isolation",
    "4 teams must_move rounds=30",
)
"""Players and options."""

APART = 1000
"""From a step to who has won after it."""


def begun(variant: str, first: int = 0) -> Position:
    """The beginning of a game."""
    players, *words = variant.split()
    options = MAMBA.read_options(words)
    return MAMBA.begin(options, int(players), first)


def decided(position: Position) -> Position:
    """The position after everybody has chosen the lowest cell, as often as they were asked."""
    while position.pending is not None:
        position = position.play(position.legal()[0])
    return position


class MambaPair:
    """A position, and the board that shows the same."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.board, self.log = from_position(position)
        self._found = integers([0] * 2 * APART)

    def legal(self) -> list[Step]:
        """The steps that the board of integers allows."""
        count = steps(self.board, self.log, self._found, APART)
        return [to_step(self.board, each) for each in self._found[:count]]

    def play(self, step: Step) -> None:
        """Play a step on both."""
        number = to_number(self.board, step)
        self.position = decided(self.position.play(step))
        self.log[0] = 0
        play(self.board, self.log, number)

    def kept(self) -> tuple[object, ...]:
        """All of the board that counts: not lots, nor what lists of a balance hold, nor in which order boards stood."""
        board, stood = list(map(int, self.board)), numbers.STOOD_AT
        counted = {key: times for key, times in zip(board[stood::2], board[stood + 1 :: 2], strict=True) if times}
        laid = sorted(board[numbers.LAID_AT : numbers.LAID_AT + board[numbers.LAID]])
        squares = board[numbers.SQUARES : numbers.SQUARES + numbers.AREA]
        return board[: boards.LOT], board[boards.FAMILY : numbers.SLOTS], squares, laid, counted

    def by_lot(self, lots: Random) -> Step:
        """A step to play: now and then a laying, where there are any, else a move."""
        count = steps(self.board, self.log, self._found, APART)
        layings = sum(int(each) >> 16 == 1 for each in self._found[:count])
        lays = layings and lots.random() < 0.5
        place = lots.randrange(layings) if lays else lots.randrange(layings, count)
        return to_step(self.board, self._found[place])


def shown(position: Position, board: MutableSequence[int]) -> dict[str, object]:
    """The facts on a board of integers."""
    seats = range(int(board[boards.SEATS]))
    return {
        "squares": "".join((EMPTY + MARKS)[board[address(board, cell)]] for cell in range(position.rules.size**2)),
        "to act": int(to_act(board)),
        "on turn": int(board[numbers.ON_TURN]),
        "ply": int(board[numbers.PLY]),
        "round": int(board[numbers.ROUND]),
        "quiet": int(board[numbers.QUIET]),
        "stirred": bool(board[numbers.STIRRED]),
        "supply": int(numbers.supply_of(board)),
        "playing": tuple(seat for seat in seats if board[numbers.PLAYING + seat]),
        "pieces": [int(board[numbers.PIECES + seat]) for seat in seats],
        "laid": {cell_at(board, each) for each in board[numbers.LAID_AT : numbers.LAID_AT + int(board[numbers.LAID])]},
        "winner": int(board[boards.WINNER]),
    }


def expected(position: Position) -> dict[str, object]:
    """The facts of the position."""
    outcome, seats = position.outcome, range(position.rules.players)
    winner = boards.NOBODY if outcome is None else outcome.winners[0] if outcome.winners else boards.DRAWN
    return {
        "squares": position.squares,
        "to act": boards.NOBODY if position.to_act is None else position.to_act,
        "on turn": position.on_turn,
        "ply": position.ply,
        "round": position.round,
        "quiet": position.quiet,
        "stirred": not is_quiet(position.turn.happened),
        "supply": position.supply,
        "playing": position.playing,
        "pieces": [len(position.pieces(seat)) for seat in seats],
        "laid": set(position.turn.laid),
        "winner": winner,
    }
