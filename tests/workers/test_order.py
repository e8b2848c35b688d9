"""Letters are handled in the order in which they come, so that whoever answers a move is not too early."""

from __future__ import annotations

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from pbem.ids import BoardNumber
from pbem.storage.models import EventRow
from pbem.workers.inbox import InboxWorker
from tests.bench.play import moves
from tests.storage.stock import rows
from tests.support.stepped_server import SteppedServer

GAMES, PLIES = 20, 10
PASSWORD = "secret"
SEED = 20_261_125
ALL_MADE = GAMES * PLIES


LIMITED = ("UNREAD_IN_A_ROW", "ANSWERS_PER_HOUR", "ANSWERS_PER_DAY", "UNPROVEN_CHALLENGES_PER_DAY")
LIMITS = {f"PBEM_MAX_{each}": "1000" for each in LIMITED}


@pytest.fixture(params=[1, GAMES], ids=["two players", "forty players"])
def backlog(database_url: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[SteppedServer]:
    """Twenty games whose letters all wait: those of a board in order, the boards mixed."""
    stepped = SteppedServer(database_url, tmp_path, **LIMITS)
    players = [f"p{pair}{side}" for pair in range(request.param) for side in "ab"]
    for player in players:
        stepped.gets(f"signup {player} {PASSWORD}", sender=f"{player}@example.org")
        stepped.works()
    for game in range(GAMES):
        first = players[2 * game % len(players)]
        stepped.gets(f"superbo challenge {first[:-1]}b", sender=f"{first}@example.org")
    stepped.works()
    seated = [seats(stepped, 101 + game) for game in range(GAMES)]
    for player, letter in mixed(seated):
        stepped.gets(letter, sender=f"{player}@example.org")
    yield stepped
    stepped.server.close()


def seats(stepped: SteppedServer, number: int) -> list[str]:
    """The players of a board, whoever begins first."""
    with stepped.server.unit_of_work() as uow:
        board = uow.boards.find(BoardNumber(number))
        assert board is not None
        return [uow.players.userid_of(seat.player) for seat in board.seats]


def mixed(seated: list[list[str]]) -> Iterator[tuple[str, str]]:
    words, drawn = moves(), random.Random(SEED)
    next_ply = dict.fromkeys(range(GAMES), 0)
    while next_ply:
        game = drawn.choice(list(next_ply))
        ply = next_ply[game]
        player = seated[game][ply % 2]
        yield player, f"superbo move {101 + game} {player} {PASSWORD} {words[ply]}"
        next_ply[game] += 1
        if next_ply[game] == PLIES:
            del next_ply[game]


def made(stepped: SteppedServer) -> int:
    return rows(stepped.server.engine, EventRow)


def handle_all(stepped: SteppedServer, *workers: InboxWorker) -> None:
    """Step until everything is handled; what is put back rests for a moment."""
    with ThreadPoolExecutor() as threads:
        while stepped.server.inbox.unhandled_since() is not None:
            list(threads.map(lambda worker: worker.step(), workers))
    for worker in workers:
        worker.end()


def test_one_worker_makes_every_move_of_a_long_backlog(backlog: SteppedServer) -> None:
    handle_all(backlog, backlog.worker)
    assert made(backlog) == ALL_MADE


def test_two_workers_make_every_move_of_a_long_backlog(backlog: SteppedServer) -> None:
    handle_all(backlog, backlog.worker, backlog.rival())
    assert made(backlog) == ALL_MADE


def test_a_letter_is_not_refused_before_an_earlier_one_is_handled(stepped: SteppedServer) -> None:
    """A rival has taken the first move and not begun it: the answer to it, whose Subject names no board, waits."""
    first, second = begun(stepped)
    rival, since = stepped.rival(), len(stepped.mails())
    stepped.gets(f"superbo move 101 {first} {PASSWORD} b3", sender=f"{first}@example.org")
    rival._held.extend(rival._inbox.lease(datetime.now(UTC), 1))
    stepped.gets("", f"superbo move 101 {second} {PASSWORD} c4,k5", sender=f"{second}@example.org")
    with capture_logs() as logs:
        assert stepped.worker.step()
    assert [each["event"] for each in logs][-1] == "letter put back"
    assert len(stepped.mails()) == since
    handle_all(stepped, rival, stepped.worker)
    assert made(stepped) == 2


def test_a_letter_is_not_begun_before_an_earlier_one_about_its_board_is_handled(stepped: SteppedServer) -> None:
    first, second = begun(stepped)
    rival = stepped.rival()
    stepped.gets(f"superbo move 101 {first} {PASSWORD} b3", sender=f"{first}@example.org")
    rival._held.extend(rival._inbox.lease(datetime.now(UTC), 1))
    stepped.gets(f"superbo move 101 {second} {PASSWORD} c4,k5", sender=f"{second}@example.org")
    stepped.gets("superbo show 102", sender="carol@example.org")
    with capture_logs() as logs:
        assert [stepped.worker.step() for _ in range(3)] == [True, True, True]  # it looks again soon
    assert [each["letter"] for each in logs if each["event"] == "letter taken"] == [6]
    handle_all(stepped, rival, stepped.worker)
    assert made(stepped) == 2


def begun(stepped: SteppedServer) -> list[str]:
    """Start board 101; return its players, whoever begins first."""
    for player in ("alice", "bob"):
        stepped.gets(f"signup {player} {PASSWORD}", sender=f"{player}@example.org")
        stepped.works()
    stepped.gets("superbo challenge bob")
    stepped.works()
    return seats(stepped, 101)
