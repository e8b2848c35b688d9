"""Every refusal with its facts; the place in the line is that of the step, and nothing has changed."""

from typing import Any

import pytest

from pbem.errors import Ambiguous, PlayerError
from pbem.games.game import IllegalMove, UnreadableMove
from pbem.games.mamba import refusals
from pbem.games.mamba.game import MAMBA
from pbem.games.mamba.notation import MOST_STEPS, read_line
from pbem.games.mamba.position import Position
from pbem.games.mamba.squares import grid
from tests.games.mamba.playing import after, cells, placed

PIECES = "A: b2 g6 a5 d7 i3 i9 B: a9 c9 f9 g2 i1 i7"


def refused(position: Position, line: str) -> PlayerError:
    """The refusal of a line; the position is as it was."""
    found, before = (cells(position, "A"), cells(position, "B")), position.turn
    with pytest.raises(PlayerError) as refusal:
        MAMBA.read_input(position, line)
    assert (cells(position, "A"), cells(position, "B")) == found
    assert position.turn is before
    return refusal.value


def facts(refusal: PlayerError) -> dict[str, Any]:
    """Its facts, without the number of steps in the letter."""
    return {name: fact for name, fact in refusal.facts.items() if name != "steps"}


@pytest.mark.parametrize(
    ("line", "leaf", "told"),
    [
        ("move a9-a8", refusals.NotOwnPiece, {"cell": "a9", "owner": "B", "mover": "A"}),
        ("move e1-e2", refusals.NotOwnPiece, {"cell": "e1", "owner": None, "mover": "A"}),
        ("lay a9>a8", refusals.NotOwnPiece, {"cell": "a9", "owner": "B", "mover": "A"}),
        ("lay g6>g8", refusals.NotBeside, {"by": "g6", "cell": "g8"}),
        ("lay g6>g6", refusals.NotBeside, {"by": "g6", "cell": "g6"}),
        ("lay b2>a1", refusals.NotIsolated, {"cell": "b2", "beside": ("b3",), "strict": False}),
        ("lay b3>a4", refusals.NotIsolated, {"cell": "b3", "beside": ("b2",), "strict": False}),
        ("move g6-g9", refusals.OutOfReach, {"start": "g6", "end": "g9"}),
        ("move b2-b3", refusals.CellTaken, {"cell": "b3", "owner": "A"}),
        ("move b2-b4", refusals.WayTaken, {"start": "b2", "end": "b4", "between": ("b3",)}),
        ("turn g6", refusals.NothingToDecide, {}),
        ("cut g6", refusals.NothingToDecide, {}),
        ("cut g6-g5", refusals.NothingToDecide, {}),
    ],
)
def test_a_step_in_the_middle_of_a_line_is_refused_with_its_place(
    line: str, leaf: type[PlayerError], told: dict[str, Any]
) -> None:
    refusal = refused(placed(PIECES), f"lay b2>b3 {line} move d7-d6")
    if line.startswith("lay b2"):
        leaf, told = refusals.HasLaid, {"cell": "b2"}
    assert type(refusal) is leaf
    assert facts(refusal) == {"step": line, "which": 2, **told}
    assert isinstance(refusal, IllegalMove)


def test_not_isolated_names_all_that_stands_around() -> None:
    refusal = refused(placed("A: e5 d4 e6 B: f5 f9"), "lay e5>e4")
    assert facts(refusal) == {
        "step": "lay e5>e4",
        "which": 1,
        "cell": "e5",
        "beside": ("d4", "f5", "e6"),
        "strict": False,
    }


def test_an_edge_is_what_stands_in_the_way_under_strict_isolation() -> None:
    refusal = refused(placed("A: a1 e5 i1 i3 i5 B: a9 c9 e9 g9 i9", strict_isolation=True), "lay e5>e6 lay a1>a2")
    assert facts(refusal) == {"step": "lay a1>a2", "which": 2, "cell": "a1", "beside": (), "strict": True}


def test_no_piece_is_left() -> None:
    """Alone at its corner, a piece could lay, but 40 stand on the board."""
    full = "b3 b4 b5 b6 b7 b8 d3 d4 d5 d6 d7 d8 f3 f4 f5 f6 f7 f8 h3 h4 h5 h6 h7 h8"
    others = "c9 d9 e9 f9 g9 h9 i9 i1 i2 g1 g2 e1 e2 h1"
    position = placed(f"A: a1 B: {full} {others}")
    assert position.supply == 1
    full_board = placed(f"A: a1 B: {full} {others} c1")
    refusal = refused(full_board, "lay a1>b2 pass")
    assert type(refusal) is refusals.NoPieceLeft
    assert facts(refusal) == {"step": "lay a1>b2", "which": 1, "pieces": 40}


def test_must_move_tells_of_a_move() -> None:
    refusal = refused(placed(PIECES, must_move=True), "lay b2>b3 pass")
    assert type(refusal) is refusals.MustMove
    assert facts(refusal) == {"step": "pass", "which": 2, "example": "move b2-a1"}


@pytest.mark.parametrize("first", ["move d7-d6", "pass"])
def test_nothing_follows_the_end_of_the_turn(first: str) -> None:
    refusal = refused(placed(PIECES), f"lay b2>b3 {first} lay g6>g7")
    assert type(refusal) is refusals.TurnIsOver
    assert facts(refusal) == {"step": "lay g6>g7", "which": 3}


def test_nothing_follows_the_end_of_the_game() -> None:
    ends = placed("A: a1 c1 e1 g1 i1 B: a9 c9 e9 g9")
    refusal = refused(ends, "move a1-a2 pass")
    assert (type(refusal), facts(refusal)) == (refusals.GameIsOver, {"step": "pass", "which": 2})
    refusal = refused(after(ends, "move a1-a2"), "pass")
    assert (type(refusal), facts(refusal)) == (refusals.GameIsOver, {"step": "pass", "which": 1})


def every_refusal(line: str, position: Position | None = None) -> list[tuple[int, type[PlayerError]]]:
    """The place of each step of a line that is named, and the kind of its refusal."""
    refusal = refused(position or placed(PIECES), line)
    reasons = refusal.reasons if isinstance(refusal, refusals.StepsRefused) else (refusal,)
    steps = {reason.facts["steps"] for reason in reasons}
    assert len(steps) == 1
    assert all(isinstance(reason, IllegalMove | UnreadableMove) for reason in (refusal, *reasons))
    return [(facts(reason)["which"], type(reason)) for reason in reasons]


def test_each_step_that_fails_is_named_and_one_that_does_not_is_played() -> None:
    assert every_refusal("lay b2>b3 lay e1>e2 lay g6>g8 lay g6>g7 lay b2>a1 move d7-d6 pass") == [
        (2, refusals.NotOwnPiece),
        (3, refusals.NotBeside),
        (5, refusals.HasLaid),
        (7, refusals.TurnIsOver),
    ]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("lay z1>z2 turn q9", [(1, refusals.NoSuchCell), (2, refusals.NoSuchCell)]),
        ("lay d1>c1 turn z1", [(1, refusals.NotOwnPiece), (2, refusals.NoSuchCell)]),
        ("foo bar lay d1>c1", [(1, refusals.UnreadableStep), (2, refusals.NotOwnPiece)]),
        (
            "move d7 x turn turn",
            [(1, refusals.StepNeedsCells), (2, refusals.StepNeedsCells), (3, refusals.StepNeedsCells)],
        ),
        ("move z1-z2 cut c3", [(1, refusals.NoSuchCell)]),
        ("move d7-d6 pass turn z1", [(2, refusals.TurnIsOver), (3, refusals.NoSuchCell)]),
    ],
)
def test_steps_that_cannot_be_read_are_named_among_those_that_fail(
    line: str, expected: list[tuple[int, type[PlayerError]]]
) -> None:
    assert every_refusal(line) == expected


@pytest.mark.parametrize(
    ("line", "places"),
    [
        ("lay a4>a3 move a4-a2 lay b4>b3", [1, 2, 3]),
        ("lay a4>a3 move a3-a2 lay b4>b3", [1, 3]),
        ("lay e1>e2 move e2-e3 lay e3>e4 lay f1>f2", [1, 4]),
        ("move d7-a9 turn d7 cut c3", [1]),
        ("move d7-a9 turn d7 cut c3 lay c3>c4 lay c1>c2", [1, 5]),
        ("turn c3 cut c4 lay c1>c2", [1, 2, 3]),
        ("turn c3 cut c3 cut c4", [1, 3]),
    ],
)
def test_what_may_only_follow_from_an_earlier_failure_is_left_out(line: str, places: list[int]) -> None:
    assert [place for place, _ in every_refusal(line)] == places


@pytest.mark.parametrize(
    ("line", "places"),
    [
        ("lay i3>i4 move b4-b5 lay i1>i2 pass", [1, 3]),
        ("lay i3>i4 move b4-b5 cut c5 cut f5", [1, 3]),
        ("move b4-b5 cut b5 lay i1>i2 pass", [3]),
        ("lay c1>c2 move b4-b5 cut f5 pass", [1, 4]),
    ],
)
def test_behind_a_stop_nothing_more_is_named(line: str, places: list[int]) -> None:
    failing = placed(OWN.replace("i3", "i2"))
    assert [place for place, _ in every_refusal(line, failing)] == places


def test_no_more_than_five_are_named() -> None:
    line = " ".join(f"lay {column}1>{column}2" for column in "abcdefgh")
    assert [place for place, _ in every_refusal(line)] == list(range(1, 6))


def test_a_failing_step_before_the_decision_of_another_is_named_and_nothing_is_left_over() -> None:
    refusal = refused(placed(OTHERS), "lay e1>e2 move g5-h4 cut f5")
    assert (type(refusal), facts(refusal)["which"], refusal.facts["steps"]) == (refusals.NotOwnPiece, 1, 3)


OWN = "A: c5 d5 e5 b4 i1 i3 i7 B: f5 h9 a9 c9 e9 g9"
"""b4-b5 makes four of A's, then five, as f5 turns."""

OTHERS = "A: g5 f5 i1 i3 i7 i9 a1 B: b5 c5 d5 e5 a9 c9 a7"
"""g5-h4 lets f5 turn to B, who has to name an end."""


def test_a_decision_comes_before_anything_else() -> None:
    refusal = refused(placed(OWN), "move b4-b5 lay i1>i2")
    assert type(refusal) is refusals.DecisionNeeded
    assert facts(refusal) == {"step": "lay i1>i2", "which": 2, "options": ("cut b5", "cut f5")}


@pytest.mark.parametrize("answer", ["cut c5", "turn b5", "cut f5-a1", "cut i1"])
def test_an_answer_that_was_not_to_choose_from(answer: str) -> None:
    refusal = refused(placed(OWN), f"move b4-b5 {answer}")
    assert type(refusal) is refusals.NoSuchOption
    assert facts(refusal) == {"step": answer, "which": 2, "options": ("cut b5", "cut f5")}


def test_a_decision_is_made_once() -> None:
    refusal = refused(placed(OWN), "move b4-b5 cut b5 cut f5")
    assert (type(refusal), refusal.facts["which"]) == (refusals.TurnIsOver, 3)
    refusal = refused(after(placed(OWN), "move b4-b5 cut b5"), "cut f5")
    assert (type(refusal), refusal.facts["which"]) == (refusals.NothingToDecide, 1)


def test_what_is_written_behind_the_decision_of_another_is_left_over() -> None:
    steps, position, left_over = MAMBA.read_input(placed(OTHERS), "move g5-h4 cut f5, PASS")
    assert len(steps) == 1
    assert position.to_act == 1
    assert left_over == "cut f5 pass"


def test_steps_behind_the_decision_of_another_cannot_be_played() -> None:
    start = placed(OTHERS)
    steps = MAMBA.input_steps(start, {"input": "move g5-h4 cut f5"})
    with pytest.raises(refusals.DecisionNeeded) as refusal:
        MAMBA.play_input(start, steps)
    assert refusal.value.facts["which"] == 2
    assert refusal.value.facts["options"] == ("cut b5", "cut f5")


def test_an_end_of_two_alignments_is_not_clear() -> None:
    """Two pieces too many on the row and three on the column, which meet at b1; play never comes to this."""
    start = placed("A: b1 c1 d1 e1 f1 g1 b2 b3 b4 b5 b6 b7 i9 B: a3 a7 a9 c9 e9")
    refusal = refused(start, "move i9-i8 cut b1")
    assert isinstance(refusal, refusals.AmbiguousCut)
    assert isinstance(refusal, Ambiguous)
    assert facts(refusal) == {"step": "cut b1", "which": 2, "options": ("cut b1-c1", "cut b1-b3")}
    for answer in ("cut b1-b2", "cut b1-b3", "cut b1-b7"):
        steps, position, _ = MAMBA.read_input(start, f"move i9-i8 {answer}")
        assert MAMBA.input_text(position, steps[1:]).move == "cut b1-b3"


@pytest.mark.parametrize("step", ["lay b2>a1", "b2>a1", "pass", "cut b2-b3", "move b2-b3"])
def test_a_line_has_no_more_steps_than_a_turn_may_have(step: str) -> None:
    most = (step + ", ") * MOST_STEPS
    assert len(read_line(grid(9), most)) == MOST_STEPS
    refusal = refused(placed(PIECES), most + step)
    assert type(refusal) is refusals.TooManySteps
    assert refusal.facts == {"most": MOST_STEPS}


@pytest.mark.parametrize(
    ("line", "leaf", "told"),
    [
        ("", refusals.NothingToPlay, {}),
        (" , ; ", refusals.NothingToPlay, {}),
        ("lay b2>b3 jump b2", refusals.UnreadableStep, {"word": "jump", "which": 2}),
        ("lay b2>b3 " + "x" * 99, refusals.UnreadableStep, {"word": "x" * 20, "which": 2}),
        ("lay b2>b3 move d7", refusals.StepNeedsCells, {"verb": "move", "word": "", "which": 2}),
        ("lay b2>b3 move pass", refusals.StepNeedsCells, {"verb": "move", "word": "pass", "which": 2}),
        ("lay b2>b3 turn", refusals.StepNeedsCells, {"verb": "turn", "word": "", "which": 2}),
        (
            "lay b2>b3 move d7-d10",
            refusals.NoSuchCell,
            {"cell": "d10", "last": "i9", "step": "move d7-d10", "which": 2},
        ),
        ("cut k1", refusals.NoSuchCell, {"cell": "k1", "last": "i9", "step": "cut k1", "which": 1}),
    ],
)
def test_what_cannot_be_read(line: str, leaf: type[PlayerError], told: dict[str, Any]) -> None:
    refusal = refused(placed(PIECES), line)
    assert type(refusal) is leaf
    assert facts(refusal) == told
    assert isinstance(refusal, UnreadableMove)


def test_the_larger_board_has_more_cells() -> None:
    position = placed("A: k11 a1 c1 e1 g1 i1 k1 B: a11 c11 e11 g11 i11 a9 c9", size=11)
    assert "k10" in cells(after(position, "move k11-k10"), "A")


@pytest.mark.parametrize("record", [None, [], "pass", {}, {"input": 1}, {"input": "pass", "more": 1}])
def test_a_turn_of_a_record_that_is_none(record: object) -> None:
    with pytest.raises(refusals.UnreadableInput):
        MAMBA.input_steps(placed(PIECES), record)
