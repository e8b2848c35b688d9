"""``pbem deliver``: a letter on the standard input, an exit code for the MTA."""

from __future__ import annotations

import io
import os
import smtplib
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlalchemy import select

from pbem.cli.deliver import TryLater, deliver_letter
from pbem.storage.models import LetterRow
from tests.cli.running import SIGNUP, deliver, environment, environment_in, serving
from tests.support.databases import database_of
from tests.support.mail import PATIENCE
from tests.support.maildir import nth_mail


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder in which a server has run."""
    with serving(tmp_path):
        pass
    return tmp_path


def stored(folder: Path) -> list[tuple[str, list[str], bytes]]:
    return database_of(folder).rows(
        select(LetterRow.sender, LetterRow.recipients, LetterRow.raw).order_by(LetterRow.id)
    )


def test_a_letter_is_stored_without_a_server_and_answered_once_there_is_one(folder: Path) -> None:
    done = deliver(folder, b"From alice@example.org Thu Nov 19\n" + SIGNUP)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert stored(folder) == [("alice@example.org", ["pbem@localhost"], SIGNUP)]
    with serving(folder):
        assert "alice@example.org" in str(nth_mail(folder / "mail", 1)["To"])


def test_a_running_server_answers_it_and_knows_it_again_at_another_door(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        port = int(server.address_of("smtp").rpartition(":")[2])
        assert deliver(tmp_path, SIGNUP, "pbem@localhost", "--sender", "alice@example.org").returncode == 0
        assert "alice@example.org" in str(nth_mail(tmp_path / "mail", 1)["To"])
        with smtplib.SMTP("127.0.0.1", port) as client:
            client.sendmail("alice@example.org", ["pbem+x@localhost"], SIGNUP)
        assert deliver(tmp_path, b"Received: again\n" + SIGNUP).returncode == 0
    assert len(stored(tmp_path)) == 1


@pytest.mark.parametrize("rotated", [False, True])
def test_a_letter_is_known_again_under_a_new_key_as_long_as_the_old_one_is_named(folder: Path, rotated: bool) -> None:
    old, new = "an old secret of the club", "a new secret of the club"
    assert deliver(folder, SIGNUP, secret_key=old).returncode == 0
    assert deliver(folder, SIGNUP, secret_key=f"{new},{old}" if rotated else new).returncode == 0
    assert len(stored(folder)) == (1 if rotated else 2)


def test_the_environment_says_who_it_is_from_and_for(folder: Path) -> None:
    assert deliver(folder, SIGNUP, SENDER="bounces@example.org", RECIPIENT="pbem+token@localhost").returncode == 0
    assert stored(folder)[0][:2] == ("bounces@example.org", ["pbem+token@localhost"])


@pytest.mark.parametrize(
    ("letter", "words", "said", "code"),
    [
        (SIGNUP + b"x" * 2000, [], "the letter is larger than 1500 bytes", os.EX_DATAERR),
        (SIGNUP, ["somebody@example.org"], "no such mailbox here", os.EX_NOUSER),
        (SIGNUP, ["--sender", "nobody"], "no such sender can be answered", os.EX_DATAERR),
        (b"", [], "there is no letter on the standard input", os.EX_DATAERR),
        (b"\r\n \n", ["pbem@localhost"], "there is no letter on the standard input", os.EX_DATAERR),
        (b"From alice@example.org Thu\n\n", [], "there is no letter on the standard input", os.EX_DATAERR),
    ],
)
def test_what_can_never_be_taken_is_said_to_mtas_by_their_codes_with_a_sentence(
    folder: Path, letter: bytes, words: list[str], said: str, code: int
) -> None:
    done = deliver(folder, letter, *words, max_letter_bytes="1500")
    assert (done.returncode, done.stderr.decode()) == (code, f"pbem: the letter was not accepted: {said}\n")
    assert stored(folder) == []


def test_wrong_options_are_a_misuse_as_mtas_know_it(folder: Path) -> None:
    assert deliver(folder, SIGNUP, "--nonsense").returncode == os.EX_USAGE


@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"max_waiting_letters": "1"}, "too many letters are waiting"),
        ({"database_url": "sqlite:///gone.db"}, "there is no database"),
        ({"database_url": "sqlite:///folder"}, "cannot be"),
        ({"database_url": "sqlite:///none.db"}, "cannot be used"),
        ({"max_letter_bytes": "many"}, "PBEM_MAX_LETTER_BYTES: must be a whole number"),
    ],
)
def test_what_is_not_the_letters_fault_is_75_with_a_sentence(folder: Path, settings: dict[str, str], said: str) -> None:
    (folder / "folder").mkdir()
    for name in ("none.db", "none.db.key", "folder.key"):
        (folder / name).write_text("This is a letter to my aunt and no database. " * 100)
    assert deliver(folder, SIGNUP.replace(b"<1@", b"<0@")).returncode == 0
    done = deliver(folder, SIGNUP, **settings)
    lines = done.stderr.decode().splitlines()
    assert done.returncode == 75
    assert lines[0].startswith("pbem: the letter was not accepted, try again later: ")
    assert said in lines[0]
    assert len(lines) == 1
    assert len(stored(folder)) == 1


def test_a_letter_seen_before_is_taken_even_when_too_many_wait(folder: Path) -> None:
    assert deliver(folder, SIGNUP, max_waiting_letters="1").returncode == 0
    assert deliver(folder, SIGNUP, max_waiting_letters="1").returncode == 0
    assert len(stored(folder)) == 1


@pytest.mark.sqlite
def test_no_key_is_made_beside_a_database_that_has_none(folder: Path) -> None:
    (folder / "pbem.db.key").unlink()
    done = deliver(folder, SIGNUP)
    assert done.returncode == 75
    assert b"pbem.db.key: none yet; the first start makes it" in done.stderr
    assert not (folder / "pbem.db.key").exists()


def test_a_closed_standard_input_is_75(folder: Path) -> None:
    done = subprocess.run(
        ["sh", "-c", '"$0" -m pbem deliver <&-', sys.executable],
        cwd=folder,
        env=environment_in(folder, {}),
        capture_output=True,
        timeout=3 * PATIENCE,
        check=False,
    )
    assert done.returncode == 75
    assert b"Traceback" not in done.stderr


@pytest.mark.sqlite
def test_a_locked_database_is_to_be_tried_later(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.storage.engine._BUSY_MILLISECONDS", 100)
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(SIGNUP)))
    environ = environment({"database_url": f"sqlite:///{folder / 'pbem.db'}"})
    mask = os.umask(0o077)
    try:
        with closing(sqlite3.connect(folder / "pbem.db", isolation_level=None)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            with pytest.raises(TryLater, match="database is locked"):
                deliver_letter(None, [], environ)
    finally:
        os.umask(mask)
    assert stored(folder) == []
