"""When the operator was told, in both databases."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from sqlalchemy import Engine

from pbem.storage.overview import AlarmTimes

AT = datetime(2026, 5, 1, 12, tzinfo=UTC)


def test_the_last_moment_of_each_is_kept(engine: Engine) -> None:
    times = AlarmTimes(engine)
    assert times.told_at("alarm_a") is None
    for minute in (0, 5):
        times.note("alarm_a", AT + timedelta(minutes=minute))
    times.note("alarm_b", AT)
    after = AlarmTimes(engine)
    assert (after.told_at("alarm_a"), after.told_at("alarm_b")) == (AT + timedelta(minutes=5), AT)
