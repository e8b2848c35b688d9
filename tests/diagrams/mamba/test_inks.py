"""Whether pieces can be told apart, by whatever eyes."""

from itertools import combinations

import pytest
from PIL import ImageColor

from pbem.diagrams.mamba import inks
from pbem.games.mamba.balance import MARKS
from tests.diagrams.hextile.test_inks import LEAST_CONTRAST, LEAST_OF_TEXT, contrast

LEAST_OF_BODIES = 1.7
"""Between any two players, in black and white; their marks and the way their pieces look tell them besides."""

LEAST_DISTANCE = 60
"""Between any two players, by red, green and blue as they are seen."""

SEEN = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}
"""How much of red, green and blue light is seen as red, green and blue (Machado, Oliveira, Fernandes 2009)."""

PAIRS = [*combinations(MARKS, 2)]


def linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def gamma(light: float) -> float:
    light = min(max(light, 0), 1)
    return 12.92 * light if light <= 0.0031308 else float(1.055 * light ** (1 / 2.4) - 0.055)


def seen(colour: str, eyes: str) -> list[float]:
    lights = [linear(value / 255) for value in ImageColor.getrgb(colour)[:3]]
    return [255 * gamma(sum(share * light for share, light in zip(row, lights, strict=True))) for row in SEEN[eyes]]


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


@pytest.mark.parametrize("eyes", SEEN)
@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_players_stay_apart_for_who_does_not_see_all_colours(one: str, other: str, eyes: str) -> None:
    here, there = seen(inks.INKS[one].body, eyes), seen(inks.INKS[other].body, eyes)
    assert sum((a - b) ** 2 for a, b in zip(here, there, strict=True)) >= LEAST_DISTANCE**2


def test_a_head_is_told_from_body_and_ground_by_its_border() -> None:
    for beside in (inks.HEAD, inks.GROUND, inks.CHANGED):
        assert contrast(inks.HEAD_BORDER, beside) >= LEAST_CONTRAST


def test_what_has_changed_is_told_without_colour() -> None:
    for ground in (inks.GROUND, inks.CHANGED):
        assert contrast(inks.RING, ground) >= LEAST_CONTRAST


def test_coordinates_can_be_read() -> None:
    assert contrast(inks.COORDINATE, inks.PAPER) >= LEAST_OF_TEXT
