"""Fixtures for all tests. Databases are fresh at the start of each test and gone after it."""

import logging
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog
from hypothesis import HealthCheck, settings

from tests.support import databases
from tests.support.databases import POSTGRESQL, SQLITE, kind, model_on, put_sqlite
from tests.support.pgbouncer import PgBouncer, running_pgbouncer
from tests.support.postgresql import SERVER_OPTIONS, Cluster, Server, Unavailable, running_cluster, running_replica
from tests.support.quickness import TESTS, keep_bytecode, load_part, share_statements, work_in_memory
from tests.support.tools import lacking

settings.register_profile(
    "pbem",
    derandomize=True,  # a run that fails fails again
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],  # says something of the machine, not of the code
)
settings.load_profile("pbem")


_NAMED = {
    "database_url",
    "sqlite_url",
    "postgresql_url",
    "empty_database_url",
    "empty_sqlite_url",
    "empty_postgresql_url",
}


_SYSTEM = (
    "cli/test_completion.py",
    "cli/test_db.py",
    "cli/test_db_copy.py",
    "cli/test_deliver.py",
    "cli/test_demo.py",
    "cli/test_output.py",
    "cli/test_records.py",
    "cli/test_send.py",
    "cli/test_serve.py",
    "mail_in/test_reading.py",
    "matches/",
    "reliability/",
    "soak/",
    "support/test_postfix.py",
    "test_adding_a_game.py",
    "test_deploy.py",
    "test_metrics.py",
    "test_packaging.py",
    "test_readme.py",
    "test_ten_minutes.py",
    "web/api/test_page_for_programs.py",
    "web/boards/test_live.py",
    "web/browser/",
    "web/test_over_http.py",
    "web/test_text_browsers.py",
    "workers/test_thinkers.py",
)
"""Folders and files whose tests need a browser, other programs, or processes that are killed."""

_PROCESSES = {"clusters", "postgresql_server", "postgresql_url", "empty_postgresql_url", "running"}
"""Fixtures that are servers in processes of their own."""


def pytest_configure(config: pytest.Config) -> None:
    """Forget the settings of whoever runs the tests: their database is not ours to play with."""
    keep_bytecode()
    work_in_memory()
    share_statements()
    for name in list(os.environ):
        if name.startswith(("PBEM_", "PG")) and not name.startswith("PBEM_TEST_"):
            del os.environ[name]
    pytest.register_assert_rewrite("tests.reliability.ledger", "tests.reliability.mailers", "tests.reliability.street")
    worker: dict[str, Any] = getattr(config, "workerinput", {})  # of xdist
    if worker and [Path(each).resolve() for each in config.args] == [TESTS]:
        load_part(int(worker["workerid"].removeprefix("gw")), worker["workercount"])


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run what is marked ``postgresql`` there, too."""
    if metafunc.definition.get_closest_marker(POSTGRESQL) and kind() != POSTGRESQL:
        metafunc.parametrize("_database", [SQLITE, POSTGRESQL], indirect=True)


@pytest.hookimpl(tryfirst=True)  # before marks are looked at
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what needs more than Python and SQLite as tests of the whole system.

    In a run on PostgreSQL, leave out what is SQLite's own, and what names its databases: that ran before.
    """
    for item in items:
        if _is_of_system(item):
            item.add_marker(pytest.mark.system)
    if kind() != POSTGRESQL:
        return
    config.hook.pytest_deselected(items=[item for item in items if _is_left_out(item)])
    items[:] = [item for item in items if not _is_left_out(item)]


def _is_of_system(item: pytest.Item) -> bool:
    path = item.path.relative_to(TESTS).as_posix()
    if path.startswith(_SYSTEM) or not _PROCESSES.isdisjoint(getattr(item, "fixturenames", ())):
        return True
    callspec = getattr(item, "callspec", None)
    return callspec is not None and POSTGRESQL in callspec.params.values()


def _is_left_out(item: pytest.Item) -> bool:
    return item.get_closest_marker(SQLITE) is not None or not _NAMED.isdisjoint(getattr(item, "fixturenames", ()))


@pytest.fixture(autouse=True)
def _database(request: pytest.FixtureRequest) -> Iterator[None]:
    """The kind of database that a test's own servers run on; those made in its folder go with it."""
    folder: Path | None = request.getfixturevalue("tmp_path") if "tmp_path" in request.fixturenames else None
    with databases.using(getattr(request, "param", kind())):
        yield
    if folder is not None:
        databases.forget(folder)


@pytest.fixture(autouse=True)
def _logs() -> Iterator[None]:
    """Leave logs as they were: a command sets them up for its process, even where that is the one of the tests."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    levels = {name: logging.getLogger(name).level for name in ("mail.log", "alembic", "imapclient", "uvicorn")}
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    for name, before in levels.items():
        logging.getLogger(name).setLevel(before)
    structlog.reset_defaults()


@pytest.fixture(scope="session")
def postgresql_server() -> Server:
    """One server a test process, started by the first test that asks for it."""
    return databases.postgresql()


@pytest.fixture
def postgresql_url(postgresql_server: Server) -> Iterator[str]:
    with postgresql_server.fresh_database(model_on(postgresql_server)) as url:
        yield url


@pytest.fixture(scope="session")
def clusters() -> Iterator[tuple[Cluster, Cluster]]:
    """A server, started by the first test that asks for it, and another one that follows it by streaming."""
    try:
        with running_cluster(SERVER_OPTIONS) as primary, running_replica(primary) as replica:
            yield primary, replica
    except Unavailable as missing:
        lacking("PostgreSQL", str(missing))


@pytest.fixture
def pgbouncer(postgresql_url: str) -> Iterator[PgBouncer]:
    """A PgBouncer with few connections, in front of a database with its tables."""
    with running_pgbouncer(postgresql_url, connections=4) as pgbouncer:
        yield pgbouncer


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return put_sqlite(tmp_path / "pbem.db")


@pytest.fixture
def chosen_url(request: pytest.FixtureRequest) -> str:
    """A database with its tables, of the kind that this run of the tests is on."""
    url: str = request.getfixturevalue(f"{kind()}_url")
    return url


@pytest.fixture(params=[SQLITE, POSTGRESQL])
def database_url(request: pytest.FixtureRequest) -> str:
    """A database with its tables: run the test twice, once on each engine."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


@pytest.fixture
def empty_postgresql_url(postgresql_server: Server) -> Iterator[str]:
    with postgresql_server.fresh_database() as url:
        yield url


@pytest.fixture
def empty_sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'empty.db'}"


@pytest.fixture(params=[SQLITE, POSTGRESQL])
def empty_database_url(request: pytest.FixtureRequest) -> str:
    """A database without anything: run the test twice, once on each engine."""
    url: str = request.getfixturevalue(f"empty_{request.param}_url")
    return url
