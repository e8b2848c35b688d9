"""What a mail shows of a board, whatever the game: the position, what there is to tell of it, an example of a turn.

Each family of games draws its positions in a module of its own and registers there with `show`; the folder
of templates that it names, such as ``parts/hextile``, tells what only this family has. A game that does not,
of another package perhaps, is shown by what `str` says of its positions, and told by ``parts/plain``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import singledispatch
from itertools import islice
from typing import Any, ClassVar

from pbem.domain.boards import Board
from pbem.domain.game_state import GameState
from pbem.domain.players import Player
from pbem.games.game import Game, Position, Seat

AT_ONCE = 4
"""Boards whose mails may be written at once, by threads that share the templates."""

_MOST_TRIED = 20
"""Turns that are looked at for one that does not end the game."""


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

    def is_turned(self, viewer: Seat | None) -> bool:
        """Whether that picture is turned against the board drawn with letters."""
        return False


@singledispatch
def show(position: object) -> Shown:
    """A position as its family has registered; one of any other game is drawn by its `str`, and has no picture."""
    return Shown(str(position))


class Drawer:
    """Draws positions, and keeps the last ones: a turn is mailed to all its players at once."""

    def __init__(self) -> None:
        self._kept: deque[tuple[Position[Any], Shown]] = deque(maxlen=AT_ONCE)

    def __call__(self, position: Position[Any]) -> Shown:
        """Draw a position of any game of the server."""
        found = next((shown for known, shown in tuple(self._kept) if known is position), None)
        if found is None:
            found = show(position)
            self._kept.append((position, found))
        return found


def viewer(board: Board, course: GameState, reader: Player | None) -> Seat | None:
    """The seat that a reader looks at a board from: if he has two, the one that is to act."""
    seats = board.seats_of(reader.id) if reader else ()
    return course.to_act if course.to_act in seats else next(iter(seats), None)


def side_if_several(board: Board, course: GameState, sides: Sequence[str], seat: Seat) -> str:
    """The side of a seat whose player holds more than one that is in play; else nothing: his userid says it all."""
    seats = [each for each in board.seats_of(board.seats[seat].player) if each in course.position.playing]
    return sides[seat] if len(seats) > 1 else ""


def first_untold(board: Board, course: GameState, reader: Player | None, new_input: int = 0) -> int:
    """The number of the first turn that its end has not been told a reader of, or at least the last one.

    What his own inputs have led to he has been told already, but for the one that is told only now.

    Args:
        board: the board.
        course: what the rules make of it.
        reader: who it is told.
        new_input: the number of the event that this mail is the first to tell of; others may have come of it.
    """
    first = _first_unended(board, course, reader)
    return next((min(first, played.moveno) for played in reversed(course.inputs) if played.event == new_input), first)


def _first_unended(board: Board, course: GameState, reader: Player | None) -> int:
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
def legal_steps(position: Any) -> Iterable[Any]:
    """The legal steps of a position in their order; a family that can find the first without all others registers."""
    steps: Iterable[Any] = position.legal()
    return steps


@singledispatch
def example_turn(position: Any, game: Game[Any, Any]) -> str:
    """A whole turn that is legal in a position, in the words of the notation; if possible one that ends nothing.

    A family whose turns come in parts registers what is typical of them.
    """
    found: list[tuple[Position[Any], list[Any]]] = []
    for step in islice(legal_steps(position), _MOST_TRIED):
        found.append(_turn_with(position, step))
        if found[-1][0].outcome is None:
            break
    after, steps = found[-1] if found[-1][0].outcome is None else found[0]
    return game.input_text(after, steps).move


def _turn_with(position: Position[Any], step: Any) -> tuple[Position[Any], list[Any]]:
    """The position after a turn that begins with a step, and its steps."""
    after, steps = position.play(step), [step]
    while after.ply == position.ply:
        steps.append(next(iter(legal_steps(after))))
        after = after.play(steps[-1])
    return after, steps
