"""Counts kept as boards begin and end equal those of counting them one by one, as the migration does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import Engine

from pbem.domain.boards import Board, SeatHolder
from pbem.domain.events import BY_OPERATOR, EventKind
from pbem.domain.players import Standing
from pbem.domain.ratings import Rating, Score
from pbem.ids import BoardNumber
from tests.storage.stock import ALICE, AT, BOB, CAROL, MINUTE, OPENING, WON, board, played, stocked, work
from tests.support.tallies import kept_and_counted

IN_PLAY = played(board(101, ALICE, BOB), *OPENING[:2])
OVER = played(board(102, BOB, ALICE), *WON)
ALONE = board(103, CAROL, CAROL)
THREE = replace(board(104, ALICE, BOB, CAROL), game="mamba", options={"inorder": True}, first=1)
LATER = AT + timedelta(hours=1)


def forfeited(before: Board) -> Board:
    return before.with_event(EventKind.FORFEIT, 0, LATER)


def ended_by_operator(before: Board) -> Board:
    return before.with_event(EventKind.FORFEIT, 1, LATER, BY_OPERATOR)


def declined(before: Board) -> Board:
    return before.with_decline(before.players[0], LATER, restarts=len(before.seats) > 2)


def annulled(before: Board) -> Board:
    return before.with_event(EventKind.ANNULMENT, 0, LATER)


def taken_back(before: Board) -> Board:
    return before.with_event(EventKind.UNDO, 0, LATER, {"back_to": 1})


def handed_over(before: Board) -> Board:
    return before.with_handover(0, SeatHolder(CAROL.id, CAROL.userid), LATER)


DEEDS: dict[str, list[tuple[int, Callable[[Board], Board]]]] = {
    "nothing": [],
    "moves": [(103, lambda before: played(before, *OPENING))],
    "the end of a game against oneself": [(103, forfeited)],
    "a forfeit that does not end the game": [(104, forfeited)],
    "one that does": [(101, forfeited)],
    "an end that the operator has decided on": [(101, ended_by_operator)],
    "a decline": [(103, declined)],
    "a decline that leaves two": [(104, declined)],
    "an annulment": [(101, annulled)],
    "the same of what was over": [(102, annulled)],
    "a game that goes on again": [(102, taken_back)],
    "another player": [(101, handed_over)],
    "another player, who forfeits": [(101, handed_over), (101, forfeited)],
    "one after the other": [(101, forfeited), (103, forfeited), (102, annulled), (101, annulled)],
}


@pytest.mark.parametrize("deeds", DEEDS.values(), ids=list(DEEDS))
def test_boards_are_counted_whatever_becomes_of_them(
    engine: Engine, deeds: list[tuple[int, Callable[[Board], Board]]]
) -> None:
    stocked(engine, IN_PLAY, OVER, ALONE, THREE)
    rate(engine)
    for number, deed in deeds:
        with work(engine) as uow:
            before = uow.boards.find(BoardNumber(number))
            assert before is not None
            uow.boards.save(deed(before))
            uow.commit()
    kept, counted = kept_and_counted(engine)
    assert kept == counted


def rate(engine: Engine) -> None:
    """Give ratings to Alice and Bob."""
    with work(engine) as uow:
        for who in (ALICE, BOB):
            uow.ratings.save(who.id, "superbo", Rating().with_game(1700, Score.WIN, AT + 2 * MINUTE))
        uow.commit()


def test_boards_of_one_unit_of_work_are_counted_together(engine: Engine) -> None:
    stocked(engine, IN_PLAY, OVER)
    with work(engine) as uow:
        before = uow.boards.find(IN_PLAY.number)
        assert before is not None
        uow.boards.save(forfeited(before))
        uow.boards.save(board(105, ALICE, CAROL))
        uow.boards.save(forfeited(played(board(106, CAROL, BOB), *OPENING[:1])))
        uow.boards.save(forfeited(board(107, CAROL, BOB)))
        uow.commit()
        assert uow.boards.count("superbo") == (1, 4, 3)
        assert uow.rankings.reliability(CAROL.id).forfeits == 1
    kept, counted = kept_and_counted(engine)
    assert kept == counted
    with work(engine) as uow:
        assert uow.boards.count("superbo") == (1, 4, 3)


def test_who_leaves_is_in_no_standings_any_more_also_if_he_is_rated_then(engine: Engine) -> None:
    stocked(engine, OVER)
    rate(engine)
    with work(engine) as uow:
        uow.players.save(replace(uow.players.get(ALICE.id), standing=Standing.GONE))
        uow.ratings.save(ALICE.id, "mamba", Rating().with_game(1700, Score.WIN, AT))
        uow.commit()
    kept, counted = kept_and_counted(engine)
    assert kept == counted
    with work(engine) as uow:
        found = [uow.rankings.standings(game, AT, 9).provisional.rows for game in ("superbo", "mamba")]
        assert [[each.userid for each in rows] for rows in found] == [["bob"], []]
        uow.players.save(replace(uow.players.get(ALICE.id), standing=Standing.FROZEN))
        uow.commit()
    with work(engine) as uow:
        assert len(uow.rankings.standings("mamba", AT, 9).provisional.rows) == 1
