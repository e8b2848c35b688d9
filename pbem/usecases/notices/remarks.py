"""What is written at a board: kept, and read again by those who were told."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.domain.boards import Board
from pbem.domain.letters import CUT
from pbem.domain.remarks import LONGEST, Remark, RemarkKind
from pbem.usecases.context import Context, Proof
from pbem.usecases.notices.audience import is_subscriber

MOST_SHOWN = 100
"""Of one board."""


def comment_of_speaker(context: Context) -> str:
    """What the speaker has written below the command: nothing where a From address alone says that it was he."""
    return context.comment if context.speaker.proof >= Proof.AUTHENTICATED else ""


def keep_remark(kind: RemarkKind, board: Board, context: Context) -> None:
    """Keep what the speaker has written at a board, if anything."""
    player = context.speaker.player
    text = comment_of_speaker(context).partition(CUT)[0].strip("\n")[:LONGEST]
    if player is not None and text.strip():
        remark = Remark(board.number, board.event_number, player.id, player.userid, context.now, kind, text)
        context.uow.remarks.add(remark)


def may_read(board: Board, context: Context) -> bool:
    """Whether what is written at a board is for the speaker: for those who play there or get its mails.

    Who subscribes reads what was said before, too: anybody can, the players see who does below every mail, and write
    in the knowledge that it is no secret. To keep older words from him would need the moment of every watch, and those
    that cover boards to come have none for this board.
    """
    player = context.speaker.player
    return player is not None and (player.id in board.players or is_subscriber(board, player.id, context))


def remarks_of(board: Board, context: Context) -> Sequence[Remark]:
    """The last remarks at a board that are for the speaker, oldest first; none of whom he has blocked."""
    player = context.speaker.player
    if player is None or not may_read(board, context):
        return ()
    return context.uow.remarks.of_board(board.number, MOST_SHOWN, context.uow.blocks.blocked_by(player.id))
