from collections import Counter
from typing import Any

import pytest

from pbem.diagrams.ascii import draw
from pbem.games.game import Ending, Outcome
from pbem.games.hextile.endings import ClosesWithEye
from pbem.games.hextile.position import Position
from pbem.games.hextile.superbo import SUPERBO
from pbem.games.hextile.tiles import Colour
from tests.games.hextile.playing import after, figure_layout, playthroughs, start


@pytest.mark.parametrize("game", playthroughs("superbo"), ids=["first", "second", "third"])
def test_a_whole_game_goes_as_recorded(game: dict[str, Any]) -> None:
    position, expected = start(), game["expected"]
    for record, told in zip(game["record"]["turns"], expected["turns"], strict=True):
        assert sum(map(len, position.fitting().values())) == told["fitting"]
        position = SUPERBO.play_turn(position, SUPERBO.turn_steps(record))
        automatic = [tile for tile in position.last_turn if tile.automatic]
        assert [{"q": tile.cell.q, "r": tile.cell.r, "state": tile.state.number} for tile in automatic] == told["autos"]
    assert position.outcome is not None
    winner = expected["winner"]
    assert position.outcome.winners == (() if winner is None else (winner,))
    assert (position.outcome.ending is not Ending.SUPPLY_EMPTY) is expected["early"]
    assert _groups(position) == Counter(tuple(group.values()) for group in expected["groups"])
    assert draw(position.layout.tiles).splitlines() == expected["drawing"]


def _groups(position: Position) -> Counter[tuple[Any, ...]]:
    regions = position.layout.regions.by_name.values()
    return Counter((str(r.colour), r.bridges, r.loops, r.closed) for r in regions)


@pytest.mark.parametrize("game", playthroughs("superbo"), ids=["first", "second", "third"])
def test_a_game_told_in_words_is_the_same_game(game: dict[str, Any]) -> None:
    played = told = start()
    for record in game["record"]["turns"]:
        played = SUPERBO.play_turn(played, SUPERBO.turn_steps(record))
        steps, told = SUPERBO.read_turn(told, SUPERBO.turn_text(played).move.lower())
        assert SUPERBO.turn_record(steps) == record
    assert told == played
    assert told.layout.labels == played.layout.labels


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


def test_the_figure_of_the_winning_eye_is_a_win_of_o_alone() -> None:
    layout = figure_layout("superbo/o_wins_eye")
    assert ClosesWithEye()(layout, Colour.O, Colour.X)
    assert not ClosesWithEye()(layout, Colour.X, Colour.O)
