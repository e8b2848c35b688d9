"""Where the parts meet: keys, databases, and who hears of a mail that was given up."""

from __future__ import annotations

import os
import stat
from contextlib import closing
from datetime import UTC, datetime
from email import message_from_bytes
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import make_url

from pbem.bootstrap.database import kept_key
from pbem.bootstrap.loops import ROLES
from pbem.bootstrap.server import Server
from pbem.config import BadSetting, Settings
from pbem.storage import schema
from pbem.storage.copying import NoCopy, held_still
from pbem.storage.engine import writing
from pbem.storage.outbox import DueMail
from tests.support.databases import engine_at

if TYPE_CHECKING:
    from pathlib import Path

AT = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
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


@pytest.mark.parametrize("content", [b"", b"\n", b"too short\n", b" " * 40, b"\xff\xfe" * 20])
def test_a_key_file_without_a_key_is_refused_and_left_alone(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "pbem.db.key"
    file.write_bytes(content)
    with pytest.raises(BadSetting, match=r"PBEM_SECRET_KEY.*pbem\.db\.key"):
        kept_key(settings(tmp_path))
    assert file.read_bytes() == content


@pytest.mark.parametrize("name", ["a_folder/pbem.db", "file/pbem.db"])
def test_a_key_that_has_no_place_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadSetting, match="PBEM_SECRET_KEY"):
        kept_key(settings(tmp_path, database_url=f"sqlite:///{tmp_path / name}"))


def test_on_a_database_that_others_share_the_key_must_be_told() -> None:
    with pytest.raises(BadSetting, match="PBEM_SECRET_KEY"):
        kept_key(Settings.read({"PBEM_DATABASE_URL": "postgresql+psycopg://pbem@localhost/pbem"}))


@pytest.mark.parametrize("url", ["postgresql+psycopg://pbem@localhost:port/pbem", "sqlite:////nowhere/x/pbem"])
def test_an_unusable_database_url_is_refused_by_name(url: str) -> None:
    told = Settings.read({"PBEM_DATABASE_URL": url, "PBEM_SECRET_KEY": KEY})
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


def given_up(recipient: str) -> DueMail:
    return DueMail(7, "12-1", "<m@localhost>", "", recipient, b"Subject: x\r\n\r\nto alice alone\r\n", AT, 4)


def told_of(recipient: str, folder: Path, **more: str) -> list[tuple[str, str, str]]:
    """Sender, recipient and bytes of what is said about a mail that was given up."""
    server = Server(settings(folder, **more))
    try:
        mails = server.loops._tell_operator(given_up(recipient), "550 no such user", AT)
        return [(mail.sender, mail.recipient, mail.raw.decode()) for mail in mails]
    finally:
        server.close()


def test_the_operator_hears_of_a_mail_that_was_given_up_but_not_what_it_said(tmp_path: Path) -> None:
    ((sender, recipient, text),) = told_of("alice@example.org", tmp_path, operator="operator@example.org")
    assert (sender, recipient) == ("", "operator@example.org")
    assert message_from_bytes(text.encode())["Subject"] == "pbem could not deliver a mail"
    assert "550 no such user" in text
    assert "to alice alone" not in text


@pytest.mark.parametrize("recipient", ["operator@example.org", "operator@EXAMPLE.ORG"])
def test_of_mails_to_himself_the_operator_hears_nothing(tmp_path: Path, recipient: str) -> None:
    assert told_of(recipient, tmp_path, operator="operator@example.org") == []


def test_without_an_operator_nobody_hears(tmp_path: Path) -> None:
    assert told_of("alice@example.org", tmp_path) == []


def test_each_role_has_its_loops_and_all_roles_have_all(tmp_path: Path) -> None:
    server = Server(settings(tmp_path, worker_threads="2", delivery_threads="3"))
    try:
        everything = [loop._name for loop in server.loops]
        watching = [loop._name for loop in server.loops.of(())]
        roles = {role: [loop._name for loop in server.loops.of([role])] for role in ROLES}
    finally:
        server.close()
    assert len(everything) == len(set(everything))
    assert set(everything) == {name for names in roles.values() for name in names}
    assert [name for name in roles["bots"] if name not in watching] == ["thinkers"]
    assert roles["smtp"] == roles["web"] == watching
    assert roles["worker"] == ["worker", "worker 2", *watching]
    assert roles["delivery"] == ["delivery", "delivery 2", "delivery 3", *watching]
    assert everything.index("worker") < everything.index("thinkers") < everything.index("delivery")
