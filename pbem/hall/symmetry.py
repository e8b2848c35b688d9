"""Symmetries of boards of the hall: positions that are alike but for a rotation or a reflection of the board."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from math import cos, pi, sin
from types import MappingProxyType
from typing import Any, NamedTuple

from pbem.games.figure import At, Bar
from pbem.games.game import CanonicalForm, TurnRecord
from pbem.games.layouts import Layout
from pbem.hall.positions import SWAP, Form, HallPosition, Images, Kind, Step
from pbem.hall.refusals import MoveNotPossible

_NO_MORE: Mapping[str, At] = MappingProxyType({})
_NAME = re.compile(r"[a-z][0-9]{1,2}|[a-z]")


class Way(NamedTuple):
    """A linear map of the plane: rows of its matrix."""

    xx: float
    xy: float
    yx: float
    yy: float

    def moved(self, at: At) -> At:
        """The image of a point."""
        return self.xx * at[0] + self.xy * at[1], self.yx * at[0] + self.yy * at[1]


_TURNS = [(cos(step * pi / 6), sin(step * pi / 6)) for step in range(12)]
_ALL = [Way(cosine, -sign * sine, sine, sign * cosine) for sign in (1, -1) for cosine, sine in _TURNS]
_LEFT_AND_RIGHT = [Way(1, 0, 0, 1), Way(-1, 0, 0, 1)]


def all_ways(layout: Layout, more: Mapping[str, At] = _NO_MORE) -> Sequence[Images]:
    """Every rotation and reflection that leaves the places of a board, and the edges that sides connect, as they are.

    Args:
        layout: the board.
        more: where other words of the notation would stand.
    """
    return list(_images(layout, more, _ALL))


def left_and_right(layout: Layout, more: Mapping[str, At] = _NO_MORE) -> Sequence[Images]:
    """The reflection that exchanges left and right, for games in which up and down are not the same."""
    return list(_images(layout, more, _LEFT_AND_RIGHT))


def inside_out(layout: Layout) -> Sequence[Images]:
    """The symmetries of three squares around each other, of which the inner and the outer may change places."""
    ways, last = all_ways(layout), max(spot.at[0] for spot in layout.spots.values())
    named = {spot.at: name for name, spot in layout.spots.items()}
    turned = {name: named[_turned_out(spot.at, last / 2)] for name, spot in layout.spots.items()}
    return [*ways, *({name: images[other] for name, other in turned.items()} for images in ways)]


def _turned_out(at: At, middle: float) -> At:
    """The place on the outer square for one on the inner square, and the other way round."""
    x, y = at[0] - middle, at[1] - middle
    ring = max(abs(x), abs(y))
    scale = (middle + 1 - ring) / ring
    return middle + x * scale, middle + y * scale


def _images(layout: Layout, more: Mapping[str, At], ways: Iterable[Way]) -> Iterator[Images]:
    ats = [spot.at for spot in layout.spots.values()]
    middle = sum(x for x, _ in ats) / len(ats), sum(y for _, y in ats) / len(ats)
    places = {name: _seen(spot.at, middle) for name, spot in layout.spots.items()}
    words = {name: _seen(at, middle) for name, at in more.items()}
    edges = [Bar(_seen(bar.start, middle), _seen(bar.end, middle), bar.side) for bar in layout.edges]
    kept = set(map(_ends, edges))
    for way in ways:
        images, also = _all_moved(places, way), _all_moved(words, way)
        moved = {_ends(Bar(way.moved(bar.start), way.moved(bar.end), bar.side)) for bar in edges}
        if len(images) == len(places) and len(also) == len(words) and moved == kept:
            yield {**images, **also}


def _seen(at: At, middle: At) -> At:
    """A point as seen from the middle."""
    return at[0] - middle[0], at[1] - middle[1]


def _all_moved(named: Mapping[str, At], way: Way) -> Images:
    """The names of the images of points, as far as these have names."""
    found = {_near(at): name for name, at in named.items()}
    images = {name: found.get(_near(way.moved(at))) for name, at in named.items()}
    return {name: image for name, image in images.items() if image is not None}


def _near(at: At) -> tuple[int, int]:
    """The same for points that lie as good as together: the scale keeps them clear of what is rounded up or down."""
    return round(100 * pi * at[0]), round(100 * pi * at[1])


def _ends(bar: Bar) -> tuple[frozenset[tuple[int, int]], int]:
    return frozenset((_near(bar.start), _near(bar.end))), bar.side


def canonical(position: HallPosition) -> CanonicalForm[Step]:
    """The form that a position shares with all that are alike: whoever begins has the first side."""
    kind = position.kind
    forms = (kind.forms or partial(forms_on_board, kind))(position)
    form = min(forms, key=lambda each: json.dumps(each.told))
    key = json.dumps([position.ply, position.state.player, position.may_swap, form.told])
    return CanonicalForm(key, partial(_record, position, form), partial(_steps, position, form))


def _record(position: HallPosition, form: Form, steps: Sequence[Step]) -> TurnRecord:
    found = []
    for place, step in enumerate(steps, start=1):
        found.append(str(step) if step == SWAP else form.images(position, step)[0])
        if place < len(steps):
            position = position.play(step)
    return found


def _steps(position: HallPosition, form: Form, record: TurnRecord) -> tuple[Step, ...]:
    found = list[Step]()
    for image in record:
        step = next((each for each in position.legal() if image in _all_images(position, form, each)), None)
        if step is None:
            raise MoveNotPossible(str(image))
        found.append(step)
        position = position.play(step)
    return tuple(found)


def _all_images(position: HallPosition, form: Form, step: Step) -> Sequence[Any]:
    return [str(step)] if step == SWAP else form.images(position, step)


def forms_on_board(kind: Kind, position: HallPosition) -> Iterator[Form]:
    """A board with named places, in each of its symmetries; or the drawing, if there are none."""
    layout, symmetries = _board(kind, tuple(sorted(position.options.items())))
    if not symmetries:
        drawing = position.drawn if kind.telling is None else kind.telling(position.drawn)
        yield Form([drawing, [step.text for step in position.turn]], _texts)
        return
    contents = kind.contents(position, layout)
    more = [] if kind.telling is None else _NAME.findall(kind.telling(position.drawn))
    called = {spot.at: name for name, spot in layout.spots.items()}
    bars = [(called[bar.start], called[bar.end], bar.side) for bar in contents.bars]
    for images in symmetries:
        pieces = sorted([images[name], piece.side, piece.letter] for name, piece in contents.pieces.items())
        drawn = sorted([*sorted((images[start], images[end])), side] for start, end, side in bars)
        told = sorted(_image(name, images) for name in more)
        turn = [_image(step.text, images) for step in position.turn]
        yield Form([pieces, drawn, told, turn], partial(_images_of_texts, images))


def _texts(_position: HallPosition, step: Step) -> Sequence[str]:
    return [step.text, *step.also]


def _images_of_texts(images: Images, _position: HallPosition, step: Step) -> Sequence[str]:
    return [_image(text, images) for text in (step.text, *step.also)]


def _image(text: str, images: Images) -> str:
    return _NAME.sub(lambda found: images.get(found[0], found[0]), text)


@lru_cache(maxsize=64)
def _board(kind: Kind, options: tuple[tuple[str, Any], ...]) -> tuple[Layout, Sequence[Images]]:
    layout = kind.layout(dict(options))
    return layout, [] if kind.symmetries is None else kind.symmetries(layout)
