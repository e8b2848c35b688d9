"""What the end of a board does to the ratings, whichever way it ends."""

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
from tests.usecases.house import ANN, BEN, CAT, GAMES, NUMBER, House
from tests.usecases.rated_boards import DAY, OTHER, begins, change, does, loses, pair, stored


def told(house: House, number: BoardNumber = NUMBER) -> Rated | None:
    """What is told of the rating of a board."""
    found: list[Rated | None] = []
    does(house, lambda context: found.append(rated_facts(stored(context, number), context)))
    return found[0]


def ratings(house: House) -> dict[str, tuple[int, int]]:
    """Rating and games of everybody who has one."""
    with house.work() as uow:
        found = {each.userid: uow.ratings.of(each.id, "mamba") for each in (ANN, BEN, CAT)}
    return {userid: (each.value, each.games) for userid, each in found.items() if each != Rating()}


def forfeits(house: House, who: Player) -> None:
    does(house, lambda context: keep(forfeited(stored(context), who, context), context))


def test_a_game_that_somebody_has_given_up_is_rated(house: House) -> None:
    begins(house, "ann", "ben")
    assert told(house) is None
    loses(house, NUMBER, "ann")
    assert ratings(house) == {"ann": (1400, 1), "ben": (1800, 1)}
    rated = told(house)
    assert rated is not None
    assert [(each.userid, each.before, each.after, each.games) for each in rated.changes] == [
        ("ann", 1600, 1400, 0),
        ("ben", 1600, 1800, 0),
    ]


def test_a_draw_is_rated_and_so_is_a_winner_whom_the_operator_has_named(house: House) -> None:
    begins(house, "ann", "ben")
    does(house, lambda context: dispatch(EndBoard(NUMBER), context))
    assert ratings(house) == {"ann": (1600, 1), "ben": (1600, 1)}
    house.number = OTHER
    begins(house, "ann", "ben")
    does(house, lambda context: dispatch(EndBoard(OTHER, "ben"), context))
    assert ratings(house) == {"ann": (1500, 2), "ben": (1700, 2)}


def test_the_changes_are_told_by_seat(house: House) -> None:
    begins(house, "cat", "ann", "ben", moves=3)
    loses(house, NUMBER, "cat")
    assert ratings(house) == {}
    loses(house, NUMBER, "ann")
    rated = told(house)
    assert rated is not None
    assert [(each.userid, each.after) for each in rated.changes] == [("cat", 1400), ("ann", 1400), ("ben", 1800)]


def test_all_of_a_team_win(house: House) -> None:
    house.challenges("ann", "ben", "cat", "dan", options="inorder teams")
    for userid in ("ann", "ben", "cat", "dan"):
        house.moves(userid, "pass")
    for userid in ("ann", "cat"):
        loses(house, NUMBER, userid)
    assert ratings(house) == {"ann": (1400, 1), "ben": (1800, 1), "cat": (1400, 1)}


@pytest.mark.parametrize("moves", [1, 2])
def test_who_forfeits_without_a_move_leaves_the_game_unrated(house: House, moves: int) -> None:
    begins(house, "ann", "ben", moves=moves)
    forfeits(house, BEN)
    assert ratings(house) == ({} if moves == 1 else {"ann": (1800, 1), "ben": (1400, 1)})


def test_in_a_tournament_that_is_rated_too(house: House) -> None:
    begins(house, "ann", "ben", moves=1)
    place = TournamentPlace(TournamentId(1), "spring", 1, "A1")
    does(house, lambda context: keep(forfeited(replace(stored(context), tournament=place), BEN, context), context))
    assert ratings(house) == {"ann": (1800, 1), "ben": (1400, 1)}


def test_boards_that_may_not_count_are_not_rated(house: House) -> None:
    begins(house, "ann", "ben")
    change(house, rated=False)
    loses(house, NUMBER, "ann")
    assert told(house) == Rated()
    house.number = OTHER
    begins(house, "ann", "ben")
    does(house, lambda context: dispatch(HandOverSeat(OTHER, "ben", "cat"), context))
    loses(house, OTHER, "ann")
    house.number = BoardNumber(103)
    begins(house, "ann", "ann", moves=1)
    house.resigns("ann")
    assert told(house, house.number) == told(house, OTHER) == Rated()
    assert ratings(house) == {}


def test_a_declined_board_is_not_rated_nor_who_has_left_one_that_goes_on(house: House) -> None:
    house.challenges("ann", "ben", "cat")
    house.resigns("cat")
    for userid in ("ann", "ben"):
        house.moves(userid, "pass")
    loses(house, NUMBER, "ann")
    assert ratings(house) == {"ann": (1400, 1), "ben": (1800, 1)}
    house.number = OTHER
    house.challenges("ann", "ben")
    house.resigns("ben")
    assert ratings(house) == {"ann": (1400, 1), "ben": (1800, 1)}


def test_what_an_annulled_board_has_changed_is_taken_back_and_nothing_else(house: House) -> None:
    begins(house, "ann", "ben")
    loses(house, NUMBER, "ann")
    house.number = OTHER
    begins(house, "ann", "ben")
    loses(house, OTHER, "ben")
    # ann: v = (1400 + 1800)/2 + 200 = 1800, (1400 + 1800)/2 = 1600
    assert ratings(house) == {"ann": (1600, 2), "ben": (1600, 2)}
    does(house, lambda context: dispatch(AnnulBoard(NUMBER), context))
    assert ratings(house) == {"ann": (1800, 1), "ben": (1400, 1)}
    assert told(house) == Rated()
    does(house, lambda context: dispatch(AnnulBoard(OTHER), context))
    assert ratings(house) == {"ann": (1600, 0), "ben": (1600, 0)}


def test_a_pair_is_rated_once_when_both_boards_are_over(house: House) -> None:
    pair(house)
    loses(house, OTHER, "ann")
    assert ratings(house) == {}
    assert told(house, OTHER) == Rated(pair=NUMBER, waits=True)
    does(house, lambda context: dispatch(EndBoard(NUMBER), context))
    assert ratings(house) == {"ann": (1400, 1), "ben": (1800, 1)}
    one, other = told(house, NUMBER), told(house, OTHER)
    assert one is not None
    assert other is not None
    assert (one.pair, other.pair, one.waits, one.pair_alone) == (OTHER, NUMBER, False, False)
    assert [each.userid for each in one.changes] == ["ann", "ben"]
    assert [each.userid for each in other.changes] == ["ben", "ann"]


def test_a_pair_of_which_each_has_won_one_is_a_tie(house: House) -> None:
    pair(house)
    for number in (NUMBER, OTHER):
        loses(house, number, "ann" if number == NUMBER else "ben")
    assert ratings(house) == {"ann": (1600, 1), "ben": (1600, 1)}


@pytest.mark.parametrize("order", [(NUMBER, OTHER), (OTHER, NUMBER)])
def test_if_one_board_of_a_pair_is_declined_the_other_is_rated_alone(
    house: House, order: tuple[BoardNumber, ...]
) -> None:
    pair(house, moves=0)
    house.number = NUMBER
    for userid in ("ann", "ben"):
        house.moves(userid, "pass")
    for house.number in order:
        house.resigns("ann")
    assert ratings(house) == {"ann": (1400, 1), "ben": (1800, 1)}
    declined, played = told(house, OTHER), told(house, NUMBER)
    assert declined is not None
    assert played is not None
    assert (declined.pair, declined.pair_alone, played.pair, played.pair_alone) == (NUMBER, True, None, False)
    assert declined.changes == played.changes[::-1]


def test_a_declined_board_of_a_pair_tells_that_the_other_is_rated_alone_if_it_may_be(house: House) -> None:
    pair(house, moves=0)
    house.number = OTHER
    house.resigns("ann")
    assert told(house, OTHER) == Rated(pair=NUMBER, pair_alone=True)
    change(house, NUMBER, rated=False)
    assert told(house, OTHER) == Rated(pair_alone=True)


@pytest.mark.parametrize("annulled", [NUMBER, OTHER])
def test_if_one_board_of_a_rated_pair_is_annulled_the_other_is_rated_anew(house: House, annulled: BoardNumber) -> None:
    pair(house)
    loses(house, NUMBER, "ann")
    loses(house, OTHER, "ben")
    assert ratings(house) == {"ann": (1600, 1), "ben": (1600, 1)}
    does(house, lambda context: dispatch(AnnulBoard(annulled), context))
    won = {"ann": (1400, 1), "ben": (1800, 1)}
    assert ratings(house) == (won if annulled == OTHER else {"ann": (1800, 1), "ben": (1400, 1)})
    left = told(house, OTHER if annulled == NUMBER else NUMBER)
    assert left is not None
    assert (left.pair, len(left.changes)) == (None, 2)


def test_of_two_boards_of_a_pair_that_end_at_the_same_time_one_is_decided_anew(house: House) -> None:
    pair(house)
    with house.work() as first, house.work() as second:
        for uow, number in ((first, NUMBER), (second, OTHER)):
            lots, passwords = house._lots, cast("Passwords", None)
            policy, evidence = Policy("pbem@example.org"), Evidence("")
            context = Context(
                uow, AT + DAY, GAMES, house.courses, passwords, policy, evidence, lots.draw_lots, lots.tag
            )
            dispatch(EndBoard(number), context)
        first.commit()
        with pytest.raises(Conflict):
            second.commit()
