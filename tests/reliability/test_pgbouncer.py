"""A server of many processes whose connections a PgBouncer shares out, transaction by transaction."""

from __future__ import annotations

import signal
from pathlib import Path
from random import Random

import psycopg

from pbem.storage.process_notifier import HOLDERS, Topic
from pbem.storage.schema import newest
from tests.cli.running import pbem
from tests.reliability.posts import PlayingPair
from tests.reliability.street import ROLES, Street, Trouble, play, street
from tests.support.databases import KEY, Database
from tests.support.pgbouncer import PgBouncer
from tests.support.server import running_server


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


def test_the_operators_tools_work_through_it(tmp_path: Path, pgbouncer: PgBouncer, empty_postgresql_url: str) -> None:
    given = {"database_url": pgbouncer.url, "database_listen_url": pgbouncer.database, "secret_key": KEY}
    assert pbem(tmp_path, "db", "upgrade", **given).stdout == f"schema: {newest()}\n"
    with running_server(tmp_path, **given) as server:
        server.player("alice")
        assert "alice" in pbem(tmp_path, "admin", "players", "show", "alice", **given).stdout
        done = pbem(tmp_path, "db", "copy", empty_postgresql_url, **given)
        assert "a server is running" in done.stderr, "its lock is seen, whoever looks"
    checked = pbem(tmp_path, "db", "check", **given)
    assert (checked.returncode, checked.stderr) == (0, "")
    backup = tmp_path / "backup.db"
    assert pbem(tmp_path, "db", "backup", str(backup), **given).returncode == 0
    assert Database(f"sqlite:///{backup}").rows("SELECT userid FROM players WHERE userid = 'alice'") == [("alice",)]
    done = pbem(tmp_path, "db", "copy", empty_postgresql_url, **given)
    assert (done.returncode, done.stderr) == (0, "")
    query = "SELECT count(*) FROM players"
    assert Database(empty_postgresql_url).rows(query) == Database(pgbouncer.database).rows(query)
