"""Where answers go while no mail reaches a player, and who hears of clocks that stand."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from pbem.commands.model import Unsubscribe
from pbem.domain.letters import Evidence
from pbem.domain.notices import Notice
from pbem.usecases.context import Context, Policy, Proof, Speaker
from pbem.usecases.reachability import heard_from, lift_everywhere, suppress_everywhere, where_he_can_read
from tests.storage.stock import AT
from tests.usecases.house import ANN, GAMES, House

if TYPE_CHECKING:
    from pbem.domain.players import Player
    from pbem.storage.unit_of_work import UnitOfWork

UNREACHABLE = replace(ANN, addresses=tuple(replace(each, suppressed_at=AT) for each in ANN.addresses))
HOME, CAFE = ANN.addresses[0].address, "cafe@example.org"


def context(house: House, uow: UnitOfWork, sender: str, speaker: Speaker | None = None) -> Context:
    return Context(
        uow=uow,
        now=AT,
        games=GAMES,
        courses=house.courses,
        passwords=None,  # type: ignore[arg-type] # nobody has to prove anything here
        policy=Policy("pbem@example.org"),
        evidence=Evidence(answer_to=sender, from_address=sender),
        draw_lots=lambda _board, _players: 0,
        fingerprint=lambda *_parts: "",
        speaker=speaker or Speaker(None),
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
    house: House, to: Player | str, answers: bool, name: str, sender: str, at: str | None
) -> None:
    with house.work() as uow:
        (notice,) = where_he_can_read([Notice(name, to, answers=answers)], context(house, uow, sender))
    assert (notice.to, notice.at) == (to, at)


@pytest.mark.parametrize(
    ("proof", "sender", "heard"),
    [
        (Proof.PROVEN, HOME, True),
        (Proof.PROVEN, HOME.upper(), True),
        (Proof.PROVEN, CAFE, False),
        (Proof.CLAIMED, HOME, False),
    ],
)
def test_only_who_is_proven_and_writes_from_there_is_reachable_again(
    house: House, proof: Proof, sender: str, heard: bool
) -> None:
    with house.work() as uow:
        uow.players.save(replace(UNREACHABLE, revision=1))
        speaker = Speaker(UNREACHABLE, proof)
        after, notices = heard_from(context(house, uow, sender, speaker))
    assert after.speaker.known.is_unreachable is not heard
    assert [notice.name for notice in notices] == (["reachable_again"] if heard else [])


def test_opponents_are_told_once_for_each_board_unless_it_is_quiet_for_them(house: House) -> None:
    house.challenges("ann", "ben", "cat")
    house.asks("cat", Unsubscribe(house.number))
    house.challenges("ben", "ann")
    with house.work() as uow:
        count, notices = suppress_everywhere(HOME, "full", context(house, uow, ""))
        told = [(notice.name, notice.thread and notice.thread.board, _userid(notice)) for notice in notices]
        assert (count, suppress_everywhere(HOME, "full", context(house, uow, ""))[0]) == (1, 0)
        uow.commit()
    assert told == [("clock_stands", 101, "ben"), ("clock_stands", 102, "ben")]
    with house.work() as uow:
        count, notices = lift_everywhere(HOME, "", context(house, uow, ""))
        uow.commit()
    assert [(notice.name, _userid(notice)) for notice in notices] == [
        ("reachable_again", "ann"),
        ("clock_runs", "ben"),
        ("clock_runs", "ben"),
    ]
    assert [row["board"].number for row in _rows(notices[0])] == [101]
    assert not house.board.stands


def _userid(notice: Notice) -> str:
    assert not isinstance(notice.to, str)
    return notice.to.userid


def _rows(notice: Notice) -> list[dict[str, Any]]:
    rows = notice.facts["rows"]
    assert isinstance(rows, list)
    return rows
