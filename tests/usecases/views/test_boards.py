"""Boards that are shown together: one that is damaged hides no other."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from sqlalchemy import Engine, text

from pbem.commands.boards import ShowBoards, TableOfBoards
from pbem.commands.challenges import Challenge
from pbem.commands.command import BoardMoment
from pbem.ids import BoardNumber
from pbem.storage.engine import writing
from pbem.usecases.rankings import stored_records
from tests.support.databases import engine_at
from tests.support.handlers import HandlerFixture


@pytest.fixture
def damaged(chosen_url: str) -> Iterator[HandlerFixture]:
    """Three boards, of which the second cannot be read any more."""
    with engine_at(chosen_url) as engine:
        yield _damaged(engine)


def _damaged(engine: Engine) -> HandlerFixture:
    handlers = HandlerFixture(engine)
    for _ in range(3):
        handlers.asks("ann", Challenge("mamba", ("ann", "ben"), ("inorder",)))
    with writing(engine) as connection:
        connection.execute(text("""UPDATE boards SET clock = '{"no such time": 1}' WHERE number = 102"""))
    return handlers


def shown(*numbers: int) -> ShowBoards:
    return ShowBoards(tuple(BoardMoment(BoardNumber(each)) for each in numbers))


def test_of_boards_that_are_asked_for_together_the_others_are_drawn(damaged: HandlerFixture) -> None:
    (notice,) = damaged.asks("ann", shown(101, 102, 103))
    boards = notice.facts["boards"]
    assert isinstance(boards, list)
    assert [each["board"].number for each in boards] == [101, 103]
    assert notice.facts["damaged"] == [102]


def test_a_damaged_board_alone_is_our_fault_and_the_letter_is_kept(damaged: HandlerFixture) -> None:
    for asked in (shown(102), shown(102, 102)):
        with pytest.raises(KeyError):
            damaged.asks("ann", asked)


def test_a_table_and_an_export_have_the_others(damaged: HandlerFixture) -> None:
    (notice,) = damaged.asks("ann", TableOfBoards(("ben",), "active"))
    rows = notice.facts["rows"]
    assert isinstance(rows, list)
    assert [each["board"].number for each in rows] == [101, 103]
    with damaged.work() as uow:
        exported = list(map(json.loads, stored_records(None, uow, damaged.courses)))
    assert len(exported) == 2
