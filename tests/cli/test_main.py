"""The arguments of any subcommand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cli.running import pbem

if TYPE_CHECKING:
    from pathlib import Path

GARBLED = b"caf\xe9".decode("utf-8", "surrogateescape")


@pytest.mark.parametrize("words", [["admin", "players", "show", GARBLED], ["replay", GARBLED], [GARBLED]])
def test_words_that_are_no_utf_8_are_refused_with_a_sentence(tmp_path: Path, words: list[str]) -> None:
    assert pbem(tmp_path, "import").returncode == 0
    ended = pbem(tmp_path, *words)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.splitlines()[-1] == 'Error: "caf\N{REPLACEMENT CHARACTER}" is not UTF-8.'


def test_words_of_any_language_are_none_of_these(tmp_path: Path) -> None:
    assert pbem(tmp_path, "import").returncode == 0
    ended = pbem(tmp_path, "admin", "players", "show", "Zo\N{LATIN SMALL LETTER E WITH DIAERESIS}")
    assert (ended.returncode, ended.stdout) == (1, "")
    assert "Zo\N{LATIN SMALL LETTER E WITH DIAERESIS}" in ended.stderr
