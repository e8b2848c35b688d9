"""Laying, the move, and whose turn comes next (RULES 5 to 7)."""

from dataclasses import replace

import pytest

from pbem.games.mamba.events import Laid
from pbem.games.mamba.position import Position, TurnSoFar
from pbem.games.mamba.refusals import HasLaid, MustMove, NoPieceLeft, NotIsolated, OutOfReach, WayTaken
from pbem.games.mamba.squares import with_mark
from tests.games.mamba.playing import after, board, cells, drawn, placed, words

B_FAR_AWAY = "B: a9 c9 e9 g9 i9"

FULL = """
    BB.AB.AB.
    ABBA.BAA.
    .AB.BA.BB
    BA.BAA.AB
    A.AB.BA.A
    .........
    ....A....
    .........
    BB.AB.AB.
"""
"""39 pieces."""


def layings(position: Position) -> set[str]:
    return {word for word in words(position) if word.startswith("lay")}


def moves(position: Position, start: str) -> str:
    """The cells to which the piece may go: ``a1 b2``."""
    steps = [word.removeprefix(f"move {start}-") for word in words(position) if word.startswith(f"move {start}-")]
    return " ".join(sorted(steps))


def test_an_isolated_piece_lays_on_each_of_the_eight_cells_around_it() -> None:
    position = placed(f"A: e5 a1 b1 c1 d1 {B_FAR_AWAY}")
    assert layings(position) == {f"lay e5>{cell}" for cell in ("d4", "e4", "f4", "d5", "f5", "d6", "e6", "f6")}


@pytest.mark.parametrize("beside", ["d4", "e4", "f4", "d5", "f5", "d6", "e6", "f6"])
@pytest.mark.parametrize("owner", "AB")
def test_a_piece_with_any_neighbour_is_not_isolated(beside: str, owner: str) -> None:
    assert layings(placed(f"A: e5 {owner}: {beside}")) & {"lay e5>e6", "lay e5>e4"} == set()


def test_a_piece_at_the_edge_or_in_the_corner_may_be_isolated() -> None:
    assert layings(placed("A: a1")) == {"lay a1>b1", "lay a1>a2", "lay a1>b2"}
    assert len(layings(placed("A: e9"))) == 5


def test_strict_isolation_wants_all_eight_cells_to_exist() -> None:
    assert layings(placed("A: a1 e9", strict_isolation=True)) == set()
    assert len(layings(placed("A: a1 e8", strict_isolation=True))) == 8


def test_only_own_pieces_lay() -> None:
    assert layings(placed("A: e5 B: b2", on_turn="B")) == layings(placed("A: b2 B: e5")) == layings(placed("A: b2"))


def test_layings_come_one_after_the_other_and_the_turn_stays_open() -> None:
    position = after(placed(f"A: b2 g6 a5 d7 i3 {B_FAR_AWAY}"), "lay b2>b3 lay g6>f5")
    assert cells(position, "A") == "b2 b3 i3 a5 f5 g6 d7"
    assert (position.to_act, position.ply, position.mid_turn) == (0, 0, True)
    assert position.supply == 40 - 12


def test_a_piece_lays_once_a_turn() -> None:
    position = after(placed(f"A: b2 g6 a5 d7 i3 {B_FAR_AWAY}"), "lay b2>b3")
    with pytest.raises(HasLaid):
        after(position, "lay b2>b1")


def test_a_piece_that_is_isolated_again_may_not_lay_again() -> None:
    """The layer stands alone once more, since the new piece was taken off; it has laid all the same."""
    position = placed("A: a1 e5 g7 i1 B: c9 e9 g9 i9 a9")
    laid = position.squares.find("A")
    position = replace(position, turn=TurnSoFar(position.squares, (Laid(0, 0, 1),), frozenset({laid})))
    assert not any(word.startswith("lay a1") for word in words(position))
    with pytest.raises(HasLaid):
        after(position, "lay a1>a2")


def test_a_newly_laid_piece_may_lay_where_it_is_isolated() -> None:
    position = placed("A: a1 e5 g7 i1 B: c9 e9 g9 i9 a9")
    position = replace(position, turn=TurnSoFar(position.squares, (Laid(0, 9, 0),), frozenset({9})))
    assert "lay a1>b1" in layings(position)


def test_a_piece_on_the_cell_of_one_that_laid_and_was_removed_may_lay() -> None:
    position = after(placed(f"A: b1 i7 a5 c5 g5 g7 {B_FAR_AWAY}"), "lay b1>c1")
    assert position.turn.laid == frozenset({1})
    removed = replace(position, squares=with_mark(position.squares, 1, ".")).at_rest()
    assert removed.mid_turn
    again = replace(removed, squares=with_mark(with_mark(removed.squares, 1, "A"), 2, "."))
    assert "lay b1>a1" in layings(again)


def test_nothing_is_laid_while_forty_pieces_are_on_the_board() -> None:
    position = drawn(FULL)
    assert position.supply == 1
    assert layings(position)
    full = replace(position, squares=position.squares[:-1] + "B")
    assert full.supply == 0
    assert layings(full) == set()
    with pytest.raises(NoPieceLeft) as refused:
        after(full, "lay e3>e2")
    assert refused.value.facts["pieces"] == 40


def test_a_piece_goes_one_or_two_orthogonal_steps_round_corners_too() -> None:
    position = placed("A: e5")
    assert moves(position, "e5") == "c5 d4 d5 d6 e3 e4 e6 e7 f4 f5 f6 g5"
    assert moves(placed("A: a1"), "a1") == "a2 a3 b1 b2 c1"


def test_no_step_may_lead_over_a_piece() -> None:
    position = placed("A: e5 d5 B: e6 f5")
    assert moves(position, "e5") == "d4 e3 e4 f4"
    for end, between in (("e7", ("e6",)), ("g5", ("f5",)), ("f6", ("f5", "e6"))):
        with pytest.raises(WayTaken) as refused:
            after(position, f"move e5-{end}")
        assert refused.value.facts["between"] == between


def test_a_corner_is_turned_where_one_of_the_two_ways_is_free() -> None:
    assert "f6" in moves(placed("A: e5 B: e6"), "e5").split()
    assert "f6" in moves(placed("A: e5 B: f5"), "e5").split()


@pytest.mark.parametrize("end", ["e5", "e8", "g6", "a1"])
def test_a_piece_must_end_elsewhere_and_within_two_steps(end: str) -> None:
    with pytest.raises(OutOfReach):
        after(placed("A: e5"), f"move e5-{end}")


def test_one_move_ends_the_turn() -> None:
    position = after(placed(f"A: b2 g6 a5 d7 i3 {B_FAR_AWAY}"), "move b2-b4")
    assert (position.to_act, position.ply) == (1, 1)
    assert cells(position, "A") == "i3 b4 a5 g6 d7"


def test_a_newly_laid_piece_may_move_and_so_may_its_layer() -> None:
    start = placed(f"A: b2 g6 a5 d7 i3 {B_FAR_AWAY}")
    assert cells(after(start, "lay b2>b3 move b3-d3"), "A") == "b2 d3 i3 a5 g6 d7"
    assert cells(after(start, "lay b2>b3 move b2-d2"), "A") == "d2 b3 i3 a5 g6 d7"


def test_the_turn_may_end_without_a_move() -> None:
    position = after(placed(f"A: b2 g6 a5 d7 i3 {B_FAR_AWAY}"), "lay b2>b3 pass")
    assert (position.to_act, position.ply) == (1, 1)
    assert after(position, "pass").to_act == 0


def test_must_move_allows_the_pass_only_without_a_move() -> None:
    position = placed("A: b2 B: e5", must_move=True)
    assert "pass" not in words(position)
    with pytest.raises(MustMove) as refused:
        after(position, "pass")
    assert refused.value.facts["example"] == words(position)[8]
    shut_in = placed("A: a1 B: a2 b1 h8 g6 e4", must_move=True)
    assert words(shut_in) == ["pass"]
    assert after(shut_in, "pass").to_act == 1


def test_an_edge_piece_is_refused_for_its_edge_alone_only_under_strict_isolation() -> None:
    with pytest.raises(NotIsolated) as refused:
        after(placed("A: a1 c5", strict_isolation=True), "lay a1>a2")
    assert (refused.value.facts["beside"], refused.value.facts["strict"]) == ((), True)


def test_the_turn_goes_round_those_still_in_play() -> None:
    position = placed("A: a1 B: c9 C: i1 D: a9", players=4)
    assert after(position, "pass", "pass", "pass", "pass").to_act == 0
    assert after(replace(position, playing=(0, 2, 3)), "pass").to_act == 2
    assert after(replace(position, playing=(0, 2)), "pass", "pass").to_act == 0


def test_after_each_laying_the_board_comes_to_rest() -> None:
    position = after(placed("A: c2 a1 i3 i5 i7 g5 B: a2 a9 c9 e9 g9 i9"), "lay c2>b1")
    assert board(position)[-2:] == ["B.A......", ".A......."]
    assert position.to_act == 0
