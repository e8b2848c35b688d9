"""The openings of imported games, as a program reads them from a server, against a count without any key."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import quote, urlencode

import httpx
import pytest

from pbem.domain.openings import MOST_TURNS
from pbem.games.hextile.grid import Cell
from pbem.games.hextile.position import Position
from tests.cli.running import pbem, serving
from tests.games.hextile.naive import FACES, MEETING
from tests.games.hextile.playing import after, options_of, start

Point: TypeAlias = tuple[int, int, int]
Look: TypeAlias = tuple[object, ...]
Played: TypeAlias = tuple[str, ...]

_ASKED = 60
"""Positions of each game that a program asks about."""
_AT_ONCE = 200
"""Games that are imported by one call."""
_SHOWN = 12
"""Turns that an answer has at most."""
VARIANTS = ("superbo single", "lambo", "mambo", "palago")
"""Games at random of the first are over soon; all are begun by the first player."""
COLOURS_ARE_ALIKE = ("superbo", "mambo")


class Counted(NamedTuple):
    """A turn as it was counted by hand."""

    before: Look
    after: Look
    words: Played
    """All turns up to this one, as they were typed."""
    result: int
    """1 if whoever played it has won, 0 for a tie, -1."""


def looks(name: str, tiles: Mapping[Cell, int], to_act: int | None) -> Iterator[Look]:
    """Everything that a position looks like if the table is turned, or looked at in a mirror, or colours are changed.

    Points are given by three coordinates whose sum is 0: turns and mirrors are the permutations of these that leave
    the corners of tiles where corners can be.
    """
    for way in permutations(range(3)):
        if Counter(_moved(corner, way) for corner in _CORNERS) != Counter(_CORNERS):
            continue
        for exchanges in (False, True) if name in COLOURS_ARE_ALIKE else (False,):
            drawn = [(_moved(middle, way), *_ends(name, state, way, exchanges=exchanges)) for middle, state in
                     ((_point(3 * q, 3 * r), state) for (q, r), state in tiles.items())]  # fmt: skip
            least = [min((each[0][axis] for each in drawn), default=0) for axis in range(2)]
            seat = None if to_act is None else 1 - to_act if exchanges else to_act
            yield (seat, *sorted((x - least[0], y - least[1], *ends) for (x, y, _), *ends in drawn))


_OTHER = {"o": "x", "x": "o"}


def _point(x: int, y: int) -> Point:
    return x, y, -x - y


_CORNERS = [_point(one[0] + other[0], one[1] + other[1]) for one, other in MEETING]


def _moved(point: Point, way: tuple[int, ...]) -> Point:
    x, y, z = (point[axis] for axis in way)
    return x, y, z


def _ends(name: str, state: int, way: tuple[int, ...], *, exchanges: bool) -> tuple[Any, ...]:
    """The place of the tip, its colour and that of the bridge."""
    face, tip_at = divmod(state - 1, 3)
    bridge, tip = (_OTHER[each] if exchanges else each for each in FACES[name][face])
    return _moved(_CORNERS[tip_at], way), tip, bridge


def look(name: str, position: Position) -> Look:
    """The least of everything that a position looks like: the same for all that are alike."""
    tiles = {cell: state.number for cell, state in position.layout.tiles.items()}
    return min(looks(name, tiles, position.to_act if position.outcome is None else None))


def at_random(variant: str, lot: Random) -> tuple[dict[str, Any], list[Counted]]:
    """The record of a whole game, and its first turns as they are to be counted."""
    (game, options), position = options_of(variant), start(variant)
    turns, played, words = list[Any](), list[tuple[Look, Look, int | None, Played]](), list[str]()
    while position.outcome is None:
        before, steps = position, []
        while position.outcome is None and position.ply == before.ply:
            steps.append(lot.choice(position.legal()))
            position = position.play(steps[-1])
        turns.append(game.input_record(before, steps))
        if len(turns) <= MOST_TURNS:
            words.append(game.input_text(position, steps).move)
            played.append((look(game.name, before), look(game.name, position), before.to_act, tuple(words)))
    record = {"format": "pbem-game/1", "game": game.name, "options": options, "players": ["ann", "ben"], "turns": turns}
    winners = position.outcome.winners
    results = {seat: (1 if seat in winners else -1) if winners else 0 for seat in (0, 1)}
    return record, [Counted(before, after, said, results[seat or 0]) for before, after, seat, said in played]


class Expected:
    """The figures of one game, counted by hand."""

    def __init__(self) -> None:
        self.behind: dict[Look, dict[Look, Counter[int]]] = defaultdict(lambda: defaultdict(Counter))
        self.words: dict[Look, Played] = {}
        """Turns that lead to each position."""

    def count(self, turns: list[Counted]) -> None:
        """Count the turns of a game."""
        for each in turns:
            self.behind[each.before][each.after][each.result] += 1
            self.words.setdefault(each.before, each.words[:-1])


def told(variant: str, turns: Played, address: str) -> tuple[int, dict[Look, tuple[int, int, int]]]:
    """The explorer's games in a position, and for each of the next the games, those won and those tied."""
    (game, _), (name, *options) = options_of(variant), variant.split()
    asked = {"turns": "/".join(turns), "options": " ".join(f"-{each}" for each in options)}
    found = httpx.get(f"{address}/explorer/{name}.json?{urlencode(asked, quote_via=quote)}").json()
    position, behind = after(*turns, variant=variant), dict[Look, tuple[int, int, int]]()
    for each in found["played"]:
        following = position
        for words in each["inputs"]:
            following = game.read_input(following, words).position
        people = each["people"]
        assert look(name, following) not in behind, "what is alike is counted together"
        behind[look(name, following)] = people["games"], people["won"], people["tied"]
    return found["people"]["games"], behind


@pytest.mark.system
@pytest.mark.parametrize("games", [60, pytest.param(10_000, marks=[pytest.mark.verify, pytest.mark.timeout(4 * 3600)])])
def test_figures_of_imported_games_are_those_of_a_count_by_hand(tmp_path: Path, games: int) -> None:
    lot, expected, known = Random(312), {variant: Expected() for variant in VARIANTS}, set[str]()
    for begun in range(0, games, _AT_ONCE):
        records = []
        for number in range(begun, min(games, begun + _AT_ONCE)):
            variant = VARIANTS[number % len(VARIANTS)]
            record, turns = at_random(variant, lot)
            records.append(json.dumps(record) + "\n")
            if records[-1] not in known:  # a game that is there already is not taken in twice
                expected[variant].count(turns)
            known.add(records[-1])
        assert pbem(tmp_path, "import", given="".join(records)).returncode == 0
    with serving(tmp_path, web_listen="127.0.0.1:0") as server:
        for variant, figures in expected.items():
            for position, words in list(figures.words.items())[:_ASKED]:
                games_there, behind = told(variant, words, server.address_of("web"))
                counted = {after: (each.total(), each[1], each[0]) for after, each in figures.behind[position].items()}
                assert games_there == sum(each[0] for each in counted.values())
                assert len(behind) == min(len(counted), _SHOWN)
                assert behind.items() <= counted.items()
