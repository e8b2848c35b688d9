from typing import Any

import pytest

from pbem.games.game import Ending, Outcome
from pbem.games.hextile import notation
from pbem.games.hextile.endings import Kills, MakesLoops, MostTerritory, killed, largest_loses, largest_wins, tied
from pbem.games.hextile.grid import Cell, Colour
from pbem.games.hextile.mambo import MAMBO
from pbem.games.hextile.ruleset import Auto
from pbem.games.options import NobodyCouldWin, OptionNeedsAnother, OptionsContradict, OptionsRefused
from tests.games.hextile.playing import after, arranged, rules_of, start

KILLS, TWO, FOUR = Kills(), MakesLoops(2), MakesLoops(4)
TOTAL, SMALLEST = MostTerritory(), MostTerritory(smallest=True)


@pytest.mark.parametrize(
    ("words", "auto", "wins", "tie_break"),
    [
        ("", Auto.LIMITED, (KILLS,), largest_wins),
        ("mamba", Auto.FULL, (FOUR,), largest_loses),
        ("mamba auto=limited loops=2", Auto.LIMITED, (TWO,), largest_loses),
        ("mamba kill", Auto.FULL, (KILLS, FOUR), largest_loses),
        ("mamba loops=0", Auto.FULL, (), largest_loses),
        ("mamba largest_wins", Auto.FULL, (FOUR,), largest_wins),
        ("mamboa", Auto.LIMITED, (KILLS, TWO), largest_wins),
        ("mamboa no_kill auto=none", Auto.NONE, (TWO,), largest_wins),
        ("mamboa loops=4 tied", Auto.LIMITED, (KILLS, FOUR), tied),
        ("mambogo", Auto.FULL, (), TOTAL),
        ("mambogo tiebreak=total", Auto.FULL, (), TOTAL),
        ("mambogo tiebreak=smallest", Auto.FULL, (), SMALLEST),
        ("mambogo territory loops=2", Auto.FULL, (TWO,), TOTAL),
        ("mambogo largest_loses", Auto.FULL, (), largest_loses),
        ("kill", Auto.LIMITED, (KILLS,), largest_wins),
        ("no_kill", Auto.LIMITED, (), largest_wins),
        ("loops=3", Auto.LIMITED, (KILLS, MakesLoops(3)), largest_wins),
        ("territory auto=full", Auto.FULL, (KILLS,), TOTAL),
        ("territory tiebreak=smallest", Auto.LIMITED, (KILLS,), SMALLEST),
        ("tied", Auto.LIMITED, (KILLS,), tied),
    ],
)
def test_options_compose_and_change_what_a_preset_says(
    words: str, auto: Auto, wins: tuple[Any, ...], tie_break: object
) -> None:
    rules = rules_of(f"mambo {words}")
    assert (rules.auto, rules.wins, rules.tie_break) == (auto, wins, tie_break)
    assert (rules.supply, rules.tiles_a_turn, rules.swap) == ({"tile": 48}, 1, False)


@pytest.mark.parametrize(
    ("words", "one", "other", "clash"),
    [
        ("mambogo mamba", "mamba", "mambogo", "presets"),
        ("mambogo tied tiebreak=total", "tiebreak=total", "tied", "supply_empty"),
        ("no_kill kill", "kill", "no_kill", "kill"),
        ("largest_loses largest_wins", "largest_wins", "largest_loses", "supply_empty"),
        ("tied territory", "territory", "tied", "supply_empty"),
        ("size=9 size=8", "size=9", "size=8", "twice"),
    ],
)
def test_options_that_contradict_each_other_are_refused(words: str, one: str, other: str, clash: str) -> None:
    with pytest.raises(OptionsContradict) as refused:
        MAMBO.read_options(words.split())
    assert refused.value.facts == {"one": one, "other": other, "clash": clash}


def test_three_that_contradict_each_other_are_all_named() -> None:
    with pytest.raises(OptionsRefused) as refused:
        MAMBO.read_options(["mamboa", "mamba", "mambogo"])
    named = [(reason.facts["one"], reason.facts["other"]) for reason in refused.value.reasons]
    assert named == [("mamba", "mamboa"), ("mamboa", "mambogo")]


@pytest.mark.parametrize("words", ["tiebreak=total", "mamba tiebreak=smallest"])
def test_a_tie_break_between_territories_needs_territories(words: str) -> None:
    with pytest.raises(OptionNeedsAnother) as refused:
        MAMBO.read_options(words.split())
    assert refused.value.facts["needed"] == "territory"


@pytest.mark.parametrize("words", ["no_kill tied", "mambogo tied", "mamba loops=0 tied", "mamboa no_kill loops=0 tied"])
def test_rules_under_which_nobody_could_win_are_refused(words: str) -> None:
    with pytest.raises(NobodyCouldWin) as refused:
        MAMBO.read_options(words.split())
    assert set(refused.value.facts["options"]) == set(words.split())  # type: ignore[call-overload]


def test_the_first_player_lays_any_state_in_the_middle() -> None:
    position = start("mambo")
    assert [(step.cell, step.state) for step in position.legal()] == [(Cell(0, 0), n) for n in range(1, 7)]  # type: ignore[union-attr]
    assert position.layout.labels == {Cell(0, 0): "A"}
    assert list(after("A1", variant="mambo").layout.labels.values()) == list("BCDEFG")
    assert MAMBO.sides(position) == ("O", "X")


def test_a_null_point_takes_no_tile() -> None:
    position = arranged({(0, 0): 2, (-1, 1): 1, (-1, 2): 5, (0, 2): 1}, "mambo")
    label = position.layout.labels[Cell(0, 1)]
    for state in range(1, 7):
        with pytest.raises(notation.NullPoint) as refused:
            MAMBO.read_input(position, f"{label}{state}")
        assert refused.value.facts == {"placement": f"{label}{state}", "which": 1, "space": label}
    assert position.fitting()[Cell(0, 1)] == ()


def test_a_lone_tip_is_killed_when_its_last_way_out_is_filled() -> None:
    position = arranged({(0, 0): 3, (0, 1): 2}, "mambo")
    label = position.layout.labels[Cell(1, 0)]
    _, end, _ = MAMBO.read_input(position, f"{label}1")
    assert end.outcome == Outcome((0,), Ending.KILLED)
    (dead,) = killed(end.layout)
    assert (dead.colour, dead.bridges, dead.closed) == (Colour.X, 0, True)
