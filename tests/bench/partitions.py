"""Mails in partitions by month, against one table as the server has it: on PostgreSQL, in SQL alone.

Seven months of mails lie in both. Measured is what a mail costs while it is stored, marked as sent and looked
for by its Message-ID, and what it costs to forget a month of them. A unique key of a partitioned table must contain the
month.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial

from sqlalchemy import Engine, text

from pbem.storage.engine import make_engine
from tests.bench.figures import Extent, Figure
from tests.support.databases import model_on
from tests.support.postgresql import LASTING, running_server

_MONTHS = 7
_AT_ONCE = 500
"""Mails that the server forgets in a transaction."""
_TABLES = ("mails_plain", "mails_monthly")
_BEGAN = "timestamp '2026-01-01'"
_PARTITIONED = """
CREATE TABLE mails_plain (LIKE outbox INCLUDING ALL);
CREATE TABLE mails_monthly (LIKE outbox INCLUDING DEFAULTS) PARTITION BY RANGE (created_at);
ALTER TABLE mails_monthly ADD PRIMARY KEY (id, created_at), ADD UNIQUE (key, created_at);
CREATE INDEX ON mails_monthly (message_id);
CREATE INDEX ON mails_monthly (board_number, player_id);
CREATE INDEX ON mails_monthly (player_id);
CREATE INDEX ON mails_monthly (next_attempt_at, id, attempts, created_at) WHERE state = 'waiting';
CREATE INDEX ON mails_monthly (finished_at) WHERE state = 'failed';
"""
_COLUMNS = """
    id, key, message_id, name, subject, sender, recipient, player_id, board_number, packed, created_at, state, attempts,
    next_attempt_at, finished_at
"""
_FILLED = f"""
INSERT INTO {{table}} ({_COLUMNS})
SELECT n, 'letter:' || n, '<' || md5(n::text) || '@club.example>', 'board', 'superbo Board ' || n % 100000,
    'pbem@club.example', 'player' || n % 10000 || '@example.org', n % 10000, n % 100000,
    CASE WHEN n > :of_month * ({_MONTHS} - 1) THEN decode(repeat(md5(n::text), 50), 'hex') END,
    {_BEGAN} + n * (interval '30 days' / :of_month), 'sent', 1, {_BEGAN},
    {_BEGAN} + n * (interval '30 days' / :of_month)
FROM generate_series(1, :of_month * {_MONTHS}) n
"""
_STORED = f"""
INSERT INTO {{table}} ({_COLUMNS})
VALUES (:n, 'letter:' || :n, '<' || md5(:n ::text) || '@club.example>', 'board', 'superbo Board 1', 'pbem@club.example',
    'player1@example.org', 1, 1, NULL, {_BEGAN} + interval '205 days', 'waiting', 0, {_BEGAN}, NULL)
"""
_SENT = "UPDATE {table} SET state = 'sent', attempts = 1, finished_at = created_at WHERE id = :n"
_FOUND = "SELECT id FROM {table} WHERE message_id = '<' || md5(:n ::text) || '@club.example>'"
_OLD = f"state <> 'waiting' AND coalesce(finished_at, created_at) < {_BEGAN} + interval '30 days'"
_FORGOTTEN = f"DELETE FROM {{table}} WHERE id IN (SELECT id FROM {{table}} WHERE {_OLD} LIMIT {_AT_ONCE})"


def measure(extent: Extent) -> Iterator[Figure]:
    """A figure for each thing that is done with a mail: partitions against one table."""
    of_month, rounds, mails = extent.pick(20_000, 300_000, 200), extent.pick(3, 5, 1), extent.pick(500, 2_000, 20)
    with running_server(LASTING) as server, server.fresh_database(model_on(server)) as url:
        extent.check(server.folder)
        engine = make_engine(url)
        try:
            _fill(engine, of_month)
            first = of_month * _MONTHS + 1
            for name, statement in (("stored", _STORED), ("marked as sent", _SENT), ("found", _FOUND)):
                found = [
                    [_ms_of_each(engine, statement, table, first + turn * mails, mails) for table in _TABLES]
                    for turn in range(rounds)
                ]
                plain, monthly = (list(each) for each in zip(*found, strict=True))
                yield _figure(f"a mail {name}, partitions ÷ one table", monthly, plain, {})
            plain_s, deleted_ms = _forgotten(engine, of_month)
            dropped_s = _dropped(engine)
            facts = {"s for the month in one table": plain_s, "s for its partition": dropped_s}
            each = [dropped_s * 1000 / of_month]
            yield _figure("a mail forgotten with its month, partition ÷ one table", each, [deleted_ms], facts)
        finally:
            engine.dispose()


_figure = partial(lambda name, ours, floor, facts: Figure(name, "", "ms", ours, floor, 1.0, at_most=True, facts=facts))


def _fill(engine: Engine, of_month: int) -> None:
    with engine.begin() as connection:
        for statement in filter(str.strip, _PARTITIONED.split(";")):
            connection.execute(text(statement))
        for month in range(_MONTHS + 1):
            bounds = f"FROM ({_day(30 * month)}) TO ({_day(30 * (month + 1))})"
            connection.execute(text(f"CREATE TABLE mails_{month} PARTITION OF mails_monthly FOR VALUES {bounds}"))
        for table in _TABLES:
            connection.execute(text(_FILLED.format(table=table)), {"of_month": of_month})
    _vacuum(engine, _TABLES)


def _day(days: int) -> str:
    return f"{_BEGAN} + interval '{days} days'"


def _ms_of_each(engine: Engine, statement: str, table: str, first: int, count: int) -> float:
    asked = text(statement.format(table=table))
    began = time.perf_counter()
    with engine.begin() as connection:
        for number in range(first, first + count):
            connection.execute(asked, {"n": number})
    return (time.perf_counter() - began) * 1000 / count


def _forgotten(engine: Engine, of_month: int) -> tuple[float, float]:
    """Seconds to forget a month of the one table in batches and to vacuum it, and milliseconds for each mail."""
    asked, began = text(_FORGOTTEN.format(table=_TABLES[0])), time.perf_counter()
    gone = 1
    while gone:
        with engine.begin() as connection:
            gone = connection.execute(asked).rowcount
    _vacuum(engine, _TABLES[:1])
    seconds = time.perf_counter() - began
    return seconds, seconds * 1000 / of_month


def _dropped(engine: Engine) -> float:
    began = time.perf_counter()
    with engine.begin() as connection:
        connection.execute(text("ALTER TABLE mails_monthly DETACH PARTITION mails_0"))
        connection.execute(text("DROP TABLE mails_0"))
    return time.perf_counter() - began


def _vacuum(engine: Engine, tables: tuple[str, ...]) -> None:
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        for table in tables:
            connection.execute(text(f"VACUUM ANALYZE {table}"))
