"""What the operator does, as it is stored, on both databases."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from pbem.domain.boards import SeatHolder
from pbem.domain.deeds import Deed
from pbem.domain.events import BY_OPERATOR, EventKind
from pbem.domain.reports import Report
from pbem.ids import BoardNumber, PlayerId
from pbem.storage.bulletins import BulletinBoard, bulletins_up, end_bulletins, post_bulletin
from pbem.storage.deeds import last_deeds, note_deed
from pbem.storage.engine import make_engine, reading, writing
from pbem.storage.overview import overview
from pbem.storage.roster import mailable_players, player_rows
from pbem.usecases.ports import Conflict
from tests.storage.stock import ALICE, AT, BOB, CAROL, board, played, stocked, work

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Engine

    from pbem.domain.boards import Board

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


def test_reports_are_kept_and_closed_once(engine: Engine) -> None:
    stocked(engine)
    uow = work(engine)
    report = Report(uow.reports.next_id(), AT, ALICE.id, BOB.id, BoardNumber(101), "Rude.\nTwice.")
    uow.reports.save(report)
    assert uow.reports.count_since(ALICE.id, AT) == 1
    uow.commit()
    one, other = work(engine), work(engine)
    assert one.reports.find(1) == report
    assert (one.reports.next_id(), one.reports.count_open()) == (2, 1)
    assert one.reports.count_since(ALICE.id, AT + DAY) == 0
    assert one.reports.count_since(BOB.id, AT) == 0
    assert one.reports.newest(closed=False, most=9) == [report]
    for uow in (one, other):
        uow.reports.save(replace(report, closed_at=AT + DAY, note="Warned."))
    one.commit()
    with pytest.raises(Conflict):
        other.commit()
    with work(engine) as uow:
        assert uow.reports.newest(closed=False, most=9) == []
        assert [each.note for each in uow.reports.newest(closed=True, most=9)] == ["Warned."]


def test_bulletins_are_up_until_they_end_or_are_taken_down(engine: Engine) -> None:
    with writing(engine) as connection:
        post_bulletin(connection, "one", AT, None)
        post_bulletin(connection, "two", AT, AT + DAY)
    shown = BulletinBoard(engine)
    assert shown.texts(AT) == ["one", "two"]
    assert shown.texts(AT + DAY) == ["one"]
    with writing(engine) as connection:
        assert end_bulletins(connection, [1, 2, 3], AT + 2 * DAY) == 1
    with reading(engine) as connection:
        assert bulletins_up(connection, AT + 2 * DAY) == []


def test_mails_go_without_bulletins_while_the_database_is_in_trouble(tmp_path: Path) -> None:
    engine = make_engine(f"sqlite:///{tmp_path / 'empty.db'}")
    assert BulletinBoard(engine).texts(AT) == []
    engine.dispose()


def test_deeds_are_listed_newest_first(engine: Engine) -> None:
    deeds = [Deed(AT, "root", f"player {name}", "bob", "") for name in ("freeze", "unfreeze", "ban")]
    with writing(engine) as connection:
        for each in deeds:
            note_deed(connection, each)
    with reading(engine) as connection:
        assert last_deeds(connection, 2) == [deeds[2], deeds[1]]


def test_everybody_with_a_confirmed_address_is_found_in_batches(engine: Engine) -> None:
    stocked(engine, TABLE)
    with reading(engine) as connection:
        assert mailable_players(connection, PlayerId(0), 2, playing=False) == [ALICE.id, BOB.id]
        assert mailable_players(connection, BOB.id, 2, playing=False) == [CAROL.id]
        assert mailable_players(connection, PlayerId(0), 9, playing=True) == [ALICE.id, BOB.id]
        assert [row["userid"] for row in player_rows(connection, "work.", None, 9)] == ["bob"]
        assert [row["boards"] for row in player_rows(connection, "", None, 9)] == [1, 1, 0]
        assert overview(connection, AT)["boards_active"] == 1
