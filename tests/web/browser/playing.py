"""What many of these tests begin with: players at a board, each with a browser open at it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.support.browser import Visitor
    from tests.support.mail import Mail, Person
    from tests.support.server import RunningServer
    from tests.web.browser.conftest import Come

_NUMBER = re.compile(r"Board (\d+)")


@dataclass
class Table:
    """A board; whoever sits at it has signed in and looks at it."""

    number: str
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


def seat(server: RunningServer, come: Come, command: str, *userids: str, **profile: Any) -> Table:
    """Sign players up, have the first one challenge by mail, and open the board in a browser each."""
    people = [server.player(userid) for userid in userids]
    people[0].says(command)
    mails = [person.hears() for person in people]
    (number,) = _NUMBER.findall(mails[0].subject)
    table = Table(number, people, mails, [come(**profile) for _ in userids])
    for visitor, userid in zip(table.visitors, userids, strict=True):
        visitor.signs_in(userid, then=table.path)
    return table
