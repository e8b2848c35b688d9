"""Openings of finished games: counted once, taken out again, and equal to a count of all games by brute force."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import Engine, func, select

from pbem.domain.boards import Board
from pbem.domain.events import EventKind
from pbem.domain.game_state import follow
from pbem.domain.openings import MOST_TURNS, CountedGame, Tally, key_of, opening_of, turn_said
from pbem.domain.ratings import RatingChange, Score
from pbem.errors import Conflict
from pbem.games.hextile.superbo import SUPERBO
from pbem.storage.engine import reading
from pbem.storage.models import OpeningGameRow, OpeningTurnRow
from pbem.storage.unit_of_work import UnitOfWork
from pbem.usecases.openings import count_opening
from pbem.workers.openings import count_anew
from tests.storage.stock import ALICE, AT, BOB, WON, board, played, stocked, work

START = SUPERBO.begin({}, 2)


def counts(engine: Engine) -> tuple[int, int]:
    """The games that count, and the sum over all turns."""
    with reading(engine) as connection:
        turns = connection.scalar(select(func.coalesce(func.sum(OpeningTurnRow.games), 0)))
        return connection.scalars(select(func.count()).select_from(OpeningGameRow)).one(), int(turns or 0)


def count(board: Board, uow: UnitOfWork) -> None:
    count_opening(board, follow(board, SUPERBO), SUPERBO, uow)


def at_random(number: int, lot: random.Random) -> Board:
    """A game of random turns, which ends in most cases by a resignation."""
    after, position = board(number, ALICE, BOB), START
    for _ in range(lot.randrange(1, 14)):
        before, steps = position, []
        while position.outcome is None and position.ply == before.ply:
            steps.append(lot.choice(position.legal()))
            position = position.play(steps[-1])
        seat = before.to_act
        if seat is None or not steps:
            return after
        after = after.with_event(EventKind.MOVE, seat, after.last_at, SUPERBO.input_record(before, steps))
    seat = position.to_act
    return after if seat is None else after.with_event(EventKind.RESIGNATION, seat, after.last_at)


def by_brute_force(boards: list[Board]) -> dict[tuple[bytes, bytes], Counter[str]]:
    """The sums that the openings should come to, from positions compared in the plainest way."""
    found: dict[tuple[bytes, bytes], Counter[str]] = {}
    for each in boards:
        course = follow(each, SUPERBO)
        assert course.result is not None
        position = START
        for event in [each for each in each.events if each.kind is EventKind.MOVE][:MOST_TURNS]:
            before, seat = key_of(SUPERBO, {}, position), position.to_act
            position = SUPERBO.play_input(position, SUPERBO.input_steps(position, event.record))
            tally = found.setdefault((before, key_of(SUPERBO, {}, position)), Counter())
            tally.update(games=1, won=int(seat in course.result.winners), tied=int(not course.result.winners))
    return found


@pytest.mark.parametrize("games", [60, pytest.param(10_000, marks=[pytest.mark.verify, pytest.mark.timeout(3600)])])
def test_what_is_counted_as_games_end_is_what_a_count_of_all_games_gives(engine: Engine, games: int) -> None:
    stocked(engine)
    lot = random.Random(31)
    boards = [at_random(number, lot) for number in range(101, 101 + games)]
    for each in boards:
        with work(engine) as uow:
            uow.boards.save(each)
            count(each, uow)
            uow.commit()
    expected = by_brute_force(boards)
    for _ in range(2):
        with reading(engine) as connection:
            rows = connection.execute(select(*OpeningTurnRow.__table__.c)).all()
        kept = {(row.before, row.after): Counter(games=row.games, won=row.won, tied=row.tied) for row in rows}
        assert kept == expected
        assert count_anew(engine, {"superbo": SUPERBO}, lambda _done, _all: None) == games
    with work(engine) as uow:
        turns, people, robots = uow.openings.after(key_of(SUPERBO, {}, START), 100)
    assert people.games == sum(each.people.games for each in turns) == games
    assert robots == Tally()
    assert [each.people.games for each in turns] == sorted((each.people.games for each in turns), reverse=True)


def test_turns_are_said_in_the_words_of_whatever_position_is_alike(engine: Engine) -> None:
    stocked(engine)
    with work(engine) as uow:
        over = played(board(101, ALICE, BOB), *WON)
        uow.boards.save(over)
        count(over, uow)
        uow.commit()
    straight = SUPERBO.read_input(SUPERBO.read_input(START, "B3").position, "C4,K5").position
    swapped = SUPERBO.read_input(START, "B3").position
    for position in (straight, swapped):
        with work(engine) as uow:
            (turn,), _, _ = uow.openings.after(key_of(SUPERBO, {}, position), 10)
        (said,), after = turn_said(SUPERBO, position, turn.record)
        assert SUPERBO.read_input(position, said).position.contents == after.contents


def test_a_game_counts_once_and_no_longer_if_it_does_not_count_after_all(engine: Engine) -> None:
    stocked(engine)
    over = played(board(101, ALICE, BOB), *WON)
    with work(engine) as uow:
        uow.boards.save(over)
        for _ in range(2):
            count(over, uow)
        uow.commit()
    assert counts(engine) == (1, 5)
    with work(engine) as uow:
        count(over, uow)
        uow.commit()
    assert counts(engine) == (1, 5)
    annulled = over.with_event(EventKind.ANNULMENT, 0, AT + timedelta(days=1))
    with work(engine) as uow:
        count(annulled, uow)
        uow.commit()
    assert counts(engine) == (0, 0)


@pytest.mark.parametrize(
    "left_out",
    [
        replace(played(board(101, ALICE, BOB), *WON), of_guest=True),
        played(board(101, ALICE, BOB), *WON[:3]),
        board(101, ALICE, BOB).with_event(EventKind.DECLINE, 0, AT),
    ],
)
def test_games_of_guests_those_in_play_and_declined_ones_do_not_count(engine: Engine, left_out: Board) -> None:
    stocked(engine)
    with work(engine) as uow:
        uow.boards.save(left_out)
        count(left_out, uow)
        uow.commit()
    assert counts(engine) == (0, 0)


def test_ratings_are_those_after_the_game(engine: Engine) -> None:
    stocked(engine)
    over = played(board(101, ALICE, BOB), *WON)
    with work(engine) as uow:
        uow.boards.save(over)
        uow.ratings.note(over.number, "superbo", [RatingChange(ALICE.id, "Alice", 1600, 1800, 0, Score.WIN, AT)])
        count(over, uow)
        uow.commit()
    with work(engine) as uow:
        _, people, _ = uow.openings.after(key_of(SUPERBO, {}, START), 10)
    assert (people.games, people.won, people.share, people.rating) == (1, 1, 1.0, 1800)


def test_two_who_count_the_same_game_do_not_count_it_twice(engine: Engine) -> None:
    stocked(engine)
    over = played(board(101, ALICE, BOB), *WON)
    with work(engine) as uow:
        uow.boards.save(over)
        uow.commit()
    with work(engine) as one, work(engine) as other:
        count(over, one)
        count(over, other)
        one.commit()
        with pytest.raises(Conflict):
            other.commit()
    assert counts(engine) == (1, 5)


def test_turns_that_were_taken_back_do_not_count() -> None:
    over = played(board(101, ALICE, BOB), "B3", "C4,K5")
    back = over.with_event(EventKind.UNDO, 1, AT, {"back_to": 1})
    assert [turn.seat for turn in opening_of(over, SUPERBO)] == [0, 1]
    assert [turn.seat for turn in opening_of(back, SUPERBO)] == [0]


def test_a_tally_without_games_has_no_share() -> None:
    tally = Tally()
    assert (tally.share, tally.rating) == (0.0, None)
    game = CountedGame(False, (), (1500, None))
    tally.add(game, 0)
    assert (tally.share, tally.rating, tally.tied) == (0.5, 1500, 1)
    tally.add(game, 0, -1)
    assert tally == Tally()
