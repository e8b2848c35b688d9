"""Sentences that templates mark for gettext."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem import folder

TEXTS = [each for each in sorted(folder("templates").rglob("*.txt")) if "{% trans" in each.read_text()]
_GLUED = re.compile(r"{% endtrans -?%}\n")


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.stem)
def test_a_marked_sentence_keeps_the_line_break_behind_it(path: Path) -> None:
    assert not _GLUED.findall(path.read_text())
