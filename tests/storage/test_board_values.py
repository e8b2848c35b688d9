from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from sqlalchemy import Engine

from pbem.domain.boards import Board, SeatHolder
from pbem.domain.events import BY_OPERATOR, EventKind
from tests.storage.stock import ALICE, AT, BOB, CAROL, board, played, stocked, work

DAY = timedelta(days=1)
TABLE = played(board(101, ALICE, BOB), "C3", "H10,M1")


def changed(engine: Engine, after: Board) -> Board:
    """Store a board anew, and read it back."""
    uow = work(engine)
    stored = uow.boards.find(after.number)
    assert stored is not None
    uow.boards.save(replace(after, revision=stored.revision))
    uow.commit()
    with work(engine) as uow:
        found = uow.boards.find(after.number)
    assert found is not None
    return found


def test_a_seat_handed_over_is_stored_with_its_holder(engine: Engine) -> None:
    stocked(engine, TABLE)
    after = changed(engine, TABLE.with_handover(1, SeatHolder(CAROL.id, CAROL.userid), AT + DAY))
    assert [holder.userid for holder in after.seats] == ["Alice", "carol"]
    assert after.events[-1].record == {"from": "bob", "to": "carol"}
    assert not after.may_count
    with work(engine) as uow:
        numbers = [[each.number for each in uow.boards.of_players([who.id], "all", None, 9)] for who in (BOB, CAROL)]
    assert numbers == [[], [101]]


def test_an_annulled_board_is_off_the_lists_before_and_after_it_is_stored(engine: Engine) -> None:
    stocked(engine, TABLE, board(102, ALICE, BOB))
    uow = work(engine)
    found = uow.boards.find(TABLE.number)
    assert found is not None
    uow.boards.save(found.with_event(EventKind.ANNULMENT, 0, AT + DAY))
    assert [each.number for each in uow.boards.of_players(None, "all", None, 9)] == [102]
    uow.commit()
    with work(engine) as uow:
        assert [each.number for each in uow.boards.of_players(None, "all", None, 9)] == [102]
        assert uow.boards.count("superbo") == (1, 0, 2)


def test_what_the_operator_decided_on_is_known_of_a_stored_event(engine: Engine) -> None:
    stocked(engine, TABLE)
    after = changed(engine, TABLE.with_event(EventKind.FORFEIT, 1, AT + DAY, BY_OPERATOR))
    assert after.events[-1].is_deed
