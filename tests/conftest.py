"""Fixtures for all tests. Databases are empty at the start of each test and gone after it."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.support.postgresql import Server, Unavailable, running_server
from tests.support.tools import lacking

settings.register_profile(
    "pbem",
    derandomize=True,  # a run that fails fails again
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],  # says something of the machine, not of the code
)
settings.load_profile("pbem")


def pytest_configure() -> None:
    """Forget the settings of whoever runs the tests: their database is not ours to play with."""
    for name in list(os.environ):
        if name.startswith(("PBEM_", "PG")) and not name.startswith("PBEM_TEST_"):
            del os.environ[name]
    pytest.register_assert_rewrite("tests.reliability.load")


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[Server]:
    """One server a test process, started by the first test that asks for it."""
    try:
        with running_server() as server:
            yield server
    except Unavailable as reason:
        lacking("postgresql", str(reason))


@pytest.fixture
def postgresql_url(postgresql_server: Server) -> Iterator[str]:
    with postgresql_server.fresh_database() as url:
        yield url


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'pbem.db'}"


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> str:
    """Run the test twice, once on each engine."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url
