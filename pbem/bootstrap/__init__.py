"""The only place where the parts meet: settings in, a server out.

Here are the games; the modules are apart so that each tool of the command line loads only what it needs.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from pbem.games.game import Catalogue, Game


def find_games() -> Catalogue:
    """Return the games that installed packages offer under the entry point ``pbem.games``, by name."""
    return Catalogue(installed_games())


@cache
def installed_games() -> tuple[Game[Any, Any], ...]:
    """Load the games once: asking every installed package takes longer than making all other parts."""
    return tuple(filter(None, map(_loaded, entry_points(group="pbem.games"))))


@cache
def absent_games() -> frozenset[str]:
    """The names of games that packages offer and whose libraries are not here."""
    return frozenset(entry.name for entry in entry_points(group="pbem.games")) - find_games().keys()


def _loaded(entry: EntryPoint) -> Game[Any, Any] | None:
    """A game; None if it needs a library that is not here."""
    try:
        game: Game[Any, Any] = entry.load()
    except ModuleNotFoundError:
        return None
    return game
