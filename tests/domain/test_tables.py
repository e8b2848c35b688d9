"""Points, tie-breaks and places."""

from __future__ import annotations

from pbem.domain.tables import Played, standings
from pbem.ids import PlayerId

ANN, BOB, CAT, DAN, EVE = map(PlayerId, range(1, 6))


def won(winner: PlayerId, loser: PlayerId) -> Played:
    return Played((winner, loser), (2, 0))


def drawn(one: PlayerId, other: PlayerId) -> Played:
    return Played((one, other), (1, 1))


def test_a_win_is_worth_a_point_a_draw_half_of_one_and_a_bye_one() -> None:
    rows = {row.player: row for row in standings([ANN, BOB, CAT], [won(ANN, BOB), drawn(CAT, ANN)], [CAT, BOB])}
    assert {player: row.halves for player, row in rows.items()} == {ANN: 3, BOB: 2, CAT: 3}
    assert {player: row.played for player, row in rows.items()} == {ANN: 2, BOB: 1, CAT: 1}
    assert {player: row.byes for player, row in rows.items()} == {ANN: 0, BOB: 1, CAT: 1}


def test_equal_points_are_told_apart_by_those_of_the_opponents() -> None:
    """Bob and Cat have a point each; Bob's came against Ann's beaten opponent, Cat has met Ann."""
    meetings = [won(ANN, CAT), won(BOB, DAN), won(ANN, DAN), won(CAT, DAN)]
    table = standings([BOB, CAT, DAN, ANN], meetings)
    assert [row.player for row in table] == [ANN, CAT, BOB, DAN]
    assert [row.buchholz for row in table] == [2 + 0, 4 + 0, 0, 4 + 2 + 2]


def test_equal_opponents_are_told_apart_by_the_direct_result() -> None:
    """Ann, Bob, Cat and Dan have all met; Ann and Bob have four half points each, and Bob has beaten Ann."""
    meetings = [won(BOB, ANN), won(ANN, CAT), won(ANN, DAN), won(BOB, DAN), won(CAT, BOB), won(DAN, CAT)]
    table = standings([ANN, BOB, CAT, DAN], meetings)
    assert [row.player for row in table] == [BOB, ANN, DAN, CAT]
    assert [row.direct for row in table] == [2, 0, 2, 0]
    assert [row.place for row in table] == [1, 2, 3, 4]


def test_what_the_direct_result_does_not_tell_apart_sonneborn_berger_does() -> None:
    """Ann and Bob drew and have as many points; Ann has beaten Cat, who is better than Dan, whom Bob has beaten."""
    meetings = [drawn(ANN, BOB), won(ANN, CAT), won(DAN, ANN), won(BOB, DAN), won(CAT, BOB), won(CAT, DAN)]
    table = standings([BOB, ANN, DAN, CAT], meetings)
    assert [row.player for row in table] == [CAT, ANN, BOB, DAN]
    assert [row.berger for row in table if row.player in (ANN, BOB)] == [3 * 1 + 4 * 2, 3 * 1 + 2 * 2]


def test_who_is_level_in_everything_shares_a_place_in_the_order_of_entry() -> None:
    table = standings([CAT, ANN, BOB], [drawn(ANN, BOB)])
    assert [(row.player, row.place) for row in table] == [(ANN, 1), (BOB, 1), (CAT, 3)]


def test_who_has_withdrawn_stands_last_whatever_he_has() -> None:
    table = standings([ANN, BOB, CAT], [won(ANN, BOB)], [CAT], withdrawn=[ANN])
    assert [row.player for row in table] == [CAT, BOB, ANN]
    assert [row.has_withdrawn for row in table] == [False, False, True]


def test_nobody_makes_no_table() -> None:
    assert standings([], []) == ()
