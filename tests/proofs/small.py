"""Solve games with few tiles: ``python -m tests.proofs.small mambo superbo lambo palago [--hours 1]``.

The search is the one of `search`, step by step on the boards of the robots, so that it plays every game of hexagonal
tiles. No symmetries are used: where a space is filled by itself and the supply runs out, the order of reading counts,
which a rotation changes. Each result goes to `RESULTS` at once, and is not looked for again.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import MutableSequence
from pathlib import Path
from random import Random
from typing import Any

from pbem.bots.boards import MOST_STEPS, NOBODY, WINNER, take_back
from pbem.bots.compiling import compiled, zeros
from pbem.bots.hextile import from_position
from pbem.bots.hextile.board import BY_HAND, CELLS, PLY, RECORD, RULES, TILE, TILES, TURN, tiles_at, turn_at
from pbem.bots.hextile.endings import on_turn
from pbem.bots.hextile.ruleset import SIDE
from pbem.bots.hextile.turns import play, steps
from pbem.games.hextile.position import Position
from tests.proofs import search
from tests.proofs.__main__ import position_after
from tests.proofs.search import (
    BUDGET,
    DISPROOF,
    INFINITE,
    KEY,
    MOST_TURNS,
    NODES,
    PROOF,
    PROVEN,
    REFUTED,
    ROOM,
    SHIFT,
    choose,
    refresh,
    store,
)
from tests.proofs.solver import integers

STEPS = search.TURN
RESULTS = Path(__file__).parent / "small.jsonl"
SIZES = {"mambo": "size", "superbo": "num_tiles", "lambo": "size", "palago": "size"}
SMALLEST = {"size": 4, "num_tiles": 2}
PIECE = 20_000


@compiled
def key_of(board: MutableSequence[int], lots: MutableSequence[int]) -> int:
    """A number for the position: its tiles, those of the turn under way, and who is to play."""
    key, tiles, turn = lots[board[PLY] % 2], tiles_at(board), turn_at(board)
    for each in range(board[TILES]):
        cell = board[tiles + each]
        part = 0
        for place in range(board[TURN]):
            if board[turn + place] // 16 == cell:
                part = 1 if place else 2
        key ^= lots[8 + ((cell - CELLS) // RECORD * 16 + board[cell + TILE]) * 3 + part]
    return key ^ lots[2 + board[BY_HAND]]


@compiled
def expand(
    board: MutableSequence[int],
    log: MutableSequence[int],
    lots: MutableSequence[int],
    found: MutableSequence[int],
    room: MutableSequence[int],
    base: int,
    seeker: int,
) -> int:
    """Find the steps that leave open who wins; `PROVEN` or `REFUTED` if one settles it."""
    count, kept, mark, attacks = steps(board, log, found, MOST_STEPS), 0, log[0], on_turn(board) == seeker
    for each in range(count):
        winner = found[MOST_STEPS + each]
        if winner != NOBODY:
            if (winner == seeker) == attacks:
                return PROVEN if attacks else REFUTED
        else:
            room[STEPS + base + kept] = found[each]
            kept += 1
    for each in range(base, base + kept):
        play(board, log, room[STEPS + each])
        room[KEY + each], room[PROOF + each], room[DISPROOF + each] = key_of(board, lots), 1, 1
        take_back(board, log, mark)
    if kept == 0 and count:
        return REFUTED if attacks else PROVEN
    return kept or REFUTED


@compiled
def prove_steps(
    board: MutableSequence[int],
    log: MutableSequence[int],
    lots: MutableSequence[int],
    found: MutableSequence[int],
    table: MutableSequence[int],
    room: MutableSequence[int],
    seeker: int,
    most_proof: int,
    most_disproof: int,
    depth: int,
) -> int:
    """Search below a position as `search.prove` does, for a seat."""
    base, before, key, size, mark = depth * MOST_TURNS, room[NODES], key_of(board, lots), len(table) // 3, log[0]
    room[NODES] += 1
    room[BUDGET] -= 1
    attacks = on_turn(board) == seeker
    own, other = (PROOF, DISPROOF) if attacks else (DISPROOF, PROOF)
    count = expand(board, log, lots, found, room, base, seeker)
    if count < 0:
        numbers = INFINITE if count == PROVEN else INFINITE * SHIFT
        store(table, size, key, numbers, 1)
        return numbers
    refresh(table, size, room, base, count)
    while True:
        least, most, chosen, second = choose(room, base, count, own, other)
        proof, disproof = (least, most) if attacks else (most, least)
        if proof >= most_proof or disproof >= most_disproof or room[BUDGET] <= 0:
            break
        slack = (most_disproof if attacks else most_proof) - (most - room[other + chosen])
        limit = min(most_proof if attacks else most_disproof, second + second // 4 + 1)
        proof, disproof = (limit, slack) if attacks else (slack, limit)
        play(board, log, room[STEPS + chosen])
        numbers = prove_steps(board, log, lots, found, table, room, seeker, proof, disproof, depth + 1)
        take_back(board, log, mark)
        room[PROOF + chosen], room[DISPROOF + chosen] = numbers // SHIFT, numbers % SHIFT
    numbers = proof * SHIFT + disproof
    store(table, size, key, numbers, room[NODES] - before)
    return numbers


class StepSearch:
    """Finds out if a seat wins from a position, however the other plays."""

    def __init__(self, position: Position, seeker: int, size: int = 1 << 22) -> None:
        """Begin with a table of so many entries, a power of 2."""
        self._board, self._log = from_position(position)
        self._table, self._room, self._found = integers(3 * size), integers(ROOM), zeros(2 * MOST_STEPS)
        self._lots, self._seeker = self._drawn(), seeker
        self.won: bool | None = None
        if self._board[WINNER] != NOBODY:
            self.won = bool(self._board[WINNER] == seeker)

    def _drawn(self) -> MutableSequence[int]:
        """A random number for each cell, state, and part in the turn under way, behind those for who is to play."""
        found, lots = integers(8 + 3 * 16 * int(self._board[RULES + SIDE]) ** 2), Random("lots of steps")
        for each in range(len(found)):
            found[each] = lots.getrandbits(62)
        return found

    @property
    def positions(self) -> int:
        """Positions looked at."""
        return int(self._room[NODES])

    def go_on(self, positions: int) -> None:
        """Look at so many positions more, or until it is settled."""
        self._room[BUDGET] = positions
        parts = self._board, self._log, self._lots, self._found, self._table, self._room
        found = int(prove_steps(*parts, self._seeker, INFINITE, INFINITE, 0))
        self.won = True if found // SHIFT == 0 else False if found % SHIFT == 0 else None


def winner(position: Position, end: float) -> tuple[str, int]:
    """``first``, ``second``, ``draw``, or ``open`` if the time is up; and the positions looked at."""
    looked = 0
    for seat, name in enumerate(("first", "second")):
        tree = StepSearch(position, seat)
        while tree.won is None and time.monotonic() < end:
            tree.go_on(PIECE)
        looked += tree.positions
        if tree.won is None:
            return "open", looked
        if tree.won:
            return name, looked
    return "draw", looked


def results() -> list[dict[str, Any]]:
    """The results so far."""
    return [json.loads(each) for each in RESULTS.read_text().splitlines()] if RESULTS.exists() else []


def table() -> str:
    """The winner for each number of tiles, as Markdown: a row for each game."""
    found = {(each["game"], each["tiles"]): each for each in results()}
    most = max(tiles for _, tiles in found)
    rows = [["", *map(str, range(2, most + 1))], ["---"] * most]
    for game, option in SIZES.items():
        cells = [found.get((game, tiles), {"winner": ""})["winner"] for tiles in range(2, most + 1)]
        rows.append([f"{game.capitalize()} `-{option}`", *cells])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def main(games: list[str], hours: float) -> None:
    """Solve one supply after the other, the smallest of all games first, until the time is up."""
    end, known = time.monotonic() + 3600 * hours, {(each["game"], each["tiles"]) for each in results()}
    for more in range(400):
        for game in games:
            option = SIZES[game]
            tiles = SMALLEST[option] + more
            if (game, tiles) in known:
                continue
            began = time.monotonic()
            result, looked = winner(position_after(f"{game} {option}={tiles}", ()), end)
            if result == "open":
                return
            seconds = round(time.monotonic() - began, 1)
            facts = {"game": game, "tiles": tiles, "winner": result, "positions": looked, "seconds": seconds}
            print(facts, flush=True)
            with RESULTS.open("a", encoding="utf-8") as file:
                print(json.dumps(facts), file=file)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.proofs.small", description=__doc__)
    parser.add_argument("games", nargs="+", choices=SIZES)
    parser.add_argument("--hours", type=float, default=2)
    asked = parser.parse_args()
    main(asked.games, asked.hours)
