"""Pieces can be told apart with any colour vision."""

from itertools import combinations

import pytest

from pbem.diagrams.mamba import inks
from pbem.games.mamba.squares import MARKS
from tests.support.colours import FAR, LEAST_CONTRAST, LEAST_OF_TEXT, SEEN_BY, contrast, distance

LEAST_OF_BODIES = 1.7
"""Between any two players, in black and white; their marks and the way their pieces look tell them besides."""

PAIRS = [*combinations(MARKS, 2)]


def test_every_player_has_an_ink() -> None:
    assert "".join(inks.INKS) == MARKS


@pytest.mark.parametrize("mark", MARKS)
def test_a_piece_shows_on_every_ground_and_its_letter_on_it(mark: str) -> None:
    ink = inks.INKS[mark]
    for ground in (inks.GROUND, inks.CHANGED):
        assert contrast(ink.border, ground) >= LEAST_CONTRAST
    assert contrast(ink.letter, ink.body) >= LEAST_OF_TEXT
    assert contrast(ink.border, inks.PAPER) >= LEAST_OF_TEXT  # the letter of who is out


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_players_stay_apart_in_black_and_white(one: str, other: str) -> None:
    assert contrast(inks.INKS[one].body, inks.INKS[other].body) >= LEAST_OF_BODIES


@pytest.mark.parametrize("eyes", SEEN_BY)
@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_players_stay_apart_for_who_does_not_see_all_colours(one: str, other: str, eyes: str) -> None:
    assert distance(inks.INKS[one].body, inks.INKS[other].body, eyes) >= FAR


def test_a_head_is_told_from_body_and_ground_by_its_border() -> None:
    for beside in (inks.HEAD, inks.GROUND, inks.CHANGED):
        assert contrast(inks.HEAD_BORDER, beside) >= LEAST_CONTRAST


def test_what_has_changed_is_told_without_colour() -> None:
    for ground in (inks.GROUND, inks.CHANGED):
        assert contrast(inks.RING, ground) >= LEAST_CONTRAST


def test_coordinates_can_be_read() -> None:
    assert contrast(inks.COORDINATE, inks.PAPER) >= LEAST_OF_TEXT
