"""The options and errors that the subcommands of ``pbem admin`` share."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.admin import admin, refused
from tests.support.databases import database_of


@pytest.mark.parametrize(
    "words",
    [
        ["boards", "show"],
        ["letters", "--board"],
        ["maintenance", "end"],
        ["outbox", "drop"],
        ["outbox", "retry"],
        ["reports", "close"],
        ["reports", "show"],
        ["robots", "drop"],
        ["robots", "retry"],
        ["shunted", "drop"],
        ["shunted", "retry"],
        ["shunted", "show"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("number", [0, 2**31, 2**63])
def test_a_number_that_no_database_could_hold_is_misuse(tmp_path: Path, words: list[str], number: int) -> None:
    ended = admin(tmp_path, *words, str(number))
    assert ended.exit_code == 2
    assert f"{number} is not in the range 1<=x<=999999999" in ended.stderr


def test_a_long_word_in_place_of_a_number_is_quoted_in_part(tmp_path: Path) -> None:
    ended = admin(tmp_path, "boards", "show", "9" * 10_000)
    assert ended.exit_code == 2
    assert ended.stderr.endswith(f"'{'9' * 40}'... is not a valid number.\n")


@pytest.mark.sqlite
def test_tables_of_an_earlier_version_lead_to_the_upgrade(tmp_path: Path) -> None:
    database_of(tmp_path)
    with closing(sqlite3.connect(tmp_path / "pbem.db")) as database, database:
        database.execute("DROP TABLE seats")
    told = refused(tmp_path, "players", "list")
    assert told.endswith("no such table: seats; if it is of an earlier version, `pbem db upgrade` brings it up to date")


def test_what_is_no_number_is_misuse_in_plain_words(tmp_path: Path) -> None:
    ended = admin(tmp_path, "boards", "show", "abc")
    assert ended.exit_code == 2
    assert "'abc' is not a valid number." in ended.stderr
