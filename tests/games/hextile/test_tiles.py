import pytest

from pbem.games.hextile.grid import State, States, decide
from tests.games.hextile.playing import STATES

LAMBO = States((("oo", "tile"),))
MAMBO = States((("ox", "tile"), ("xo", "tile")))


def test_the_twelve_states_are_numbered_as_on_the_help_page() -> None:
    shown = ["".join(state.colours) for state in STATES]
    assert shown[:6] == ["xoo", "oxo", "oox", "oxx", "xox", "xxo"]
    assert shown[6:] == ["ooo"] * 3 + ["xxx"] * 3
    assert [state.number for state in STATES] == list(range(1, 13))
    assert [state.tip_at for state in STATES] == [0, 1, 2] * 4


def test_a_tile_belongs_to_the_kind_of_its_bridge() -> None:
    assert [state.kind for state in STATES] == (["O bridge"] * 3 + ["X bridge"] * 3) * 2


@pytest.mark.parametrize(
    ("decided", "superbo", "mambo"),
    [("...", 12, 6), (".o.", 6, 3), ("o.x", 2, 2), ("oo.", 4, 1), ("oxo", 1, 1), ("xxx", 3, 0)],
)
def test_so_many_states_fit_what_is_decided(decided: str, superbo: int, mambo: int) -> None:
    assert len(STATES.fitting(decided)) == superbo
    assert len(MAMBO.fitting(decided)) == mambo


@pytest.mark.parametrize("decided", ["...", "o..", "o.o", "ooo"])
def test_the_three_states_of_lambo_always_fit(decided: str) -> None:
    assert len(LAMBO.fitting(decided)) == 3


def test_states_fit_in_the_order_of_their_numbers() -> None:
    assert [state.number for state in STATES.fitting("oo.")] == [3, 7, 8, 9]


@pytest.mark.parametrize("number", [0, -1, 13])
def test_other_numbers_are_no_states(number: int) -> None:
    assert number not in STATES


def test_a_corner_is_decided_in_its_place() -> None:
    assert decide("...", 1, "o") == ".o."
    assert decide("xo.", 1, "o") == "xo."


def test_a_bridge_joins_the_corners_that_the_tip_leaves() -> None:
    assert [state.ends for state in STATES][:3] == [(1, 2), (0, 2), (0, 1)]
    assert all(isinstance(state, State) for state in STATES)
