"""Stored boards are held against what their events lead to."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Engine, text

from pbem.bootstrap import find_games
from pbem.domain.boards import Board, SeatHolder
from pbem.domain.events import EventKind
from pbem.domain.players import Player
from pbem.ids import BoardNumber
from pbem.storage.engine import writing
from pbem.storage.operators import miscounted
from pbem.usecases.context import Policy
from pbem.workers.admin_session import Archive
from pbem.workers.retention import differences
from tests.games.mamba.playing import playthroughs as games_of_mamba
from tests.storage.stock import ALICE, AT, BOB, CAROL, MINUTE, OPENING, WON, board, played, stocked, work
from tests.support.databases import engine_at

THREE = replace(board(107, ALICE, BOB, CAROL), game="mamba", options={"inorder": True}, first=1)
AFTER = {
    102: (EventKind.FORFEIT, 0, None),
    103: (EventKind.UNDO, 0, {"back_to": 1}),
    104: (EventKind.DRAW, 1, None),
    105: (EventKind.ANNULMENT, 0, None),
}


def boards() -> Iterator[Board]:
    """One of each fate."""
    yield played(board(101, ALICE, BOB), *OPENING[:2])
    for number, (kind, seat, record) in AFTER.items():
        yield played(board(number, ALICE, BOB), *OPENING[:2]).with_event(kind, seat, AT + 9 * MINUTE, record)
    yield played(board(106, BOB, ALICE), *WON)
    yield THREE
    yield from (board(number, ALICE, BOB) for number in range(108, 203))


@pytest.fixture
def engine(database_url: str) -> Iterator[Engine]:
    with engine_at(database_url) as engine:
        stocked(engine, *boards())
        with work(engine) as uow:
            three, other = uow.boards.find(BoardNumber(107)), uow.boards.find(BoardNumber(108))
            assert three is not None
            assert other is not None
            uow.boards.save(three.with_decline(ALICE.id, AT + MINUTE, restarts=True))
            uow.boards.save(other.with_handover(1, SeatHolder(CAROL.id, CAROL.userid), AT + MINUTE))
            uow.commit()
        yield engine


def wrong(engine: Engine) -> list[str]:
    return list(differences(engine, find_games(), lambda _done, _total: None))


def test_boards_of_every_fate_are_as_their_events_have_them(engine: Engine) -> None:
    imported = min((each["record"] for each in games_of_mamba()), key=lambda record: len(record["turns"]))
    Archive(engine, find_games(), Policy("pbem@localhost")).take_in(json.dumps(imported).encode(), AT)
    told = list[tuple[int, int]]()
    assert list(differences(engine, find_games(), lambda done, total: told.append((done, total)))) == []
    assert miscounted(engine) == []
    assert told == [(done, 103) for done in range(1, 104)]


def alone(number: int, kind: EventKind, record: Any = None) -> Board:
    """A board against oneself, ended or gone on with after two moves."""
    return played(board(number, ALICE, ALICE), *OPENING[:2]).with_event(kind, 1, AT + 9 * MINUTE, record)


def mamba(number: int, *holders: Player) -> Board:
    """A board of Mamba at which all have left but the last."""
    begun = replace(board(number, *holders), game="mamba", options={"inorder": True})
    for seat in range(len(holders) - 1):
        begun = begun.with_event(EventKind.RESIGNATION, seat, AT + seat * MINUTE)
    return begun


AGAINST_ONESELF = {
    "resigned": alone(101, EventKind.RESIGNATION),
    "forfeited": alone(101, EventKind.FORFEIT),
    "drawn": alone(101, EventKind.DRAW),
    "annulled": alone(101, EventKind.ANNULMENT),
    "taken back": alone(101, EventKind.UNDO, {"back_to": 1}),
    "declined": board(101, ALICE, ALICE).with_decline(ALICE.id, AT, restarts=False),
    "won": played(board(101, ALICE, ALICE), *WON),
    "at two seats of three": mamba(101, ALICE, ALICE, BOB),
    "around another": mamba(101, ALICE, BOB, ALICE),
    "both twice": mamba(101, ALICE, ALICE, BOB, BOB),
    "both twice in turn": mamba(101, ALICE, BOB, ALICE, BOB),
    "first of four": mamba(101, ALICE, ALICE, BOB, CAROL),
    "at all": mamba(101, BOB, BOB, BOB, BOB),
    "a pair": replace(alone(101, EventKind.RESIGNATION), pair=BoardNumber(102)),
}


@pytest.mark.parametrize("stored", AGAINST_ONESELF.values(), ids=AGAINST_ONESELF)
def test_a_board_at_which_somebody_has_several_seats_is_as_its_events_have_it(database_url: str, stored: Board) -> None:
    with engine_at(database_url) as engine:
        stocked(engine, stored, *([replace(stored, number=stored.pair, pair=stored.number)] if stored.pair else []))
        assert wrong(engine) == []
        assert miscounted(engine) == []


def test_every_board_that_was_tampered_with_is_named_with_what_is_wrong(engine: Engine) -> None:
    tampering = {
        "UPDATE boards SET to_act = 1 WHERE number = 101": "board 101: to_act is 1, by its events 0",
        "UPDATE boards SET ending = 'resigned' WHERE number = 102": (
            "board 102: ending is resigned, by its events forfeited"
        ),
        "DELETE FROM events WHERE board_number = 103 AND number = 2": "board 103: event 2 is missing",
        "DELETE FROM events WHERE board_number = 104 AND number = 3": (
            "board 104: event_number is 3, by its events 2; to_act is none, by its events 0"
        ),
        "UPDATE events SET kind = 'nonsense' WHERE board_number = 105 AND number = 1": (
            "board 105: cannot be read (ValueError)"
        ),
        "UPDATE boards SET winners = '[1]' WHERE number = 106": "board 106: winners is (1,), by its events (0,)",
        "UPDATE seats SET active = NOT active WHERE board_number = 108": "board 108: its seats are not active",
        "UPDATE boards SET game = 'chess' WHERE number = 109": "board 109: there is no game chess here",
    }
    with writing(engine) as connection:
        for statement in tampering:
            connection.execute(text(statement))
        moved = "UPDATE events SET record = (SELECT record FROM events WHERE board_number = 106 AND number = 4)"
        connection.execute(text(f"{moved} WHERE board_number = 106 AND number = 5"))
    found = wrong(engine)
    assert [each.split(":")[0] for each in found] == [each.split(":")[0] for each in tampering.values()]
    for said, expected in zip(found, tampering.values(), strict=True):
        assert said.startswith(expected) or "106" in said
    assert "event 5 cannot be played" in found[5]


def test_what_was_counted_wrongly_is_named(engine: Engine) -> None:
    with writing(engine) as connection:
        connection.execute(text("UPDATE played SET finished = finished + 1 WHERE player_id = 2"))
        connection.execute(text("UPDATE tallies SET players = players + 1 WHERE game = 'mamba'"))
    assert miscounted(engine) == ["mamba", "player 2 mamba", "player 2 superbo"]
