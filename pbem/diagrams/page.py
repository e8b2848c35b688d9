"""Boards of the hexagonal tile games for pages: drawn like `pbem.diagrams.svg`, and there to be clicked.

Each shape is defined once and used by its id, which keeps a page small. What can be chosen is a link, so that a board
can be played on without any script. A bridge or tip tells by ``data-group`` which group it belongs to.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING
from xml.sax.saxutils import quoteattr

from pbem.diagrams import svg
from pbem.diagrams.paths import number

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pbem.diagrams.links import Link
    from pbem.diagrams.picture import Picture
    from pbem.games.hextile.grid import Cell
    from pbem.games.hextile.tiles import Colour, State, States


@dataclass(frozen=True, slots=True)
class Parts:
    """The groups that bridge and tip of a tile belong to; None if they are not told of."""

    bridge: int | None = None
    tip: int | None = None


@dataclass(frozen=True, slots=True)
class Laying:
    """A tile that can be laid on the space that is chosen."""

    link: Link
    """Where that leads."""
    state: State
    automatic: Mapping[Cell, State] = field(default_factory=dict)
    """What the game would lay by itself in answer."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture and what can be done with it."""

    picture: Picture
    links: Mapping[Cell, Link] = field(default_factory=dict)
    """Of spaces that can be chosen."""
    ghosts: frozenset[Cell] = frozenset()
    """The tiles that are not sent yet."""
    picked: Cell | None = None
    """The space that is chosen at the moment."""
    turns: Sequence[Laying] = ()
    """What can be laid there; the first is shown, and a script may show the others in its place."""
    groups: Mapping[Cell, Parts] = field(default_factory=dict)

    @property
    def box(self) -> tuple[float, float, float, float]:
        """What the drawing covers, whichever tile is shown: left, top, width, height."""
        shown = {cell: state for each in self.turns for cell, state in each.automatic.items()}
        return svg.box(replace(self.picture, tiles={**shown, **self.picture.tiles}))


def draw(scene: Scene, label: str) -> str:
    """The board as an element of a page; it needs the `definitions` of its game somewhere on it.

    Args:
        scene: what is shown.
        label: the board in a few words, for those who do not see it.
    """
    left, top, width, height = scene.box
    box = " ".join(map(number, (left, top, width, height)))
    opening = (
        f'<svg class="hextile" role="group" aria-label={quoteattr(label)} viewBox="{box}" width="{number(width)}" '
        f'height="{number(height)}" stroke-linejoin="round" text-anchor="middle">'
    )
    return "\n".join((opening, *_lines(scene), "</svg>"))


def definitions(states: States, *, dark: bool) -> str:
    """The shapes that boards of a game use, to stand once on a page."""
    shapes: dict[str, str] = {"hex": svg.outline("none"), "face": svg.face(), "rim": svg.rim(), "bar": svg.null_point()}
    for state in states:
        for name, colour, shape in svg.shapes(state):
            shapes[_id(name, colour, state.tip_at)] = svg.markup(name, colour, shape, dark=dark)
    for kind in ("last", "automatic"):
        shapes[kind] = svg.mark(kind)
    defined = "".join(f'<g id="{name}">{shape}</g>' for name, shape in shapes.items())
    return f'<svg class="definitions" width="0" height="0" aria-hidden="true"><defs>{defined}</defs></svg>'


def tile(state: State) -> str:
    """One tile, small, for those who choose."""
    half = svg.SIDE + svg.MARGIN / 2
    box = f"{number(-half)} {number(-half)} {number(2 * half)} {number(2 * half)}"
    drawn = _tile(state, Parts())
    return f'<svg class="choice" viewBox="{box}" width="44" height="44" aria-hidden="true">{drawn}</svg>'


def _lines(scene: Scene) -> Iterator[str]:
    picture = scene.picture
    for cell in picture.blocked:
        yield f'<use class="null-point" href="#bar"{svg.place(cell)}/>'
    for cell, text in picture.labels.items():
        yield _space(cell, text, scene)
    for cell, state in picture.tiles.items():
        ghost = " ghost" if cell in scene.ghosts else ""
        drawn = _tile(state, scene.groups.get(cell, Parts()))
        yield f'<g class="tile{ghost}"{svg.place(cell)}>{drawn}</g>'
    if scene.picked is not None and scene.turns:
        drawn = "".join(each.link.around(_laying(each, scene.picked)) for each in scene.turns)
        yield f'<g class="turning">{drawn}</g>'
    for kind, cells in (("last", picture.last), ("automatic", picture.automatic)):
        yield from (f'<use href="#{kind}"{svg.place(cell)}/>' for cell in cells)


def _laying(laying: Laying, at: Cell) -> str:
    follows = (
        f'<g class="by-itself"{svg.place(cell)}>{_tile(state, Parts())}<use href="#automatic"/></g>'
        for cell, state in laying.automatic.items()
    )
    return "".join((f'<g class="tile"{svg.place(at)}>{_tile(laying.state, Parts())}</g>', *follows))


def _space(cell: Cell, text: str, scene: Scene) -> str:
    link, picked = scene.links.get(cell), " picked" if cell == scene.picked else ""
    drawn = f'<use href="#hex"/>{"" if picked and scene.turns else svg.label(text)}'
    group = f'<g class="space{picked}"{svg.place(cell)} data-label={quoteattr(text)}>{drawn}</g>'
    return group if link is None else link.around(group)


def _tile(state: State, parts: Parts) -> str:
    groups = {"bridge": parts.bridge, "tip": parts.tip}
    return "".join(
        (
            '<use href="#face"/>',
            *(
                f'<use class="{name} {colour}" href="#{_id(name, colour, state.tip_at)}"{_group(groups[name])}/>'
                for name, colour, _ in svg.shapes(state)
            ),
            '<use href="#rim"/>',
        )
    )


def _id(name: str, colour: Colour, at: int) -> str:
    return f"{name}-{colour}-{at}"


def _group(group: int | None) -> str:
    return "" if group is None else f' data-group="{group}"'
