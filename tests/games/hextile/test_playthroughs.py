"""Whole games, judged by an independent model of the rules, turn by turn."""

from collections import Counter
from typing import Any

import pytest

from pbem.diagrams.hextile.letters import draw
from pbem.games.game import Ending
from pbem.games.hextile.position import Position
from tests.games.hextile.playing import GAMES, playthroughs

PLAYED = [(number, game) for name in GAMES for number, game in enumerate(playthroughs(name), start=1)]
IDS = [f"{game['record']['game']}-{number}-{'-'.join(game['record']['options'])}" for number, game in PLAYED]

each_game = pytest.mark.parametrize("game", [game for _, game in PLAYED], ids=IDS)


def begin(record: dict[str, Any]) -> Position:
    return GAMES[record["game"]].begin(record["options"], players=2)


def test_there_are_three_games_of_each_of_twenty_variants() -> None:
    variants = Counter(str((game["record"]["game"], game["record"]["options"])) for _, game in PLAYED)
    assert list(variants.values()) == [3] * 20


@each_game
def test_a_whole_game_goes_as_recorded(game: dict[str, Any]) -> None:
    record, expected = game["record"], game["expected"]
    rules, position = GAMES[record["game"]], begin(record)
    for turn, told in zip(record["turns"], expected["turns"], strict=True):
        assert sum(map(len, position.fitting().values())) == told["fitting"]
        position = rules.play_input(position, rules.input_steps(position, turn))
        automatic = [tile for tile in position.last_turn if tile.automatic]
        assert [{"q": tile.cell.q, "r": tile.cell.r, "state": tile.state.number} for tile in automatic] == told["autos"]
    assert position.outcome is not None
    winner = expected["winner"]
    assert position.outcome.winners == (() if winner is None else (winner,))
    assert (position.outcome.ending is not Ending.SUPPLY_EMPTY) is expected["early"]
    assert groups(position) == Counter(tuple(group.values()) for group in expected["groups"])


def groups(position: Position) -> Counter[tuple[Any, ...]]:
    regions = position.layout.regions.by_name.values()
    return Counter((str(r.colour), r.bridges, r.loops, r.closed) for r in regions)


@each_game
def test_the_end_is_drawn_as_recorded_and_told_in_words_it_is_the_same_game(game: dict[str, Any]) -> None:
    rules, told = GAMES[game["record"]["game"]], begin(game["record"])
    played = told
    for record in game["record"]["turns"]:
        before, steps = played, rules.input_steps(played, record)
        played = rules.play_input(before, steps)
        found, told, _ = rules.read_input(told, rules.input_text(played, steps).move.lower())
        assert rules.input_record(before, found) == record
    assert told == played
    assert told.layout.labels == played.layout.labels
    assert draw(told.layout.tiles).splitlines() == game["expected"]["drawing"]
