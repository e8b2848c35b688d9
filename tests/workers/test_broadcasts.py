"""The worker that brings to everybody what a player says to all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

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
from tests.support.stepped_server import SteppedServer

NAMES = ("alice", "bob", "carol", "dan", "eve")


@pytest.fixture
def broadcasting(stepped: SteppedServer, monkeypatch: pytest.MonkeyPatch) -> SteppedServer:
    """Five players, told by twos; bob has something to say."""
    monkeypatch.setattr(broadcasts, "AT_ONCE", 2)
    for name in NAMES:
        stepped.gets(f"signup {name} secret", sender=f"{name}@example.org")
    stepped.gets("broadcast bob secret", "Hello, everybody!", sender="bob@example.org")
    stepped.works()
    assert rows(stepped.server.engine, BroadcastRow) == 1
    return stepped


def runner(stepped: SteppedServer) -> BroadcastRunner:
    return BroadcastRunner(stepped.server.executor)


def told(stepped: SteppedServer) -> list[str]:
    return [to.partition("@")[0] for to, subject in stepped.told() if subject == "bob has written to all players"]


def changed(stepped: SteppedServer, userid: str, **changes: object) -> None:
    with stepped.server.unit_of_work() as uow:
        player = uow.players.by_userid(userid)
        assert player is not None
        uow.players.save(replace(player, **changes))  # type: ignore[arg-type]
        uow.commit()


def leaves(context: Context) -> dict[str, list[Notice]]:
    """Bob does."""
    (bob,) = context.uow.players.by_confirmed_address("bob@example.org")
    return {"goodbye": take_off(bob, context)}


def test_it_goes_to_all_but_its_writer_some_at_a_time(broadcasting: SteppedServer) -> None:
    one = runner(broadcasting)
    heard = []
    while one.step():
        heard.append(told(broadcasting))
    assert heard == [["alice"], ["alice", "carol", "dan"], ["alice", "carol", "dan", "eve"], heard[-1]]
    assert not one.step()


def test_a_power_cut_in_the_middle_of_a_batch_is_as_if_it_had_not_begun(
    broadcasting: SteppedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    runner(broadcasting).step()
    add = broadcasting.server.outbox.add

    def cut(*mails: object) -> None:
        add(*mails)  # type: ignore[arg-type]
        raise OSError("power")

    monkeypatch.setattr(broadcasting.server.outbox, "add", cut)
    assert runner(broadcasting).step()
    assert told(broadcasting) == ["alice"]
    monkeypatch.setattr(broadcasting.server.outbox, "add", add)
    while runner(broadcasting).step():
        pass
    assert told(broadcasting) == ["alice", "carol", "dan", "eve"]


def test_one_that_cannot_be_worded_stops_no_other(broadcasting: SteppedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    broadcasting.gets("broadcast carol secret", "Me too!", sender="carol@example.org")
    broadcasting.works()
    compose = broadcasting.server.parts.composer.compose

    def stumbles(notices: Sequence[Notice], key: str, *more: Any) -> object:
        if key.startswith("broadcast-1-"):
            raise ValueError("odd words")
        return compose(notices, key, *more)

    monkeypatch.setattr(broadcasting.server.parts.composer, "compose", stumbles)
    one = runner(broadcasting)
    while one.step():
        pass
    subjects = [subject for _, subject in broadcasting.told()]
    assert subjects.count("carol has written to all players") == 4
    assert "bob has written to all players" not in subjects


def test_one_that_can_never_be_worded_is_given_up_and_the_operator_hears_of_it(
    broadcasting: SteppedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, tries = runner(broadcasting), list[str]()
    one.step()
    compose = broadcasting.server.parts.composer.compose

    def stumbles(notices: Sequence[Notice], key: str, *more: Any) -> object:
        if key.startswith("broadcast-1-") and not key.endswith("given-up"):
            tries.append(key)
            raise ValueError("odd words")
        return compose(notices, key, *more)

    monkeypatch.setattr(broadcasting.server.parts.composer, "compose", stumbles)
    for _ in range(2 * worker._ATTEMPTS):
        one.step()
        one._put_off.clear()
    assert len(tries) == worker._ATTEMPTS
    (mail,) = [each for each in broadcasting.mails() if each.recipient == "operator@example.org"]
    assert mail.subject == "pbem broadcast 1 given up"
    assert b"ValueError" in mail.raw
    assert b"odd words" not in mail.raw
    assert not runner(broadcasting).step()
    assert told(broadcasting) == ["alice"]


@pytest.mark.parametrize("mark", ["\x020\x03", "\x0299\x03", "\x02\x03"])
def test_no_words_are_taken_for_the_place_of_a_part(broadcasting: SteppedServer, mark: str) -> None:
    with broadcasting.server.unit_of_work() as uow:
        words = uow.broadcasts.unsent()
        assert words is not None
        uow.broadcasts.save(replace(words, id=uow.broadcasts.next_id(), text=f"before {mark} after"))
        uow.commit()
    one = runner(broadcasting)
    while one.step():
        pass
    assert sorted(told(broadcasting)) == ["alice", "alice", "carol", "carol", "dan", "dan", "eve", "eve"]


def test_two_who_tell_the_same_at_once_tell_it_once(
    broadcasting: SteppedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit: Callable[..., None] = UnitOfWork.commit

    def overtaken(uow: UnitOfWork, *also: object) -> None:
        monkeypatch.setattr(UnitOfWork, "commit", commit)
        assert runner(broadcasting).step()
        commit(uow, *also)

    monkeypatch.setattr(UnitOfWork, "commit", overtaken)
    assert not runner(broadcasting).step(), "whoever is overtaken again and again rests"
    while runner(broadcasting).step():
        pass
    assert told(broadcasting) == ["alice", "carol", "dan", "eve"]


def test_one_that_gets_the_number_of_one_whose_writer_has_left_is_told_all_the_same(
    broadcasting: SteppedServer,
) -> None:
    while runner(broadcasting).step():
        pass
    broadcasting.server.executor.retry_on_conflict(leaves)
    broadcasting.gets("broadcast carol secret", "Me too!", sender="carol@example.org")
    broadcasting.works()
    with broadcasting.server.unit_of_work() as uow:
        found = uow.broadcasts.unsent()
    assert found is not None
    assert found.id == 1
    for _ in NAMES:
        runner(broadcasting).step()
    heard = [to for to, subject in broadcasting.told() if subject == "carol has written to all players"]
    assert heard == [f"{name}@example.org" for name in ("alice", "dan", "eve")]


def test_who_signs_up_meanwhile_is_told_too_and_who_wants_none_is_not(broadcasting: SteppedServer) -> None:
    runner(broadcasting).step()
    broadcasting.gets("signup fay secret", sender="fay@example.org")
    broadcasting.gets("set dan secret broadcast=off", sender="dan@example.org")
    broadcasting.works()
    while runner(broadcasting).step():
        pass
    assert told(broadcasting) == ["alice", "carol", "eve", "fay"]


@pytest.mark.parametrize("standing", [Standing.FROZEN, Standing.BANNED])
def test_who_is_silenced_meanwhile_is_heard_no_further(broadcasting: SteppedServer, standing: Standing) -> None:
    runner(broadcasting).step()
    changed(broadcasting, "bob", standing=standing)
    while runner(broadcasting).step():
        pass
    assert told(broadcasting) == ["alice"]
