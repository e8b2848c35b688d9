"""Which choices are asked for, and what happens where that is too much to find out."""

from dataclasses import replace

import pytest

from pbem.games.game import Ending, Outcome
from pbem.games.mamba import steps
from pbem.games.mamba.balance import Balance, Choice, advance, take
from pbem.games.mamba.position import Position
from pbem.games.mamba.ruleset import Ruleset
from pbem.games.mamba.squares import with_mark
from pbem.games.mamba.steps import Cut
from tests.bench.mamba_turns import WORST
from tests.games.mamba.playing import after, cells, placed, standing, words

OTHERS = "A: i1 i3 i5 i7 i9 B: a1 a3 a7 a9 c9"


def worst(number: int) -> Position:
    players, on_turn, move, squares = WORST[number]
    return standing(squares, on_turn, Ruleset(players)).play(move)


def test_one_option_is_no_decision() -> None:
    position = after(placed(f"{OTHERS} A: c5 c4 B: d5 d6"), "move c4-b5")
    assert (position.pending, position.ply) == (None, 1)


def test_what_matters_is_asked_for_with_certainty() -> None:
    position = after(placed(f"{OTHERS} A: b5 c5 d5 e5 f4"), "move f4-f5")
    assert position.decision is not None
    assert position.decision.certain


def test_a_choice_does_not_matter_where_all_options_end_alike() -> None:
    """Their owner is out either way: whichever end goes, four pieces are left, and those leave."""
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


def test_who_is_asked_is_a_difference_where_all_else_is_alike() -> None:
    """If g7 or g8 goes first, column g is cut at one of the same ends; B decides once, A the other time."""
    pieces = "A: d2 e2 f2 f3 b4 h4 c6 h6 i6 d7 e7 f7 g7 f8 B: c2 c3 c4 f4 i4 g5 g6 c7 g8 g9"
    position = after(placed(pieces), "move d7-e8")
    assert position.decision is not None
    assert position.decision.options == ("turn g7", "turn g8")
    asked = [after(position, option) for option in position.decision.options]
    assert [each.to_act for each in asked] == [1, 0]
    assert [words(each) for each in asked] == [["cut g5", "cut g9"]] * 2
    for cut in ("cut g5", "cut g9"):
        first, second = (after(each, cut) for each in asked)
        assert first.squares == second.squares


def test_who_wins_is_a_difference_where_no_piece_stays_on_the_board() -> None:
    """Either way both are out; but if b5 goes, g5 turns before, and then A had more pieces than B."""
    position = after(placed("A: b5 c5 d5 e5 f4 B: g5 a9 c9 e9"), "move f4-f5")
    assert position.decision is not None
    assert position.decision.options == ("cut b5", "cut f5")
    ends = [after(position, option) for option in position.decision.options]
    assert [each.outcome for each in ends] == [Outcome((0,), Ending.ALL_OUT), Outcome((), Ending.ALL_OUT)]
    assert {each.supply for each in ends} == {40}


@pytest.mark.parametrize("is_earlier_first", [False, True])
@pytest.mark.parametrize(
    ("pieces", "on_turn", "line", "earlier"),
    [
        ("A: h3 i3 g4 c7 g7 e9 B: i1 i2 d3 f5 g5 g6 C: b2 d2 f4 b6 c6 d6", "C", "move f4-g3 turn g4", "g3 A"),
        ("A: i2 g4 b5 c6 d6 f6 g6 c8 i8 c9 B: f5 g5 e6 g7 b8 d8 e8 f8 b9 g9", "B", "move b8-c7 turn c8", "c6 B"),
        ("A: d2 i2 d3 e5 e6 f7 B: i1 e4 c7 c8 c9 g9 C: b1 i3 d4 f6 e7 f8 g8 b9 h9", "B", "move c8-e8 turn e7", "e8 C"),
    ],
)
def test_what_is_known_is_not_used_where_an_earlier_board_makes_a_difference(
    pieces: str, on_turn: str, line: str, earlier: str, is_earlier_first: bool
) -> None:
    """A choice that does not matter does if the board had stood before with one piece turned (13 c)."""
    start = placed(pieces, on_turn, players=3 if "C:" in pieces else 2)
    balance, choice = _at_the_choice_after(start, line)
    cell, mark = earlier.split()
    stood = with_mark(balance.squares, start.rules.grid.by_name[cell], mark)
    without, within = replace(balance, moments=frozenset()), replace(balance, moments=frozenset((stood,)))
    explorer = steps.Explorer(lambda balance: balance.squares)
    asked = (within, without) if is_earlier_first else (without, within)
    first, second, again = (explorer.of_choice(each, choice).tree for each in (*asked, asked[0]))
    assert first != second
    assert first == again
    assert not steps.Explorer(lambda balance: balance.squares).matters(without, choice)
    assert steps.Explorer(lambda balance: balance.squares).matters(within, choice)


def _at_the_choice_after(start: Position, line: str) -> tuple[Balance, Choice]:
    """The board on its way to rest at the next moment of choice, asked for or not, after a move and an answer."""
    move, _, answer = line.partition(" turn ")
    asked = after(start, move)
    assert asked.balance is not None
    assert asked.pending is not None
    taken = next(each for each in asked.pending.choice.options if start.rules.grid.names[each.cells[0]] == answer)
    balance, choice = advance(take(asked.balance, asked.pending.choice, taken))
    assert choice is not None
    return balance, choice


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
    monkeypatch.setattr(steps, "MOST_CHOICES", 0)
    position = after(start, "move e2-d2")
    assert position.decision is not None
    assert not position.decision.certain
    assert position.decision.options == ("turn d1", "turn d5")


def test_an_answer_that_was_asked_to_be_safe_changes_no_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """f5 and c5 turn in whichever order."""
    start = placed(f"{OTHERS.replace('i5', 'g3')} A: d5 e7 B: c5 f5")
    monkeypatch.setattr(steps, "MOST_CHOICES", 0)
    position = after(start, "move e7-e5")
    assert position.decision is not None
    assert position.decision.options == ("turn c5", "turn f5")
    ends = {cells(after(position, option), "A") for option in position.decision.options}
    assert ends == {"i1 g3 i3 c5 d5 e5 f5 i7 i9"}


def test_the_cuts_of_an_alignment_are_the_owners_to_choose() -> None:
    position = after(placed(f"{OTHERS} A: b5 c5 d5 e5 f4"), "move f4-f5")
    assert all(isinstance(step, Cut) for step in position.legal())
    assert position.to_act == 0
