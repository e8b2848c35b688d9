"""Boards that were damaged behind the server's back: each is named, and all others are looked at."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from sqlalchemy import text

from pbem.bootstrap import find_games
from pbem.storage.engine import make_engine, writing
from pbem.storage.models import RatingChangeRow
from pbem.workers.retention import differences
from tests.storage.stock import ALICE, AT, BOB, OPENING, board, played, put, stocked


class Damage(NamedTuple):
    """Damage done to a board that has four moves, and the words of the check for it."""

    statement: str
    """Up to the number of the board."""
    said: str


UNREADABLE = {
    "winners that are no list": Damage("UPDATE boards SET winners = '5' WHERE number", "cannot be read (TypeError)"),
    "winners that end in the middle": Damage(
        "UPDATE boards SET winners = '{' WHERE number", "cannot be read (JSONDecodeError)"
    ),
    "a moment that is none": Damage("UPDATE boards SET finished_at = 'x' WHERE number", "cannot be read (ValueError)"),
    "a clock that is a list": Damage("UPDATE boards SET clock = '[]' WHERE number", "cannot be read (TypeError)"),
}
"""On SQLite, which takes anything for anything."""
WRONG = {
    "a move of the other": Damage(
        "UPDATE events SET seat = 1 WHERE number = 3 AND board_number", "event 3 is by seat 1, while 0 was to act"
    ),
    "a move of nobody": Damage(
        "UPDATE events SET seat = 7 WHERE number = 1 AND board_number", "event 1 is by seat 7, which nobody holds"
    ),
    "other rules": Damage("UPDATE boards SET rules = 99 WHERE number", "rules is 99, known are those up to 1"),
    "no such tournament": Damage(
        "UPDATE boards SET tournament_id = 77, tournament_round = 1, tournament_label = 'A1' WHERE number",
        "there is no tournament 77",
    ),
    "ratings of the unrated": Damage(
        "UPDATE boards SET rated = NOT rated WHERE number", "it is not rated, but has changed ratings"
    ),
}


def found_after(damage: Damage, url: str) -> list[str]:
    """The findings about board 101 once it is damaged, and about 102, whose player on turn is wrong."""
    engine = make_engine(url)
    try:
        stocked(engine, *(played(board(number, ALICE, BOB), *OPENING) for number in (101, 102)))
        change = {"at": AT, "before": 1500, "after": 1510, "games_before": 0, "outcome": 1}
        put(engine, RatingChangeRow, {"board_number": 101, "player_id": 1, "game": "superbo", **change})
        with writing(engine) as connection:
            connection.execute(text(f"{damage.statement} = 101"))
            connection.execute(text("UPDATE boards SET to_act = 1 WHERE number = 102"))
        return list(differences(engine, find_games(), lambda _done, _total: None))
    finally:
        engine.dispose()


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_board_that_cannot_be_read_is_named_and_the_next_is_looked_at(name: str, sqlite_url: str) -> None:
    damage = UNREADABLE[name]
    assert found_after(damage, sqlite_url) == [
        f"board 101: {damage.said}",
        "board 102: to_act is 1, by its events 0",
    ]


@pytest.mark.parametrize("name", WRONG)
def test_what_nobody_would_have_written_is_named(name: str, database_url: str) -> None:
    damage = WRONG[name]
    assert found_after(damage, database_url) == [f"board 101: {damage.said}", "board 102: to_act is 1, by its events 0"]
