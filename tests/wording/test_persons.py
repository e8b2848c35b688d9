"""Nobody knows of a player whether it is a man or a woman, so no mail and no page says so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.bootstrap.games import find_games
from pbem.resources import folder

ENGLISH = folder("templates") / "en"
_GAMES = find_games()
_MAN_OR_WOMAN = re.compile(r"\b(he|him|his|himself|she|her|hers|herself)\b", re.IGNORECASE)
_COMMENT = re.compile(r"\{#.*?#\}", re.DOTALL)


def _is_of_rules(path: Path) -> bool:
    """Return True if a page tells the rules of a game, where a player is one of the two or four at the board."""
    return any(path.is_relative_to(ENGLISH / "help" / game) or path.stem == game for game in _GAMES)


PAGES = [each for each in sorted(ENGLISH.rglob("*.*")) if not _is_of_rules(each)]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ENGLISH)))
def test_no_player_is_taken_for_a_man_or_a_woman(path: Path) -> None:
    assert not _MAN_OR_WOMAN.findall(_COMMENT.sub("", path.read_text()))
