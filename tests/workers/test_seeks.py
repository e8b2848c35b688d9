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
from tests.workers.office import Office, goes_out_of_order

ALICE, BOB = (PlayerId(len(ROBOTS) + number) for number in (1, 2))
"""Who signs up first: the computer opponents are there already."""


def seeks(office: Office, *lines: str) -> None:
    """Alice and Bob are here, and each seeks something."""
    for userid in ("alice", "bob"):
        office.gets(f"signup {userid} secret", sender=f"{userid}@example.org")
        office.works()
    for userid, line in zip(("alice", "bob"), lines, strict=True):
        office.gets(line, sender=f"{userid}@example.org")
        office.works()


def boards(office: Office) -> list[tuple[str, str]]:
    """Whom mails of new boards go to, and their Subjects."""
    return [(who, subject) for who, subject in office.told() if subject.startswith("New ")]


def changes(office: Office, player: PlayerId, change: Callable[[Player], Player]) -> None:
    with office.server.unit_of_work() as uow:
        uow.players.save(change(uow.players.get(player)))
        uow.commit()


def looks(office: Office) -> None:
    while SeekRunner(office.server._executor).step():
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
def test_who_cannot_play_for_now_is_set_down_once_he_can(office: Office, away: Callable[[Player], Player]) -> None:
    seeks(office, "superbo seek", "superbo seek -unrated")
    changes(office, ALICE, away)
    office.gets("superbo seek", sender="bob@example.org")
    office.works()
    looks(office)
    assert boards(office) == []
    assert office.told()[-1] == ("bob@example.org", "superbo Seeks")
    changes(office, ALICE, _as_before)
    looks(office)
    assert {who for who, _ in boards(office)} == {"alice@example.org", "bob@example.org"}
    looks(office)
    assert len(boards(office)) == 2


def test_a_vacation_that_is_over_lets_seeks_meet(office: Office) -> None:
    seeks(office, "superbo seek", "superbo seek -unrated")
    with office.server.unit_of_work() as uow:
        now = uow.players.get(ALICE).created_at
    office.gets(f"vacation alice secret {(now + timedelta(days=2)).date()}")
    office.gets("superbo seek", sender="bob@example.org")
    office.works()
    looks(office)
    assert boards(office) == []
    office.gets("vacation alice secret off")
    office.works()
    looks(office)
    assert len(boards(office)) == 2


def test_a_board_that_is_over_makes_room(office: Office) -> None:
    seeks(office, "superbo challenge alice alice", "superbo seek")
    office.gets("superbo limit alice secret 1")
    office.gets("superbo seek")
    office.works()
    looks(office)
    assert len(boards(office)) == 1
    office.gets("resign 101 alice secret")
    office.works()
    looks(office)
    assert len(boards(office)) == 3


def test_two_who_look_for_several_meet_once(office: Office) -> None:
    seeks(office, "superbo seek 3", "superbo seek 3")
    assert len(boards(office)) == 2
    looks(office)
    assert len(boards(office)) == 2
    office.gets("superbo seek 2")
    office.works()
    assert len(boards(office)) == 4


def test_a_database_that_is_in_trouble_is_not_taken_for_a_fault_of_the_game(office: Office) -> None:
    seeks(office, "superbo seek", "superbo seek -unrated")
    changes(office, ALICE, _frozen)
    office.gets("superbo seek", sender="bob@example.org")
    office.works()
    changes(office, ALICE, _as_before)
    with pytest.MonkeyPatch.context() as patch:
        goes_out_of_order(patch, office)
        with pytest.raises(OperationalError):
            looks(office)
    assert boards(office) == []
    looks(office)
    assert len(boards(office)) == 2
