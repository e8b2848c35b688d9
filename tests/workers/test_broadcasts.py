"""The worker that brings to everybody what a player says to all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

import pytest

from pbem.domain.mails import Notice
from pbem.domain.players import Standing
from pbem.storage.models import BroadcastRow
from pbem.storage.unit_of_work import UnitOfWork
from pbem.usecases import messages as broadcasts
from pbem.usecases.context import Context
from pbem.usecases.signoff import take_off
from pbem.workers import runner as worker
from pbem.workers.runner import BroadcastRunner
from tests.storage.stock import rows
from tests.workers.office import Office

NAMES = ("alice", "bob", "carol", "dan", "eve")


@pytest.fixture
def house(office: Office, monkeypatch: pytest.MonkeyPatch) -> Office:
    """Five players, told by twos; bob has something to say."""
    monkeypatch.setattr(broadcasts, "AT_ONCE", 2)
    for name in NAMES:
        office.gets(f"signup {name} secret", sender=f"{name}@example.org")
    office.gets("broadcast bob secret", "Hello, everybody!", sender="bob@example.org")
    office.works()
    assert rows(office.server._engine, BroadcastRow) == 1
    return office


def runner(office: Office) -> BroadcastRunner:
    return BroadcastRunner(office.server._executor)


def told(office: Office) -> list[str]:
    return [to.partition("@")[0] for to, subject in office.told() if subject == "bob has written to all players"]


def changed(office: Office, userid: str, **changes: object) -> None:
    with office.server.unit_of_work() as uow:
        player = uow.players.by_userid(userid)
        assert player is not None
        uow.players.save(replace(player, **changes))  # type: ignore[arg-type]
        uow.commit()


def leaves(context: Context) -> dict[str, list[Notice]]:
    """Bob does."""
    (bob,) = context.uow.players.by_confirmed_address("bob@example.org")
    return {"goodbye": take_off(bob, context)}


def test_it_goes_to_all_but_its_writer_some_at_a_time(house: Office) -> None:
    one = runner(house)
    heard = []
    while one.step():
        heard.append(told(house))
    assert heard == [["alice"], ["alice", "carol", "dan"], ["alice", "carol", "dan", "eve"], heard[-1]]
    assert not one.step()


def test_a_power_cut_in_the_middle_of_a_batch_is_as_if_it_had_not_begun(
    house: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    runner(house).step()
    add = house.server.outbox.add

    def cut(*mails: object) -> None:
        add(*mails)  # type: ignore[arg-type]
        raise OSError("power")

    monkeypatch.setattr(house.server.outbox, "add", cut)
    assert runner(house).step()
    assert told(house) == ["alice"]
    monkeypatch.setattr(house.server.outbox, "add", add)
    while runner(house).step():
        pass
    assert told(house) == ["alice", "carol", "dan", "eve"]


def test_one_that_cannot_be_worded_stops_no_other(house: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    house.gets("broadcast carol secret", "Me too!", sender="carol@example.org")
    house.works()
    compose = house.server.parts.composer.compose

    def stumbles(notices: Sequence[Notice], key: str, now: datetime) -> object:
        if key.startswith("broadcast-1-"):
            raise ValueError("odd words")
        return compose(notices, key, now)

    monkeypatch.setattr(house.server.parts.composer, "compose", stumbles)
    one = runner(house)
    while one.step():
        pass
    subjects = [subject for _, subject in house.told()]
    assert subjects.count("carol has written to all players") == 4
    assert "bob has written to all players" not in subjects


def test_one_that_can_never_be_worded_is_given_up_and_the_operator_hears_of_it(
    house: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, tries = runner(house), list[str]()
    one.step()
    compose = house.server.parts.composer.compose

    def stumbles(notices: Sequence[Notice], key: str, now: datetime) -> object:
        if key.startswith("broadcast-1-") and not key.endswith("given-up"):
            tries.append(key)
            raise ValueError("odd words")
        return compose(notices, key, now)

    monkeypatch.setattr(house.server.parts.composer, "compose", stumbles)
    for _ in range(2 * worker._ATTEMPTS):
        one.step()
        one._put_off.clear()
    assert len(tries) == worker._ATTEMPTS
    (mail,) = [each for each in house.mails() if each.recipient == "operator@example.org"]
    assert mail.subject == "pbem broadcast 1 given up"
    assert b"ValueError" in mail.raw
    assert b"odd words" not in mail.raw
    assert not runner(house).step()
    assert told(house) == ["alice"]


@pytest.mark.parametrize("mark", ["\x020\x03", "\x0299\x03", "\x02\x03"])
def test_no_words_are_taken_for_the_place_of_a_part(house: Office, mark: str) -> None:
    with house.server.unit_of_work() as uow:
        words = uow.broadcasts.unsent()
        assert words is not None
        uow.broadcasts.save(replace(words, id=uow.broadcasts.next_id(), text=f"before {mark} after"))
        uow.commit()
    one = runner(house)
    while one.step():
        pass
    assert sorted(told(house)) == ["alice", "alice", "carol", "carol", "dan", "dan", "eve", "eve"]


def test_two_who_tell_the_same_at_once_tell_it_once(house: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    commit: Callable[..., None] = UnitOfWork.commit

    def overtaken(uow: UnitOfWork, *also: object) -> None:
        monkeypatch.setattr(UnitOfWork, "commit", commit)
        assert runner(house).step()
        commit(uow, *also)

    monkeypatch.setattr(UnitOfWork, "commit", overtaken)
    assert not runner(house).step(), "whoever is overtaken again and again rests"
    while runner(house).step():
        pass
    assert told(house) == ["alice", "carol", "dan", "eve"]


def test_one_that_gets_the_number_of_one_whose_writer_has_left_is_told_all_the_same(house: Office) -> None:
    while runner(house).step():
        pass
    house.server._executor.retry_on_conflict(leaves)
    house.gets("broadcast carol secret", "Me too!", sender="carol@example.org")
    house.works()
    with house.server.unit_of_work() as uow:
        found = uow.broadcasts.unsent()
    assert found is not None
    assert found.id == 1
    for _ in NAMES:
        runner(house).step()
    heard = [to for to, subject in house.told() if subject == "carol has written to all players"]
    assert heard == [f"{name}@example.org" for name in ("alice", "dan", "eve")]


def test_who_signs_up_meanwhile_is_told_too_and_who_wants_none_is_not(house: Office) -> None:
    runner(house).step()
    house.gets("signup fay secret", sender="fay@example.org")
    house.gets("set dan secret broadcast=off", sender="dan@example.org")
    house.works()
    while runner(house).step():
        pass
    assert told(house) == ["alice", "carol", "eve", "fay"]


@pytest.mark.parametrize("standing", [Standing.FROZEN, Standing.BANNED])
def test_who_is_silenced_meanwhile_is_heard_no_further(house: Office, standing: Standing) -> None:
    runner(house).step()
    changed(house, "bob", standing=standing)
    while runner(house).step():
        pass
    assert told(house) == ["alice"]
