"""Preferences and vacations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any, TypeAlias

from pbem.commands.accounts import (
    AddAddresses,
    ChangeAddresses,
    EndVacation,
    SetPreferences,
    ShowPreferences,
    ShowVacation,
    SignOff,
    TakeVacation,
)
from pbem.commands.command import Command
from pbem.commands.grammar import parse
from pbem.commands.internal import ChangeAccount
from pbem.domain.mails import Notice, next_digest
from pbem.domain.players import Player
from pbem.domain.vacations import away_until, back_again, days_away, days_left, latest_day, under_way
from pbem.errors import NotAllowed
from pbem.usecases.addresses import carry_out_add, carry_out_change
from pbem.usecases.confirmations import answered_question
from pbem.usecases.context import Context, handles
from pbem.usecases.offers import active_boards
from pbem.usecases.passwords import set_password
from pbem.usecases.refusals import Reasons
from pbem.usecases.signoff import carry_out_signoff


class PreferenceSetTwice(NotAllowed):
    """A command sets the preference ``key`` to ``one`` value and then to an ``other``."""

    key: str
    one: str
    other: str


@handles(ShowPreferences)
def show_preferences(command: ShowPreferences, context: Context) -> list[Notice]:
    """The speaker's preferences, and the possible values."""
    return [_told(context.speaker.known, ())]


@handles(SetPreferences)
def set_preferences(command: SetPreferences, context: Context) -> list[Notice]:
    """Set some preferences, all or none; the answer already follows them.

    Raises:
        UnknownPreference, BadPreference, NoSuchTimezone: one of them cannot be set so.
        PreferenceSetTwice: one of them gets two values.
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


Handler: TypeAlias = Callable[[Any, Context], list[Notice]]


AGREED: dict[type[Command], Handler] = {
    AddAddresses: carry_out_add,
    ChangeAddresses: carry_out_change,
    SignOff: carry_out_signoff,
}


@handles(ChangeAccount)
def change_account(command: ChangeAccount, context: Context) -> list[Notice]:
    """Carry out what the question was about.

    Raises:
        PlayerError: it cannot be done any more; nothing has changed.
    """
    confirmation = answered_question(command.confirmation, context)
    if confirmation.password_hash is not None:
        return set_password(confirmation, confirmation.password_hash, context)
    agreed = parse(confirmation.line or "", context.games)
    return AGREED[type(agreed)](agreed, context)


class NotOnVacation(NotAllowed):
    """The speaker wants to come back and is not away."""


@handles(ShowVacation)
def show_vacation(command: ShowVacation, context: Context) -> list[Notice]:
    """Show until when the speaker is away, and how much longer they may be."""
    return [_vacation_notice(context.speaker.known, "shown", context)]


@handles(TakeVacation)
def take_vacation(command: TakeVacation, context: Context) -> list[Notice]:
    """Let the speaker be away from now to the end of a day, or for some days from today; that replaces a present end.

    Raises:
        VacationIsPast, VacationTooLong: that is no possible end.
    """
    player = context.speaker.known
    zone, most = player.preferences.zone, context.policy.vacation_days
    until = command.until
    if isinstance(until, timedelta):
        until = context.now.astimezone(zone).date() + until - timedelta(days=1)
    after = replace(player, vacations=away_until(player.vacations, until, context.now, zone, most))
    _save(after, context)
    return [_vacation_notice(after, "taken", context)]


@handles(EndVacation)
def end_vacation(command: EndVacation, context: Context) -> list[Notice]:
    """End the speaker's vacation.

    Raises:
        NotOnVacation: they are not away.
    """
    player = context.speaker.known
    if under_way(player.vacations, context.now) is None:
        raise NotOnVacation
    after = replace(player, vacations=back_again(player.vacations, context.now))
    _save(after, context)
    return [_vacation_notice(after, "ended", context)]


def _save(player: Player, context: Context) -> None:
    """Save a player with their vacations, and apply the last one to their boards."""
    context.uow.players.save(player)
    for board in active_boards(player, context):
        after = board.with_vacation(player.id, player.vacations[-1])
        if after is not board:
            context.uow.boards.save(after)


def _vacation_notice(player: Player, what: str, context: Context) -> Notice:
    zone, most = player.preferences.zone, context.policy.vacation_days
    away = under_way(player.vacations, context.now)
    facts = {
        "player": player,
        "what": what,
        "away": away,
        "last_day": None if away is None else max(days_away([away], zone)),
        "left": days_left(player.vacations, context.now, zone, most),
        "latest": latest_day(player.vacations, context.now, zone, most),
        "most": most,
        "boards": [board.number for board in active_boards(player, context)],
    }
    return Notice("vacation", player, facts, answers=True)
