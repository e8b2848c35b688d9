"""Finding the clocks that are due, on both databases."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import Engine, select

from pbem.domain.boards import Board
from pbem.domain.clocks import ClockRules
from pbem.domain.events import EventKind
from pbem.domain.players import Vacation
from pbem.domain.vacations import VACATION, Pause
from pbem.errors import Conflict
from pbem.ids import BoardNumber
from pbem.storage.clocks import clock_of, clock_values, look_again
from pbem.storage.engine import reading
from pbem.storage.models import BoardRow
from tests.storage.stock import AT, board, played, player, work

DAY = timedelta(days=1)
ALICE, BOB = player(1, "alice"), player(2, "bob")
SHORT = ClockRules(DAY, 3 * DAY, 10 * DAY, is_own=True)


@pytest.fixture
def stocked(engine: Engine) -> Engine:
    """101 with the usual clock, 102 with a short one, and 103 that is over."""
    uow = work(engine)
    for each in (ALICE, BOB):
        uow.players.save(each)
    uow.boards.save(board(101, ALICE, BOB))
    uow.boards.save(replace(board(102, ALICE, BOB), clock=SHORT))
    uow.boards.save(board(103, ALICE, BOB).with_event(EventKind.RESIGNATION, 0, AT))
    uow.commit()
    return engine


def due(engine: Engine, now: datetime, most: int = 9, without: tuple[int, ...] = ()) -> list[int]:
    with work(engine) as uow:
        return list(uow.clocks.due(now, most, [BoardNumber(each) for each in without]))


def stored(engine: Engine, number: int) -> Board:
    with work(engine) as uow:
        found = uow.boards.find(BoardNumber(number))
    assert found is not None
    return found


def save(engine: Engine, changed: Board) -> None:
    uow = work(engine)
    uow.boards.save(changed)
    uow.commit()


def clock_at(engine: Engine, number: int) -> datetime | None:
    with reading(engine) as connection:
        return connection.scalar(select(BoardRow.clock_at).where(BoardRow.number == number))


def test_active_boards_are_due_when_their_clocks_say_so_the_longest_wait_first(stocked: Engine) -> None:
    assert due(stocked, AT) == []
    assert due(stocked, AT + DAY - DAY / 86400) == []
    assert due(stocked, AT + DAY) == [102]
    assert due(stocked, AT + 7 * DAY) == due(stocked, AT + 99 * DAY) == [102, 101]
    assert due(stocked, AT + 7 * DAY, most=1) == [102]
    assert due(stocked, AT + 7 * DAY, without=(102,)) == [101]


def test_who_writes_a_board_sets_its_clock_that_was_put_off_meanwhile(stocked: Engine) -> None:
    before, was = stored(stocked, 102), clock_at(stocked, 102)
    with work(stocked) as uow:
        read = uow.boards.find(before.number)
        with work(stocked) as other:
            other.clocks.postpone(before, None)
            other.commit()
        assert clock_at(stocked, 102) is None
        assert read is not None
        uow.boards.save(read.with_quiet(ALICE.id, quiet=True))
        uow.commit()
    assert clock_at(stocked, 102) == was is not None


def test_a_clock_is_stored_with_its_board(stocked: Engine) -> None:
    assert stored(stocked, 101).clock == ClockRules()
    assert stored(stocked, 102).clock == SHORT
    nagged = replace(stored(stocked, 102), nagged_at=AT + DAY, forfeit_at=AT + 3 * DAY)
    nagged = replace(nagged, answer_nagged_at=AT + 2 * DAY, answer_by=AT + 4 * DAY)
    save(stocked, nagged)
    assert stored(stocked, 102) == replace(nagged, revision=2)
    assert clock_at(stocked, 102) == AT + 2 * DAY


def test_a_move_puts_the_clock_off(stocked: Engine) -> None:
    after = played(stored(stocked, 101), "C3")
    save(stocked, after)
    assert clock_at(stocked, 101) == after.last_at + 7 * DAY


def test_while_a_clock_stands_it_is_not_looked_at(stocked: Engine) -> None:
    save(stocked, stored(stocked, 101).with_pause(BOB.id, "unreachable", AT + DAY))
    assert due(stocked, AT + 99 * DAY, without=(102,)) == []
    save(stocked, stored(stocked, 101).with_pauses_ended(BOB.id, AT + 11 * DAY))
    assert clock_at(stocked, 101) == AT + 17 * DAY


def test_the_end_of_a_vacation_is_known_beforehand_and_only_the_own_one_counts(stocked: Engine) -> None:
    away = Vacation(AT, AT + 5 * DAY)
    save(stocked, stored(stocked, 101).with_vacation(ALICE.id, away))
    save(stocked, stored(stocked, 102).with_vacation(BOB.id, away))
    assert stored(stocked, 101).pauses == (Pause(ALICE.id, AT, VACATION, AT + 5 * DAY),)
    assert (clock_at(stocked, 101), clock_at(stocked, 102)) == (AT + 12 * DAY, AT + DAY)


def test_a_look_can_be_put_off_unless_something_has_happened_meanwhile(stocked: Engine) -> None:
    before = stored(stocked, 101)
    uow = work(stocked)
    uow.clocks.postpone(before, AT + 9 * DAY)
    uow.commit()
    assert clock_at(stocked, 101) == AT + 9 * DAY
    uow.clocks.postpone(before, None)
    uow.commit()
    assert clock_at(stocked, 101) is None
    save(stocked, played(before, "C3"))  # that was no change of the board
    expected = clock_at(stocked, 101)
    uow.clocks.postpone(before, AT)
    uow.commit()
    assert clock_at(stocked, 101) == expected


def test_two_who_strike_one_clock_do_it_once(stocked: Engine) -> None:
    before = stored(stocked, 101)
    save(stocked, replace(before, nagged_at=AT + 7 * DAY, forfeit_at=AT + 21 * DAY))
    with pytest.raises(Conflict):
        save(stocked, replace(before, nagged_at=AT + 7 * DAY, forfeit_at=AT + 21 * DAY))


@pytest.mark.parametrize(("nagged_at", "forfeit_at"), [("nagged_at", "forfeit_at"), ("answer_nagged_at", "answer_by")])
def test_what_was_put_off_by_a_clock_that_was_ahead_is_looked_at_again(
    stocked: Engine, nagged_at: str, forfeit_at: str
) -> None:
    ahead: dict[str, Any] = {nagged_at: AT + 30 * DAY, forfeit_at: AT + 31 * DAY}
    board = stored(stocked, 101)
    if nagged_at == "answer_nagged_at":
        board = board.with_event(EventKind.OFFER, 0, AT + 29 * DAY, {"of": "draw"})
    save(stocked, replace(board, **ahead))
    now = AT + 2 * DAY
    assert due(stocked, now, without=(102,)) == []
    assert look_again(stocked, now) == 1
    assert due(stocked, now, without=(102,)) == [101]


def test_boards_off_the_lists_are_those_that_ended_before_a_moment(stocked: Engine) -> None:
    with work(stocked) as uow:
        asked = [
            [each.number for each in uow.boards.of_players([ALICE.id], which, None, 9, ended_since=since)]
            for which in ("all", "inactive", "active")
            for since in (AT, AT + DAY)
        ]
        assert asked == [[101, 102, 103], [101, 102], [103], [], [101, 102], [101, 102]]
        assert uow.boards.find(BoardNumber(103)) is not None


def test_the_clock_of_those_who_have_not_moved_is_stored_with_that_of_the_board() -> None:
    for clock in (SHORT, SHORT.opened_as(ClockRules())):
        assert clock_of(clock_values(clock)) == clock
    assert "opening" not in clock_values(SHORT)
