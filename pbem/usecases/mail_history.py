"""The mails about a board, and what became of them; the speaker's last mail once more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby

from pbem.commands.boards import Mailed, Resend
from pbem.commands.command import BoardCommand
from pbem.domain.boards import Board
from pbem.domain.mails import ALONE, BoardThread, MailState, Notice, PictureSource, StoredMail
from pbem.domain.players import Player, address_key
from pbem.storage.packed_mails import unpack
from pbem.usecases.context import Context, handles
from pbem.usecases.notices import about_board, to_sender
from pbem.usecases.understanding import NotAtBoard, find_board

MOST_ROWS = 50
"""The most mails that one table lists."""

THE_BOARD = ("board", "new_board", "declined", "nag")
"""Notices that show a board after something has happened, or after nothing has for too long."""
_KEPT = (*THE_BOARD, *(f"{name}{ALONE}" for name in THE_BOARD))
FOR_ALL = frozenset((*THE_BOARD, "board_deed"))
"""Notices that go to everybody at a board. Any other one is its reader's own affair: it may tell that they have
announced a resignation."""

_BEST_FIRST = (
    MailState.SENT,
    MailState.WAITING,
    MailState.BOUNCED,
    MailState.FAILED,
    MailState.DROPPED,
    MailState.WITHHELD,
)


@dataclass(frozen=True, slots=True)
class MailedTo:
    """One mail of a board to one player, whatever number of addresses it went to."""

    userid: str
    at: datetime
    subject: str
    state: MailState
    """The state of the copy that fared best."""
    tried: bool
    """True if the relay has put it off."""
    delayed: bool
    """True if a system on the way has said that it is still trying."""
    for_good: bool
    """True if it came back for good."""


@handles(Mailed)
def show_mailed(command: Mailed, context: Context) -> list[Notice]:
    """A table of what was mailed about a board to its players; it says no address.

    Raises:
        NoSuchBoard, OtherGame, NotAtBoard: not here.
    """
    board, player = _own_board(command, context)
    found = context.uow.mails.about_board(board.number, 4 * MOST_ROWS)
    rows = list(_rows([mail for mail in found if _may_know(mail, player, found)], context))
    facts = {"board": board, "rows": rows[-MOST_ROWS:], "more": len(rows) > MOST_ROWS or len(found) > 4 * MOST_ROWS}
    return [to_sender("mailed", context, facts)]


def _may_know(mail: StoredMail, player: Player, found: Sequence[StoredMail]) -> bool:
    """Return True if a mail went to a player, or to everybody at the board.

    Mails from before 0004 have no name; such a mail went to everybody if the player got one at the same moment.
    """
    if mail.player == player.id or mail.name in FOR_ALL:
        return True
    own = (each for each in found if each.player == player.id and each.name is None)
    return mail.name is None and any(each.created_at == mail.created_at for each in own)


def _own_board(command: BoardCommand, context: Context) -> tuple[Board, Player]:
    board, player = find_board(command.board, command.game, context), context.speaker.known
    if not board.seats_of(player.id):
        raise NotAtBoard(board.number, player.userid)
    return board, player


def _rows(mails: Sequence[StoredMail], context: Context) -> Iterator[MailedTo]:
    def mail_of(mail: StoredMail) -> tuple[datetime, int, str]:
        return mail.created_at, mail.player or 0, mail.name or ""

    for _, copies in groupby(sorted(mails, key=mail_of), key=mail_of):
        best = min(copies, key=lambda mail: _BEST_FIRST.index(mail.state))
        if best.player is not None:
            yield MailedTo(
                userid=context.uow.players.userid_of(best.player),
                at=best.created_at,
                subject=best.subject or "",
                state=best.state,
                tried=best.attempts > 0,
                delayed=best.is_delayed,
                for_good=best.came_back_for_good,
            )


def whole_mail(mail: StoredMail, context: Context) -> bytes | None:
    """The bytes of a mail, made again if it was sent; None if they are not kept, or show a position that is not."""
    if mail.packed is None:
        return mail.raw

    def draw(source: PictureSource) -> bytes | None:
        board = context.uow.boards.find(source.board)
        if board is None or not board.restarted <= source.event <= board.event_number:
            return None
        then = replace(board, events=board.events[: source.event])
        is_same = then.last_at <= mail.created_at
        return context.draw_board(context.course(then).position, source.seat) if is_same else None

    return unpack(mail.packed, draw)


@handles(Resend)
def resend(command: Resend, context: Context) -> list[Notice]:
    """The speaker's last mail of a board once more; if that is not kept, or overtaken, the board as it is.

    Raises:
        NoSuchBoard, OtherGame, NotAtBoard: not here.
    """
    board, player = _own_board(command, context)
    kept = {
        address_key(mail.recipient): whole_mail(mail, context)
        for mail in context.uow.mails.last_kept(player.id, board.number, _KEPT)
        if mail.created_at >= board.last_at
    }
    found = [(address, kept.get(address_key(address))) for address in player.reachable]
    if not found or not all(raw for _, raw in found):
        return [about_board("board", board, context, {"comment": None}, reader=player)]
    return [_again(board, player, address, raw, context) for address, raw in found if raw]


def _again(board: Board, player: Player, address: str, raw: bytes, context: Context) -> Notice:
    return Notice(
        "board",
        player,
        thread=BoardThread(board.game, board.number, board.event_number),
        reply=context.reply(player.id, board.number, board.event_number),
        answers=True,
        at=address,
        copy_of=raw,
    )
