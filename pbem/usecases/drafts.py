"""A turn in the making: looked at and not sent yet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pbem.domain.courses import Course
    from pbem.games.game import Game, InputText, Position


@dataclass(frozen=True, slots=True)
class Draft:
    """The beginning of a turn, or a whole one."""

    said: str
    """The steps so far, as they are typed one behind the other; empty if there are none."""
    before: Position[Any]
    after: Position[Any]
    """With what followed by itself."""
    text: InputText | None = None
    """The same as the list of moves will have it; None if there are no steps."""
    left_over: str = ""
    """What could not be played, since another has to decide something first."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is drafted."""
        return not self.said

    @property
    def goes_on(self) -> bool:
        """Whether the same player has more to play or to decide in this turn."""
        return self.after.ply == self.before.ply and self.after.to_act == self.before.to_act


def draft(course: Course, game: Game[Any, Any], said: str) -> Draft:
    """What a turn would lead to that may be incomplete.

    Raises:
        UnreadableMove, IllegalMove: what the game says.
    """
    position = course.position
    if not said.strip():
        return Draft("", position, position)
    played = game.read_part(position, said)
    text = game.input_text(played.position, played.steps)
    return Draft(" ".join(said.split()), position, played.position, text, played.left_over)
