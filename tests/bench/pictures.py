"""How long drawing takes: ``python -m tests.bench.pictures``.

Boards of whole Superbo games (64 tiles and their spaces, fixed seeds) as text, as SVG and as PNG; of the PNG also its
size, and the time of the first picture of each board, whose sprites may have to be made.
"""

from __future__ import annotations

import random
import time
from functools import partial
from statistics import median
from typing import TYPE_CHECKING

from pbem.diagrams import ascii as text
from pbem.diagrams import png, svg
from pbem.diagrams.picture import Picture
from pbem.games.hextile.superbo import SUPERBO
from tests.bench.random_play import play_randomly

if TYPE_CHECKING:
    from collections.abc import Callable

BOARDS = 20
TILES = 64
ROUNDS = 15


def boards() -> list[Picture]:
    """The last positions of random games that use up the supply."""
    chance, found = random.Random(1), list[Picture]()  # noqa: S311  no secret
    while len(found) < BOARDS:
        layout = play_randomly(SUPERBO.begin({}, 2), chance).layout
        if len(layout.tiles) >= TILES:
            found.append(Picture(layout.tiles, layout.labels, last=list(layout.tiles)[-2:]))
    return found


def milliseconds(draw: Callable[[], object]) -> float:
    """How long it takes to draw once."""
    start = time.perf_counter()
    draw()
    return 1000 * (time.perf_counter() - start)


def main() -> int:
    """Draw, and print the medians."""
    print(f"sum(range(10**7)): {milliseconds(lambda: sum(range(10**7))) / 1000:.3f} s")
    pictures = boards()
    cold = [milliseconds(partial(png.draw, picture)) for picture in pictures]
    _print("PNG, cold sprites", cold)
    _print("PNG, warm sprites", [_usual(partial(png.draw, picture)) for picture in pictures])
    _print("SVG", [_usual(partial(svg.draw, picture)) for picture in pictures])
    _print("text", [_usual(partial(text.draw, picture.tiles, picture.labels)) for picture in pictures])
    sizes = [len(png.draw(picture)) for picture in pictures]
    print(f"{'PNG':20} {median(sizes) / 1000:6.1f} kB (most {max(sizes) / 1000:.1f})")
    return 0


def _usual(draw: Callable[[], object]) -> float:
    """The median of some rounds, the first left out."""
    draw()
    return median(milliseconds(draw) for _ in range(ROUNDS))


def _print(what: str, times: list[float]) -> None:
    print(f"{what:20} {median(times):6.2f} ms (most {max(times):.2f})")


if __name__ == "__main__":
    raise SystemExit(main())
