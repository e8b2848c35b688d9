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
from tests.usecases.house import GAMES, NUMBER, House

DAY = timedelta(days=1)
OTHER = BoardNumber(102)


def does(house: House, act: Callable[[Context], object]) -> None:
    """Let something happen that no player asks for."""
    with house.work() as uow:
        lots, passwords = house._lots, cast("Passwords", None)
        policy, evidence = Policy("pbem@example.org"), Evidence("")
        act(Context(uow, AT + DAY, GAMES, house.courses, passwords, policy, evidence, lots.draw_lots, lots.tag))
        uow.commit()


def stored(context: Context, number: BoardNumber = NUMBER) -> Board:
    board = context.uow.boards.find(number)
    assert board is not None
    return board


def change(house: House, number: BoardNumber = NUMBER, **fields: object) -> None:
    """Make a board what its challenge had not said."""
    with writing(house._engine) as connection:
        connection.execute(update(BoardRow).where(BoardRow.number == number).values(fields))


def begins(house: House, *userids: str, moves: int = 2) -> None:
    """Begin a board at which so many have passed."""
    house.challenges(*userids)
    for userid in userids[:moves]:
        house.moves(userid, "pass")


def pair(house: House, moves: int = 2) -> None:
    """Begin two boards with sides swapped, at which so many have passed."""
    begins(house, "ann", "ben", moves=moves)
    house.number = OTHER
    begins(house, "ben", "ann", moves=moves)
    change(house, NUMBER, pair=OTHER)
    change(house, OTHER, pair=NUMBER)


def loses(house: House, number: BoardNumber, userid: str) -> None:
    """Let somebody resign, on turn."""
    house.number = number
    while house.to_act != userid:
        house.moves(house.to_act or "", "pass")
    house.resigns(userid)
