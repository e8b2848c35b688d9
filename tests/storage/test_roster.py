from __future__ import annotations

from sqlalchemy import Engine

from pbem.ids import PlayerId
from pbem.storage.engine import reading
from pbem.storage.operators import mailable_players, player_rows
from pbem.storage.overview import overview
from tests.storage.stock import ALICE, AT, BOB, CAROL, board, played, stocked

TABLE = played(board(101, ALICE, BOB), "C3", "H10,M1")


def test_everybody_with_a_confirmed_address_is_found_in_batches(engine: Engine) -> None:
    stocked(engine, TABLE)
    with reading(engine) as connection:
        assert mailable_players(connection, PlayerId(0), 2, playing=False) == [ALICE.id, BOB.id]
        assert mailable_players(connection, BOB.id, 2, playing=False) == [CAROL.id]
        assert mailable_players(connection, PlayerId(0), 9, playing=True) == [ALICE.id, BOB.id]
        assert [row["userid"] for row in player_rows(connection, "work.", None, 9)] == ["bob"]
        assert [row["boards"] for row in player_rows(connection, "", None, 9)] == [1, 1, 0]
        assert overview(connection, AT)["boards_active"] == 1
