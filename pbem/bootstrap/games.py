"""The games that are here."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from typing import Any

from pbem.games.game import Game


def find_games() -> dict[str, Game[Any, Any]]:
    """The games that installed packages offer under the entry point ``pbem.games``, by name."""
    return {game.name: game for game in _installed()}


@cache
def _installed() -> tuple[Game[Any, Any], ...]:
    """The games, looked for once: to ask every installed package takes longer than to make all other parts."""
    return tuple(entry.load() for entry in entry_points(group="pbem.games"))
