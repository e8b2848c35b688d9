"""The games that the server plays, by name; `bootstrap` finds them and fills it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.games.game import Game

AnyGame: TypeAlias = "Game[Any, Any]"


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Games by the word that players type."""

    games: Mapping[str, AnyGame]

    @property
    def names(self) -> tuple[str, ...]:
        """Every game's name, in alphabetical order."""
        return tuple(sorted(self.games))

    def __getitem__(self, name: str) -> AnyGame:
        return self.games[name]

    def get(self, name: str) -> AnyGame | None:
        """The game of this name, or None if there is no such game."""
        return self.games.get(name)
