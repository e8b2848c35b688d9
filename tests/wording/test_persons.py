"""Nobody knows of a player whether it is a man or a woman, so no mail and no page says so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem import folder

TEMPLATES = folder("templates")
_MAN_OR_WOMAN = re.compile(r"\b(he|him|his|himself|she|her|hers|herself)\b", re.IGNORECASE)
_COMMENT = re.compile(r"\{#.*?#\}", re.DOTALL)


TRANSLATED = {"de", "fr", "locale"}
PAGES = [each for each in sorted(TEMPLATES.rglob("*.*")) if TRANSLATED.isdisjoint(each.relative_to(TEMPLATES).parts)]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(TEMPLATES)))
def test_no_player_is_taken_for_a_man_or_a_woman(path: Path) -> None:
    assert not _MAN_OR_WOMAN.findall(_COMMENT.sub("", path.read_text()))
