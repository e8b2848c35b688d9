"""``pbem db copy``: a server moves to PostgreSQL, and back, in the middle of a game."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, nullcontext
from pathlib import Path

import pytest
from sqlalchemy import select, text

from pbem.bootstrap.database import lock_file
from pbem.storage import schema
from pbem.storage.engine import writing
from pbem.storage.models import Base
from pbem.storage.process_notifier import ProcessNotifier
from tests.cli.running import pbem
from tests.conversations.playing import begin
from tests.storage.stock import OLD_PLAYER
from tests.support.databases import Database, engine_at, put_sqlite
from tests.support.server import running_server


def content(url: str) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table."""
    database = Database(url)
    return {
        table.name: database.rows(select(table).order_by(*table.primary_key.columns))
        for table in Base.metadata.sorted_tables
    }


def test_a_server_moves_to_postgresql_and_back_and_its_games_go_on(tmp_path: Path, postgresql_url: str) -> None:
    file = tmp_path / "pbem.db"
    with running_server(tmp_path, database_url=put_sqlite(file)) as server:
        table = begin(server, "ann", "bob")
        table.play("b3")
        table.one.says(f"queue {table.number} ann secret g2,h7")
        table.one.hears()
        busy = pbem(tmp_path, "db", "copy", postgresql_url, database_url=f"sqlite:///{file}")
        assert (busy.returncode, "a server is running on" in busy.stderr.replace("another", "a")) == (1, True)
    done = pbem(tmp_path, "db", "copy", postgresql_url, database_url=f"sqlite:///{file}")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"Set PBEM_SECRET_KEY to the contents of {file}.key" in done.stdout
    assert content(f"sqlite:///{file}") == content(postgresql_url)

    there = {"database_url": postgresql_url, "secret_key": file.with_name("pbem.db.key").read_text().strip()}
    back = f"sqlite:///{tmp_path / 'back.db'}"
    with running_server(tmp_path, **there) as server:
        ann, bob = server.person("ann"), server.person("bob")
        bob.answers(table.other_mail, "c4,k5")
        for each in (ann, bob):
            assert each.hears().subject == f"superbo Board {table.number} bob"  # the queued move is made, too
        busy = pbem(tmp_path, "db", "copy", back, **there)
        assert (busy.returncode, "a server is running on" in busy.stderr) == (1, True)
    done = pbem(tmp_path, "db", "copy", back, **there)
    assert done.stdout.splitlines()[1:] == [
        "Set PBEM_DATABASE_URL to the new database before the server starts.",
        "Keep PBEM_SECRET_KEY as it is. If you copied a backup that lacks newer data, set a new one.",
    ]
    assert content(postgresql_url) == content(back)
    assert (tmp_path / "back.db").stat().st_mode & 0o777 == 0o600

    with running_server(tmp_path, database_url=back, secret_key=there["secret_key"]) as server:
        server.person("bob").says(f"move {table.number} bob secret d8,r10")
        assert server.person("ann").hears().subject == f"superbo Board {table.number} ann"


def test_what_cannot_be_copied_is_told_in_a_sentence(tmp_path: Path) -> None:
    assert pbem(tmp_path, "import", database_url="sqlite:///a.db").returncode == 0
    for url, said in {
        "sqlite:///a.db": "another server is running on ",
        "postgresql://pbem@localhost/pbem": "URL: must begin with sqlite:/// or postgresql+psycopg://",
        "sqlite:///none/b.db": "URL: none/b.db cannot be made: ",
        "postgresql+psycopg://pbem@127.0.0.1:1/pbem": "URL: the database cannot be used: ",
    }.items():
        done = pbem(tmp_path, "db", "copy", url, database_url="sqlite:///a.db")
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
        assert said in done.stderr


OLDER = "0012"


@contextmanager
def used(url: str, folder: Path) -> Iterator[None]:
    """A server runs on a database, whatever its tables."""
    with engine_at(url) as engine, ExitStack() as stack:
        if engine.dialect.name == "sqlite":
            stack.enter_context(closing(lock_file(folder / "empty.db")))
        else:
            notifier = ProcessNotifier(engine, "somebody", lambda _: None)
            notifier.open()
            stack.callback(notifier.close)
        yield


@pytest.mark.parametrize("is_used", [False, True], ids=["with rows", "in use"])
def test_a_database_that_cannot_be_copied_into_is_not_even_upgraded(
    tmp_path: Path, empty_database_url: str, *, is_used: bool
) -> None:
    assert pbem(tmp_path, "import", database_url="sqlite:///a.db").returncode == 0
    with engine_at(empty_database_url) as engine:
        schema.upgrade(engine, OLDER)
        if not is_used:
            with writing(engine) as connection:
                connection.execute(text(OLD_PLAYER))
    with used(empty_database_url, tmp_path) if is_used else nullcontext():
        done = pbem(tmp_path, "db", "copy", empty_database_url, database_url="sqlite:///a.db")
    said = "server is running on " if is_used else "the new database is not empty: there are rows in players"
    assert (done.returncode, done.stdout, said in done.stderr) == (1, "", True)
    with engine_at(empty_database_url) as engine:
        assert schema.revisions(engine)[0] == OLDER
