"""The opening explorer on the web: a position, and links to all that was played there in finished games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from starlette.responses import Response

from pbem.domain.boards import Board
from pbem.domain.game_state import GameState
from pbem.errors import PlayerError
from pbem.games.game import BETWEEN_TURNS, Game
from pbem.usecases.context import Context, NoSuchGame
from pbem.usecases.explorer import MOST_SHOWN, Explored, explore
from pbem.usecases.previews import new_board, played_on, split_turns
from pbem.web.boards.views import Showcase
from pbem.web.context import RequestContext, asked_number

LONGEST = 1000
"""Most characters of the turns in an address."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A position at the beginning of a game, as an address names it."""

    game: Game[Any, Any]
    turns: Sequence[str]
    """As they are listed."""
    options: str = ""
    """As they are typed."""
    players: str = ""

    def address(self, turns: Sequence[str]) -> str:
        """The address of the position after some turns from the beginning."""
        fields = {"turns": BETWEEN_TURNS.join(turns), "options": self.options, "players": self.players}
        return f"?{urlencode({name: value for name, value in fields.items() if value})}"

    def before(self) -> Sequence[tuple[str, str]]:
        """Each turn, with the address of the position after it."""
        return [(turn, self.address(self.turns[: place + 1])) for place, turn in enumerate(self.turns)]

    def behind(self, inputs: Sequence[str]) -> str:
        """The address of the position after one more turn."""
        return self.address([*self.turns, *inputs])


@dataclass(frozen=True, slots=True)
class Asked:
    """The position that an address names, and what was played there."""

    opening: Opening
    board: Board
    course: GameState
    explored: Explored


def asked(visit: RequestContext, context: Context) -> Asked:
    """The position that the address names.

    Raises:
        NoSuchGame, OtherNumberOfPlayers, PlayerError: there is no such game.
        NoSuchValueAsked: the number of players is none.
        TooManyTurns, TurnPastEnd, PreviewStopped, DecisionBetween: its turns cannot be played.
    """
    options, count = " ".join(visit.asked("options")[:LONGEST].split()), asked_number(visit, "players")
    words = [word.lstrip("-") for word in options.split()]
    board = new_board(visit.word("game"), count, [word for word in words if word], context)
    game = context.games[board.game]
    board, course = played_on(board, split_turns([visit.asked("turns")[:LONGEST]], board, context), context)
    turns = [each.text.move for each in course.inputs]
    opening = Opening(game, turns, options, "" if count is None else str(count))
    return Asked(opening, board, course, explore(board, course, context))


def show_explorer(visit: RequestContext) -> Response:
    """Show what was played in a position (``?turns=B3/C4,K5&options=-single&players=2``).

    Raises:
        NoSuchGame: the server does not play it.
    """
    try:
        return visit.page("explorer", visit.look(lambda context: _facts(asked(visit, context))))
    except NoSuchGame:
        raise
    except PlayerError as wrong:
        game = visit.look(lambda context: context.games[visit.word("game")])
        return visit.page("wrong", {"wrong": wrong, "status": 400, "openings_of": game}, 400)


def _facts(found: Asked) -> Mapping[str, object]:
    game, position = found.opening.game, found.course.position
    return {
        "game": game,
        "opening": found.opening,
        "options": found.board.options,
        "course": found.course,
        "explored": found.explored,
        "most_shown": MOST_SHOWN,
        "sides": game.sides(position),
        "shown": Showcase(game, position),
    }
