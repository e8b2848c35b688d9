"""Claims of the tactics pages about boards are true: searched with the rules themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import product
from random import Random

import pytest

from pbem import folder
from pbem.bootstrap import find_games
from pbem.bots.finding import Solver
from pbem.errors import PlayerError
from pbem.games.game import Ending
from pbem.games.hextile.endings import enclosed
from pbem.games.hextile.grid import Cell, Colour, cells_at, corners, neighbours, white_points
from pbem.games.hextile.layout import survey
from pbem.games.hextile.notation import ColourMissing, NothingCouldFollow
from pbem.games.hextile.position import Placement, Position
from pbem.games.hextile.regions import Region
from tests.games.hextile.tables import AROUND_A_NULL_POINT

GAMES = find_games()
OURS = ("mambo", "lambo", "superbo")


def after(game: str, moves: str, page: str = "") -> Position:
    """The position after some moves, which a page must show."""
    if page:
        assert f'"{moves}' in (folder("templates") / "en" / "help" / f"{page}.txt").read_text()
    position: Position = GAMES[game].begin({}, 2)
    for turn in moves.split():
        position = GAMES[game].read_input(position, turn)[1]
    return position


def text_of(page: str) -> str:
    """The source of a page."""
    return (folder("templates") / "en" / "help" / f"{page}.txt").read_text()


def groups(position: Position) -> list[Region]:
    """The groups of the board, white regions among them."""
    return list(position.layout.regions.by_name.values())


def wins_with(moves: str) -> tuple[int, ...]:
    """The seats that have won a game of Mambo."""
    outcome = after("mambo", moves).outcome
    return () if outcome is None else outcome.winners


def turns(position: Position) -> Iterator[Position]:
    """The positions after every whole turn."""
    for step in position.legal():
        now = position.play(step)
        yield from turns(now) if now.mid_turn else (now,)


def wins(game: str, position: Position, first: Sequence[str] = ()) -> bool:
    """Return True if the player to act can win with this turn; some turns are tried before all others."""
    seat = position.to_act
    for text in first:
        try:
            outcome = GAMES[game].read_input(position, text)[1].outcome
        except PlayerError:
            continue
        if outcome is not None and outcome.winners == (seat,):
            return True
    return any(now.outcome is not None and now.outcome.winners == (seat,) for now in turns(position))


def is_lost(game: str, position: Position, threats: Sequence[str]) -> bool:
    """Return True if every turn loses at once or lets the opponent win with the next."""
    seat = position.to_act
    assert seat is not None
    return all(
        now.outcome.winners == (1 - seat,) if now.outcome else wins(game, now, threats) for now in turns(position)
    )


def saving(position: Position) -> set[str]:
    """The turns after which the opponent cannot win at once."""
    replies = [now for now in turns(position) if now.outcome is None and not wins("mambo", now)]
    return {GAMES["mambo"].input_text(now, ()).move for now in replies}


def fitting(position: Position) -> dict[str, tuple[int, ...]]:
    return {position.layout.spaces[cell].label: states for cell, states in position.fitting().items()}


def known(position: Position, label: str) -> str:
    cell = position.layout.space_labelled(label)
    assert cell is not None
    return position.layout.spaces[cell].decided


def test_a_known_point_decides_between_an_automatic_tile_and_a_null_point() -> None:
    before = after("mambo", "A6 F2 H1", "mambo/tactics")
    assert known(before, "E") == "oo."
    for state in (2, 4):
        assert [tile.label for tile in after("mambo", f"A6 F2 H1 M{state}").last_turn] == ["M", "E"]
    assert len(after("mambo", "A6 F2 H1 M3").layout.null_points) == 1


def test_two_stray_wedges_at_one_mouth_are_killed() -> None:
    assert wins("mambo", after("mambo", "A3 E2", "mambo/tactics"), ["D1"])


def test_two_wedges_with_one_way_out_each_cannot_both_be_saved() -> None:
    position = after("mambo", "A6 G5 C5 M6", "mambo/example")
    assert is_lost("mambo", position, ["H6", "P4"])
    assert after("mambo", "A6 G5 C5 M6 H2 P4", "mambo/example").outcome is not None


def forced(game: str, moves: str, turns_to_win: int) -> bool:
    """Return True if the player to act wins by force in so many turns, found by trying everything."""
    return Solver(after(game, moves), 10_000_000).wins_after((), turns_to_win)


def test_a_known_point_takes_one_state_only() -> None:
    assert fitting(after("mambo", "A6 F2 H1"))["E"] == (3,)
    assert "only with the one state that fits, E3" in " ".join(text_of("mambo/tactics").split())


def test_three_moves_alone_save_the_owner_of_a_cold_front() -> None:
    position = after("mambo", "A4 E4", "mambo/tactics")
    assert fitting(position)["F"] == (1,)
    replies = [GAMES["mambo"].input_text(now, ()).move for now in turns(position)]
    assert {each for each in replies if not forced("mambo", f"A4 E4 {each}", 2)} == {"F1", "G2", "K3"}
    for letter, each in (("a", "F1"), ("b", "G2"), ("c", "K3")):
        assert re.search(rf"^  {letter}  {each}    joins", text_of("mambo/tactics"), re.MULTILINE)


@pytest.mark.slow
@pytest.mark.parametrize("answer", ["F1", "G2", "K3"])
def test_an_answer_to_a_cold_front_holds_for_three_turns(answer: str) -> None:
    assert not forced("mambo", f"A4 E4 {answer}", 3)


def test_the_attack_on_a_cold_front_wins_as_it_is_told() -> None:
    position = after("mambo", "A4 E4 C1 G6")
    assert is_lost("mambo", position, ["T2", "K5"])
    assert wins_with("A4 E4 C1 G6 B5 T2") == wins_with("A4 E4 C1 G6 F1 K5") == (1,)
    assert len(after("mambo", "A4 E4 C1 G6 B5 T2").layout.null_points) == 1
    assert forced("mambo", "A4 E4 J4", 2)


def test_the_threats_against_splinter_groups_leave_no_choice() -> None:
    first = after("mambo", "A5 D1 H2 B2 P1")
    assert len(list(turns(first))) == 35
    assert saving(first) == {"M4"}
    assert wins_with("A5 D1 H2 B2 P1 F2 M3") == (0,)
    assert is_lost("mambo", after("mambo", "A5 D1 H2 B2 P1 M4 Z3"), ["AB2", "R3", "V1"])
    for threat in ("AB2", "R3", "V1"):
        assert wins_with(f"A5 D1 H2 B2 P1 M4 Z3 F2 {threat}") == (0,)


ZIGZAG = (
    "A6 E5 D3 C6 M2 P5 U3 T6 Y2 Z5 AD3 AC6 AG2 AH5 AP3 AM6 AT2 AU5 AZ3 AY6 BC2 BD5 BH3 BG6 "
    "BM2 BP5 BU3 BT6 BY2 BZ5 CD3 CC6 CG2 CH5 CP3 CM6 CT2 CU5 CZ3 CY6 DC2 DD5 DH3 DG6 DM2 DP5 DU3 DT6"
)
STRAIGHT = (
    "A6 E5 D2 H5 P2 Q5 U2 V5 Z2 AA5 AD2 AE5 AH2 AJ5 AP2 AQ5 AU2 AV5 AZ2 BA5 BD2 BE5 BH2 BJ5 "
    "BP2 BQ5 BU2 BV5 BZ2 CA5 CD2 CE5 CH2 CJ5 CP2 CQ5 CU2 CV5 CZ2 DA5 DD2 DE5 DH2 DJ5 DP2 DQ5 DU2 DV5"
)


@pytest.mark.parametrize(
    ("size", "moves", "winner", "largest"),
    [
        (12, " ".join(ZIGZAG.split()[:12]), 0, (5, 2)),
        (48, ZIGZAG, 0, (23, 2)),
        (48, STRAIGHT, 1, (23, 24)),
    ],
)
def test_a_ladder_to_the_end_of_the_supply_is_won_by_the_largest_group(
    size: int, moves: str, winner: int, largest: tuple[int, int]
) -> None:
    position: Position = GAMES["mambo"].begin({"size": size}, 2)
    for turn in moves.split():
        position = GAMES["mambo"].read_input(position, turn)[1]
    assert position.outcome is not None
    assert (position.outcome.ending, position.outcome.winners) == (Ending.SUPPLY_EMPTY, (winner,))
    found = [max(each.bridges for each in groups(position) if each.colour is colour) for colour in position.colours]
    assert tuple(found) == largest


def test_no_last_tile_turns_a_zigzag_ladder() -> None:
    position = after("mambo", ZIGZAG.rpartition(" ")[0])
    assert all(now.outcome and now.outcome.winners == (0,) for now in turns(position))


def test_the_majority_of_dominant_tiles_wins_most_games_at_random() -> None:
    lots, won = Random(5), list[bool]()
    for _ in range(300):
        position = after("mambo", "")
        while position.outcome is None:
            position = position.play(lots.choice(position.legal()))
        dominant = [tile.bridge for tile in position.layout.tiles.values()]
        of_o, of_x = map(dominant.count, position.colours)
        if of_o != of_x:
            won.append(position.outcome.winners == (int(of_x > of_o),))
    assert 0.7 < sum(won) / len(won) < 0.85


@pytest.mark.parametrize(
    ("moves", "escapes"),
    [
        ("A6 E5", {"D2", "D3"}),
        ("A6 E5 D3 C6", {"M2", "M3"}),
        ("A6 E5 D3 C6 M2 P5", {"U2", "U3"}),
    ],
)
def test_a_ladder_leaves_the_runner_two_tiles_at_each_step(moves: str, escapes: set[str]) -> None:
    assert saving(after("mambo", moves)) == escapes


def test_every_state_of_the_seki_closes_a_group_of_both() -> None:
    moves = "A3 D1,M2 H1,B2 K3,Z3 Y2,AB1"
    position = after("lambo", moves, "lambo/tactics")
    for state in (1, 2, 3):
        now = GAMES["lambo"].read_input(position, f"C{state}")[1]
        assert {region.colour for region in now.layout.regions.closed if region.bridges} == {Colour.O, Colour.WHITE}
        assert position.to_act == 1
        assert now.outcome is not None
        assert now.outcome.winners == (0,)


def open_spaces(position: Position, group: Region) -> set[str]:
    """The labels of the spaces that a group touches."""
    cells = {cell for point in group.points for cell in cells_at(point)}
    return {position.layout.spaces[cell].label for cell in cells - set(position.layout.tiles)}


def test_a_group_that_touches_two_holes_cannot_be_closed() -> None:
    position = after("lambo", "F3 H2,K2 D2,Q1 U1,AA2 W2,AD1", "lambo/tactics")
    for label in ("E", "V"):
        cell = position.layout.space_labelled(label)
        assert cell is not None
        assert set(neighbours(cell)) <= set(position.layout.tiles)
    (safe,) = (each for each in groups(position) if each.bridges and open_spaces(position, each) == {"E", "V"})
    assert (safe.colour, safe.bridges) == (Colour.O, 2)
    for label, state in product("EV", (1, 2, 3)):
        with pytest.raises(NothingCouldFollow):
            GAMES["lambo"].read_input(position, f"{label}{state},A1")
    assert all(not now.layout.regions.by_name[safe.points[0]].closed for now in turns(position))


def test_a_seki_of_two_spaces_is_won_by_the_player_to_move() -> None:
    position = after("lambo", "A3 D2,K1 Q3,U3 H3,Y2", "lambo/tactics")
    assert position.to_act == 0
    for label, state in product("BC", (1, 2, 3)):
        cell = position.layout.space_labelled(label)
        assert cell is not None
        assert not [each for each in position.after(Placement(cell, state)).layout.regions.closed if each.bridges]
    for turn, colour in (("B3,C3", Colour.WHITE), ("B1,C1", Colour.O)):
        now = GAMES["lambo"].read_input(position, turn)[1]
        assert {each.colour for each in now.layout.regions.closed if each.bridges} == {colour}
    pair = {cell for cell, space in position.layout.spaces.items() if space.label in "BC"}
    assert all(set(neighbours(cell)) <= {*position.layout.tiles, *pair} for cell in pair)


@pytest.mark.parametrize("state", [1, 2, 3])
def test_a_hole_takes_no_first_tile(state: int) -> None:
    position = after("lambo", "C1 J1,P1 T1,E1", "lambo/tactics")
    with pytest.raises(NothingCouldFollow):
        GAMES["lambo"].read_input(position, f"D{state},A1")


def test_a_hole_that_closes_a_group_cannot_be_defended() -> None:
    position = after("lambo", "A1 H3,P2 C3,T3", "lambo/tactics")
    assert len(list(turns(position))) == 487
    assert is_lost("lambo", position, ["B3"])


@pytest.mark.slow
def test_many_replies_to_a_first_tile_lose_at_once() -> None:
    replies = list(turns(after("lambo", "D1", "lambo/tactics")))
    assert (len(replies), sum(wins("lambo", now) for now in replies)) == (342, 54)


@pytest.mark.parametrize(
    ("game", "page", "moves", "threats"),
    [
        ("lambo", "lambo/tactics", "D1 H1,G1 B2,C2", ("K3", "V2,Q3")),
        ("lambo", "lambo/tactics", "E1 A2,B3 C3,D3", ("F1", "Q2,R3")),
        ("palago", "palago/tactics", "E3 G3,P2 R3,W1 F3,J3", ("H2",)),
    ],
)
def test_an_attack_that_is_said_to_win_wins(game: str, page: str, moves: str, threats: tuple[str, ...]) -> None:
    assert is_lost(game, after(game, moves, page), threats)


SAVING = (
    "B2,AB1 B2,AA1 C3,Q2 R1,K1 B2,Z1 R1,K2 A1,B1 V1,U1 A2,F1 C1,Q1 B2,Y1 "
    "K2,R1 R3,K2 K2,AA1 T1,AA1 R1,Q1 B2,W1 K2,Y1 C3,Q1 B2,U1 T1,Z1"
)
"""Answers of Dark, one of which saves Dark from whatever does not win the first puzzle."""


@pytest.mark.slow
def test_two_turns_alone_set_up_the_win_of_the_first_puzzle() -> None:
    found: dict[object, Position] = {}
    for now in turns(after("lambo", "D1 H1,G1", "lambo/tactics")):
        found.setdefault(now.contents, now)
    assert len(found) == 351
    winning = [now for now in found.values() if not any(map(is_safe, answers(now)))]
    assert [GAMES["lambo"].input_text(now, ()).move for now in winning] == ["B2,C2", "C2,Q3"]


def answers(position: Position) -> Iterator[Position]:
    """The positions after the answers that save Dark in the first puzzle, if they can be played."""
    for text in SAVING.split():
        with suppress(PlayerError):
            yield GAMES["lambo"].read_input(position, text)[1]


def is_safe(position: Position) -> bool:
    """Return True if the player to act cannot win with this turn."""
    return not Solver(position).wins_after((), 1)


def test_the_other_winning_turn_of_the_first_puzzle_wins() -> None:
    assert "Set up a win: C2,Q3." in text_of("lambo/tactics")
    assert not wins("lambo", after("lambo", "D1 H1,G1"))
    assert is_lost("lambo", after("lambo", "D1 H1,G1 C2,Q3"), ("K3", "B2"))


def test_one_turn_alone_survives_in_the_second_puzzle() -> None:
    moves = "F1 C3,M2 Q3,V3 W3,AA1"
    position = after("lambo", moves, "lambo/tactics")
    assert position.to_act == 0
    survived = [
        GAMES["lambo"].input_text(now, ()).move
        for now in turns(position)
        if (now.outcome is None or now.outcome.winners == (0,)) and not wins("lambo", now, ("R2", "T1,R2"))
    ]
    assert sorted(survived) == ["R3,T1", "T1,R3"]


def test_the_first_turn_of_superbo_takes_less_than_fits_by_corners() -> None:
    text = (folder("templates") / "en" / "help" / "superbo.txt").read_text()
    assert "7-9" in text
    position = after("superbo", "")
    assert fitting(position)["A"] == (1, 2, 6, 7, 8, 9)
    for state in (1, 2, 6):
        assert after("superbo", f"A{state}").ply == 1
    for state in (7, 8, 9):
        with pytest.raises(ColourMissing):
            GAMES["superbo"].read_input(position, f"A{state}")


def test_three_alike_corners_leave_three_states_in_superbo_and_none_in_mambo() -> None:
    assert fitting(after("superbo", "F3 G8,P1 M7,W2", "superbo"))["A"] == (7, 8, 9)
    states, of_mambo = after("superbo", "").rules.states, after("mambo", "").rules.states
    for colour in "ox":
        for at in range(3):
            two = f"{colour * at}.{colour * (2 - at)}"
            assert (len(states.fitting(two)), len(of_mambo.fitting(two))) == (4, 1)
        assert (len(states.fitting(colour * 3)), len(of_mambo.fitting(colour * 3))) == (3, 0)


def test_the_third_tile_of_a_turn_of_superbo_is_laid_by_itself() -> None:
    before = after("superbo", "D5 C9,K4", "superbo/tactics")
    assert known(before, "B") == "o.o"
    assert [tile.text for tile in after("superbo", "D5 C9,K4 A9,P5").last_turn] == ["A9", "P5", "B2"]


def test_superbo_has_the_tiles_of_mambo_and_of_lambo_in_both_colours() -> None:
    faces = {game: {(each.bridge, each.tip) for each in after(game, "").rules.states} for game in GAMES if game in OURS}
    one, other = Colour.O, Colour.X
    assert faces["mambo"] == {(one, other), (other, one)}
    assert faces["lambo"] == {(one, one)}
    assert faces["superbo"] == faces["mambo"] | faces["lambo"] | {(other, other)}


def test_no_tile_of_superbo_has_two_corners_of_the_other_colour() -> None:
    assert all(state.colours.count(state.bridge) >= 2 for state in after("superbo", "").rules.states)


def test_only_a_closed_group_with_a_loop_wins_superbo() -> None:
    lots, won, without_eye = Random(3), 0, 0
    for _ in range(60):
        position = after("superbo", "")
        while position.outcome is None:
            position = position.play(lots.choice(position.legal()))
            closed = [each for each in position.layout.regions.closed if each.bridges and each.is_coloured]
            without_eye += bool(closed) and position.outcome is None
        if position.outcome.ending is not Ending.SUPPLY_EMPTY:
            assert any(each.loops for each in closed)
            won += 1
    assert won
    assert without_eye


def test_points_around_a_null_point_within_a_loop_are_territory_and_the_groups_own_are_not() -> None:
    states = after("mambo", "").rules.states
    layout = survey({Cell(*cell): states[number] for cell, number in AROUND_A_NULL_POINT.items()}, states)
    group = max(layout.regions.by_name.values(), key=lambda region: region.bridges)
    (null_point,) = layout.null_points
    assert set(corners(null_point)) <= set(group.points)
    assert enclosed(layout, group) == set(white_points(null_point))
    page = (folder("templates") / "en" / "help" / "mambo" / "variants.txt").read_text()
    assert "Points around a null point within a loop count too" in " ".join(page.split())
