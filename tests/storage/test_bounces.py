from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from sqlalchemy import Engine

from pbem.domain.correspondents import Bounce
from tests.storage.stock import ALICE, AT, BOB, MINUTE, stocked, work

ONE = Bounce(BOB.id, "bob@example.org", AT, True, "5.1.1", "550 no such user", 7)


def stored(engine: Engine, *bounces: Bounce) -> None:
    uow = work(engine)
    for each in bounces:
        uow.bounces.add(each)
    uow.commit()


def test_what_came_back_is_known_by_player_address_and_time(engine: Engine) -> None:
    stocked(engine)
    later = replace(ONE, at=AT + MINUTE, permanent=False, mail=None)
    stored(engine, ONE, later, replace(ONE, address_key="bob@work.example"), replace(ONE, player=ALICE.id))
    with work(engine) as uow:
        assert uow.bounces.of(BOB.id, "bob@example.org", AT) == [ONE, later]
        assert uow.bounces.of(BOB.id, "bob@example.org", AT + MINUTE) == [later]
        assert uow.bounces.of(BOB.id, "nobody@example.org", AT) == []


def test_what_is_not_stored_yet_counts_and_an_attempt_takes_it_back(engine: Engine) -> None:
    stocked(engine)
    with work(engine) as uow:
        with uow.rehearsal():
            uow.bounces.add(ONE)
            assert uow.bounces.of(BOB.id, "bob@example.org", AT) == [ONE]
        assert uow.bounces.of(BOB.id, "bob@example.org", AT) == []


def test_what_is_forgotten_counts_no_more_and_what_comes_after_does(engine: Engine) -> None:
    stocked(engine)
    stored(engine, ONE, replace(ONE, address_key="bob@work.example"))
    uow = work(engine)
    uow.bounces.forget(BOB.id, "bob@example.org")
    assert uow.bounces.of(BOB.id, "bob@example.org", AT) == []
    uow.bounces.add(ONE)
    assert uow.bounces.of(BOB.id, "bob@example.org", AT) == [ONE]
    uow.commit()
    with work(engine) as uow:
        assert uow.bounces.of(BOB.id, "bob@example.org", AT) == [ONE]
        assert len(uow.bounces.of(BOB.id, "bob@work.example", AT)) == 1


def test_a_system_that_says_too_much_is_cut_short(engine: Engine) -> None:
    stocked(engine)
    stored(engine, replace(ONE, status="5" * 100, diagnosis="x" * 1000))
    with work(engine) as uow:
        (found,) = uow.bounces.of(BOB.id, "bob@example.org", AT - timedelta(days=1))
    assert (len(found.status), len(found.diagnosis)) == (16, 255)
