from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import Engine

from pbem.domain.ratings import Rating, Score
from pbem.errors import Conflict
from pbem.ids import BoardNumber
from pbem.storage.engine import reading
from pbem.storage.ratings import KeptSums, RatingRepository
from tests.storage.rated import DAY, GAINED, LATELY, LONG_AGO, LOST, OVER, keep
from tests.storage.stock import ALICE, AT, BOB, CAROL, OPENING, board, played, stocked
from tests.storage.stock import work as unit_of_work


def test_a_rating_comes_back_as_it_was_saved(engine: Engine) -> None:
    stocked(engine)
    with unit_of_work(engine) as uow:
        assert uow.ratings.of(ALICE.id, "superbo") == Rating()
    rating = Rating(1712, won=3, lost=2, tied=1, last_at=AT)
    keep(engine, ALICE, rating)
    with unit_of_work(engine) as uow:
        assert uow.ratings.of(ALICE.id, "superbo") == replace(rating, revision=1)
        assert uow.ratings.of(ALICE.id, "mamba") == uow.ratings.of(BOB.id, "superbo") == Rating()


def test_of_two_who_rate_a_player_at_the_same_time_one_has_to_begin_again(engine: Engine) -> None:
    stocked(engine)
    for _ in range(2):
        with unit_of_work(engine) as first, unit_of_work(engine) as second:
            for uow in (first, second):
                now = uow.ratings.of(ALICE.id, "superbo")
                uow.ratings.save(ALICE.id, "superbo", now.with_game(now.value + 10, Score.WIN, AT))
            first.commit()
            with pytest.raises(Conflict):
                second.commit()
    with unit_of_work(engine) as uow:
        assert uow.ratings.of(ALICE.id, "superbo").games == 2


def test_the_changes_of_a_board_are_kept_and_may_be_taken_back(engine: Engine) -> None:
    stocked(engine, OVER)
    with unit_of_work(engine) as uow:
        uow.ratings.note(OVER.number, "superbo", [GAINED, LOST])
        assert uow.ratings.changes(OVER.number) == (GAINED, LOST)
        uow.commit()
    undone = [replace(each, undone_at=AT + DAY) for each in (GAINED, LOST)]
    with unit_of_work(engine) as uow:
        assert uow.ratings.changes(OVER.number) == [GAINED, LOST]
        assert uow.ratings.changes(BoardNumber(102)) == []
        uow.ratings.note(OVER.number, "superbo", undone)
        uow.commit()
    with unit_of_work(engine) as uow:
        assert uow.ratings.changes(OVER.number) == undone


def test_what_is_tried_and_refused_leaves_no_rating(engine: Engine) -> None:
    stocked(engine, OVER)
    with unit_of_work(engine) as uow:
        with uow.rehearsal():
            uow.ratings.save(ALICE.id, "superbo", Rating(1800, won=1, last_at=AT))
            uow.ratings.note(OVER.number, "superbo", [GAINED])
        assert uow.ratings.of(ALICE.id, "superbo") == Rating()
        assert uow.ratings.changes(OVER.number) == []


def test_the_established_of_late_are_those_that_count_for_the_average(engine: Engine) -> None:
    stocked(engine, replace(OVER, seats=(OVER.seats[1], OVER.seats[1])), played(board(102, CAROL, CAROL), *OPENING[:1]))
    with unit_of_work(engine) as uow:
        assert uow.ratings.established("superbo", LATELY) == (0, 0)
    keep(engine, ALICE, Rating(1500, won=20, last_at=LONG_AGO))
    keep(engine, BOB, Rating(1700, won=20, last_at=LONG_AGO))
    keep(engine, CAROL, Rating(1801, won=20, last_at=LONG_AGO))
    keep(engine, ALICE, Rating(1900, won=20, last_at=AT), "mamba")
    with unit_of_work(engine) as uow:
        assert uow.ratings.established("superbo", LATELY) == (3501, 2)
        assert uow.ratings.established("superbo", AT + DAY) == (1801, 1)
        assert uow.ratings.established("mamba", LATELY) == (1900, 1)
        assert uow.ratings.established("mamba", AT + DAY) == (0, 0)


def test_what_this_letter_has_rated_counts_for_the_average(engine: Engine) -> None:
    stocked(engine)
    keep(engine, ALICE, Rating(1500, won=20, last_at=AT))
    keep(engine, BOB, Rating(1700, won=19, last_at=AT))
    with unit_of_work(engine) as uow:
        for who, value in ((ALICE, 1510), (BOB, 1690)):
            uow.ratings.save(who.id, "superbo", uow.ratings.of(who.id, "superbo").with_game(value, Score.TIE, AT))
        assert uow.ratings.established("superbo", LATELY) == (3200, 2)
        assert uow.ratings.established("superbo", AT + DAY) == (3200, 2)
        uow.ratings.save(ALICE.id, "superbo", uow.ratings.of(ALICE.id, "superbo").without_game(10, Score.TIE))
        uow.ratings.save(BOB.id, "superbo", uow.ratings.of(BOB.id, "superbo").without_game(-10, Score.TIE))
        assert uow.ratings.established("superbo", LATELY) == (1500, 1)


def test_the_sums_of_a_large_pool_are_added_up_once_an_hour(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    stocked(engine, OVER)
    keep(engine, ALICE, Rating(1700, won=12, lost=8, last_at=AT))
    sums = KeptSums()
    with reading(engine) as connection:
        before = RatingRepository(lambda: connection, sums).established("superbo", LATELY)
        assert sums.find("superbo", "", LATELY) is None, "a small pool is added up each time"
        monkeypatch.setattr(KeptSums, "LARGE", 1)
        assert RatingRepository(lambda: connection, sums).established("superbo", LATELY) == before == (1700, 1)
    keep(engine, BOB, Rating(1500, won=12, lost=8, last_at=AT))
    with reading(engine) as connection:
        ratings = [RatingRepository(lambda: connection, sums) for _ in range(3)]
        assert ratings[0].established("superbo", LATELY + timedelta(minutes=59)) == before
        assert ratings[1].established("superbo", LATELY + timedelta(hours=1)) == (3200, 2)
        ratings[2].save(ALICE.id, "superbo", Rating(1710, won=13, lost=8, last_at=AT, revision=1))
        assert ratings[2].established("superbo", LATELY + timedelta(hours=1)) == (3210, 2)
