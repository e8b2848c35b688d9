"""Noughts and crosses: a game from elsewhere that describes its board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pbem.games.figure import Figure, Piece
from pbem.games.game import Game, IllegalMove, Input, Options, Outcome, Position, Report, Seat, UnreadableMove
from pbem.games.layouts import square

BOARD = square(3, 3)
_ROWS = (
    *(tuple(f"{column}{row}" for column in "abc") for row in "123"),
    *(tuple(f"{column}{row}" for row in "123") for column in "abc"),
    ("a1", "b2", "c3"),
    ("a3", "b2", "c1"),
)


@dataclass(frozen=True)
class NoughtsPosition(Position[str]):
    """The squares that each side has marked."""

    marked: Mapping[str, Seat] = field(default_factory=dict)
    last: str = ""

    def legal(self) -> Sequence[str]:
        return () if self.outcome else tuple(place for place in BOARD.spots if place not in self.marked)

    def places(self, step: str) -> Sequence[str]:
        return (step,)

    def play(self, step: str) -> NoughtsPosition:
        if step not in self.legal() or self.to_act is None:
            raise IllegalMove(why=f"{step} is not free.")
        marked = {**self.marked, step: self.to_act}
        won = any(all(marked.get(place) == self.to_act for place in row) for row in _ROWS)
        over = (
            Outcome((self.to_act,), "row") if won else Outcome((), "full") if len(marked) == len(BOARD.spots) else None
        )
        return replace(self, marked=marked, last=step, ply=self.ply + 1, outcome=over)

    @property
    def figure(self) -> Figure:
        pieces = {place: Piece(seat, "xo"[seat]) for place, seat in self.marked.items()}
        drawn = BOARD.figure(pieces, {self.last} - {""})
        return replace(drawn, sides=("Crosses", "Noughts"), colours=("red", "blue"), marks=("x", "o"))

    def __str__(self) -> str:
        return self.figure.letters


class Noughts(Game[NoughtsPosition, str]):
    """The game."""

    name = "noughts"

    def sides(self, position: NoughtsPosition) -> tuple[str, ...]:
        return ("Crosses", "Noughts")

    def begin(self, options: Options, players: int, first: Seat = 0, rules: int | None = None) -> NoughtsPosition:
        return NoughtsPosition(first=first)

    def read_input(self, position: NoughtsPosition, text: str) -> Input[str, NoughtsPosition]:
        place = text.strip().lower()
        if place not in BOARD.spots:
            raise UnreadableMove(why="A move is a square, such as b2.")
        return Input((place,), position.play(place))

    def report(self, position: NoughtsPosition) -> Report:
        return dict[str, Any](position.marked)


NOUGHTS = Noughts()
