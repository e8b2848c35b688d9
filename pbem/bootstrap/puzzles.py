"""The puzzles that are here."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from pbem import bots
from pbem.bots.puzzles import Puzzle, from_json

_STORED = Path(bots.__file__).parent / "puzzles.jsonl"


@cache
def stored_puzzles() -> Mapping[int, Puzzle]:
    """All puzzles that came with the program, by number; ``python -m tests.puzzles`` makes them."""
    lines = _STORED.read_text(encoding="utf-8").splitlines() if _STORED.exists() else ()
    found = [from_json(json.loads(line)) for line in lines]
    return {each.number: each for each in found}
