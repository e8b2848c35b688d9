from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from threading import Barrier

import pytest
from sqlalchemy import Connection, Engine, insert

from pbem.domain.boards import Board
from pbem.domain.events import EventKind
from pbem.domain.players import Address
from pbem.errors import Conflict
from pbem.ids import ConfirmationId, PlayerId
from pbem.storage.models import BlockRow, BoardRow, ConfirmationRow, EventRow, LetterKeyRow, PlayerRow, SeatRow
from pbem.storage.unit_of_work import UnitOfWork
from tests.storage.stock import (
    ALICE,
    AT,
    BOB,
    MINUTE,
    OPENING,
    board,
    played,
    player,
    question,
    rows,
    stocked,
)
from tests.storage.stock import work as unit_of_work

STARTED = board(101, ALICE, BOB)
IN_PLAY = played(board(102, ALICE, BOB), *OPENING[:1])


class UseCaseFailed(Exception):
    """A use case that goes wrong."""


def found(uow: UnitOfWork, number: int) -> Board:
    board = uow.boards.find(STARTED.number if number == 101 else IN_PLAY.number)
    assert board is not None
    return board


def move(text: str) -> Callable[[UnitOfWork], None]:
    def decide(uow: UnitOfWork) -> None:
        uow.boards.save(replace(found(uow, 101), events=played(STARTED, text).events))

    return decide


def resign(uow: UnitOfWork) -> None:
    uow.boards.save(found(uow, 101).with_event(EventKind.RESIGNATION, 0, AT))


def announce_resignation(uow: UnitOfWork) -> None:
    uow.boards.save(found(uow, 101).with_resigning(1, True))


def begin_board(uow: UnitOfWork) -> None:
    uow.boards.save(board(uow.boards.next_number(), BOB, ALICE))


def sign_up(userid: str) -> Callable[[UnitOfWork], None]:
    def decide(uow: UnitOfWork) -> None:
        uow.players.save(player(uow.players.next_id(), userid))

    return decide


def sign_up_as_4711(uow: UnitOfWork) -> None:
    uow.players.save(player(4711, "DAVE", "d@example.org"))


def change_addresses(uow: UnitOfWork) -> None:
    uow.players.save(replace(uow.players.get(BOB.id), addresses=(Address("new@example.org", AT),)))


def ask(uow: UnitOfWork) -> None:
    uow.confirmations.save(question(uow.confirmations.next_id(), BOB))


def answer(uow: UnitOfWork) -> None:
    asked = uow.confirmations.find(ConfirmationId(1))
    assert asked is not None
    assert asked.answered_at is None
    uow.confirmations.save(replace(asked, answered_at=AT + MINUTE))


def also(uow: UnitOfWork) -> Callable[[Connection], None]:
    """Something else of one unit of work, to see whether it is written."""
    number = id(uow)

    def write(connection: Connection) -> None:
        connection.execute(insert(LetterKeyRow).values(key=str(number), accepted_at=AT))

    return write


@pytest.fixture
def stock(engine: Engine) -> Engine:
    stocked(engine, STARTED, IN_PLAY)
    with unit_of_work(engine) as uow:
        uow.confirmations.save(question(1, ALICE))
        uow.commit()
    return engine


RIVALS = {
    "the same move": (move("C3"), move("C3")),
    "two moves": (move("C3"), move("B3")),
    "a move and a resignation": (move("C3"), resign),
    "a resignation announced meanwhile": (announce_resignation, move("C3")),
    "a move before a resignation is announced": (move("C3"), announce_resignation),
    "a resignation announced twice": (announce_resignation, announce_resignation),
    "a new board's number": (begin_board, begin_board),
    "a new player's id": (sign_up("dave"), sign_up("erin")),
    "the same userid, spelled otherwise": (sign_up("Dave"), sign_up_as_4711),
    "a player's addresses": (change_addresses, change_addresses),
    "a new question's id": (ask, ask),
    "a question answered twice": (answer, answer),
}
TABLES = (BoardRow, SeatRow, EventRow, PlayerRow, ConfirmationRow)


@pytest.mark.parametrize(("first", "second"), RIVALS.values(), ids=RIVALS.keys())
def test_of_two_who_decide_upon_the_same_one_is_refused_and_nothing_of_it_is_written(
    stock: Engine, first: Callable[[UnitOfWork], None], second: Callable[[UnitOfWork], None]
) -> None:
    with unit_of_work(stock) as one, unit_of_work(stock) as other:
        first(one)
        second(other)
        # What the loser writes besides is of another aggregate each time, written before or after the contested one.
        other.confirmations.save(question(4711, BOB))
        other.players.save(player(4712, "innocent"))
        one.commit(also(one))
        before = [rows(stock, each) for each in TABLES]
        with pytest.raises(Conflict):
            other.commit(also(other))
    assert [rows(stock, each) for each in TABLES] == before
    assert rows(stock, LetterKeyRow) == 1


@pytest.mark.parametrize(("first", "second"), RIVALS.values(), ids=RIVALS.keys())
def test_of_two_who_commit_at_the_same_time_exactly_one_is_refused(
    stock: Engine, first: Callable[[UnitOfWork], None], second: Callable[[UnitOfWork], None]
) -> None:
    both_have_decided = Barrier(2)

    def commit(decide: Callable[[UnitOfWork], None]) -> bool:
        with unit_of_work(stock) as uow:
            decide(uow)
            both_have_decided.wait(20)
            try:
                uow.commit(also(uow))
            except Conflict:
                return False
            return True

    with ThreadPoolExecutor(2) as threads:
        assert sorted(threads.map(commit, (first, second))) == [False, True]
    assert rows(stock, LetterKeyRow) == 1


def test_what_was_refused_can_be_decided_anew(stock: Engine) -> None:
    with unit_of_work(stock) as one, unit_of_work(stock) as other:
        sign_up("dave")(one)
        sign_up("erin")(other)
        one.commit()
        with pytest.raises(Conflict):
            other.commit()
    with unit_of_work(stock) as again:
        sign_up("erin")(again)
        again.commit()
    with unit_of_work(stock) as uow:
        dave, erin = uow.players.by_userid("dave"), uow.players.by_userid("erin")
        assert dave is not None
        assert erin is not None
        assert dave.id != erin.id


def test_boards_that_have_nothing_to_do_with_each_other_are_no_conflict(stock: Engine) -> None:
    with unit_of_work(stock) as one, unit_of_work(stock) as other:
        move("C3")(one)
        other.boards.save(found(other, 102).with_resigning(0, True))
        one.commit()
        other.commit()
    assert rows(stock, EventRow) == 2


def test_who_only_reads_conflicts_with_nobody(stock: Engine) -> None:
    with unit_of_work(stock) as one, unit_of_work(stock) as other:
        found(other, 101)
        move("C3")(one)
        one.commit()
        other.commit()


def test_nothing_is_written_without_a_commit(stock: Engine) -> None:
    before = [rows(stock, each) for each in TABLES]
    with unit_of_work(stock) as uow:
        begin_board(uow)
        sign_up("dave")(uow)
        ask(uow)
        answer(uow)
    assert [rows(stock, each) for each in TABLES] == before


def test_nothing_is_written_when_what_goes_with_it_fails(stock: Engine) -> None:
    def fail(_connection: Connection) -> None:
        raise UseCaseFailed

    before = [rows(stock, each) for each in TABLES]
    with unit_of_work(stock) as uow:
        begin_board(uow)
        with pytest.raises(UseCaseFailed):
            uow.commit(also(uow), fail)
    assert [rows(stock, each) for each in TABLES] == before
    assert rows(stock, LetterKeyRow) == 0


def change_everything(uow: UnitOfWork) -> None:
    move("C3")(uow)
    begin_board(uow)
    sign_up("dave")(uow)
    ask(uow)
    answer(uow)


def test_an_attempt_that_fails_leaves_what_was_there_before_it(stock: Engine) -> None:
    with unit_of_work(stock) as uow:
        change_addresses(uow)
        with suppress(UseCaseFailed), uow.attempt():
            change_everything(uow)
            raise UseCaseFailed
        assert found(uow, 101).event_number == 0
        assert uow.players.by_userid("dave") is None
        assert uow.players.get(BOB.id).confirmed == ("new@example.org",)
        uow.commit()
    assert [rows(stock, each) for each in TABLES] == [2, 4, 1, 3, 1]


def test_an_attempt_that_fails_leaves_nothing_in_what_was_first_asked_for_in_it(stock: Engine) -> None:
    with unit_of_work(stock) as uow:
        with suppress(UseCaseFailed), uow.attempt():
            asked = uow.confirmations
            change_everything(uow)
            raise UseCaseFailed
        assert uow.confirmations is asked
        assert not asked.saved
        uow.commit()
    assert [rows(stock, each) for each in TABLES] == [2, 4, 1, 3, 1]


def test_players_are_written_before_what_refers_to_them_whichever_was_asked_for_first(stock: Engine) -> None:
    with unit_of_work(stock) as uow:
        uow.blocks.block(BOB.id, PlayerId(4711))
        sign_up_as_4711(uow)
        uow.commit()
    assert rows(stock, BlockRow) == 1


def test_an_attempt_that_succeeds_is_kept(stock: Engine) -> None:
    with unit_of_work(stock) as uow:
        with uow.attempt():
            change_everything(uow)
        uow.commit()
    assert [rows(stock, each) for each in TABLES] == [3, 6, 2, 4, 2]


def test_a_rehearsal_is_seen_while_it_lasts_and_leaves_nothing(stock: Engine) -> None:
    with unit_of_work(stock) as uow:
        with uow.rehearsal():
            change_everything(uow)
            assert found(uow, 101).event_number == 1
        assert found(uow, 101).event_number == 0
        assert uow.boards.next_number() == 103
        uow.commit()
    assert [rows(stock, each) for each in TABLES] == [2, 4, 1, 3, 1]


def test_a_rehearsal_that_fails_leaves_nothing_either(stock: Engine) -> None:
    with unit_of_work(stock) as uow:
        with suppress(UseCaseFailed), uow.rehearsal():
            change_everything(uow)
            raise UseCaseFailed
        uow.commit()
    assert [rows(stock, each) for each in TABLES] == [2, 4, 1, 3, 1]


def test_what_is_read_is_of_one_moment_until_it_is_released(stock: Engine) -> None:
    with unit_of_work(stock) as uow:
        assert found(uow, 102).event_number == 1
        with unit_of_work(stock) as other:
            move("C3")(other)
            other.commit()
        assert found(uow, 101).event_number == 0
        uow.release()
        assert found(uow, 101).event_number == 1


def test_deciding_holds_no_lock(stock: Engine) -> None:
    """Were there one, the second commit would wait for the first unit of work, which waits for it."""
    with unit_of_work(stock) as slow:
        change_everything(slow)
        with unit_of_work(stock) as quick:
            quick.boards.save(found(quick, 102).with_resigning(0, True))
            quick.commit()
        slow.commit()
