"""Positions to hold claims against: random ones, figures, and whole games with what they should come to.

A variant is a game and its options in the words of a challenge, dashes left out: ``mambo mamba loops=2``.
"""

import json
from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from pbem.diagrams.hextile.parse import read
from pbem.errors import PlayerError
from pbem.games.game import Ending
from pbem.games.hextile import HexTileGame
from pbem.games.hextile import position as beginnings
from pbem.games.hextile.fills import by_hand
from pbem.games.hextile.grid import Cell, Point, State, States, corners, neighbours, white_points
from pbem.games.hextile.lambo import LAMBO, PALAGO
from pbem.games.hextile.layout import UNTOUCHED, Layout, survey
from pbem.games.hextile.mambo import MAMBO
from pbem.games.hextile.position import Placement, Position
from pbem.games.hextile.ruleset import Joined, Ruleset
from pbem.games.hextile.superbo import SUPERBO
from pbem.games.options import Option

FIGURES = Path(__file__).parent / "figures"
PLAYTHROUGHS = Path(__file__).parent / "playthroughs"

FIGURE_NAMES = sorted(f"{path.parent.name}/{path.stem}" for path in FIGURES.glob("*/*.txt"))

MARKED = {"mambo/null_point": {Cell(0, 1): "-"}, "mambo/ladder_before": {Cell(1, 0): "m"}}
"""The spaces that a figure shows a mark in."""

GAMES = {game.name: game for game in (LAMBO, MAMBO, PALAGO, SUPERBO)}

VARIANTS = (
    "superbo",
    "superbo adjacent_pair",
    "superbo anywhere",
    "superbo any_colour kill_own",
    "superbo single auto=none",
    "mambo",
    "mambo mamba",
    "mambo mamboa",
    "mambo mambogo",
    "mambo auto=none",
    "lambo",
    "lambo anywhere",
    "lambo eat_enemy",
    "lambo must_contain",
    "palago",
)
"""One of each sort, as far as it matters to which turns are legal."""


def rules_of(variant: str) -> Ruleset:
    game, options = options_of(variant)
    return game.ruleset(options)


def options_of(variant: str) -> tuple[HexTileGame, dict[str, Any]]:
    name, *words = variant.split()
    return GAMES[name], dict(GAMES[name].read_options(words))


STATES = rules_of("superbo").states


@st.composite
def rulesets(draw: st.DrawFn, games: tuple[str, ...] = tuple(GAMES)) -> Ruleset:
    """The rules of any game under any options that go together; those that do not are left out."""
    game = GAMES[draw(st.sampled_from(games))]
    kept: dict[str, Any] = {}
    for option in draw(st.lists(st.sampled_from(game.vocabulary.options), max_size=6, unique=True)):
        more = kept | {option.name: draw(values(option))}
        try:
            game.ruleset(game.vocabulary.check(more))
        except PlayerError:
            continue
        kept = more
    return game.ruleset(kept)


def values(option: Option) -> st.SearchStrategy[Any]:
    """The values of an option, small numbers more often."""
    match option.values:
        case None:
            return st.just(value=True)
        case range():
            return st.integers(option.values.start, min(option.values.start + 20, option.values.stop - 1))
        case words:
            return st.sampled_from(words)


@st.composite
def positions(
    draw: st.DrawFn, rules: Ruleset | str | st.SearchStrategy[Ruleset] = "superbo", most_steps: int = 24
) -> Position:
    """A position after some legal steps, perhaps in mid-turn, perhaps with few tiles left."""
    position = start(draw(rules) if isinstance(rules, st.SearchStrategy) else rules)
    if draw(st.booleans()):
        few = st.integers(1, 9)
        position = replace(position, supply={kind: draw(few) for kind in position.supply})
    for choice in draw(st.lists(st.integers(0, 999), max_size=most_steps)):
        steps = position.legal()
        if steps:
            position = position.play(steps[choice % len(steps)])
    return position


@st.composite
def fields(draw: st.DrawFn, games: tuple[str, ...] = tuple(GAMES), radius: int = 3) -> Layout:
    """A field of tiles laid at random, with a few holes; it has more closed regions than games have."""
    states = rules_of(draw(st.sampled_from(games))).states
    span = range(-radius, radius + 1)
    cells = [Cell(q, r) for q in span for r in span if abs(q + r) <= radius]
    draw(st.randoms(use_true_random=False)).shuffle(cells)
    layout = Layout(states)
    for cell, choice in zip(cells, draw(st.lists(st.integers(0, 999), min_size=20, max_size=37)), strict=False):
        fitting = states.fitting(layout.spaces.get(cell, UNTOUCHED).decided)
        if fitting:
            layout = layout.lay(cell, fitting[choice % len(fitting)])
    return layout


def start(rules: Ruleset | str = "superbo") -> Position:
    return beginnings.begin(rules if isinstance(rules, Ruleset) else rules_of(rules), first=0)


def after(*turns: str, variant: str = "superbo") -> Position:
    """The position after these turns in words."""
    position, (game, _) = start(variant), options_of(variant)
    for turn in turns:
        _, position, _ = game.read_input(position, turn)
    return position


def placements(position: Position) -> list[Placement]:
    """The legal placements, without the swap."""
    return [step for step in position.legal() if isinstance(step, Placement)]


def arranged(
    tiles: Mapping[Cell, int] | Mapping[tuple[int, int], int], variant: str = "superbo", **left: int
) -> Position:
    """A position in the middle of a game with these tiles on the table, the first seat to play.

    Nine tiles of every kind are left, or as many as ``left`` says by the first letter of the kind.
    """
    rules = rules_of(variant)
    laid = {Cell(*cell): rules.states[number] for cell, number in tiles.items()}
    supply = {kind: left.get(kind[0].lower(), 9) for kind in rules.supply}
    return Position(rules, survey(laid, rules.states), supply, first=0, ply=2)


def figure(name: str) -> str:
    """A figure without the margins it is printed with."""
    lines = (FIGURES / f"{name}.txt").read_text().splitlines()
    margin = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
    return "\n".join(line[margin:] for line in lines)


def figure_layout(name: str) -> Layout:
    """The layout of a figure: ``superbo/o_wins_eye``."""
    states = rules_of(name.partition("/")[0]).states
    return survey(read(figure(name), states), states)


def playthroughs(name: str) -> list[dict[str, Any]]:
    lines = (PLAYTHROUGHS / f"{name}.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def turned(layout: Layout) -> Layout:
    """The same tiles after a turn of the table by 120° clockwise."""
    tiles = {Cell(-q - r, q): _turned(state, layout.states) for (q, r), state in layout.tiles.items()}
    return survey(tiles, layout.states)


def _turned(state: State, states: States) -> State:
    face = state.number - state.tip_at
    return states[face + (state.tip_at + 1) % 3]


Node = frozenset[Point | Cell]


def nodes(layout: Layout) -> dict[Point | Cell, Node]:
    """For every region and space what it lies together with: open ones with the empty area they touch."""
    together: dict[Point | Cell, set[Point | Cell]] = {}
    together.update({name: {name} for name in layout.regions.by_name})
    together.update({space: {space} for space in layout.spaces})
    for space in layout.spaces:
        names = layout.regions.names
        others: list[Point | Cell] = [cell for cell in neighbours(space) if cell in layout.spaces]
        others += [names[point] for point in corners(space) + white_points(space) if point in names]
        for other in others:
            if together[other] is not together[space]:
                merged = together[other] | together[space]
                together.update(dict.fromkeys(merged, merged))
    return {thing: frozenset(parts) for thing, parts in together.items()}


def borders(layout: Layout, where: dict[Point | Cell, Node]) -> dict[Node, set[Node]]:
    """The regions that meet along the three borders on each tile."""
    names, meets = layout.regions.names, dict[Node, set[Node]]()
    for cell, state in layout.tiles.items():
        one, _ = state.ends
        tip, bridge = corners(cell)[state.tip_at], corners(cell)[one]
        white_tip, white_bridge = white_points(cell)[state.tip_at], white_points(cell)[one]
        for left, right in ((tip, white_bridge), (white_bridge, bridge), (bridge, white_tip)):
            a, b = where[names[left]], where[names[right]]
            if a != b:
                meets.setdefault(a, set()).add(b)
                meets.setdefault(b, set()).add(a)
    return meets


def parents_from_outside(layout: Layout) -> dict[Point, Point | None]:
    """Walk inwards from the outer sea: what is met from outside lies directly inside."""
    where = nodes(layout)
    meets = borders(layout, where)
    outermost = where[min(layout.spaces, key=lambda cell: cell.q)]
    met_from: dict[Node, Node | None] = {outermost: None}
    to_visit = deque([outermost])
    while to_visit:
        here = to_visit.popleft()
        for inner in meets.get(here, ()):
            if inner not in met_from:
                met_from[inner] = here
                to_visit.append(inner)
    found: dict[Point, Point | None] = {}
    for name in layout.regions.by_name:
        outer = met_from[where[name]]
        found[name] = None if outer is None else _bordering(layout, where, outer, where[name])
    return found


def _bordering(layout: Layout, where: dict[Point | Cell, Node], outer: Node, inner: Node) -> Point:
    """The region of the outer node that meets the inner one."""
    names = layout.regions.names
    for cell, state in layout.tiles.items():
        one, _ = state.ends
        tip, bridge = corners(cell)[state.tip_at], corners(cell)[one]
        white_tip, white_bridge = white_points(cell)[state.tip_at], white_points(cell)[one]
        for pair in ((tip, white_bridge), (white_bridge, bridge), (bridge, white_tip)):
            for left, right in (pair, pair[::-1]):
                if where[names[left]] == outer and where[names[right]] == inner:
                    return names[left]
    raise AssertionError("nodes that meet have a border")


def naively_legal(position: Position) -> list[Placement]:
    """The legal placements, found by laying every tile that fits and looking at the turn it makes."""
    fitting = position.fitting()
    steps = [Placement(cell, state) for cell in fitting for state in fitting[cell]]
    return [step for step in steps if naively_allowed(position, position.after(step))]


def naively_allowed(before: Position, now: Position) -> bool:
    if now.mid_turn:
        fitting = now.fitting()
        steps = (Placement(cell, state) for cell in fitting for state in fitting[cell])
        return any(naively_allowed(now, now.after(step)) for step in steps)
    turn = now.last_turn
    if len(by_hand(turn)) == 1 and now.outcome is not None and now.outcome.ending is not Ending.SUPPLY_EMPTY:
        return True
    rules = before.rules
    cells = {tile.cell for tile in (by_hand(turn) if rules.joined is Joined.ADJACENT else turn)}
    shown = {colour for tile in turn for colour in tile.state.colours}
    joined = rules.joined is Joined.ANYWHERE or spread(min(cells), cells) == cells
    return joined and (not rules.both_colours or shown == set(rules.colours))


def spread(start: Cell, cells: set[Cell]) -> set[Cell]:
    reached = {start}
    while more := {beside for cell in reached for beside in neighbours(cell)} & cells - reached:
        reached |= more
    return reached
