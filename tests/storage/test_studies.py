"""Studies in the database."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Engine

from pbem.domain.studies import Study, StudyHead
from pbem.errors import Conflict
from pbem.ids import BoardNumber
from pbem.storage.models import StudyRow
from tests.storage.stock import ALICE, AT, BOB, MINUTE, board, rows, stocked, work

BOARD, OTHER = board(101, ALICE, BOB), board(102, ALICE, BOB)
MOVES: list[Any] = [{"move": 0, "comment": "Gr\u00fc\u00dfe {"}, {"move": 2, "lines": [[{"turn": [{"q": 1}]}]]}]
HERS = Study(ALICE.id, BOARD.number, "The corner", MOVES, AT)
KEY = "0123456789abcdef" * 2


def kept(engine: Engine, *studies: Study) -> None:
    stocked(engine, BOARD, OTHER)
    for each in studies:
        with work(engine) as uow:
            uow.studies.save(each)
            uow.commit()


def found(engine: Engine) -> Study | None:
    with work(engine) as uow:
        return uow.studies.find(ALICE.id, BOARD.number)


def test_a_study_is_read_as_it_was_written_and_found_by_its_key_alone(engine: Engine) -> None:
    kept(engine, HERS, replace(HERS, key=KEY, revision=1))
    shared = replace(HERS, key=KEY, revision=2)
    assert found(engine) == shared
    with work(engine) as uow:
        assert uow.studies.by_key(KEY) == shared
        assert uow.studies.by_key(KEY[::-1]) is None
        assert uow.studies.find(BOB.id, BOARD.number) is None
        assert (uow.studies.count(ALICE.id), uow.studies.count(BOB.id)) == (1, 0)
        ((told,), none) = (uow.traces.of(each)["studies"] for each in (ALICE, BOB))
    assert (told["title"], told["content"], bool(told["shared"])) == ("The corner", MOVES, True)
    assert KEY not in str(told)
    assert none == []


def test_a_study_without_moves_is_deleted(engine: Engine) -> None:
    kept(engine, HERS, replace(HERS, moves=None, revision=1))
    assert found(engine) is None
    assert rows(engine, StudyRow) == 0


@pytest.mark.parametrize("moves", [[], None])
def test_a_study_that_was_changed_meanwhile_is_not_overwritten(engine: Engine, moves: list[Any] | None) -> None:
    kept(engine, HERS, replace(HERS, title="quicker", changed_at=AT + MINUTE, revision=1))
    with work(engine) as uow:
        uow.studies.save(replace(HERS, moves=moves, revision=1))
        with pytest.raises(Conflict):
            uow.commit()
    assert found(engine) == replace(HERS, title="quicker", changed_at=AT + MINUTE, revision=2)


def test_who_leaves_leaves_no_study(engine: Engine) -> None:
    kept(engine, HERS)
    with work(engine) as uow:
        known = uow.players.get(ALICE.id)
        uow.players.save(replace(known, addresses=()))
        uow.traces.forget(known)
        uow.commit()
    assert rows(engine, StudyRow) == 0


def test_the_studies_of_a_player_are_listed_the_latest_change_first(engine: Engine) -> None:
    other = replace(HERS, board=OTHER.number, title="", changed_at=AT + MINUTE, key=KEY)
    kept(engine, HERS, other)
    first, second = StudyHead(OTHER.number, "", AT + MINUTE, KEY), StudyHead(BOARD.number, "The corner", AT)
    with work(engine) as uow:
        assert uow.studies.of_player(ALICE.id) == [first, second]
        assert uow.studies.of_player(BOB.id) == []
        uow.studies.save(replace(HERS, title="Anew", changed_at=AT + 2 * MINUTE, revision=1))
        uow.studies.save(replace(other, moves=None, revision=1))
        assert uow.studies.of_player(ALICE.id) == [replace(second, title="Anew", changed_at=AT + 2 * MINUTE)]


def test_boards_are_found_all_at_once(engine: Engine) -> None:
    kept(engine)
    with work(engine) as uow:
        uow.boards.save(replace(BOARD, pair=OTHER.number))
        found = uow.boards.find_all([OTHER.number, BOARD.number, BoardNumber(999)])
        assert [(number, each.pair) for number, each in found.items()] == [(102, None), (101, 102)]
