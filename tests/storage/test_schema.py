from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Engine, String, Text, column, inspect, select, table, text, update
from sqlalchemy.exc import IntegrityError

from pbem.domain.credentials import ConfirmationKind, Post, Session, Token
from pbem.domain.events import BY_OPERATOR, EventKind
from pbem.domain.players import Standing
from pbem.domain.preferences import Preferences
from pbem.ids import BoardNumber, PlayerId
from pbem.storage import models, schema
from pbem.storage.engine import reading, writing
from pbem.storage.models import Base, EventRow, PlayerRow, TokenPostRow
from pbem.storage.operators import OperatorKeys, add_link
from tests.storage.stock import (
    ALICE,
    AT,
    BOB,
    CAROL,
    MINUTE,
    OLD_PLAYER,
    OPENING,
    board,
    played,
    question,
    rows,
    stocked,
    work,
)
from tests.support.databases import engine_at

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


@pytest.mark.filterwarnings("ignore:autogenerate skipping metadata-specified expression-based index")
@pytest.mark.filterwarnings("ignore:Skipped unsupported reflection of expression-based index:sqlalchemy.exc.SAWarning")
def test_the_migrations_make_what_the_models_say(engine: Engine) -> None:
    with reading(engine) as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, Base.metadata) == []


def test_words_have_a_length_or_are_texts() -> None:
    """Alembic compares no lengths where the models have none."""
    columns = [each for table in Base.metadata.tables.values() for each in table.c]
    kinds = {str(each): each.type for each in columns if isinstance(each.type, String) and each.type.length is None}
    assert [name for name, kind in kinds.items() if not isinstance(kind, Text)] == []


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


OLD_MAIL = """
INSERT INTO outbox (key, message_id, sender, recipient, player_id, board_number, raw, created_at, state, attempts,
                    next_attempt_at)
VALUES (:key, :key, '', 'zoe@example.org', 7, 101, :raw, '2026-03-01 12:00:00', 'sent', 1, '2026-03-01 12:00:00')
"""


def test_the_subjects_of_older_mails_are_noted(bare_engine: Engine) -> None:
    schema.upgrade(bare_engine, "0003")
    heads = {
        "one": b"From: x\r\nSubject: superbo Board 101\r\n zoe\r\n\r\nSubject: no\r\n",
        "two": b"subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\n\nwords",
        "three": b"no mail",
        "four": b"\r\n\xff\x00",
    }
    with writing(bare_engine) as connection:
        for key, raw in heads.items():
            connection.execute(text(OLD_MAIL), {"key": key, "raw": raw})
    schema.upgrade(bare_engine)
    with reading(bare_engine) as connection:
        found = connection.execute(text("SELECT subject FROM outbox ORDER BY id")).scalars().all()
    assert found == ["superbo Board 101 zoe", "Grüße", None, None]


def events(engine: Engine, number: int) -> list[tuple[int, str, Any]]:
    query = select(EventRow.number, EventRow.kind, EventRow.record).where(EventRow.board_number == number)
    with reading(engine) as connection:
        return [(row.number, row.kind, row.record) for row in connection.execute(query.order_by(EventRow.number))]


def test_the_version_before_can_read_what_the_operator_has_done_to_boards(engine: Engine) -> None:
    begun = board(101, ALICE, BOB)
    annulled = played(begun, *OPENING[:2]).with_event(EventKind.ANNULMENT, 0, AT)
    lost = replace(begun, number=BoardNumber(102)).with_event(EventKind.FORFEIT, 0, AT, BY_OPERATOR)
    taken_off = replace(begun, number=BoardNumber(103)).with_decline(ALICE.id, AT, restarts=False, by=BY_OPERATOR)
    three = replace(board(104, ALICE, BOB, CAROL), game="mamba", options={"inorder": True})
    stocked(engine, annulled, lost, taken_off, three.with_decline(BOB.id, AT, restarts=True, by=BY_OPERATOR))
    with work(engine) as uow:
        uow.players.save(replace(uow.players.get(ALICE.id), standing=Standing.BANNED))
        uow.confirmations.save(replace(question(1, ALICE), kind=ConfirmationKind.RESET))
        uow.confirmations.save(question(2, ALICE))
        uow.commit()
    schema.downgrade(engine, "0003")
    assert [(number, kind) for number, kind, _ in events(engine, 101)] == [(1, "move"), (2, "move"), (3, "decline")]
    assert events(engine, 101)[-1][2] is None
    assert events(engine, 103) == [(1, "decline", None)]
    assert events(engine, 104) == [(1, "decline", {"players": ["Alice", "carol"]})]
    with reading(engine) as connection:
        endings = connection.execute(text("SELECT ending FROM boards ORDER BY number")).scalars().all()
        kinds = connection.execute(text("SELECT kind FROM confirmations")).scalars().all()
    assert (endings[0], kinds) == ("declined", ["command"])
    schema.upgrade(engine)
    with work(engine) as uow:
        found = uow.boards.find(BoardNumber(101))
        assert found is not None
        assert uow.players.get(ALICE.id).standing is Standing.ACTIVE


def test_boards_that_ended_are_put_on_the_lists_of_who_sat_behind_a_player_with_two_seats(engine: Engine) -> None:
    begun = replace(board(101, ALICE, ALICE, BOB), game="mamba", options={"inorder": True})
    stocked(engine, begun.with_event(EventKind.RESIGNATION, 0, AT).with_event(EventKind.RESIGNATION, 2, AT))
    seats = text("SELECT seat FROM seats WHERE finished_at IS NOT NULL ORDER BY seat")
    schema.downgrade(engine, "0013")
    with writing(engine) as connection:
        connection.execute(text("UPDATE seats SET finished_at = NULL WHERE seat = 2"))
    schema.upgrade(engine)
    with reading(engine) as connection:
        assert connection.execute(seats).scalars().all() == [0, 2]


def test_a_seat_that_was_handed_over_leaves_no_way_back(engine: Engine) -> None:
    given = {"from": "Alice", "to": "carol"}
    stocked(engine, board(101, ALICE, BOB).with_event(EventKind.HANDOVER, 0, AT, given))
    with pytest.raises(CommandError, match="handed over at boards 101"):
        schema.downgrade(engine, "0003")
    there, newest = schema.revisions(engine)
    assert there == newest
    assert rows(engine, PlayerRow) == 3


def test_a_schema_of_a_newer_version_is_left_alone(engine: Engine) -> None:
    with writing(engine) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(schema.NewerSchema, match="is 9999, of a newer pbem than this one, which knows none beyond 0"):
        schema.upgrade(engine)
    assert schema.revisions(engine)[0] == "9999"


def test_what_is_kept_of_secrets_outlasts_its_renaming(engine: Engine) -> None:
    stocked(engine)
    session, token = Session("session", ALICE.id, AT, AT + MINUTE), Token("token", ALICE.id, "robot", AT)
    post = Post("token", "key", "said", AT, 200, '{"answers":[]}')
    with work(engine) as uow:
        uow.sessions.begin(session)
        uow.tokens.save(token)
        uow.commit()
    with work(engine) as uow:
        uow.tokens.keep(post)
        uow.commit()
    with writing(engine) as connection:
        add_link(connection, "link", "root", AT)
    schema.downgrade(engine, "0012")
    with reading(engine) as connection:
        kept = [connection.scalar(select(column("digest")).select_from(table(each))) for each in ("sessions", "tokens")]
    assert kept == ["session", "token"]
    schema.upgrade(engine)
    with work(engine) as uow:
        assert uow.sessions.find("session", AT) == session
        assert uow.tokens.find("token") == token
        assert uow.tokens.post("token", "key", AT) == post
    assert OperatorKeys(engine).is_link("link", AT)
    with pytest.raises(IntegrityError), writing(engine) as connection:
        connection.execute(update(TokenPostRow).values(token="none"))


def test_the_newest_revision_is_the_one_that_alembic_leads_to(engine: Engine) -> None:
    with reading(engine) as connection:
        scripts = ScriptDirectory.from_config(schema.alembic_config(connection))
    assert scripts.get_current_head() == schema.newest()


def test_upgrading_what_is_up_to_date_changes_nothing(engine: Engine) -> None:
    stocked(engine)
    schema.upgrade(engine)
    assert rows(engine, PlayerRow) == 3


def test_of_several_processes_that_upgrade_at_once_one_does_and_none_fails(
    bare_engine: Engine, empty_database_url: str
) -> None:
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", UPGRADE, empty_database_url],
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


def test_migrations_that_wait_for_a_letter_which_waits_for_them_are_run_again(empty_postgresql_url: str) -> None:
    with engine_at(empty_postgresql_url) as engine, engine.connect() as letter:
        schema.upgrade(engine, "0036")
        letter.execute(text("SET deadlock_timeout = '1min'"))  # the migrations are to notice first
        letter.execute(text("LOCK TABLE boards IN ROW EXCLUSIVE MODE"))
        with ThreadPoolExecutor() as pool:
            upgraded = pool.submit(schema.upgrade, engine)
            with engine.connect() as looking:
                waiting = text("SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'boards'::regclass")
                while not looking.scalar(waiting):
                    assert not upgraded.done(), "they have not waited"
                    looking.rollback()
            letter.execute(text("LOCK TABLE players IN ROW EXCLUSIVE MODE"))
            letter.commit()
            upgraded.result(60)
        assert {"notes", "studies"} <= tables(engine)


def test_base_brings_all_tables_with_it() -> None:
    lines = "from pbem.storage.models import Base; print(len(Base.metadata.tables))"
    said = subprocess.run([sys.executable, "-c", lines], capture_output=True, text=True, check=True)
    assert (
        int(said.stdout) == len(Base.metadata.tables) == len([name for name in models.__all__ if name.endswith("Row")])
    )
