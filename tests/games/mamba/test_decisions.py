"""Which choices are asked for, and what happens where that is too much to find out."""

import pytest

from pbem.games.mamba import decisions
from pbem.games.mamba.position import Position
from pbem.games.mamba.rules import Rules
from pbem.games.mamba.steps import Cut
from tests.bench.mamba_turns import WORST
from tests.games.mamba.playing import after, cells, placed, standing

OTHERS = "A: i1 i3 i5 i7 i9 B: a1 a3 a7 a9 c9"


def worst(number: int) -> Position:
    players, on_turn, move, squares = WORST[number]
    return standing(squares, on_turn, Rules(players)).play(move)


def test_one_option_is_no_decision() -> None:
    position = after(placed(f"{OTHERS} A: c5 c4 B: d5 d6"), "move c4-b5")
    assert (position.pending, position.ply) == (None, 1)


def test_what_matters_is_asked_for_with_certainty() -> None:
    position = after(placed(f"{OTHERS} A: b5 c5 d5 e5 f4"), "move f4-f5")
    assert position.decision is not None
    assert position.decision.certain


def test_a_choice_does_not_matter_where_all_options_end_alike() -> None:
    """Who owns them is out either way: whichever end goes, four pieces are left, and those leave."""
    position = after(placed("A: b5 c5 d5 e5 f4 B: a9 c9 e9 g9 i9"), "move f4-f5")
    assert position.outcome is not None
    assert position.outcome.winners == (1,)


def test_a_decision_of_another_on_the_way_makes_a_difference() -> None:
    """Whichever piece A turns first, the board may come to rest in the same ways, but B is asked otherwise."""
    start = placed("A: b5 c5 d1 d5 B: e2 C: d3 d4 d6", "B", players=3)
    position = after(start, "move e2-d2")
    first, second = (position.play(step) for step in position.legal())
    assert first.decision is not None
    assert second.decision is not None
    assert first.decision.owner == second.decision.owner == 2
    assert first.decision.options != second.decision.options


def test_where_it_is_too_much_to_find_out_somebody_is_asked_to_be_safe() -> None:
    position = worst(0)
    assert position.decision is not None
    assert not position.decision.certain
    assert len(position.legal()) > 1


@pytest.mark.parametrize("number", [2, 3, 4])
def test_hard_boards_are_still_found_out(number: int) -> None:
    position = worst(number)
    assert position.decision is not None
    assert position.decision.certain


def test_the_search_says_so_as_soon_as_it_has_no_choices_left(monkeypatch: pytest.MonkeyPatch) -> None:
    start = placed("A: b5 c5 d1 d5 B: e2 C: d3 d4 d6", "B", players=3)
    monkeypatch.setattr(decisions, "MOST_CHOICES", 0)
    position = after(start, "move e2-d2")
    assert position.decision is not None
    assert not position.decision.certain
    assert position.decision.options == ("turn d1", "turn d5")


def test_an_answer_that_was_asked_to_be_safe_changes_no_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """f5 and c5 turn in whichever order."""
    start = placed(f"{OTHERS.replace('i5', 'g3')} A: d5 e7 B: c5 f5")
    monkeypatch.setattr(decisions, "MOST_CHOICES", 0)
    position = after(start, "move e7-e5")
    assert position.decision is not None
    assert position.decision.options == ("turn c5", "turn f5")
    ends = {cells(after(position, option), "A") for option in position.decision.options}
    assert ends == {"i1 g3 i3 c5 d5 e5 f5 i7 i9"}


def test_the_cuts_of_an_alignment_are_the_owners_to_choose() -> None:
    position = after(placed(f"{OTHERS} A: b5 c5 d5 e5 f4"), "move f4-f5")
    assert all(isinstance(step, Cut) for step in position.legal())
    assert position.to_act == 0
