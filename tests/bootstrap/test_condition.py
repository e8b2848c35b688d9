"""The figures about the disk and the backups around a database."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.bootstrap.status import condition, gauges
from pbem.config import Settings
from pbem.storage.backups import BackupLog
from pbem.storage.engine import make_engine
from pbem.usecases.attention import BACKUP_LASTS, judge
from tests.support.databases import engine_at

FRESH, OLD = 60.0, BACKUP_LASTS.total_seconds() + 60
"""Seconds."""


def seen(url: str, **given: str) -> tuple[Mapping[str, float], list[str]]:
    """The gauges of backups, and what is said to need attention."""
    settings, engine = Settings.read({"PBEM_DATABASE_URL": url, **given}), make_engine(url)
    try:
        shown = gauges(engine, settings) or {}
        judged = judge(condition(engine, settings, datetime.now(UTC)))
    finally:
        engine.dispose()
    return {name: value for name, value in shown.items() if "backup" in name}, [each.what for each in judged]


@pytest.mark.parametrize(("age", "attention"), [(FRESH, []), (OLD, ["backup_old"])], ids=["a fresh one", "an old one"])
def test_the_age_of_the_newest_backup_is_shown(
    sqlite_url: str, tmp_path: Path, age: float, attention: list[str]
) -> None:
    made, kept = datetime.now(UTC).timestamp(), tmp_path / "kept"
    kept.mkdir()
    for name, before in (("newest.db", age), ("older.db", age + 1000)):
        (kept / name).touch()
        os.utime(kept / name, (made - before, made - before))
    shown, judged = seen(sqlite_url, PBEM_BACKUP_FOLDER=str(kept), PBEM_BACKUP_HOURS="0")
    lasts = BACKUP_LASTS.total_seconds()
    age_shown = pytest.approx(age, abs=30)
    assert shown == {"backup_expected": 1, "backup_lasts_seconds": lasts, "backup_age_seconds": age_shown}
    assert judged == attention


@pytest.mark.parametrize("is_there", [True, False], ids=["empty", "not there"])
def test_a_folder_without_backups_is_told_from_none_that_is_named(
    sqlite_url: str, tmp_path: Path, *, is_there: bool
) -> None:
    kept = tmp_path / "kept"
    if is_there:
        kept.mkdir()
    expected = {"backup_expected": 1, "backup_lasts_seconds": BACKUP_LASTS.total_seconds()}
    assert seen(sqlite_url, PBEM_BACKUP_FOLDER=str(kept), PBEM_BACKUP_HOURS="0") == (expected, ["backup_old"])
    assert seen(sqlite_url) == ({"backup_expected": 0}, [])


def test_of_backups_of_our_own_the_last_good_one_counts_whatever_lies_in_the_folder(
    sqlite_url: str, tmp_path: Path
) -> None:
    (kept := tmp_path / "kept").mkdir()
    (kept / "newer.db").touch()
    given = {"PBEM_BACKUP_FOLDER": str(kept), "PBEM_BACKUP_HOURS": "6"}
    expected = {"backup_expected": 1, "backup_lasts_seconds": 14 * 3600}
    assert seen(sqlite_url, **given) == (expected, ["backup_old"])
    now = datetime.now(UTC)
    with engine_at(sqlite_url) as engine:
        log = BackupLog(engine, str(kept), "one", timedelta(hours=1))
        log.hold(now)
        log.made(now - timedelta(hours=13), "pbem.db", 1)
        shown, judged = seen(sqlite_url, **given)
        assert shown == {**expected, "backup_age_seconds": pytest.approx(13 * 3600, abs=30)}
        assert judged == []
        log.failed(now, "the disk is full")
        assert seen(sqlite_url, **given)[1] == ["backup_failed"]
