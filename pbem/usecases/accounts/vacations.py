"""Vacations: ``vacation``."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from pbem.commands.model import EndVacation, ShowVacation, TakeVacation
from pbem.domain.notices import Notice
from pbem.domain.players import Player
from pbem.domain.vacations import away_until, back_again, days_away, days_left, latest_day, under_way
from pbem.errors import NotAllowed
from pbem.usecases.boards.departures import active_boards
from pbem.usecases.context import Context


class NotOnVacation(NotAllowed):
    """The speaker means to come back and is not away."""


def show_vacation(command: ShowVacation, context: Context) -> list[Notice]:
    """Until when the speaker is away, and how long he may be."""
    return [_told(context.speaker.known, "shown", context)]


def take_vacation(command: TakeVacation, context: Context) -> list[Notice]:
    """Let the speaker be away from now to the end of a day, or for some days from today; who is already, as long.

    Raises:
        VacationIsPast, VacationTooLong: not so.
    """
    player = context.speaker.known
    zone, most = player.preferences.zone, context.policy.vacation_days
    until = command.until
    if isinstance(until, timedelta):
        until = context.now.astimezone(zone).date() + until - timedelta(days=1)
    after = replace(player, vacations=away_until(player.vacations, until, context.now, zone, most))
    _save(after, context)
    return [_told(after, "taken", context)]


def end_vacation(command: EndVacation, context: Context) -> list[Notice]:
    """Let the speaker be back.

    Raises:
        NotOnVacation: he is not away.
    """
    player = context.speaker.known
    if under_way(player.vacations, context.now) is None:
        raise NotOnVacation
    after = replace(player, vacations=back_again(player.vacations, context.now))
    _save(after, context)
    return [_told(after, "ended", context)]


def _save(player: Player, context: Context) -> None:
    """Save a player with his vacations, and have his boards know of the last one."""
    context.uow.players.save(player)
    for board in active_boards(player, context):
        after = board.with_vacation(player.id, player.vacations[-1])
        if after is not board:
            context.uow.boards.save(after)


def _told(player: Player, what: str, context: Context) -> Notice:
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
