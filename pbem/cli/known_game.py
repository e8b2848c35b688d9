"""A game that is named on the command line."""

from __future__ import annotations

import click

from pbem.bootstrap.games import find_games


def known_game(_context: click.Context, _option: click.Parameter, word: str | None) -> str | None:
    """The name of a game that is here, however it was written."""
    games = sorted(find_games())
    if word is not None and word.lower() not in games:
        raise click.BadParameter(f"{word[:40]!r} is not a game of this server: {', '.join(games)}.")
    return word and word.lower()
