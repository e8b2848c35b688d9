"""A server with players and boards at a real database, and browsers that look at its pages."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, Self
from urllib.parse import urljoin, urlsplit

import httpx
from lxml import html
from starlette.types import ASGIApp

from pbem.bootstrap.server import Server
from pbem.cli.admin.on_web import admin_commands
from pbem.commands.challenges import Challenge
from pbem.commands.grammar import parse
from pbem.commands.internal import AdvanceTournament, AnnulBoard
from pbem.config import Settings
from pbem.domain.boards import Board
from pbem.domain.letters import Evidence
from pbem.domain.mails import Notice
from pbem.domain.players import Address, Player
from pbem.ids import BoardNumber
from pbem.storage.broadcasts import post_bulletin
from pbem.storage.engine import writing
from pbem.usecases.context import Context, Proof, Speaker
from pbem.usecases.dispatcher import dispatch
from pbem.usecases.signing_in import begin_session
from tests.storage.stock import AT, MINUTE

URL = "http://pbem.example"


class WebClient:
    """A browser of somebody, without scripts."""

    def __init__(
        self, app: ASGIApp, runner: asyncio.Runner, cookies: Mapping[str, str], host: str = "127.0.0.1"
    ) -> None:
        self._runner = runner
        transport = httpx.ASGITransport(app, client=(host, 50_000))
        self.client = httpx.AsyncClient(transport=transport, base_url=URL, cookies=dict(cookies))

    def asks(self, address: str, method: str = "GET", **more: Any) -> httpx.Response:
        """Send a request; redirects are not followed."""
        return self._runner.run(self.client.request(method, address, **more))

    def opens(self, address: str, status: int = 200) -> WebPage:
        """Open a page, which must come with this status."""
        answer = self.asks(address)
        assert answer.status_code == status, (address, answer.status_code, answer.text[:500])
        return WebPage(answer)


class WebPage:
    """A page as a browser shows it."""

    def __init__(self, answer: httpx.Response) -> None:
        self.answer = answer
        self.source = answer.text
        self.root: Any = html.document_fromstring(answer.text)

    @property
    def text(self) -> str:
        """Its words, with one blank between them."""
        return " ".join(self.root.find("body").text_content().split())

    def all(self, xpath: str) -> list[str]:
        """The words of the elements, or the attributes, that an XPath finds."""
        return [" ".join((each if isinstance(each, str) else each.text_content()).split()) for each in self.find(xpath)]

    def find(self, xpath: str) -> list[Any]:
        """The elements that an XPath finds."""
        return list(self.root.xpath(xpath))

    @property
    def links(self) -> Iterator[str]:
        """The addresses within the server to which its links lead, without fragments."""
        for href in self.all("//a/@href"):
            parts = urlsplit(urljoin(str(self.answer.url), href))
            if parts.scheme == "http":
                yield parts._replace(scheme="", netloc="", fragment="").geturl()

    def table(self, caption: str) -> list[list[str]]:
        """The cells of the table of this caption, row by row."""
        (table,) = [each for each in self.find("//table") if each.find("caption").text_content() == caption]
        rows = table.find("tbody").iterchildren("tr")
        return [[" ".join(cell.text_content().split()) for cell in row] for row in rows]


class WebSite:
    """A server that is asked by use cases and by browsers alone; its clock goes on when it is told to."""

    def __init__(self, database_url: str, folder: Path, **more: str) -> None:
        own = {
            "PBEM_DATABASE_URL": database_url,
            "PBEM_RELAY_URL": f"maildir:{folder / 'mail'}",
            "PBEM_SECRET_KEY": "a key for the tests of pages",
            "PBEM_PASSWORD_MEMORY_KIB": "8",
            "PBEM_PASSWORD_ROUNDS": "1",
            "PBEM_WEB_URL": URL,
        }
        settings = Settings.read(own | {f"PBEM_{name.upper()}": value for name, value in more.items()})
        self.server = Server(settings, admin_commands=admin_commands() if settings.admin_commands else None)
        self.now = AT
        self._app = self.server.app(clock=lambda: self.now)
        self._runner = asyncio.Runner()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._runner.close()
        self.server.close()

    def joins(self, *userids: str, **facts: Any) -> None:
        """Have players who have confirmed an address each."""
        with self.server.unit_of_work() as uow:
            for userid in userids:
                address = Address(f"{''.join(filter(str.isalnum, userid))}@example.org", self.now)
                new = Player(uow.players.next_id(), userid, (address,), self.now, **facts)
                uow.players.save(new)
            uow.commit()

    def does(self, userid: str | None, deed: Callable[[Context], list[Notice]]) -> list[Notice]:
        """Have something done in the name of a player, a minute after what was done before."""
        self.now += MINUTE
        with self.server.unit_of_work() as uow:
            player = None if userid is None else uow.players.by_userid(userid)
            speaker = Speaker(player, Proof.PROVEN if player else Proof.NONE)
            context = self.server.parts.make_context(uow, self.now, Evidence(answer_to=f"{userid}@example.org"))
            told = deed(replace(context, speaker=speaker))
            uow.commit()
        return told

    def says(self, userid: str, line: str, words: str = "") -> list[Notice]:
        """Carry out a command of a player as typed, perhaps with words of theirs."""
        return self.does(userid, lambda context: dispatch(parse(line, context.games), replace(context, comment=words)))

    def begins(self, game: str, *userids: str, options: str = "") -> int:
        """Have a board begun; return its number."""
        self.says(userids[0], f"{game} challenge {options} {' '.join(userids[1:])}")
        return max(self.numbers)

    def begins_with(self, game: str, *userids: str) -> int:
        """The same between players whose userids cannot be typed."""
        self.does(userids[0], lambda context: dispatch(Challenge(game, userids[1:]), context))
        return max(self.numbers)

    def moves(self, number: int, *turns: str) -> None:
        """Have turns played by whoever is to act."""
        for turn in turns:
            board = self.board(number)
            to_act = self.course(board).to_act
            assert to_act is not None
            self.says(board.seats[to_act].userid, f"move {number} {turn}")

    def shares_study(self, userid: str, number: int) -> str:
        """Have a player make a study of a game that is over, and share it; return the key of its link."""
        self.says(userid, f"study {number}", "#0 {1 2 3}")
        self.says(userid, f"study {number} share")
        with self.server.unit_of_work() as uow:
            player = uow.players.by_userid(userid)
            study = None if player is None else uow.studies.find(player.id, BoardNumber(number))
        assert study is not None
        assert study.key is not None
        return study.key

    def course(self, board: Board) -> Any:
        """The state of a board by the rules."""
        with self.server.unit_of_work() as uow:
            return self.server.parts.make_context(uow, self.now, Evidence(answer_to="")).course(board)

    def board(self, number: int) -> Board:
        """A board as it is stored."""
        with self.server.unit_of_work() as uow:
            found = uow.boards.find(BoardNumber(number))
        assert found is not None
        return found

    @property
    def numbers(self) -> list[int]:
        """The numbers of all boards."""
        with self.server.unit_of_work() as uow:
            return [int(each.number) for each in uow.boards.each()]

    def waits(self, time: timedelta) -> None:
        """Let time pass."""
        self.now += time

    def bulletin(self, text: str) -> None:
        """Have the operator tell everybody something."""
        with writing(self.server.engine) as connection:
            post_bulletin(connection, text, self.now, None)

    def annuls(self, number: int) -> None:
        """Have the operator annul a board."""
        self.does(None, lambda context: dispatch(AnnulBoard(BoardNumber(number)), context))

    def advances(self, game: str, name: str) -> None:
        """Have the next round of a tournament drawn."""
        with self.server.unit_of_work() as uow:
            tournament = uow.tournaments.find(game, name)
        assert tournament is not None
        self.does(None, lambda context: dispatch(AdvanceTournament(tournament.id), context))

    def guest(self, host: str = "127.0.0.1") -> WebClient:
        """The browser of somebody who has not signed in."""
        return self.browser_with({}, host)

    def browser(self, userid: str) -> WebClient:
        """The browser of a player who has signed in."""
        secrets: list[str] = []

        def sign_in(context: Context) -> list[Notice]:
            secrets.append(begin_session(context.speaker.known, timedelta(days=30), context))
            return []

        self.does(userid, sign_in)
        return self.browser_with({"session": secrets[0]})

    def browser_with(self, cookies: Mapping[str, str], host: str = "127.0.0.1") -> WebClient:
        return WebClient(self._app, self._runner, cookies, host)
