"""Things to store, and a way to look at what is stored."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Engine, func, insert, select

from pbem.domain.boards import Board, SeatHolder
from pbem.domain.credentials import Confirmation, ConfirmationKind
from pbem.domain.events import EventKind
from pbem.domain.players import Address, Player
from pbem.games.hextile.superbo import SUPERBO
from pbem.games.mamba.game import MAMBA
from pbem.ids import BoardNumber, ConfirmationId, PlayerId
from pbem.storage.engine import reading, writing
from pbem.storage.unit_of_work import UnitOfWork
from pbem.usecases.context import GameStateCache

AT = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
OPENING = ("C3", "H10,M1", "B8,U1", "Z12,AB6")
"""Turns that may be played from the start, one after the other."""
WON = ("B3", "C4,K5", "G2,H7", "D8,R10", "A7,V6")
"""A whole game, won by the first seat."""


def work(engine: Engine, most_playouts: int | None = None) -> UnitOfWork:
    return UnitOfWork(engine, GameStateCache({"superbo": SUPERBO, "mamba": MAMBA}), most_playouts=most_playouts)


def player(number: int, userid: str, *addresses: str, confirmed: bool = True) -> Player:
    told = addresses or (f"{userid.lower()}@example.org",)
    return Player(
        id=PlayerId(number),
        userid=userid,
        addresses=tuple(Address(each, AT if confirmed else None) for each in told),
        created_at=AT,
    )


def board(number: int, *players: Player) -> Board:
    return Board(
        number=BoardNumber(number),
        game="superbo",
        options={},
        rules=1,
        first=0,
        seats=tuple(SeatHolder(each.id, each.userid) for each in players),
        begun_at=AT,
    )


def played(before: Board, *turns: str) -> Board:
    """The board after some turns, a minute each; it must be at its beginning."""
    after, position = before, SUPERBO.begin({}, players=2)
    for turn in turns:
        seat = position.to_act
        assert seat is not None
        record = SUPERBO.input_record(position, (said := SUPERBO.read_input(position, turn)).steps)
        after, position = after.with_event(EventKind.MOVE, seat, after.last_at + MINUTE, record), said.position
    return after


def question(number: int, who: Player) -> Confirmation:
    return Confirmation(
        id=ConfirmationId(number),
        nonce=2**32 - number,
        kind=ConfirmationKind.COMMAND,
        player=who.id,
        address="who@example.org",
        asked_at=AT,
        expires_at=AT + timedelta(days=7),
        line="move 101 a1",
        comment="Grüße\nund Küsse",
        board=101,
        event=3,
    )


ALICE, BOB, CAROL = player(1, "Alice"), player(2, "bob", "bob@example.org", "Bob@Work.example"), player(3, "carol")


def stocked(engine: Engine, *boards: Board) -> None:
    """Store Alice, Bob, Carol and some boards."""
    uow = work(engine)
    for each in (ALICE, BOB, CAROL):
        uow.players.save(each)
    for one in boards:
        uow.boards.save(one)
    uow.commit()


def rows(engine: Engine, table: Any) -> int:
    """The number of rows in a table."""
    with reading(engine) as connection:
        return connection.scalar(select(func.count()).select_from(table)) or 0


def put(engine: Engine, table: Any, *values: dict[str, Any]) -> None:
    """Store rows as they are given."""
    with writing(engine) as connection:
        connection.execute(insert(table), list(values))


OLD_PLAYER = """
INSERT INTO players (id, userid, userid_key, created_at, revision)
VALUES (7, 'Zoe', 'zoe', '2026-03-01 12:00:00', 1)
"""
