from itertools import combinations

import pytest

from pbem.diagrams.hextile import inks
from pbem.games.hextile.grid import Colour
from tests.support.colours import LEAST_CONTRAST, LEAST_OF_TEXT, contrast


@pytest.mark.parametrize(("one", "other"), [*combinations((inks.RED.fill, inks.BLUE.fill, inks.FACE), 2)])
def test_o_x_and_white_stay_apart_without_colour(one: str, other: str) -> None:
    assert contrast(one, other) >= LEAST_CONTRAST


def test_x_is_told_by_a_line_besides() -> None:
    assert contrast(inks.BLUE.fill, inks.BLUE.inlay) >= LEAST_CONTRAST
    assert not inks.RED.inlay


def test_labels_can_be_read() -> None:
    assert contrast(inks.LABEL, inks.PAPER) >= LEAST_OF_TEXT


def test_a_mark_shows_on_every_colour() -> None:
    for ground in (inks.RED.fill, inks.BLUE.fill, inks.FACE):
        assert max(contrast(inks.HALO, ground), contrast(inks.MARK, ground)) >= LEAST_CONTRAST
    assert contrast(inks.MARK, inks.HALO) >= LEAST_CONTRAST


def test_o_is_printed_dark_where_its_side_is_called_so() -> None:
    assert inks.ink(Colour.O, dark=True) == inks.ink(Colour.X, dark=False)
    assert inks.ink(Colour.O, dark=False) != inks.ink(Colour.X, dark=False)


def test_longer_labels_are_smaller() -> None:
    sizes = [inks.label_size(label) for label in ("A", "AA", "AAA", "AAAA")]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] > 0
