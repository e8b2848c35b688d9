"""The sentence that says what ended a game of hexagonal tiles is there for every ending, and true."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings

from pbem.games.game import Seat
from pbem.games.hextile.endings import break_tie, judge
from pbem.games.hextile.grid import Colour
from pbem.games.hextile.layout import Layout
from pbem.games.hextile.position import Position
from tests.games.hextile import tables
from tests.games.hextile.playing import GAMES, arranged, figure_layout, options_of, positions, rulesets
from tests.wording.endings import said


def judged(variant: str, layout: Layout, mover: Seat) -> str:
    """The words for the end to which the tile laid last has led."""
    game, options = options_of(variant)
    rules = game.ruleset(options)
    outcome = judge(layout, rules.wins, rules.colours, mover)
    return said(replace(arranged({}, variant), layout=layout, outcome=outcome), game.name, mover)


def weighed(variant: str, layout: Layout) -> str:
    """The words for the end to which the last tile of the supply has led."""
    game, options = options_of(variant)
    rules = game.ruleset(options)
    outcome = break_tie(layout, rules.tie_break, rules.colours)
    return said(replace(arranged({}, variant), layout=layout, outcome=outcome), game.name)


EYE, DARK_WINS, ONE_TILE = (figure_layout(f) for f in ("superbo/o_wins_eye", "lambo/dark_wins", "lambo/tile_1"))
BOTH = "The move would have won for {} as well, but a move that wins for both sides loses."


@pytest.mark.parametrize(
    ("variant", "layout", "mover", "sentence"),
    [
        ("mambo", tables.X_CLOSED_IN, 0, "A group of X is killed: it has no way out."),
        ("mambo", tables.X_CLOSED_IN, 1, "A group of X is killed: it has no way out. X's own move brought it about."),
        ("mambo", tables.BOTH_CLOSED_IN, 0, f"A group of O is killed: it has no way out. {BOTH.format('O')}"),
        ("mambo", tables.BOTH_CLOSED_IN, 1, f"A group of X is killed: it has no way out. {BOTH.format('X')}"),
        ("mambo mamba loops=2", tables.TWO_LOOPS, 0, "O has a group with 2 loops or more."),
        ("mambo mamboa loops=1", tables.BOTH_LOOP, 1, f"O has a group with a loop. {BOTH.format('X')}"),
        ("superbo", EYE, 0, "O has a closed group with an eye."),
        ("superbo kill_size=3", EYE, 0, "O has a closed group with an eye and 3 or more bridges."),
        ("superbo", tables.BOTH_WITH_EYES, 0, f"X has a closed group with an eye. {BOTH.format('O')}"),
        ("superbo kill_own", EYE, 1, "O has a closed group. X's own move brought it about."),
        ("superbo kill_own kill_size=4", EYE, 0, "O has a closed group with 4 or more bridges."),
        ("superbo kill_enemy", EYE, 0, "O has a closed group, which loses."),
        ("superbo kill_enemy", EYE, 1, "O has a closed group, which loses."),
        ("superbo kill_enemy", tables.BOTH_CLOSED, 1, f"X has a closed group, which loses. {BOTH.format('X')}"),
        ("lambo", DARK_WINS, 1, "Dark has a closed group."),
        ("palago", tables.LIGHT_AND_DARK_CLOSED, 0, f"Dark has a closed group. {BOTH.format('Light')}"),
        (
            "lambo must_contain",
            tables.DARK_CONTAINS,
            1,
            "Dark has a closed group that contains a closed group of Light.",
        ),
        ("lambo eat_enemy", tables.OPEN_DARK_HAS_EATEN_TWO, 1, "A group of Dark has eaten 2 groups of Light."),
        (
            "lambo eat_enemy=1",
            tables.DARK_HAS_EATEN_TWO_LIGHT_ONE,
            1,
            "A group of Dark has eaten 2 groups of Light. A group of Light has eaten too, but only 1.",
        ),
        (
            "lambo eat_enemy=1 eat_size=1",
            tables.DARK_HAS_EATEN_A_BRIDGE,
            1,
            "A group of Dark has eaten one group of Light with a bridge or more.",
        ),
    ],
)
def test_what_has_decided_the_game_is_said(variant: str, layout: Layout, mover: Seat, sentence: str) -> None:
    assert judged(variant, layout, mover) == sentence


@pytest.mark.parametrize(
    ("variant", "layout", "sentence"),
    [
        ("superbo", EYE, "No tiles are left. O has the largest group: 4 bridges against 1."),
        (
            "superbo",
            tables.table("superbo", {(0, 0): 4}),
            "No tiles are left. X has the largest group: 1 bridge against none.",
        ),
        (
            "superbo",
            tables.table("superbo", {(0, 0): 10}),
            "No tiles are left. X has the largest group: 1 bridge. O has no group.",
        ),
        (
            "superbo largest_loses",
            EYE,
            "No tiles are left. O has the largest group, which loses: 4 bridges against 1.",
        ),
        ("lambo", ONE_TILE, "No tiles are left. The largest groups of both have 1 bridge."),
        ("superbo tied", EYE, "No tiles are left. In this game that is a tie."),
        ("palago", ONE_TILE, "No tiles are left. In this game that is a tie."),
        ("lambo must_contain", ONE_TILE, "No tiles are left. Nobody has a closed group."),
        (
            "lambo must_contain",
            DARK_WINS,
            "No tiles are left. Dark has the largest closed group: 1 bridge against none.",
        ),
        (
            "lambo must_contain",
            tables.LIGHT_AND_DARK_CLOSED,
            (
                "No tiles are left. The largest closed groups of both have 1 bridge,"
                " and both have equally many of them: 1."
            ),
        ),
        ("lambo eat_enemy=3", ONE_TILE, "No tiles are left. Nobody has eaten a group that counts."),
        (
            "lambo eat_enemy=3",
            tables.OPEN_DARK_HAS_EATEN_TWO,
            "No tiles are left. Only Dark has eaten a group that counts.",
        ),
        (
            "lambo eat_enemy=3 eat_size=9",
            tables.OPEN_DARK_HAS_EATEN_TWO,
            "No tiles are left. Nobody has eaten a group that counts.",
        ),
        (
            "lambo eat_enemy=3",
            tables.DARK_HAS_EATEN_TWO_LIGHT_ONE,
            (
                "No tiles are left. The largest groups that both have eaten have 0 bridges,"
                " but in all Dark has eaten 2 and Light 1."
            ),
        ),
        (
            "mambo mambogo",
            tables.RING,
            "No tiles are left. O has the group with the most territory: 4 junctions against none.",
        ),
        (
            "mambo mambogo",
            tables.BOTH_LOOP,
            "No tiles are left. The best groups of both enclose 1 junction, and all groups together 1 on either side.",
        ),
        (
            "mambo mambogo tiebreak=smallest",
            tables.BOTH_LOOP,
            "No tiles are left. The best groups of both enclose 1 junction with 3 bridges.",
        ),
        (
            "mambo mambogo",
            tables.table("mambo", {(0, 0): 1}),
            "No tiles are left. No group encloses any territory.",
        ),
    ],
)
def test_what_counts_when_nothing_is_left_is_said(variant: str, layout: Layout, sentence: str) -> None:
    assert weighed(variant, layout) == sentence


@given(positions(rulesets(), most_steps=60))
@settings(max_examples=150)
def test_every_end_is_told_and_a_win_with_the_winners_name(position: Position) -> None:
    if position.outcome is None or not position.last_turn:
        return
    game = "superbo" if len(position.supply) > 1 else "lambo" if Colour.WHITE in position.colours else "mambo"
    sentence = said(position, game, (position.ply - 1) % 2)
    named = set(GAMES[game].sides(position)) & set(re.findall("[A-Za-z]+", sentence))
    assert bool(named) is bool(position.outcome.winners)
