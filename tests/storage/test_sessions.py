"""Sessions: found by what is stored of their secrets, prolonged, and ended one by one or together."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import Engine

from pbem.domain.credentials import Session
from pbem.errors import Conflict
from pbem.storage.models import SessionRow
from tests.storage.stock import ALICE, AT, BOB, MINUTE, rows, stocked, work

ONE, OTHER = (Session(name, ALICE.id, AT, AT + 9 * MINUTE) for name in ("one", "other"))
BOBS = Session("bobs", BOB.id, AT, AT + 9 * MINUTE)


def begun(engine: Engine) -> None:
    stocked(engine)
    with work(engine) as uow:
        for each in (ONE, OTHER, BOBS):
            uow.sessions.begin(each)
        assert uow.sessions.find("one", AT) == ONE
        uow.commit()


def found(engine: Engine) -> dict[str, Session | None]:
    with work(engine) as uow:
        return {name: uow.sessions.find(name, AT) for name in ("one", "other", "bobs", "none")}


def test_a_session_is_found_until_it_expires(engine: Engine) -> None:
    begun(engine)
    assert found(engine) == {"one": ONE, "other": OTHER, "bobs": BOBS, "none": None}
    with work(engine) as uow:
        assert uow.sessions.find("one", AT + 8 * MINUTE) == ONE
        assert uow.sessions.find("one", AT + 9 * MINUTE) is None
        assert [each.secret_hash for each in uow.sessions.of(ALICE.id, AT)] == ["one", "other"]
        assert not uow.sessions.of(ALICE.id, AT + 9 * MINUTE)


def test_a_session_that_is_prolonged_lasts_longer(engine: Engine) -> None:
    begun(engine)
    with work(engine) as uow:
        uow.sessions.prolong("one", AT + 99 * MINUTE)
        uow.commit()
    assert found(engine)["one"] == replace(ONE, expires_at=AT + 99 * MINUTE)


def test_a_session_that_has_ended_is_not_revived_by_being_prolonged(engine: Engine) -> None:
    begun(engine)
    with work(engine) as late, work(engine) as uow:
        assert late.sessions.find("one", AT) == ONE
        uow.sessions.end("one")
        assert uow.sessions.find("one", AT) is None
        uow.commit()
        late.sessions.prolong("one", AT + 99 * MINUTE)
        late.commit()
    assert found(engine)["one"] is None
    assert rows(engine, SessionRow) == 2


@pytest.mark.parametrize(("but", "stay"), [(None, ["bobs"]), ("other", ["other", "bobs"]), ("bobs", ["bobs"])])
def test_all_sessions_of_a_player_end_but_for_one_perhaps(engine: Engine, but: str | None, stay: list[str]) -> None:
    begun(engine)
    with work(engine) as uow:
        uow.sessions.end_of(ALICE.id, but=but)
        uow.commit()
    assert [name for name, session in found(engine).items() if session] == stay


def test_what_is_taken_back_is_not_written(engine: Engine) -> None:
    begun(engine)
    with work(engine) as uow:
        with uow.rehearsal():
            uow.sessions.end_of(ALICE.id)
            uow.sessions.end("bobs")
            uow.sessions.prolong("one", AT)
            uow.sessions.begin(replace(ONE, secret_hash="none"))
        uow.commit()
    assert found(engine) == {"one": ONE, "other": OTHER, "bobs": BOBS, "none": None}


def test_no_session_begins_for_who_changes_at_that_moment(engine: Engine) -> None:
    stocked(engine)
    with work(engine) as late, work(engine) as uow:
        alice = late.players.get(ALICE.id)
        uow.players.save(replace(uow.players.get(ALICE.id), password_hash="new"))
        uow.commit()
        late.players.hold(alice)
        late.sessions.begin(ONE)
        with pytest.raises(Conflict):
            late.commit()
    assert rows(engine, SessionRow) == 0
