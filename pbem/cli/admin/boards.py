"""``pbem admin boards``: the operator's commands about games."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import click

from pbem.cli.admin.opening import NUMBER, as_json, at_desk, checked_reason, did, limit, past_moment, reason
from pbem.cli.arguments import known_game
from pbem.cli.tables import show as show_rows
from pbem.cli.tables import show_one
from pbem.commands.internal import AnnulBoard, EndBoard, HandOverSeat
from pbem.domain.boards import Board
from pbem.domain.players import Player
from pbem.games.game import Seat
from pbem.ids import BoardNumber
from pbem.storage.operators import WantedBoards, listed_boards
from pbem.usecases.context import Context
from pbem.usecases.dispatcher import dispatch
from pbem.usecases.understanding import find_board, find_player

board = click.argument("board", type=NUMBER)


@click.group()
def boards() -> None:
    """Show, annul and end boards, and hand over seats."""


@boards.command(name="list")
@click.option("--game", callback=known_game, help="Only boards of this game.")
@click.option("--player", metavar="USERID", help="Only boards of this player.")
@click.option(
    "--idle-since",
    callback=past_moment,
    metavar="YYYY-MM-DD",
    help="Only boards where nothing has happened since then (UTC).",
)
@click.option("--all", "also_finished", is_flag=True, help="Include boards that are over.")
@limit
@as_json
def list_(
    game: str | None,
    player: str | None,
    idle_since: datetime | None,
    limit: int,
    *,
    also_finished: bool,
    as_json: bool,
) -> None:
    """List active boards, longest idle first."""
    with at_desk() as desk:
        with desk.looking() as context:
            whose = None if player is None else find_player(player, context).id
        with desk.reading() as connection:
            rows = listed_boards(connection, WantedBoards(game, whose, idle_since, also_finished), limit)
    columns = ("board", "game", "players", "to_act", "last_at", "ending", "trouble")
    show_rows(rows, columns, as_json=as_json, nothing="There is no such board.")


@boards.command()
@board
@as_json
def show(board: int, *, as_json: bool) -> None:
    """Show a board: its players, its events and its stopped clocks."""
    with at_desk() as desk, desk.looking() as context:
        facts = _facts(find_board(BoardNumber(board), None, context), context)
    show_one(facts, as_json=as_json)


def _facts(board: Board, context: Context) -> dict[str, Any]:
    course = context.course(board)
    return {
        "board": board.number,
        "game": board.game,
        "options": dict(board.options),
        "begun_at": board.begun_at,
        "last_at": board.last_at,
        "events": board.event_number,
        "moves": course.ply,
        "to_act": None if course.to_act is None else board.seats[course.to_act].userid,
        "ending": course.result and course.result.ending.value,
        "winners": [board.seats[seat].userid for seat in course.result.winners] if course.result else [],
        "may_count": board.may_count,
        "seats": [
            _seat_facts(board, seat, used, context.uow.players.get(holder.player))
            for seat, (holder, used) in enumerate(zip(board.seats, course.time_used(board), strict=True))
        ],
        "clocks_stand": _clocks_that_stand(board) if course.result is None else [],
        "log": [
            {"event": event.number, "at": event.at, "kind": event.kind.value, "seat": event.seat}
            | ({"record": event.record} if event.is_deed else {})
            for event in board.events
        ],
    }


def _seat_facts(board: Board, seat: Seat, used: timedelta, player: Player) -> dict[str, Any]:
    left = board.left.get(seat)
    return {
        "userid": player.userid,
        "standing": player.standing.value,
        "reached": "unreachable" if player.is_unreachable else "",
        "left": left and left.value,
        "time": str(timedelta(seconds=int(used.total_seconds()))),
    }


def _clocks_that_stand(board: Board) -> list[dict[str, Any]]:
    userids = {holder.player: holder.userid for holder in board.seats}
    return [{"userid": userids.get(each.player, ""), "why": each.why, "since": each.began_at} for each in board.stands]


@boards.command()
@board
@reason
def annul(board: int, reason: str) -> None:
    """Annul a board, as if it had never been played, even one that is over.

    The board loses its result and its game record, and cannot be brought back.
    """
    with at_desk() as desk:
        command = AnnulBoard(BoardNumber(board), checked_reason(reason))
        mails = desk.do("board annul", board, command.reason, lambda context: dispatch(command, context))
    did(f"board {board} is annulled", mails)


@boards.command()
@board
@click.option("--winner", metavar="USERID", help="The winner; all others forfeit.")
@click.option("--draw", is_flag=True, help="Nobody wins.")
@reason
def end(board: int, winner: str | None, reason: str, *, draw: bool) -> None:
    """End a game, with a winner or as a draw."""
    if draw == (winner is not None):
        raise click.UsageError("Give either --winner USERID or --draw.")
    with at_desk() as desk:
        command = EndBoard(BoardNumber(board), winner, checked_reason(reason))
        subject = f"{board} {'draw' if winner is None else f'winner {winner}'}"
        mails = desk.do("board end", subject, command.reason, lambda context: dispatch(command, context))
    did(f"board {board} is over", mails)


@boards.command(name="hand-over")
@board
@click.argument("giver", metavar="FROM")
@click.argument("taker", metavar="TO")
@reason
def hand_over(board: int, giver: str, taker: str, reason: str) -> None:
    """Give the seat of player FROM to player TO.

    The position does not change. TO is not asked, but can decline before their first move, as any player can. The game
    is no longer rated.
    """
    with at_desk() as desk:
        command = HandOverSeat(BoardNumber(board), giver, taker, checked_reason(reason))
        subject = f"{board} from {giver} to {taker}"
        mails = desk.do("board hand-over", subject, command.reason, lambda context: dispatch(command, context))
    did(f"{taker} has the seat of {giver} at board {board}", mails)
