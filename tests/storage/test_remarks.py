"""Comments and chat of players at boards, in the database."""

from __future__ import annotations

from sqlalchemy import Engine

from pbem.domain.watches import Remark, RemarkKind
from pbem.storage.models import RemarkRow
from tests.storage.stock import ALICE, AT, BOB, MINUTE, board, rows, stocked, work

BOARD, OTHER = board(101, ALICE, BOB), board(102, ALICE, BOB)
HERS = Remark(BOARD.number, 1, ALICE.id, "Alice", AT, RemarkKind.COMMENT, "Gr\u00fc\u00dfe\nan dich")
HIS = Remark(BOARD.number, 1, BOB.id, "bob", AT + MINUTE, RemarkKind.CHAT, "<b>thanks</b>")
ELSEWHERE = Remark(OTHER.number, 0, BOB.id, "bob", AT, RemarkKind.CHAT, "elsewhere")


def kept(engine: Engine, *remarks: Remark) -> None:
    stocked(engine, BOARD, OTHER)
    for each in remarks:
        with work(engine) as uow:
            uow.remarks.add(each)
            uow.commit()


def test_they_are_read_as_they_were_written_oldest_first(engine: Engine) -> None:
    kept(engine, HERS, ELSEWHERE, HIS)
    with work(engine) as uow:
        assert uow.remarks.of_board(BOARD.number, 9) == [HERS, HIS]
        assert uow.remarks.of_board(BOARD.number, 1) == [HIS]
        assert uow.remarks.of_board(BOARD.number, 9, {BOB.id}) == [HERS]


def test_what_is_said_twice_at_once_is_kept_once(engine: Engine) -> None:
    stocked(engine, BOARD)
    with work(engine) as uow:
        uow.remarks.add(HERS)
        uow.remarks.add(HERS)
        uow.commit()
    assert rows(engine, RemarkRow) == 1


def test_it_is_not_kept_if_what_it_was_written_with_was_not_done(engine: Engine) -> None:
    stocked(engine, BOARD)
    with work(engine) as uow:
        with uow.rehearsal():
            uow.remarks.add(HERS)
        uow.commit()
    assert rows(engine, RemarkRow) == 0
