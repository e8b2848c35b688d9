"""The configured database, and the secret key beside it."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import event

from pbem.bootstrap.database import await_database, check_key, engine_of, kept_key, lock_file, sqlite_path
from pbem.config import BadSetting, Settings
from pbem.storage import schema
from tests.storage.stock import ALICE, BOB, board, stocked
from tests.support.databases import engine_at

KEY = "a key that somebody else has made"


def settings(folder: Path, **more: str) -> Settings:
    own = {"PBEM_DATABASE_URL": f"sqlite:///{folder / 'pbem.db'}", "PBEM_RELAY_URL": f"maildir:{folder / 'mail'}"}
    return Settings.read(own | {f"PBEM_{name.upper()}": value for name, value in more.items()})


def test_a_key_is_made_once_for_the_owner_alone(tmp_path: Path) -> None:
    (tmp_path / "pbem.db.key.new").write_text("half of a key, by a server that was killed")
    before = os.umask(0)
    try:
        (key,) = kept_key(settings(tmp_path))
    finally:
        os.umask(before)
    file = tmp_path / "pbem.db.key"
    assert len(key) >= 32
    assert file.read_text() == key + "\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [each.name for each in tmp_path.iterdir()] == ["pbem.db.key"]
    assert kept_key(settings(tmp_path)) == (key,)


@pytest.mark.parametrize("is_upgraded", [False, True])
def test_a_database_in_which_nobody_is_gets_a_key(tmp_path: Path, *, is_upgraded: bool) -> None:
    own = settings(tmp_path)
    (tmp_path / "pbem.db").touch()
    if is_upgraded:
        with engine_at(own.database_url) as engine:
            schema.upgrade(engine)
    assert check_key(own) == "none yet; the first start makes it"
    assert not (tmp_path / "pbem.db.key").exists()
    assert kept_key(own) == kept_key(own)
    assert check_key(own) == ""


def test_a_lost_key_is_not_replaced_but_can_be_as_is_said(tmp_path: Path) -> None:
    folder = tmp_path / "my games"
    folder.mkdir()
    own = settings(folder)
    with engine_at(own.database_url) as engine:
        schema.upgrade(engine)
        stocked(engine, board(101, ALICE, BOB))
    for look in (kept_key, check_key):
        with pytest.raises(BadSetting, match=r"pbem\.db\.key is missing.*bring it back") as raised:
            look(own)
    assert not (folder / "pbem.db.key").exists()
    subprocess.run(["sh", "-c", str(raised.value).rpartition(": ")[2]], check=True)
    (key,) = kept_key(own)
    assert len(key) == 32
    assert stat.S_IMODE((folder / "pbem.db.key").stat().st_mode) == 0o600


def test_a_key_that_is_there_is_used(tmp_path: Path) -> None:
    (tmp_path / "pbem.db.key").write_text(f"{KEY}\n")
    assert kept_key(settings(tmp_path)) == (KEY,)
    assert (tmp_path / "pbem.db.key").read_text() == f"{KEY}\n"


def test_a_key_that_cannot_be_written_whole_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("pbem.bootstrap.database.os.fsync", full)
        with pytest.raises(BadSetting, match="No space left"):
            kept_key(settings(tmp_path))
    assert not (tmp_path / "pbem.db.key").exists()


DAMAGED = KEY.encode().replace(b"e", b"\xe9")


@pytest.mark.parametrize(
    "content", [DAMAGED, b"", b"\n", b"too short\n", b" " * 40, b"\xff\xfe" * 20, b"SQLite format 3\0" * 9]
)
def test_a_key_file_without_a_key_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "pbem.db.key"
    file.write_bytes(content)
    with pytest.raises(BadSetting, match=r"PBEM_SECRET_KEY.*pbem\.db\.key"):
        kept_key(settings(tmp_path))
    assert file.read_bytes() == content


def test_a_key_may_have_several_lines(tmp_path: Path) -> None:
    (tmp_path / "pbem.db.key").write_text(f"{KEY}\n{KEY}\n")
    assert kept_key(settings(tmp_path)) == (f"{KEY}\n{KEY}",)


@pytest.mark.parametrize("name", ["a_folder/pbem.db", "file/pbem.db"])
def test_a_key_that_has_no_place_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadSetting, match="PBEM_SECRET_KEY"):
        kept_key(settings(tmp_path, database_url=f"sqlite:///{tmp_path / name}"))


def test_on_a_database_that_others_share_the_key_must_be_told() -> None:
    with pytest.raises(BadSetting, match="PBEM_SECRET_KEY"):
        kept_key(Settings.read({"PBEM_DATABASE_URL": "postgresql+psycopg://pbem@localhost/pbem"}))


def test_what_is_missing_for_postgresql_is_said_with_the_command_that_brings_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    own = replace(Settings.read({}), database_url="postgresql+psycopg://pbem:hush@localhost/pbem")
    with pytest.raises(BadSetting, match=r"PBEM_DATABASE_URL: .*pip install 'pbem\[postgresql\]'$"):
        engine_of(own)


@pytest.mark.parametrize("url", ["postgresql+psycopg://pbem:hush@127.0.0.1:54x2/pbem", "postgresql+psycopg://[::/x"])
def test_a_url_that_cannot_be_read_is_refused_without_its_password(url: str) -> None:
    own = replace(Settings.read({}), database_url=url)
    with pytest.raises(BadSetting, match="PBEM_DATABASE_URL: must be") as raised:
        sqlite_path(own)
    assert "hush" not in str(raised.value)


def test_a_lock_that_cannot_be_had_is_named(tmp_path: Path) -> None:
    (tmp_path / "pbem.db.lock").mkdir()
    with pytest.raises(BadSetting, match=r"pbem\.db\.lock cannot be written: Is a directory"):
        lock_file(tmp_path / "pbem.db")


class Starting:
    """A PostgreSQL that is still starting up, as far as a client is told."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, url: str, *answers: str) -> None:
        self.asked = 0
        self.engine = engine_of(Settings.read({"PBEM_DATABASE_URL": url}))
        waiting = iter(answers)

        def connect(*given: Any, **named: Any) -> Any:
            self.asked += 1
            if answer := next(waiting, None):
                raise psycopg.OperationalError(answer)
            return psycopg.connect(*given, **named)

        event.listen(self.engine, "do_connect", lambda _dialect, _record, given, named: connect(*given, **named))
        monkeypatch.setattr("pbem.bootstrap.database._LOOK_AGAIN_SECONDS", 0.0)


def test_a_start_waits_for_a_postgresql_that_is_starting(monkeypatch: pytest.MonkeyPatch, postgresql_url: str) -> None:
    refused = "connection to server at 127.0.0.1 failed: Connection refused"
    behind = "FATAL:  server login has been failing, try again later (server_login_retry)"
    answers = [refused, behind, "FATAL:  query_wait_timeout", "FATAL:  the database system is starting up"]
    starting = Starting(monkeypatch, postgresql_url, *answers)
    await_database(starting.engine)
    starting.engine.dispose()
    assert starting.asked == len(answers) + 1


def test_a_start_does_not_wait_for_ever_nor_for_what_time_does_not_mend(
    monkeypatch: pytest.MonkeyPatch, postgresql_url: str
) -> None:
    for answer, seconds in (("Connection refused", 0.0), ('FATAL:  password authentication failed for user "x"', 60.0)):
        starting = Starting(monkeypatch, postgresql_url, *[answer] * 9)
        await_database(starting.engine, seconds)
        starting.engine.dispose()
        assert starting.asked == 1


def test_sqlite_is_not_waited_for(tmp_path: Path) -> None:
    engine = engine_of(settings(tmp_path, database_url=f"sqlite:///{tmp_path}/nowhere/pbem.db"))
    await_database(engine)
    engine.dispose()
