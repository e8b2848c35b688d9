import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.errors import PlayerError
from pbem.games.game import Game, TurnText
from pbem.games.hextile import refusals
from pbem.games.hextile.grid import Cell
from pbem.games.hextile.position import Position
from pbem.games.hextile.superbo import SUPERBO
from pbem.games.hextile.turns import Placement, Step
from pbem.games.options import UnknownOption
from tests.games.hextile.playing import after, positions, start

GAME: Game[Position, Step] = SUPERBO


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
    steps, then = SUPERBO.read_turn(position, text)
    assert [step.cell for step in steps if isinstance(step, Placement)] == [Cell(2, -1), Cell(3, -1)]
    assert SUPERBO.turn_text(then) == TurnText("G12,P1")


def test_a_turn_is_told_with_what_followed_by_itself() -> None:
    then = after("B3", "C4,K5", "G2,H7")
    assert SUPERBO.turn_text(then) == TurnText("G2,H7", ("J1",))


def test_a_turn_can_be_recorded_and_played_again() -> None:
    position = after("C2")
    steps, then = SUPERBO.read_turn(position, "g12,p1")
    record = json.loads(json.dumps(SUPERBO.turn_record(steps)))
    assert record == [{"q": 2, "r": -1, "state": 12}, {"q": 3, "r": -1, "state": 1}]
    assert SUPERBO.turn_steps(record) == steps
    assert SUPERBO.play_turn(position, steps) == then


@pytest.mark.parametrize(
    ("record", "which"),
    [
        (None, 0),
        ([], 0),
        ({"q": 1, "r": 0, "state": 1}, 0),
        ("A1", 0),
        ([1], 1),
        ([{"q": 1, "r": 0}], 1),
        ([{"q": 1, "r": 0, "state": 1}, {"q": 1, "r": 0, "state": -1}], 2),
        ({"event": "undo"}, 0),
        ({"event": "swap", "by": 1}, 0),
        ([{"q": 1, "r": 0, "state": 0}], 1),
        ([{"q": 1.0, "r": 0, "state": 1}], 1),
        ([{"q": True, "r": 0, "state": 1}], 1),
        ([{"q": 1, "r": 0, "state": True}], 1),
        ([{"q": 1, "r": 10**9, "state": 1}], 1),
        ([{"q": 1, "r": 0, "state": 1, "label": "C"}], 1),
    ],
)
def test_a_turn_of_another_format_is_no_record(record: object, which: int) -> None:
    with pytest.raises(refusals.UnreadableTurn) as refused:
        SUPERBO.turn_steps(record)
    assert refused.value.facts == {"which": which}


def test_a_turn_without_steps_is_not_complete() -> None:
    with pytest.raises(refusals.TileNeeded) as refused:
        SUPERBO.play_turn(start(), ())
    assert refused.value.facts == {"placement": "", "which": 1}


def test_steps_beyond_the_end_of_a_turn_are_refused() -> None:
    with pytest.raises(refusals.TileNotAllowed):
        SUPERBO.play_turn(start(), [Placement(Cell(1, 0), 2), Placement(Cell(2, -1), 12)])


@given(positions(most_steps=8), st.text(alphabet="abcdefghjkm0123456789,;+ nesw", max_size=16))
@settings(max_examples=200)
def test_any_text_gives_a_turn_or_a_refusal(position: Position, text: str) -> None:
    try:
        steps, then = SUPERBO.read_turn(position, text)
    except PlayerError:
        return
    assert SUPERBO.play_turn(position, steps) == then
    assert then.ply == position.ply + 1


def test_a_very_long_text_is_refused_too() -> None:
    for text in ("a" * 10_000, "1" * 10_000, "a1," * 3_333, "a" + "9" * 9_999, "," * 10_000):
        with pytest.raises(PlayerError):
            SUPERBO.read_turn(after("C2"), text)
