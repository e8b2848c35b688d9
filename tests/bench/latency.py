"""The time from the words of a move to the handing over of the opponent's mail, at half load.

The load is found first: what the same server does as fast as it can (`round_trip`). Then a letter comes at regular
moments, half as often, whatever has become of those before; the games begin one after the other. The floor is how long
the server that does nothing needs for the words of such a letter at the same moments.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from operator import itemgetter
from statistics import quantiles

from tests.bench.client import Letter, letter, send_slowly
from tests.bench.figures import Extent, Figure
from tests.bench.floor import Floor
from tests.bench.play import HTML, Play
from tests.bench.round_trip import ROLES, run
from tests.bench.server import BenchServer

TARGETS = {50: 12, 99: 60}
"""Milliseconds that so many of a hundred letters may take."""


def measure(extent: Extent) -> Iterator[Figure]:
    """A figure for the median, one for the slowest of a hundred."""
    boards, plies = extent.pick(8, 16), extent.pick(6, 26, 3)
    ours: dict[int, list[float]] = defaultdict(list)
    least: dict[int, list[float]] = defaultdict(list)
    with Floor(extent.folder) as floor, Floor(extent.folder, keeps_log=True) as receiver:
        relay = f"smtp://127.0.0.1:{receiver.port}"
        with BenchServer(extent.folder / "latency", [ROLES], relay_url=relay) as bench:
            play = Play(bench, boards)
            play.choose(HTML)
            run(bench, play, receiver, 1)
            for _ in range(extent.pick(1, 3)):
                load = run(bench, play, receiver, plies)[1] / 2
                taken = _at_load(bench, play, receiver, plies, load)
                nothing = [letter("p0a", "superbo move 101 p0a secret a1")] * len(taken)
                by_floor = [1000 * (end - at) for at, end in send_slowly(floor.port, nothing, 1 / load)]
                for percent in TARGETS:
                    ours[percent].append(_percentile(taken, percent))
                    least[percent].append(_percentile(by_floor, percent))
    for percent, target in TARGETS.items():
        name = f"DATA to the opponent's mail handed over, half load, p{percent}"
        facts = {"letters a second": load}
        yield Figure(name, HTML, "ms", ours[percent], least[percent], target, at_most=True, of_ratio=False, facts=facts)


def _at_load(bench: BenchServer, play: Play, receiver: Floor, plies: int, load: float) -> list[float]:
    """Milliseconds of each letter."""
    games = play.begin(plies)
    bench.wait_for_mails()
    before = len(receiver.arrivals())
    letters = _one_after_the_other(games)
    times = send_slowly(bench.port, letters, 1 / load)
    bench.wait_for_mails()
    play.made_of(len(letters))
    arrivals: dict[str, list[float]] = defaultdict(list)
    for at, address in receiver.arrivals()[before:]:
        arrivals[address].append(at)
    return _taken(letters, [at for at, _ in times], arrivals)


def _one_after_the_other(games: Sequence[Sequence[Letter]]) -> list[Letter]:
    """The letters of games that begin, and so also end, at regular moments: the last turn of a game is the dearest."""
    placed = [(ply + board * len(game) / len(games), each) for board, game in enumerate(games)
              for ply, each in enumerate(game)]  # fmt: skip
    return [each for _, each in sorted(placed, key=itemgetter(0))]


def _taken(letters: Sequence[Letter], times: Sequence[float], arrivals: dict[str, list[float]]) -> list[float]:
    """A player has one board, and a mail of each of its moves: the third mail tells of the third move."""
    made: Counter[str] = Counter()
    taken = []
    for each, at in zip(letters, times, strict=True):
        pair, side = each.sender.partition("@")[0][:-1], each.sender.partition("@")[0][-1]
        opponent = f"{pair}{'b' if side == 'a' else 'a'}@example.org"
        taken.append(1000 * (arrivals[opponent][made[pair]] - at))
        made[pair] += 1
    return taken


def _percentile(numbers: Sequence[float], percent: int) -> float:
    return quantiles(numbers, n=100, method="inclusive")[percent - 1]
