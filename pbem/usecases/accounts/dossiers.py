"""Everything that the server holds about a player, for himself."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date

from pbem.commands.model import ShowData
from pbem.domain.boards import Board, QueuedMove, SubmittedMove
from pbem.domain.notices import Attachment, Notice
from pbem.domain.players import Player
from pbem.usecases.context import Context
from pbem.usecases.proof.consent import check_reachable

_MOST_BOARDS = 10_000


def show_data(command: ShowData, context: Context) -> list[Notice]:
    """What the server holds about the speaker, as a file, to his addresses on record.

    Raises:
        NobodyToAsk: no mail reaches any of them.
    """
    check_reachable(context)
    player = context.speaker.known
    content = json.dumps(_dossier(player, context), indent=2, default=_said) + "\n"
    file = Attachment(f"pbem-{player.userid}.json", "application/json", content.encode())
    return [Notice("data", player, {"player": player, "file": file}, answers=True, attachment=file)]


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


def _planned(move: QueuedMove | SubmittedMove | None) -> str | None:
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
        "queued": [_planned(board.seats[seat].queued) for seat in seats],
        "submitted": [_planned(board.seats[seat].submitted) for seat in seats],
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
