"""Arguments that several commands take."""

from __future__ import annotations

from typing import Any

import click

from pbem.bootstrap import find_games

_LONGEST_QUOTE = 40


class Number(click.IntRange):
    """A number within bounds; other input is refused in plain words, and only quoted in part if it is long."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read a number."""
        if isinstance(value, str) and len(value) > _LONGEST_QUOTE:
            self.fail(f"{value[:_LONGEST_QUOTE]!r}... is not a valid number.", param, ctx)
        return super().convert(value, param, ctx)


def known_game(_context: click.Context, _option: click.Parameter, word: str | None) -> str | None:
    """The name of a game of this server, however it was written."""
    games = sorted(find_games())
    if word is not None and word.lower() not in games:
        raise click.BadParameter(f"{word[:40]!r} is not a game of this server: {', '.join(games)}.")
    return word and word.lower()
