"""Setting players down at a new board, or at two of a pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pbem.domain.boards import Board
from pbem.domain.players import Player
from pbem.ids import BoardNumber
from pbem.usecases.boards.departures import with_vacations
from pbem.usecases.boards.seats import seated
from pbem.usecases.challenges.agreements import Agreement
from pbem.usecases.context import Context


def begin_boards(agreed: Agreement, players: Sequence[Player], context: Context) -> list[Board]:
    """Begin a board, or the two of a pair, and save them.

    Args:
        agreed: what the boards are to be like.
        players: in the order in which they sit, unless that is to be drawn.
        context: of the command.
    """
    number = context.uow.boards.next_number()
    if agreed.terms.random:
        players = in_drawn_order(players, number, context)
    board = _begun(agreed, players, number, context)
    context.uow.boards.save(board)
    if not agreed.terms.pair:
        return [board]
    other = _begun(agreed, players[::-1], context.uow.boards.next_number(), context)
    # whoever begins here lets the other one begin there
    pair = [replace(board, pair=other.number), replace(other, pair=number, first=board.first)]
    for each in pair:
        context.uow.boards.save(each)
    return pair


def in_drawn_order(players: Sequence[Player], number: BoardNumber, context: Context) -> list[Player]:
    """The players of a board in an order that nobody can foresee, and that we can draw again."""
    lots = {seat: context.fingerprint("order", number, seat) for seat in range(len(players))}
    return [players[seat] for seat in sorted(lots, key=lots.__getitem__)]


def _begun(agreed: Agreement, players: Sequence[Player], number: BoardNumber, context: Context) -> Board:
    has_lots = agreed.game.draws_lots(agreed.options)
    board = Board(
        number=number,
        game=agreed.game.name,
        options=agreed.options,
        rules=agreed.game.rules,
        first=context.draw_lots(number, len(players)) if has_lots else 0,
        seats=tuple(seated(player, context.uow) for player in players),
        begun_at=context.now,
        rated=agreed.terms.rated,
        clock=(agreed.terms.clock or context.policy.clock).opened_as(context.policy.clock),
    )
    return with_vacations(board, context)
