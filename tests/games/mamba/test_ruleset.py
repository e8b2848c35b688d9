"""Set-up (RULES 1 to 4) and the options that change it."""

import pytest

from pbem.errors import PlayerError
from pbem.games.mamba.game import MAMBA
from pbem.games.mamba.refusals import TeamsNeedFour
from pbem.games.mamba.ruleset import Ruleset
from pbem.games.mamba.squares import MARKS
from tests.games.mamba.playing import board, cells, placed

HOMES = {
    9: {
        "bottom": "d1 d2 d3 e2 f1 f2 f3",
        "top": "d7 d8 d9 e8 f7 f8 f9",
        "left": "a4 b4 c4 b5 a6 b6 c6",
        "right": "g4 h4 i4 h5 g6 h6 i6",
    },
    11: {
        "bottom": "e1 e2 e3 f2 g1 g2 g3",
        "top": "e9 e10 e11 f10 g9 g10 g11",
        "left": "a5 b5 c5 b6 a7 b7 c7",
        "right": "i5 j5 k5 j6 i7 j7 k7",
    },
}
SEATS = {2: ("bottom", "top"), 3: ("left", "top", "right"), 4: ("bottom", "left", "top", "right")}


@pytest.mark.parametrize("size", HOMES)
@pytest.mark.parametrize("players", SEATS)
def test_everybody_begins_with_an_h_at_the_own_edge(players: int, size: int) -> None:
    position = MAMBA.begin({} if size == 9 else {"size": size}, players)
    assert position.rules.edges == SEATS[players]
    for seat, edge in enumerate(SEATS[players]):
        assert set(cells(position, MARKS[seat]).split()) == set(HOMES[size][edge].split())
    assert position.supply == 40 - 7 * players
    assert position.playing == tuple(range(players))


def test_the_start_of_two_players_drawn() -> None:
    assert board(MAMBA.begin({}, 2)) == [
        "...B.B...",
        "...BBB...",
        "...B.B...",
        ".........",
        ".........",
        ".........",
        "...A.A...",
        "...AAA...",
        "...A.A...",
    ]


def test_the_start_of_four_players_drawn() -> None:
    assert board(MAMBA.begin({}, 4)) == [
        "...C.C...",
        "...CCC...",
        "...C.C...",
        "BBB...DDD",
        ".B.....D.",
        "BBB...DDD",
        "...A.A...",
        "...AAA...",
        "...A.A...",
    ]


def test_the_start_of_three_players_on_the_larger_board_drawn() -> None:
    assert board(MAMBA.begin({"size": 11}, 3)) == [
        "....B.B....",
        "....BBB....",
        "....B.B....",
        "...........",
        "AAA.....CCC",
        ".A.......C.",
        "AAA.....CCC",
        "...........",
        "...........",
        "...........",
        "...........",
    ]


def test_cells_are_counted_from_a1_along_the_rows() -> None:
    names = Ruleset(2).grid.names
    assert (names[:2], names[9], names[-1]) == (("a1", "b1"), "a2", "i9")
    assert Ruleset(2, size=11).grid.names[-1] == "k11"


def test_any_seat_may_begin() -> None:
    position = MAMBA.begin({}, 3, first=2)
    assert (position.to_act, position.first) == (2, 2)
    assert position.play(position.legal()[-1]).to_act == 0


def test_who_begins_is_drawn_by_lot_unless_in_order() -> None:
    assert MAMBA.draws_lots(MAMBA.read_options([]))
    assert not MAMBA.draws_lots(MAMBA.read_options(["inorder"]))


def test_all_options_reach_the_rules() -> None:
    words = ["size=11", "teams", "must_move", "strict_isolation", "rounds=7", "inorder"]
    rules = MAMBA.begin(MAMBA.read_options(words), 4).rules
    assert rules == Ruleset(4, size=11, teams=True, must_move=True, strict_isolation=True, rounds=7)


@pytest.mark.parametrize("words", [["size=10"], ["size=13"], ["rounds=0"], ["size"], ["kill"]])
def test_other_options_are_refused(words: list[str]) -> None:
    with pytest.raises(PlayerError):
        MAMBA.read_options(words)


@pytest.mark.parametrize("players", [2, 3])
def test_teams_are_for_four(players: int) -> None:
    with pytest.raises(TeamsNeedFour) as refused:
        MAMBA.begin({"teams": True}, players)
    assert refused.value.facts == {"option": "teams", "players": players}


def test_partners_sit_opposite() -> None:
    rules = Ruleset(4, teams=True)
    assert [rules.winners(rules.party(seat)) for seat in range(4)] == [(0, 2), (1, 3), (0, 2), (1, 3)]


@pytest.mark.parametrize(
    ("players", "size", "too_few"), [(2, 9, 4), (3, 9, 3), (4, 9, 2), (2, 11, 6), (3, 11, 3), (4, 11, 2)]
)
def test_how_few_pieces_put_a_player_out(players: int, size: int, too_few: int) -> None:
    assert Ruleset(players, size=size).too_few == too_few


def test_what_is_not_on_the_board_is_in_the_supply() -> None:
    assert placed("A: a1 B: c3 d3").supply == 37
