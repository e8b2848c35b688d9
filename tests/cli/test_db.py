"""``pbem db``, as an operator runs it: beside a server that is busy, and on what is broken."""

from __future__ import annotations

import json
import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.running import environment, pbem
from tests.games.hextile.playing import playthroughs
from tests.reliability.ledger import Ledger
from tests.reliability.mailers import Mailers
from tests.reliability.posts import PlayingPair, Post
from tests.support.databases import KEY, SQLITE, database_of, kind
from tests.support.server import RunningServer, running_server
from tests.support.tools import require_tool

WELL = ["integrity: ok", "foreign keys: ok", "schema: ok", "writable: ok", "counts: ok", "key: ok", "boards: ok"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with an empty database and its key."""
    assert pbem(tmp_path, "import").returncode == 0
    (tmp_path / "pbem.db.key").write_text("a key of sixteen letters\n")
    return tmp_path


@pytest.mark.sqlite
def test_a_sound_database_is_well(folder: Path) -> None:
    done = pbem(folder, "db", "check")
    assert (done.returncode, done.stdout.splitlines(), done.stderr) == (0, WELL, "")
    assert pbem(folder, "db", "check", secret_key="a key in the settings").stdout.splitlines() == [
        each for each in WELL if each != "key: ok"
    ]
    assert pbem(folder, "db", "check", "--quick").stdout.splitlines() == WELL[:-1]


@pytest.mark.sqlite
@pytest.mark.parametrize("words", [["check"], ["upgrade"], ["backup", "copy.db"]])
def test_where_no_database_is_none_is_made(tmp_path: Path, words: list[str]) -> None:
    done = pbem(tmp_path, "db", *words)
    assert (done.returncode, done.stdout) == (1, "")
    assert "there is no database" in done.stderr
    assert not list(tmp_path.iterdir())


def test_on_postgresql_the_schema_is_upgraded_and_checked(tmp_path: Path, empty_postgresql_url: str) -> None:
    settings = {"database_url": empty_postgresql_url, "secret_key": "a key of sixteen letters"}
    before = pbem(tmp_path, "db", "check", **settings)
    assert (before.returncode, before.stdout.splitlines()[0].split(",")[0]) == (1, "schema: is empty")
    upgraded = pbem(tmp_path, "db", "upgrade", **settings)
    assert upgraded.returncode == 0
    assert upgraded.stdout.endswith(", was empty\n")
    assert pbem(tmp_path, "db", "upgrade", **settings).stdout == upgraded.stdout.replace(", was empty", "")
    assert pbem(tmp_path, "db", "check", **settings).stdout == "schema: ok\nwritable: ok\ncounts: ok\nboards: ok\n"


def spoil(folder: Path, *statements: str) -> None:
    with closing(sqlite3.connect(folder / "pbem.db")) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


@pytest.mark.sqlite
def test_every_fault_is_named_and_hides_no_other(folder: Path) -> None:
    spoil(
        folder,
        "UPDATE alembic_version SET version_num = '0001'",
        "CREATE TABLE spoilt (player_id INTEGER REFERENCES players (id))",
        "INSERT INTO spoilt VALUES (98), (99)",
    )
    (folder / "pbem.db.key").unlink()
    done = pbem(folder, "db", "check")
    assert (done.returncode, done.stderr) == (1, "")
    said = dict(line.split(": ", 1) for line in done.stdout.splitlines())
    assert said["integrity"] == said["writable"] == "ok"
    assert said["foreign keys"] == "2 rows of spoilt lead nowhere"
    assert said["schema"].startswith("is 0001, not ")
    assert said["schema"].endswith(": pbem db upgrade")
    assert said["key"] == "none yet; the first start makes it"


@pytest.mark.sqlite
@pytest.mark.parametrize("content", ["", "abc"])
def test_a_key_that_no_server_would_take_is_not_well(folder: Path, content: str) -> None:
    (folder / "pbem.db.key").write_text(content)
    done = pbem(folder, "db", "check")
    assert done.returncode == 1
    assert f"key: {folder}/pbem.db.key holds no key; bring it back" in done.stdout


def test_on_postgresql_the_key_must_be_set(tmp_path: Path, postgresql_url: str) -> None:
    done = pbem(tmp_path, "db", "check", "--quick", database_url=postgresql_url)
    assert done.returncode == 1
    assert "\nkey: must be set" in done.stdout


@pytest.mark.sqlite
def test_a_lost_key_is_told_and_not_replaced(folder: Path) -> None:
    spoil(
        folder,
        "INSERT INTO players (id, userid, userid_key, created_at, revision) VALUES (9, 'zoe', 'zoe', '2026-03-01', 1)",
        "INSERT INTO addresses (player_id, address_key, address, position) VALUES (9, 'z@x.org', 'z@x.org', 0)",
    )
    (folder / "pbem.db.key").unlink()
    for words in (["serve"], ["admin"], ["admin", "players", "list"]):
        done = pbem(folder, *words, smtp_listen="127.0.0.1:0", web_listen="off")
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
        assert "pbem.db.key is missing, by which" in done.stderr
    assert "pbem.db.key is missing" in pbem(folder, "db", "check").stdout
    assert not (folder / "pbem.db.key").exists()


@pytest.mark.sqlite
def test_a_database_of_a_newer_version_is_refused_with_a_sentence(folder: Path) -> None:
    spoil(folder, "UPDATE alembic_version SET version_num = '9999'")
    for words in (["db", "upgrade"], ["import"], ["export"], ["admin"], ["serve"]):
        done = pbem(folder, *words, smtp_listen="127.0.0.1:0", web_listen="off")
        assert (done.returncode, done.stderr.count("\n")) == (1, 1)
        assert "the database cannot be used: its schema is 9999, of a newer pbem than this one" in done.stderr
    checked = pbem(folder, "db", "check", "--quick")
    assert (checked.returncode, "schema: is 9999, of a newer pbem than this one" in checked.stdout) == (1, True)
    assert pbem(folder, "db", "backup", "copy.db").returncode == 0


@pytest.mark.sqlite
def test_the_first_boards_that_differ_from_their_events_are_named(folder: Path) -> None:
    records = [{**each["record"], "players": ["zoe", "yves"]} for each in playthroughs("mambo")[:2]]
    copies = [{**record, "players": [f"zoe-{n}", "yves"]} for record in records for n in range(11)]
    (folder / "games.jsonl").write_text("".join(json.dumps(each) + "\n" for each in copies))
    assert pbem(folder, "import", "games.jsonl").returncode == 0
    spoil(folder, "UPDATE boards SET finished_at = NULL WHERE number > 101")
    done = pbem(folder, "db", "check")
    lines = done.stdout.splitlines()
    assert (done.returncode, lines[6]) == (1, "boards: 21 do not match their events")
    assert [line.split(":")[0] for line in lines[7:]] == [f"board {number}" for number in range(102, 122)]
    assert "finished_at is none, by its events " in lines[7]


@pytest.mark.sqlite
def test_a_damaged_file_is_told_and_not_copied(folder: Path) -> None:
    raw = bytearray((folder / "pbem.db").read_bytes())
    raw[8192:] = b"x" * (len(raw) - 8192)
    (folder / "pbem.db").write_bytes(raw)
    done = pbem(folder, "db", "check")
    assert done.returncode == 1
    assert "integrity: ok" not in done.stdout
    copied = pbem(folder, "db", "backup", "copy.db")
    assert (copied.returncode, copied.stdout) == (1, "")
    assert copied.stderr.startswith("pbem: no backup was made: ")
    assert not (folder / "copy.db").exists()
    assert not (folder / "copy.db.new").exists()


@pytest.mark.sqlite
def test_a_database_that_cannot_be_written_is_told(folder: Path) -> None:
    (folder / "pbem.db").chmod(0o400)
    prefix = []
    if os.geteuid() == 0:  # whom no mode keeps out
        prefix = [require_tool("setpriv", "util-linux"), "--bounding-set=-dac_override", "--inh-caps=-dac_override"]
    done = subprocess.run(
        [*prefix, sys.executable, "-m", "pbem", "db", "check"],
        cwd=folder,
        env=environment({}),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "writable: attempt to write a readonly database" in done.stdout.splitlines()


@pytest.mark.sqlite
def test_a_backup_is_readable_by_nobody_else_and_replaces_the_one_before(folder: Path) -> None:
    (folder / "copy.db").write_text("the one before")
    done = pbem(folder, "db", "backup", "copy.db")
    assert (done.returncode, done.stdout) == (0, "written: copy.db\nwritten: copy.db.key\n")
    for name in ("copy.db", "copy.db.key"):
        assert stat.S_IMODE((folder / name).stat().st_mode) == 0o600
    assert (folder / "copy.db.key").read_bytes() == (folder / "pbem.db.key").read_bytes()
    assert sorted(path.name for path in folder.iterdir() if "copy" in path.name) == ["copy.db", "copy.db.key"]


@pytest.mark.sqlite
def test_a_backup_says_that_a_key_in_the_settings_is_not_in_it(folder: Path) -> None:
    done = pbem(folder, "db", "backup", "copy.db", secret_key="a key in the settings")
    assert done.stdout.splitlines()[0] == "written: copy.db"
    assert "PBEM_SECRET_KEY" in done.stdout
    assert not (folder / "copy.db.key").exists()


@pytest.mark.sqlite
def test_the_database_is_not_copied_onto_any_of_its_files(folder: Path) -> None:
    (folder / "link.db").symlink_to("pbem.db")
    before = (folder / "pbem.db").read_bytes(), (folder / "pbem.db.key").read_bytes()
    own = ["pbem.db", "./pbem.db", "link.db", "pbem.db.key", "pbem.db.lock", "pbem.db-wal", "pbem.db-shm"]
    for database, file in [
        *(("pbem.db", each) for each in own),
        ("link.db", "link.db.key"),
        ("link.db", "pbem.db-wal"),
    ]:
        done = pbem(folder, "db", "backup", file, database_url=f"sqlite:///{database}")
        assert (done.returncode, done.stdout, "belongs to the database itself" in done.stderr) == (2, "", True)
        assert ((folder / "pbem.db").read_bytes(), (folder / "pbem.db.key").read_bytes()) == before


@pytest.mark.sqlite
def test_the_key_of_a_copy_is_not_written_onto_the_database(folder: Path) -> None:
    (folder / "pbem.db").rename(folder / "games.key")
    done = pbem(folder, "db", "backup", "games", database_url="sqlite:///games.key")
    assert (done.returncode, "games.key belongs to the database itself" in done.stderr) == (2, True)


@pytest.mark.sqlite
def test_a_backup_that_cannot_be_written_leaves_nothing_behind(folder: Path) -> None:
    names = {path.name for path in folder.iterdir()}
    done = pbem(folder, "db", "backup", "none/copy.db")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"pbem: no backup was made: {folder}/none: No such file or directory\n"
    assert {path.name for path in folder.iterdir()} == names
    (folder / "pbem.db.key").unlink()
    done = pbem(folder, "db", "backup", "copy.db")
    assert done.stderr == "pbem: no backup was made: the secret key pbem.db.key: No such file or directory\n"
    assert {path.name for path in folder.iterdir()} == names - {"pbem.db.key"}


@pytest.mark.postgresql
def test_a_backup_under_load_goes_on_elsewhere_and_knows_the_letters_that_come_again(tmp_path: Path) -> None:
    old, new, backup = tmp_path / "old", tmp_path / "new", tmp_path / "backup.db"
    old.mkdir()
    new.mkdir()
    pair, others = PlayingPair("p", 101), PlayingPair("q", 102)
    letters = [*pair.signups(), pair.challenge(), *pair.letters(seed=3, moves=8)]
    half = len(letters) // 2
    with running_server(old, confirm_signup="false") as server:
        send(server, letters[:half])
        load = Mailers(server, [[*others.signups(), others.challenge(), *others.letters(seed=4, moves=20)]])
        load.start()
        load.wait_for(5)
        assert pbem(old, "db", "backup", str(backup)).returncode == 0
        load.join()
        send(server, letters[half:])
    restore(backup, new)
    done = pbem(new, "db", "check")
    assert (done.returncode, {line.split(": ")[1] for line in done.stdout.splitlines()}) == (0, {"ok"})
    with running_server(new, confirm_signup="false") as server:
        send(server, letters)  # all of them: an MTA that was not told "250" would do no less
        assert sum("letter seen before" in line for line in server.lines) == half
        Ledger(server.database).wait_until_idle()
        server.person("alice").says("help")
        server.person("alice").hears()
        events = server.database.rows("SELECT count(*) FROM events WHERE board_number = 101")
    assert events == [(len(pair.expected),)]


def restore(backup: Path, folder: Path) -> None:
    """Put a backup where a server in this folder finds it, as docs/operating.md tells."""
    if kind() == SQLITE:
        backup.rename(folder / "pbem.db")
        backup.with_name("backup.db.key").rename(folder / "pbem.db.key")
        return
    done = pbem(folder, "db", "copy", database_of(folder).url, database_url=f"sqlite:///{backup}", secret_key=KEY)
    assert (done.returncode, done.stderr) == (0, "")


def send(server: RunningServer, letters: Sequence[Post]) -> None:
    mailers = Mailers(server, [letters])
    mailers.start()
    mailers.join()


def test_openings_are_counted_as_games_are_imported_and_anew(folder: Path) -> None:
    records = [recorded["record"] for recorded in playthroughs("mambo")[:3]]
    (folder / "games.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    assert pbem(folder, "import", "games.jsonl").returncode == 0
    query = "SELECT hex(before), hex(after), games, won, tied FROM opening_turns ORDER BY before, after"
    with closing(sqlite3.connect(folder / "pbem.db")) as database:
        imported = database.execute(query).fetchall()
    assert sum(games for _, _, games, _, _ in imported) == 3 * 10
    spoil(folder, "DELETE FROM opening_turns", "DELETE FROM opening_games")
    assert pbem(folder, "db", "openings").stdout == "counted: 3 games\n"
    with closing(sqlite3.connect(folder / "pbem.db")) as database:
        assert database.execute(query).fetchall() == imported


def test_a_single_game_that_is_counted_anew_is_told_in_the_singular(folder: Path) -> None:
    (folder / "games.jsonl").write_text(json.dumps(playthroughs("mambo")[0]["record"]) + "\n")
    assert pbem(folder, "import", "games.jsonl").returncode == 0
    assert pbem(folder, "db", "openings").stdout == "counted: 1 game\n"
