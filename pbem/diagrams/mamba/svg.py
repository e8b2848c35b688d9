"""Pictures of boards of Mamba as SVG, for pages.

Everything is drawn by presentation attributes, so a picture looks right alone and under the strictest content
policy, while any rule of a page's style sheet goes before them. Each cell is a group of the class ``cell``, ``changed``
too if it is marked, and tells by ``data-cell`` its name and by ``data-mark`` whose piece lies there. What is drawn has
the classes ``ground``, ``line``, ``ring``, ``cross``, ``body``, ``border``, ``groove``, ``head``, ``eye`` and ``mark``;
around the board there are ``paper``, ``frame``, ``coordinate`` and ``seat``. Pages have signs besides: ``sign-open``,
``sign-move`` and ``sign-lay``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from xml.sax.saxutils import quoteattr

from pbem.diagrams import XY, Element, Link, markup, number, pair, place
from pbem.diagrams.mamba import SIGNS, Picture, board
from pbem.diagrams.mamba.board import Face
from pbem.diagrams.replay import animated
from pbem.games.mamba.squares import EMPTY, Cell, grid

SIDE = 50
"""Of a cell, in units of the drawing."""


def draw_for_page(
    picture: Picture,
    links: Mapping[Cell, Link],
    signs: Mapping[Cell, Collection[str]],
    picked: Cell | None,
    label: str,
) -> str:
    """A drawing within a page, with cells that can be clicked and one that has been.

    What lies on a cell is defined once and used by its id, which keeps a page small; it has the class ``piece``. So
    are the signs, by whose names in `SIGNS` it is said where they stand; a legend beside the drawing can use them, too.
    """
    role, faces = f' role="group" aria-label={quoteattr(label)}', dict[Face, str]()

    def art(cell: Cell, face: Face) -> str:
        ground = _markup(board.elements(face)[:1])
        kind = "" if face.mark == EMPTY else ' class="piece"'
        piece = f'<use{kind} href="#{faces.setdefault(face, f"cell-{len(faces)}")}"/>'
        return ground + piece + "".join(f'<use href="#sign-{sign}"/>' for sign in signs.get(cell, ()))

    lines = tuple(_lines(picture, links, picked, art))
    shapes = {name: board.elements(face)[1:] for face, name in faces.items()}
    shapes |= {f"sign-{name}": (sign,) for name, sign in SIGNS.items()}
    defined = "".join(f'<g id="{name}">{_markup(shape)}</g>' for name, shape in shapes.items())
    return "\n".join((_opening(picture, role), f"<defs>{defined}</defs>", *lines, "</svg>\n"))


def draw_still(picture: Picture, prefix: str) -> str:
    """A drawing within a page that is only looked at, a quarter as long.

    Args:
        picture: what it shows.
        prefix: of the ids of its shapes, so that a page can have several.
    """
    table, faces = board.table(picture), dict[Face, str]()
    cells = []
    for cell, mark in enumerate(picture.squares):
        face = table.face(mark, changed=cell in picture.changed)
        x, y = table.middle(cell)
        shape = faces.setdefault(face, f"{prefix}-{len(faces)}")
        cells.append(f'<use href="#{shape}" {place("x", "y", XY(x, y), SIDE)}/>')
    defined = "".join(f'<g id="{name}">{_cell(face)}</g>' for face, name in faces.items())
    return "\n".join((_opening(picture, ""), f"<defs>{defined}</defs>", _markup(table.around), *cells, "</svg>\n"))


def draw_replay(pictures: Sequence[Picture]) -> str:
    """A game that plays by itself: its positions in their order.

    It has neither paper nor coordinates: pages show it as a small picture, which their style sheet does not reach.
    """
    table, faces = board.table(pictures[0]), dict[Face, str]()

    def drawn(cell: Cell, face: Face) -> str:
        x, y = table.middle(cell)
        return f'<use href="#{faces.setdefault(face, f"r-{len(faces)}")}" {place("x", "y", XY(x, y), SIDE)}/>'

    ground = [drawn(cell, table.face(EMPTY, changed=False)) for cell in range(len(pictures[0].squares))]
    pieces = animated(
        [
            {
                cell: drawn(cell, table.face(mark, changed=False))
                for cell, mark in enumerate(each.squares)
                if mark != EMPTY
            }
            for each in pictures
        ]
    )
    defined = "".join(f'<g id="{name}">{_cell(face)}</g>' for face, name in faces.items())
    around = _markup(each for each in table.around if each.name not in ("paper", "coordinate"))
    return "\n".join((_opening(pictures[0], ""), f"<defs>{defined}</defs>", around, *ground, pieces, "</svg>\n"))


def _lines(
    picture: Picture, links: Mapping[Cell, Link], picked: Cell | None, art: Callable[[Cell, Face], str]
) -> Iterator[str]:
    table, names = board.table(picture), grid(picture.size).names
    yield _markup(table.around)
    for cell, mark in enumerate(picture.squares):
        changed = cell in picture.changed
        kind = ("cell changed" if changed else "cell") + (" picked" if cell == picked else "")
        owner = "" if mark == EMPTY else f' data-mark="{mark}"'
        middle = pair(table.middle(cell), SIDE)
        face = art(cell, table.face(mark, changed=changed))
        drawn = f'<g class="{kind}" data-cell="{names[cell]}"{owner} transform="translate({middle})">{face}</g>'
        yield links[cell].around(drawn) if cell in links else drawn


def _opening(picture: Picture, role: str) -> str:
    half = (picture.size / 2 + board.MARGIN) * SIDE
    start, whole = number(-half), number(2 * half)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="mamba"{role} viewBox="{start} {start} {whole} {whole}" '
        f'width="{whole}" height="{whole}" fill="none" stroke-linejoin="round" '
        'text-anchor="middle" font-family="sans-serif">'
    )


@cache
def _cell(face: Face) -> str:
    return _markup(board.elements(face))


def _markup(elements: Iterable[Element]) -> str:
    return markup(elements, SIDE)
