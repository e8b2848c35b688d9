"""``pbem admin`` alone, its help, and what is told when the database cannot be used."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from pbem.cli.admin import admin as group
from tests.cli.admin import admin, done, in_a_process, refused, told
from tests.support.in_process import in_process_server
from tests.support.server import GameServer

KEY = "a key for the tests alone"


def test_the_overview_counts_what_an_operator_should_know_of(shared: GameServer) -> None:
    shared.player("abe")
    counts = told(shared.folder)
    assert (counts["players"], counts["letters_shunted"], counts["reports_open"]) == (1, 0, 0)
    assert counts.pop("attention") == []
    assert counts.pop("backup") is None
    above, _, printed = done(shared.folder).partition("\n\n")
    assert above == "Nothing needs your attention."
    assert [line.rsplit(maxsplit=1)[0] for line in printed.splitlines()] == [name.replace("_", " ") for name in counts]


def test_above_it_stands_what_needs_attention_and_the_command_that_helps(tmp_path: Path) -> None:
    with in_process_server(tmp_path) as server:
        server.player("abe")
    server.database.change("UPDATE inbox SET state = 'shunted'")
    above, _, below = done(server.folder, backup_folder=str(server.folder / "none")).partition("\n\n")
    assert below.splitlines()[-1].split() == ["last", "good", "backup", "none"]
    assert "There is no backup in the folder that backup_folder names." in above
    assert "2 letters could not be handled and were set aside. Since 2" in above
    assert "\n  pbem admin shunted list" in above
    assert [each["what"] for each in told(server.folder)["attention"]] == ["letters_shunted"]


def test_a_link_to_the_page_is_printed_alone_and_noted_without_its_secret(shared: GameServer) -> None:
    ended = admin(shared.folder, "sign-in", web_url="https://pbem.example")
    assert ended.exit_code == 0
    link, secret = ended.stdout.strip(), ended.stdout.strip().rpartition("/")[2]
    assert link == f"https://pbem.example/admin/sign-in/{secret}"
    assert len(secret) > 40
    assert "within 15 minutes" in ended.stderr
    assert told(shared.folder, "deeds")[0]["deed"] == "sign-in"
    kept = shared.database.rows("SELECT * FROM operator_keys") + shared.database.rows("SELECT * FROM deeds")
    assert secret not in str(kept)


def test_there_is_no_link_where_there_are_no_pages(shared: GameServer) -> None:
    assert refused(shared.folder, "sign-in", web_listen="off") == "the web is switched off: PBEM_WEB_LISTEN is off"


def test_tidying_says_what_it_has_done(shared: GameServer) -> None:
    assert done(shared.folder, "tidy", keep_mail_days="1") == "There is nothing to delete yet.\n"
    assert set(told(shared.folder, "tidy")) >= {"mail_bytes", "mails", "letters", "questions", "bounces"}


def test_it_works_beside_a_server_on_postgresql(postgresql_url: str, tmp_path: Path) -> None:
    own = {"database_url": postgresql_url, "secret_key": KEY}
    with in_process_server(tmp_path, **own) as server:
        bea = server.player("bea")
        assert in_a_process(tmp_path, "players", "freeze", "bea", **own).returncode == 0
        assert bea.hears().subject == "Your account is frozen"
        bea.says("set bea secret mail=text")
        assert "frozen" in bea.hears().words
        assert told(tmp_path, **own)["players_frozen"] == 1
        assert told(tmp_path, "players", "list", "be", **own)[0]["standing"] == "frozen"
        assert told(tmp_path, "players", "show", "bea", **own)["letters"][0]["state"] == "done"
        assert done(tmp_path, "tidy", **own) == "There is nothing to delete yet.\n"


@pytest.mark.sqlite
def test_a_database_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    assert refused(tmp_path).startswith("PBEM_DATABASE_URL: there is no database")
    assert not (tmp_path / "pbem.db").exists()


def test_a_wrong_setting_is_misuse(tmp_path: Path) -> None:
    assert admin(tmp_path, keep_mail_days="soon").exit_code == 2


def _commands(command: click.Command, *words: str) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    yield words, command
    if isinstance(command, click.Group):
        for name, each in command.commands.items():
            yield from _commands(each, *words, name)


@pytest.mark.parametrize(
    ("words", "command"), [*_commands(group)], ids=lambda value: " ".join(value) if isinstance(value, tuple) else ""
)
def test_every_subcommand_says_what_it_does(tmp_path: Path, words: tuple[str, ...], command: click.Command) -> None:
    said = admin(tmp_path, *words, "--help")
    assert said.exit_code == 0
    assert command.help
    options: list[Any] = [each for each in command.params if isinstance(each, click.Option)]
    assert all(each.help for each in options)
