"""One round following the other, on both databases, with the runners stepped by hand."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError

from pbem.domain.boards import Board
from pbem.domain.letters import Evidence, OutgoingMail
from pbem.domain.players import Standing
from pbem.executor import CommandExecutor
from pbem.storage.outbox import Outbox
from pbem.storage.unit_of_work import UnitOfWork
from pbem.usecases.context import Context
from pbem.workers.runner import TournamentRunner
from tests.support.stepped_server import SteppedServer, goes_out_of_order

USERIDS = ("alice", "bob", "carol")


class Hall:
    """Alice, Bob and Carol in a round robin whose first round is over."""

    def __init__(self, stepped: SteppedServer) -> None:
        self.stepped = stepped
        for userid in USERIDS:
            self.says(userid, f"signup {userid} secret")
        self.says("alice", "superbo tournament create alice secret spring -roundrobin")
        for userid in USERIDS:
            self.says(userid, f"superbo tournament join {userid} secret spring")
        self.says("alice", "superbo tournament start alice secret spring")
        self.ends_round()
        self.seen = len(stepped.mails())

    def says(self, userid: str, line: str) -> None:
        self.stepped.gets(line, sender=f"{userid}@example.org")
        self.stepped.works()

    def boards(self) -> Sequence[Board]:
        """The boards of the tournament."""
        with self.stepped.server.unit_of_work() as uow:
            (tournament,) = uow.tournaments.of_game("superbo", 9)
            return uow.boards.of_tournament(tournament.id)

    def ends_round(self) -> None:
        """Let the second player of every board give up."""
        for board in self.boards():
            if not board.events:
                userid = board.seats[1].userid
                self.says(userid, f"resign {board.number} {userid} secret")

    def news(self) -> list[tuple[str, str]]:
        """The recipients and Subjects of the mails since the last look."""
        told = self.stepped.told()[self.seen :]
        self.seen += len(told)
        return sorted((recipient.partition("@")[0], subject) for recipient, subject in told)

    def runner(
        self,
        make_context: Callable[[UnitOfWork, datetime, Evidence], Context] | None = None,
        outbox: Outbox | None = None,
    ) -> TournamentRunner:
        server = self.stepped.server
        make_context, outbox = make_context or server.parts.make_context, outbox or server.outbox
        executor = CommandExecutor(server.unit_of_work, make_context, server.parts.composer, outbox)
        return TournamentRunner(executor)


@pytest.fixture
def hall(stepped: SteppedServer) -> Hall:
    return Hall(stepped)


ROUND_2 = [
    ("alice", "New superbo Board 102 alice"),
    ("alice", "superbo Tournament spring round 2"),
    ("bob", "New superbo Board 102 alice"),
    ("bob", "superbo Tournament spring round 2"),
    ("carol", "superbo Tournament spring round 2"),
]


def test_a_round_begins_when_the_last_is_over(hall: Hall) -> None:
    runner = hall.runner()
    assert runner.step()
    assert [(each.number, each.tournament and each.tournament.label) for each in hall.boards()] == [
        (101, "A1"),
        (102, "A2"),
    ]
    assert _subjects(hall.news()) == _subjects(ROUND_2)
    assert not runner.step()
    assert not hall.news()


def _subjects(news: list[tuple[str, str]]) -> list[str]:
    return sorted(subject.rsplit(" ", 1)[0] if subject.startswith("New") else subject for _, subject in news)


def test_the_last_round_is_followed_by_the_end(hall: Hall) -> None:
    runner = hall.runner()
    for _ in range(2):
        assert runner.step()
        hall.ends_round()
    hall.news()
    assert runner.step()
    assert hall.news() == [(userid, "superbo Tournament spring is over") for userid in USERIDS]
    assert not runner.step()


def test_nothing_happens_while_a_board_is_on(hall: Hall) -> None:
    runner = hall.runner()
    assert runner.step()
    hall.news()
    assert not runner.step()
    assert len(hall.boards()) == 2


def test_of_two_who_look_at_once_one_begins_the_round(hall: Hall) -> None:
    """The rival goes first after the other has looked what is due."""
    rivals: list[bool] = []

    def slow(uow: UnitOfWork, now: datetime, evidence: Evidence) -> Context:
        uow.tournaments.of_game("superbo", 9)
        rivals.append(hall.runner().step())
        return hall.stepped.server.parts.make_context(uow, now, evidence)

    assert not hall.runner(slow).step()
    assert rivals == [True]
    assert len(hall.boards()) == 2
    assert len(hall.news()) == len(ROUND_2)


class PowerCut(Outbox):
    """Nothing is written any more."""

    def add(self, connection: Connection, mails: Collection[OutgoingMail], now: datetime) -> None:
        super().add(connection, mails, now)
        raise RuntimeError("the power is cut")


def test_one_who_is_killed_in_the_middle_leaves_the_round_to_be_begun_once(hall: Hall) -> None:
    server = hall.stepped.server
    assert not hall.runner(outbox=PowerCut(server.engine, timedelta(minutes=5))).step()
    assert len(hall.boards()) == 1
    assert not hall.news()
    assert hall.runner().step()
    assert len(hall.boards()) == 2
    assert len(hall.news()) == len(ROUND_2)


def test_a_database_that_is_in_trouble_is_not_taken_for_a_fault_of_the_tournament(hall: Hall) -> None:
    with pytest.MonkeyPatch.context() as patch:
        goes_out_of_order(patch, hall.stepped)
        with pytest.raises(OperationalError):
            hall.runner().step()
    assert hall.runner().step()
    assert len(hall.news()) == len(ROUND_2)


def test_one_that_cannot_go_on_does_not_stop_the_others(hall: Hall) -> None:
    hall.says("bob", "superbo tournament create bob secret fall")
    for userid in USERIDS:
        hall.says(userid, f"superbo tournament join {userid} secret fall")
    hall.says("bob", "superbo tournament start bob secret fall")
    for userid in USERIDS:
        hall.says(userid, f"superbo tournament withdraw {userid} secret fall")
    hall.news()

    def stumbling(uow: UnitOfWork, now: datetime, evidence: Evidence) -> Context:
        if uow.tournaments.due()[0] not in stumbled:
            stumbled.append(uow.tournaments.due()[0])
            raise RuntimeError("out of order")
        return hall.stepped.server.parts.make_context(uow, now, evidence)

    stumbled: list[int] = []
    assert hall.runner(stumbling).step()
    assert {subject for _, subject in hall.news()} == {"superbo Tournament fall is over"}


def test_who_cannot_be_seated_sits_the_round_out(hall: Hall) -> None:
    """Carol is frozen; the one whom she would have met has a bye."""
    with hall.stepped.server.unit_of_work() as uow:
        carol = uow.players.by_userid("carol")
        assert carol is not None
        uow.players.save(replace(carol, standing=Standing.FROZEN))
        uow.commit()
    hall.runner().step()
    assert [sorted(holder.userid for holder in each.seats) for each in hall.boards()][1:] == [["alice", "bob"]]
