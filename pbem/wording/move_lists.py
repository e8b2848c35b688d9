"""The moves of a board in columns, one for each seat."""

from __future__ import annotations

import textwrap
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.domain.boards import Board
from pbem.domain.game_state import GameState
from pbem.games.game import InputText, Seat
from pbem.wording.boards import AT_ONCE
from pbem.wording.layout import WIDTH

_NUMBER = 5
"""Columns of a move's number, with its dot and the blank behind it."""

_NOTHING: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class MoveList:
    """The sides and players, and under each the moves with their numbers."""

    sides: tuple[str, ...]
    userids: tuple[str, ...]
    rows: tuple[tuple[tuple[str, ...], ...], ...]
    """For each round, for each seat, the lines of its turn; none if it has not played."""

    def __str__(self) -> str:
        width = WIDTH // len(self.userids)
        lines = [_row(self.sides, width), _row(self.userids, width)]
        for cells in self.rows:
            for depth in range(max(map(len, cells))):
                texts = [cell[depth] if depth < len(cell) else "" for cell in cells]
                lines.append("".join(text.ljust(width) for text in texts).rstrip())
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class _Line:
    """One thing in the list of moves."""

    event: int
    seat: Seat
    moveno: int
    """0 for what is no turn."""
    text: InputText


def move_list(
    board: Board,
    course: GameState,
    sides: Sequence[str],
    auto: str,
    *,
    most: int = 0,
    leaving: Mapping[str, str] = _NOTHING,
    classic: bool = False,
) -> MoveList:
    """The moves of a board.

    Args:
        board: the board.
        course: what the rules make of it.
        sides: the names of the seats.
        auto: marks automatic moves.
        most: how many of the last lines are shown; 0 for all.
        leaving: what stands in the list for each way of leaving the game; without them it has moves alone.
        classic: whether the number of a move begins the line and has no dot, as other programs expect.
    """
    number = "{} " if classic else "{:>3}. "
    width = WIDTH // len(board.seats) - _NUMBER - 1
    lines = _lines(board, course, leaving)[-most:]
    rounds = [{line.seat: _cell(line, auto, width, number) for line in row} for row in _rounds(lines)]
    rows = tuple(tuple(cells.get(seat, ()) for seat in range(len(board.seats))) for cells in rounds)
    return MoveList(tuple(sides), tuple(holder.userid for holder in board.seats), rows)


class Lister:
    """Lists moves, and keeps the last lists: a mail may have one twice, and all players are mailed at once."""

    def __init__(self) -> None:
        self._kept: deque[tuple[Board, GameState, tuple[Any, ...], MoveList]] = deque(maxlen=AT_ONCE)

    def __call__(self, board: Board, course: GameState, *how: Any, **more: Any) -> MoveList:
        """As `move_list`."""
        asked = (how, more)
        for known, its_course, wanted, moves in tuple(self._kept):
            if known is board and its_course is course and wanted == asked:
                return moves
        found = move_list(board, course, *how, **more)
        self._kept.append((board, course, asked, found))
        return found


def _lines(board: Board, course: GameState, leaving: Mapping[str, str]) -> list[_Line]:
    """What has been played, and where somebody has left."""
    played = [_Line(each.event, each.seat, each.moveno, each.text) for each in course.inputs]
    turns = {event: moveno for moveno, event in enumerate(course.begun, start=1)}
    left = [
        _Line(event.number, event.seat, turns.get(event.number, 0), InputText(leaving[event.kind]))
        for event in board.played
        if event.kind in leaving
    ]
    return sorted(played + left, key=lambda line: line.event)


def _row(texts: Iterable[str], width: int) -> str:
    return "".join((" " * _NUMBER + text)[: width - 1].ljust(width) for text in texts).rstrip()


def _rounds(lines: Sequence[_Line]) -> list[list[_Line]]:
    """The lines row by row: a new row begins where the seats begin again."""
    rounds: list[list[_Line]] = []
    for line in lines:
        if rounds and line.seat > rounds[-1][-1].seat:
            rounds[-1].append(line)
        else:
            rounds.append([line])
    return rounds


def _cell(line: _Line, auto: str, width: int, numbered: str) -> tuple[str, ...]:
    first, *more = _wrapped(line.text.move, width)
    below = (*more, *(f"{each} {auto}" for each in line.text.automatic))
    number = numbered.format(line.moveno) if line.moveno else " " * _NUMBER
    return (f"{number}{first}", *(f"{'':{_NUMBER}}{each}" for each in below))


def _wrapped(move: str, width: int) -> list[str]:
    if len(move) <= width:
        return [move]
    return textwrap.wrap(move, width, break_long_words=False, break_on_hyphens=False) or [""]
