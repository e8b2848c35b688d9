"""Migration 0025: variants get ratings of their own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Engine, bindparam, text

from pbem.domain.ratings import Rating, Score, average, rated
from pbem.games.hextile.mambo import MAMBO
from pbem.storage import schema
from pbem.storage.engine import reading, writing
from pbem.storage.models import UtcDateTime
from pbem.storage.operators import miscounted
from pbem.storage.unit_of_work import UnitOfWork
from pbem.usecases.context import GameStateCache
from pbem.workers.retention import differences
from tests.storage.stock import ALICE, AT, BOB, CAROL, MINUTE, board, stocked

GAMES: tuple[tuple[int, Mapping[str, Any], tuple[Any, Any], bool], ...] = (
    (101, {}, (ALICE, BOB), False),
    (102, {"mambogo": True, "size": 40}, (CAROL, BOB), False),
    (103, {"size": 40}, (BOB, ALICE), False),
    (104, {"mamba": True}, (ALICE, CAROL), True),
    (105, {"mambogo": True}, (BOB, CAROL), False),
)
"""By time: the board, its options, winner and loser, and whether it was annulled."""
_RATING = text(
    "INSERT INTO ratings (player_id, game, rating, games, won, lost, tied, last_at, here, revision)"
    " VALUES (:player, 'mambo', :rating, :games, :won, :lost, 0, :last_at, true, 3)"
).bindparams(bindparam("last_at", type_=UtcDateTime()))
_CHANGE = text(
    "INSERT INTO rating_changes (board_number, player_id, game, at, before, after, games_before, outcome, undone_at)"
    " VALUES (:board, :player, 'mambo', :at, :before, :after, :games, :outcome, :undone_at)"
).bindparams(bindparam("at", type_=UtcDateTime()), bindparam("undone_at", type_=UtcDateTime()))
RATINGS = "SELECT player_id, variant, rating, won, lost, revision FROM ratings ORDER BY player_id, variant"
CHANGES = "SELECT board_number, player_id, before, after, games_before FROM rating_changes WHERE undone_at IS NULL"


def rows(engine: Engine, query: str) -> list[tuple[Any, ...]]:
    with reading(engine) as connection:
        return [tuple(row) for row in connection.execute(text(query))]


@pytest.fixture
def rated_as_one(bare_engine: Engine) -> Engine:
    """A database in which all variants of Mambo share one rating."""
    schema.upgrade(bare_engine, "0024")
    with writing(bare_engine) as connection:
        connection.execute(text("ALTER TABLE seats ADD COLUMN plan JSON"))  # which boards of today have
    stocked(bare_engine)
    uow = UnitOfWork(bare_engine, GameStateCache({"mambo": MAMBO}))
    for number, options, players, _ in GAMES:
        uow.boards.save(replace(board(number, *players), game="mambo", options=options))
    uow.commit()
    with writing(bare_engine) as connection:
        connection.execute(text("ALTER TABLE seats DROP COLUMN plan"))
    now = {each.id: Rating() for each in (ALICE, BOB, CAROL)}
    with writing(bare_engine) as connection:
        for number, _, players, annulled in GAMES:
            at = AT + number * MINUTE
            before = [now[each.id] for each in players]
            values = rated(before, (Score.WIN, Score.LOSS), average(0, 0))
            for each, was, value, score in zip(players, before, values, (Score.WIN, Score.LOSS), strict=True):
                change = {"board": number, "player": each.id, "before": was.value, "after": value, "games": was.games}
                undone_at = at if annulled else None
                connection.execute(_CHANGE, {**change, "at": at, "outcome": int(score), "undone_at": undone_at})
                now[each.id] = was if annulled else was.with_game(value, score, at)
        for player, rating in now.items():
            counts = {"rating": rating.value, "games": rating.games, "won": rating.won, "lost": rating.lost}
            connection.execute(_RATING, {"player": player, "last_at": rating.last_at, **counts})
    return bare_engine


def test_ratings_are_split_by_variant_and_no_game_is_lost(rated_as_one: Engine) -> None:
    before = dict(rows(rated_as_one, "SELECT player_id, rating FROM ratings"))
    schema.upgrade(rated_as_one)
    assert rows(rated_as_one, RATINGS) == [
        (ALICE.id, "", before[ALICE.id], 1, 1, 3),
        (BOB.id, "", 1600, 1, 1, 4),
        (BOB.id, "mambogo", 1575, 1, 1, 4),
        (CAROL.id, "mambogo", before[CAROL.id], 1, 1, 3),
    ]
    assert rows(rated_as_one, f"{CHANGES} AND player_id = {BOB.id} ORDER BY at") == [
        (101, BOB.id, 1600, 1400, 0),
        (102, BOB.id, 1600, 1400, 0),
        (103, BOB.id, 1400, 1600, 1),
        (105, BOB.id, 1400, 1575, 1),
    ]
    of_boards = "SELECT DISTINCT board_number, variant FROM rating_changes ORDER BY board_number"
    variants = [(101, ""), (102, "mambogo"), (103, ""), (104, "mamba"), (105, "mambogo")]
    assert rows(rated_as_one, of_boards) == variants
    assert rows(rated_as_one, "SELECT count(*) FROM ratings WHERE idle_since IS NULL AND here") == [(4,)]
    assert miscounted(rated_as_one) == []
    assert list(differences(rated_as_one, {"mambo": MAMBO}, lambda _done, _total: None)) == []


def test_who_has_played_one_variant_alone_keeps_every_change(rated_as_one: Engine) -> None:
    others = f"{CHANGES} AND player_id <> {BOB.id} ORDER BY at, player_id"
    before = rows(rated_as_one, others)
    schema.upgrade(rated_as_one)
    assert rows(rated_as_one, others) == before


def test_games_that_no_change_tells_of_stay_with_the_usual_game(rated_as_one: Engine) -> None:
    with writing(rated_as_one) as connection:
        more = text("UPDATE ratings SET games = games + 3, won = won + 3 WHERE player_id = :carol")
        connection.execute(more, {"carol": CAROL.id})
    schema.upgrade(rated_as_one)
    of_all = "SELECT player_id, variant, games, won, lost FROM ratings ORDER BY player_id, variant"
    of_carol = [row[1:] for row in rows(rated_as_one, of_all) if row[0] == CAROL.id]
    assert of_carol == [("", 3, 3, 0), ("mambogo", 2, 1, 1)]


def test_taken_back_all_are_rated_as_one_again(rated_as_one: Engine) -> None:
    ratings = "SELECT player_id, rating, games, won, lost, tied FROM ratings ORDER BY player_id"
    before = rows(rated_as_one, ratings), rows(rated_as_one, f"{CHANGES} ORDER BY at, player_id")
    schema.upgrade(rated_as_one)
    schema.downgrade(rated_as_one, "0024")
    assert (rows(rated_as_one, ratings), rows(rated_as_one, f"{CHANGES} ORDER BY at, player_id")) == before
