"""Learning the worth of positions from games of the search against itself: ``python -m tests.matches.learning``.

``play`` adds games to `PLAYED`, one a line, and goes on where it was broken off; ``fit`` fits the network of
`pbem.bots.hextile.patterns` to them. The first games are played without it, later ones with the one that is there.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, MutableSequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from importlib import import_module, resources
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

from pbem.bots import hextile, kernel
from pbem.bots.boards import MOST_STEPS, NOBODY, WINNER, take_back
from pbem.bots.compiling import zeros
from pbem.bots.hextile.patterns import HIDDEN, INPUTS, alike, list_patterns
from pbem.bots.tree import Branch, Search, Settings
from tests.bots.endgames import begun

np: Any = import_module("numpy") if find_spec("numpy") else None
"""It comes with the extra robots, and only what is done here needs it, not what is told about it."""
VARIANT = "mambo"
PLAYED = Path(__file__).parents[2] / "build" / "learning" / f"{VARIANT}.jsonl"

_PLAYOUTS = 3000
"""For a turn. With 600, who won says nothing of the positions before: too many turns are mistakes."""
_WITHOUT_NETWORK = 400
"""Games that are played without one. Their ends say little of the positions before; they serve only until there are
others."""
_OPENING = range(1, 6)
"""Random turns that begin a game."""
_MOST_BEHIND, _FEWEST_VISITS = 14, 60
"""Positions that are kept of those behind one, and the playouts that each needs."""
_STRETCH, _DOUBT = 4, 0.15
"""Logits of what a position seemed worth are multiplied by so much, and by this power of its part of the playouts."""
_ROUNDS, _BATCH, _RATE, _DECAY = 10, 512, 3e-3, 1e-4
"""Of the descent (Kingma and Ba, "Adam", 2015; Loshchilov and Hutter, "AdamW", 2019)."""
_HELD_BACK = 7
"""One of so many games shows what the others have taught."""

Seen = tuple[list[int], float, int, float | None]
"""A position of a game: its inputs, what it seemed worth to the player to act after so many playouts, and how it ended
for them; None if it is one behind those of the game."""


def play(number: int) -> list[Seen]:
    """The positions of one game, and of those behind them in the tree; it is over once the winner is proven."""
    position, lots = begun(VARIANT)[1], Random(f"{VARIANT} {number}")
    for _ in range(lots.choice(_OPENING)):
        position = position if position.outcome else position.play(lots.choice(position.legal()))
    (board, log), room = kernel.from_position(position), zeros(2 * MOST_STEPS)
    settings = Settings(learned=0) if number < _WITHOUT_NETWORK else None
    own, behind, came, is_proven = list[tuple[int, list[int], float]](), list[Seen](), 1 / 2, False
    while board[WINNER] == NOBODY and not is_proven and kernel.steps(board, log, room):
        search = Search(board, log, settings, seed=lots.getrandbits(30), playouts=_PLAYOUTS)
        search.add(_PLAYOUTS)
        best, mover = search.branches(search.root)[0], int(kernel.to_act(board))
        own.append((mover, _inputs(board, room), round(best.worth, 4)))
        behind.extend(_behind(search, room, lots))
        kernel.play(board, log, best.step)
        log[0], is_proven = 0, best.proven
        came = best.worth if is_proven else float(kernel.share(board, board[WINNER], mover))
    last = own[-1][0] if own else 0
    seen = [(inputs, worth, _PLAYOUTS, came if mover == last else 1 - came) for mover, inputs, worth in own]
    return [*seen, *behind]


def _inputs(board: MutableSequence[int], room: MutableSequence[int]) -> list[int]:
    count = int(list_patterns(board, room))
    return [alike(int(place)) for place in room[:count]]


def _behind(search: Search, room: MutableSequence[int], lots: Random) -> Iterator[Seen]:
    """Positions one or two turns behind the root of a tree, by lot, of those that it knows well."""
    lines = [[each] for each in search.branches(search.root) if each.visits >= _FEWEST_VISITS or each.proven]
    lines += [[*line, each] for line in lines[:6] for each in search.branches(line[0].node) if _is_kept(each, lots)]
    lots.shuffle(lines)
    for line in lines[:_MOST_BEHIND]:
        for each in line:
            kernel.play(search.board, search.log, each.step)
        if search.board[WINNER] == NOBODY:
            last = line[-1]
            visits = _PLAYOUTS if last.proven else last.visits
            yield _inputs(search.board, room), round(1 - last.worth, 4), visits, None
        take_back(search.board, search.log, 0)


def _is_kept(branch: Branch, lots: Random) -> bool:
    return branch.visits >= _FEWEST_VISITS or (branch.proven and lots.random() < 1 / 10)


def played() -> list[list[Seen]]:
    """The games that were played."""
    return [json.loads(line) for line in PLAYED.read_text().splitlines()] if PLAYED.exists() else []


@dataclass(frozen=True, slots=True)
class Positions:
    """The positions to learn from."""

    inputs: Any
    """A row for each position: the times that it has each input."""
    worths: Any
    """The worth of each to the player to act: of the end of its game and of what it seemed worth, stretched."""
    came: Any
    """The share of the points at the end of its game, where it stood in one and was not proven; else -1."""
    kept: Any
    """True for those that are learned from."""

    def error(self, said: Any, which: Any) -> float:
        """The mean squared error of what a network says of the ends of some games."""
        which = which & (self.came >= 0)
        return float(np.mean((said - self.came)[which] ** 2))


def positions_in(games: list[list[Seen]]) -> Positions:
    """The positions of some games."""
    columns = {place: column for column, place in enumerate(sorted({alike(place) for place in range(INPUTS)}))}
    seen = [each for game in games for each in game]
    inputs = np.zeros((len(seen), len(columns)), np.float32)
    for row, (places, *_) in zip(inputs, seen, strict=True):
        for place in places:
            row[columns[place]] += 1
    seemed, visits = (np.array([each[at] for each in seen], np.float32) for at in (1, 2))
    known = np.clip(seemed, 0.02, 0.98)
    stretched = 1 / (1 + (1 / known - 1) ** (_STRETCH * (visits / _PLAYOUTS) ** _DOUBT))
    is_proven = (seemed == 0) | (seemed == 1)
    came = np.array([-1 if each[3] is None else each[3] for each in seen], np.float32)
    came[is_proven] = -1
    worths = np.where(is_proven, seemed, np.where(came < 0, stretched, (stretched + came) / 2))
    kept = np.repeat([number % _HELD_BACK != 0 for number in range(len(games))], [len(game) for game in games])
    return Positions(inputs, worths, came, kept)


class Network:
    """A network while it learns."""

    def __init__(self, inputs: int) -> None:
        lots = np.random.default_rng(0)
        shapes = (lots.normal(0, 0.1, (inputs, HIDDEN)), lots.normal(0, 0.05, HIDDEN), np.zeros(inputs))
        self._weights = [each.astype(np.float32) for each in shapes]
        self._means = [np.zeros_like(each) for each in self._weights]
        self._squares = [np.zeros_like(each) for each in self._weights]
        self._done = 0

    def said(self, inputs: Any) -> Any:
        """The worths of positions as it judges them."""
        hidden, output, direct = self._weights
        return 1 / (1 + np.exp(-(np.maximum(inputs @ hidden, 0) @ output + inputs @ direct)))

    def learn(self, inputs: Any, worths: Any, rate: float) -> None:
        """Take one step of the descent."""
        hidden, output, _ = self._weights
        units = np.maximum(inputs @ hidden, 0)
        off = (self.said(inputs) - worths) / len(worths)
        self._done += 1
        slopes = (inputs.T @ (np.outer(off, output) * (units > 0)), units.T @ off, inputs.T @ off)
        for place, slope in enumerate(slopes):
            self._means[place] += 0.1 * (slope - self._means[place])
            self._squares[place] += 0.001 * (slope**2 - self._squares[place])
            mean = self._means[place] / (1 - 0.9**self._done)
            spread = np.sqrt(self._squares[place] / (1 - 0.999**self._done))
            self._weights[place] -= rate * (mean / (spread + 1e-8) + _DECAY * self._weights[place])

    def rows(self) -> list[list[int]]:
        """Its weights in thousandths, as `pbem.bots.hextile.patterns` reads them."""
        hidden, output, direct = self._weights
        rows = np.vstack([np.column_stack([direct, hidden]), [*output, 0]])
        found: list[list[int]] = np.rint(1000 * rows).astype(int).tolist()
        return found


def fit(positions: Positions) -> Network:
    """The network that says best what positions are worth."""
    network, lots = Network(positions.inputs.shape[1]), np.random.default_rng(0)
    kept = np.flatnonzero(positions.kept)
    for done in range(_ROUNDS):
        lots.shuffle(kept)
        for begin in range(0, len(kept), _BATCH):
            batch = kept[begin : begin + _BATCH]
            network.learn(positions.inputs[batch], positions.worths[batch], _RATE * (1 - done / _ROUNDS))
    said = network.said(positions.inputs)
    errors = positions.error(said, positions.kept), positions.error(said, ~positions.kept)
    print(f"{len(said)} positions, squared error {errors[0]:.4f}, {errors[1]:.4f} in games held back")
    return network


def main(what: str, games: int, jobs: int) -> None:
    """Play what is missing of so many games, or fit the network to those that were played."""
    if what == "fit":
        found = played()[:games]
        *inputs, output = fit(positions_in(found[_WITHOUT_NETWORK:] or found)).rows()
        with resources.as_file(resources.files(hextile) / "patterns.json") as file:
            file.write_text(json.dumps([*inputs, output[:HIDDEN]], separators=(",", ":")) + "\n")
        return
    PLAYED.parent.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(jobs) as pool:
        for game in pool.map(play, range(len(played()), games)):
            with PLAYED.open("a", encoding="utf-8") as file:
                print(json.dumps(game, separators=(",", ":")), file=file)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.matches.learning", description=__doc__)
    parser.add_argument("what", choices=("play", "fit"))
    parser.add_argument("--games", type=int, default=1200)
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    main(asked.what, asked.games, asked.jobs)
