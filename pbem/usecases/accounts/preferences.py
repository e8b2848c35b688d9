"""What players choose about their mails: ``set``."""

from __future__ import annotations

from dataclasses import replace

from pbem.commands.model import SetPreferences, ShowPreferences
from pbem.domain.digests import next_digest
from pbem.domain.notices import Notice
from pbem.domain.players import Player
from pbem.errors import NotAllowed
from pbem.usecases.context import Context
from pbem.usecases.reasons import Reasons


class PreferenceSetTwice(NotAllowed):
    """A command sets the preference ``key`` to ``one`` value and then to an ``other``."""

    key: str
    one: str
    other: str


def show_preferences(command: ShowPreferences, context: Context) -> list[Notice]:
    """What the speaker has chosen so far, and what there is to choose."""
    return [_told(context.speaker.known, ())]


def set_preferences(command: SetPreferences, context: Context) -> list[Notice]:
    """Set some preferences, all or none; the answer already keeps to them.

    Raises:
        UnknownPreference, BadPreference, NoSuchTimezone: one of them cannot be set so.
        PreferenceSetTwice: one of them is to have two values.
        SeveralReasons: more than one of these.
    """
    player, reasons = context.speaker.known, Reasons()
    chosen = player.preferences
    values: dict[str, str] = {}
    for word, value in command.settings:
        with reasons.gathered():
            chosen = chosen.with_value(word, value)
            key = word.lower()
            meant = getattr(chosen, key)
            if values.setdefault(key, meant) != meant:
                raise PreferenceSetTwice(key, values[key], meant)
    reasons.check()
    after = replace(player, preferences=chosen)
    context.uow.players.save(after)
    if (chosen.digest, chosen.timezone) != (player.preferences.digest, player.preferences.timezone):
        is_over = chosen.digest == "off"
        context.uow.digests.put_off(player.id, context.now if is_over else next_digest(context.now, chosen.zone))
    return [_told(after, tuple(values))]


def _told(player: Player, changed: tuple[str, ...]) -> Notice:
    return Notice("preferences", player, {"player": player, "changed": changed}, answers=True)
