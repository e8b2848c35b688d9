"""Followers of a board hear of what happens there, and one look serves all."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Mapping
from contextlib import ExitStack
from functools import wraps

from pbem.ids import BoardNumber
from pbem.web.boards.following import HEARTBEAT, Followers, Full, MoreNews, Room
from tests.support.mail import PATIENCE

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


async def told(events: AsyncGenerator[bytes, None]) -> int:
    """The number of the next event that a follower hears of."""
    async with asyncio.timeout(PATIENCE):
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


async def hears(events: AsyncGenerator[bytes, None], count: int) -> list[bytes]:
    """The next events that a follower hears of, whatever they are about."""
    heard: list[bytes] = []
    async with asyncio.timeout(PATIENCE):
        while len(heard) < count:
            each = await anext(events)
            if each.startswith(b"event: "):
                heard.append(each)
    return heard


async def looks_no_more(followers: Followers) -> None:
    """Wait until nobody looks any more."""
    assert followers.looking is not None
    async with asyncio.timeout(PATIENCE):
        await followers.looking


@in_a_loop
async def test_who_may_read_hears_of_remarks_and_nobody_else() -> None:
    boards, words = Boards(), Boards()
    words.last = {BOARD: 70}
    followers = Followers(boards, every=0.01, heartbeat=0.1, more=MoreNews(words=words))
    reader, watcher = followers.follow(BOARD, reads=True), followers.follow(BOARD)
    assert await hears(reader, 2) == [b"event: board\ndata: 3\n\n", b"event: said\ndata: 70\n\n"]
    assert await told(watcher) == 3
    words.last = {BOARD: 71, OTHER: 72}
    assert await hears(reader, 1) == [b"event: said\ndata: 71\n\n"]
    assert await anext(watcher) == HEARTBEAT, "their news waits for them before that"
    await reader.aclose()
    looks = []
    for event in (4, 5):
        boards.last[BOARD] = event
        assert await told(watcher) == event
        looks.append(len(words.looks))
    assert looks[0] == looks[1], "nobody reads any more"
    await watcher.aclose()


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
    await events.aclose()
    await looks_no_more(followers)
    assert followers.seen(BOARD) is None


def held(followers: Followers, *hosts: str) -> int:
    """The number of followers from these hosts, coming one after the other, who find a place; they stay."""
    found = 0
    with ExitStack() as places:
        for host in hosts:
            try:
                places.enter_context(followers.place(host))
            except Full:
                continue
            found += 1
    return found


def test_so_many_find_a_place_and_leave_it_to_others() -> None:
    followers = Followers(Boards(), room=Room(most=3, of_one_host=2))
    for _ in range(2):
        assert held(followers, "a", "a", "a") == 2
        assert held(followers, "a", "b", "c", "d") == 3
    assert held(Followers(Boards(), room=Room(most=0)), "a") == 0


@in_a_loop
async def test_a_look_that_fails_is_not_the_last_one() -> None:
    boards, failures = Boards(), [RuntimeError("database is locked")] * 2

    def look(asked: Collection[BoardNumber]) -> Mapping[BoardNumber, int]:
        if failures:
            raise failures.pop()
        return boards(asked)

    events = Followers(look, every=0.01).follow(BOARD)
    assert await told(events) == 3
    boards.last[BOARD] = 4
    assert await told(events) == 4
    await events.aclose()


@in_a_loop
async def test_everybody_hears_of_an_analysis() -> None:
    boards, analyses = Boards(), Boards()
    analyses.last = {}
    followers = Followers(boards, every=0.01, more=MoreNews(analyses=analyses))
    watcher = followers.follow(BOARD)
    assert await told(watcher) == 3
    analyses.last = {BOARD: 1700, OTHER: 1800}
    assert await hears(watcher, 1) == [b"event: analysed\ndata: 1700\n\n"]
    later = followers.follow(BOARD)
    assert await hears(later, 2) == [b"event: board\ndata: 3\n\n", b"event: analysed\ndata: 1700\n\n"]
    await watcher.aclose()
    await later.aclose()
