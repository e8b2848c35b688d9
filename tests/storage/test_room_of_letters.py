"""The bytes that a letter leaves in the database once its mails were sent (SQLite, whole pages)."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

from pbem.storage.engine import reading
from pbem.workers.retention import Retention
from tests.support.databases import put_sqlite
from tests.support.played_mails import begin, hand_over, play
from tests.support.stepped_server import SteppedServer

MOST = {"mail=text": 3_000, "mail=both board=ascii": 4_000, "mail=both board=both": 5_000}
"""Bytes a letter, with its event and all indexes, by what its mails consist of."""
MOST_LATER = 1_500
"""The same once the contents of mails are forgotten."""
GAMES = ("superbo", "mambo", "lambo", "palago", "mamba")
TURNS = 8


def used(stepped: SteppedServer) -> int:
    """The bytes of all pages in use."""
    with reading(stepped.server.engine) as connection:
        pages, free, size = (
            connection.scalar(text(f"PRAGMA {name}")) or 0 for name in ("page_count", "freelist_count", "page_size")
        )
    return int((pages - free) * size)


@pytest.mark.parametrize("preferences", MOST)
def test_a_letter_about_a_board_leaves_little_once_its_mails_were_sent(preferences: str, tmp_path: Path) -> None:
    stepped = SteppedServer(put_sqlite(tmp_path / "pbem.db"), tmp_path)
    boards = [begin(stepped, game, preferences, f"anna{game}", f"bert{game}") for game in GAMES]
    hand_over(stepped)
    before, letters, mails = used(stepped), 0, 0
    for _ in range(TURNS):
        letters += sum(play(stepped, board, 1) for board in boards)
        assert used(stepped) - before > letters * MOST[preferences] / 2  # what waits is there in full
        mails += hand_over(stepped)
    assert mails == 2 * letters == 2 * TURNS * len(GAMES)
    assert used(stepped) - before < letters * MOST[preferences]
    Retention(stepped.server.engine, timedelta(0), timedelta(days=180)).tidy()
    assert used(stepped) - before < letters * MOST_LATER
