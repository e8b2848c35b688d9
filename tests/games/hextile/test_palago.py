import pytest

from pbem.games.game import Ending, Outcome
from pbem.games.hextile.endings import Closes, tied
from pbem.games.hextile.lambo import PALAGO
from pbem.games.hextile.ruleset import Joined
from pbem.games.options import UnknownOption
from tests.games.hextile.playing import arranged, rules_of


def test_palago_is_lambo_with_nothing_to_win_in_the_end() -> None:
    palago, lambo = rules_of("palago size=9"), rules_of("lambo size=9")
    assert (palago.wins, palago.joined, palago.supply) == ((Closes(),), Joined.ADJACENT, {"tile": 9})
    assert (palago.states, palago.start, palago.colours) == (lambo.states, lambo.start, lambo.colours)
    assert palago.tie_break is tied


@pytest.mark.parametrize("word", ["anywhere", "eat_enemy", "must_contain", "largest_wins"])
def test_it_has_none_of_the_options_of_lambo(word: str) -> None:
    with pytest.raises(UnknownOption) as refused:
        PALAGO.read_options([word])
    assert refused.value.facts["known"] == ("size", "swap")


def test_an_empty_supply_is_a_draw_whatever_lies_there() -> None:
    position = arranged({(0, 0): 1}, "palago", t=1)
    _, end, _ = PALAGO.read_input(position, "A2")
    assert end.outcome == Outcome((), Ending.SUPPLY_EMPTY)
