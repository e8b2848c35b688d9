"""Bringing the board to rest (RULES 8 to 13), on boards drawn by hand."""

import pytest

from pbem.games.mamba.balance import line_of_alignment
from pbem.games.mamba.events import Blocked, Cut, Event, Moved, Suffocated, Turned
from pbem.games.mamba.game import MAMBA
from pbem.games.mamba.position import Position
from pbem.games.mamba.squares import Alignment
from tests.games.mamba.playing import after, cells, placed

OTHERS = "A: i1 i3 i5 i7 i9 B: a1 a3 a7 a9 c9"
"""Pieces that stand alone and keep both players in the game."""


def happened(position: Position) -> list[Event]:
    """The latest turn without its layings and moves."""
    assert position.latest is not None
    return [each for each in position.latest.happened if not isinstance(each, Moved)]


def told(position: Position) -> list[str]:
    """The events of the latest turn, in short: ``e5 B>A``, ``-e5``, ``cut a1-a2``, ``block e5``."""
    return [_short(position, each) for each in happened(position)]


def _short(position: Position, event: Event) -> str:
    names = position.rules.grid.names
    match event:
        case Turned(cell, old, new):
            return f"{names[cell]} {'ABCD'[old]}>{'ABCD'[new]}"
        case Suffocated(_, cell):
            return f"-{names[cell]}"
        case Cut(_, off):
            return "cut " + "-".join(names[cell] for cell in off)
        case Blocked(cell):
            return f"block {names[cell]}"
        case _:
            return type(event).__name__


def asked(position: Position) -> tuple[str, str, tuple[str, ...]]:
    """The player who is asked, the question and its options."""
    decision = position.decision
    assert decision is not None
    return "ABCD"[decision.owner], decision.kind, decision.options


# the two examples of the rules


def test_three_against_two_end_in_an_alignment_of_five() -> None:
    """Example of the rules: through four against one, to an overpopulation whose owner names the end."""
    position = after(placed(f"{OTHERS} A: c5 b4 a5 B: d5 e5"), "move b4-b5")
    assert asked(position) == ("A", "cut", ("cut a5", "cut e5"))
    first, second = (each for each in position.turn.happened if isinstance(each, Turned))
    assert (first.longer, first.shorter, first.line) == (3, 2, "5")
    assert (second.longer, second.shorter, second.line) == (4, 1, "5")
    lost = after(position, "cut e5")
    assert told(lost) == ["d5 B>A", "e5 B>A", "cut e5"]
    assert cells(lost, "A") == "i1 i3 a5 b5 c5 d5 i5 i7 i9"
    assert cells(after(position, "cut a5"), "A") == "i1 i3 b5 c5 d5 e5 i5 i7 i9"


def test_a_piece_at_a_cross_of_two_long_alignments_is_blocked() -> None:
    """Example of the rules: the row gives it to one, the column gives it back to the other."""
    start = placed(f"{OTHERS} A: b5 c5 d6 B: e2 e3 e4 e5")
    position = after(start, "move d6-d5")
    assert told(position) == ["e5 B>A", "e5 A>B", "block e5"]
    assert cells(position, "B") == cells(start, "B")
    assert position.to_act == 1


# 8, asphyxia


def test_a_piece_without_an_empty_cell_beside_it_is_removed() -> None:
    position = after(placed(f"{OTHERS} A: d4 B: e3 e4 f5 e6"), "move d4-d5")
    assert told(position) == []
    position = after(placed(f"{OTHERS} A: c5 B: e4 e5 f5 e6"), "move c5-d5")
    assert told(position) == ["-e5"]


def test_off_the_board_is_not_empty() -> None:
    start = placed("A: g1 i1 a9 c9 e9 g9 B: a1 a3 a5 a7 c7 g7")
    assert told(after(start, "move g1-h1")) == []
    walled = placed("A: g1 i1 a9 c9 e9 g9 B: i2 a3 a5 a7 c7 g7")
    assert told(after(walled, "move g1-h1")) == ["-i1"]


def test_all_suffocate_at_the_same_moment_whoever_they_belong_to() -> None:
    """Were one of the two taken off before the other, that would have a free cell beside it."""
    position = after(placed("A: c9 e9 g7 i9 i7 i3 h1 B: i1 g1 h2 a9 a7 a5 c7"), "move i3-i2")
    assert happened(position) == [Suffocated(0, 7), Suffocated(1, 8)]
    assert position.supply == 40 - 12


def test_asphyxia_comes_before_overpopulation() -> None:
    """The fifth piece shuts in the fourth, without which the row is no longer too long."""
    position = after(placed("A: a1 b1 c1 d1 e3 c9 B: d2 g4 g6 g8 i6 i8"), "move e3-e1")
    assert told(position) == ["-d1"]
    assert cells(position, "A") == "a1 b1 c1 e1 c9"


# 9 and 10, alignments and overpopulation


def test_four_in_a_line_are_not_too_many() -> None:
    assert told(after(placed(f"{OTHERS} A: b5 c5 d5 e4"), "move e4-e5")) == []


@pytest.mark.parametrize(
    ("pieces", "move", "options"),
    [
        ("b5 c5 d5 e5 f4", "f4-f5", ("cut b5", "cut f5")),
        ("e2 e3 e5 e6 d4", "d4-e4", ("cut e2", "cut e6")),
        ("b5 c5 e5 f5 d4", "d4-d5", ("cut b5", "cut f5")),
        ("b5 c5 d5 f5 g5 e4", "e4-e5", ("cut b5-c5", "cut g5-f5")),
        ("b5 c5 d5 f5 g5 h5 e4", "e4-e5", ("cut b5-d5", "cut h5-f5")),
    ],
    ids=["end of a row", "middle of a column", "middle of a row", "surplus of two", "surplus of three"],
)
def test_an_alignment_longer_than_four_loses_its_surplus_at_the_end_named(
    pieces: str, move: str, options: tuple[str, ...]
) -> None:
    position = after(placed(f"{OTHERS.replace('i5 ', '')} A: i2 {pieces}"), f"move {move}")
    assert asked(position) == ("A", "cut", options)
    for option in options:
        cut = after(position, option)
        assert len(cells(cut, "A").split()) == len(cells(position, "A").split()) - len(pieces.split()) + 4
        assert cells(after(position, option.partition("-")[0]), "A") == cells(cut, "A")
    high, low = options[1].removeprefix("cut ").partition("-")[0], options[0].removeprefix("cut ").partition("-")[0]
    assert high in cells(after(position, options[0]), "A")
    assert low in cells(after(position, options[1]), "A")


def test_the_end_and_a_cell_of_the_alignment_may_be_named() -> None:
    position = after(placed(f"{OTHERS.replace('i5 ', '')} A: b5 c5 d5 f5 g5 e4"), "move e4-e5")
    assert after(position, "cut g5-b5") == after(position, "cut g5-f5") == after(position, "cut g5")


T_SHAPE = "A: e1 e2 e3 e4 c5 d5 e7 f5 g5 B: a1 a3 a7 a9 c9"


def test_a_row_and_a_column_may_be_too_long_at_once() -> None:
    """Their owner chooses among all ends; what is too long still is asked for again."""
    position = after(placed(T_SHAPE), "move e7-e5")
    assert asked(position) == ("A", "cut", ("cut e1", "cut c5", "cut e5", "cut g5"))
    assert told(after(position, "cut e5")) == ["cut e5"]
    row_cut = after(position, "cut g5")
    assert asked(row_cut) == ("A", "cut", ("cut e1", "cut e5"))
    assert cells(after(row_cut, "cut e1"), "A") == "e2 e3 e4 c5 d5 e5 f5"


@pytest.mark.parametrize("answer", ["cut g5", "cut g5-b5", "cut g5-c5", "cut g5-f5"])
def test_a_record_names_an_end_as_the_decision_does(answer: str) -> None:
    start = placed(f"{OTHERS.replace('i5 ', '')} A: b5 c5 d5 f5 g5 e4")
    for position, line in ((start, "move e4-e5 "), (after(start, "move e4-e5"), "")):
        steps = MAMBA.input_steps(position, {"input": line + answer})
        assert MAMBA.input_record(position, steps) == {"input": f"{line}cut g5-f5"}


@pytest.mark.parametrize("line", ["move e4-e5 cut a1", "cut g5", "move e4-e6 cut g5", "move e4-e5 cut g5 pass"])
def test_steps_that_cannot_be_played_are_recorded_as_they_are(line: str) -> None:
    start = placed(f"{OTHERS.replace('i5 ', '')} A: b5 c5 d5 f5 g5 e4")
    assert MAMBA.input_record(start, MAMBA.input_steps(start, {"input": line})) == {"input": line}


@pytest.mark.parametrize(("pieces", "line"), [("a1 b1", "1"), ("h9 i9", "9"), ("a1 a2", "a"), ("i7 i8 i9", "i")])
def test_an_alignment_lies_on_a_row_or_a_column(pieces: str, line: str) -> None:
    position = placed(f"A: {pieces}")
    assert line_of_alignment(position.rules.grid, Alignment("A", position.pieces(0))) == line


ANGLE = "B: a3 a7 a9 c9 i9 A: i3 i5 i7 c1 d1 e1 b2 b3 b4 b5 a2"


def test_an_end_that_two_alignments_share_is_one_option_where_the_same_piece_goes() -> None:
    position = after(placed(ANGLE.replace("e1", "e1 f1").replace("a2", "a1")), "move a1-b1")
    assert asked(position) == ("A", "cut", ("cut b1", "cut f1", "cut b5"))
    assert asked(after(position, "cut f1"))[2] == ("cut b1", "cut b5")
    assert told(after(position, "cut b1")) == ["cut b1"]


def test_the_owner_decides_even_when_another_is_on_turn() -> None:
    """A moves the outer piece away, so that the inner one turns to B, whose row is too long then."""
    start = placed("A: g5 f5 i1 i3 i7 i9 a1 B: b5 c5 d5 e5 a9 c9 a7")
    position = after(start, "move g5-h4")
    assert position.on_turn == 0
    assert asked(position) == ("B", "cut", ("cut b5", "cut f5"))
    assert position.to_act == 1
    cut = after(position, "cut f5")
    assert told(cut) == ["f5 A>B", "cut f5"]
    assert (cut.to_act, cut.ply) == (1, 1)


# 11 and 12, transformations


def test_a_longer_alignment_beside_it_on_the_same_line_turns_a_piece() -> None:
    position = after(placed(f"{OTHERS} A: c5 c4 B: d5 d6"), "move c4-b5")
    assert happened(position) == [Turned(39, 1, 0, longer=2, shorter=1, line="5")]
    column = after(placed(f"{OTHERS} A: e3 d2 B: e4 f4"), "move d2-e2")
    assert happened(column) == [Turned(31, 1, 0, longer=2, shorter=1, line="e")]


def test_an_equal_alignment_or_one_on_another_line_turns_nothing() -> None:
    assert told(after(placed(f"{OTHERS} A: c5 c4 B: d5 e5"), "move c4-b5")) == []
    assert told(after(placed(f"{OTHERS} A: c5 c4 c3 b3 B: d5"), "move b3-c2")) == []


def test_partners_have_no_immunity() -> None:
    start = placed("A: c5 c4 i1 i3 C: d5 d6 g1 a9 B: g9 i9 i7 D: a1 a3 c1", players=4, teams=True)
    assert told(after(start, "move c4-b5")) == ["d5 C>A"]


@pytest.mark.parametrize(("on_turn", "move", "taker"), [("A", "e7-e5", "B"), ("C", "g6-g5", "C")])
def test_a_series_begins_with_the_player_on_turn(on_turn: str, move: str, taker: str) -> None:
    """The piece at e5 lies between three of B's and two of C's on its row: whoever is looked at first has it."""
    a, c = ("e7", "g5") if on_turn == "A" else ("e5", "g6")
    pieces = f"A: {a} a1 c1 e1 g1 B: b5 c5 d5 a9 c9 C: f5 {c} i1 i9 i7 g9"
    assert told(after(placed(pieces, on_turn, players=3), f"move {move}"))[0] == f"e5 A>{taker}"


ROUND = "A: e3 e4 d1 a1 g1 B: b5 c5 d5 a9 C: e5 e6 e7 i9 i7"


def test_a_series_goes_round_the_players_and_never_restarts() -> None:
    """After B comes C, though A, who is on turn, could have the piece as well."""
    position = after(placed(ROUND, players=3), "move d1-e2")
    assert told(position) == ["e5 C>B", "e5 B>C", "block e5"]


def test_a_series_ends_with_the_removal_of_its_piece() -> None:
    start = placed("A: g5 f5 i1 i3 i7 i9 a1 B: b5 c5 d5 e5 a9 c9 a7")
    position = after(start, "move g5-h4", "cut f5")
    assert "f5" not in cells(position, "A") + cells(position, "B")


def test_the_board_right_after_a_removal_makes_no_block() -> None:
    """Had h5 been remembered as A's, it would have stayed so; it is B's again before it is blocked."""
    start = placed("A: d5 e5 f4 a1 a3 a5 a7 a9 B: f5 h3 h4 h5 c9 e9 g9 i9")
    position = after(start, "move f4-g5", "cut d5")
    assert told(position) == ["f5 B>A", "h5 B>A", "cut d5", "h5 A>B", "h5 B>A", "h5 A>B", "block h5"]


# 13, what is not offered


def test_a_piece_that_could_turn_already_is_left_alone() -> None:
    """Row 5 holds three against one from before; only a change of what the piece sees lets it turn."""
    start = placed(f"{OTHERS} A: b5 c5 d5 g7 B: e5")
    assert told(after(start, "move g7-g6")) == []
    assert told(after(start, "move g7-e7", "pass", "move e7-e6")) == ["e5 B>A"]


def test_a_piece_keeps_what_it_saw_when_it_moves() -> None:
    """It could turn where it stood and sees the same where it goes: it is not offered (13 b)."""
    start = placed(f"{OTHERS} A: e3 d3 c3 e4 d4 c4 B: f3", on_turn="B")
    assert told(after(start, "move f3-f4")) == []
    other = "A: {} f1 f3 h1 h3 h5 B: b7 b8 d7 d8 f9 h9 i7"
    assert told(after(placed(other.format("b6")), "move b6-d6")) == []
    assert told(after(placed(other.format("b4")), "move b4-b6")) == ["b6 A>B"]
    fresh = placed(f"{OTHERS} A: e3 d3 c3 e4 d4 c4 B: f5", on_turn="B")
    assert told(after(fresh, "move f5-f4")) == ["f4 B>A"]


def test_a_blocked_piece_is_not_offered_while_it_sees_the_same() -> None:
    """Were c4 or d5 offered once more, A would be asked before B is (13 a)."""
    start = placed("A: d2 d3 d4 d5 B: b4 c4 c5 e5 f5 g5")
    position = after(start, "move d2-c2")
    assert asked(position) == ("B", "cut", ("cut c5", "cut g5"))


def test_a_piece_whose_series_led_back_is_not_offered_until_the_next_removal() -> None:
    """Could e7 be had again and again, the answer would not matter, and B would not be asked (13 c, version 1)."""
    position = after(placed("B: e8 f7 g7 a1 a3 a5 a7 C: e5 e6 f5 f6", "B", players=3, version=1), "move e8-e7")
    assert asked(position) == ("B", "turn", ("turn e7", "turn f7"))
    assert cells(after(position, "turn e7"), "B") == "a1 a3 a5 a7 e7 g7"
    assert cells(after(position, "turn f7"), "B") == "a1 a3 a5 a7"


MINIMAL = "A: b3 b4 b5 e5 h1 f1 B: a5 d5 c6 h9 f9"


def test_a_piece_that_is_blocked_at_its_own_start_is_offered_again_once_it_sees_something_else() -> None:
    """b5 is blocked, e5 turns, and b5 faces three instead of two (13 c)."""
    position = after(placed(MINIMAL, "B"), "move c6-c5")
    assert told(position) == ["b5 A>B", "b5 B>A", "block b5", "e5 A>B", "b5 A>B"]
    assert asked(position) == ("B", "cut", ("cut a5", "cut e5"))


def test_in_the_first_version_of_the_rules_it_rests_until_the_next_removal() -> None:
    position = after(placed(MINIMAL, "B", version=1), "move c6-c5", "turn b5")
    assert told(position) == ["b5 A>B", "b5 B>A", "block b5", "e5 A>B"]
    assert position.decision is None


def test_a_piece_rests_where_its_start_had_been_an_earlier_moment_of_choice_already() -> None:
    """If no start ever counted all ends would be alike here, and C would not be asked (13 c)."""
    pieces = "A: b1 c1 h1 a2 d2 h2 d3 e3 e4 g4 b5 c5 e5 g9 B: i2 b3 a4 c4 d6 c7 f7 e8 f8 C: f4 d5 e6 f6 d7 c8 d9"
    position = after(placed(pieces, "C", players=3), "move d9-d8")
    assert asked(position) == ("C", "turn", ("turn d5", "turn e6", "turn f6"))


def test_a_removal_lets_a_piece_be_offered_again() -> None:
    """i3 is blocked and rests; when d3 has gone, row 3 is another, and i3 turns to B after all."""
    start = placed("A: h3 i3 a9 c9 e9 g9 B: f3 g3 i9 a7 c7 e7 C: d3 e3 h2 i2 a5 a1", "C", 3, version=1)
    position = after(start, "move h2-i1", "turn i3")
    assert "block i3" in told(position)
    assert asked(position) == ("B", "cut", ("cut d3", "cut h3"))
    again = after(position, "cut d3")
    assert told(again)[-2:] == ["cut d3", "i3 C>B"]
    assert asked(again) == ("B", "cut", ("cut e3", "cut i3"))


# what is asked


def test_nothing_is_asked_where_all_ends_are_alike() -> None:
    """Two pieces turn, in whichever order: the lowest cell goes first."""
    position = after(placed(f"{OTHERS.replace('i5', 'g3')} A: d5 e7 B: c5 f5"), "move e7-e5")
    assert told(position) == ["c5 B>A", "f5 B>A"]


def test_the_player_on_turn_names_the_piece_where_it_matters() -> None:
    start = placed("A: b5 c5 d1 d5 B: e2 C: d3 d4 d6", "B", players=3)
    position = after(start, "move e2-d2")
    assert asked(position) == ("B", "turn", ("turn d1", "turn d5"))
    assert asked(after(position, "turn d1")) == ("C", "cut", ("cut d1-d2", "cut d6-d5"))
    assert asked(after(position, "turn d5")) == ("C", "cut", ("cut d2", "cut d6"))
