"""Boards of the hexagonal tile games for pages: drawn like `pbem.diagrams.hextile.svg`, and there to be clicked.

Each shape is defined once and used by its id, and what many have in common stands around them, which keeps a page
small. What can be chosen is a link, so that a board can be played on without any script. Each part of a tile, white
ones where they count, tells by ``data-group`` which group it belongs to; what is to be lit or dimmed in a shape that
is used goes by the style sheet's ``--shown`` and ``--lit``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from xml.sax.saxutils import escape, quoteattr

from pbem.diagrams import XY, Link, number, path
from pbem.diagrams.hextile import COLUMN_STEP, HALF_HEIGHT, Picture, inks, ribbons, svg
from pbem.games.hextile.grid import ENDS, Cell, Colour, State, States, W, half_row

USUAL_LABEL = "AA"
"""Most labels of large boards have as many letters."""


@dataclass(frozen=True, slots=True)
class TileGroups:
    """The groups that the parts of a tile belong to; None if they are not told of."""

    bridge: int | None = None
    tip: int | None = None
    white_bridge: int | None = None
    white_tip: int | None = None


@dataclass(frozen=True, slots=True)
class Laying:
    """A tile that can be laid on the space that is chosen."""

    link: Link
    """The link that lays it."""
    state: State
    automatic: Mapping[Cell, State] = field(default_factory=dict)
    """The tiles that the game would lay automatically in answer."""


@dataclass(frozen=True, slots=True)
class BoardPicture:
    """A picture and the choices on it."""

    picture: Picture
    links: Mapping[Cell, Link] = field(default_factory=dict)
    """Of spaces that can be chosen."""
    ghosts: frozenset[Cell] = frozenset()
    """The tiles that are not sent yet."""
    picked: Cell | None = None
    """The space that is chosen at the moment."""
    layings: Sequence[Laying] = ()
    """The possible layings; the first is shown, and a script may show the others in its place."""
    groups: Mapping[Cell, TileGroups] = field(default_factory=dict)
    decisive: Collection[int] = ()
    """The groups that have decided the game."""
    frame: Collection[Cell] = ()
    """Cells that the drawing covers so that its scale stays. Spaces that cannot be chosen may lie beyond its edge."""
    room: Collection[Cell] = ()
    """Cells around the frame that the drawing covers to their middle: the half beyond its edge shows there, too."""
    confirm: Sequence[Link] = ()
    """The links that lay the tile that is shown, or send the turn, or take either back: signs at a tile."""
    confirm_at: Cell | None = None
    """The cell of that tile."""
    names: Mapping[Cell, str] = field(default_factory=dict)
    """Of the tiles: the labels of the spaces that they fill; the start tile has none."""

    @property
    def box(self) -> tuple[float, float, float, float]:
        """The area of the drawing, whichever tile is shown: left, top, width, height."""
        shown = {*(cell for each in self.layings for cell in each.automatic), *self.frame}
        shown.update(self.links if self.frame else self.picture.labels)
        whole = shown.difference(self.room)
        tiles = {cell: state for cell, state in self.picture.tiles.items() if cell not in self.room}
        left, top, width, height = svg.box(replace(self.picture, tiles=tiles, labels=dict.fromkeys(whole, "")))
        middles = [svg.middle(cell) for cell in self.room] or [XY(left, top)]
        right, bottom = max(left + width, *(x for x, _ in middles)), max(top + height, *(y for _, y in middles))
        left, top = min(left, *(x for x, _ in middles)), min(top, *(y for _, y in middles))
        return left, top, right - left, bottom - top


def draw(scene: BoardPicture, label: str) -> str:
    """The board as an element of a page; it needs the `definitions` of its game somewhere on it.

    Args:
        scene: what is shown.
        label: the board in a few words, for those who do not see it.
    """
    left, top, width, height = scene.box
    box = " ".join(map(number, (left, top, width, height)))
    kind = "hextile decided" if scene.decisive else "hextile"
    opening = (
        f'<svg class="{kind}" role="group" aria-label={quoteattr(label)} viewBox="{box}" width="{number(width)}" '
        f'height="{number(height)}" stroke-linejoin="round" text-anchor="middle">'
    )
    return "\n".join((opening, *_lines(scene), "</svg>"))


def definitions(states: States, *, dark: bool) -> str:
    """The shapes that boards of a game use, to stand once on a page."""
    shapes = {"hex": svg.outline("none"), "null": svg.null_point()}
    shapes["face"] = _untouched(svg.face() + svg.rim())
    for state in states:
        for name, colour, shape in svg.shapes(state):
            drawn = f'<g class="part">{svg.markup(name, colour, shape, dark=dark)}</g>'
            shapes[_id(name, colour, state.tip_at)] = drawn
    for tip_at in range(W, len(ENDS)):
        for name, outline in (("v", ribbons.white_bridge), ("w", ribbons.white_tip)):
            drawn = path(outline(tip_at), svg.SIDE)
            shapes[f"{name}{tip_at}"] = f'<path class="white" d="{drawn}" fill="transparent"/>'
    for kind in ("last", "automatic"):
        shapes[kind] = svg.mark(kind)
    defined = "".join(f'<g id="{name}">{shape}</g>' for name, shape in shapes.items())
    return f'<svg class="definitions" width="0" height="0" aria-hidden="true"><defs>{defined}</defs></svg>'


def tile(state: State) -> str:
    """One tile, small, for those who choose."""
    half = svg.SIDE + svg.MARGIN / 2
    box = f"{number(-half)} {number(-half)} {number(2 * half)} {number(2 * half)}"
    drawn = _alone(state)
    return f'<svg class="choice" viewBox="{box}" width="44" height="44" aria-hidden="true">{drawn}</svg>'


def _untouched(drawn: str) -> str:
    """The same, and the pointer does not meet it."""
    return f'<g pointer-events="none">{drawn}</g>'


def _lines(scene: BoardPicture) -> Iterator[str]:
    picture = scene.picture
    size = number(inks.label_size(USUAL_LABEL) * svg.SIDE)
    yield f'<g class="label" font-size="{size}" fill="{inks.LABEL}">'
    for cell, text in picture.labels.items():
        yield _space(cell, text, scene)
    yield f'</g><path class="face rim" pointer-events="none" d="{_faces(picture.tiles)}"/>'
    yield f'<g class="tiles" data-names="{" ".join(_typed(scene))}">'
    for cell, state in picture.tiles.items():
        kind = ' class="ghost"' if cell in scene.ghosts else ""
        yield f"<g{kind}{_place(cell)}>{_tile(state, scene.groups.get(cell, TileGroups()), scene.decisive)}</g>"
    yield f"</g>{svg.edge(picture.tiles)}"
    marks = (("last", picture.last), ("automatic", picture.automatic))
    yield _untouched("".join(f'<use href="#{kind}"{_place(cell)}/>' for kind, cells in marks for cell in cells))
    if scene.picked is not None and scene.layings:
        drawn = "".join(each.link.around(_laying(each, scene.picked)) for each in scene.layings)
        yield f'<g class="turning">{drawn}</g>'
    if scene.confirm and scene.confirm_at is not None:
        signs = "".join(link.around(_SIGNS[link.kind.split()[-1]]) for link in scene.confirm)
        yield f'<g class="confirm"{_place(scene.confirm_at)}>{signs}</g>'


def _typed(scene: BoardPicture) -> Iterator[str]:
    """Each tile as it is typed, such as B2; the start tile by its state alone."""
    for cell, state in scene.picture.tiles.items():
        yield f"{scene.names.get(cell, '')}{state.number}"


def _sign(place: str, drawn: str) -> str:
    """A sign at the lower edge of a tile; it can be touched a little outside, too."""
    reach = '<circle r="22" fill="transparent"/>'
    return f'<g transform="translate({place})">{reach}<circle r="15"/><path d="{drawn}"/></g>'


_SIGNS = {
    "lays": _sign("24 42", "M-7 0l5 5 9-10"),
    "sends": _sign("24 42", "M-7 0h13m-6-6 6 6-6 6"),
    "leaves": _sign("-24 42", "M-6-6l12 12m0-12L-6 6"),
}


def _faces(cells: Collection[Cell]) -> str:
    """The faces of tiles below all ribbons, so that no seam crosses a ribbon; one path."""
    first, *others = ribbons.RIM
    steps = zip(others, ribbons.RIM, strict=False)
    lengths = [_pair((there.x - here.x) * svg.SIDE, (there.y - here.y) * svg.SIDE) for there, here in steps]
    sides = " ".join(lengths).replace(" -", "-")
    starts = [_start(cell, first) for cell in sorted(cells)]
    steps_on = zip(starts, [XY(0, 0), *starts], strict=False)
    return "".join(f"m{_pair(here.x - before.x, here.y - before.y)}l{sides}z" for here, before in steps_on)


def _start(cell: Cell, first: XY) -> XY:
    """The point of a cell where the path around its face begins, to a tenth of a unit."""
    x, y = COLUMN_STEP * cell.q + first.x, HALF_HEIGHT * half_row(cell) + first.y
    return XY(round(x * svg.SIDE, 1), round(y * svg.SIDE, 1))


def _pair(x: float, y: float) -> str:
    return f"{number(round(x, 1))} {number(round(y, 1))}".replace(" -", "-")


def _laying(laying: Laying, at: Cell) -> str:
    follows = (
        f'<g class="by-itself"{_place(cell)}>{_alone(state)}<use href="#automatic"/></g>'
        for cell, state in laying.automatic.items()
    )
    return "".join((f'<g class="tile"{_place(at)}>{_alone(laying.state)}</g>', *follows))


def _space(cell: Cell, text: str, scene: BoardPicture) -> str:
    link, picked = scene.links.get(cell), cell == scene.picked
    kind = ' class="picked"' if picked else ""
    drawn = '<use href="#null"/>' if cell in scene.picture.null_points else _labelled(text, picked and scene.layings)
    group = f"<g{kind}{_place(cell)} data-label={quoteattr(text)}>{drawn}</g>"
    return group if link is None else link.around(group)


def _labelled(text: str, covered: object) -> str:
    """A space with its label, unless a tile that is tried out covers it."""
    size = inks.label_size(text)
    own = "" if size == inks.label_size(USUAL_LABEL) else f' font-size="{number(size * svg.SIDE)}"'
    return '<use href="#hex"/>' + ("" if covered else f'<text y=".36em"{own}>{escape(text)}</text>')


def _alone(state: State) -> str:
    """A tile with its own face, which lies on no board yet."""
    return f'<use href="#face"/>{_tile(state, TileGroups(), ())}<use href="#hex"/>'


def _tile(state: State, parts: TileGroups, decisive: Collection[int]) -> str:
    groups = {"bridge": parts.bridge, "tip": parts.tip}
    drawn = [
        f'<use href="#{_id(name, colour, state.tip_at)}"{_group(groups[name], decisive)}/>'
        for name, colour, _ in svg.shapes(state)
    ]
    white = {"v": parts.white_bridge, "w": parts.white_tip}
    drawn += [
        f'<use href="#{name}{state.tip_at}"{_group(group, decisive)}/>'
        for name, group in white.items()
        if group is not None
    ]
    return "".join(drawn)


def _id(name: str, colour: Colour, at: int) -> str:
    """Short, since it stands on the page as often as there are tiles: ``bo0``."""
    return f"{name[0]}{colour}{at}"


def _group(group: int | None, decisive: Collection[int]) -> str:
    kind = ' class="decisive"' if group in decisive else ""
    return "" if group is None else f'{kind} data-group="{group}"'


def _place(cell: Cell) -> str:
    """The attribute that puts what is drawn around (0, 0) into a cell, to a tenth of a unit."""
    x, y = round(COLUMN_STEP * svg.SIDE * cell.q), round(HALF_HEIGHT * svg.SIDE * half_row(cell), 1)
    return f' transform="translate({x} {number(y)})"'
