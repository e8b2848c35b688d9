"""What becomes of the boards of a player who cannot go on with them, and of their clocks while he cannot for a time."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from pbem.domain.boards import Board
from pbem.domain.events import EventKind
from pbem.domain.notices import Notice
from pbem.domain.pauses import ROBOT
from pbem.domain.players import Player
from pbem.domain.robots import robots_at
from pbem.domain.vacations import under_way
from pbem.games.game import TurnRecord
from pbem.ids import PlayerId
from pbem.usecases.boards.moves import decline
from pbem.usecases.boards.sequels import go_on
from pbem.usecases.context import Context
from pbem.usecases.notices.notifications import table_facts, wants

_MOST_BOARDS = 10_000
"""Active boards of one player."""
MOST_LISTED = 100
"""Boards that a mail lists about mails that come back, or arrive again."""
_TOLD_AGAIN_AFTER = timedelta(days=1)
"""Until then nobody hears another time that clocks stand, or that they run again, whoever it is about."""


def active_boards(player: Player, context: Context) -> Sequence[Board]:
    """The boards of a player that are on, lowest number first."""
    return context.uow.boards.of_players([player.id], "active", None, _MOST_BOARDS)


def leave_boards(player: Player, context: Context, record: TurnRecord | None = None) -> list[Notice]:
    """Take a player off all his boards: declined where he has not moved, forfeited elsewhere; everybody there is told.

    Args:
        player: who leaves.
        context: of the command.
        record: of the forfeits; None unless the operator has decided on them.
    """
    notices: list[Notice] = []
    for board in active_boards(player, context):
        free = board.with_pauses_ended(player.id, context.now)
        if any(board.has_moved(seat) for seat in board.seats_of(player.id)):
            notices += _forfeit(free, player, context, record)
        elif player.id not in {board.seats[seat].player for seat in board.left}:
            notices += decline(free, player.id, context, record)
    return notices


def _forfeit(board: Board, player: Player, context: Context, record: TurnRecord | None) -> list[Notice]:
    after = forfeited(board, player, context, record)
    return [] if after.event_number == board.event_number else go_on(after, context)


def forfeited(board: Board, player: Player, context: Context, record: TurnRecord | None = None) -> Board:
    """The board after a player has forfeited with every seat of his that is in play; the same if there is none."""
    for seat in board.seats_of(player.id):
        course = context.course(board)
        if course.result is None and seat in course.position.playing:
            board = board.with_event(EventKind.FORFEIT, seat, context.now, record)
    return board


def begin_pauses(player: Player, why: str, context: Context, most: timedelta | None = None) -> list[Board]:
    """Let the clocks of a player's boards stand; the boards where they have not stood for this reason already.

    Args:
        player: because of whom.
        why: see `pbem.domain.pauses.Pause`.
        context: of the command.
        most: how long they may stand at a board for this reason, all times together; None: for ever.
    """
    paused = []
    for board in active_boards(player, context):
        after = board.with_pause(player.id, why, context.now, most)
        if after is not board:
            context.uow.boards.save(after)
            paused.append(after)
    return paused


def end_pauses(player: Player, why: str, context: Context) -> list[Board]:
    """Let the clocks of a player's boards run again, as far as this reason goes; the boards where it has held."""
    freed = []
    for board in active_boards(player, context):
        after = board.with_pauses_ended(player.id, context.now, why)
        if after is not board:
            context.uow.boards.save(after)
            freed.append(after)
    return freed


def end_overdue_pauses(board: Board, context: Context) -> list[Notice]:
    """Let clocks run again that have stood for as long as they may, at all boards of those because of whom they did."""
    notices = []
    for player in context.uow.players.get_all({each.player for each in board.overdue_pauses(context.now)}):
        freed = []
        for each in active_boards(player, context):
            after = each.with_overdue_pauses_ended(context.now)
            if after is not each:
                context.uow.boards.save(after)
                freed.append(after)
        running = [each for each in freed if not each.stands]
        notices += tell_of_clocks("clocks_run_anyway", player, running, context)
    return notices


def tell_of_clocks(name: str, player: Player, boards: Sequence[Board], context: Context) -> list[Notice]:
    """One mail to each of the others at a player's boards that lists them, unless they had such a mail today."""
    theirs: dict[PlayerId, list[Board]] = {}
    for board in boards:
        for each in board.players:
            if each != player.id and wants(board, each, context):
                theirs.setdefault(each, []).append(board)
    since, notices = context.now - _TOLD_AGAIN_AFTER, []
    for reader in context.uow.players.listed(theirs):
        if context.uow.mails.has_been_told(reader.id, name, since):
            continue
        ends = [pause.ends_by for board in theirs[reader.id] for pause in board.stands if pause.player == player.id]
        facts = {
            "player": player,
            "reader": reader,
            "rows": [table_facts(board, context, reader) for board in theirs[reader.id][:MOST_LISTED]],
            "more": len(theirs[reader.id]) > MOST_LISTED,
            "ends_by": max((each for each in ends if each is not None), default=None),
            "most": context.policy.unreachable_for,
        }
        notices.append(Notice(name, reader, facts))
    return notices


def with_vacations(board: Board, context: Context) -> Board:
    """The board with the vacations that its players are on; who has sat down on vacation is not waited for either.

    Robots are always: they have no clock.
    """
    for player in robots_at(board):
        board = board.with_pause(player, ROBOT, context.now)
    for player in board.players:
        away = under_way(context.uow.players.get(player).vacations, context.now)
        board = board if away is None else board.with_vacation(player, away)
    return board
