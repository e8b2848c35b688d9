"""The effect of the end of a board on the ratings, whichever way it ends."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest

from pbem.commands.internal import AnnulBoard, EndBoard, HandOverSeat
from pbem.domain.boards import TournamentPlace
from pbem.domain.letters import Evidence
from pbem.domain.players import Player
from pbem.domain.ratings import Rating
from pbem.errors import Conflict
from pbem.ids import BoardNumber, TournamentId
from pbem.storage.passwords import Passwords
from pbem.usecases.context import Context, Policy
from pbem.usecases.dispatcher import dispatch
from pbem.usecases.follow_ups import keep
from pbem.usecases.offers import forfeited
from pbem.usecases.ratings import Rated, rated_facts
from tests.storage.stock import AT
from tests.support.handlers import ANN, BEN, CAT, GAMES, NUMBER, HandlerFixture
from tests.usecases.rated_boards import DAY, OTHER, begins, change, does, loses, pair, stored


def told(handlers: HandlerFixture, number: BoardNumber = NUMBER) -> Rated | None:
    """The facts about ratings in the notices of a board."""
    found: list[Rated | None] = []
    does(handlers, lambda context: found.append(rated_facts(stored(context, number), context)))
    return found[0]


def ratings(handlers: HandlerFixture) -> dict[str, tuple[int, int]]:
    """Rating and games of everybody who has one."""
    with handlers.work() as uow:
        found = {each.userid: uow.ratings.of(each.id, "mamba") for each in (ANN, BEN, CAT)}
    return {userid: (each.value, each.games) for userid, each in found.items() if each != Rating()}


def forfeits(handlers: HandlerFixture, who: Player) -> None:
    does(handlers, lambda context: keep(forfeited(stored(context), who, context), context))


def test_a_game_that_somebody_has_given_up_is_rated(handlers: HandlerFixture) -> None:
    begins(handlers, "ann", "ben")
    assert told(handlers) is None
    loses(handlers, NUMBER, "ann")
    assert ratings(handlers) == {"ann": (1400, 1), "ben": (1800, 1)}
    rated = told(handlers)
    assert rated is not None
    assert [(each.userid, each.before, each.after, each.games) for each in rated.changes] == [
        ("ann", 1600, 1400, 0),
        ("ben", 1600, 1800, 0),
    ]


def test_a_draw_is_rated_and_so_is_a_winner_whom_the_operator_has_named(handlers: HandlerFixture) -> None:
    begins(handlers, "ann", "ben")
    does(handlers, lambda context: dispatch(EndBoard(NUMBER), context))
    assert ratings(handlers) == {"ann": (1600, 1), "ben": (1600, 1)}
    handlers.number = OTHER
    begins(handlers, "ann", "ben")
    does(handlers, lambda context: dispatch(EndBoard(OTHER, "ben"), context))
    assert ratings(handlers) == {"ann": (1500, 2), "ben": (1700, 2)}


def test_the_changes_are_told_by_seat(handlers: HandlerFixture) -> None:
    begins(handlers, "cat", "ann", "ben", moves=3)
    loses(handlers, NUMBER, "cat")
    assert ratings(handlers) == {}
    loses(handlers, NUMBER, "ann")
    rated = told(handlers)
    assert rated is not None
    assert [(each.userid, each.after) for each in rated.changes] == [("cat", 1400), ("ann", 1400), ("ben", 1800)]


def test_all_of_a_team_win(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben", "cat", "dan", options="inorder teams")
    for userid in ("ann", "ben", "cat", "dan"):
        handlers.moves(userid, "pass")
    for userid in ("ann", "cat"):
        loses(handlers, NUMBER, userid)
    assert ratings(handlers) == {"ann": (1400, 1), "ben": (1800, 1), "cat": (1400, 1)}


@pytest.mark.parametrize("moves", [1, 2])
def test_who_forfeits_without_a_move_leaves_the_game_unrated(handlers: HandlerFixture, moves: int) -> None:
    begins(handlers, "ann", "ben", moves=moves)
    forfeits(handlers, BEN)
    assert ratings(handlers) == ({} if moves == 1 else {"ann": (1800, 1), "ben": (1400, 1)})


def test_in_a_tournament_that_is_rated_too(handlers: HandlerFixture) -> None:
    begins(handlers, "ann", "ben", moves=1)
    place = TournamentPlace(TournamentId(1), "spring", 1, "A1")
    does(handlers, lambda context: keep(forfeited(replace(stored(context), tournament=place), BEN, context), context))
    assert ratings(handlers) == {"ann": (1800, 1), "ben": (1400, 1)}


def test_boards_that_may_not_count_are_not_rated(handlers: HandlerFixture) -> None:
    begins(handlers, "ann", "ben")
    change(handlers, rated=False)
    loses(handlers, NUMBER, "ann")
    assert told(handlers) == Rated()
    handlers.number = OTHER
    begins(handlers, "ann", "ben")
    does(handlers, lambda context: dispatch(HandOverSeat(OTHER, "ben", "cat"), context))
    loses(handlers, OTHER, "ann")
    handlers.number = BoardNumber(103)
    begins(handlers, "ann", "ann", moves=1)
    handlers.resigns("ann")
    assert told(handlers, handlers.number) == told(handlers, OTHER) == Rated()
    assert ratings(handlers) == {}


def test_a_declined_board_is_not_rated_nor_who_has_left_one_that_goes_on(handlers: HandlerFixture) -> None:
    handlers.challenges("ann", "ben", "cat")
    handlers.resigns("cat")
    for userid in ("ann", "ben"):
        handlers.moves(userid, "pass")
    loses(handlers, NUMBER, "ann")
    assert ratings(handlers) == {"ann": (1400, 1), "ben": (1800, 1)}
    handlers.number = OTHER
    handlers.challenges("ann", "ben")
    handlers.resigns("ben")
    assert ratings(handlers) == {"ann": (1400, 1), "ben": (1800, 1)}


def test_what_an_annulled_board_has_changed_is_taken_back_and_nothing_else(handlers: HandlerFixture) -> None:
    begins(handlers, "ann", "ben")
    loses(handlers, NUMBER, "ann")
    handlers.number = OTHER
    begins(handlers, "ann", "ben")
    loses(handlers, OTHER, "ben")
    # ann: v = (1400 + 1800)/2 + 200 = 1800, (1400 + 1800)/2 = 1600
    assert ratings(handlers) == {"ann": (1600, 2), "ben": (1600, 2)}
    does(handlers, lambda context: dispatch(AnnulBoard(NUMBER), context))
    assert ratings(handlers) == {"ann": (1800, 1), "ben": (1400, 1)}
    assert told(handlers) == Rated()
    does(handlers, lambda context: dispatch(AnnulBoard(OTHER), context))
    assert ratings(handlers) == {"ann": (1600, 0), "ben": (1600, 0)}


def test_a_pair_is_rated_once_when_both_boards_are_over(handlers: HandlerFixture) -> None:
    pair(handlers)
    loses(handlers, OTHER, "ann")
    assert ratings(handlers) == {}
    assert told(handlers, OTHER) == Rated(pair=NUMBER, waits=True)
    does(handlers, lambda context: dispatch(EndBoard(NUMBER), context))
    assert ratings(handlers) == {"ann": (1400, 1), "ben": (1800, 1)}
    one, other = told(handlers, NUMBER), told(handlers, OTHER)
    assert one is not None
    assert other is not None
    assert (one.pair, other.pair, one.waits, one.pair_alone) == (OTHER, NUMBER, False, False)
    assert [each.userid for each in one.changes] == ["ann", "ben"]
    assert [each.userid for each in other.changes] == ["ben", "ann"]


def test_a_pair_of_which_each_has_won_one_is_a_tie(handlers: HandlerFixture) -> None:
    pair(handlers)
    for number in (NUMBER, OTHER):
        loses(handlers, number, "ann" if number == NUMBER else "ben")
    assert ratings(handlers) == {"ann": (1600, 1), "ben": (1600, 1)}


@pytest.mark.parametrize("order", [(NUMBER, OTHER), (OTHER, NUMBER)])
def test_if_one_board_of_a_pair_is_declined_the_other_is_rated_alone(
    handlers: HandlerFixture, order: tuple[BoardNumber, ...]
) -> None:
    pair(handlers, moves=0)
    handlers.number = NUMBER
    for userid in ("ann", "ben"):
        handlers.moves(userid, "pass")
    for handlers.number in order:
        handlers.resigns("ann")
    assert ratings(handlers) == {"ann": (1400, 1), "ben": (1800, 1)}
    declined, played = told(handlers, OTHER), told(handlers, NUMBER)
    assert declined is not None
    assert played is not None
    assert (declined.pair, declined.pair_alone, played.pair, played.pair_alone) == (NUMBER, True, None, False)
    assert declined.changes == played.changes[::-1]


def test_a_declined_board_of_a_pair_tells_that_the_other_is_rated_alone_if_it_may_be(handlers: HandlerFixture) -> None:
    pair(handlers, moves=0)
    handlers.number = OTHER
    handlers.resigns("ann")
    assert told(handlers, OTHER) == Rated(pair=NUMBER, pair_alone=True)
    change(handlers, NUMBER, rated=False)
    assert told(handlers, OTHER) == Rated(pair_alone=True)


@pytest.mark.parametrize("annulled", [NUMBER, OTHER])
def test_if_one_board_of_a_rated_pair_is_annulled_the_other_is_rated_anew(
    handlers: HandlerFixture, annulled: BoardNumber
) -> None:
    pair(handlers)
    loses(handlers, NUMBER, "ann")
    loses(handlers, OTHER, "ben")
    assert ratings(handlers) == {"ann": (1600, 1), "ben": (1600, 1)}
    does(handlers, lambda context: dispatch(AnnulBoard(annulled), context))
    won = {"ann": (1400, 1), "ben": (1800, 1)}
    assert ratings(handlers) == (won if annulled == OTHER else {"ann": (1800, 1), "ben": (1400, 1)})
    left = told(handlers, OTHER if annulled == NUMBER else NUMBER)
    assert left is not None
    assert (left.pair, len(left.changes)) == (None, 2)


def test_of_two_boards_of_a_pair_that_end_at_the_same_time_one_is_decided_anew(handlers: HandlerFixture) -> None:
    pair(handlers)
    with handlers.work() as first, handlers.work() as second:
        for uow, number in ((first, NUMBER), (second, OTHER)):
            lots, passwords = handlers.lots, cast("Passwords", None)
            policy, evidence = Policy("pbem@example.org"), Evidence("")
            context = Context(
                uow, AT + DAY, GAMES, handlers.courses, passwords, policy, evidence, lots.draw_lots, lots.tag
            )
            dispatch(EndBoard(number), context)
        first.commit()
        with pytest.raises(Conflict):
            second.commit()
