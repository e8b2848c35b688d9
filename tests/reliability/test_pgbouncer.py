"""A server of many processes whose connections a PgBouncer shares out, transaction by transaction."""

from __future__ import annotations

import signal
from pathlib import Path
from random import Random

import psycopg

from pbem.storage.process_notifier import HOLDERS, Topic
from tests.reliability.posts import PlayingPair
from tests.reliability.street import ROLES, Street, Trouble, play, street
from tests.support.databases import Database
from tests.support.pgbouncer import PgBouncer


def listeners(database: Database) -> set[int]:
    """The sessions by whose locks processes are known to live."""
    here = "SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND classid = :holders AND mode = 'ShareLock'"
    return {pid for (pid,) in database.rows(here, holders=HOLDERS)}


def restarting(pgbouncer: PgBouncer, number: signal.Signals) -> Trouble:
    def trouble(_street: Street, _random: Random) -> None:
        pgbouncer.restart(number)

    return trouble


def test_whole_games_are_played_through_it_while_it_is_restarted_and_killed(
    tmp_path: Path, postgresql_url: str, pgbouncer: PgBouncer
) -> None:
    database = Database(postgresql_url)
    settings = {"database_url": pgbouncer.url, "database_listen_url": postgresql_url, "lease_seconds": "5"}
    troubles = [restarting(pgbouncer, number) for number in (signal.SIGTERM, signal.SIGKILL, signal.SIGTERM)]
    with (
        psycopg.connect(postgresql_url.replace("+psycopg", ""), autocommit=True) as by_our_own,
        street(tmp_path, **settings) as processes,
    ):
        by_our_own.execute("LISTEN pbem")
        before = listeners(database)
        assert len(before) == 2 * len(ROLES)
        play(processes, 1, 4, PlayingPair.whole_game, troubles)
        assert listeners(database) == before, "they are connected to the database itself, and stay so"
        heard = {(note.pid, note.payload) for note in by_our_own.notifies(timeout=0)}
        assert {topic for _, topic in heard} == {Topic.LETTERS, Topic.BOARDS}
        assert {pid for pid, _ in heard} <= before
        assert Database(pgbouncer.url).rows("SELECT name FROM pg_prepared_statements") == []
