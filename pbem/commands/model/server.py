"""Commands about the whole server."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pbem.commands.model.roots import Command, SpokenCommand


@dataclass(frozen=True, slots=True)
class Help(Command):
    """``help``, ``help superbo``, ``help move``."""

    form: ClassVar[str] = "help"
    subjects: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ListGames(Command):
    """``list``: the games that the server plays; ``list superbo``: these of them."""

    form: ClassVar[str] = "list"
    games: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ShowWho(Command):
    """``who fsmith``: the public record of a player; without a userid those who were here lately."""

    form: ClassVar[str] = "who"
    userid: str | None = None


@dataclass(frozen=True, slots=True)
class ShowStandings(Command):
    """``superbo standings``: the ratings of the players of a game; without a game of every game."""

    form: ClassVar[str] = "standings"
    game: str | None = None


@dataclass(frozen=True, slots=True)
class ShowRobots(Command):
    """``superbo robot``: the computer opponents for a game; without one for every game."""

    form: ClassVar[str] = "robot"
    game: str | None = None


@dataclass(frozen=True, slots=True)
class ShowHistory(Command):
    """``superbo history fsmith``: finished boards, of one player or all, of one game or all."""

    form: ClassVar[str] = "history"
    userid: str | None = None
    game: str | None = None


@dataclass(frozen=True, slots=True)
class SendMessage(SpokenCommand):
    """``message fsmith secret bob jdoe``: the text below it goes to these players."""

    form: ClassVar[str] = "message"
    to: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Broadcast(SpokenCommand):
    """``broadcast fsmith secret``: the text below it goes to everybody who wants such mails."""

    form: ClassVar[str] = "broadcast"
