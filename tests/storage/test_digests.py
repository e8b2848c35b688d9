"""The data for daily mails in the database."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import Engine

from pbem.domain.mails import DigestEntry
from pbem.errors import Conflict
from pbem.storage.broadcasts import pull_in_digests
from pbem.storage.models import DigestEntryRow
from tests.storage.stock import ALICE, AT, BOB, MINUTE, board, rows, stocked, work

BOARD = board(101, ALICE, BOB)
DUE = AT + timedelta(hours=19)
FIRST = DigestEntry(ALICE.id, BOARD.number, AT, DUE, "bob", "Gr\u00fc\u00dfe\nan dich")
SECOND = DigestEntry(ALICE.id, BOARD.number, AT + MINUTE, DUE)
OTHERS = DigestEntry(BOB.id, BOARD.number, AT, DUE - MINUTE)


def kept(engine: Engine, *entries: DigestEntry) -> None:
    stocked(engine, BOARD)
    uow = work(engine)
    for each in entries:
        uow.digests.add(each)
    uow.commit()


def test_it_is_kept_until_it_is_due_in_the_order_in_which_it_happened(engine: Engine) -> None:
    kept(engine, SECOND, FIRST, OTHERS)
    with work(engine) as uow:
        assert [replace(each, id=0) for each in uow.digests.of(ALICE.id)] == [FIRST, SECOND]
        assert uow.digests.due(DUE - 2 * MINUTE, 10) == []
        assert uow.digests.due(DUE - MINUTE, 10) == [BOB.id]
        assert uow.digests.due(DUE, 10) == [BOB.id, ALICE.id]
        assert uow.digests.due(DUE, 1) == [BOB.id]


def test_it_is_kept_together_with_the_board_that_it_is_about(engine: Engine) -> None:
    stocked(engine)
    with work(engine) as uow:
        uow.digests.add(FIRST)
        uow.boards.save(BOARD)
        uow.commit()
    assert rows(engine, DigestEntryRow) == 1


def test_nobody_is_told_twice(engine: Engine) -> None:
    kept(engine, FIRST, SECOND)
    one, other = work(engine), work(engine)
    for uow in (one, other):
        uow.digests.told(uow.digests.of(ALICE.id))
    one.commit()
    with pytest.raises(Conflict):
        other.commit()
    assert rows(engine, DigestEntryRow) == 0


def test_what_comes_while_it_is_told_waits_for_the_next(engine: Engine) -> None:
    kept(engine, FIRST)
    with work(engine) as uow:
        uow.digests.told(uow.digests.of(ALICE.id))
        with work(engine) as later:
            later.digests.add(SECOND)
            later.commit()
        uow.commit()
    with work(engine) as uow:
        assert [each.at for each in uow.digests.of(ALICE.id)] == [SECOND.at]


def test_what_is_put_off_or_forgotten_with_an_attempt(engine: Engine) -> None:
    kept(engine, FIRST, OTHERS)
    with work(engine) as uow:
        with uow.rehearsal():
            uow.digests.told(uow.digests.of(ALICE.id))
            uow.digests.put_off(BOB.id, AT)
            uow.digests.add(SECOND)
        uow.digests.put_off(ALICE.id, AT)
        uow.commit()
    with work(engine) as uow:
        assert uow.digests.due(AT, 10) == [ALICE.id]
    assert rows(engine, DigestEntryRow) == 2


def test_nothing_waits_for_more_than_a_day_once_a_clock_is_put_back(engine: Engine) -> None:
    kept(engine, replace(FIRST, due_at=AT + timedelta(days=400)), OTHERS)
    assert pull_in_digests(engine, AT) == 1
    with work(engine) as uow:
        assert uow.digests.due(AT + timedelta(hours=25), 10) == [BOB.id, ALICE.id]
