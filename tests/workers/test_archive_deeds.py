"""Records of boards to which an operator has done something, out of the database and in again."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from sqlalchemy import Engine

from pbem.bootstrap import find_games
from pbem.domain.boards import SeatHolder
from pbem.domain.events import BY_OPERATOR, EventKind
from pbem.domain.records import BoardAnnulled
from pbem.usecases.context import Policy
from pbem.workers.admin_session import Archive
from tests.storage.stock import ALICE, AT, BOB, CAROL, MINUTE, board, played, stocked
from tests.support.databases import engine_at

TAKER = SeatHolder(CAROL.id, CAROL.userid)
ANNULLED = played(board(101, ALICE, BOB), "C3").with_event(EventKind.ANNULMENT, 1, AT + 5 * MINUTE)
HANDED_OVER = played(board(102, ALICE, BOB), "C3", "H10,M1").with_handover(1, TAKER, AT + 5 * MINUTE)
ENDED = played(board(103, ALICE, BOB), "C3").with_event(EventKind.FORFEIT, 1, AT + 5 * MINUTE, BY_OPERATOR)
DRAWN = played(board(104, ALICE, BOB), "C3").with_event(EventKind.DRAW, 1, AT + 5 * MINUTE, BY_OPERATOR)


@pytest.fixture
def engine(database_url: str) -> Iterator[Engine]:
    with engine_at(database_url) as engine:
        stocked(engine, ANNULLED, HANDED_OVER, ENDED, DRAWN)
        yield engine


def test_an_annulled_board_is_in_no_export(engine: Engine) -> None:
    archive = Archive(engine, find_games(), Policy("pbem@localhost"))
    assert len(list(archive.records())) == 3
    with pytest.raises(BoardAnnulled):
        archive.record(ANNULLED.number)


def test_what_was_exported_is_here_already_and_not_taken_in_twice(engine: Engine) -> None:
    archive = Archive(engine, find_games(), Policy("pbem@localhost"))
    for line in list(archive.records()):
        assert not archive.take_in(line.encode(), AT).is_new


def test_a_record_names_who_plays_now_and_ends_as_the_operator_decided(engine: Engine) -> None:
    archive = Archive(engine, find_games(), Policy("pbem@localhost"))
    records = {
        number: json.loads(archive.record(number)) for number in (HANDED_OVER.number, ENDED.number, DRAWN.number)
    }
    assert records[HANDED_OVER.number]["players"] == ["Alice", "carol"]
    assert len(records[HANDED_OVER.number]["turns"]) == 2
    assert records[ENDED.number]["result"] == {"winner": 0, "reason": "forfeited"}
    assert records[DRAWN.number]["result"] == {"winner": None, "reason": "drawn"}


def test_the_record_of_a_board_annulled_since_makes_a_new_one(engine: Engine) -> None:
    archive = Archive(engine, find_games(), Policy("pbem@localhost"))
    record = json.loads(archive.record(ENDED.number))
    record["turns"], record["players"] = record["turns"][:1], ["Alice", "bob"]
    del record["result"]
    assert archive.take_in(json.dumps(record).encode(), AT).is_new
