"""The worker that mails what was kept for the day, with a clock that is made."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import Connection

from pbem.domain.mails import AT, Notice
from pbem.domain.players import Standing
from pbem.domain.preferences import Preferences
from pbem.ids import PlayerId
from pbem.storage.models import DigestEntryRow
from pbem.storage.unit_of_work import UnitOfWork
from pbem.usecases import digests as usecase
from pbem.usecases.context import Context
from pbem.workers.runner import DigestRunner
from tests.storage.stock import rows
from tests.support.stepped_server import SteppedServer

NOW = datetime.now(UTC)
DAY = timedelta(days=1)


def worker(stepped: SteppedServer, now: datetime) -> DigestRunner:
    server = stepped.server
    return DigestRunner(server.executor, clock=lambda: now)


def moved(stepped: SteppedServer, *names: str) -> None:
    """Alice has challenged some who want one mail a day, and nobody has read their mail yet."""
    for name in ("alice", *names):
        stepped.gets(f"signup {name} secret", sender=f"{name}@example.org")
    stepped.works()
    with stepped.server.unit_of_work() as uow:
        for name in names:
            player = uow.players.by_userid(name)
            assert player is not None
            uow.players.save(replace(player, preferences=Preferences(digest="daily")))
        uow.commit()
    for name in names:
        stepped.gets(f"superbo challenge {name} alice", sender="alice@example.org")
    stepped.works()


def told(stepped: SteppedServer) -> list[tuple[str, str]]:
    return [(to, subject) for to, subject in stepped.told() if subject.startswith("Your boards")]


def test_it_mails_what_is_due_once(stepped: SteppedServer) -> None:
    moved(stepped, "bob", "carol")
    assert not worker(stepped, NOW).step()
    tomorrow = worker(stepped, NOW + DAY)
    assert tomorrow.step()
    assert told(stepped) == [(f"{name}@example.org", "Your boards: 1 waits for you") for name in ("bob", "carol")]
    assert not tomorrow.step()
    assert not worker(stepped, NOW + 2 * DAY).step()
    assert len(told(stepped)) == 2


def test_a_power_cut_before_all_is_written_leaves_it_to_be_told(
    stepped: SteppedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved(stepped, "bob")
    add = stepped.server.outbox.add

    def cut(connection: Connection, mails: list[object], now: datetime) -> None:
        add(connection, mails, now)  # type: ignore[arg-type]
        raise OSError("power")

    monkeypatch.setattr(stepped.server.outbox, "add", cut)
    assert not worker(stepped, NOW + DAY).step()
    monkeypatch.undo()
    assert told(stepped) == []
    assert worker(stepped, NOW + DAY).step()
    assert len(told(stepped)) == 1


def test_of_two_who_tell_the_same_at_once_one_does(stepped: SteppedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    moved(stepped, "bob")
    commit = UnitOfWork.commit

    def overtaken(uow: UnitOfWork, *also: object) -> None:
        monkeypatch.undo()
        assert worker(stepped, NOW + DAY + timedelta(seconds=1)).step()
        commit(uow, *also)  # type: ignore[arg-type]

    monkeypatch.setattr(UnitOfWork, "commit", overtaken)
    worker(stepped, NOW + DAY).step()
    assert len(told(stepped)) == 1


def test_one_who_cannot_be_told_does_not_keep_the_others_waiting(
    stepped: SteppedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved(stepped, "bob", "carol")
    daily_mail = usecase.daily_mail

    def stumble(whose: PlayerId, context: Context) -> list[Notice]:
        if context.uow.players.get(whose).userid == "bob":
            raise KeyError("our bug")
        return daily_mail(whose, context)

    monkeypatch.setattr("pbem.workers.runner.daily_mail", stumble)
    assert worker(stepped, NOW + DAY).step()
    assert told(stepped) == [("carol@example.org", "Your boards: 1 waits for you")]
    assert not worker(stepped, NOW + DAY).step()
    monkeypatch.undo()
    assert worker(stepped, NOW + DAY).step()
    assert len(told(stepped)) == 2


def test_what_nobody_can_be_mailed_is_kept_until_he_can(stepped: SteppedServer) -> None:
    moved(stepped, "bob")
    with stepped.server.unit_of_work() as uow:
        bob = uow.players.by_userid("bob")
        assert bob is not None
        uow.players.save(replace(bob, mail_stopped=True))
        uow.commit()
    worker(stepped, NOW + DAY).step()
    assert told(stepped) == []
    with stepped.server.unit_of_work() as uow:
        uow.players.save(replace(uow.players.get(bob.id), mail_stopped=False))
        uow.commit()
    assert not worker(stepped, NOW + DAY).step()
    assert worker(stepped, NOW + 2 * DAY).step()
    assert len(told(stepped)) == 1


def test_who_has_left_is_told_nothing(stepped: SteppedServer) -> None:
    moved(stepped, "bob")
    with stepped.server.unit_of_work() as uow:
        bob = uow.players.by_userid("bob")
        assert bob is not None
        uow.players.save(replace(bob, addresses=(), standing=Standing.GONE))
        uow.commit()
    worker(stepped, NOW + DAY).step()
    assert told(stepped) == []
    assert rows(stepped.server.engine, DigestEntryRow) == 0


@pytest.mark.parametrize("zone", ["Asia/Kathmandu", "America/New_York"])
def test_what_is_kept_goes_out_at_seven_by_the_clock_that_is_set_last(stepped: SteppedServer, zone: str) -> None:
    moved(stepped, "bob")
    stepped.gets(f"set bob secret timezone={zone}", sender="bob@example.org")
    stepped.works()
    with stepped.server.unit_of_work() as uow:
        bob = uow.players.by_userid("bob")
        assert bob is not None
        (kept,) = uow.digests.of(bob.id)
    assert kept.due_at.astimezone(ZoneInfo(zone)).time() == AT
    assert kept.due_at > NOW
