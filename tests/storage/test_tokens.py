"""Tokens: found by what is stored of their secrets, counted, and ended with what their programs were answered."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import Engine

from pbem.domain.credentials import POSTS_KEPT, Post, Token
from pbem.errors import Conflict
from pbem.storage.models import TokenPostRow, TokenRow
from tests.storage.stock import ALICE, AT, BOB, MINUTE, rows, stocked, work

ONE, OTHER = Token("one", ALICE.id, "robot", AT), Token("other", ALICE.id, "notifier", AT + MINUTE)
BOBS = Token("bobs", BOB.id, "robot", AT)
POST = Post("one", "key", "said", AT, 200, '{"answers":[]}')


def made(engine: Engine) -> None:
    stocked(engine)
    with work(engine) as uow:
        for each in (OTHER, ONE, BOBS):
            uow.tokens.save(each)
        uow.commit()


def test_tokens_are_found_by_their_digests_and_their_players(engine: Engine) -> None:
    made(engine)
    with work(engine) as uow:
        assert uow.tokens.find("one") == ONE
        assert uow.tokens.find("none") is None
        assert uow.tokens.of(ALICE.id) == [ONE, OTHER]
        uow.tokens.revoke("one")
        assert uow.tokens.find("one") is None
        assert uow.tokens.of(ALICE.id) == [OTHER]


def test_uses_are_counted(engine: Engine) -> None:
    made(engine)
    used = ONE.used(AT + MINUTE)
    with work(engine) as uow:
        uow.tokens.save(used)
        uow.commit()
    with work(engine) as uow:
        assert uow.tokens.find("one") == used


def test_a_token_that_is_used_while_it_is_revoked_stays_so(engine: Engine) -> None:
    made(engine)
    with work(engine) as slow, work(engine) as quick:
        token = slow.tokens.find("one")
        assert token is not None
        slow.tokens.save(token.used(AT))
        quick.tokens.revoke("one")
        quick.commit()
        slow.commit()
    with work(engine) as uow:
        assert uow.tokens.of(ALICE.id) == [OTHER]


def test_what_was_answered_is_kept_for_a_day(engine: Engine) -> None:
    made(engine)
    with work(engine) as uow:
        uow.tokens.keep(POST)
        uow.commit()
    with work(engine) as uow:
        assert uow.tokens.post("one", "key", AT) == POST
        assert uow.tokens.post("one", "key", AT + MINUTE) is None
        assert uow.tokens.post("other", "key", AT) is None
        uow.tokens.keep(replace(POST, key="new", at=AT + POSTS_KEPT + MINUTE))
        uow.commit()
    assert rows(engine, TokenPostRow) == 1


def test_of_two_who_answer_under_one_key_at_once_the_second_decides_anew(engine: Engine) -> None:
    made(engine)
    with work(engine) as first, work(engine) as second:
        for uow in (first, second):
            uow.tokens.keep(POST)
        first.commit()
        with pytest.raises(Conflict):
            second.commit()


def test_all_tokens_of_a_player_end_with_what_they_were_answered(engine: Engine) -> None:
    made(engine)
    with work(engine) as uow:
        uow.tokens.keep(POST)
        uow.commit()
    with work(engine) as uow:
        uow.tokens.save(ONE.used(AT))
        uow.tokens.revoke_of(ALICE.id)
        uow.commit()
    with work(engine) as uow:
        assert not uow.tokens.of(ALICE.id)
        assert uow.tokens.of(BOB.id) == [BOBS]
    assert rows(engine, TokenPostRow) == 0


def test_what_is_forgotten_within_an_attempt_was_never_saved(engine: Engine) -> None:
    made(engine)
    with work(engine) as uow:
        with uow.rehearsal():
            uow.tokens.revoke("one")
            uow.tokens.revoke_of(BOB.id)
            uow.tokens.keep(POST)
        uow.commit()
    assert (rows(engine, TokenRow), rows(engine, TokenPostRow)) == (3, 0)
