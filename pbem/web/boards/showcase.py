"""A board to look at on a page about something else: one in play, or one that shows what a game is like."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pbem.domain.boards import Board
from pbem.games.game import Game, Position
from pbem.web.boards.faces import BoardView, View, face

_TURNS = 14
"""Of an example."""
_STRIDE, _START = 7, 3
"""By which its steps are taken from all that are legal: some that lie apart, and always the same ones."""


@dataclass(frozen=True)
class Showcase:
    """A position, and the board where it stands; None: it is an example."""

    game: Game[Any, Any]
    position: Position[Any]
    board: Board | None = None

    @cached_property
    def face(self) -> BoardView:
        """How pages show it."""
        return face(self.position, self.game)

    def draw(self, label: str) -> str:
        """The drawing as markup; ``label`` tells those who do not see it what it is."""
        return self.face.draw(View(), label)


def in_play(rows: Sequence[Mapping[str, Any]]) -> Showcase | None:
    """The board of a table of boards where something has happened last; None if the table has none."""
    begun = [row for row in rows if row["course"].ply]
    if not begun:
        return None
    latest = max(begun, key=lambda row: (row["board"].last_at, row["board"].number))
    return Showcase(latest["game"], latest["course"].position, latest["board"])


def example(game: Game[Any, Any]) -> Showcase:
    """A board that nobody has played on, after some turns that the rules allow."""
    position = shown = game.begin({}, game.players.start)
    taken = _START
    while position.outcome is None and position.ply < _TURNS:
        steps = position.legal()
        position = position.play(steps[taken % len(steps)])
        taken += _STRIDE
        if position.outcome is None and not position.mid_turn:
            shown = position
    return Showcase(game, shown)
