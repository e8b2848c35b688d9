"""The words of subcommands."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from pbem.cli.main import SUBCOMMANDS, main
from tests.cli.running import pbem

GARBLED = b"caf\xe9".decode("utf-8", "surrogateescape")


@pytest.mark.parametrize("words", [["players", "show", GARBLED], ["suppressed", "add", "a@b.c", "--reason", GARBLED]])
def test_words_that_are_no_utf_8_are_refused_with_a_sentence(tmp_path: Path, words: list[str]) -> None:
    assert pbem(tmp_path, "import").returncode == 0
    ended = pbem(tmp_path, "admin", *words)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.splitlines()[-1] == 'Error: "caf\N{REPLACEMENT CHARACTER}" is not UTF-8.'


def test_words_of_any_language_are_none_of_these(tmp_path: Path) -> None:
    assert pbem(tmp_path, "import").returncode == 0
    ended = pbem(tmp_path, "admin", "players", "show", "Zo\N{LATIN SMALL LETTER E WITH DIAERESIS}")
    assert (ended.returncode, ended.stdout) == (1, "")
    assert "Zo\N{LATIN SMALL LETTER E WITH DIAERESIS}" in ended.stderr


def test_a_file_may_have_a_name_that_is_none(tmp_path: Path) -> None:
    (tmp_path / GARBLED).touch()
    assert pbem(tmp_path, "import", GARBLED).returncode == 0
    assert pbem(tmp_path, "replay", GARBLED).returncode == 0


@pytest.mark.parametrize(
    ("words", "code"), [(["deliver", "pbem@localhost", "--sender", GARBLED], os.EX_DATAERR), (["help", GARBLED], 1)]
)
def test_what_no_command_can_be_done_with_is_refused_for_good(tmp_path: Path, words: list[str], code: int) -> None:
    assert pbem(tmp_path, "import").returncode == 0
    ended = pbem(tmp_path, *words)
    assert ended.returncode == code
    assert "Traceback" not in ended.stderr


def test_the_help_says_of_each_subcommand_what_its_own_help_says_first() -> None:
    context = click.Context(main)
    for name, subcommand in SUBCOMMANDS.items():
        command = main.get_command(context, name)
        assert command is not None
        assert subcommand.short_help == command.get_short_help_str(limit=1000)
        assert f"  {name} " in CliRunner().invoke(main, ["--help"]).output


@pytest.mark.parametrize("words", ["--help", "send --help"])
def test_a_small_command_loads_nothing_of_the_server(words: str) -> None:
    assert loaded_by(words).isdisjoint(["asyncio", "rich", "sqlalchemy", "structlog", "pbem.games"])


def test_a_letter_is_delivered_without_what_handles_it() -> None:
    libraries = ["lxml", "jinja2", "pebble", "aiosmtpd", "starlette", "alembic"]
    ours = ["pbem.executor", "pbem.usecases", "pbem.wording", "pbem.web", "pbem.games.hextile"]
    assert loaded_by("deliver --help").isdisjoint([*libraries, *ours, "pbem.storage.models.boards"])


def loaded_by(words: str) -> set[str]:
    """The modules that a run of the program has loaded at its end."""
    program = (
        "import sys\nfrom pbem.cli.main import main\n"
        "try:\n    main(sys.argv[1:])\nfinally:\n    print(*sys.modules, file=sys.stderr)"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program, *words.split()], capture_output=True, text=True, check=True, timeout=60
    )
    return set(ended.stderr.split())
