"""Properties of every game of the family under any options."""

from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.errors import PlayerError
from pbem.games.game import Ending
from pbem.games.hextile.endings import (
    Closes,
    ClosesWithEye,
    Contains,
    Eats,
    Kills,
    MakesLoops,
    MostEaten,
    MostTerritory,
    break_tie,
    judge,
    largest_closed,
    largest_loses,
    largest_wins,
)
from pbem.games.hextile.fills import by_hand
from pbem.games.hextile.grid import Colour, Point, corners
from pbem.games.hextile.layout import Layout
from pbem.games.hextile.position import Position
from tests.games.hextile.playing import GAMES, fields, positions, rules_of, rulesets, start, turned, values

CONDITIONS = (Kills(), Closes(), Closes(2, enemy=True), ClosesWithEye(), Contains(), Eats(1), Eats(2, 1), MakesLoops(1))
TIE_BREAKS = (
    largest_wins,
    largest_loses,
    largest_closed,
    MostEaten(Eats()),
    MostTerritory(),
    MostTerritory(smallest=True),
)

FITTING = {
    "mambo": {"": 6, "a": 3, "ab": 2, "aa": 1, "aab": 1, "aaa": 0},
    "superbo": {"": 12, "a": 6, "ab": 2, "aa": 4, "aab": 1, "aaa": 3},
    "lambo": {"": 3, "a": 3, "aa": 3, "aaa": 3},
    "palago": {"": 3, "a": 3, "aa": 3, "aaa": 3},
}
"""The number of states that fit, by what is decided: ``aab`` for two alike corners and one of the other colour."""


@given(st.sampled_from(sorted(FITTING)), st.data())
@settings(max_examples=60)
def test_so_many_states_fit_by_what_the_neighbours_decide(game: str, data: st.DataObject) -> None:
    position = data.draw(positions(rulesets((game,))))
    for space in position.layout.spaces.values():
        o, x = space.decided.count("o"), space.decided.count("x")
        sort = "a" * max(o, x) + "b" * min(o, x)
        assert len(position.rules.states.fitting(space.decided)) == FITTING[game][sort]


@given(positions(rulesets(), most_steps=40))
@settings(max_examples=60)
def test_all_tiles_that_meet_at_a_corner_show_one_colour_there(position: Position) -> None:
    shown: dict[Point, str] = {}
    for cell, state in position.layout.tiles.items():
        for point, colour in zip(corners(cell), state.colours, strict=True):
            assert shown.setdefault(point, colour) == colour


@given(positions(rulesets(), most_steps=60))
@settings(max_examples=80)
def test_turning_the_table_changes_no_outcome(position: Position) -> None:
    rules, layout, other = position.rules, position.layout, turned(position.layout)
    for own, enemy in (rules.colours, rules.colours[::-1]):
        for win in rules.wins:
            assert win(layout, own, enemy) == win(other, own, enemy)
        assert rules.tie_break(layout, own, enemy) == rules.tie_break(other, own, enemy)


@given(fields())
@settings(max_examples=60)
def test_turning_a_field_changes_no_ending_that_any_game_knows(layout: Layout) -> None:
    other, colours = turned(layout), (Colour.O, Colour.WHITE if len(layout.states) == 3 else Colour.X)
    for own, enemy in (colours, colours[::-1]):
        for each in (*CONDITIONS, *TIE_BREAKS):
            assert each(layout, own, enemy) == each(other, own, enemy)


@given(positions(rulesets(), most_steps=60))
@settings(max_examples=80)
def test_a_game_is_over_when_it_is_decided_or_the_supply_is_empty(position: Position) -> None:
    if not position.last_turn:
        return
    rules, layout, mover = position.rules, position.layout, (position.first + position.ply - 1) % 2
    decided = judge(layout, rules.wins, position.colours, mover)
    if position.mid_turn or position.outcome is None:
        assert (position.outcome, decided) == (None, None)
        assert any(position.supply.values())
    if position.outcome is not None:
        expected = decided or break_tie(layout, rules.tie_break, position.colours)
        assert position.outcome == expected
        assert (position.outcome.ending is Ending.SUPPLY_EMPTY) <= (not any(position.supply.values()))


@given(st.sampled_from(sorted(GAMES)), st.data())
@settings(max_examples=60)
def test_a_game_played_again_from_its_records_or_words_comes_out_the_same(name: str, data: st.DataObject) -> None:
    game, rules = GAMES[name], data.draw(rulesets((name,)))
    played = again = told = start(rules)
    for choices in data.draw(st.lists(st.lists(st.integers(0, 999), min_size=2, max_size=2), max_size=16)):
        if played.outcome is not None:
            break
        before, steps = played, []
        for choice in choices:
            if played.ply == before.ply:
                legal = played.legal()
                steps.append(legal[choice % len(legal)])
                played = played.play(steps[-1])
        again = game.play_input(again, game.input_steps(again, game.input_record(before, steps)))
        found, told, _ = game.read_input(told, game.input_text(played, steps).move)
        assert list(found) == steps
        assert played == again == told
        assert played.layout.labels == again.layout.labels == told.layout.labels


@given(positions(rulesets(), most_steps=30))
@settings(max_examples=60)
def test_a_turn_has_as_many_tiles_as_the_rules_say_or_ends_the_game(position: Position) -> None:
    laid, tiles = len(by_hand(position.last_turn)), position.rules.tiles_a_turn
    if laid:
        assert laid == (1 if position.ply == 1 else tiles) or position.outcome is not None
    assert len(by_hand(position.turn)) < tiles


@given(st.sampled_from(sorted(GAMES)), st.data())
def test_options_that_a_game_has_read_it_takes_out_of_a_record(name: str, data: st.DataObject) -> None:
    game = GAMES[name]
    words = [
        option.name if (value := data.draw(values(option))) is True else f"{option.name}={value}"
        for option in data.draw(st.lists(st.sampled_from(game.vocabulary.options), max_size=4))
    ]
    try:
        options = game.read_options(words)
    except PlayerError:
        return
    position = game.begin(options, players=2)
    assert position.rules == game.ruleset(options)
    assert position.to_act == 0


def test_the_rules_of_all_games_can_be_compared() -> None:
    assert rules_of("mambo") != rules_of("mambo mamba")
    assert rules_of("lambo") == rules_of("lambo adjacent no_contain")
