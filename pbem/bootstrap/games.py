"""The games that are here."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import Any

from pbem.games.game import Game


def find_games() -> dict[str, Game[Any, Any]]:
    """The games that installed packages offer under the entry point ``pbem.games``, by name."""
    games = [entry.load() for entry in entry_points(group="pbem.games")]
    return {game.name: game for game in games}
