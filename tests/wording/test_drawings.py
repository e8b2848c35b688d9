"""Boards in letters, known again for what they show."""

from __future__ import annotations

import pytest

from pbem.wording.drawings import Drawing, Drawings, drawings_in

ONE, TWO = Drawing(lambda: "<svg>1</svg>"), Drawing(lambda: "<svg>2</svg>", "2")


@pytest.fixture
def drawings() -> Drawings:
    """Two boards, the second of two rows, and both side by side."""
    known = Drawings()
    one, two = known.keep("    a b\n      c", [ONE]), known.keep("    x\n\n    y", [TWO])
    known.keep("    a b   x\n      c   y", drawings_in([one, two, "no board"]))
    return known


def test_a_board_is_known_wherever_it_stands(drawings: Drawings) -> None:
    assert drawings.of("a b\n  c") == [ONE]
    assert drawings.of("\n        a b  \n          c\n") == [ONE]
    assert drawings.of("a b   x\n  c   y") == [ONE, TWO]
    assert drawings.of("a b\nc") == ()
    assert ONE.svg == "<svg>1</svg>"


def test_boards_are_told_apart_from_what_stands_around_them(drawings: Drawings) -> None:
    text = "move 1\n\na b\n  c\n\nx\n\ny\n\nmove 2\n\nmove 3"
    assert list(drawings.split(text)) == [
        ("move 1", ()),
        ("a b\n  c", [ONE]),
        ("x\n\ny", [TWO]),
        ("move 2\n\nmove 3", ()),
    ]
    assert list(drawings.split("x\n\nz")) == [("x\n\nz", ())]
