"""Facts that can be seen on a board."""

import pytest

from pbem.games.mamba.squares import Favour, look_at
from tests.games.mamba.playing import placed


@pytest.mark.parametrize(
    ("pieces", "favour"),
    [
        ("A: c5 d5 e6 e7 e8 B: e5", Favour(3, 1, on_row=False)),
        ("A: b5 c5 d5 e6 e7 B: e5", Favour(3, 1, on_row=True)),
        ("A: c5 d5 e6 e7 B: e5", Favour(2, 1, on_row=True)),
        ("A: c5 d5 f5 g5 h5 B: e5", Favour(3, 1, on_row=True)),
        ("A: e2 e3 e4 e6 e7 B: e5", Favour(3, 1, on_row=False)),
    ],
    ids=["longer on the column", "longer on the row", "equal", "both on the row", "both on the column"],
)
def test_of_two_reasons_to_turn_the_longer_alignment_counts_and_the_row_if_equal(pieces: str, favour: Favour) -> None:
    position = placed(pieces)
    assert look_at(position.rules.grid, position.squares).favours()[40] == {"A": favour}
