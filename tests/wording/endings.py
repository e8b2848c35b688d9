"""The sentence that says what ended a game."""

from __future__ import annotations

from pbem import folder
from pbem.bootstrap import find_games
from pbem.domain.game_state import GameState, PlayedInput
from pbem.games.game import InputText, Seat
from pbem.games.hextile.position import Position
from pbem.wording.layout import WIDTH, wrap_long
from pbem.wording.templates import Wording
from tests.games.hextile.playing import GAMES

WORDING = Wording(folder("templates"), {}, find_games())


def said(position: Position, game: str, mover: Seat = 0) -> str:
    """The sentence in the mails of a board, its line breaks taken out."""
    course = GameState(position, (PlayedInput(1, mover, InputText("A1"), event=1),))
    template = WORDING.environment.get_template("parts/hextile/ending.txt")
    text = template.render(course=course, sides=GAMES[game].sides(position))
    assert text.isascii()
    assert text.endswith(".\n")
    assert max(map(len, wrap_long(text).split("\n"))) <= WIDTH
    return " ".join(text.split())
