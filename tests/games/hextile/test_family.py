import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.errors import PlayerError
from pbem.games.game import Ending, Game, InputText, Outcome
from pbem.games.hextile import notation
from pbem.games.hextile.grid import Cell, corners, neighbours, white_points
from pbem.games.hextile.position import SWAP, Placement, Position, Step
from pbem.games.hextile.superbo import SUPERBO
from pbem.games.options import UnknownOption
from tests.games.hextile.playing import VARIANTS, after, options_of, positions, start

GAME: Game[Position, Step] = SUPERBO
CACHED = (corners, neighbours, white_points)
"""The functions that remember the cells that they were asked about."""


def test_a_game_of_the_family_is_what_the_server_calls_a_game() -> None:
    assert (GAME.name, GAME.title, GAME.rules) == ("superbo", "Superbo", 1)
    assert GAME.sides(start()) == ("O", "X")
    assert list(GAME.players) == [2]


def test_options_out_of_a_record_are_held_against_those_of_the_game() -> None:
    assert GAME.begin({"num_tiles": 9, "swap": False}, players=2).supply == {"O bridge": 8, "X bridge": 9}
    with pytest.raises(UnknownOption):
        GAME.begin({"mamba": True}, players=2)


@pytest.mark.parametrize("text", ["g12,p1", "G12 P1", "g12;se1", "g12+SE1", "g12\np1"])
def test_the_second_space_has_a_new_label_or_lies_in_a_direction(text: str) -> None:
    position = after("C2")
    steps, then, _ = SUPERBO.read_input(position, text)
    assert [step.cell for step in steps if isinstance(step, Placement)] == [Cell(2, -1), Cell(3, -1)]
    assert SUPERBO.input_text(then, steps) == InputText("G12,P1")


def test_a_turn_is_told_with_what_followed_by_itself() -> None:
    then = after("B3", "C4,K5", "G2,H7")
    assert SUPERBO.input_text(then, ()) == InputText("G2,H7", ("J1",))


def test_a_turn_can_be_recorded_and_played_again() -> None:
    position = after("C2")
    steps, then, _ = SUPERBO.read_input(position, "g12,p1")
    record = json.loads(json.dumps(SUPERBO.input_record(position, steps)))
    assert record == [{"q": 2, "r": -1, "state": 12}, {"q": 3, "r": -1, "state": 1}]
    assert SUPERBO.input_steps(position, record) == steps
    assert SUPERBO.play_input(position, steps) == then


@pytest.mark.parametrize(
    ("record", "which"),
    [
        (None, 0),
        ([], 0),
        ({"q": 1, "r": 0, "state": 1}, 0),
        ("A1", 0),
        ([1], 1),
        ([{"q": 1, "r": 0}], 1),
        ([{"q": 1, "r": 0, "state": 1}, {"q": 1, "r": 0, "state": "2"}], 2),
        ({"event": "undo"}, 0),
        ({"event": "swap", "by": 1}, 0),
        ([{"q": 1.0, "r": 0, "state": 1}], 1),
        ([{"q": True, "r": 0, "state": 1}], 1),
        ([{"q": 1, "r": 0, "state": True}], 1),
        ([{"q": 1, "r": 0, "state": 1, "label": "C"}], 1),
    ],
)
def test_a_turn_of_another_format_is_no_record(record: object, which: int) -> None:
    with pytest.raises(notation.UnreadableTurn) as refused:
        SUPERBO.input_steps(start(), record)
    assert refused.value.facts == {"which": which}


@pytest.mark.parametrize("state", [0, -1, 13, 10**14])
def test_a_state_in_a_record_is_one_of_those_that_there_are(state: int) -> None:
    steps = SUPERBO.input_steps(start(), [{"q": 1, "r": 0, "state": state}])
    with pytest.raises(notation.NoSuchState) as refused:
        SUPERBO.play_input(start(), steps)
    facts = {"placement": f"C{state}", "which": 1, "state": state, "lowest": 1, "highest": 12}
    assert refused.value.facts == facts


@pytest.mark.parametrize("cell", [Cell(10**9, 0), Cell(0, -(10**14)), Cell(3, 3)])
def test_a_tile_of_a_record_lies_in_a_space_however_far_away_it_is(cell: Cell) -> None:
    remembered = [cached.cache_info().misses for cached in CACHED]
    steps = SUPERBO.input_steps(start(), [{"q": cell.q, "r": cell.r, "state": 1}])
    with pytest.raises(notation.NoSuchSpace) as refused:
        SUPERBO.play_input(start(), steps)
    assert refused.value.facts["space"] == f"({cell.q}, {cell.r})"
    assert [cached.cache_info().misses for cached in CACHED] == remembered


def test_a_turn_without_steps_is_not_complete() -> None:
    with pytest.raises(notation.TileNeeded) as refused:
        SUPERBO.play_input(start(), ())
    assert refused.value.facts == {"placement": "", "which": 1}


def test_steps_beyond_the_end_of_a_turn_are_refused() -> None:
    with pytest.raises(notation.TileNotAllowed):
        SUPERBO.play_input(start(), [Placement(Cell(1, 0), 2), Placement(Cell(2, -1), 12)])


@given(
    st.sampled_from(VARIANTS),
    st.data(),
    st.text("abcdefghjkm0123456789,;+ nesw", max_size=16) | st.text(max_size=16) | st.just("swap"),
)
@settings(max_examples=200)
def test_any_text_gives_a_turn_or_a_refusal(variant: str, data: st.DataObject, text: str) -> None:
    (game, _), position = options_of(variant), data.draw(positions(variant, most_steps=8))
    try:
        steps, then, _ = game.read_input(position, text)
    except PlayerError:
        return
    assert game.play_input(position, steps) == then
    assert then.ply == position.ply + 1


def test_a_very_long_text_is_refused_too() -> None:
    for text in ("a" * 10_000, "1" * 10_000, "a1," * 3_333, "a" + "9" * 9_999, "," * 10_000):
        with pytest.raises(PlayerError):
            SUPERBO.read_input(after("C2"), text)


@pytest.mark.parametrize("variant", ["superbo swap", "mambo swap", "lambo swap", "palago swap"])
def test_the_second_player_may_take_the_first_ones_side_instead_of_a_turn(variant: str) -> None:
    game, _ = options_of(variant)
    position = after("A1", variant=variant)
    steps, then, _ = game.read_input(position, " Swap ")
    assert steps == (SWAP,)
    assert game.sides(then) == game.sides(position)[::-1]
    assert (then.to_act, then.ply, then.layout, then.supply) == (0, 2, position.layout, position.supply)
    assert game.input_text(then, steps) == InputText("swap")
    assert game.input_record(position, steps) == {"event": "swap"}
    assert game.input_steps(position, {"event": "swap"}) == steps
    assert game.play_input(position, steps) == then
    assert position.legal()[-1] == SWAP
    assert SWAP not in then.legal()


def test_after_a_swap_everybody_plays_for_the_other_colour() -> None:
    turns = ("B3", "swap", "C4,K5", "G2,H7", "D8,R10", "A7,n6")
    assert after(*turns, variant="superbo swap").outcome == Outcome((1,), Ending.EYE)


def test_a_swap_must_have_been_agreed() -> None:
    for turns in ((), ("C2",)):
        with pytest.raises(notation.SwapNotAgreed):
            SUPERBO.read_input(after(*turns), "swap")
    assert SWAP not in after("C2").legal()


@pytest.mark.parametrize("typed", ["pass", " PASS "])
def test_nobody_passes(typed: str) -> None:
    for position in (after(), after("C2")):
        with pytest.raises(notation.NoPassing):
            SUPERBO.read_input(position, typed)


@pytest.mark.parametrize("turns", [(), ("C2", "swap"), ("C2", "A1,B4"), ("C2", "swap", "A1,B4")])
def test_a_swap_in_any_other_turn_than_the_second_is_too_late(turns: tuple[str, ...]) -> None:
    position = after(*turns, variant="superbo swap")
    with pytest.raises(notation.SwapTooLate):
        SUPERBO.read_input(position, "swap")
    assert SWAP not in position.legal()


def test_a_swap_in_the_middle_of_a_turn_is_too_late() -> None:
    position = after("C2", variant="superbo swap").play(Placement(Cell(2, -1), 12))
    assert position.mid_turn
    assert SWAP not in position.legal()
    with pytest.raises(notation.SwapTooLate):
        position.play(SWAP)


def test_nothing_is_laid_after_a_swap() -> None:
    position = after("C2", variant="superbo swap")
    with pytest.raises(notation.TileNotAllowed):
        SUPERBO.play_input(position, (SWAP, Placement(Cell(2, -1), 12)))
