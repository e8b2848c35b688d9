"""Mamba by mail: a board of two to four players, and openings that lead to a decision of one who is not on turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tests.support.mail import Mail, Person
from tests.support.server import GameServer

OPENINGS = {
    2: ("move f3-f5", "move d9-c8", "move d3-c2", "move d7-b7", "lay f5>f6"),
    3: ("move c4-e4", "move d8-c9", "move i6-i5", "lay e4>f4"),
    4: ("move f3-f4", "move c4-e4"),
}
"""For so many players, the first named begins: at the end another has to say which of two pieces he loses.

Two and three: A has laid, and may lay or move when B or C has answered. Four: B has moved, and D has to answer.
"""

ANSWERS = {2: ("cut f5", "cut f9"), 3: ("cut e4", "cut i4"), 4: ("cut e4", "cut i4")}
"""What may then be answered."""

MOVERS = {2: 0, 3: 0, 4: 1}
"""Whose turn it is then."""

OWNERS = {2: 1, 3: 2, 4: 3}
"""Who has to answer."""


@dataclass
class Round:
    """The players of a board in the order of their seats, and the newest mail that each has of it."""

    people: list[Person]
    mails: list[Mail]

    @property
    def number(self) -> str:
        """The board's number."""
        words = self.mails[0].subject.removeprefix("New ").split()
        return words[2]

    @property
    def userids(self) -> list[str]:
        """The players' names."""
        return [person.address.partition("@")[0] for person in self.people]

    @property
    def to_act(self) -> int:
        """The seat that the Subject names."""
        return self.userids.index(self.mails[0].subject.removesuffix(" **").split()[-1])

    def hear(self) -> None:
        """Let everybody read his next mail of the board; one that has come before came twice."""
        for seat, person in enumerate(self.people):
            known = self.mails[seat].parsed["Message-ID"]
            while self.mails[seat].parsed["Message-ID"] == known:
                self.mails[seat] = person.hears()

    def play(self, *lines: str) -> None:
        """Send lines, each as a reply of the one who has to act."""
        for line in lines:
            self.answer(self.to_act, line)
            self.hear()

    def answer(self, seat: int, body: str) -> None:
        """Let somebody answer his newest mail."""
        self.people[seat].answers(self.mails[seat], body)

    def others(self, seat: int) -> list[Mail]:
        """The mails of all but one."""
        return [mail for each, mail in enumerate(self.mails) if each != seat]


def start(people: Sequence[Person], *options: str) -> Round:
    """Start a board."""
    userids = [person.address.partition("@")[0] for person in people]
    people[0].says(" ".join(("mamba challenge", *options, *userids)))
    return Round(list(people), [person.hears() for person in people])


def begin(server: GameServer, *userids: str, options: Sequence[str] = ("-inorder",)) -> Round:
    """Sign players up and start a board between them; the first moves first if nothing else is said."""
    return start([server.player(userid) for userid in userids], *options)


def begin_with_decision(server: GameServer, *userids: str) -> Round:
    """A board at which somebody who is not on turn has to decide something."""
    table = begin(server, *userids)
    table.play(*OPENINGS[len(userids)])
    assert table.to_act == OWNERS[len(userids)]
    return table
