"""What a mail shows of a board: the moves in columns, the position, what fits where."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from pbem.diagrams.ascii import draw, draw_states
from pbem.games.hextile.position import Position as HextilePosition
from pbem.wording.layout import WIDTH, columns, ranges

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from pbem.domain.boards import Course, PlayedTurn, SeatHolder
    from pbem.games.game import Game, Position
    from pbem.games.hextile.tiles import States

_NUMBER = 5
"""Columns of a move's number, with its dot and the blank behind it."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A position in text."""

    board: str
    states: str
    """The states that tiles can be laid in, drawn small and numbered."""
    supply: dict[str, int]
    spaces: str
    """For each space the states that fit, in columns."""


class Drawer:
    """Draws positions, and keeps the last one: a turn is mailed to all its players at once."""

    def __init__(self) -> None:
        self._last: tuple[Position[Any], Drawn] | None = None

    def __call__(self, position: Position[Any]) -> Drawn:
        """Draw a position of any game of the server."""
        last = self._last
        if last is None or last[0] is not position:
            last = self._last = (position, _drawn(position))
        return last[1]


def _drawn(position: Position[Any]) -> Drawn:
    if not isinstance(position, HextilePosition):
        raise TypeError(type(position).__name__)
    fitting = position.fitting()
    labels = position.layout.labels
    return Drawn(
        board=draw(position.layout.tiles, labels),
        states=_states(position.rules.states),
        supply=dict(position.supply),
        spaces=columns([f"{labels[cell]:<2} {ranges(states)}".rstrip() for cell, states in fitting.items()]),
    )


@lru_cache(maxsize=64)
def _states(states: States) -> str:
    """The same for all boards of a game."""
    return draw_states(states)


def move_list(course: Course, seats: Sequence[SeatHolder], sides: Sequence[str], auto: str) -> str:
    """The sides and players, and under each the moves with their numbers; ``auto`` marks automatic ones."""
    width = WIDTH // len(seats)
    lines = [_row(sides, width), _row([holder.userid for holder in seats], width)]
    for turns in _rounds(course.turns):
        cells = {turn.seat: _cell(turn, auto) for turn in turns}
        for depth in range(max(map(len, cells.values()))):
            texts = [cells.get(seat, [])[depth : depth + 1] for seat in range(len(seats))]
            lines.append("".join((text[0] if text else "").ljust(width) for text in texts).rstrip())
    return "\n".join(lines)


def _row(texts: Iterable[str], width: int) -> str:
    return "".join((" " * _NUMBER + text)[: width - 1].ljust(width) for text in texts).rstrip()


def _rounds(turns: Sequence[PlayedTurn]) -> list[list[PlayedTurn]]:
    """Turns row by row: a new row begins where the seats begin again."""
    rounds: list[list[PlayedTurn]] = []
    for turn in turns:
        if rounds and turn.seat > rounds[-1][-1].seat:
            rounds[-1].append(turn)
        else:
            rounds.append([turn])
    return rounds


def _cell(turn: PlayedTurn, auto: str) -> list[str]:
    return [f"{turn.moveno:>3}. {turn.text.move}"] + [f"{'':{_NUMBER}}{each} {auto}" for each in turn.text.automatic]


def example_turn(position: Position[Any], game: Game[Any, Any]) -> str:
    """A whole turn that is legal in a position, in the words of the notation."""
    after = position
    while after.ply == position.ply:
        after = after.play(after.legal()[0])
    return game.turn_text(after).move
