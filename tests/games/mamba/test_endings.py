"""Players who are out or leave, and the end of the game (RULES 14 to 16)."""

from dataclasses import replace

import pytest

from pbem.games.game import Ending, Outcome
from pbem.games.mamba.events import Out
from pbem.games.mamba.game import MAMBA
from pbem.games.mamba.position import Position
from tests.games.mamba.playing import after, cells, is_balanced, placed

# 14, who is out


@pytest.mark.parametrize(
    ("players", "size", "pieces", "is_out"),
    [
        (2, 9, "a1 c1 e1 g1", True),
        (2, 9, "a1 c1 e1 g1 i1", False),
        (2, 11, "a1 c1 e1 g1 i1 k1", True),
        (2, 11, "a1 c1 e1 g1 i1 k1 k3", False),
        (3, 9, "a1 c1 e1", True),
        (3, 9, "a1 c1 e1 g1", False),
        (3, 11, "a1 c1 e1", True),
        (4, 9, "a1 c1", True),
        (4, 9, "a1 c1 e1", False),
        (4, 11, "a1 c1 e1", False),
    ],
)
def test_with_too_few_pieces_a_player_is_out(players: int, size: int, pieces: str, is_out: bool) -> None:
    others = "B: a9 c9 e9 g9 i9 a7 c7 C: i7 g7 e7 i5 D: a5 c5 e5 g5"
    rest = others if players == 4 else others.partition(" D:")[0] if players == 3 else others.partition(" C:")[0]
    position = after(placed(f"A: {pieces} {rest}", "B", players, size=size), "move a9-a8")
    assert (0 in position.playing) is not is_out
    assert (cells(position, "A") == "") is is_out


def test_all_who_have_too_few_go_together_and_nothing_is_checked_again() -> None:
    """D has three pieces, one more than too few for four players, and stays among two."""
    start = placed("A: a1 c1 B: a9 c9 C: i1 i3 i5 i7 D: i9 g9 e9", "C", players=4)
    position = after(start, "move i1-h1")
    assert position.playing == (2, 3)
    assert position.latest is not None
    assert position.latest.happened[1:] == (Out(0, (0, 2)), Out(1, (72, 74)))
    assert cells(position, "A") + cells(position, "B") == ""
    assert position.supply == 40 - 7


def test_pieces_that_leave_turn_nothing_and_free_nobody_in_time() -> None:
    """i1 has no empty cell, and goes although those who shut it in go too."""
    start = placed("A: i2 h3 a1 B: i1 a9 c9 e9 C: c5 c7 e5 e7", players=3)
    position = after(start, "move h3-h1")
    assert position.playing == (2,)
    assert position.outcome == Outcome((2,), Ending.LAST_IN_PLAY)


OUT_BY_LAYING = "A: a1 b1 d2 h5 B: a2 b2 g9 i9 i7 C: a9 c9 e9 a7"


def test_who_is_out_in_his_own_laying_phase_does_not_move() -> None:
    """The new piece at c1 shuts in b1, and a1 with it."""
    position = after(placed(OUT_BY_LAYING, players=3), "lay d2>c1")
    assert position.playing == (1, 2)
    assert (position.to_act, position.ply, position.mid_turn) == (1, 1, False)


def test_nobody_is_out_before_the_board_has_been_at_rest() -> None:
    assert after(placed("A: a1 B: a9"), "pass").outcome is None


# 15, who wins


def test_the_last_player_in_play_wins() -> None:
    position = after(placed("A: a1 c1 e1 g1 i1 B: a9 c9 e9 g9"), "move a1-a2")
    assert position.outcome == Outcome((0,), Ending.LAST_IN_PLAY)
    assert (position.to_act, position.legal(), position.ply) == (None, (), 1)


@pytest.mark.parametrize(
    ("pieces", "winners"),
    [
        ("A: a1 c1 e1 B: a9 c9", (0,)),
        ("A: a1 c1 B: a9 c9 e9", (1,)),
        ("A: a1 c1 B: a9 c9", ()),
    ],
)
def test_all_out_at_once_the_most_pieces_before_the_removal_win(pieces: str, winners: tuple[int, ...]) -> None:
    position = after(placed(pieces), "move a1-a2")
    assert position.outcome == Outcome(winners, Ending.ALL_OUT)
    assert position.playing == ()
    assert position.supply == 40


def test_a_team_wins_when_the_other_has_nobody_left() -> None:
    start = placed("A: a1 c1 e1 B: a9 c9 C: i1 i3 D: g9 i9", players=4, teams=True)
    assert after(start, "move a1-a2").outcome == Outcome((0, 2), Ending.LAST_IN_PLAY)
    alone = placed("A: a1 c1 e1 B: a9 c9 C: i1 i3 D: g9 i9", players=4)
    assert after(alone, "move a1-a2").outcome == Outcome((0,), Ending.LAST_IN_PLAY)
    both = placed("A: a1 c1 e1 B: a9 c9 C: i1 i3 i5 D: g9 i9", players=4, teams=True)
    assert after(both, "move a1-a2").outcome == Outcome((0, 2), Ending.LAST_IN_PLAY)
    assert after(replace(both, rules=alone.rules), "move a1-a2").outcome is None


@pytest.mark.parametrize(
    ("pieces", "winners"),
    [
        ("A: a1 B: a9 C: i1 i3 D: i9", (0, 2)),
        ("A: a1 c1 B: a9 c9 C: i1 i3 D: i9", ()),
        ("A: a1 B: a9 D: i9 g9", (1, 3)),
    ],
)
def test_all_out_at_once_a_team_counts_as_its_better_member(pieces: str, winners: tuple[int, ...]) -> None:
    position = after(placed(pieces, players=4, teams=True), "move a1-a2")
    assert position.outcome == Outcome(winners, Ending.ALL_OUT)


# 16, draws and rounds

FORTH_AND_BACK = ("move e2-e1", "move e8-e9", "move e1-e2", "move e9-e8")
START = "A: e2 a1 c1 g1 i1 B: e8 a9 c9 g9 i9"


def test_the_same_board_for_the_third_time_is_a_draw() -> None:
    twice = after(placed(START), *FORTH_AND_BACK, *FORTH_AND_BACK[:3])
    assert twice.outcome is None
    assert after(twice, FORTH_AND_BACK[3]).outcome == Outcome((), Ending.REPETITION)


def test_the_board_must_come_with_the_same_player_to_move() -> None:
    """It stands for the third time, but twice with one to move and once with the other."""
    position = after(placed(START), "pass", "move e8-e9", "pass", "move e9-e8")
    assert position.outcome is None
    assert after(position, "pass").outcome is None
    assert after(position, "pass", "pass").outcome == Outcome((), Ending.REPETITION)


@pytest.mark.parametrize(("players", "playing", "turns"), [(2, (0, 1), 60), (3, (0, 1, 2), 90), (4, (0, 1), 60)])
def test_thirty_quiet_rounds_of_those_still_in_are_a_draw(players: int, playing: tuple[int, ...], turns: int) -> None:
    others = "C: a5 c5 e5 g5" if 2 in playing else ""
    start = replace(placed(f"{START} {others}", players=players), playing=playing)
    assert after(replace(start, quiet=turns - 2), "move e2-e1").outcome is None
    assert after(replace(start, quiet=turns - 1), "move e2-e1").outcome == Outcome((), Ending.QUIET)
    assert after(replace(start, quiet=turns - 1), "pass").outcome == Outcome((), Ending.QUIET)


@pytest.mark.parametrize(
    ("pieces", "line"),
    [
        (START, "lay e2>e3 pass"),
        ("A: c5 c4 a1 c1 g1 B: d5 d7 a9 c9 g9 i9", "move c4-b5"),
        ("A: g1 a5 c9 e9 g9 B: i1 i2 a9 a7 c5 c7 e7", "move g1-h1"),
    ],
    ids=["a laying", "a transformation", "a removal"],
)
def test_a_turn_in_which_something_happens_is_not_quiet(pieces: str, line: str) -> None:
    assert after(replace(placed(pieces), quiet=59), line).quiet == 0


def rounds(position: Position, lines: int) -> list[int]:
    """The rounds that begin with the position and with each pass from it."""
    found = [position.round]
    for _ in range(lines):
        position = after(position, "pass")
        found.append(position.round)
    return found


def test_a_round_is_over_when_everybody_in_play_had_his_turn() -> None:
    start = placed("A: a1 B: a9 C: i1 D: i9", players=4)
    assert rounds(start, 7) == [1, 1, 1, 1, 2, 2, 2, 2]
    assert rounds(placed("A: a1 B: a9 C: i1 D: i9", "C", players=4), 5) == [1, 1, 1, 1, 2, 2]


def test_rounds_go_on_being_counted_when_who_began_is_out() -> None:
    start = placed("A: a1 B: a9 C: i1 D: i9", players=4)
    assert rounds(replace(start, on_turn=1, playing=(1, 3)), 4) == [1, 1, 2, 2, 3]
    assert rounds(replace(start, on_turn=1, playing=(1, 2)), 4) == [1, 1, 2, 2, 3]


def test_after_so_many_rounds_the_most_pieces_win() -> None:
    begun = MAMBA.begin({"rounds": 2}, 2)
    assert after(begun, "pass", "pass", "pass").outcome is None
    assert after(begun, "pass", "pass", "pass", "pass").outcome == Outcome((), Ending.ROUNDS)
    more = after(begun, "move d1-c1", "pass", "pass")
    assert after(more, "pass").outcome == Outcome((), Ending.ROUNDS)
    laid = after(begun, "move d1-b1", "pass", "lay b1>a1 pass", "pass")
    assert laid.outcome == Outcome((0,), Ending.ROUNDS)


def test_a_team_has_as_many_pieces_as_its_better_member() -> None:
    start = placed("A: a1 c1 B: a9 c9 e9 C: i1 i3 i5 D: i9", "D", players=4, teams=True, rounds=1)
    start = replace(start, first=0)
    assert after(start, "pass").outcome == Outcome((), Ending.ROUNDS)


# leaving


def test_a_player_who_leaves_takes_his_pieces_with_him_and_the_others_go_on() -> None:
    start = MAMBA.begin({}, 3)
    left = start.leave(1)
    assert left.playing == (0, 2)
    assert cells(left, "B") == ""
    assert (left.to_act, left.outcome) == (0, None)
    assert after(left, "pass").to_act == 2


def test_who_leaves_on_turn_is_followed_by_the_next() -> None:
    left = MAMBA.begin({}, 4, first=1).leave(1)
    assert (left.to_act, left.ply, left.playing) == (2, 1, (0, 2, 3))


def test_the_last_who_stays_has_won() -> None:
    assert MAMBA.begin({}, 2).leave(0).outcome == Outcome((1,), Ending.LEFT)
    assert MAMBA.begin({}, 2).leave(1).outcome == Outcome((0,), Ending.LEFT)
    assert MAMBA.begin({}, 3).leave(0).leave(2).outcome == Outcome((1,), Ending.LEFT)


def test_a_team_that_has_left_has_lost() -> None:
    one = MAMBA.begin({"teams": True}, 4).leave(1)
    assert one.outcome is None
    assert one.leave(3).outcome == Outcome((0, 2), Ending.LEFT)


def test_nobody_leaves_twice_or_after_the_end() -> None:
    left = MAMBA.begin({}, 3).leave(1)
    assert left.leave(1) is left
    over = left.leave(0)
    assert over.leave(2) is over


def test_the_board_without_those_who_have_left_begins_to_be_counted_at_once() -> None:
    """The player on turn has not played yet: their turn begins with the board as it is now."""
    left = MAMBA.begin({}, 3).leave(1)
    assert after(left, "pass", "pass", "pass").outcome is None
    assert after(left, "pass", "pass", "pass", "pass").outcome == Outcome((), Ending.REPETITION)


def test_a_board_that_somebody_leaves_in_mid_turn_did_not_stand_at_its_beginning() -> None:
    begun = after(MAMBA.begin({}, 3), "move a4-a2", "pass", "pass", "lay a2>a1")
    left = begun.leave(1)
    assert left.stood == begun.stood
    assert after(left, "pass", *["pass"] * 4).outcome == Outcome((), Ending.REPETITION)


def test_that_another_has_left_is_no_part_of_a_turn() -> None:
    begun = MAMBA.begin({}, 3)
    left = begun.leave(1)
    assert not left.mid_turn
    assert MAMBA.input_report(begun, left)["status"] == "turn"
    laid = after(left, "move a4-a2", "pass", "lay a2>a1")
    assert laid.mid_turn
    assert after(MAMBA.begin({}, 4), "move d1-b1", "pass", "pass", "pass", "lay b1>a1").leave(2).mid_turn


def test_a_player_who_leaves_ends_the_quiet() -> None:
    """Their pieces are removed: no mail counts rounds without a removal on from there."""
    assert replace(MAMBA.begin({}, 3), quiet=50).leave(1).quiet == 0


PICKS = "A: c4 c5 g5 h5 a6 e7 B: e4 b6 c6 d6 f6 g7 b8 i8 C: c2 c3 e5 f5 b9"
"""B's e4 moves to d5, and which of c5 and g5 turns first makes a difference, with B and without."""


def test_when_who_is_on_turn_leaves_the_next_clockwise_picks() -> None:
    """B, who was on turn, is asked which piece is treated next, and leaves; that is for C then, not for A."""
    asked = after(placed(PICKS, "B", players=3), "move e4-d5")
    decision = asked.decision
    assert decision is not None
    assert (decision.kind, decision.owner) == ("turn", 1)
    assert asked.leave(1).decision == replace(decision, owner=2)


ASKED = "A: g5 f5 i1 i3 i7 i9 a1 B: b5 c5 d5 e5 a9 c9 a7 C: g9 e9 g7 e1 c1"
"""A's g5 moves away, f5 turns to B, and B has to name an end."""


def asked() -> Position:
    position = after(placed(ASKED, players=3), "move g5-h4")
    assert (position.on_turn, position.to_act) == (0, 1)
    return position


def test_who_has_to_decide_leaves_and_the_turn_is_over() -> None:
    left = asked().leave(1)
    assert (left.pending, left.playing, left.to_act) == (None, (0, 2), 2)
    assert is_balanced(left)


def test_a_third_leaves_and_the_decision_is_still_to_make() -> None:
    left = asked().leave(2)
    assert (left.to_act, left.playing) == (1, (0, 1))
    assert after(left, "cut f5").to_act == 1


def test_who_is_on_turn_leaves_and_no_alignment_stays_too_long() -> None:
    left = asked().leave(0)
    assert left.playing == (1, 2)
    assert left.to_act == 1
    while left.pending is not None:
        left = left.play(left.legal()[0])
    assert is_balanced(left)
    assert cells(left, "B") != ""
