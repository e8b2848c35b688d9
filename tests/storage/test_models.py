from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from sqlalchemy import Engine, insert, literal_column, select
from sqlalchemy.exc import StatementError

from pbem.storage.engine import reading, writing
from pbem.storage.models import EventRow, LetterKeyRow
from tests.storage.stock import ALICE, AT, BOB, board, stocked

KATHMANDU = timezone(timedelta(hours=5, minutes=45))


def note(engine: Engine, key: str, at: datetime) -> None:
    with writing(engine) as connection:
        connection.execute(insert(LetterKeyRow).values(key=key, accepted_at=at))


@pytest.mark.parametrize("zone", [UTC, KATHMANDU, timezone(timedelta(hours=-9, minutes=-30))], ids=str)
def test_a_moment_comes_back_as_the_same_moment_in_utc(engine: Engine, zone: timezone) -> None:
    moment = datetime(2026, 3, 29, 2, 30, 0, 123456, tzinfo=zone)
    note(engine, "k", moment)
    with reading(engine) as connection:
        found = connection.scalar(select(LetterKeyRow.accepted_at))
    assert found == moment
    assert found is not None
    assert found.tzinfo is UTC


def test_a_moment_without_a_zone_is_refused(engine: Engine) -> None:
    with pytest.raises(StatementError, match="a moment without a timezone"):
        note(engine, "k", AT.replace(tzinfo=None))


def test_moments_are_compared_as_moments_whatever_their_zones_and_fractions(engine: Engine) -> None:
    moments = [AT + timedelta(microseconds=1), AT, (AT - timedelta(seconds=1)).astimezone(KATHMANDU)]
    for number, moment in enumerate(moments):
        note(engine, str(number), moment)
    with reading(engine) as connection:
        after = select(LetterKeyRow.key).where(LetterKeyRow.accepted_at >= AT.astimezone(KATHMANDU))
        assert set(connection.scalars(after)) == {"0", "1"}
        in_order = select(LetterKeyRow.key).order_by(LetterKeyRow.accepted_at)
        assert list(connection.scalars(in_order)) == ["2", "1", "0"]


@pytest.mark.parametrize("record", [None, [], [{"q": -2, "r": 4, "state": 12}], "ä", 0, False])
def test_the_record_of_an_event_comes_back_as_it_was(engine: Engine, record: Any) -> None:
    stocked(engine, board(101, ALICE, BOB))
    event = {"board_number": 101, "number": 1, "kind": "move", "seat": 0, "at": AT, "record": record}
    with writing(engine) as connection:
        connection.execute(insert(EventRow).values(event))
    with reading(engine) as connection:
        (found,) = connection.execute(select(EventRow.record)).one()
        stored = connection.scalar(select(literal_column("record IS NULL")).select_from(EventRow))
    assert found == record
    assert type(found) is type(record)
    assert bool(stored) is (record is None)
