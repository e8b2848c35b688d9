"""The games that are here."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from typing import Any

from pbem.games.game import Game


@cache
def find_games() -> dict[str, Game[Any, Any]]:
    """Return the games that installed packages offer under the entry point ``pbem.games``, by name.

    They are looked up once: asking every installed package takes longer than making all other parts.
    """
    games = (entry.load() for entry in entry_points(group="pbem.games"))
    return {game.name: game for game in games}
