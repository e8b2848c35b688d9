"""Finding puzzles in games that two weak robots play, and solving them by trying every turn."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from typing import Any

from pbem.bots import kernel
from pbem.bots.boards import MOST_STEPS, NOBODY, WINNER, take_back
from pbem.bots.compiling import zeros
from pbem.bots.forcing import LEFT, forces, room_to_force
from pbem.bots.puzzles import (
    FEWEST_TURNS,
    MOST_SAVING,
    MOST_THREATS,
    MOST_TO_WIN,
    MOST_WINNING,
    Goal,
    Puzzle,
    after,
    wins_with,
)
from pbem.bots.thinking import think
from pbem.games.game import Game, Options, Position

_MOST_TRIED = 1_500_000
"""Steps that solving one position may try."""
_MOST_TRIED_TO_SURVIVE = 100_000_000
"""The same where every answer to every turn is tried, but nothing beyond."""
_LAST = 8
"""Positions that are looked at, from the end of a game."""


@dataclass(frozen=True, slots=True)
class Solved:
    """The solution of a position."""

    turns: int
    """The number of turns to choose from; the same tiles in another order are the same turn."""
    winning: tuple[tuple[int, ...], ...]
    """The steps of each that wins by force."""
    losing: tuple[tuple[int, ...], ...]
    """The steps of all others."""


class TooMuch(Exception):
    """Solving a position would try more steps than are allowed."""


class Solver:
    """Knows what a position of two players comes to, within some turns."""

    def __init__(self, position: Position[Any], most: int = _MOST_TRIED, seat: int | None = None) -> None:
        """Begin with a position at the start of a turn; so many steps may be tried.

        Args:
            seat: whose win is looked for; the player to act if it is None.
        """
        self.board, self.log = kernel.from_position(position)
        self.seat = kernel.to_act(self.board) if seat is None else seat
        self._found, self._room = zeros(2 * MOST_STEPS), room_to_force(most)

    def solve(self, wins_in: int) -> Solved:
        """Every turn, those that win in so many turns apart; once too many win for a puzzle, no further ones.

        Raises:
            TooMuch: that cannot be found out.
        """
        won, lost = list[tuple[int, ...]](), list[tuple[int, ...]]()
        turns = self.turns()
        for turn in turns:
            (won if self.wins_after(turn, wins_in - 1) else lost).append(turn)
            if len(won) > MOST_WINNING:
                break
        return Solved(len(turns), tuple(won), tuple(lost))

    def turns(self) -> list[tuple[int, ...]]:
        """Every turn from where the board stands, by its steps; of two orders of the same steps one."""
        found: dict[frozenset[int], tuple[int, ...]] = {}
        seat = kernel.to_act(self.board)
        self._collect((), seat, found)
        return list(found.values())

    def _collect(self, line: tuple[int, ...], seat: int, found: dict[frozenset[int], tuple[int, ...]]) -> None:
        count, mark = int(kernel.steps(self.board, self.log, self._found)), self.log[0]
        for step in [int(each) for each in self._found[:count]]:
            kernel.play(self.board, self.log, step)
            if self.board[WINNER] != NOBODY or kernel.to_act(self.board) != seat:
                found.setdefault(frozenset((*line, step)), (*line, step))
            else:
                self._collect((*line, step), seat, found)
            take_back(self.board, self.log, mark)

    def wins_after(self, line: tuple[int, ...], left: int) -> bool:
        """Return True if, after these steps, the seat wins by force with so many turns that it has left.

        Raises:
            TooMuch: the search is too large.
        """
        with self._played(line):
            if self.board[WINNER] != NOBODY:
                return bool(self.board[WINNER] == self.seat)
            if left == 0:
                return False
            won = forces(self.board, self.log, self._room, self._found, self.seat, left, 0, 0)
            if self._room[LEFT] < 0:
                raise TooMuch
            return bool(won)

    def is_over_after(self, line: tuple[int, ...]) -> bool:
        """Return True if these steps end the game."""
        with self._played(line):
            return bool(self.board[WINNER] != NOBODY)

    def turns_after(self, line: tuple[int, ...]) -> list[tuple[int, ...]]:
        """Every turn that may follow these steps; none once the game is over."""
        with self._played(line):
            return self.turns() if self.board[WINNER] == NOBODY else []

    def answer_to(self, turn: tuple[int, ...], left: int, first: list[tuple[int, ...]]) -> tuple[int, ...]:
        """A turn of the other after which the seat does not win in so many turns; one of ``first`` if it can be.

        Raises:
            TooMuch: that cannot be found out.
        """
        there = self.turns_after(turn)
        known = set(there)
        for answer in [*(each for each in first if each in known), *there]:
            if not self.wins_after((*turn, *answer), left):
                return answer
        raise AssertionError("a turn that does not win has an answer")

    def resistance(self, line: tuple[int, ...], left: int) -> list[tuple[int, ...]]:
        """The possible continuations of a winning turn, up to the end; the other side resists as long as possible."""
        answers = self.turns_after(line)
        if not answers or left == 0:
            return []
        longest = [each for each in answers if left == 1 or not self.wins_after((*line, *each), left - 1)]
        answer = next((each for each in longest if not self.is_over_after((*line, *each))), answers[0])
        own = self.turns_after((*line, *answer))
        for turns in range(left):
            for each in own:
                if self.wins_after((*line, *answer, *each), turns):
                    return [answer, each, *self.resistance((*line, *answer, *each), turns)]
        return [answer]

    @contextmanager
    def _played(self, line: tuple[int, ...]) -> Iterator[None]:
        """The board after some steps, which are taken back in the end."""
        mark = self.log[0]
        for step in line:
            kernel.play(self.board, self.log, step)
        try:
            yield
        finally:
            take_back(self.board, self.log, mark)


def self_play(game: Game[Any, Any], options: Options, seed: int, playouts: int) -> list[str]:
    """The turns of a game that a robot plays against itself."""
    lots, turns, position = Random(seed), list[str](), game.begin(options, 2)  # noqa: S311 - chance in a game
    while position.outcome is None and position.legal():
        thought = think(game, position, playouts=playouts, seed=lots.getrandbits(30))
        turns.append(thought.candidates[0].moves[0])
        position = game.read_input(position, turns[-1]).position
    return turns


def puzzles_in(game: Game[Any, Any], options: Options, turns: list[str], most: int = MOST_TO_WIN) -> Iterator[Puzzle]:
    """The puzzles at the end of a game, the latest position first; they have no numbers yet."""
    for played in range(len(turns) - 1, max(0, len(turns) - _LAST), -1):
        found = puzzle_at(game, options, tuple(turns[:played]), most)
        if found is not None:
            yield found


def puzzle_at(game: Game[Any, Any], options: Options, turns: tuple[str, ...], most: int) -> Puzzle | None:
    """The puzzle that a position is, if it is one that wins in so many turns."""
    position = after(game, game.begin(options, 2), turns)
    solver = Solver(position)
    try:
        for wins_in in range(1, most + 1):
            solved = solver.solve(wins_in)
            if solved.turns < FEWEST_TURNS or len(solved.winning) > MOST_WINNING:
                return None
            if solved.winning:
                return _made(game, options, turns, position, solver, solved, wins_in)
    except TooMuch:
        return None
    return None


def _made(
    game: Game[Any, Any],
    options: Options,
    turns: tuple[str, ...],
    position: Position[Any],
    solver: Solver,
    solved: Solved,
    wins_in: int,
) -> Puzzle:
    """The puzzle with its lines and refutations."""
    lines = [[each, *solver.resistance(each, wins_in - 1)] for each in solved.winning]
    refutations: dict[str, str] = {}
    saved: list[tuple[int, ...]] = []
    for turn in solved.losing if wins_in > 1 else ():
        if not solver.wins_after(turn, 0) and solver.is_over_after(turn):
            continue
        answer = solver.answer_to(turn, wins_in - 1, saved)
        if answer in saved:
            saved.remove(answer)
        saved.insert(0, answer)
        written = _written(game, solver, position, [turn, answer])
        refutations[written[0]] = written[1]
    told = tuple(tuple(_written(game, solver, position, line)) for line in lines)
    return Puzzle(0, game.name, options, turns, Goal.WIN, wins_in, told, refutations)


def survivals_in(game: Game[Any, Any], options: Options, turns: list[str]) -> Iterator[Puzzle]:
    """The puzzles to survive at the end of a game, the latest position first; they have no numbers yet."""
    for played in range(len(turns) - 1, max(0, len(turns) - _LAST), -1):
        found = survival_at(game, options, tuple(turns[:played]))
        if found is not None:
            yield found


def survival_at(game: Game[Any, Any], options: Options, turns: tuple[str, ...]) -> Puzzle | None:
    """The puzzle that a position is, if the other wins at once after all but a few of the turns.

    Every turn is tried with every answer to it. There is no such puzzle where a turn ends the game without losing it.
    """
    position = after(game, game.begin(options, 2), turns)
    solver = Solver(position, _MOST_TRIED_TO_SURVIVE, seat=1 - (position.to_act or 0))
    saving, losing = list[tuple[int, ...]](), list[tuple[int, ...]]()
    try:
        there = solver.turns()
        for turn in there:
            (losing if solver.wins_after(turn, 1) else saving).append(turn)
            if len(saving) > MOST_SAVING or (saving and solver.is_over_after(saving[-1])):
                return None
        if not saving or len(there) < FEWEST_TURNS:
            return None
        threats = _threats(game, solver, position, losing)
    except TooMuch:
        return None
    if len(threats) > MOST_THREATS:
        return None
    lines = tuple(tuple(_written(game, solver, position, [each])) for each in saving)
    return Puzzle(0, game.name, options, turns, Goal.SURVIVE, 0, lines, {}, tuple(threats))


def _threats(game: Game[Any, Any], solver: Solver, position: Position[Any], losing: list[tuple[int, ...]]) -> list[str]:
    """Turns of the other, one of which wins by the rules after each turn that loses; no further ones once too many."""
    threats: list[str] = []
    for turn in losing:
        there = game.play_input(position, [kernel.to_step(solver.board, number) for number in turn])
        if there.outcome is not None or any(wins_with(game, there, each) for each in threats):
            continue
        answer = next(each for each in solver.turns_after(turn) if solver.wins_after((*turn, *each), 0))
        threats.append(_written(game, solver, position, [turn, answer])[1])
        if len(threats) > MOST_THREATS:
            break
    return threats


def _written(game: Game[Any, Any], solver: Solver, position: Position[Any], line: list[tuple[int, ...]]) -> list[str]:
    """Turns as they are typed, one behind the other."""
    texts = []
    for turn in line:
        steps = [kernel.to_step(solver.board, number) for number in turn]
        position = game.play_input(position, steps)
        texts.append(game.input_text(position, steps).move)
    return texts
