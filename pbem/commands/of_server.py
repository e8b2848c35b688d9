"""The verbs of the whole server: what stands behind them → the command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.commands.model import Command, Help, ListGames

if TYPE_CHECKING:
    from pbem.commands.line import Line


def read_help(line: Line) -> Command:
    """``help [<subject>+]``."""
    return Help((line.game, *line.words) if line.game else line.words)


def read_list(line: Line) -> Command:
    """``list [<game>*]``."""
    return ListGames((line.game, *line.words) if line.game else line.words)
