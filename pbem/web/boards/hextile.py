"""Boards of the hexagonal tile games on pages."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from pbem.diagrams import Link
from pbem.diagrams.hextile import page, picture_of
from pbem.errors import PlayerError
from pbem.games.game import Game, IllegalMove
from pbem.games.hextile.facts import group_facts
from pbem.games.hextile.fills import Laid
from pbem.games.hextile.grid import Cell, Colour, Point, State, States, corners, neighbours, white_points
from pbem.games.hextile.position import Placement, Position
from pbem.web.boards.views import BoardView, Choice, Forbidden, View, face
from pbem.wording.hextile import Group, labels_when_laid, parts


@dataclass(frozen=True)
class HexTileFace:
    """A position of these games as a page shows it."""

    position: Position
    game: Game[Any, Any]

    @cached_property
    def choices(self) -> Sequence[Choice]:
        """Every placement that the rules allow now."""
        states, labels = self.position.rules.states, self.position.layout.labels
        return tuple(
            _choice(labels[step.cell], states[step.state])
            for step in self.position.legal()
            if isinstance(step, Placement)
        )

    @property
    def spare(self) -> Sequence[str]:
        """The swap, if it is allowed."""
        return ("swap",) if self.position.may_swap else ()

    @cached_property
    def closed(self) -> Sequence[str]:
        """The spaces on which nothing may be laid now."""
        if self.position.outcome is not None:
            return ()
        played = {choice.place for choice in self.choices}
        return tuple(label for label in self.position.layout.labels.values() if label not in played)

    def why_closed(self, place: str) -> PlayerError | None:
        """The reason why nothing may be laid on a space, for the first state that fits its corners, if one does."""
        cell = self.position.layout.space_labelled(place)
        if cell is None:
            return None
        tried = (self._why_not(cell, state) for state in self._fitting(cell) or self.position.rules.states)
        return next((why for why in tried if why is not None), None)

    def _fitting(self, cell: Cell) -> Sequence[State]:
        """The states that fit the corners of a space, even if no tiles are left for them."""
        return self.position.rules.states.fitting(self.position.layout.spaces[cell].decided)

    def forbidden(self, place: str) -> Sequence[Forbidden]:
        """The states that fit on a space but cannot be laid there, grouped by reason."""
        cell = self.position.layout.space_labelled(place)
        if cell is None or self.position.outcome is not None:
            return ()
        allowed = {choice.text for choice in self.choices}
        choices = [(_choice(place, state), state) for state in self._fitting(cell)]
        tried = [(choice, self._why_not(cell, state)) for choice, state in choices if choice.text not in allowed]
        return _by_reason([(choice, why) for choice, why in tried if why is not None])

    def automatic(self, choice: Choice) -> Sequence[str]:
        """The tiles that would be laid automatically, as they are typed."""
        return tuple(tile.text for tile in self._follows(choice))

    def _follows(self, choice: Choice) -> Sequence[Laid]:
        """The tiles that would be laid automatically after a placement."""
        cell = self.position.layout.space_labelled(choice.place)
        if cell is None:
            return ()
        after = self.position.after(Placement(cell, int(choice.text.removeprefix(choice.place))))
        laid = (after.turn or after.last_turn)[len(self.position.turn) :]
        return [tile for tile in laid if tile.automatic]

    def _why_not(self, cell: Cell, state: State) -> IllegalMove | None:
        try:
            self.position.play(Placement(cell, state.number))
        except IllegalMove as wrong:
            return wrong
        return None

    @property
    def definitions(self) -> str:
        """The shapes of the game's tiles."""
        return _definitions(self.position.rules.states, self._is_dark)

    def draw(self, view: View, label: str) -> str:
        """The board; it looks alike from all sides."""
        layout = self.position.layout
        before = view.drafted.layout.tiles if isinstance(view.drafted, Position) else layout.tiles
        cells = {label: cell for cell, label in layout.labels.items()}
        closed = set(self.closed)
        links = {
            cells[name]: Link(href, view.label(name), "place closed" if name in closed else "place")
            for name, href in view.links.items()
            if name in cells
        }
        scene = page.BoardPicture(
            picture_of(self.position, layout.labels),
            links,
            frozenset(cell for cell in layout.tiles if cell not in before),
            cells.get(view.picked or ""),
            self._layings(view),
            self._groups,
            frozenset(group.number for group in self.parts if group.decisive),
            *_room(view),
            self._confirm(view),
            cells.get(view.picked or "", self._laid_last),
            labels_when_laid(self.position),
        )
        return page.draw(scene, label)

    def _layings(self, view: View) -> Sequence[page.Laying]:
        """The placements on the chosen space, with their consequences."""
        states = self.position.rules.states
        found = [choice for choice in self.choices if choice.place == view.picked and choice.text in view.steps]
        return [
            page.Laying(
                Link(view.steps[each.text], view.label(each.text), "ghost", each.text),
                states[int(each.text.removeprefix(each.place))],
                {tile.cell: tile.state for tile in self._follows(each)},
            )
            for each in found
        ]

    def _confirm(self, view: View) -> Sequence[Link]:
        """The sign that lays the first of the possible tiles, sends the turn, or both; and the one that goes back."""
        first = next(iter(view.steps.values()), None)
        if first is not None:
            does, kind = ("sends", "lays sends") if view.completes else ("lays", "lays")
            return Link(first, view.label(does), kind), Link(view.cancel, view.label("leaves"), "leaves")
        if view.sends:
            return (
                Link(view.sends, view.label("sends"), "lays sends"),
                Link(view.cancel, view.label("takes back"), "leaves"),
            )
        return ()

    @property
    def _laid_last(self) -> Cell | None:
        """The cell of the tile that was laid last by hand."""
        turn = self.position.turn or self.position.last_turn
        return next((tile.cell for tile in reversed(turn) if not tile.automatic), None)

    @cached_property
    def parts(self) -> Sequence[Group]:
        """All groups, and eyes if they count: the parts that light up, by their numbers."""
        return parts(self.position)

    @property
    def _groups(self) -> Mapping[Cell, page.TileGroups]:
        """The groups that the parts of each tile belong to, by their numbers."""
        told, names = {group.number for group in self.parts}, self.position.layout.regions.names
        facts = enumerate(group_facts(self.position.layout))
        numbers = {names[group.points[0]]: number for number, group in facts if number in told}
        return {cell: _parts(cell, state, names, numbers) for cell, state in self.position.layout.tiles.items()}

    @property
    def _is_dark(self) -> bool:
        return Colour.WHITE in self.position.colours


def _by_reason(refused: Sequence[tuple[Choice, IllegalMove]]) -> Sequence[Forbidden]:
    """Refused placements, grouped so that one sentence gives the reason of each group."""
    reasons: dict[Hashable, list[tuple[Choice, IllegalMove]]] = {}
    for choice, why in refused:
        facts = {name: fact for name, fact in why.facts.items() if name not in ("placement", "state")}
        reasons.setdefault((type(why), *sorted(facts.items())), []).append((choice, why))
    return [
        Forbidden([choice for choice, _ in alike], _of_all([choice.text for choice, _ in alike], alike[0][1]))
        for alike in reasons.values()
    ]


def _of_all(placements: Sequence[str], why: IllegalMove) -> IllegalMove:
    """One refusal of several placements."""
    return type(why)(**{**why.facts, "placement": ", ".join(placements)})


def _choice(label: str, state: State) -> Choice:
    return Choice(f"{label}{state.number}", label, label, "tile", page.tile(state))


@face.register(Position)
def _(position: Position, game: Game[Any, Any]) -> BoardView:
    return HexTileFace(position, game)


@lru_cache(maxsize=16)
def _definitions(states: States, dark: bool) -> str:
    return page.definitions(states, dark=dark)


def _parts(cell: Cell, state: State, names: Mapping[Point, Point], numbers: Mapping[Point, int]) -> page.TileGroups:
    coloured, white = corners(cell), white_points(cell)
    points = (coloured[state.ends[0]], coloured[state.tip_at], white[state.ends[0]], white[state.tip_at])
    return page.TileGroups(*(numbers.get(names[point]) for point in points))


def _room(view: View) -> tuple[Collection[Cell], Collection[Cell]]:
    """The cells that a drawing covers for a whole turn, and those next to where its first tiles may lie."""
    covered = {*_cells(view.frame), *_cells(view.turn_start)}
    start, around = view.turn_start, set[Cell]()
    if view.frame is None and isinstance(start, Position) and start.outcome is None:
        for _ in range(start.tiles_to_lay - 1):
            around |= {cell for each in covered | around for cell in neighbours(each)}
    return covered, around - covered


def _cells(position: object) -> Sequence[Cell]:
    """All tiles and spaces of a position."""
    return (*position.layout.tiles, *position.layout.spaces) if isinstance(position, Position) else ()
