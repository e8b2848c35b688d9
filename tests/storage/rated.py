"""A board that was rated, and ratings that players have, for tests of what is kept and listed of them."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import Engine

from pbem.domain.players import Player
from pbem.domain.ratings import Rating, RatingChange, Score
from tests.storage.stock import ALICE, AT, BOB, WON, board, played, work

DAY = timedelta(days=1)
LONG_AGO = AT - timedelta(days=400)
LATELY = AT - timedelta(days=90)
OVER = played(board(101, ALICE, BOB), *WON)
GAINED = RatingChange(ALICE.id, "Alice", 1600, 1800, 0, Score.WIN, AT)
LOST = RatingChange(BOB.id, "bob", 1600, 1400, 0, Score.LOSS, AT)


def keep(engine: Engine, who: Player, rating: Rating, game: str = "superbo") -> None:
    """Have a player stand so in a game."""
    with work(engine) as uow:
        uow.ratings.save(who.id, game, rating)
        uow.commit()
