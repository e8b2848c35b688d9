"""Statements that go to the driver as they are: their rows and errors are those of SQLAlchemy."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone

import pytest
from sqlalchemy import Connection, Engine, delete, event, insert, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.sql.expression import bindparam, table, text

from pbem.errors import Conflict
from pbem.storage.engine import reading, writing
from pbem.storage.models import LetterKeyRow, LetterRow, PlayerRow
from pbem.storage.prepared import Prepared, rows_together

AT = datetime(2026, 11, 1, 12, tzinfo=UTC)
KEYS = Prepared(insert(LetterKeyRow))
SINCE = Prepared(
    select(LetterKeyRow.key, LetterKeyRow.accepted_at)
    .where(LetterKeyRow.accepted_at >= bindparam("since"), LetterKeyRow.key != "left out")
    .order_by(LetterKeyRow.key)
)
LETTER = {
    "received_at": AT, "sender": "a@example.org", "recipients": ["pbem@localhost"], "client": None, "raw": b"\0\xff",
    "state": "waiting", "attempts": 0, "turn": 0, "board_number": None, "next_attempt_at": AT,
}  # fmt: skip


def test_values_and_columns_are_converted_as_ever(engine: Engine) -> None:
    elsewhere = AT.astimezone(timezone(timedelta(hours=5)))
    with writing(engine) as connection:
        assert KEYS.run(connection, {"key": "left out", "accepted_at": AT}) == 1
        KEYS.run(connection, *({"key": f"k{each}", "accepted_at": elsewhere} for each in range(3)))
        (added,) = Prepared(insert(LetterRow).returning(LetterRow.id)).rows(connection, LETTER)
    with reading(engine) as connection:
        rows = SINCE.rows(connection, {"since": AT})
        assert [(row.key, row.accepted_at) for row in rows] == [(f"k{each}", AT) for each in range(3)]
        assert rows == [tuple(row) for row in connection.execute(SINCE.statement, {"since": AT})]
        all_of_it = select(*LetterRow.__table__.c).where(LetterRow.id == bindparam("which"))
        (letter,) = Prepared(all_of_it).rows(connection, {"which": added.id})
        assert tuple(letter) == tuple(connection.execute(all_of_it, {"which": added.id}).one())
        assert (letter.raw, letter.recipients, letter.received_at) == (b"\0\xff", ["pbem@localhost"], AT)


def test_each_set_of_values_that_is_written_has_a_form_of_its_own(engine: Engine) -> None:
    change = Prepared(update(LetterKeyRow).where(LetterKeyRow.key == bindparam("which")))
    with writing(engine) as connection:
        KEYS.run(connection, {"key": "one", "accepted_at": AT})
        assert change.run(connection, {"which": "one", "accepted_at": AT + timedelta(days=1)}) == 1
        assert change.run(connection, {"which": "one", "key": "two"}) == 1
        assert change.run(connection, {"which": "one", "key": "three"}) == 0
        assert SINCE.rows(connection, {"since": AT}) == [("two", AT + timedelta(days=1))]


def test_what_fails_fails_as_sqlalchemy_does_and_shows_no_values(engine: Engine) -> None:
    with pytest.raises(IntegrityError) as failed, writing(engine) as connection:
        KEYS.run(connection, *({"key": "a secret", "accepted_at": AT} for _ in range(2)))
    assert "a secret" not in str(failed.value).partition("[SQL")[2]
    with reading(engine) as connection:
        assert SINCE.rows(connection, {"since": AT}) == []
    nothing = Prepared(select(text("*")).select_from(table("nowhere")))
    with pytest.raises(SQLAlchemyError), reading(engine) as connection:
        nothing.rows(connection, {})


def test_a_transaction_is_begun_and_what_it_wrote_goes_with_it(engine: Engine) -> None:
    with engine.connect() as connection:
        KEYS.run(connection, {"key": "gone", "accepted_at": AT})
        assert connection.in_transaction()
    with reading(engine) as connection:
        assert SINCE.rows(connection, {"since": AT}) == []


def keys(engine: Engine) -> list[str]:
    """The keys that are stored."""
    with reading(engine) as connection:
        return [row.key for row in SINCE.rows(connection, {"since": AT})]


CHANGE = Prepared(update(LetterKeyRow).where(LetterKeyRow.key == bindparam("which")))


@pytest.mark.parametrize("looks", ["with SQLAlchemy", "prepared", "together", "at the end"])
def test_what_is_run_late_comes_before_whatever_follows(engine: Engine, looks: str) -> None:
    moved = {"which": "one", "key": "two"}
    with writing(engine) as connection:
        KEYS.run_late(connection, *({"key": each, "accepted_at": AT} for each in ("one", "three")))
        CHANGE.run_late(connection, moved, missed=Conflict())
        since: dict[str, object] = {"since": AT}
        match looks:
            case "with SQLAlchemy":
                assert [row.key for row in connection.execute(SINCE.statement, since)] == ["three", "two"]
            case "prepared":
                assert [row.key for row in SINCE.rows(connection, since)] == ["three", "two"]
                assert CHANGE.run(connection, {"which": "three", "key": "four"}) == 1
            case "together":
                assert list(map(len, rows_together(connection, (SINCE, since), (SINCE, since)))) == [2, 2]
    assert keys(engine) == (["four", "two"] if looks == "prepared" else ["three", "two"])


def change_nobody(connection: Connection, *, is_last: bool, further: str | None = None) -> None:
    """Add a key, change one that is not there, and perhaps add others."""
    KEYS.run_late(connection, {"key": "two", "accepted_at": AT})
    CHANGE.run_late(connection, {"which": "nobody's", "key": "four"}, missed=Conflict())
    if further is not None:
        KEYS.run_late(connection, {"key": further, "accepted_at": AT})
    if not is_last:
        KEYS.run(connection, {"key": "three", "accepted_at": AT})


@pytest.mark.parametrize("is_last", [False, True])
def test_nothing_stands_if_what_was_run_late_meets_no_row(engine: Engine, is_last: bool) -> None:
    with pytest.raises(Conflict), writing(engine) as connection:
        change_nobody(connection, is_last=is_last)
    assert keys(engine) == []


def test_what_met_no_row_is_told_before_what_failed_behind_it(engine: Engine) -> None:
    with writing(engine) as connection:
        KEYS.run(connection, {"key": "one", "accepted_at": AT})
    with pytest.raises(Conflict), writing(engine) as connection:
        change_nobody(connection, is_last=True, further="one")
    assert keys(engine) == ["one"]


def test_what_was_run_late_is_forgotten_with_its_transaction(engine: Engine) -> None:
    with suppress(ZeroDivisionError), writing(engine) as connection:
        KEYS.run_late(connection, {"key": "one", "accepted_at": AT})
        raise ZeroDivisionError
    with pytest.raises(IntegrityError), writing(engine) as connection:
        KEYS.run_late(connection, *({"key": "two", "accepted_at": AT} for _ in range(2)))
    with writing(engine) as connection:
        KEYS.run_late(connection, {"key": "three", "accepted_at": AT})
    assert keys(engine) == ["three"]


def test_who_listens_hears_of_it(engine: Engine) -> None:
    heard: list[str] = []

    def hear(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        heard.append(statement)

    event.listen(engine, "before_cursor_execute", hear)
    with reading(engine) as connection:
        assert SINCE.rows(connection, {"since": AT}) == []
        assert Prepared(delete(LetterKeyRow)).run(connection, {}) == 0
    event.remove(engine, "before_cursor_execute", hear)
    assert [each.split()[0] for each in heard if not each.startswith("BEGIN")] == ["SELECT", "DELETE"]


def test_lists_of_any_length_have_no_form(engine: Engine) -> None:
    some = Prepared(select(PlayerRow.id).where(PlayerRow.id.in_(bindparam("ids", expanding=True))))
    with reading(engine) as connection, pytest.raises(AssertionError, match="not of one shape"):
        some.rows(connection, {"ids": [1, 2]})


def test_several_queries_are_answered_in_their_order_and_fail_together(engine: Engine) -> None:
    with writing(engine) as connection:
        KEYS.run(connection, *({"key": f"k{each}", "accepted_at": AT} for each in range(2)))
    later = Prepared(select(LetterRow.id))
    with reading(engine) as connection:
        found = rows_together(
            connection, (SINCE, {"since": AT}), (later, {}), (SINCE, {"since": AT + timedelta(days=1)})
        )
        assert found == [[("k0", AT), ("k1", AT)], [], []]
    nothing = Prepared(select(text("*")).select_from(table("nowhere")))
    with pytest.raises(SQLAlchemyError), reading(engine) as connection:
        rows_together(connection, (SINCE, {"since": AT}), (nothing, {}))
    with reading(engine) as connection:
        assert len(SINCE.rows(connection, {"since": AT})) == 2
