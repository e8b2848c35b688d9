"""What players choose about their mails: ``set``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pbem.domain.notices import Notice

if TYPE_CHECKING:
    from pbem.commands.model import SetPreferences, ShowPreferences
    from pbem.domain.players import Player
    from pbem.usecases.context import Context


def show_preferences(command: ShowPreferences, context: Context) -> list[Notice]:
    """What the speaker has chosen so far, and what there is to choose."""
    return [_told(context.speaker.known, ())]


def set_preferences(command: SetPreferences, context: Context) -> list[Notice]:
    """Set some preferences, all or none; the answer already keeps to them.

    Raises:
        UnknownPreference, BadPreference: one of them cannot be set so.
    """
    player = context.speaker.known
    chosen = player.preferences
    for word, value in command.settings:
        chosen = chosen.with_value(word, value)
    after = replace(player, preferences=chosen)
    context.uow.players.save(after)
    return [_told(after, tuple(dict.fromkeys(word.lower() for word, _ in command.settings)))]


def _told(player: Player, changed: tuple[str, ...]) -> Notice:
    return Notice("preferences", player, {"player": player, "changed": changed}, answers=True)
