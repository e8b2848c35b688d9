"""Matches of this version against an older one at equal time: ``python -m tests.matches.versions COMMIT mambo,lambo``.

Both think for about so many seconds of processor time a turn (``--seconds``). Games come in pairs with the same
opening, random or even, which each side begins once. Each game goes to `RESULTS` at once, so that a match that was
broken off goes on.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import count, islice
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any, TypeAlias

from pbem.bots.boards import LEVELS
from pbem.bots.thinking import think
from tests.matches.match import Played, Result, opened

ROOT = Path(__file__).parents[2]
RESULTS = Path(__file__).parent / "versions.jsonl"
OPENING = 2
"""Random turns before the first of the players', unless a match is said to have others."""
EVEN_OPENINGS = 2, 3, 4
"""The turns of even openings in turn: one by lot, the others as the weakest robot plays them."""
EVEN = 0.4, 0.6
"""The least and the most that even openings are worth to the player to move."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a match."""

    variant: str
    version: str
    """The newer version: a commit, or a folder."""
    against: str
    """The older one."""
    seconds: float
    seed: int
    even: int
    """The playouts of the search that finds openings even; 0: openings are random."""
    opening: int = OPENING
    """The turns of random openings; 0: games are played from the start."""


Opening: TypeAlias = tuple[Any, Any, list[str]]
"""A game, the position and the turns with which both games of a pair begin."""


class Version:
    """An engine of a version, in a process of its own."""

    def __init__(self, root: Path) -> None:
        """Start the engine of the version that lies there."""
        script = Path(__file__).with_name("engine.py")
        where = {**os.environ, "PYTHONPATH": str(root), "PYTHONSAFEPATH": "1"}
        self._process = subprocess.Popen(
            [sys.executable, str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=root, env=where
        )

    def __enter__(self) -> Version:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate()

    def turn(self, terms: Terms, turns: list[str], seed: int) -> tuple[str, float]:
        """The turn that it plays after others, and the seconds that it took.

        Raises:
            RuntimeError: it has ended.
        """
        if self._process.stdin is None or self._process.stdout is None:
            raise AssertionError("both were asked for")
        asked = {"variant": terms.variant, "turns": turns, "seconds": terms.seconds, "seed": seed}
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()
        said = self._process.stdout.readline()
        if not said:
            raise RuntimeError("the engine has ended")
        answer = json.loads(said)
        return answer["move"], answer["seconds"]


def unpacked(version: str) -> Path:
    """The folder of a version, or to which the one of a commit was unpacked."""
    if (ROOT / version).is_dir():
        return ROOT / version
    folder = ROOT / "build" / "versions" / version
    if not (folder / "pbem").is_dir():
        packed = subprocess.run(["git", "archive", version, "pbem"], cwd=ROOT, check=True, stdout=subprocess.PIPE)
        with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
            archive.extractall(folder, filter="data")
    return folder


def play(terms: Terms, number: int, one: Version, other: Version) -> Played:
    """One game from this version's side; in those with odd numbers the older one begins."""
    game, position, turns = opening(terms, number // 2)
    lots, seconds, engines, first = Random(f"{terms} {number}"), [0.0, 0.0], (one, other), number % 2
    while position.outcome is None and position.to_act is not None:
        who = position.to_act ^ first
        text, took = engines[who].turn(terms, turns, lots.getrandbits(31))
        seconds[who] += took
        turns.append(text)
        position = game.read_input(position, text).position
    winners: Sequence[int] = position.outcome.winners if position.outcome else ()
    score = float(winners[0] ^ first == 0) if len(winners) == 1 else 1 / 2
    return Played(score, len(turns), (seconds[0], seconds[1]))


def opening(terms: Terms, pair: int) -> Opening:
    """The opening of both games of a pair."""
    game, position = opened(terms.variant, terms.seed, 2 * pair, 0)
    lots, turns = Random(f"{terms.variant} {terms.seed} opening {pair}"), list[str]()
    length = EVEN_OPENINGS[pair % len(EVEN_OPENINGS)] if terms.even else terms.opening
    while len(turns) < length and position.outcome is None:
        if turns and terms.even:
            weakest = think(game, position, playouts=LEVELS["robot1"].playouts, seed=lots.getrandbits(31))
            turns.append(weakest.candidates[0].moves[0])
        else:
            turns.append(random_turn(game, position, lots))
        position = game.read_input(position, turns[-1]).position
    return game, position, turns


def pairs_to_play(terms: Terms) -> Iterator[int]:
    """The numbers of pairs: of all, or of those with even openings, each of which is looked at once."""
    about = {"variant": terms.variant, "seed": terms.seed, "even": terms.even}
    known = {each["pair"]: each for each in _kept() if "pair" in each and about.items() <= each.items()}
    begun = set[str]()
    for pair in count():
        if not terms.even:
            yield pair
            continue
        if pair not in known:
            game, position, turns = opening(terms, pair)
            worth = worth_of(game, position, terms.even)
            known[pair] = about | {"pair": pair, "worth": worth} | ({"opening": turns} if _is_even(worth) else {})
            _keep(known[pair])
        if _is_even(known[pair]["worth"]) and (begins := " ".join(known[pair]["opening"])) not in begun:
            begun.add(begins)
            yield pair


def _is_even(worth: float) -> bool:
    return EVEN[0] <= worth <= EVEN[1]


def worth_of(game: Any, position: Any, playouts: int) -> float:
    """The worth of a position to the player to move, from 0 to 1, after a search of so many playouts."""
    if position.outcome is not None:
        return 0
    return round(think(game, position, playouts=playouts, seed=1).candidates[0].worth, 3)


def random_turn(game: Any, position: Any, lots: Random) -> str:
    """A whole turn by lot."""
    steps = []
    while True:
        steps.append(lots.choice(position.legal()))
        position = position.play(steps[-1])
        if position.outcome or not position.mid_turn:
            return str(game.input_text(position, steps).move)


def played(terms: Terms) -> dict[int, Played]:
    """The games of a match that were played before, by their numbers."""
    return {
        each["number"]: Played(each["score"], each["turns"], (each["spent"][0], each["spent"][1]))
        for each in _kept()
        if asdict(terms).items() <= ({"even": 0, "opening": OPENING} | each).items()
    }


def line(terms: Terms, games: list[Played]) -> str:
    """The result of a match so far."""
    result = Result(games)
    low, high = result.interval
    spent = " ".join(f"{each:.2f}" for each in result.seconds_a_turn)
    shown = f"{terms.variant:20} {len(games):4} games {result.score:6.1%} ({low:.0%} to {high:.0%}), seconds {spent}"
    return f"{shown}, pairs {' '.join(map(str, pairs(games)))}"


def pairs(games: Sequence[Played]) -> tuple[int, int, int]:
    """The openings of which this version has won both games, as much as the other, and less than that.

    Where both play well the opening decides, and each wins once.
    """
    points = [sum(each.score for each in games[at : at + 2]) for at in range(0, len(games) - 1, 2)]
    return sum(each > 1 for each in points), points.count(1), sum(each < 1 for each in points)


def main(matches: Sequence[Terms], games: int) -> None:
    """Play what is missing of some matches between the same two versions, two games of each in turn."""
    with Version(unpacked(matches[0].version)) as one, Version(unpacked(matches[0].against)) as other:
        known = {terms: played(terms) for terms in matches}
        numbers: dict[Terms, list[int]] = {terms: [] for terms in matches}
        found = zip(*(pairs_to_play(terms) for terms in matches), strict=False)
        for found_pairs in islice(found, games // 2):
            for terms, pair in zip(matches, found_pairs, strict=True):
                for number in (2 * pair, 2 * pair + 1):
                    if number not in known[terms]:
                        known[terms][number] = play(terms, number, one, other)
                        _keep_game(terms, number, known[terms][number])
                    numbers[terms].append(number)
                print(line(terms, [known[terms][number] for number in numbers[terms]]), flush=True)


def _keep_game(terms: Terms, number: int, game: Played) -> None:
    facts = asdict(terms) | {"number": number, "score": game.score, "turns": game.turns}
    _keep(facts | {"spent": [round(each, 2) for each in game.seconds]})


def _keep(facts: dict[str, Any]) -> None:
    with RESULTS.open("a", encoding="utf-8") as file:
        print(json.dumps(facts), file=file)


def _kept() -> list[dict[str, Any]]:
    """Games that were played, and openings that were looked at."""
    return [json.loads(line) for line in RESULTS.read_text().splitlines()] if RESULTS.exists() else []


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.matches.versions", description=__doc__)
    parser.add_argument("against", help="the older version: a commit, or a folder")
    parser.add_argument("variants", help="games with options, dashes left out, commas between them")
    parser.add_argument("--version", default=".", help="the newer one; the working tree if left out")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--opening", type=int, default=OPENING, help="random turns that begin a game")
    parser.add_argument(
        "--even", type=int, default=0, metavar="PLAYOUTS", help="begin with openings that so many find even"
    )
    asked = parser.parse_args()
    terms = (asked.version, asked.against, asked.seconds, asked.seed, asked.even, asked.opening)
    matches = [Terms(variant, *terms) for variant in asked.variants.split(",")]
    main(matches, asked.games)
