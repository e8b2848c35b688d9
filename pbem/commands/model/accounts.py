"""Commands about accounts."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import ClassVar

from pbem.commands.model.roots import Command, SpokenCommand
from pbem.ids import BoardNumber


@dataclass(frozen=True, slots=True)
class SignUp(Command):
    """``signup fsmith secret [fsmith@example.org …]``; without a password the player always proves by mail."""

    form: ClassVar[str] = "signup"
    userid: str
    password: str | None = field(default=None, repr=False)
    addresses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ShowPreferences(SpokenCommand):
    """``set``: what I have chosen about my mails."""

    form: ClassVar[str] = "set"


@dataclass(frozen=True, slots=True)
class SetPreferences(SpokenCommand):
    """``set fsmith secret mail=text``; ``settings`` are keys and values as typed."""

    form: ClassVar[str] = "set"
    settings: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class AddAddresses(SpokenCommand):
    """``add fsmith secret fsmith@example.net``: more addresses."""

    form: ClassVar[str] = "add"
    addresses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ChangeAddresses(SpokenCommand):
    """``change address fsmith secret fsmith@example.net``; without an address the sender's is meant."""

    form: ClassVar[str] = "change"
    addresses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ChangePassword(SpokenCommand):
    """``change password fsmith secret better``, or ``change password better``."""

    form: ClassVar[str] = "change"
    password: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Forgot(Command):
    """``forgot fsmith``: whoever reads the mail of that player may set a new password."""

    form: ClassVar[str] = "forgot"
    userid: str


@dataclass(frozen=True, slots=True)
class ShowData(SpokenCommand):
    """``data``: everything that the server holds about the player."""

    form: ClassVar[str] = "data"


@dataclass(frozen=True, slots=True)
class SignOff(SpokenCommand):
    """``signoff``: the player leaves the server."""

    form: ClassVar[str] = "signoff"


@dataclass(frozen=True, slots=True)
class ReportPlayer(SpokenCommand):
    """``report fsmith secret bob 101``: the text below it is for the operator."""

    form: ClassVar[str] = "report"
    about: str
    board: BoardNumber | None = None


@dataclass(frozen=True, slots=True)
class ShowVacation(SpokenCommand):
    """``vacation``: until when I am away, and how many days I have left."""

    form: ClassVar[str] = "vacation"


@dataclass(frozen=True, slots=True)
class TakeVacation(SpokenCommand):
    """``vacation fsmith secret 2026-12-31``: away until the end of that day; ``vacation 5``: today and 4 days more."""

    form: ClassVar[str] = "vacation"
    until: date | timedelta


@dataclass(frozen=True, slots=True)
class EndVacation(SpokenCommand):
    """``vacation off``: back again."""

    form: ClassVar[str] = "vacation"


@dataclass(frozen=True, slots=True)
class Block(SpokenCommand):
    """``block fsmith secret bob``: no challenges, chat or messages from him; he is not told."""

    form: ClassVar[str] = "block"
    other: str


@dataclass(frozen=True, slots=True)
class Unblock(SpokenCommand):
    """``unblock fsmith secret bob``."""

    form: ClassVar[str] = "unblock"
    other: str
