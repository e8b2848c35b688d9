from __future__ import annotations

import subprocess
import sys

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Engine, inspect, text

from pbem.domain.preferences import Preferences
from pbem.ids import PlayerId
from pbem.storage import schema
from pbem.storage.engine import reading, writing
from pbem.storage.models import Base, PlayerRow
from tests.storage.stock import rows, stocked, work

OLD_PLAYER = """
INSERT INTO players (id, userid, userid_key, created_at, revision)
VALUES (7, 'Zoe', 'zoe', '2026-03-01 12:00:00', 1)
"""

UPGRADE = """
import sys
from pbem.storage import schema
from pbem.storage.engine import make_engine
engine = make_engine(sys.argv[1])
print("here", flush=True)
sys.stdin.readline()
schema.upgrade(engine)
engine.dispose()
"""


def tables(engine: Engine) -> set[str]:
    return set(inspect(engine).get_table_names())


def test_the_migrations_make_what_the_models_say(engine: Engine) -> None:
    with reading(engine) as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, Base.metadata) == []


def test_every_migration_can_be_taken_back_and_made_again(engine: Engine) -> None:
    all_tables = tables(engine)
    assert set(Base.metadata.tables) < all_tables
    schema.downgrade(engine, "base")
    assert tables(engine) == {"alembic_version"}
    schema.upgrade(engine)
    assert tables(engine) == all_tables
    stocked(engine)


def test_players_of_an_older_schema_keep_to_the_defaults(bare_engine: Engine) -> None:
    schema.upgrade(bare_engine, "0001")
    with writing(bare_engine) as connection:
        connection.execute(text(OLD_PLAYER))
    schema.upgrade(bare_engine)
    with work(bare_engine) as uow:
        assert uow.players.get(PlayerId(7)).preferences == Preferences()
    schema.downgrade(bare_engine, "0001")
    assert rows(bare_engine, text("players")) == 1


def test_upgrading_what_is_up_to_date_changes_nothing(engine: Engine) -> None:
    stocked(engine)
    schema.upgrade(engine)
    assert rows(engine, PlayerRow) == 3


def test_of_several_processes_that_upgrade_at_once_one_does_and_none_fails(
    bare_engine: Engine, database_url: str
) -> None:
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", UPGRADE, database_url],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for _ in range(3)
    ]
    try:
        for process in processes:
            assert process.stdout is not None
            assert process.stdout.readline() == "here\n"
        for process in processes:
            assert process.stdin is not None
            process.stdin.write("\n")
            process.stdin.flush()
        ends = [process.communicate(timeout=60)[0] for process in processes]
    finally:
        for process in processes:
            process.kill()
            process.wait()
    assert ([process.returncode for process in processes], ends) == ([0] * 3, [""] * 3)
    stocked(bare_engine)
