"""Commands by which boards are begun."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pbem.commands.model.roots import Command, SpokenCommand


@dataclass(frozen=True, slots=True)
class Challenge(Command):
    """``superbo challenge bob``: starts a board. ``options`` are the option words without their dashes."""

    form: ClassVar[str] = "challenge"
    game: str
    userids: tuple[str, ...]
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AcceptChallenges(SpokenCommand):
    """``superbo accept fsmith secret``: I may be challenged, to any number of boards."""

    form: ClassVar[str] = "accept"
    game: str


@dataclass(frozen=True, slots=True)
class RejectChallenges(SpokenCommand):
    """``superbo reject fsmith secret``: nobody may challenge me."""

    form: ClassVar[str] = "reject"
    game: str


@dataclass(frozen=True, slots=True)
class ShowLimit(SpokenCommand):
    """``superbo limit fsmith secret``: to how many boards I may be challenged."""

    form: ClassVar[str] = "limit"
    game: str


@dataclass(frozen=True, slots=True)
class LimitBoards(SpokenCommand):
    """``superbo limit fsmith secret 5``: no challenges while I have so many active boards."""

    form: ClassVar[str] = "limit"
    game: str
    most: int


@dataclass(frozen=True, slots=True)
class Seek(SpokenCommand):
    """``superbo seek fsmith secret 2 -adjacent_pair -pace=3``: looks for others who seek the same; 0 ends it."""

    form: ClassVar[str] = "seek"
    game: str
    wanted: int = 1
    options: tuple[str, ...] = ()
    """As typed, without their dashes; those of the game, of the clock and of the seek."""


@dataclass(frozen=True, slots=True)
class ShowSeeks(Command):
    """``seek``: who looks for whom, in all games."""

    form: ClassVar[str] = "seek"


@dataclass(frozen=True, slots=True)
class CreateTournament(SpokenCommand):
    """``superbo tournament create fsmith secret spring -swiss -rounds=3``."""

    form: ClassVar[str] = "tournament"
    game: str
    name: str
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class JoinTournament(SpokenCommand):
    """``superbo tournament join fsmith secret spring``."""

    form: ClassVar[str] = "tournament"
    game: str
    name: str


@dataclass(frozen=True, slots=True)
class WithdrawFromTournament(SpokenCommand):
    """``superbo tournament withdraw fsmith secret spring``."""

    form: ClassVar[str] = "tournament"
    game: str
    name: str


@dataclass(frozen=True, slots=True)
class StartTournament(SpokenCommand):
    """``superbo tournament start fsmith secret spring``."""

    form: ClassVar[str] = "tournament"
    game: str
    name: str


@dataclass(frozen=True, slots=True)
class ShowTournament(Command):
    """``superbo tournament show spring``: how it stands; without a name the tournaments of the game."""

    form: ClassVar[str] = "tournament"
    game: str
    name: str | None = None
