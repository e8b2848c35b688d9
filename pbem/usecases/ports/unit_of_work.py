"""Everything that one letter, click or clock stroke reads and changes."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Protocol

from pbem.errors import PbemError
from pbem.usecases.ports.boards import Analyses, Boards, Clocks, Errands, Seeks, Tournaments
from pbem.usecases.ports.mail import (
    Bounces,
    Broadcasts,
    Confirmations,
    Correspondents,
    Digests,
    Mails,
    Reports,
    Watches,
)
from pbem.usecases.ports.players import (
    Blocks,
    Players,
    Rankings,
    Ratings,
    Readiness,
    SolvedPuzzles,
    Traces,
    WrongPasswords,
)
from pbem.usecases.ports.tokens import Tokens
from pbem.usecases.ports.web import Remarks, Sessions


class Conflict(PbemError):
    """Somebody else changed what a unit of work was decided upon; it must be decided anew."""


class UnitOfWork(Protocol):
    """Reads now, keeps what is to be written, and writes it all in one short transaction or not at all."""

    @property
    def players(self) -> Players:
        """The players, changes of this unit of work included."""

    @property
    def boards(self) -> Boards:
        """The boards, changes of this unit of work included."""

    @property
    def clocks(self) -> Clocks:
        """When the clocks of boards are to be looked at."""

    @property
    def errands(self) -> Errands:
        """What boards ask of robots, as it is stored."""

    @property
    def analyses(self) -> Analyses:
        """Which boards are to be analysed, changes of this unit of work included."""

    @property
    def traces(self) -> Traces:
        """What else is known of players."""

    @property
    def wrong_passwords(self) -> WrongPasswords:
        """The wrong passwords of late, those of this unit of work included."""

    @property
    def confirmations(self) -> Confirmations:
        """The questions, changes of this unit of work included."""

    @property
    def correspondents(self) -> Correspondents:
        """What addresses have been answered lately, changes of this unit of work included."""

    @property
    def bounces(self) -> Bounces:
        """Mails that came back, changes of this unit of work included."""

    @property
    def mails(self) -> Mails:
        """Mails of ours as they are stored; what is about to be mailed is not among them."""

    @property
    def reports(self) -> Reports:
        """What players have told the operator, changes of this unit of work included."""

    @property
    def ratings(self) -> Ratings:
        """The ratings, changes of this unit of work included."""

    @property
    def solved_puzzles(self) -> SolvedPuzzles:
        """Which puzzles players have solved, those of this unit of work included."""

    @property
    def rankings(self) -> Rankings:
        """The ratings and records of players as they are stored."""

    @property
    def tournaments(self) -> Tournaments:
        """The tournaments, changes of this unit of work included."""

    @property
    def watches(self) -> Watches:
        """Who watches which boards, changes of this unit of work included."""

    @property
    def digests(self) -> Digests:
        """What is kept for daily mails."""

    @property
    def broadcasts(self) -> Broadcasts:
        """What players tell everybody, changes of this unit of work included."""

    @property
    def blocks(self) -> Blocks:
        """Who wants nothing from whom, changes of this unit of work included."""

    @property
    def readiness(self) -> Readiness:
        """To how many boards players may be challenged, changes of this unit of work included."""

    @property
    def seeks(self) -> Seeks:
        """The seeks, changes of this unit of work included."""

    @property
    def sessions(self) -> Sessions:
        """Who is signed in on the web, changes of this unit of work included."""

    @property
    def tokens(self) -> Tokens:
        """By what programs speak for their players, changes of this unit of work included."""

    @property
    def remarks(self) -> Remarks:
        """What players write at boards."""

    @property
    def changes_boards(self) -> bool:
        """Whether a board has been saved."""

    def attempt(self) -> AbstractContextManager[None]:
        """A stretch whose changes are forgotten if an exception leaves it."""

    def rehearsal(self) -> AbstractContextManager[None]:
        """A stretch whose changes are forgotten at its end."""
