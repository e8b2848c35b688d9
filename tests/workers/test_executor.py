"""Decisions carried out for the web and the workers: the loops that they wake, and how often they are retried."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

import pytest

from pbem.commands.internal import StrikeClock
from pbem.domain.letters import Evidence
from pbem.domain.mails import Notice
from pbem.executor import MOST_CONFLICTS, CommandExecutor, TooManyConflicts
from pbem.ids import BoardNumber
from pbem.storage.process_notifier import Topic
from pbem.storage.unit_of_work import UnitOfWork
from pbem.usecases.context import Context
from pbem.usecases.dispatcher import dispatch
from tests.support.stepped_server import SteppedServer

NOW = datetime.now(UTC)
NEWS = Notice("letters_forgotten", "operator@example.org", {"letters": [1], "days": 9}, from_nobody=True)


def clerk_of(stepped: SteppedServer, woken: list[Topic]) -> CommandExecutor:
    server = stepped.server
    return CommandExecutor(
        server.unit_of_work, server.parts.make_context, server.parts.composer, server.outbox, woken.append
    )


def plays(stepped: SteppedServer) -> None:
    """Alice and Bob have board 101."""
    for userid in ("alice", "bob"):
        stepped.gets(f"signup {userid} secret", sender=f"{userid}@example.org")
    stepped.gets("superbo challenge alice bob")
    stepped.works()


def holds_alice(uow: UnitOfWork) -> None:
    alice = uow.players.by_userid("alice")
    assert alice is not None
    uow.players.hold(alice)


def test_mails_wake_who_delivers_them_and_boards_and_visitors_wake_all_the_others_too(stepped: SteppedServer) -> None:
    plays(stepped)
    woken: list[Topic] = []
    executor = clerk_of(stepped, woken)

    def strikes(at: datetime) -> None:
        executor.carry_out(lambda context: {f"at-{at:%d}": dispatch(StrikeClock(BoardNumber(101)), context)}, at)

    assert executor.retry_on_conflict(lambda _context: None, evidence=Evidence("zoe@example.org")) == []
    strikes(NOW)
    assert woken == []
    strikes(NOW + timedelta(days=8))
    executor.carry_out(lambda _context: {"news": [NEWS]}, NOW)
    executor.retry_on_conflict(lambda _context: {"asked": []}, evidence=Evidence("zoe@example.org"))
    assert woken == [Topic.BOARDS, Topic.MAILS, Topic.BOARDS]


def test_what_others_are_quicker_with_is_decided_anew_each_time_at_its_own_moment(stepped: SteppedServer) -> None:
    plays(stepped)
    woken: list[Topic] = []
    moments: list[datetime] = []

    def decide(context: Context) -> Mapping[str, Sequence[Notice]]:
        moments.append(context.now)
        holds_alice(context.uow)
        if len(moments) <= quicker:
            with stepped.server.unit_of_work() as rival:
                holds_alice(rival)
                rival.commit()
        return {"news": [NEWS]}

    clock = iter(NOW + timedelta(hours=hours) for hours in range(100))
    quicker = 2
    assert clerk_of(stepped, woken).retry_on_conflict(decide, clock=lambda: next(clock)) == [NEWS]
    assert moments == [NOW, NOW + timedelta(hours=1), NOW + timedelta(hours=2)]
    assert woken == [Topic.MAILS]
    moments.clear()
    quicker = MOST_CONFLICTS
    with pytest.raises(TooManyConflicts):
        clerk_of(stepped, woken).retry_on_conflict(decide)
    assert len(moments) == MOST_CONFLICTS
    assert woken == [Topic.MAILS]
