from __future__ import annotations

from pbem.bootstrap import find_games
from tests.matches.openings import GAME, PAIRS


def test_every_first_turn_is_one_of_the_pairs() -> None:
    game = find_games()[GAME]
    beginning = game.begin(game.read_options(()), 2, 0)
    turns = [game.input_text(beginning.play(step), [step]).move for step in beginning.legal()]
    assert sorted(turn for pair in PAIRS for turn in pair) == sorted(turns)
