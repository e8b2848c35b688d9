"""Positions to hold claims against: random ones, figures, and whole games with what they should come to."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from pbem.games.hextile.grid import Cell
from pbem.games.hextile.layout import survey
from pbem.games.hextile.position import Position
from pbem.games.hextile.ruleset import Joined, Ruleset
from pbem.games.hextile.superbo import SUPERBO
from pbem.games.hextile.tiles import State

STATES = SUPERBO.ruleset.states
FIGURES = Path(__file__).parent / "figures"
PLAYTHROUGHS = Path(__file__).parent / "playthroughs"

RULESETS = [
    SUPERBO.ruleset,
    replace(SUPERBO.ruleset, joined=Joined.ADJACENT),
    replace(SUPERBO.ruleset, joined=Joined.ANYWHERE),
    replace(SUPERBO.ruleset, both_colours=False),
    replace(SUPERBO.ruleset, tiles_a_turn=1),
]


@st.composite
def positions(draw: st.DrawFn, rules: Ruleset = SUPERBO.ruleset, most_steps: int = 24) -> Position:
    """A position after some legal steps, perhaps in mid-turn, perhaps with few tiles left."""
    position = start(rules)
    if draw(st.booleans()):
        few = st.integers(1, 9)
        position = replace(position, supply={kind: draw(few) for kind in position.supply})
    for choice in draw(st.lists(st.integers(0, 999), max_size=most_steps)):
        steps = position.legal()
        if steps:
            position = position.play(steps[choice % len(steps)])
    return position


def start(rules: Ruleset = SUPERBO.ruleset) -> Position:
    return replace(SUPERBO, ruleset=rules).begin({}, players=2)


def after(*turns: str) -> Position:
    """The position after these turns in words."""
    position = start()
    for turn in turns:
        _, position = SUPERBO.read_turn(position, turn)
    return position


def arranged(tiles: dict[Cell, int] | dict[tuple[int, int], int], **supply: int) -> Position:
    """A position in the middle of a game with these tiles on the table, O to play two."""
    laid = {Cell(*cell): STATES[number] for cell, number in tiles.items()}
    left = {kind: supply.get(kind[0].lower(), 9) for kind in SUPERBO.ruleset.supply}
    return Position(SUPERBO.ruleset, survey(laid), left, first=0, ply=2)


def figure(name: str) -> str:
    """A figure without the margins it is printed with."""
    lines = (FIGURES / f"{name}.txt").read_text().splitlines()
    margin = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
    return "\n".join(line[margin:] for line in lines)


def playthroughs(name: str) -> list[dict[str, Any]]:
    lines = (PLAYTHROUGHS / f"{name}.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def turned(tiles: dict[Cell, State]) -> dict[Cell, State]:
    """The same tiles after a turn of the table by 120° clockwise."""
    return {Cell(-q - r, q): _turned(state) for (q, r), state in tiles.items()}


def _turned(state: State) -> State:
    face = state.number - state.tip_at
    return STATES[face + (state.tip_at + 1) % 3]
