"""Power cuts: the server is killed again and again, and whatever it has accepted comes to its end."""

from __future__ import annotations

import time
from pathlib import Path
from random import Random

import pytest

from tests.reliability.ledger import Ledger, check_exactly_once
from tests.reliability.mailers import Mailers, begun
from tests.reliability.posts import PlayingPair
from tests.support.server import running_server


def _kill_again_and_again(folder: Path, seed: int, pairs: int, moves: int, kills: int, processes: int = 1) -> None:
    random = Random(seed)
    settings = {"confirm_signup": "false", "log_level": "warning", "processes": str(processes)}
    with running_server(folder, **settings) as server:
        couples = [PlayingPair(f"p{number}", 101 + number) for number in range(pairs)]
        beginning = [letter for pair in couples for letter in begun(server, pair)]

        work = [pair.letters(seed + number, moves) for number, pair in enumerate(couples)]
        total = sum(map(len, work))
        mailers = Mailers(server, work)
        mailers.start()
        done = 0
        # The last kill comes after the last letter, while the server still works off what it has accepted.
        for accepted in [*sorted(random.sample(range(1, total), kills - 1)), total]:
            mailers.wait_for(accepted)
            # A letter that three servers in succession died of would be shunted, as it should be.
            done = Ledger(server.database).wait_until_more_is_done_than(done)
            time.sleep(random.uniform(0, 0.05))
            server.kill()
            mailers.server_is(up=False)
            server.start()
            mailers.server_is(up=True)
        mailers.join()
        Ledger(server.database).wait_until_idle()
        server.stop()

        arrivals = check_exactly_once(server, [*beginning, *mailers.accepted], couples)
        assert len(mailers.accepted) == total
        # Each kill may have caught ten mails between the relay's 250 and the note of it.
        assert sum(arrivals.values()) - len(arrivals) <= 10 * kills


@pytest.mark.parametrize("processes", [1, 2])
def test_letters_are_handled_exactly_once_and_answered_at_least_once_whenever_the_power_is_cut(
    tmp_path: Path, processes: int
) -> None:
    _kill_again_and_again(tmp_path, seed=1, pairs=4, moves=18, kills=6, processes=processes)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", [2, 3])
def test_the_same_with_many_more_power_cuts(tmp_path: Path, seed: int) -> None:
    _kill_again_and_again(tmp_path, seed=seed, pairs=6, moves=100, kills=40)
