"""Commands of those who watch boards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pbem.commands.model.roots import BoardCommand, SpokenCommand
from pbem.ids import BoardNumber


@dataclass(frozen=True, slots=True)
class Watched:
    """What somebody watches: boards by number, those of players, or all that there are and will be."""

    boards: tuple[BoardNumber, ...] = ()
    userids: tuple[str, ...] = ()
    everything: bool = False


@dataclass(frozen=True, slots=True)
class Subscribe(BoardCommand):
    """``subscribe 101``: all mail of a board; a player there gets all of it again."""

    form: ClassVar[str] = "subscribe"


@dataclass(frozen=True, slots=True)
class Unsubscribe(BoardCommand):
    """``unsubscribe 101``: no mail of it any more; to a player only when it is for him to act, and at the end."""

    form: ClassVar[str] = "unsubscribe"


@dataclass(frozen=True, slots=True)
class SubscribeTo(SpokenCommand):
    """``subscribe fsmith secret 101 102``, ``superbo subscribe all``, ``subscribe to bob``."""

    form: ClassVar[str] = "subscribe"
    watched: Watched
    game: str | None = None


@dataclass(frozen=True, slots=True)
class UnsubscribeFrom(SpokenCommand):
    """``unsubscribe fsmith secret 101 102``, ``superbo unsubscribe all``, ``unsubscribe to bob``."""

    form: ClassVar[str] = "unsubscribe"
    watched: Watched
    game: str | None = None


@dataclass(frozen=True, slots=True)
class NotifyOfEnd(SpokenCommand):
    """``superbo notify fsmith secret 101``: a mail when the board ends, or any board of the game; again to stop."""

    form: ClassVar[str] = "notify"
    boards: tuple[BoardNumber, ...] = ()
    game: str | None = None
