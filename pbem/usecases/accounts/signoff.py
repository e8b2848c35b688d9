"""Leaving the server."""

from __future__ import annotations

from dataclasses import replace

from pbem.commands.model import SignOff
from pbem.domain.notices import Notice
from pbem.domain.players import Player, Standing
from pbem.domain.preferences import Preferences
from pbem.games.game import TurnRecord
from pbem.usecases.boards.departures import leave_boards
from pbem.usecases.context import Context
from pbem.usecases.proof.consent import ask_on_record
from pbem.usecases.tournaments.rounds import leave_tournaments


def sign_off(command: SignOff, context: Context) -> list[Notice]:
    """Ask whether the speaker is to be taken off the server.

    Raises:
        NobodyToAsk: no mail reaches him.
    """
    return ask_on_record(command.form, context)


def carry_out_signoff(command: SignOff, context: Context) -> list[Notice]:
    """Take the speaker off the server, and say goodbye to him."""
    player = context.speaker.known
    return [*take_off(player, context), Notice("goodbye", player, {"player": player}, answers=True)]


def take_off(player: Player, context: Context, record: TurnRecord | None = None) -> list[Notice]:
    """End all games of a player, as forfeited or declined, and forget him but for his userid; his opponents are told.

    What is still to be mailed to him goes to the addresses that he has had until now.

    Args:
        player: who leaves.
        context: of the command.
        record: of the events by which the games end; None unless the operator has decided on them.
    """
    leave_tournaments(player, context)
    notices = leave_boards(player, context, record)
    context.uow.players.save(_gone(context.uow.players.get(player.id)))
    context.uow.sessions.end_of(player.id)
    context.uow.tokens.revoke_of(player.id)
    context.uow.traces.forget(player)
    return notices


def _gone(player: Player) -> Player:
    return replace(
        player,
        addresses=(),
        password_hash=None,
        preferences=Preferences(),
        standing=Standing.BANNED if player.standing is Standing.BANNED else Standing.GONE,
        mail_stopped=False,
    )
