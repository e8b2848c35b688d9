"""Answers while no mail reaches a player, and the notices of clocks that stand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import partial
from itertools import count
from typing import Any

import pytest

from pbem import folder
from pbem.bootstrap import find_games
from pbem.commands.command import Command
from pbem.commands.internal import (
    AllowMail,
    AnnulBoard,
    FreezePlayer,
    LiftSuppression,
    StopMail,
    StrikeClock,
    SuppressAddress,
)
from pbem.commands.watching import Unsubscribe
from pbem.domain.letters import Evidence
from pbem.domain.mails import Notice
from pbem.domain.players import Player
from pbem.ids import BoardNumber
from pbem.storage.unit_of_work import UnitOfWork
from pbem.usecases.bounces import where_he_can_read
from pbem.usecases.context import Context, Policy
from pbem.usecases.dispatcher import dispatch
from pbem.usecases.notices import board_facts
from pbem.wording.templates import Wording
from tests.storage.stock import AT
from tests.support.handlers import ANN, BEN, GAMES, HandlerFixture

UNREACHABLE = replace(ANN, addresses=tuple(replace(each, suppressed_at=AT) for each in ANN.addresses))
WORDING = Wording(folder("templates"), {"server_address": "pbem@localhost"}, find_games())
HOME, CAFE = ANN.addresses[0].address, "cafe@example.org"


def context(handlers: HandlerFixture, uow: UnitOfWork, sender: str) -> Context:
    return Context(
        uow=uow,
        now=AT,
        games=GAMES,
        courses=handlers.courses,
        passwords=None,  # type: ignore[arg-type] # nobody has to prove anything here
        policy=Policy("pbem@example.org"),
        evidence=Evidence(answer_to=sender, from_address=sender),
        draw_lots=lambda _board, _players: 0,
        fingerprint=lambda *_parts: "",
    )


@pytest.mark.parametrize(
    ("to", "answers", "name", "sender", "at"),
    [
        (ANN, True, "board", CAFE, None),
        (UNREACHABLE, True, "board", CAFE, CAFE),
        (UNREACHABLE, True, "board", HOME, HOME),
        (UNREACHABLE, False, "board", HOME, None),
        (UNREACHABLE, True, "data", CAFE, None),
        (UNREACHABLE, True, "data", HOME.upper(), HOME.upper()),
        (replace(UNREACHABLE, mail_stopped=True), True, "board", HOME, None),
        (CAFE, True, "error", CAFE, None),
    ],
)
def test_an_answer_to_somebody_unreachable_goes_to_where_his_letter_came_from(
    handlers: HandlerFixture, to: Player | str, answers: bool, name: str, sender: str, at: str | None
) -> None:
    with handlers.work() as uow:
        (notice,) = where_he_can_read([Notice(name, to, answers=answers)], context(handlers, uow, sender))
    assert (notice.to, notice.at) == (to, at)


def test_opponents_are_told_once_of_all_boards_but_those_that_are_quiet_for_them(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben", "cat")
    handlers.asks("cat", Unsubscribe(handlers.number))
    handlers.challenges("ben", "ann")
    with handlers.work() as uow:
        notices = dispatch(SuppressAddress(HOME, "full"), context(handlers, uow, ""))
        told = [(notice.name, [row["board"].number for row in _rows(notice)], _userid(notice)) for notice in notices]
        assert not dispatch(SuppressAddress(HOME, "full"), context(handlers, uow, ""))
        uow.commit()
    assert told == [("clocks_stand", [101, 102], "ben")]
    with handlers.work() as uow:
        notices = dispatch(LiftSuppression(HOME), context(handlers, uow, ""))
        uow.commit()
    assert [(notice.name, _userid(notice)) for notice in notices] == [
        ("reachable_again", "ann"),
        ("clocks_run", "ben"),
    ]
    assert [row["board"].number for row in _rows(notices[0])] == [101]
    assert not handlers.board.stands


def test_mail_that_the_operator_stops_and_mail_that_comes_back_hold_the_clocks_apart(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben")

    hours = count(1)

    def done(act: Callable[[Context], list[Notice]]) -> list[tuple[str, str]]:
        with handlers.work() as uow:
            notices = act(replace(context(handlers, uow, ""), now=AT + next(hours) * timedelta(hours=1)))
            uow.commit()
        return [(notice.name, _userid(notice)) for notice in notices]

    def stood() -> list[str]:
        return [pause.why for pause in handlers.board.stands]

    assert done(partial(dispatch, StopMail("ann"))) == [("account_deed", "ann"), ("clocks_stand", "ben")]
    assert stood() == ["mail stopped"]
    assert done(partial(dispatch, SuppressAddress(HOME, "full"))) == []
    assert stood() == ["mail stopped", "unreachable"]
    assert done(partial(dispatch, AllowMail("ann"))) == [("account_deed", "ann")]
    assert stood() == ["unreachable"]
    assert done(partial(dispatch, StopMail("ann"))) == [("account_deed", "ann")]
    assert done(partial(dispatch, LiftSuppression(HOME))) == []
    assert done(partial(dispatch, AllowMail("ann"))) == [("account_deed", "ann"), ("clocks_run", "ben")]
    assert stood() == []


def test_who_is_reachable_again_hears_of_no_clocks_that_did_not_stand_or_still_do(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben")
    handlers.challenges("ann", "cat")

    hours = count(1)

    def told() -> str:
        with handlers.work() as uow:
            here = replace(context(handlers, uow, ""), now=AT + next(hours) * timedelta(hours=1))
            dispatch(SuppressAddress(HOME, "full"), here)
            notice = dispatch(LiftSuppression(HOME), here)[0]
            uow.commit()
        return " ".join(WORDING.render(notice).body.split())

    assert "and the clocks of your boards were stopped. Now they are running again. It is your turn here" in told()
    with handlers.work() as uow:
        dispatch(FreezePlayer("ben"), context(handlers, uow, ""))
        uow.commit()
    except_one = "except on board 101, where they are still stopped for another reason. It is"
    assert f"Now they are running again, {except_one}" in told()
    with handlers.work() as uow:
        dispatch(FreezePlayer("cat"), context(handlers, uow, ""))
        uow.commit()
    assert "and the clocks of your boards were stopped. They are still stopped, for another reason. It is" in told()
    for number in (101, 102):
        with handlers.work() as uow:
            dispatch(AnnulBoard(BoardNumber(number)), context(handlers, uow, ""))
            uow.commit()
    assert "so I sent none for a while. Now I write to you again. It is not your turn on any board" in told()


@pytest.mark.parametrize(
    ("stopped", "reader", "said"),
    [
        (
            False,
            BEN,
            "My mails to ann come back. Until they arrive again, but no later than Sun 15 Mar 2026, 12:00 UTC, the",
        ),
        (
            True,
            BEN,
            "My mails do not reach ann at present. Until they arrive again, the clocks of this board are stopped:",
        ),
    ],
)
def test_what_opponents_hear_is_true_and_said_once(
    handlers: HandlerFixture, stopped: bool, reader: Player, said: str
) -> None:
    handlers.challenges("ann", "ben")
    with handlers.work() as uow:
        here = context(handlers, uow, "")
        notices = dispatch(StopMail("ann"), here)[1:] if stopped else dispatch(SuppressAddress(HOME), here)
        uow.commit()
    (notice,) = notices
    body = " ".join(WORDING.render(notice).body.split())
    assert said in body
    assert body.count("stopped") == 1
    with handlers.work() as uow:
        facts = board_facts(handlers.board, context(handlers, uow, ""), reader)
    facts |= {"comment": None, "left_over": None}
    shown = " ".join(WORDING.render(Notice("board", reader, facts)).body.split())
    until = "" if stopped else " or until Sun 15 Mar 2026, 12:00 UTC,"
    stands = f"until it does,{until} the clocks of this board are stopped."
    assert f"Mail to ann does not arrive at present; {stands}" in shown


@pytest.mark.parametrize(
    ("answerable", "password_hash", "said"),
    [
        (True, "x", "works again, answer this mail from it, or send a command with your userid and password from it"),
        (False, "x", "works again, send a command with your userid and password from it, and I'll write to you again."),
        (True, None, "works again, answer this mail from it, and I'll write to you again."),
        (False, None, "works again, answer one of my mails from it, and I'll write to you again. Or ask the operator"),
    ],
)
def test_who_is_unreachable_reads_how_he_gets_mail_again(
    handlers: HandlerFixture, answerable: bool, password_hash: str | None, said: str
) -> None:
    handlers.challenges("ann", "ben")
    with handlers.work() as uow:
        dispatch(SuppressAddress(HOME), context(handlers, uow, ""))
        uow.commit()
    with handlers.work() as uow:
        reader = replace(UNREACHABLE, password_hash=password_hash)
        facts = board_facts(handlers.board, context(handlers, uow, ""), reader) | {"comment": None, "left_over": None}
    words = WORDING.render(Notice("board", reader, facts), "pbem+token@example.org" if answerable else None)
    assert said in " ".join(words.body.split())
    assert HOME not in words.body


def test_clocks_stand_no_longer_than_they_may_and_their_end_is_told_once(handlers: HandlerFixture) -> None:
    for _ in range(2):
        handlers.challenges("ann", "ben")
    handlers.challenges("cat", "ann")

    def done(command: Command, days: float) -> list[tuple[str, str, int]]:
        with handlers.work() as uow:
            notices = dispatch(command, replace(context(handlers, uow, ""), now=AT + timedelta(days=days)))
            uow.commit()
        return [(notice.name, _userid(notice), len(_rows(notice))) for notice in notices if "rows" in notice.facts]

    def standing() -> list[bool]:
        with handlers.work() as uow:
            boards = [uow.boards.find(BoardNumber(each)) for each in (101, 102, 103)]
        return [bool(board and board.stands) for board in boards]

    strike = StrikeClock(BoardNumber(102))
    assert done(SuppressAddress(HOME), 0) == [("clocks_stand", "ben", 2), ("clocks_stand", "cat", 1)]
    with handlers.work() as uow:
        assert not uow.clocks.due(AT + timedelta(days=13.9), 9)
        assert uow.clocks.due(AT + timedelta(days=14), 9) == [101, 102, 103]
    assert done(strike, 13.9) == []
    assert standing() == [True] * 3
    assert done(strike, 14.1) == [("clocks_run_anyway", "ben", 2), ("clocks_run_anyway", "cat", 1)]
    assert standing() == [False] * 3
    assert done(strike, 14.2) == []
    assert done(StrikeClock(BoardNumber(101)), 20) == []
    assert done(LiftSuppression(HOME), 20) == [("reachable_again", "ann", 2)]
    assert done(SuppressAddress(HOME), 21) == []
    assert standing() == [False] * 3


def test_the_times_that_clocks_have_stood_are_added_up(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben")
    for day in (0, 6):
        for what, later in ((SuppressAddress(HOME), 0), (LiftSuppression(HOME), 5)):
            with handlers.work() as uow:
                dispatch(what, replace(context(handlers, uow, ""), now=AT + timedelta(days=day + later)))
                uow.commit()
    with handlers.work() as uow:
        dispatch(SuppressAddress(HOME), replace(context(handlers, uow, ""), now=AT + timedelta(days=12)))
        uow.commit()
    assert [pause.ends_by for pause in handlers.board.pauses] == [AT + timedelta(days=each) for each in (14, 15, 16)]


def _userid(notice: Notice) -> str:
    assert not isinstance(notice.to, str)
    return notice.to.userid


def _rows(notice: Notice) -> list[dict[str, Any]]:
    rows = notice.facts["rows"]
    assert isinstance(rows, list)
    return rows
