"""Following a board: whatever process writes, and however many look."""

from __future__ import annotations

import asyncio
import re
import time
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import wraps
from typing import TYPE_CHECKING

import httpx
import pytest

from pbem.ids import BoardNumber
from pbem.web.boards.following import HEARTBEAT, Followers, Full, Room
from pbem.web.boards.live import AGAIN_AFTER
from tests.support.mail import PATIENCE
from tests.support.server import running_server
from tests.web.club import Club

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Iterator, Mapping
    from pathlib import Path

    from tests.support.server import RunningServer

KEY = "the same for all processes"
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
    assert followers._looking is not None
    async with asyncio.timeout(PATIENCE):
        await followers._looking


@in_a_loop
async def test_who_may_read_hears_of_remarks_and_nobody_else() -> None:
    boards, words = Boards(), Boards()
    words.last = {BOARD: 70}
    followers = Followers(boards, every=0.01, heartbeat=0.1, words=words)
    reader, watcher = followers.follow(BOARD, reads=True), followers.follow(BOARD)
    assert await hears(reader, 2) == [b"event: board\ndata: 3\n\n", b"event: said\ndata: 70\n\n"]
    assert await told(watcher) == 3
    words.last = {BOARD: 71, OTHER: 72}
    assert await hears(reader, 1) == [b"event: said\ndata: 71\n\n"]
    assert await anext(watcher) == HEARTBEAT, "what he is told of waits for him before that"
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


def told_over_http(server: RunningServer, number: int, plays: Callable[[], None]) -> None:
    """Follow a board until a move that is played meanwhile is told."""
    with httpx.stream("GET", f"{server.web}/boards/{number}/live", timeout=PATIENCE) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        numbers = _numbers(answer)
        before = next(numbers)
        plays()
        assert next(numbers) == before + 1


def test_a_move_by_mail_is_told_and_after_a_restart_too(tmp_path: Path) -> None:
    with running_server(tmp_path, web_listen="127.0.0.1:0") as server:
        number = _board(server)
        told_over_http(server, number, lambda: server.person("alice").says(f"move {number} alice secret b3"))
        server.stop()
        server.start()
        told_over_http(server, number, lambda: server.person("bob").says(f"move {number} bob secret c4,k5"))


def test_a_move_that_another_process_has_written_is_told(postgresql_url: str, tmp_path: Path) -> None:
    settings = {"web_listen": "127.0.0.1:0", "database_url": postgresql_url, "secret_key": KEY}
    with running_server(tmp_path, **settings) as server, Club(postgresql_url, tmp_path, secret_key=KEY) as elsewhere:
        elsewhere.now = datetime.now(UTC)
        elsewhere.joins("alice", "bob")
        number = elsewhere.begins("superbo", "alice", "bob")
        told_over_http(server, number, lambda: elsewhere.moves(number, "b3"))


def _board(server: RunningServer) -> int:
    alice, _ = server.player("alice"), server.player("bob")
    alice.says("superbo challenge alice bob")
    return int(alice.hears().subject.partition("Board ")[2].split()[0])


def _numbers(answer: httpx.Response) -> Iterator[int]:
    for line in answer.iter_lines():
        if line.startswith("data: "):
            yield int(line.removeprefix("data: "))


def held(followers: Followers, *hosts: str) -> int:
    """How many of those who come from these hosts, one after the other, find a place; they stay."""
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


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A server at which one browser of a host follows a board at a time."""
    folder = tmp_path_factory.mktemp("narrow")
    with running_server(folder, web_listen="127.0.0.1:0", max_followers_per_host="1", max_followers="2") as server:
        yield server


@pytest.mark.parametrize("number", [999, 2**31, 10**30])
def test_a_board_that_is_not_there_cannot_be_followed(narrow: RunningServer, number: int) -> None:
    answer = httpx.get(f"{narrow.web}/boards/{number}/live")
    assert answer.status_code == 404
    assert "There is no page of this address." in answer.text
    assert httpx.head(f"{narrow.web}/boards/{number}/live").status_code == 404
    assert httpx.get(f"{narrow.web}/boards/{number}").status_code == 404


def test_who_finds_no_place_is_told_when_to_ask_again_and_finds_one_when_another_leaves(
    narrow: RunningServer,
) -> None:
    live = f"{narrow.web}/boards/{_board(narrow)}/live"
    with httpx.stream("GET", live, timeout=10) as first:
        numbers = _numbers(first)  # whose end would end the connection
        assert next(numbers) == 0
        late = httpx.get(live)
        assert (late.status_code, late.headers["retry-after"]) == (503, str(AGAIN_AFTER))
        assert "no place for more" in late.text
        headers = httpx.head(live)
        assert headers.status_code == 200, "who asks for headers alone needs no place"
        assert headers.headers["content-type"] == first.headers["content-type"]
        with httpx.stream("GET", live, headers={"x-forwarded-for": "192.0.2.1"}, timeout=10) as of_another_host:
            assert of_another_host.status_code == 200
            assert httpx.get(live, headers={"x-forwarded-for": "192.0.2.2"}).status_code == 503
    deadline = time.monotonic() + PATIENCE
    while True:
        with httpx.stream("GET", live, timeout=10) as again:
            if again.status_code == 200:
                break
        assert time.monotonic() < deadline
        time.sleep(0.05)


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
