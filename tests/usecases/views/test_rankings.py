"""Views of finished games, and of other players."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any, cast

from pbem.commands.challenges import ShowHistory, ShowStandings
from pbem.commands.internal import AnnulBoard
from pbem.domain.mails import Notice
from pbem.ids import BoardNumber
from pbem.usecases.context import Context
from pbem.usecases.dispatcher import dispatch
from pbem.usecases.follow_ups import keep
from pbem.usecases.offers import forfeited
from tests.support.handlers import ANN, BEN, NUMBER, HandlerFixture
from tests.usecases.rated_boards import OTHER, begins, does, loses, pair, stored

MINUTE = timedelta(minutes=1)


def history(handlers: HandlerFixture) -> dict[int, tuple[int | None, bool, bool]]:
    """By board: with which it is rated, whether that is still on, and whether a change is noted with it."""
    (shown,) = handlers.asks("ann", ShowHistory(None))
    rows = cast("dict[str, Any]", shown.facts)["rows"]
    return {each.number: (each.rated_with, each.waits, bool(each.changes)) for each in rows}


def test_a_board_waits_for_the_other_one_of_its_pair_to_be_rated(handlers: HandlerFixture) -> None:
    pair(handlers)
    loses(handlers, NUMBER, "ann")
    assert history(handlers) == {NUMBER: (OTHER, True, False)}
    loses(handlers, OTHER, "ben")
    assert history(handlers) == {NUMBER: (OTHER, False, False), OTHER: (None, False, True)}


def test_a_board_of_a_pair_that_does_not_count_is_not_rated_with_the_other(handlers: HandlerFixture) -> None:
    pair(handlers, moves=1)
    does(handlers, partial(_forfeits, OTHER))
    handlers.number = NUMBER
    handlers.moves("ben", "pass")
    assert history(handlers) == {OTHER: (None, False, False)}
    loses(handlers, NUMBER, "ann")
    assert history(handlers) == {OTHER: (None, False, False), NUMBER: (None, False, True)}


def _forfeits(number: BoardNumber, context: Context) -> None:
    keep(forfeited(stored(context, number), ANN, context), context)


def test_the_pace_of_players_is_noted_when_a_board_of_theirs_ends(handlers: HandlerFixture) -> None:
    begins(handlers, "ann", "ben")
    assert paces(handlers) == [None, None]
    loses(handlers, NUMBER, "ann")
    assert paces(handlers) == [MINUTE, MINUTE]
    does(handlers, lambda context: dispatch(AnnulBoard(NUMBER), context))
    assert paces(handlers) == [None, None]


def paces(handlers: HandlerFixture) -> list[timedelta | None]:
    with handlers.work() as uow:
        return [uow.players.get(each.id).pace for each in (ANN, BEN)]


def test_standings_show_more_than_one_player_however_many_commands_a_letter_has(handlers: HandlerFixture) -> None:
    begins(handlers, "ann", "ben")
    loses(handlers, NUMBER, "ann")
    shown: list[Notice] = []
    does(handlers, lambda context: shown.extend(dispatch(ShowStandings(), replace(context, commands=20))))
    facts = cast("dict[str, Any]", shown[0].facts)
    assert [each.userid for each in facts["tables"]["mamba"].provisional.rows] == ["ben", "ann"]
    assert facts["shares"]
