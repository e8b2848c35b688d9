"""Watches in the database."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import Engine

from pbem.domain.players import Standing
from pbem.domain.watches import Watch, WatchKind
from pbem.ids import BoardNumber
from pbem.storage.models import WatchRow
from tests.storage.stock import ALICE, BOB, CAROL, board, played, rows, stocked, work

BOARD = board(101, ALICE, BOB)
HERE = Watch(CAROL.id, WatchKind.MAILS, board=BOARD.number, userid="carol")
ALL = Watch(CAROL.id, WatchKind.MAILS, userid="carol")
ABOUT_IT = (
    HERE,
    ALL,
    Watch(CAROL.id, WatchKind.MAILS, "superbo"),
    Watch(CAROL.id, WatchKind.MAILS, other=BOB.id),
    Watch(CAROL.id, WatchKind.MAILS, "superbo", other=ALICE.id),
    Watch(CAROL.id, WatchKind.NONE, board=BOARD.number),
    Watch(CAROL.id, WatchKind.END, "superbo"),
)
NOT_ABOUT_IT = (
    Watch(CAROL.id, WatchKind.MAILS, board=BoardNumber(102)),
    Watch(CAROL.id, WatchKind.MAILS, "mambo"),
    Watch(CAROL.id, WatchKind.MAILS, "mambo", other=BOB.id),
    Watch(CAROL.id, WatchKind.MAILS, other=CAROL.id),
)


def watching(engine: Engine, *watches: Watch) -> None:
    stocked(engine, BOARD)
    uow = work(engine)
    for each in watches:
        uow.watches.add(each)
    uow.commit()


def test_of_a_board_those_are_found_that_are_about_it_in_their_order(engine: Engine) -> None:
    watching(engine, *ABOUT_IT, *NOT_ABOUT_IT)
    with work(engine) as uow:
        found = uow.watches.of_board(BOARD)
        assert found == [*ABOUT_IT]
        assert {each.userid for each in found} == {"carol"}
        assert uow.watches.of(CAROL.id) == [*ABOUT_IT, *NOT_ABOUT_IT]
        assert uow.watches.of(ALICE.id) == []


def test_what_is_saved_counts_before_it_is_written(engine: Engine) -> None:
    watching(engine, HERE)
    with work(engine) as uow:
        assert uow.watches.of_board(BOARD) == [HERE]
        uow.watches.drop(HERE)
        uow.watches.add(ALL)
        assert uow.watches.of_board(BOARD) == uow.watches.of(CAROL.id) == [ALL]
        with uow.rehearsal():
            uow.watches.add(HERE)
            assert uow.watches.of_board(BOARD) == [HERE, ALL]
        assert uow.watches.of_board(BOARD) == [ALL]
        uow.commit()
    with work(engine) as uow:
        assert uow.watches.of(CAROL.id) == [ALL]


def test_to_add_what_is_there_or_drop_what_is_not_changes_nothing(engine: Engine) -> None:
    watching(engine, HERE)
    for _ in range(2):
        with work(engine) as uow:
            uow.watches.add(HERE)
            uow.watches.drop(ALL)
            uow.commit()
    assert rows(engine, WatchRow) == 1


def test_who_has_left_or_is_banned_is_not_found(engine: Engine) -> None:
    watching(engine, HERE)
    for standing, is_here in ((Standing.FROZEN, True), (Standing.BANNED, False), (Standing.GONE, False)):
        with work(engine) as uow:
            uow.players.save(replace(uow.players.get(CAROL.id), standing=standing))
            uow.commit()
        with work(engine) as uow:
            assert uow.watches.of_board(BOARD) == [HERE] * is_here


def test_boards_that_are_over_are_found_to_be_forgotten(engine: Engine) -> None:
    there = replace(HERE, board=BoardNumber(102))
    watching(engine, HERE, there, ALL)
    with work(engine) as uow:
        assert uow.watches.over(CAROL.id) == []
        uow.boards.save(played(board(102, ALICE, BOB), "B3", "C4,K5", "G2,H7", "D8,R10", "A7,V6"))
        uow.commit()
    with work(engine) as uow:
        assert uow.watches.over(CAROL.id) == [there]
