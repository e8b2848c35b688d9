"""Who hears of a board beside its players, and who hears of it only once a day."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.domain.boards import Board
from pbem.domain.digests import DigestEntry, next_digest
from pbem.domain.players import Player
from pbem.domain.watches import ANY_BOARD, Watch, WatchKind, subscribers, waiting_for_end
from pbem.ids import PlayerId
from pbem.usecases.context import Context

_AT_ONCE = ("board_deed",)
"""Notices about boards that wait for no daily mail: what the operator has to say stands nowhere else."""


def subscribers_of(board: Board, context: Context) -> tuple[Watch, ...]:
    """Who gets the mails of a board without playing there."""
    return subscribers(board, context.uow.watches.of_board(board))


def is_subscriber(board: Board, player: PlayerId, context: Context) -> bool:
    """Whether somebody gets the mails of a board without playing there."""
    return any(each.player == player for each in subscribers_of(board, context))


def listeners(board: Board, context: Context) -> Iterator[Player]:
    """The subscribers of a board whom mail reaches; of the others it need not be noted what they have missed."""
    players = context.uow.players.listed(each.player for each in subscribers_of(board, context))
    return (each for each in players if each.reachable)


def waiting_for_the_end(board: Board, context: Context) -> list[Player]:
    """Who is to be told that a board is over, if it is; who has waited for this one does so no longer."""
    result = context.course(board).result
    if result is None:
        return []
    watches = context.uow.watches.of_board(board)
    waiting = waiting_for_end(board, watches, was_played=result.was_played)
    for each in watches:
        if each.kind is WatchKind.END and each.board != ANY_BOARD:
            context.uow.watches.drop(each)
    return [each for each in context.uow.players.listed(waiting) if each.reachable]


def deaf_to_speaker(context: Context) -> frozenset[PlayerId]:
    """Those who have blocked the speaker: nothing that he writes comes to them, and he is not told."""
    speaker = context.speaker.player
    return frozenset() if speaker is None else context.uow.blocks.blockers_of(speaker.id)


def keeps_for_digest(name: str, reader: Player) -> bool:
    """Whether a notice that does not answer its reader waits for his daily mail."""
    return reader.preferences.digest == "daily" and name not in _AT_ONCE


def keep_for_digest(board: Board, reader: Player, comment: Mapping[str, str] | None, context: Context) -> None:
    """Have the next daily mail of a player tell how a board stands, and what somebody has written."""
    said = comment or {"writer": "", "text": ""}
    due_at = next_digest(context.now, reader.preferences.zone)
    context.uow.digests.add(DigestEntry(reader.id, board.number, context.now, due_at, said["writer"], said["text"]))
