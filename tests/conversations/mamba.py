"""Mamba by mail: a board of two to four players, and openings that lead to a decision of one who is not on turn."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from pbem.games.mamba.game import MAMBA
from pbem.games.mamba.position import Position
from pbem.games.mamba.squares import MARKS
from pbem.games.mamba.steps import Step
from tests.diagrams.mamba.boards import read
from tests.support.mail import Mail, Person
from tests.support.server import GameServer

OPENINGS = {
    2: ("move f3-f5", "move d9-c8", "move d3-c2", "move d7-b7", "lay f5>f6"),
    3: ("move c4-e4", "move d8-c9", "move i6-i5", "lay e4>f4"),
    4: ("move f3-f4", "move c4-e4"),
}
"""For so many players, the first named begins: at the end another has to say which of two pieces to lose.

Two and three: A has laid, and may lay or move when B or C has answered. Four: B has moved, and D has to answer.
"""

ANSWERS = {2: ("cut f5", "cut f9"), 3: ("cut e4", "cut i4"), 4: ("cut e4", "cut i4")}
"""The answers that are possible then."""

MOVERS = {2: 0, 3: 0, 4: 1}
"""The seat on turn then."""

OWNERS = {2: 1, 3: 2, 4: 3}
"""The seat that has to answer."""


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
        """Let everybody read their next mail of the board; one that has come before came twice."""
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
        """Let somebody answer their newest mail."""
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


_MOST_WEIGHED = 14


@dataclass
class PlayedLine:
    """A line that a player sends, and its result."""

    text: str
    after: Position
    left_over: str


def best_for(seats: Collection[int], position: Position, chance: random.Random) -> Step:
    """The step that serves some seats best, among a few: everybody plays for them, so that the game soon ends."""
    steps = position.legal()

    def worth(step: Step) -> int:
        after = position.play(step)
        pieces = (len(after.pieces(seat)) * (1 if seat in seats else -1) for seat in range(after.rules.players))
        return sum(pieces) + 100 * (after.outcome is not None)

    return max(chance.sample(steps, min(_MOST_WEIGHED, len(steps))), key=worth)


def next_line(position: Position, seats: Collection[int], chance: random.Random) -> PlayedLine:
    """A turn, or the beginning of it, with its answers; with one step too many where another has to decide."""
    mover, now, words = position.to_act, position, list[str]()
    while now.outcome is None and now.ply == position.ply and now.to_act == mover:
        if words and chance.random() < 0.3:
            return PlayedLine(" ".join(words), now, "")
        step = best_for(seats, now, chance)
        words.append(MAMBA.input_text(now, (step,)).move)
        now = now.play(step)
    is_others = now.decision is not None and now.ply == position.ply
    return PlayedLine(" ".join([*words, "pass"] if is_others else words), now, "pass" if is_others else "")


def check(mail: Mail, position: Position, table: Round) -> None:
    """A mail shows the position as an independent replay has it, and names who has to act."""
    if position.to_act is None:
        assert mail.subject == f"mamba Board {table.number}"
    else:
        to_act = table.userids[position.to_act]
        assert mail.subject == f"mamba Board {table.number} {to_act}"
        is_reader = mail.recipient == table.people[position.to_act].address
        if position.decision:
            told = "You have to decide." if is_reader else f"{to_act} has to decide."
        else:
            told = f"Your move, {to_act}." if is_reader else f"It's {to_act}'s move."
        assert mail.text.startswith(f"Summary of mamba Board {table.number}\n\n{told} ")
    assert read(mail.text).squares == position.squares
    for seat in position.playing:
        cells = sorted(position.rules.grid.names[cell] for cell in position.pieces(seat))
        assert f"{MARKS[seat]} has {len(cells)}: {' '.join(cells)}" in mail.words


# players · seed · for whom all play · who has won
WHOLE = {
    "two": ({}, 2, 38, (1,), "bob"),
    "three": ({}, 3, 100, (2,), "carol"),
    "four": ({}, 4, 63, (1,), "bob"),
    "teams": ({"teams": True}, 4, 215, (1, 3), "bob and dave"),
}
BOTH = OPENINGS[2][:-1]
"""After these lines f5 is isolated: it can lay where it can move, too."""

TO_A_TURN = (
    *("move f3-h3", "move b6-b7", "move e8-e6", "move g4-f4", "move d2-c3", "move a4-a2", "move d8-c7"),
    *("lay f4>f3 move h5-h4", "move h3-i3", "lay a2>b2 move b5-b6", "lay d9>c9 move f9-e8", "move g6-h5"),
    "move e2-c2",
)
"""With four players: A has moved, and must say which piece is to be treated next."""
