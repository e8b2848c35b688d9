from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from pbem.domain.backups import AGAIN, BackupSchedule, BackupState, file_name, time_of

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
SECOND, DAY = timedelta(seconds=1), timedelta(days=1)
NIGHTLY = BackupSchedule(DAY, 14 * DAY)


@pytest.mark.parametrize(
    ("made", "failed", "is_due"),
    [
        (None, None, True),
        (timedelta(0), None, False),
        (DAY - SECOND, None, False),
        (DAY, None, True),
        (-SECOND, None, False),
        (-2 * DAY, None, True),
        (None, timedelta(0), False),
        (2 * DAY, AGAIN - SECOND, False),
        (2 * DAY, AGAIN, True),
        (SECOND, AGAIN, True),
        (SECOND, -SECOND, False),
        (SECOND, -2 * DAY, True),
    ],
    ids=str,
)
def test_one_is_due_after_its_time_and_an_hour_after_a_failure(
    made: timedelta | None, failed: timedelta | None, *, is_due: bool
) -> None:
    at = None if made is None else NOW - made
    failed_at = None if failed is None else NOW - failed
    assert NIGHTLY.is_due(BackupState(at, failed_at=failed_at), NOW) == is_due


def test_a_good_one_may_be_missed_once() -> None:
    assert NIGHTLY.lasts == timedelta(hours=50)
    assert BackupSchedule(timedelta(hours=6), DAY).lasts == timedelta(hours=14)


def test_a_file_is_called_by_the_moment_of_which_it_is() -> None:
    assert file_name(NOW) == "pbem-20260301T120000Z.db"
    assert time_of(file_name(NOW)) == NOW
    assert [time_of(each) for each in ("today.db", "pbem-20260301T120000Z.db.key", "pbem-x.db")] == [None] * 3


def test_old_ones_of_ours_are_expired_but_never_the_newest() -> None:
    names = [file_name(NOW - age * DAY) for age in (20, 13, 15)]
    assert NIGHTLY.expired([*names, "pbem-by-hand.db", "letter.db"], NOW) == [names[0], names[2]]
    assert NIGHTLY.expired(names[:1], NOW) == []
    assert NIGHTLY.expired([], NOW) == []
