"""The server put together: the database, and the loops of each process."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import make_url

from pbem.bootstrap.loops import ROLES
from pbem.bootstrap.mailbox import make_mailbox_worker
from pbem.bootstrap.server import Server
from pbem.config import BadSetting, Settings
from pbem.storage import schema
from pbem.storage.copying import NoCopy, held_still
from pbem.storage.engine import writing
from pbem.storage.inbox import Inbox
from tests.storage.boxes import letter
from tests.support.databases import engine_at
from tests.support.pgbouncer import PgBouncer

AT = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
KEY = "a key that somebody else has made"


def settings(folder: Path, **more: str) -> Settings:
    own = {"PBEM_DATABASE_URL": f"sqlite:///{folder / 'pbem.db'}", "PBEM_RELAY_URL": f"maildir:{folder / 'mail'}"}
    return Settings.read(own | {f"PBEM_{name.upper()}": value for name, value in more.items()})


def test_an_unusable_database_url_is_refused_by_name() -> None:
    told = Settings.read({"PBEM_DATABASE_URL": "sqlite:////nowhere/x/pbem", "PBEM_SECRET_KEY": KEY})
    with pytest.raises(BadSetting, match="PBEM_DATABASE_URL"):
        Server(told)


def test_a_server_is_known_to_live_before_it_looks_at_the_tables(tmp_path: Path, postgresql_url: str) -> None:
    impatient = make_url(postgresql_url).update_query_dict({"options": "-c lock_timeout=100ms"})
    url = impatient.render_as_string(hide_password=False)
    server = Server(settings(tmp_path, database_url=url, secret_key=KEY))
    with closing(server), engine_at(postgresql_url) as engine:
        with writing(engine) as connection:
            schema.lock(connection)  # as somebody has it who copies the database
            with pytest.raises(BadSetting):
                server.prepare()
        with pytest.raises(NoCopy, match="a server is running"), held_still(engine):
            pass


def test_a_pooler_that_no_way_leads_around_is_refused_by_the_setting_that_helps(
    tmp_path: Path, pgbouncer: PgBouncer
) -> None:
    through = {"database_url": pgbouncer.url, "secret_key": KEY}
    refused = pytest.raises(BadSetting, match=r"^PBEM_DATABASE_LISTEN_URL: must lead around the pooler")
    with closing(Server(settings(tmp_path, **through))) as server, refused:
        server.prepare()
    with closing(Server(settings(tmp_path, **through, database_listen_url=pgbouncer.database))) as server:
        server.prepare()


def test_another_way_to_the_database_that_leads_nowhere_is_refused_by_name(tmp_path: Path, postgresql_url: str) -> None:
    nowhere = make_url(postgresql_url).set(database="nowhere").render_as_string(hide_password=False)
    own = settings(tmp_path, database_url=postgresql_url, secret_key=KEY, database_listen_url=nowhere)
    refused = pytest.raises(BadSetting, match=r"^PBEM_DATABASE_LISTEN_URL: the database cannot be used: .*nowhere")
    with closing(Server(own)) as server, refused:
        server.prepare()


def test_what_a_dead_process_had_is_taken_before_what_came_later(tmp_path: Path, postgresql_url: str) -> None:
    server = Server(settings(tmp_path, database_url=postgresql_url, secret_key=KEY))
    with closing(server), engine_at(postgresql_url) as engine:
        schema.upgrade(engine)
        dead = Inbox(engine, "dead", timedelta(hours=1))
        dead.accept([letter("first", at=datetime.now(UTC)), letter("second", at=datetime.now(UTC))])
        (first,) = dead.lease(datetime.now(UTC))
        server.prepare()
        assert [each.id for each in server.inbox.lease(datetime.now(UTC))] == [first.id]


def test_a_mailbox_needs_a_password(tmp_path: Path) -> None:
    url = "imaps://club@imap.example.org/INBOX"
    server = Server(settings(tmp_path, mailbox_url=url, mailbox_password="secret"))
    with closing(server):
        assert "mailbox" in [loop.name for loop in server.loops.of(["mailbox"])]
        without = Settings.read({"PBEM_MAILBOX_URL": url})
        assert without.mailbox_url is not None
        with pytest.raises(BadSetting, match="PBEM_MAILBOX_PASSWORD: must be set when PBEM_MAILBOX_URL has no"):
            make_mailbox_worker(without, without.mailbox_url, server.accept, server.parts, server.executor)


def test_each_role_has_its_loops_and_all_roles_have_all(tmp_path: Path) -> None:
    server = Server(settings(tmp_path, worker_threads="2", delivery_threads="3"))
    try:
        everything = [loop.name for loop in server.loops]
        watching = [loop.name for loop in server.loops.of(())]
        roles = {role: [loop.name for loop in server.loops.of([role])] for role in ROLES}
    finally:
        server.close()
    assert len(everything) == len(set(everything))
    assert set(everything) == {name for names in roles.values() for name in names}
    assert [name for name in roles["bots"] if name not in watching] == ["thinkers"]
    assert roles["smtp"] == roles["web"] == watching
    assert roles["worker"] == ["worker", "worker 2", *watching]
    assert roles["delivery"] == ["delivery", "delivery 2", "delivery 3", "relay watch", *watching]
    assert everything.index("worker") < everything.index("thinkers") < everything.index("delivery")
