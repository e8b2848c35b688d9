from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from pbem.domain.administration import Depths
from pbem.domain.backups import BackupState
from pbem.usecases.attention import BACKUP_LASTS, LETTERS_WAIT, MAILS_WAIT, ROBOTS_WAIT, Disk, ServerCondition, judge

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
SECOND = timedelta(seconds=1)
WELL = ServerCondition(
    now=NOW,
    depths=Depths(letters_waiting=3, letters_since=NOW - LETTERS_WAIT, mails_waiting=2, mails_since=NOW - MAILS_WAIT),
    disk=Disk(free=10**9, size=10**11),
    backups=BackupState(NOW - BACKUP_LASTS),
    backup_lasts=BACKUP_LASTS,
    schema="0010",
    schema_wanted="0010",
    is_writable=True,
)


def test_a_server_that_is_well_needs_nobody() -> None:
    assert judge(WELL) == []
    assert judge(replace(WELL, disk=None, backups=None)) == []


@pytest.mark.parametrize(
    ("depths", "what", "is_urgent", "count"),
    [
        ({"letters_since": NOW - LETTERS_WAIT - SECOND}, "letters_wait", True, 3),
        ({"letters_shunted": 2, "shunted_since": NOW}, "letters_shunted", False, 2),
        ({"mails_since": NOW - MAILS_WAIT - SECOND}, "mails_wait", True, 2),
        ({"mails_since": NOW - MAILS_WAIT - SECOND, "mails_resting": 1}, "relay_fails", True, 2),
        ({"mails_resting": 1}, None, False, 0),
        ({"mails_failed": 4, "failed_since": NOW}, "mails_failed", False, 4),
        ({"reports_open": 1, "reports_since": NOW}, "reports_open", False, 1),
        ({"addresses_suppressed": 9}, None, False, 0),
        ({"addresses_suppressed": 9, "suppressed_lately": 1}, "suppressed_lately", False, 1),
        ({"robots_waiting": 5, "robots_since": NOW - ROBOTS_WAIT - SECOND}, "robots_wait", False, 5),
        ({"robots_stuck": 1}, "robots_stuck", False, 1),
    ],
)
def test_what_lies_too_long_or_waits_for_the_operator_is_named_with_a_command(
    depths: Mapping[str, Any], what: str | None, is_urgent: bool, count: int
) -> None:
    found = judge(replace(WELL, depths=replace(WELL.depths, **depths)))
    assert [(each.what, each.is_urgent, each.count) for each in found] == ([(what, is_urgent, count)] if what else [])
    assert all(each.command.startswith("pbem admin ") for each in found)


@pytest.mark.parametrize(
    ("change", "what", "is_urgent"),
    [
        ({"is_writable": False}, "not_writable", True),
        ({"schema": "0009"}, "other_schema", True),
        ({"disk": Disk(free=99_000_000, size=10**11)}, "disk_short", True),
        ({"disk": Disk(free=499_000_000, size=10**11)}, "disk_short", False),
        ({"disk": Disk(free=190_000_000, size=2 * 10**9)}, "disk_short", False),
        ({"backups": BackupState(NOW - BACKUP_LASTS - SECOND)}, "backup_old", False),
        ({"backup_lasts": BACKUP_LASTS - SECOND}, "backup_old", False),
        ({"backups": BackupState()}, "backup_old", False),
        ({"backups": BackupState(NOW, failed_at=NOW, why="the disk is full")}, "backup_failed", False),
        ({"relay_full_until": NOW}, "relay_limit", False),
    ],
)
def test_so_is_what_is_wrong_around_the_database(change: Mapping[str, Any], what: str, is_urgent: bool) -> None:
    assert [(each.what, each.is_urgent) for each in judge(replace(WELL, **change))] == [(what, is_urgent)]


def test_a_small_disk_may_have_less_free() -> None:
    assert judge(replace(WELL, disk=Disk(free=210_000_000, size=2 * 10**9))) == []


def test_the_most_urgent_comes_first() -> None:
    depths = replace(WELL.depths, letters_shunted=1, mails_since=NOW - 2 * MAILS_WAIT)
    found = judge(replace(WELL, depths=depths, is_writable=False))
    assert [each.what for each in found] == ["not_writable", "mails_wait", "letters_shunted"]
