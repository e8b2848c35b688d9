"""The time of drawing: ``python -m tests.bench.pictures``.

Boards of whole Superbo games (64 tiles and their spaces, fixed seeds) as text, as SVG and as PNG; of the PNG also its
size, and the time of the first picture of each board, whose sprites may have to be made. Then the same of boards of
Mamba in the middle of games of four, as each player sees them.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from functools import partial
from statistics import median

from pbem.diagrams import mamba
from pbem.diagrams.hextile import Picture, letters, png, svg
from pbem.diagrams.mamba import png as mamba_png
from pbem.diagrams.mamba import svg as mamba_svg
from pbem.games.hextile.superbo import SUPERBO
from pbem.games.mamba.game import MAMBA
from tests.bench.random_play import play_randomly

BOARDS = 20
TILES = 64
TURNS = 60
ROUNDS = 15


def boards() -> list[Picture]:
    """The last positions of random games that use up the supply."""
    chance, found = random.Random(1), list[Picture]()
    while len(found) < BOARDS:
        layout = play_randomly(SUPERBO.begin({}, 2), chance).layout
        if len(layout.tiles) >= TILES:
            found.append(Picture(layout.tiles, layout.labels, last=list(layout.tiles)[-2:]))
    return found


def mamba_boards() -> list[mamba.Picture]:
    """Positions after some turns of random games, each as seen by another player than the one before."""
    chance, found = random.Random(1), list[mamba.Picture]()
    while len(found) < BOARDS:
        position = MAMBA.begin({}, 4)
        while position.outcome is None and position.ply < TURNS:
            position = position.play(chance.choice(position.legal()))
        pairs = zip(position.turn.began, position.squares, strict=True)
        changed = frozenset(cell for cell, (before, now) in enumerate(pairs) if before != now)
        viewer = len(found) % 4
        found.append(mamba.Picture(position.squares, 9, position.rules.edges, changed, viewer))
    return found


def milliseconds(draw: Callable[[], object]) -> float:
    """The time of drawing once."""
    start = time.perf_counter()
    draw()
    return 1000 * (time.perf_counter() - start)


def main() -> int:
    """Draw, and print the medians."""
    print(f"sum(range(10**7)): {milliseconds(lambda: sum(range(10**7))) / 1000:.3f} s")
    print("Superbo")
    pictures = boards()
    _pixels([partial(png.draw, each) for each in pictures])
    _print("SVG", [_usual(partial(svg.draw, each)) for each in pictures])
    _print("text", [_usual(partial(letters.draw, each.tiles, each.labels)) for each in pictures])
    print("Mamba")
    tables = mamba_boards()
    _pixels([partial(mamba_png.draw, table) for table in tables])
    _print("SVG", [_usual(partial(mamba_svg.draw_for_page, table, {}, {}, None, "")) for table in tables])
    _print("text", [_usual(partial(mamba.draw, table.squares, table.size, table.changed)) for table in tables])
    return 0


def _pixels(draws: Sequence[Callable[[], bytes]]) -> None:
    _print("PNG, cold sprites", [milliseconds(draw) for draw in draws])
    _print("PNG, warm sprites", [_usual(draw) for draw in draws])
    sizes = [len(draw()) for draw in draws]
    print(f"{'PNG':20} {median(sizes) / 1000:6.1f} kB (most {max(sizes) / 1000:.1f})")


def _usual(draw: Callable[[], object]) -> float:
    """The median of some rounds, the first left out."""
    draw()
    return median(milliseconds(draw) for _ in range(ROUNDS))


def _print(what: str, times: list[float]) -> None:
    print(f"{what:20} {median(times):6.2f} ms (most {max(times):.2f})")


if __name__ == "__main__":
    raise SystemExit(main())
