"""The cost of watchers for a move that is made on the web: ``python -m tests.bench.watchers``.

A server runs in a process of its own; so many browsers follow one board and fetch its page whenever something has
happened there, as `board.js` does. A recorded game is played by forms. Printed are medians per move: how long the
mover waits for the answer to the form, how long it takes until everybody has the new page, and what the server's
process has computed meanwhile.
"""

from __future__ import annotations

import asyncio
import os
import re
import tempfile
import time
from collections.abc import Awaitable, Iterable
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit

import httpx

from tests.bench.play import moves
from tests.support.mail import Postbox
from tests.support.server import RunningServer

WATCHERS = (0, 10, 50, 200)
TURNS = 12
"""Of each game."""

_TICK = os.sysconf("SC_CLK_TCK")


class Watcher:
    """A browser of somebody who has not signed in."""

    def __init__(self, url: str, board: int) -> None:
        self._at, self._board = urlsplit(url), board
        self.seen = asyncio.Event()
        """Set once it has the page that it was told of."""

    async def connect(self) -> None:
        """Begin to follow the board."""
        self._events, writer = await self._open(f"/boards/{self._board}/live")
        await self._events.readuntil(b"retry: 3000")
        self._pages = await self._open(f"/boards/{self._board}")
        await self._page(self._pages[0])
        self._writers = (writer, self._pages[1])
        self._following = asyncio.create_task(self._follow())

    async def _open(self, path: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection(self._at.hostname, self._at.port)
        writer.write(self._request(path))
        return reader, writer

    def _request(self, path: str) -> bytes:
        return f"GET {path} HTTP/1.1\r\nHost: {self._at.netloc}\r\n\r\n".encode()

    async def _page(self, reader: asyncio.StreamReader) -> bytes:
        head = await reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
        assert head.startswith(b"HTTP/1.1 200"), head
        assert length is not None, head
        return await reader.readexactly(int(length[1]))

    async def _follow(self) -> None:
        while True:
            event = await self._events.readuntil(b"data: ")
            number = (await self._events.readline()).strip()
            assert event
            self._pages[1].write(self._request(f"/boards/{self._board}"))
            page = await self._page(self._pages[0])
            assert b'data-event="' + number + b'"' in page
            self.seen.set()

    async def leave(self) -> None:
        """Close the browser."""
        self._following.cancel()
        for writer in self._writers:
            writer.close()


class Mover:
    """A browser of a player who has signed in."""

    def __init__(self, url: str, userid: str) -> None:
        self.userid = userid
        self._client = httpx.AsyncClient(base_url=url, headers={"origin": url})

    async def sign_in(self) -> None:
        """By userid and password."""
        page = (await self._client.get("/sign-in")).text
        fields = {"userid": self.userid, "password": "secret", "token": _token(page), "then": "/"}
        answer = await self._client.post("/sign-in/password", data=fields)
        assert answer.status_code == 303, answer.text

    async def play(self, board: int, turn: str) -> float | None:
        """Make a move; return how long that took in seconds, or None if it is for somebody else to move."""
        page = (await self._client.get(f"/boards/{board}", params={"turn": turn})).text
        found = re.search(r'name="event" value="(\d+)"', page)
        if f"/boards/{board}/move" not in page or found is None:
            return None
        fields = {"turn": turn, "token": _token(page), "event": found[1], "comment": ""}
        began = time.perf_counter()
        answer = await self._client.post(f"/boards/{board}/move", data=fields)
        took = time.perf_counter() - began
        assert answer.status_code == 303, answer.text
        return took


def _token(page: str) -> str:
    found = re.search(r'name="token" value="([^"]*)"', page)
    return found[1] if found else ""


def computed(pid: int) -> float:
    """The seconds that a process has computed so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICK


async def measure(server: RunningServer, movers: list[Mover], board: int, count: int) -> tuple[float, float, float]:
    """Milliseconds: the median answer, the median time until all have the new page, the computing time of a move."""
    watchers = [Watcher(server.web, board) for _ in range(count)]
    for each in watchers:
        await each.connect()
    answers, complete, before = [], [], computed(server.pid)
    for turn in moves()[:TURNS]:
        for each in watchers:
            each.seen.clear()
        began = time.perf_counter()
        answers.append(await _first(mover.play(board, turn) for mover in movers))
        for each in watchers:
            await each.seen.wait()
        complete.append(time.perf_counter() - began)
        await asyncio.sleep(0.3)  # mails go out meanwhile
    work = (computed(server.pid) - before) / TURNS
    for each in watchers:
        await each.leave()
    return 1000 * median(answers), 1000 * median(complete), 1000 * work


async def _first(tries: Iterable[Awaitable[float | None]]) -> float:
    """The time of the move of the player who could make it."""
    for each in tries:
        took = await each
        if took is not None:
            return took
    raise AssertionError("nobody could move")


async def compare(server: RunningServer, boards: list[int]) -> None:
    """Print a line for each number of watchers."""
    movers = [Mover(server.web, userid) for userid in ("alice", "bob")]
    for mover in movers:
        await mover.sign_in()
    await measure(server, movers, boards[0], 0)
    print("watchers   answer, ms   all have it, ms   computed per move, ms")
    for count, board in zip(WATCHERS, boards[1:], strict=True):
        print(
            "{:8d} {:12.1f} {:17.0f} {:23.0f}".format(count, *await measure(server, movers, board, count)), flush=True
        )


def main() -> None:
    """Print what watchers cost."""
    with tempfile.TemporaryDirectory() as folder, Postbox() as postbox:
        server = RunningServer(
            Path(folder), postbox, web_listen="127.0.0.1:0", max_followers_per_host=str(max(WATCHERS))
        )
        server.start()
        try:
            alice, bob = server.player("alice"), server.player("bob")
            boards = []
            for _ in (None, *WATCHERS):
                alice.says("superbo challenge alice bob")
                boards.append(int(alice.hears().subject.partition("Board ")[2].split()[0]))
                bob.hears()
            asyncio.run(compare(server, boards))
        finally:
            server.stop()


if __name__ == "__main__":
    main()
