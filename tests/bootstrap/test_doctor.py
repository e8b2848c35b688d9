"""A look at everything that a server depends on; relays, the DNS and mailboxes have tests of their own."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from pbem.bootstrap.doctor import examine
from pbem.config import Settings
from pbem.domain.administration import Level, clock_finding
from pbem.storage.backups import BackupLog
from tests.storage.boxes import Boxes, letter
from tests.support.databases import KEY, engine_at, put_sqlite
from tests.support.ports import free_port
from tests.support.webhooks import running_service

QUIET = {"PBEM_RELAY_URL": "maildir:mail", "PBEM_OPERATOR": "admin@example.org"}
"""Nothing is looked up for an address at localhost."""


def found(url: str, **given: str) -> list[tuple[str, str, str]]:
    """The findings about a database and with settings that are not well."""
    environ = QUIET | {"PBEM_DATABASE_URL": url} | {f"PBEM_{name.upper()}": value for name, value in given.items()}
    settings = Settings.read(environ)
    return [(each.what, each.level.value, each.said) for each in examine(settings, None, "pbem")]


def faults(url: str, **given: str) -> dict[str, str]:
    """The same, those that are not well, and without those of a server that nobody has set up."""
    usual = ("address", "relay", "backup", "clock")
    told = [each for each in found(url, **given) if each[1] != "ok" and each[0] not in usual]
    return {what: f"{level}: {said}" for what, level, said in told}


def test_a_sound_server_is_well(sqlite_url: str, tmp_path: Path) -> None:
    (tmp_path / "pbem.db.key").write_text("a key of sixteen letters\n")
    assert faults(sqlite_url) == {}
    seen = {what for what, _, _ in found(sqlite_url)}
    checked = {f"database, {each}" for each in ("integrity", "foreign keys", "schema", "writable", "counts", "key")}
    assert seen == checked | {
        *("address", "doors", "secrets", "database", "queues", "disk", "backup", "clock", "relay", "DNS"),
    }


def test_a_database_on_postgresql_is_well(postgresql_url: str) -> None:
    assert faults(postgresql_url, secret_key=KEY) == {}
    (said,) = (said for what, _, said in found(postgresql_url, secret_key=KEY) if what == "database")
    assert said.endswith(" MB")


@pytest.mark.parametrize(
    ("given", "what", "said"),
    [
        ({"operator": ""}, "operator", "warning: nobody is told of alarms and reports"),
        ({"trust_from": "yes"}, "trust_from", "warning: anyone who can forge a From line"),
        ({"smtp_listen": "off"}, "letters", "wrong: no letter comes in"),
        ({"smtp_listen": "0.0.0.0:8025"}, "smtp door", "warning: letters come to 0.0.0.0:8025 unencrypted"),
        ({"lmtp_listen": "0.0.0.0:8024"}, "lmtp door", "warning: 0.0.0.0:8024 has no TLS and believes what it hears"),
        ({"web_listen": "0.0.0.0:8080"}, "web door", "warning: 0.0.0.0:8080 has no TLS"),
        ({"monitor_listen": "10.0.0.1:8090"}, "monitor door", "warning: 10.0.0.1:8090 answers anybody"),
        ({"web_url": "http://pbem.example.org"}, "web_url", "warning: http://pbem.example.org is not encrypted"),
        (
            {"inbound_secret": "a secret of sixteen", "web_listen": "off"},
            *("inbound", "wrong: letters by HTTP need the web pages"),
        ),
        (
            {"smtp_certificate": "none.pem", "smtp_private_key": "none.pem"},
            *("certificate", "wrong: PBEM_SMTP_CERTIFICATE: none.pem cannot be read"),
        ),
        ({"mailbox_url": "imaps://club@127.0.0.1/INBOX"}, "mailbox", "wrong: PBEM_MAILBOX_PASSWORD: must be set"),
    ],
)
def test_settings_that_no_public_server_wants_are_told(
    sqlite_url: str, given: dict[str, str], what: str, said: str
) -> None:
    given = {name: value for name, value in given.items() if value}
    if what == "operator":
        settings = Settings.read({"PBEM_DATABASE_URL": sqlite_url})
        told = {each.what: f"{each.level}: {each.said}" for each in examine(settings, None, "pbem")}
    else:
        told = faults(sqlite_url, **given)
    assert told[what].startswith(said)


def test_pages_that_only_this_machine_can_reach_are_told(sqlite_url: str) -> None:
    # no letter can be sent to such an address, and nothing is looked up for it
    told = faults(sqlite_url, address="pbem@club.localhost")
    assert told["web_url"].startswith("warning: mails name http://127.0.0.1:8080, which only this machine can reach")


def test_pages_that_cannot_be_reached_are_told(sqlite_url: str) -> None:
    told = faults(sqlite_url, web_url=f"https://127.1:{free_port()}")  # pbem does not know that this is 127.0.0.1
    assert "cannot be reached from here: Connection refused" in told["web_url"]


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder into which any account of the machine can look."""
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def test_files_with_secrets_that_others_can_read_are_told(open_folder: Path) -> None:
    url = put_sqlite(open_folder / "pbem.db")
    key, settings = open_folder / "pbem.db.key", open_folder / "pbem.toml"
    key.write_text("a key of sixteen letters\n")
    settings.write_text('inbound_secret = "a secret of sixteen"\n')
    key.chmod(0o600)
    settings.chmod(0o644)
    (open_folder / "pbem.db").chmod(0o600)

    def told() -> list[str]:
        environ = {"PBEM_DATABASE_URL": url, "PBEM_CONFIG": str(settings)}
        findings = examine(Settings.read(QUIET | environ), None, "pbem")
        return [f"{each.level}: {each.said}" for each in findings if each.what == "secrets"]

    said = f"wrong: any account can use {settings} (settings with secrets): chmod o-rwx {settings}"
    assert told() == [said]
    key.chmod(0o604)
    assert len(told()) == 2
    open_folder.chmod(0o700)
    assert told() == ["ok: no other account can read their files"]
    open_folder.chmod(0o755)
    key.chmod(0o600)
    settings.chmod(0o640)
    assert told() == ["ok: no other account can read their files"]
    settings.chmod(0o644)
    settings.write_text("nag_days = 7\n")
    assert told() == ["ok: no other account can read their files"]


def test_a_database_that_is_not_there_yet_is_told(tmp_path: Path) -> None:
    told = faults(f"sqlite:///{tmp_path / 'pbem.db'}")
    assert told == {
        "database": f"warning: there is no {tmp_path}/pbem.db yet; the first start makes it, in the folder that it is"
        " started in"
    }
    assert not list(tmp_path.iterdir())


def test_what_is_no_database_is_told(tmp_path: Path) -> None:
    (tmp_path / "pbem.db").write_bytes(b"this is no database, but some text that is long enough\n" * 20)
    told = faults(f"sqlite:///{tmp_path / 'pbem.db'}")
    assert "file is not a database" in told["database"]
    assert "is it the right file" in told["database"]


def test_a_database_server_that_is_gone_is_told_once() -> None:
    told = faults(f"postgresql+psycopg://pbem:hush@127.0.0.1:{free_port()}/pbem", secret_key=KEY)
    assert set(told) == {"database"}
    assert "onnection refused" in told["database"]
    assert "does the database server run" in told["database"]
    assert "hush" not in told["database"]


def test_tables_of_another_version_are_told_with_what_brings_them_up_to_date(sqlite_url: str, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "pbem.db")) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0001'")
        connection.commit()
    told = faults(sqlite_url)
    assert told["database, schema"].endswith(": pbem db upgrade")
    assert set(told) == {"database, schema"}


def test_what_needs_attention_is_told_with_the_command_that_helps(sqlite_url: str, tmp_path: Path) -> None:
    with engine_at(sqlite_url) as engine:
        Boxes(engine).inbox.accept([letter("help")])  # long ago
    told = {what: said for what, _, said in found(sqlite_url, backup_folder=str(tmp_path / "none"))}
    assert told["queues"] == "1 letters and 0 mails wait"
    assert told["letters wait"].startswith("Urgent: 1 letter waits to be answered.")
    assert told["letters wait"].endswith("; pbem admin letters")
    assert told["backup"] == f"there is none in {tmp_path / 'none'}; does a process with the role clock run?"
    assert "backup old" not in told


def test_the_last_good_backup_is_told_and_why_the_last_attempt_failed(sqlite_url: str, tmp_path: Path) -> None:
    def told() -> str:
        findings = found(sqlite_url, backup_folder=str(tmp_path))
        return next(f"{level}: {said}" for what, level, said in findings if what == "backup")

    now = datetime.now(UTC)
    with engine_at(sqlite_url) as engine:
        log = BackupLog(engine, str(tmp_path), "one", timedelta(hours=1))
        log.hold(now)
        log.made(now, "pbem-1.db", 12_300_000)
        good = f"the last good one is of {now:%Y-%m-%d %H:%M} UTC: {tmp_path}/pbem-1.db"
        assert told() == f"ok: {good}, 12.3 MB"
        log.failed(now, "the disk is full")
        assert told() == f"wrong: the last attempt failed at {now:%Y-%m-%d %H:%M} UTC: the disk is full; {good}"


@pytest.mark.parametrize(
    ("ahead", "said"),
    [
        (0, "ok: the same as that of 127.0.0.1"),
        (-3600, "wrong: 60 minutes ahead of that of 127.0.0.1: set it"),
        (3600, "wrong: 60 minutes behind that of 127.0.0.1: set it"),
    ],
)
def test_a_clock_that_is_off_is_told_with_what_it_was_compared_with(sqlite_url: str, ahead: float, said: str) -> None:
    with running_service() as service:
        service.ahead = ahead
        told = found(sqlite_url, alarm_webhook=f"ntfy:{service.url}/topic")
        assert not service.came
    ((level, seen),) = ((level, seen) for what, level, seen in told if what == "clock")
    assert f"{level}: {seen}".startswith(said)


def test_a_clock_that_is_a_little_off_is_warned_of() -> None:
    finding = clock_finding(timedelta(seconds=-45), "PostgreSQL")
    assert (finding.level, finding.said.partition(":")[0]) == (Level.WARNING, "45 seconds behind that of PostgreSQL")
    assert clock_finding(timedelta(seconds=3), "PostgreSQL").level is Level.OK


def test_where_nobody_tells_the_time_that_is_said(sqlite_url: str) -> None:
    told = found(sqlite_url, alarm_webhook=f"ntfy:http://127.0.0.1:{free_port()}/topic")
    ((level, said),) = ((level, said) for what, level, said in told if what == "clock")
    is_kept = f"{level}: {said}" == "ok: not compared, but a time service keeps it"
    assert is_kept or (level, said.partition(":")[0]) == ("warning", "not compared, and no time service keeps it")
