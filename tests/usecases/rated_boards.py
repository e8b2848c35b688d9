"""Boards of Ann and Ben that are rated when they end."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import cast

from sqlalchemy import update

from pbem.domain.boards import Board
from pbem.domain.letters import Evidence
from pbem.ids import BoardNumber
from pbem.storage.engine import writing
from pbem.storage.models import BoardRow
from pbem.storage.passwords import Passwords
from pbem.usecases.context import Context, Policy
from tests.storage.stock import AT
from tests.support.handlers import GAMES, NUMBER, HandlerFixture

DAY = timedelta(days=1)
OTHER = BoardNumber(102)


def does(handlers: HandlerFixture, act: Callable[[Context], object]) -> None:
    """Let something happen that no player asks for."""
    with handlers.work() as uow:
        lots, passwords = handlers.lots, cast("Passwords", None)
        policy, evidence = Policy("pbem@example.org"), Evidence("")
        act(Context(uow, AT + DAY, GAMES, handlers.courses, passwords, policy, evidence, lots.draw_lots, lots.tag))
        uow.commit()


def stored(context: Context, number: BoardNumber = NUMBER) -> Board:
    board = context.uow.boards.find(number)
    assert board is not None
    return board


def change(handlers: HandlerFixture, number: BoardNumber = NUMBER, **fields: object) -> None:
    """Make a board what its challenge had not said."""
    with writing(handlers.engine) as connection:
        connection.execute(update(BoardRow).where(BoardRow.number == number).values(fields))


def begins(handlers: HandlerFixture, *userids: str, moves: int = 2) -> None:
    """Begin a board at which so many have passed."""
    handlers.challenges(*userids)
    for userid in userids[:moves]:
        handlers.moves(userid, "pass")


def pair(handlers: HandlerFixture, moves: int = 2) -> None:
    """Begin two boards with sides swapped, at which so many have passed."""
    begins(handlers, "ann", "ben", moves=moves)
    handlers.number = OTHER
    begins(handlers, "ben", "ann", moves=moves)
    change(handlers, NUMBER, pair=OTHER)
    change(handlers, OTHER, pair=NUMBER)


def loses(handlers: HandlerFixture, number: BoardNumber, userid: str) -> None:
    """Let somebody resign, on turn."""
    handlers.number = number
    while handlers.to_act != userid:
        handlers.moves(handlers.to_act or "", "pass")
    handlers.resigns(userid)
