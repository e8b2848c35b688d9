"""Backups that the server makes by itself, each in a real child process."""

from __future__ import annotations

import os
import signal
import sqlite3
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from threading import Thread

import pytest
from sqlalchemy import Engine
from structlog.testing import capture_logs

from pbem.bootstrap.backups import make_backup
from pbem.config import Settings
from pbem.domain.backups import BackupSchedule, BackupState, file_name
from pbem.storage.backups import BackupLog
from pbem.workers.backups import BACKUP_ALARM, LONGEST, BackupRunner
from tests.support.databases import KEY, engine_at
from tests.support.disks import small_disk
from tests.support.mail import PATIENCE
from tests.support.unfinished_backups import begin_backup
from tests.workers.alarms import Listening, alarms_to

AT = datetime(2026, 3, 1, 3, 30, tzinfo=UTC)
DAY, HOUR, SECOND = timedelta(days=1), timedelta(hours=1), timedelta(seconds=1)
UNFINISHED = ("pbem-restored-*", "pbem-*.db.new")


class BackedUp:
    """A server's database and its backups."""

    def __init__(self, engine: Engine, settings: Settings, folder: Path) -> None:
        self.engine, self.settings, self.folder = engine, settings, folder
        self.relay = Listening()
        self.alarms = alarms_to(self.relay)

    def runner(self, owner: str = "one", make: Callable[[Path], str] | None = None) -> BackupRunner:
        schedule = BackupSchedule(DAY, 14 * DAY)
        make = make or partial(make_backup, self.settings)
        return BackupRunner(self.log(owner), self.folder, schedule, make, UNFINISHED, self.alarms)

    def log(self, owner: str = "nobody") -> BackupLog:
        return BackupLog(self.engine, "backups", owner, LONGEST)

    @property
    def names(self) -> list[str]:
        return sorted(each.name for each in self.folder.iterdir())


@contextmanager
def backed_up_at(url: str, folder: Path) -> Iterator[BackedUp]:
    key = {"PBEM_SECRET_KEY": KEY} if url.startswith("postgresql") else {}
    with engine_at(url) as engine:
        yield BackedUp(engine, Settings.read({"PBEM_DATABASE_URL": url, **key}), folder)


@pytest.fixture
def backed_up(sqlite_url: str, tmp_path: Path) -> Iterator[BackedUp]:
    (tmp_path / "pbem.db.key").write_text("a key of sixteen letters\n")
    (folder := tmp_path / "backups").mkdir()
    with backed_up_at(sqlite_url, folder) as backed_up:
        yield backed_up


def test_one_process_makes_a_backup_when_it_is_due(database_url: str, tmp_path: Path) -> None:
    (tmp_path / "pbem.db.key").write_text("a key of sixteen letters\n")
    (folder := tmp_path / "backups").mkdir()
    with backed_up_at(database_url, folder) as backed_up:
        one, other = backed_up.runner(), backed_up.runner("other")
        with capture_logs() as logs:
            for moment in (AT, AT + SECOND, AT + DAY - SECOND):
                one.step(moment)
                other.step(moment)
        (made,) = logs
        assert (made["event"], made["deleted"]) == ("backup made", 0)
        file = folder / file_name(AT)
        assert backed_up.log().state() == BackupState(AT, file.name, file.stat().st_size)
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        with closing(sqlite3.connect(file)) as copy:
            assert copy.execute("SELECT count(*) FROM players").fetchone() == (0,)
        other.step(AT + DAY)
    keys = [f"{file_name(at)}.key" for at in (AT, AT + DAY) if database_url.startswith("sqlite")]
    assert backed_up.names == sorted([file_name(AT), file_name(AT + DAY), *keys])


def test_only_old_backups_of_ours_are_deleted(backed_up: BackedUp) -> None:
    old, older = file_name(AT - 13 * DAY), file_name(AT - 15 * DAY)
    for name in (old, older, f"{older}.key", "letter.db", "pbem-by-hand.db"):
        (backed_up.folder / name).touch()
    with capture_logs() as logs:
        backed_up.runner().step(AT)
    assert [each["deleted"] for each in logs] == [1]
    new = file_name(AT)
    assert backed_up.names == sorted([old, new, f"{new}.key", "letter.db", "pbem-by-hand.db"])


def _fails(backed_up: BackedUp, at: datetime, why: str) -> None:
    """Let a backup fail, and see that this is told everywhere."""
    with capture_logs() as logs:
        backed_up.runner().step(at)
    assert [each["event"] for each in logs] == ["backup failed", "alarm"]
    assert why in logs[0]["why"]
    state = backed_up.log().state()
    assert state.failed_at == at
    assert why in state.why
    assert backed_up.alarms.is_raised(BACKUP_ALARM)
    assert backed_up.log("another").hold(at)
    backed_up.log("another").let_go()


def test_a_damaged_database_is_told_and_good_backups_stay(backed_up: BackedUp, tmp_path: Path) -> None:
    backed_up.runner().step(AT - 20 * DAY)
    good, kept = backed_up.names, (tmp_path / "pbem.db").read_bytes()
    with closing(sqlite3.connect(tmp_path / "pbem.db")) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'deeds'").fetchone()
    damaged = bytearray(kept)
    damaged[4096 * (page - 1) : 4096 * page] = b"x" * 4096
    (tmp_path / "pbem.db").write_bytes(damaged)
    _fails(backed_up, AT, "no server could go on with the copy")
    assert backed_up.names == good
    backed_up.alarms.step(AT)
    assert backed_up.relay.subjects == ["pbem cannot make a backup"]
    assert "no server could go on with the copy" in backed_up.relay.last
    runner = backed_up.runner()
    runner.step(AT + HOUR - SECOND)
    assert backed_up.names == good
    (tmp_path / "pbem.db").write_bytes(kept)
    with capture_logs() as logs:
        runner.step(AT + HOUR)
    assert [each["event"] for each in logs] == ["backup made", "alarm is over"]
    assert file_name(AT + HOUR) in backed_up.names
    backed_up.alarms.step(AT + HOUR)
    assert backed_up.relay.subjects == ["pbem cannot make a backup", "pbem has made a backup again"]


def test_an_alarm_is_over_when_another_process_has_made_a_backup(backed_up: BackedUp, tmp_path: Path) -> None:
    (tmp_path / "pbem.db.key").rename(tmp_path / "key")
    _fails(backed_up, AT, "the secret key")
    (tmp_path / "key").rename(tmp_path / "pbem.db.key")
    log = backed_up.log("another")
    log.hold(AT + SECOND)
    log.made(AT + SECOND, "pbem.db", 1)
    backed_up.runner().step(AT + SECOND)
    assert not backed_up.alarms.is_raised(BACKUP_ALARM)


def test_a_full_disk_is_told_and_good_backups_stay(sqlite_url: str, tmp_path: Path) -> None:
    (tmp_path / "pbem.db.key").write_text("a key of sixteen letters\n")
    with small_disk(tmp_path / "disk", mebibytes=4) as disk, backed_up_at(sqlite_url, disk.path) as backed_up:
        backed_up.runner().step(AT - 20 * DAY)
        good = backed_up.names
        disk.fill()
        _fails(backed_up, AT, "full")
        disk.free()
        assert backed_up.names == good
        backed_up.runner().step(AT + HOUR)
        assert backed_up.names == [file_name(AT + HOUR), f"{file_name(AT + HOUR)}.key"]


def test_a_folder_that_is_not_there_is_told_and_not_made(backed_up: BackedUp) -> None:
    backed_up.folder.rmdir()
    _fails(backed_up, AT, f"{backed_up.folder}: No such file or directory")
    assert not backed_up.folder.exists()


def _begun(backed_up: BackedUp, runner: BackupRunner) -> tuple[Thread, int]:
    """Let a backup begin that is never finished; return by which process."""
    thread = Thread(target=runner.step, args=(AT,))
    thread.start()
    deadline, begun = time.monotonic() + PATIENCE, backed_up.folder / "begun"
    while not begun.exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return thread, int(begun.read_text())


def test_at_the_end_of_the_server_the_backup_under_way_is_given_up(backed_up: BackedUp) -> None:
    runner = backed_up.runner(make=begin_backup)
    with capture_logs() as logs:
        thread, _ = _begun(backed_up, runner)
        assert not backed_up.log("another").hold(AT + HOUR)
        runner.end_soon()
        thread.join()
        runner.step(AT)
    assert logs == []
    assert backed_up.log().state() == BackupState()
    assert backed_up.log("another").hold(AT)


def test_a_process_that_is_killed_is_told_and_what_it_left_is_deleted_later(backed_up: BackedUp) -> None:
    runner = backed_up.runner(make=begin_backup)
    thread, pid = _begun(backed_up, runner)
    os.kill(pid, signal.SIGKILL)
    thread.join()
    assert "was ended, perhaps for lack of memory" in backed_up.log().state().why
    left = backed_up.folder / f"{file_name(AT)}.new"
    (restored := backed_up.folder / "pbem-restored-x").mkdir()
    (restored / "pbem.db").touch()
    for path in (left, restored):
        assert path.exists()
        os.utime(path, (0, 0))
    backed_up.runner().step(AT + HOUR)
    assert not left.exists()
    assert not restored.exists()
    assert file_name(AT + HOUR) in backed_up.names
