"""The words of subcommands."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

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
