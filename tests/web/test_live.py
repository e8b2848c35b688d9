"""Following a board: whatever process writes, and however many look."""

from __future__ import annotations

import asyncio
import re
import time
from functools import wraps
from typing import TYPE_CHECKING

import httpx

from pbem.ids import BoardNumber
from pbem.web.live import HEARTBEAT, Followers
from tests.support.server import running_server

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator, Mapping
    from pathlib import Path

    from tests.support.server import RunningServer

BOARD, OTHER = BoardNumber(101), BoardNumber(102)


class Boards:
    """The last events of boards, as a database would tell them."""

    def __init__(self) -> None:
        self.last = {BOARD: 3, OTHER: 5}
        self.looks: list[tuple[BoardNumber, ...]] = []

    def __call__(self, boards: Collection[BoardNumber]) -> Mapping[BoardNumber, int]:
        self.looks.append(tuple(boards))
        return {board: self.last[board] for board in boards if board in self.last}


def in_a_loop(test: Callable[[], Awaitable[None]]) -> Callable[[], None]:
    """Run a test in an event loop of its own."""

    @wraps(test)
    def run() -> None:
        async def whole() -> None:
            await test()

        asyncio.run(whole())

    return run


async def told(events: AsyncIterator[bytes]) -> int:
    """The number of the next event that a follower hears of."""
    async with asyncio.timeout(5):
        async for each in events:
            found = re.fullmatch(rb"event: board\ndata: (\d+)\n\n", each)
            if found:
                return int(found[1])
    raise AssertionError("nothing more came")


@in_a_loop
async def test_a_follower_hears_where_the_board_stands_and_of_every_event() -> None:
    boards = Boards()
    followers = Followers(boards, every=0.01)
    events = followers.follow(BOARD)
    assert await told(events) == 3
    boards.last[BOARD] = 4
    assert await told(events) == 4
    assert followers.seen(BOARD) == 4


@in_a_loop
async def test_what_this_process_has_written_is_told_at_once() -> None:
    boards = Boards()
    followers = Followers(boards, every=60, courtesy=0)
    events = followers.follow(BOARD)
    assert await told(events) == 3
    boards.last[BOARD] = 4
    await asyncio.to_thread(followers.written)
    assert await told(events) == 4


@in_a_loop
async def test_one_look_serves_all_who_follow() -> None:
    boards = Boards()
    followers = Followers(boards, every=60, courtesy=0)
    crowd = [followers.follow(BOARD if number % 2 else OTHER) for number in range(40)]
    await asyncio.gather(*map(told, crowd))
    before = len(boards.looks)
    boards.last = {BOARD: 8, OTHER: 8}
    followers.written()
    assert await asyncio.gather(*map(told, crowd)) == [8] * 40
    assert len(boards.looks) == before + 1
    assert set(boards.looks[-1]) == {BOARD, OTHER}


@in_a_loop
async def test_nobody_hears_of_boards_that_he_does_not_follow() -> None:
    boards = Boards()
    followers = Followers(boards, every=0.01, heartbeat=0.1)
    events = followers.follow(BOARD)
    assert await told(events) == 3
    boards.last[OTHER] = 9
    assert await anext(events) == HEARTBEAT


@in_a_loop
async def test_nobody_looks_when_nobody_follows_any_more() -> None:
    boards = Boards()
    followers = Followers(boards, every=0.01)
    events = followers.follow(BOARD)
    await told(events)
    await events.aclose()  # type: ignore[attr-defined]
    await asyncio.sleep(0.1)
    looks = len(boards.looks)
    await asyncio.sleep(0.1)
    assert len(boards.looks) == looks
    assert followers.seen(BOARD) is None


def test_a_move_by_mail_is_told_within_a_second_and_after_a_restart(tmp_path: Path) -> None:
    with running_server(tmp_path, web_listen="127.0.0.1:0") as server:
        number = _board(server)
        for turn in ("b3", "c4,k5"):
            with httpx.stream("GET", f"{server.web}/boards/{number}/live", timeout=10) as answer:
                assert answer.headers["content-type"].startswith("text/event-stream")
                numbers = _numbers(answer)
                before = next(numbers)
                began = time.monotonic()
                for userid in ("alice", "bob"):
                    server.person(userid).says(f"move {number} {userid} secret {turn}")
                assert next(numbers) == before + 1
                assert time.monotonic() - began < 3  # letters are read, answered and told
            server.stop()
            server.start()


def _board(server: RunningServer) -> int:
    alice, _ = server.player("alice"), server.player("bob")
    alice.says("superbo challenge alice bob")
    return int(alice.hears().subject.partition("Board ")[2].split()[0])


def _numbers(answer: httpx.Response) -> Iterator[int]:
    for line in answer.iter_lines():
        if line.startswith("data: "):
            yield int(line.removeprefix("data: "))
