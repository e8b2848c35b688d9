"""The daily mail of players who want no other: where it is their turn, and what else has happened at their boards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from pbem.domain.boards import Board
from pbem.domain.mails import DigestEntry, Happened, Notice, by_board, next_digest
from pbem.domain.offers import settlements
from pbem.domain.players import Player
from pbem.domain.replies import Purpose
from pbem.domain.waits import waited_for
from pbem.ids import PlayerId
from pbem.usecases.context import Context
from pbem.usecases.notices import board_facts, table_facts
from pbem.usecases.offers import active_boards
from pbem.usecases.ratings import rated_facts


def daily_mail(whose: PlayerId, context: Context) -> list[Notice]:
    """Tell a player what was kept for their daily mail, and keep it no longer.

    It goes on being kept while no mail reaches them. A player who has left is told nothing.
    """
    player, entries = context.uow.players.get(whose), context.uow.digests.of(whose)
    is_here = player.is_here
    if is_here and not player.reachable:
        context.uow.digests.put_off(player.id, next_digest(context.now, player.preferences.zone))
        return []
    context.uow.digests.told(entries)
    return [_digest(player, by_board(_heard(entries, player, context)), context)] if is_here and entries else []


def _heard(entries: Sequence[DigestEntry], player: Player, context: Context) -> list[DigestEntry]:
    """The entries without the words of players whom the reader has blocked since."""
    blocked = set(map(context.uow.players.userid_of, context.uow.blocks.blocked_by(player.id)))
    return [replace(each, writer="", comment="") if each.writer in blocked else each for each in entries]


def _digest(player: Player, happened: Sequence[Happened], context: Context) -> Notice:
    """The boards that wait for the player and their finished games, drawn as far as they fit; a line for each other.

    Boards that have waited for the player all along have nothing new, so they have a line each, too.
    """
    found = [(context.uow.boards.find_listed(each.board), each) for each in happened]
    boards = [(board, each) for board, each in found if board is not None]
    waiting = [(board, each) for board, each in boards if player.id in waited_for(board, context.course(board))]
    over = [(board, each) for board, each in boards if _is_played_out(board, player, context)]
    drawn = (waiting + over)[: context.most_boards]
    rows = [
        {**table_facts(board, context, player), **_news(board, each, context)}
        for board, each in boards
        if (board, each) not in drawn
    ]
    known = {board.number for board, _ in boards}
    still = [board for board in _waiting_for(player, context) if board.number not in known]
    facts = {
        "player": player,
        "boards": [{**board_facts(board, context, player), **_news(board, each, context)} for board, each in drawn],
        "rows": rows,
        "waiting": len(waiting),
        "still": [{**table_facts(board, context, player), "since": _since(board, context)} for board in still],
    }
    only = waiting[0][0] if len(waiting) + len(still) == 1 and waiting else None
    plays = bool(still) or any(player.id in board.players for board, _ in boards)
    told = context.topic_reply(Purpose.DIGEST, player, int(context.now.timestamp()) // 60) if plays else None
    reply = told if only is None else context.reply(player.id, only.number, only.event_number)
    return Notice("digest", player, facts, reply=reply, stopped_by="digest")


def _waiting_for(player: Player, context: Context) -> list[Board]:
    """All boards that wait for a player, even if for an answer to an offer, lowest number first."""
    return [board for board in active_boards(player, context) if player.id in waited_for(board, context.course(board))]


def _since(board: Board, context: Context) -> datetime:
    """The moment when a board began to wait."""
    course = context.course(board)
    return course.waiting_since(board) if course.offer is None else course.offer.at


def _is_played_out(board: Board, player: Player, context: Context) -> bool:
    """Return True if it is a finished game of the player: no other mail shows them its last position."""
    result = context.course(board).result
    return result is not None and result.was_played and player.id in board.players


def _news(board: Board, happened: Happened, context: Context) -> dict[str, object]:
    """The news of a board since the player was last told."""
    since = {event.number for event in board.events if event.at >= happened.since}
    return {
        "comments": [{"writer": each.writer, "text": each.comment} for each in happened.comments],
        "is_new": board.begun_at >= happened.since,
        "ratings": rated_facts(board, context),
        "settlements": [each for each in settlements(board.played) if each.event.number in since],
        "moves": len({played.moveno for played in context.course(board).inputs if played.event in since}),
    }
