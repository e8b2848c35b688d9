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
from tests.workers.office import Office

NOW = datetime.now(UTC)
DAY = timedelta(days=1)


def worker(office: Office, now: datetime) -> DigestRunner:
    server = office.server
    return DigestRunner(server._executor, clock=lambda: now)


def moved(office: Office, *names: str) -> None:
    """Alice has challenged some who want one mail a day, and nobody has read his mail yet."""
    for name in ("alice", *names):
        office.gets(f"signup {name} secret", sender=f"{name}@example.org")
    office.works()
    with office.server.unit_of_work() as uow:
        for name in names:
            player = uow.players.by_userid(name)
            assert player is not None
            uow.players.save(replace(player, preferences=Preferences(digest="daily")))
        uow.commit()
    for name in names:
        office.gets(f"superbo challenge {name} alice", sender="alice@example.org")
    office.works()


def told(office: Office) -> list[tuple[str, str]]:
    return [(to, subject) for to, subject in office.told() if subject.startswith("Your boards")]


def test_it_mails_what_is_due_once(office: Office) -> None:
    moved(office, "bob", "carol")
    assert not worker(office, NOW).step()
    tomorrow = worker(office, NOW + DAY)
    assert tomorrow.step()
    assert told(office) == [(f"{name}@example.org", "Your boards: 1 waits for you") for name in ("bob", "carol")]
    assert not tomorrow.step()
    assert not worker(office, NOW + 2 * DAY).step()
    assert len(told(office)) == 2


def test_a_power_cut_before_all_is_written_leaves_it_to_be_told(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved(office, "bob")
    add = office.server.outbox.add

    def cut(connection: Connection, mails: list[object], now: datetime) -> None:
        add(connection, mails, now)  # type: ignore[arg-type]
        raise OSError("power")

    monkeypatch.setattr(office.server.outbox, "add", cut)
    assert not worker(office, NOW + DAY).step()
    monkeypatch.undo()
    assert told(office) == []
    assert worker(office, NOW + DAY).step()
    assert len(told(office)) == 1


def test_of_two_who_tell_the_same_at_once_one_does(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    moved(office, "bob")
    commit = UnitOfWork.commit

    def overtaken(uow: UnitOfWork, *also: object) -> None:
        monkeypatch.undo()
        assert worker(office, NOW + DAY + timedelta(seconds=1)).step()
        commit(uow, *also)  # type: ignore[arg-type]

    monkeypatch.setattr(UnitOfWork, "commit", overtaken)
    worker(office, NOW + DAY).step()
    assert len(told(office)) == 1


def test_one_who_cannot_be_told_does_not_keep_the_others_waiting(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved(office, "bob", "carol")
    daily_mail = usecase.daily_mail

    def stumble(whose: PlayerId, context: Context) -> list[Notice]:
        if context.uow.players.get(whose).userid == "bob":
            raise KeyError("our bug")
        return daily_mail(whose, context)

    monkeypatch.setattr("pbem.workers.runner.daily_mail", stumble)
    assert worker(office, NOW + DAY).step()
    assert told(office) == [("carol@example.org", "Your boards: 1 waits for you")]
    assert not worker(office, NOW + DAY).step()
    monkeypatch.undo()
    assert worker(office, NOW + DAY).step()
    assert len(told(office)) == 2


def test_what_nobody_can_be_mailed_is_kept_until_he_can(office: Office) -> None:
    moved(office, "bob")
    with office.server.unit_of_work() as uow:
        bob = uow.players.by_userid("bob")
        assert bob is not None
        uow.players.save(replace(bob, mail_stopped=True))
        uow.commit()
    worker(office, NOW + DAY).step()
    assert told(office) == []
    with office.server.unit_of_work() as uow:
        uow.players.save(replace(uow.players.get(bob.id), mail_stopped=False))
        uow.commit()
    assert not worker(office, NOW + DAY).step()
    assert worker(office, NOW + 2 * DAY).step()
    assert len(told(office)) == 1


def test_who_has_left_is_told_nothing(office: Office) -> None:
    moved(office, "bob")
    with office.server.unit_of_work() as uow:
        bob = uow.players.by_userid("bob")
        assert bob is not None
        uow.players.save(replace(bob, addresses=(), standing=Standing.GONE))
        uow.commit()
    worker(office, NOW + DAY).step()
    assert told(office) == []
    assert rows(office.server._engine, DigestEntryRow) == 0


@pytest.mark.parametrize("zone", ["Asia/Kathmandu", "America/New_York"])
def test_what_is_kept_goes_out_at_seven_by_the_clock_that_is_set_last(office: Office, zone: str) -> None:
    moved(office, "bob")
    office.gets(f"set bob secret timezone={zone}", sender="bob@example.org")
    office.works()
    with office.server.unit_of_work() as uow:
        bob = uow.players.by_userid("bob")
        assert bob is not None
        (kept,) = uow.digests.of(bob.id)
    assert kept.due_at.astimezone(ZoneInfo(zone)).time() == AT
    assert kept.due_at > NOW
