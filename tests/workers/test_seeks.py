"""Seeks that could not meet when they were made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy.exc import OperationalError

from pbem.domain.players import ROBOTS, Player, Standing
from pbem.ids import PlayerId
from pbem.workers.runner import SeekRunner
from tests.support.stepped_server import SteppedServer, goes_out_of_order

ALICE, BOB = (PlayerId(len(ROBOTS) + number) for number in (1, 2))
"""The first players to sign up; the computer opponents are there already."""


def seeks(stepped: SteppedServer, *lines: str) -> None:
    """Alice and Bob are here, and each seeks something."""
    for userid in ("alice", "bob"):
        stepped.gets(f"signup {userid} secret", sender=f"{userid}@example.org")
        stepped.works()
    for userid, line in zip(("alice", "bob"), lines, strict=True):
        stepped.gets(line, sender=f"{userid}@example.org")
        stepped.works()


def boards(stepped: SteppedServer) -> list[tuple[str, str]]:
    """The recipients and Subjects of mails about new boards."""
    return [(who, subject) for who, subject in stepped.told() if subject.startswith("New ")]


def changes(stepped: SteppedServer, player: PlayerId, change: Callable[[Player], Player]) -> None:
    with stepped.server.unit_of_work() as uow:
        uow.players.save(change(uow.players.get(player)))
        uow.commit()


def looks(stepped: SteppedServer) -> None:
    while SeekRunner(stepped.server.executor).step():
        pass


def _frozen(player: Player) -> Player:
    return replace(player, standing=Standing.FROZEN)


def _banned(player: Player) -> Player:
    return replace(player, standing=Standing.BANNED)


def _stopped(player: Player) -> Player:
    return replace(player, mail_stopped=True)


def _bouncing(player: Player) -> Player:
    (address,) = player.addresses
    return replace(player, addresses=(replace(address, suppressed_at=player.created_at, suppressed_why="full"),))


def _as_before(player: Player) -> Player:
    (address,) = player.addresses
    return replace(player, addresses=(address.lifted,), standing=Standing.ACTIVE, mail_stopped=False)


@pytest.mark.parametrize("away", [_frozen, _banned, _stopped, _bouncing])
def test_who_cannot_play_for_now_is_set_down_once_he_can(
    stepped: SteppedServer, away: Callable[[Player], Player]
) -> None:
    seeks(stepped, "superbo seek", "superbo seek -unrated")
    changes(stepped, ALICE, away)
    stepped.gets("superbo seek", sender="bob@example.org")
    stepped.works()
    looks(stepped)
    assert boards(stepped) == []
    assert stepped.told()[-1] == ("bob@example.org", "superbo Seeks")
    changes(stepped, ALICE, _as_before)
    looks(stepped)
    assert {who for who, _ in boards(stepped)} == {"alice@example.org", "bob@example.org"}
    looks(stepped)
    assert len(boards(stepped)) == 2


def test_a_vacation_that_is_over_lets_seeks_meet(stepped: SteppedServer) -> None:
    seeks(stepped, "superbo seek", "superbo seek -unrated")
    with stepped.server.unit_of_work() as uow:
        now = uow.players.get(ALICE).created_at
    stepped.gets(f"vacation alice secret {(now + timedelta(days=2)).date()}")
    stepped.gets("superbo seek", sender="bob@example.org")
    stepped.works()
    looks(stepped)
    assert boards(stepped) == []
    stepped.gets("vacation alice secret off")
    stepped.works()
    looks(stepped)
    assert len(boards(stepped)) == 2


def test_a_board_that_is_over_makes_room(stepped: SteppedServer) -> None:
    seeks(stepped, "superbo challenge alice alice", "superbo seek")
    stepped.gets("superbo limit alice secret 1")
    stepped.gets("superbo seek")
    stepped.works()
    looks(stepped)
    assert len(boards(stepped)) == 1
    stepped.gets("resign 101 alice secret")
    stepped.works()
    looks(stepped)
    assert len(boards(stepped)) == 3


def test_two_who_look_for_several_meet_once(stepped: SteppedServer) -> None:
    seeks(stepped, "superbo seek 3", "superbo seek 3")
    assert len(boards(stepped)) == 2
    looks(stepped)
    assert len(boards(stepped)) == 2
    stepped.gets("superbo seek 2")
    stepped.works()
    assert len(boards(stepped)) == 4


def test_a_database_that_is_in_trouble_is_not_taken_for_a_fault_of_the_game(stepped: SteppedServer) -> None:
    seeks(stepped, "superbo seek", "superbo seek -unrated")
    changes(stepped, ALICE, _frozen)
    stepped.gets("superbo seek", sender="bob@example.org")
    stepped.works()
    changes(stepped, ALICE, _as_before)
    with pytest.MonkeyPatch.context() as patch:
        goes_out_of_order(patch, stepped)
        with pytest.raises(OperationalError):
            looks(stepped)
    assert boards(stepped) == []
    looks(stepped)
    assert len(boards(stepped)) == 2
