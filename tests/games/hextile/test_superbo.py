from typing import Any

import pytest

from pbem.games.game import Ending, Outcome
from pbem.games.hextile.endings import Closes, ClosesWithEye, MakesLoops, largest_loses, largest_wins, tied
from pbem.games.hextile.ruleset import Auto, Joined
from pbem.games.hextile.superbo import SUPERBO
from pbem.games.options import FullAutoImpossible, OptionsContradict
from tests.games.hextile.playing import after, rules_of, start


def test_half_of_the_first_placements_show_both_colours() -> None:
    assert sum(map(len, start().fitting().values())) == 36
    assert len(start().legal()) == 18


@pytest.mark.parametrize(
    ("words", "joined", "tiles", "both", "wins", "tie_break"),
    [
        ("", Joined.CONNECTED, 2, True, (ClosesWithEye(),), largest_wins),
        ("adjacent_pair", Joined.ADJACENT, 2, True, (ClosesWithEye(),), largest_wins),
        ("anywhere any-colors", Joined.ANYWHERE, 2, False, (ClosesWithEye(),), largest_wins),
        ("single both-colours", Joined.ANYWHERE, 1, True, (ClosesWithEye(),), largest_wins),
        ("kill_eye kill_size=3", Joined.CONNECTED, 2, True, (ClosesWithEye(3),), largest_wins),
        ("kill-own", Joined.CONNECTED, 2, True, (Closes(),), largest_wins),
        ("kill-own kill_size=0", Joined.CONNECTED, 2, True, (Closes(0),), largest_wins),
        ("kill-enemy", Joined.CONNECTED, 2, True, (Closes(1, enemy=True),), largest_wins),
        ("loops=1 largest_loses", Joined.CONNECTED, 2, True, (ClosesWithEye(), MakesLoops(1)), largest_loses),
        ("loops=0 tied", Joined.CONNECTED, 2, True, (ClosesWithEye(),), tied),
    ],
)
def test_options_say_how_tiles_are_laid_and_what_wins(
    words: str, joined: Joined, tiles: int, both: bool, wins: tuple[Any, ...], tie_break: object
) -> None:
    rules = rules_of(f"superbo {words}")
    assert (rules.joined, rules.tiles_a_turn, rules.both_colours) == (joined, tiles, both)
    assert (rules.wins, rules.tie_break) == (wins, tie_break)
    assert rules.supply == {"O bridge": 32, "X bridge": 32}


@pytest.mark.parametrize(
    ("words", "clash"),
    [
        ("adjacent_pair anywhere", "joined"),
        ("anywhere single", "joined"),
        ("both_colours any_colour", "colours"),
        ("kill_eye kill_enemy", "kill"),
        ("largest_wins tied", "supply_empty"),
    ],
)
def test_options_that_contradict_each_other_are_refused(words: str, clash: str) -> None:
    with pytest.raises(OptionsContradict) as refused:
        SUPERBO.read_options(words.split())
    assert refused.value.facts["clash"] == clash


def test_full_auto_moves_are_refused_with_the_reason() -> None:
    with pytest.raises(FullAutoImpossible) as refused:
        SUPERBO.read_options(["auto=full"])
    assert refused.value.facts == {"option": "auto=full", "fitting": 4}
    assert [rules_of(f"superbo auto={auto}").auto for auto in ("none", "limited")] == [Auto.NONE, Auto.LIMITED]


def test_o_wins_by_closing_a_group_around_an_eye() -> None:
    position = after("B3", "C4,K5", "G2,H7", "D8,R10", "A7,n6")
    assert position.outcome == Outcome((0,), Ending.EYE)
    assert position.to_act is None
    assert SUPERBO.input_text(position, ()).move == "A7,V6"
