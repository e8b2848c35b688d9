"""The count of openings stays that of all games, whatever happens to boards that are over."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from pbem.commands.internal import AnnulBoard
from pbem.domain.openings import key_of, turn_said
from pbem.games.mamba.game import MAMBA
from pbem.ids import BoardNumber
from pbem.storage.engine import reading
from pbem.storage.models import OpeningGameRow, OpeningTurnRow
from pbem.usecases.dispatcher import dispatch
from pbem.workers.openings import count_anew
from tests.support.handlers import GAMES, NUMBER, HandlerFixture
from tests.usecases.rated_boards import OTHER, does, loses, pair


def counted(handlers: HandlerFixture) -> tuple[list[object], list[object]]:
    """All that is counted: the games, and the sums of their turns."""
    games, turns = OpeningGameRow, OpeningTurnRow
    with reading(handlers.engine) as connection:
        rows = connection.execute(select(*games.__table__.c).order_by(games.board_number)).all()
        sums = connection.execute(select(*turns.__table__.c).order_by(turns.before, turns.after)).all()
    return [tuple(row) for row in rows], [tuple(row) for row in sums]


def counted_anew(handlers: HandlerFixture) -> tuple[list[object], list[object]]:
    count_anew(handlers.engine, GAMES, lambda _done, _all: None)
    return counted(handlers)


def ratings(handlers: HandlerFixture) -> dict[BoardNumber, list[int | None]]:
    """The ratings by the seats of each board that is counted."""
    with reading(handlers.engine) as connection:
        rows = connection.execute(select(OpeningGameRow.board_number, OpeningGameRow.ratings)).all()
    return {BoardNumber(row.board_number): row.ratings for row in rows}


def test_both_boards_of_a_pair_have_the_ratings_after_both(handlers: HandlerFixture) -> None:
    pair(handlers)
    loses(handlers, NUMBER, "ann")
    assert ratings(handlers) == {NUMBER: [None, None]}
    loses(handlers, OTHER, "ann")
    assert ratings(handlers) == {NUMBER: [1400, 1800], OTHER: [1800, 1400]}
    assert counted(handlers) == counted_anew(handlers)


def test_a_game_that_somebody_played_alone_is_not_counted(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ann")
    for _ in range(2):
        handlers.moves("ann", "pass")
    loses(handlers, NUMBER, "ann")
    assert handlers.course.result is not None
    assert counted(handlers) == counted_anew(handlers) == ([], [])


def test_games_are_counted_together_whoever_was_drawn_to_begin(handlers: HandlerFixture) -> None:
    firsts = list[int]()
    for place in range(6):
        handlers.number = BoardNumber(NUMBER + place)
        handlers.challenges("ann", "ben", options="" if place else "inorder")
        firsts.append(handlers.board.first)
        for _ in range(2):
            handlers.moves(handlers.to_act or "", "pass")
        loses(handlers, handlers.number, "ann")
    assert set(firsts) == {0, 1}
    for first in range(2):
        with handlers.work() as uow:
            turns, people, _ = uow.openings.after(key_of(MAMBA, {}, MAMBA.begin({}, 2, first)), 10)
        assert people.games == 6
        assert [turn_said(MAMBA, MAMBA.begin({}, 2, first), turn.record)[0] for turn in turns] == [["pass"]]


@pytest.mark.parametrize("annulled", [NUMBER, OTHER])
def test_if_one_board_of_a_pair_is_annulled_the_other_is_counted_as_it_is_rated_then(
    handlers: HandlerFixture, annulled: BoardNumber
) -> None:
    pair(handlers)
    loses(handlers, NUMBER, "ann")
    loses(handlers, OTHER, "ben")
    does(handlers, lambda context: dispatch(AnnulBoard(annulled), context))
    left = NUMBER if annulled == OTHER else OTHER
    assert ratings(handlers) == {left: [1400, 1800]}
    assert counted(handlers) == counted_anew(handlers)
    does(handlers, lambda context: dispatch(AnnulBoard(left), context))
    assert counted(handlers) == ([], [])
