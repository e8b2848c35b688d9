"""One way in for everything that is asked of the server: each command has one handler."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any, TypeAlias

from pbem.commands.command import Command
from pbem.domain.mails import Notice
from pbem.usecases import (
    addresses,
    admin_accounts,
    admin_boards,
    analyses,
    blocking,
    board_clocks,
    board_views,
    bounces,
    challenging,
    explorer,
    hints,
    mail_history,
    messages,
    moves,
    offers,
    opponents,
    passwords,
    plans,
    preferences,
    previews,
    private_notes,
    puzzles,
    rankings,
    seeks,
    signoff,
    signup,
    studies,
    tournament_entries,
    tournament_rounds,
    watching,
)
from pbem.usecases.context import Context
from pbem.usecases.guests import as_guest

Handler: TypeAlias = Callable[[Any, Context], list[Notice]]

_FEATURES = (
    addresses,
    admin_accounts,
    admin_boards,
    analyses,
    blocking,
    board_clocks,
    board_views,
    bounces,
    challenging,
    explorer,
    hints,
    mail_history,
    messages,
    moves,
    plans,
    offers,
    opponents,
    passwords,
    preferences,
    previews,
    private_notes,
    puzzles,
    rankings,
    seeks,
    signoff,
    signup,
    studies,
    tournament_entries,
    tournament_rounds,
    watching,
)

HANDLERS: Mapping[type[Command], Handler] = {
    command: handler
    for module in _FEATURES
    for handler in vars(module).values()
    if isinstance(handler, FunctionType)
    for command in getattr(handler, "commands", ())
}
"""The functions that these modules declare as handlers, by what they carry out."""


def dispatch(command: Command, context: Context) -> list[Notice]:
    """Carry out one command, whoever made it.

    Raises:
        PlayerError: it cannot be done; nothing has changed.
    """
    player = context.speaker.player
    if player is not None and player.is_guest:
        context = as_guest(command, context)
    with context.uow.attempt():
        return HANDLERS[type(command)](command, context)
