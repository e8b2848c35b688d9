"""The only place where the parts meet: settings in, a server out.

Here are the games; the modules are apart so that each tool of the command line loads only what it needs.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points
from typing import Any

from pbem.games.game import Catalogue, Game


def find_games() -> Catalogue:
    """Return the games that installed packages offer under the entry point ``pbem.games``, by name."""
    return Catalogue(installed_games())


@cache
def installed_games() -> Mapping[str, Game[Any, Any]]:
    """Load the games once: asking every installed package takes longer than making all other parts.

    They are found by the names of their entry points, of which a game may have several.
    """
    found, lacking = dict[str, Game[Any, Any]](), set[str]()
    for entry in entry_points(group="pbem.games"):
        if entry.module in lacking:
            continue
        try:
            found[entry.name] = entry.load()
        except ModuleNotFoundError:  # it needs a library that is not here
            lacking.add(entry.module)
    return found


@cache
def absent_games() -> frozenset[str]:
    """The names of games that packages offer and whose libraries are not here, and other words for them."""
    return frozenset(entry.name for entry in entry_points(group="pbem.games")) - installed_games().keys()
