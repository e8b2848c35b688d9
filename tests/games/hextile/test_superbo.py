from pbem.games.game import Ending, Outcome
from pbem.games.hextile.position import Position
from pbem.games.hextile.superbo import SUPERBO
from tests.games.hextile.playing import after, start


def test_half_of_the_first_placements_show_both_colours() -> None:
    assert sum(map(len, start().fitting().values())) == 36
    assert len(start().legal()) == 18


def test_so_many_positions_follow_after_so_many_tiles() -> None:
    assert [_perft(start(), depth) for depth in (1, 2)] == [18, 812]
    assert _perft(after("C2"), 2) == 912


def _perft(position: Position, depth: int) -> int:
    steps = position.legal()
    return len(steps) if depth == 1 else sum(_perft(position.play(step), depth - 1) for step in steps)


def test_o_wins_by_closing_a_group_around_an_eye() -> None:
    position = after("B3", "C4,K5", "G2,H7", "D8,R10", "A7,n6")
    assert position.outcome == Outcome((0,), Ending.EYE)
    assert position.to_act is None
    assert SUPERBO.turn_text(position).move == "A7,V6"
