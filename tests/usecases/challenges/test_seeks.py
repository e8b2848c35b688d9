"""Seeks and challenges that come at the same time, and the lots that are drawn for them."""

from __future__ import annotations

import pytest

from pbem.commands.challenges import Challenge, LimitBoards, Seek
from pbem.commands.command import Command
from pbem.domain.replies import Signer
from pbem.errors import Conflict
from pbem.ids import BoardNumber
from pbem.usecases.challenging import AtLimit, InvalidChallenge
from tests.support.handlers import NUMBER, HandlerFixture, told

SEEK = Seek("mamba", 1, ("size=11",))


def boards(handlers: HandlerFixture) -> list[str]:
    """The players of each board, by seat."""
    with handlers.work() as uow:
        return [" ".join(holder.userid for holder in board.seats) for board in uow.boards.each()]


def at_once(handlers: HandlerFixture, one: tuple[str, Command], other: tuple[str, Command]) -> None:
    """Two commands are decided upon before either is written; who comes second has to begin again."""
    with handlers.work() as first, handlers.work() as second:
        handlers.decides(first, *one)
        handlers.decides(second, *other)
        first.commit()
        with pytest.raises(Conflict):
            second.commit()


def test_two_who_begin_to_seek_at_the_same_time_meet(handlers: HandlerFixture) -> None:
    at_once(handlers, ("ann", SEEK), ("ben", SEEK))
    assert told(handlers.asks("ben", SEEK)) == {"ann": "new_board", "ben": "new_board"}
    assert sorted(boards(handlers)[0].split()) == ["ann", "ben"]


def test_one_seek_is_not_used_by_two(handlers: HandlerFixture) -> None:
    handlers.asks("ann", SEEK)
    at_once(handlers, ("ben", SEEK), ("cat", SEEK))
    assert told(handlers.asks("cat", SEEK)) == {"cat": "seeks"}
    assert len(boards(handlers)) == 1
    assert told(handlers.asks("dan", SEEK)) == {"cat": "new_board", "dan": "new_board"}


def test_a_seek_that_is_ended_at_the_same_time_starts_no_board(handlers: HandlerFixture) -> None:
    handlers.asks("ann", SEEK)
    at_once(handlers, ("ann", Seek("mamba", 0)), ("ben", SEEK))
    assert told(handlers.asks("ben", SEEK)) == {"ben": "seeks"}
    assert boards(handlers) == []


def test_two_challenges_at_the_same_time_do_not_pass_a_limit(handlers: HandlerFixture) -> None:
    handlers.asks("cat", LimitBoards("mamba", 1))
    challenge = Challenge("mamba", ("cat",))
    at_once(handlers, ("ann", challenge), ("ben", challenge))
    with pytest.raises(InvalidChallenge) as refused:
        handlers.asks("ben", challenge)
    reasons = refused.value.facts["reasons"]
    assert isinstance(reasons, tuple)
    assert [type(each) for each in reasons] == [AtLimit]
    assert boards(handlers) == ["ann cat"]


def test_the_order_is_a_lot_that_can_be_drawn_again_and_not_foreseen(handlers: HandlerFixture) -> None:
    for _ in range(8):
        handlers.challenges("ann", "ben", "cat", options="inorder random")
    orders = boards(handlers)
    assert len(set(orders)) > 2
    names = ("ann", "ben", "cat")
    for key, same in (("a key", True), ("another key", False)):
        tag = Signer([key]).tag
        drawn = [
            " ".join(sorted(names, key=lambda name: tag("order", number, names.index(name))))
            for number in range(NUMBER, NUMBER + 8)
        ]
        assert (drawn == orders) is same


def test_the_boards_of_a_pair_know_each_other_and_each_player_begins_once(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben", options="pair random unrated nagtime=2 forfeittime=5")
    with handlers.work() as uow:
        first, second = uow.boards.each()
    assert (first.pair, second.pair) == (BoardNumber(102), BoardNumber(101))
    assert [holder.userid for holder in first.seats] == [holder.userid for holder in second.seats[::-1]]
    begin = [board.seats[board.first].userid for board in (first, second)]
    assert sorted(begin) == ["ann", "ben"]
    assert first.clock == second.clock
    assert first.clock.is_own
    assert not first.rated
    assert not second.rated
