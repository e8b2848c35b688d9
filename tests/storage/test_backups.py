from __future__ import annotations

from sqlalchemy import Engine

from pbem.domain.backups import BackupState
from pbem.storage.backups import BackupLog
from pbem.storage.engine import reading
from pbem.storage.leases import free_named, holders
from tests.storage.stock import AT, MINUTE


def log(engine: Engine, owner: str = "one", folder: str = "/var/backups/pbem") -> BackupLog:
    return BackupLog(engine, folder, owner, MINUTE)


def test_a_folder_without_backups_has_no_state(engine: Engine) -> None:
    assert log(engine).state() == BackupState()


def test_one_process_makes_a_backup_and_all_know_of_it(engine: Engine) -> None:
    one, other = log(engine), log(engine, "other")
    assert one.hold(AT)
    assert not other.hold(AT)
    one.made(AT, "pbem-1.db", 5_000_000_000)
    assert other.state() == BackupState(AT, "pbem-1.db", 5_000_000_000)
    assert log(engine, folder="elsewhere").state() == BackupState()
    assert other.hold(AT)


def test_a_failure_keeps_the_last_good_one_and_is_forgotten_after_the_next(engine: Engine) -> None:
    one = log(engine)
    one.hold(AT)
    one.made(AT, "pbem-1.db", 7)
    one.hold(AT + MINUTE)
    one.failed(AT + MINUTE, "the disk is full")
    assert one.state() == BackupState(AT, "pbem-1.db", 7, AT + MINUTE, "the disk is full")
    assert log(engine, "other").hold(AT + MINUTE)
    one.made(AT + 2 * MINUTE, "pbem-2.db", 8)
    assert one.state() == BackupState(AT + 2 * MINUTE, "pbem-2.db", 8)


def test_the_lease_of_a_dead_process_is_found_and_freed(engine: Engine) -> None:
    log(engine, "dead").hold(AT)
    with reading(engine) as connection:
        assert holders(connection) == ["dead"]
    assert free_named(engine, ["dead"]) == 1
    assert log(engine).hold(AT)
