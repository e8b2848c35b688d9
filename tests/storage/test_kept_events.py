from __future__ import annotations

from dataclasses import replace

from sqlalchemy import Engine

from pbem.domain.boards import Board
from pbem.games.hextile.superbo import SUPERBO
from pbem.ids import BoardNumber
from pbem.storage.board_rows import KeptEvents
from pbem.storage.unit_of_work import Kept, UnitOfWork
from pbem.usecases.context import GameStateCache
from tests.storage.stock import MINUTE, OPENING, board, played, player, work

NUMBER = BoardNumber(101)
FRESH = board(101, player(1, "alice"), player(2, "bob"))


def store(engine: Engine, turns: int) -> Board:
    """A board with so many turns, as it is stored."""
    with work(engine) as uow:
        for each in (player(1, "alice"), player(2, "bob")):
            uow.players.save(each)
        uow.boards.save(played(FRESH, *OPENING[:turns]))
        uow.commit()
    return found(engine, KeptEvents())


def found(engine: Engine, kept: KeptEvents) -> Board:
    with UnitOfWork(engine, GameStateCache({"superbo": SUPERBO}), kept=Kept(kept)) as uow:
        there = uow.boards.find(NUMBER)
        assert there is not None
        return there


def test_of_a_board_that_was_read_only_what_is_new_is_read(engine: Engine) -> None:
    kept, stored = KeptEvents(), store(engine, 2)
    assert found(engine, kept) == stored
    with work(engine) as uow:
        uow.boards.save(replace(stored, events=played(FRESH, *OPENING[:3]).events))
        uow.commit()
    marked = replace(stored.events[0], at=stored.events[0].at + MINUTE)
    kept.keep(NUMBER, (marked, *stored.events[1:]))
    assert found(engine, kept).events == (marked, *played(FRESH, *OPENING[:3]).events[1:])
    assert [each.number for each in kept.of(NUMBER)] == [1, 2, 3]


def test_events_that_are_not_stored_are_forgotten(engine: Engine) -> None:
    kept, stored = KeptEvents(), store(engine, 2)
    kept.keep(NUMBER, played(FRESH, *OPENING[:3]).events)
    assert found(engine, kept) == stored
    other = replace(stored.events[-1], at=stored.events[-1].at + MINUTE)
    kept.keep(NUMBER, (stored.events[0], other))
    assert found(engine, kept) == stored
    assert kept.of(NUMBER) == stored.events


def test_no_more_events_are_kept_than_may_be() -> None:
    kept, events = KeptEvents(size=5), played(FRESH, *OPENING[:2]).events
    for number in (1, 2, 1, 3):
        kept.keep(number, events)
    assert [len(kept.of(number)) for number in (1, 2, 3)] == [2, 0, 2]
