"""Broadcasts in the database."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import Engine

from pbem.domain.administration import Broadcast
from pbem.errors import Conflict
from pbem.ids import PlayerId
from tests.storage.stock import ALICE, AT, BOB, CAROL, MINUTE, stocked, work


def said(engine: Engine, *texts: str) -> None:
    stocked(engine)
    for minute, text in enumerate(texts):
        with work(engine) as uow:
            words = Broadcast(uow.broadcasts.next_id(), ALICE.id, AT + minute * MINUTE, text)
            uow.broadcasts.save(words)
            assert uow.broadcasts.count_since(ALICE.id, AT) == minute + 1
            uow.commit()


def test_they_are_brought_to_all_one_after_the_other(engine: Engine) -> None:
    said(engine, "one", "two")
    heard = []
    while True:
        with work(engine) as uow:
            words = uow.broadcasts.unsent()
            if words is None:
                break
            batch = uow.broadcasts.listeners(words.sent_to, 2)
            heard += [(words.text, each) for each in batch]
            after = replace(words, sent_to=batch[-1]) if batch else replace(words, done_at=AT)
            uow.broadcasts.save(after)
            uow.commit()
    assert heard == [(text, player.id) for text in ("one", "two") for player in (ALICE, BOB, CAROL)]


def test_two_who_bring_the_same_one_further_do_it_once(engine: Engine) -> None:
    said(engine, "one")
    one, other = work(engine), work(engine)
    for uow in (one, other):
        words = uow.broadcasts.unsent()
        assert words is not None
        uow.broadcasts.save(replace(words, sent_to=BOB.id))
    one.commit()
    with pytest.raises(Conflict):
        other.commit()


def test_they_are_counted_by_player_and_day(engine: Engine) -> None:
    said(engine, "one", "two")
    with work(engine) as uow:
        assert uow.broadcasts.count_since(ALICE.id, AT) == 2
        assert uow.broadcasts.count_since(ALICE.id, AT + MINUTE) == 1
        assert uow.broadcasts.count_since(PlayerId(2), AT) == 0
