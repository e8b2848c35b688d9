"""Leaving, and everything known about a player."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import date

from pbem.commands.accounts import ShowData, SignOff
from pbem.domain.boards import Board, Plan, SubmittedMove
from pbem.domain.mails import Attachment, Notice
from pbem.domain.players import Player, Standing
from pbem.domain.preferences import Preferences
from pbem.games.game import TurnRecord
from pbem.games.plans import one_line
from pbem.usecases.confirmations import ask_on_record, check_reachable
from pbem.usecases.context import Context, handles
from pbem.usecases.offers import leave_boards
from pbem.usecases.tournament_rounds import leave_tournaments


@handles(SignOff)
def sign_off(command: SignOff, context: Context) -> list[Notice]:
    """Ask the speaker to confirm that they want to leave the server.

    Raises:
        NobodyToAsk: no mail reaches the speaker.
    """
    return ask_on_record(command.form, context)


def carry_out_signoff(command: SignOff, context: Context) -> list[Notice]:
    """Take the speaker off the server, and say goodbye to them."""
    player = context.speaker.known
    return [*take_off(player, context), Notice("goodbye", player, {"player": player}, answers=True)]


def take_off(player: Player, context: Context, record: TurnRecord | None = None) -> list[Notice]:
    """End all games of a player, as forfeited or declined, and forget all but their userid; their opponents are told.

    Mail that is still due to the player goes to the addresses that they have had until now.

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


_MOST_BOARDS = 10_000


@handles(ShowData)
def show_data(command: ShowData, context: Context) -> list[Notice]:
    """All that the server holds about the speaker, as a file, to their addresses on record.

    Raises:
        NobodyToAsk: no mail reaches any of them.
    """
    check_reachable(context)
    player = context.speaker.known
    content = json.dumps(_dossier(player, context), indent=2, default=_said) + "\n"
    file = Attachment(f"pbem-{player.userid}.json", "application/json", content.encode())
    return [Notice("data", player, {"player": player, "file": file}, answers=True, attachments=(file,))]


def _said(value: object) -> str:
    return value.isoformat() if isinstance(value, date) else str(value)


def _dossier(player: Player, context: Context) -> Mapping[str, object]:
    boards = context.uow.boards.of_players([player.id], "all", None, _MOST_BOARDS)
    return {
        "server": context.policy.address,
        "at": context.now,
        "account": {
            "userid": player.userid,
            "created_at": player.created_at,
            "has_password": player.password_hash is not None,
            "standing": player.standing.value,
            "mail_stopped": player.mail_stopped,
            "seen_on": player.seen_on,
            "pace_seconds": player.pace and player.pace.total_seconds(),
        },
        "addresses": [
            {
                "address": each.address,
                "confirmed_at": each.confirmed_at,
                "suppressed_at": each.suppressed_at,
                "suppressed_why": each.suppressed_why,
            }
            for each in player.addresses
        ],
        "preferences": dict(player.preferences.chosen()),
        "vacations": [{"began_at": each.began_at, "ends_at": each.ends_at} for each in player.vacations],
        "boards": [_board(each, player, context) for each in boards],
        **context.uow.traces.of(player),
    }


def _planned(plan: Plan | None) -> str | None:
    return None if plan is None else one_line(plan.branches) if not plan.queued else plan.queued


def _submitted(move: SubmittedMove | None) -> str | None:
    return None if move is None else move.text


def _board(board: Board, player: Player, context: Context) -> Mapping[str, object]:
    result = context.course(board).result
    seats = board.seats_of(player.id)
    ended = result and {"ending": result.ending.value, "winners": list(result.winners), "by": result.by}
    return {
        "board": board.number,
        "game": board.game,
        "begun_at": board.begun_at,
        "rated": board.rated,
        "players": [holder.userid for holder in board.seats],
        "seats": list(seats),
        "resigning": any(board.seats[seat].resigning for seat in seats),
        "quiet": any(board.seats[seat].quiet for seat in seats),
        "planned": [_planned(board.seats[seat].plan) for seat in seats],
        "submitted": [_submitted(board.seats[seat].submitted) for seat in seats],
        "pauses": [
            {"why": each.why, "began_at": each.began_at, "ended_at": each.ended_at}
            for each in board.pauses
            if each.player == player.id
        ],
        "events": [
            {"number": each.number, "kind": each.kind.value, "at": each.at, "record": each.record}
            for each in board.events
            if each.seat in seats
        ],
        "result": ended,
    }
