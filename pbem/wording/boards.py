"""What a mail shows of a board: the moves in columns, the position, what fits where.

Each family of games draws its positions in a module of its own and registers there with `show`. A game that
does not, of another package perhaps, is shown by what `str` says of its positions.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, singledispatch
from typing import TYPE_CHECKING

from pbem.wording.layout import WIDTH

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from pbem.domain.boards import Course, PlayedInput, SeatHolder
    from pbem.games.game import Game, Position, Seat

_MOST_TRIED = 20
"""Turns that are looked at for one that does not end the game."""

_NUMBER = 5
"""Columns of a move's number, with its dot and the blank behind it."""


@dataclass(frozen=True, slots=True)
class Fitting:
    """A space, and what can be laid there."""

    label: str
    states: str
    """Numbers and ranges of them: ``1 3 7-9``."""

    def __str__(self) -> str:
        return f"{self.label:<2} {self.states}"


@dataclass(frozen=True, slots=True)
class Group:
    """What can be said of a connected part of one colour."""

    seat: Seat
    """Whose it is."""
    bridges: int
    loops: int
    eyes: int
    territory: int
    """What its loops enclose, as the game counts it."""
    closed: bool
    killed: bool
    ways_out: tuple[str, ...]
    """The labels of the spaces where it can grow."""
    tiles: tuple[str, ...]
    """If there are none, the tiles where it is: the labels of the spaces they fill, empty for the start tile."""
    null_points: tuple[str, ...]
    """The labels of those at its corners."""

    @property
    def room(self) -> int:
        """In how many spaces it can grow."""
        return len(self.ways_out)


@dataclass(frozen=True)
class Shown:
    """A position as mails show it. What not every reader wants is made when it is asked for."""

    board: str
    """Drawn with letters."""
    states: str
    """The states that tiles can be laid in, drawn small and numbered."""
    supply: Mapping[str, int]
    """What is left, by kind."""
    spaces: tuple[Fitting, ...]
    """The spaces where something fits, in the order of their labels."""
    sizes: tuple[tuple[int, ...], ...]
    """For each seat the bridges of its groups that have any, the largest first."""
    make_picture: Callable[[], bytes]
    make_groups: Callable[[], tuple[Group, ...]]
    make_moves: Callable[[], Mapping[str, str]]
    laid: bool = False
    """Whether the last turn has laid something."""
    lone_tips: tuple[int, ...] = ()
    """For each seat how many groups without a bridge it has; empty where they cannot decide the game."""
    null_points: tuple[str, ...] = ()
    """The labels of the spaces where nothing will ever fit."""
    tiles_wanted: int = 1
    """How many tiles the turn has, unless the game is over before."""
    may_swap: bool = False
    """Whether who is to move may take the other side instead."""

    @cached_property
    def picture(self) -> bytes:
        """The same as PNG."""
        return self.make_picture()

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The groups, the largest first; those without a bridge only where they can decide the game."""
        return self.make_groups()

    @cached_property
    def moves(self) -> Mapping[str, str]:
        """For each space that may be played now the beginning of a legal turn there, in words of the notation."""
        return self.make_moves()


@singledispatch
def show(position: object) -> Shown:
    """A position as its family has registered; one of any other game is drawn by its `str`, and has no picture."""
    nothing: dict[str, int] = {}
    return Shown(str(position), "", nothing, (), (), make_picture=bytes, make_groups=tuple, make_moves=dict)


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


def move_list(course: Course, seats: Sequence[SeatHolder], sides: Sequence[str], auto: str) -> MoveList:
    """The moves of a board; ``auto`` marks automatic ones."""
    rounds = [{turn.seat: _cell(turn, auto) for turn in turns} for turns in _rounds(course.inputs)]
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


def _cell(turn: PlayedInput, auto: str) -> tuple[str, ...]:
    first = f"{turn.moveno:>3}. {turn.text.move}"
    return (first, *(f"{'':{_NUMBER}}{each} {auto}" for each in turn.text.automatic))


def example_turn(position: Position[Any], game: Game[Any, Any]) -> str:
    """A whole turn that is legal in a position, in the words of the notation; if possible one that ends nothing."""
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
