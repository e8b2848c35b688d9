"""The figures of moves in the hall: that they come out of everything real."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench.figures import Extent
from tests.bench.hall_moves import measure
from tests.hall.openspiel import GAMES


@pytest.mark.system
def test_each_game_has_two_figures(tmp_path: Path) -> None:
    figures = list(measure(Extent(tmp_path, is_trial=True)))
    assert len(figures) == 2 * len(GAMES)
    assert all(min(*each.ours, *each.floor) > 0 for each in figures)
