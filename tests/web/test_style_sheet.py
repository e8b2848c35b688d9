"""The style sheet of all pages is small, and names nothing that no page has."""

from __future__ import annotations

import re
from pathlib import Path

import pbem
from pbem import folder
from tests.web.markup import STATIC

MOST = 25 * 1024
"""Bytes."""
SHEET = (STATIC / "pbem.css").read_text(encoding="utf-8")


def test_the_style_sheet_is_small() -> None:
    assert len(SHEET.encode()) <= MOST


def test_every_class_and_id_of_the_style_sheet_is_in_a_template_or_a_script() -> None:
    places = (folder("templates"), Path(pbem.__file__).parent)
    files = (file for place in places for file in place.rglob("*") if file.suffix in {".html", ".txt", ".js", ".py"})
    words = set(re.findall(r"[\w-]+", " ".join(file.read_text(encoding="utf-8") for file in files)))
    selectors = re.sub(r"/\*.*?\*/|[\w-]+: [^;{}]+(?=[;}])", "", SHEET, flags=re.DOTALL)
    named = set(re.findall(r"[.#]([a-z][\w-]*)", selectors))
    assert len(named) > 100
    assert named <= words, sorted(named - words)
