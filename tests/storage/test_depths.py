from __future__ import annotations

from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Engine, update

from pbem.domain.administration import Depths
from pbem.storage.engine import reading, writing
from pbem.storage.models import AddressRow, LetterRow, MailRow, ReportRow, TaskRow
from pbem.storage.overview import DEPTHS, LATELY, depths, letters_since
from tests.storage.stock import ALICE, AT, BOB, MINUTE, board, put, stocked

NOW = AT + timedelta(days=30)


def letter(state: str, at: datetime = AT) -> dict[str, Any]:
    common: dict[str, Any] = {
        "sender": "a@example.org",
        "recipients": [],
        "raw": None,
        "attempts": 0,
        "next_attempt_at": at,
    }
    return {**common, "received_at": at, "state": state}


def mail(
    key: str, state: str, at: datetime = AT, again: datetime = AT, ended: datetime | None = None, attempts: int = 0
) -> dict[str, Any]:
    common = {"message_id": key, "sender": "", "recipient": "a@example.org", "raw": b"", "attempts": attempts}
    return {**common, "key": key, "created_at": at, "state": state, "next_attempt_at": again, "finished_at": ended}


def task(state: str, player: int, kind: str = "act", asker: int | None = None) -> dict[str, Any]:
    when = {"asked_at": AT, "due_at": AT, "next_attempt_at": AT}
    common: dict[str, Any] = {"board_number": 101, "event": 0, "budget": 1, "attempts": 0, **when}
    return {**common, "player_id": player, "kind": kind, "asker_id": asker, "state": state}


def look(engine: Engine) -> Depths:
    with reading(engine) as connection:
        return depths(connection, NOW)


def test_a_new_server_has_nothing_anywhere(engine: Engine) -> None:
    assert look(engine) == Depths()


def test_what_waits_for_whom_is_counted_and_since_when(engine: Engine) -> None:
    stocked(engine, board(101, ALICE, BOB))
    later = AT + MINUTE
    put(engine, LetterRow, letter("done"), letter("waiting"), letter("waiting", later), letter("shunted", later))
    put(
        engine,
        MailRow,
        mail("a", "sent"),
        mail("b", "waiting", later),
        mail("c", "waiting", later + MINUTE, again=NOW + MINUTE, attempts=1),
        mail("postponed", "waiting", AT, again=NOW + MINUTE),
        mail("was postponed", "waiting", AT, again=NOW),
        mail("d", "failed", ended=NOW - LATELY),
        mail("e", "failed", ended=NOW - MINUTE),
    )
    put(engine, TaskRow, task("waiting", 1), task("shunted", 2), task("waiting", 1, "analyse", 1))
    about: dict[str, Any] = {"player_id": 1, "about_id": 2, "text": "Spam", "at": AT}
    put(engine, ReportRow, {**about, "closed_at": NOW}, {**about, "at": later, "closed_at": None})
    with writing(engine) as connection:
        suppress = update(AddressRow).values(suppressed_at=AT, suppressed_why="gone")
        connection.execute(suppress.where(AddressRow.player_id == 1))
        connection.execute(suppress.values(suppressed_at=NOW).where(AddressRow.player_id == 3))
    assert asdict(look(engine)) == {
        "letters_waiting": 2,
        "letters_since": AT,
        "letters_shunted": 1,
        "shunted_since": later,
        "mails_waiting": 4,
        "mails_since": later,
        "mails_resting": 1,
        "mails_postponed": 1,
        "mails_failed": 1,
        "failed_since": NOW - MINUTE,
        "addresses_suppressed": 2,
        "suppressed_lately": 1,
        "reports_open": 1,
        "reports_since": later,
        "robots_waiting": 1,
        "robots_since": AT,
        "analyses_waiting": 1,
        "robots_stuck": 1,
    }


def test_counting_reads_no_table_from_end_to_end(engine: Engine) -> None:
    """It is asked every few seconds, and most rows are done with."""
    if engine.dialect.name != "sqlite":
        return  # PostgreSQL takes whatever is quickest for as few rows as there are here
    with reading(engine) as connection:
        compiled = DEPTHS.compile(connection, compile_kwargs={"render_postcompile": True})
        values = ("2026-03-01 12:00:00",) * len(compiled.positiontup or ())
        steps = [row.detail for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {compiled}", values)]
    looked = [step for step in steps if step.startswith(("SCAN", "SEARCH")) and step != "SCAN CONSTANT ROW"]
    assert len(looked) > 12
    assert [step for step in looked if "INDEX ix_" not in step and "INTEGER PRIMARY KEY (rowid=?)" not in step] == []


def test_how_many_letters_came_lately(engine: Engine) -> None:
    put(engine, LetterRow, letter("done"), letter("done", NOW))
    put(engine, LetterRow, letter("waiting", NOW), letter("done", NOW - 2 * MINUTE))
    with reading(engine) as connection:
        assert letters_since(connection, NOW - MINUTE) == 2
        assert letters_since(connection, NOW - 3 * MINUTE) == 3
