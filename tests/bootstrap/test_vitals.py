"""The health of a process, measured on its real parts."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest
from sqlalchemy import text

from pbem.bootstrap.server import Server
from pbem.bootstrap.status import HealthCheck
from pbem.config import Settings
from pbem.storage.engine import make_engine, writing
from pbem.workers.runner import Loop

PATIENCE = 20


@pytest.fixture
def server(sqlite_url: str, tmp_path: Path) -> Iterator[Server]:
    own = {"PBEM_DATABASE_URL": sqlite_url, "PBEM_RELAY_URL": f"maildir:{tmp_path}/mail"}
    server = Server(Settings.read(own | {"PBEM_SMTP_LISTEN": "127.0.0.1:0"}))
    yield server
    server.close()


def test_work_is_taken_from_the_beginning_to_the_end_while_the_doors_are_open(server: Server) -> None:
    told = [server.health_check.closed()]

    async def open_and_shut() -> None:
        door = server.doors()["smtp"]
        await door.open()
        server.health_check.begin({"smtp": door}, [])
        told.append(server.health_check.closed())
        await door.close(0)
        told.append(server.health_check.closed())
        server.health_check.end()
        told.append(server.health_check.closed())

    asyncio.run(open_and_shut())
    assert told == [["it is starting"], [], ["the smtp door is shut"], ["it is ending"]]


def test_a_loop_that_does_not_go_on_is_named(server: Server) -> None:
    begun, release = Event(), Event()

    def step() -> bool:
        begun.set()
        return not release.wait(PATIENCE)

    loop, other = Loop("slow", step, longest_seconds=0), Loop("other", lambda: False)
    other.start()
    loop.start()
    try:
        assert begun.wait(PATIENCE)
        server.health_check.begin({}, [loop, other])
        assert server.health_check.stuck() == ["the loop slow is stuck"]
    finally:
        release.set()
        loop.stop()
        other.stop()
    assert server.health_check.stuck() == []


def test_a_database_of_another_version_is_not_ours(server: Server) -> None:
    assert server.health_check.out_of_order() == []
    with writing(server.engine) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0001'"))
    (trouble,) = server.health_check.out_of_order()
    assert "version 0001, wanted are those of" in trouble


def test_a_database_that_cannot_be_reached_or_written_is_told(server: Server) -> None:
    nowhere = make_engine("postgresql+psycopg://nobody@127.0.0.1:1/none")
    assert HealthCheck(nowhere, server.loops.health).out_of_order() == ["the database does not answer"]
    server.loops.health.letters_failed(ValueError(), 1)
    assert server.health_check.out_of_order() == ["the database cannot be written"]
