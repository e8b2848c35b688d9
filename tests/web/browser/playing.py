"""The beginning of many of these tests: players at a board, each with a browser open at it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from playwright.sync_api import Page, Route

from tests.support.browser import Visitor
from tests.support.mail import PATIENCE, Mail, Person
from tests.support.server import RunningServer
from tests.web.browser.conftest import Come

_NUMBER = re.compile(r"Board (\d+)")
_numbers = count(1)


def fresh(*names: str) -> tuple[str, ...]:
    """Userids that begin so and that nobody has had yet: these tests share a server."""
    return tuple(f"{name}{next(_numbers)}" for name in names)


@dataclass
class BrowserBoard:
    """A board; whoever sits at it has signed in and looks at it."""

    number: str
    userids: Sequence[str]
    people: list[Person]
    mails: list[Mail]
    """The last mail that each of them got of it."""
    visitors: list[Visitor]

    @property
    def path(self) -> str:
        """Of its page."""
        return f"/boards/{self.number}"

    def goes_on(self, *turns: str) -> None:
        """Have a game for two that has not begun go on by mail, until both see it."""
        for ply, turn in enumerate(turns):
            self.people[ply % 2].answers(self.mails[ply % 2], turn)
            self.mails = [person.hears() for person in self.people]
        for visitor in self.visitors:
            visitor.sees(f"{len(turns)}. {turns[-1]}")


def seat(server: RunningServer, come: Come, challenge: str, *names: str, **profile: Any) -> BrowserBoard:
    """Sign players up, have the first one challenge all of them by mail, and open the board in a browser each.

    Args:
        server: the server.
        come: opens browsers.
        challenge: the game and the options, as they are typed.
        names: what the players' userids begin with.
        profile: of the browsers.
    """
    userids = fresh(*names)
    people = [server.player(userid) for userid in userids]
    game, *options = challenge.split()
    people[0].says(" ".join([game, "challenge", *options, *userids]))
    mails = [person.hears() for person in people]
    (number,) = _NUMBER.findall(mails[0].subject)
    table = BrowserBoard(number, userids, people, mails, [come(**profile) for _ in userids])
    for visitor, userid in zip(table.visitors, userids, strict=True):
        visitor.signs_in(userid, then=table.path)
    return table


def waits_until(page: Page, is_so: Callable[[], bool]) -> None:
    """Wait until something is so that no `expect` knows of."""
    deadline = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < deadline, "it never was"
        page.wait_for_timeout(20)


class HeldRequests:
    """Requests for a page that are answered when the test says so."""

    def __init__(self, page: Page, pattern: str) -> None:
        self.routes: list[Route] = []
        self.page = page
        page.route(re.compile(pattern), self._hold)

    def _hold(self, route: Route) -> None:
        self.routes.append(route)

    def come(self) -> None:
        """Wait until there is one."""
        waits_until(self.page, lambda: bool(self.routes))
