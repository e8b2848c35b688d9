"""What a mail shows of a board, whatever the game: the moves in columns, the position, an example of a turn.

Each family of games draws its positions in a module of its own and registers there with `show`; the folder
of templates that it names, such as ``parts/hextile``, tells what only this family has. A game that does not,
of another package perhaps, is shown by what `str` says of its positions, and told by ``parts/plain``.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from functools import singledispatch
from typing import TYPE_CHECKING, ClassVar

from pbem.wording.layout import WIDTH

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from pbem.domain.boards import Board, Course, PlayedInput, SeatHolder
    from pbem.domain.players import Player
    from pbem.games.game import Game, Position, Seat

_MOST_TRIED = 20
"""Turns that are looked at for one that does not end the game."""

_NUMBER = 5
"""Columns of a move's number, with its dot and the blank behind it."""


@dataclass(frozen=True)
class Shown:
    """A position as mails show it, as far as all games have it; a family adds what its own parts tell."""

    family: ClassVar[str] = "plain"
    """The folder of these parts: ``parts/plain``."""

    board: str
    """Drawn with letters."""

    def picture(self, viewer: Seat | None) -> bytes:
        """The same as PNG, from the side of one of the players or of nobody; empty if there is none."""
        return b""


@singledispatch
def show(position: object) -> Shown:
    """A position as its family has registered; one of any other game is drawn by its `str`, and has no picture."""
    return Shown(str(position))


class Drawer:
    """Draws positions, and keeps the last one: a turn is mailed to all its players at once."""

    def __init__(self) -> None:
        self._last: tuple[Position[Any], Shown] | None = None

    def __call__(self, position: Position[Any]) -> Shown:
        """Draw a position of any game of the server."""
        last = self._last
        if last is None or last[0] is not position:
            last = self._last = (position, show(position))
        return last[1]


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


def move_list(course: Course, seats: Sequence[SeatHolder], sides: Sequence[str], auto: str, most: int = 0) -> MoveList:
    """The moves of a board, or its last ones; ``auto`` marks automatic ones."""
    width = WIDTH // len(seats) - _NUMBER - 1
    rounds = [{turn.seat: _cell(turn, auto, width) for turn in turns} for turns in _rounds(course.inputs[-most:])]
    rows = tuple(tuple(cells.get(seat, ()) for seat in range(len(seats))) for cells in rounds)
    return MoveList(tuple(sides), tuple(holder.userid for holder in seats), rows)


def _row(texts: Iterable[str], width: int) -> str:
    return "".join((" " * _NUMBER + text)[: width - 1].ljust(width) for text in texts).rstrip()


def _rounds(turns: Sequence[PlayedInput]) -> list[list[PlayedInput]]:
    """Turns row by row: a new row begins where the seats begin again."""
    rounds: list[list[PlayedInput]] = []
    for turn in turns:
        if rounds and turn.seat > rounds[-1][-1].seat:
            rounds[-1].append(turn)
        else:
            rounds.append([turn])
    return rounds


def _cell(turn: PlayedInput, auto: str, width: int) -> tuple[str, ...]:
    first, *more = textwrap.wrap(turn.text.move, width, break_long_words=False, break_on_hyphens=False) or [""]
    below = (*more, *(f"{each} {auto}" for each in turn.text.automatic))
    return (f"{turn.moveno:>3}. {first}", *(f"{'':{_NUMBER}}{each}" for each in below))


def viewer(board: Board, course: Course, reader: Player | None) -> Seat | None:
    """The seat that a reader looks at a board from: if he has two, the one that is to act."""
    seats = board.seats_of(reader.id) if reader else ()
    return course.to_act if course.to_act in seats else next(iter(seats), None)


def first_untold(board: Board, course: Course, reader: Player | None) -> int:
    """The number of the first turn that its end has not been told a reader of, or at least the last one.

    What his own inputs have led to he has been told already.
    """
    last = course.ply + course.position.mid_turn
    seats = board.seats_of(reader.id) if reader else ()
    own = [index for index, played in enumerate(course.inputs) if played.seat in seats]
    if not own:
        return 1 if seats else last
    index = own[-1]
    moveno, later = course.inputs[index].moveno, course.inputs[index + 1 :]
    has_ended = moveno <= course.ply and all(played.moveno > moveno for played in later)
    return min(moveno + has_ended, last)


@singledispatch
def example_turn(position: Any, game: Game[Any, Any]) -> str:
    """A whole turn that is legal in a position, in the words of the notation; if possible one that ends nothing.

    A family whose turns come in parts registers what is typical of them.
    """
    turns = (_turn_with(position, step) for step in position.legal()[:_MOST_TRIED])
    after, steps = next((each for each in turns if each[0].outcome is None), _turn_with(position, position.legal()[0]))
    return game.input_text(after, steps).move


def _turn_with(position: Position[Any], step: Any) -> tuple[Position[Any], list[Any]]:
    """The position after a turn that begins with a step, and its steps."""
    after, steps = position.play(step), [step]
    while after.ply == position.ply:
        steps.append(after.legal()[0])
        after = after.play(steps[-1])
    return after, steps
