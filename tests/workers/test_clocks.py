"""The clocks of a whole server, on both databases, with the workers stepped by hand and the time made."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy.exc import OperationalError

from pbem.commands.internal import StrikeClock
from pbem.domain.boards import Board
from pbem.domain.clocks import MISSED
from pbem.domain.mails import Notice
from pbem.executor import CommandExecutor
from pbem.ids import BoardNumber
from pbem.storage.process_notifier import Topic
from pbem.usecases import dispatcher
from pbem.usecases.context import Context
from pbem.workers.clocks import ClockRunner
from tests.support.stepped_server import SteppedServer, goes_out_of_order

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
ALICE, BOB = "alice@example.org", "bob@example.org"


class Tower:
    """Alice and Bob, boards of theirs, and a clock that is ahead by so much."""

    def __init__(self, stepped: SteppedServer, boards: int = 1) -> None:
        self.stepped = stepped
        self.ahead = timedelta(0)
        self.woken: list[Topic] = []
        for userid in ("alice", "bob"):
            stepped.gets(f"signup {userid} secret", sender=f"{userid}@example.org")
        for _ in range(boards):
            stepped.gets("superbo challenge alice bob")
        stepped.works()
        self.mails = len(stepped.told())
        self.runner = self.run()

    def run(self) -> ClockRunner:
        """A runner of a process that begins now."""
        server = self.stepped.server
        return ClockRunner(
            CommandExecutor(
                server.unit_of_work, server.parts.make_context, server.parts.composer, server.outbox, self.woken.append
            ),
            server.inbox,
            clock=lambda: datetime.now(UTC) + self.ahead,
            seconds=lambda: datetime.now(UTC).timestamp() + self.ahead.total_seconds(),
        )

    def strikes(self, at: timedelta) -> list[tuple[str, str]]:
        """The recipients and mails when so much time has passed since the beginning."""
        self.ahead = at
        while self.runner.step():
            pass
        told = self.stepped.told()[self.mails :]
        self.mails += len(told)
        return told

    def board(self, number: int = 101) -> Board:
        with self.stepped.server.unit_of_work() as uow:
            found = uow.boards.find(BoardNumber(number))
        assert found is not None
        return found

    def is_over(self, number: int = 101) -> bool:
        return self.stepped.server.parts.courses.of(self.board(number)).result is not None


def test_a_nag_each_day_and_a_forfeit_at_the_end(stepped: SteppedServer) -> None:
    tower = Tower(stepped)
    nag = [(ALICE, "Nag: superbo Board 101 alice")]
    told = [tower.strikes(hours * 12 * HOUR + HOUR) for hours in range(2 * 21)]
    assert [each for each in told if each] == [nag] * 14
    assert tower.strikes(21 * DAY + MISSED / 2) == [(ALICE, "superbo Board 101"), (BOB, "superbo Board 101")]
    assert tower.is_over()
    assert tower.woken == [Topic.BOARDS] * 15
    assert tower.strikes(30 * DAY) == []


def test_two_processes_nag_once(stepped: SteppedServer) -> None:
    tower = Tower(stepped)
    one, other = tower.runner, tower.run()
    tower.ahead = 7 * DAY + HOUR
    assert [one.step(), other.step()] == [True, False]
    assert len(stepped.told()) == tower.mails + 1


def test_a_process_that_dies_before_it_has_written_nags_nobody_and_the_next_one_does(stepped: SteppedServer) -> None:
    tower = Tower(stepped)
    runner = tower.runner

    def dies(*_: object) -> None:
        raise KeyboardInterrupt

    tower.ahead = 7 * DAY + HOUR
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stepped.server.outbox, "add", dies)
        with pytest.raises(KeyboardInterrupt):
            runner.step()
    assert tower.board().nagged_at is None
    tower.runner = tower.run()
    assert tower.strikes(7 * DAY + HOUR) == [(ALICE, "Nag: superbo Board 101 alice")]


def test_a_board_that_cannot_be_handled_does_not_stop_the_others(
    stepped: SteppedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    tower = Tower(stepped, boards=2)
    strike = dispatcher.HANDLERS

    def fails(command: StrikeClock, context: Context) -> list[Notice]:
        if command.board == 101:
            raise RuntimeError
        return real(command, context)

    (kind,) = (each for each in strike if each.__name__ == "StrikeClock")
    real = strike[kind]
    monkeypatch.setitem(strike, kind, fails)
    assert tower.strikes(7 * DAY + HOUR) == [(ALICE, "Nag: superbo Board 102 alice")]
    monkeypatch.setitem(strike, kind, real)
    assert tower.strikes(7 * DAY + HOUR) == []
    assert tower.strikes(7 * DAY + 2 * HOUR) == [(ALICE, "Nag: superbo Board 101 alice")]


def test_a_database_that_is_in_trouble_is_tried_again_at_once_and_nobody_gets_more_time_by_it(
    stepped: SteppedServer,
) -> None:
    tower = Tower(stepped)
    for day in range(7, 21):
        tower.strikes(day * DAY + HOUR)
    with pytest.MonkeyPatch.context() as patch:
        goes_out_of_order(patch, stepped)
        with pytest.raises(OperationalError):
            tower.strikes(21 * DAY + timedelta(seconds=10))
    assert tower.strikes(21 * DAY + timedelta(seconds=20)) == [(ALICE, "superbo Board 101"), (BOB, "superbo Board 101")]
    assert tower.is_over()


def test_a_letter_that_came_in_time_is_handled_before_its_writer_loses(stepped: SteppedServer) -> None:
    tower = Tower(stepped)
    for day in range(7, 21):
        tower.strikes(day * DAY + HOUR)
    stepped.gets("move 101 alice secret b3")  # it waits; by the clock that is ahead it came in time
    assert tower.strikes(21 * DAY + MISSED / 2) == []
    stepped.works()
    assert not tower.is_over()
    assert len(tower.board().events) == 1


def test_a_clock_that_is_set_forward_makes_nobody_lose(stepped: SteppedServer) -> None:
    tower = Tower(stepped)
    for day in range(7, 21):
        tower.strikes(day * DAY + HOUR)
    set_by = 20 * DAY + HOUR
    runner = tower.runner
    runner.drift.seconds = lambda: datetime.now(UTC).timestamp() + set_by.total_seconds()
    assert not runner.step()
    assert tower.strikes(21 * DAY + MISSED / 2) == []
    assert not tower.is_over()
    later = set_by + 2 * MISSED
    runner.drift.seconds = lambda: datetime.now(UTC).timestamp() + later.total_seconds()
    assert tower.strikes(21 * DAY + MISSED / 2 + 2 * MISSED) == [(ALICE, "Nag: superbo Board 101 alice")]
    assert not tower.is_over()
