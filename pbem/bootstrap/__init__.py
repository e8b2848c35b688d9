"""The only place where the parts meet: settings in, a server out.

Here are the games; the modules are apart so that each tool of the command line loads only what it needs.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from typing import Any

from pbem.games.game import Game


def find_games() -> dict[str, Game[Any, Any]]:
    """Return the games that installed packages offer under the entry point ``pbem.games``, by name."""
    return {game.name: game for game in installed_games()}


@cache
def installed_games() -> tuple[Game[Any, Any], ...]:
    """Load the games once: asking every installed package takes longer than making all other parts."""
    return tuple(entry.load() for entry in entry_points(group="pbem.games"))
