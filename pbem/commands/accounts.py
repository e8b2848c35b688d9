"""Commands about accounts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import ClassVar

from pbem.commands.command import Command, Need, SpokenCommand, Userid
from pbem.commands.line import SENTENCE_ENDS, Line, whole_number, without_to
from pbem.commands.refusals import MissingWord, NotABoard, NotADate, NotASetting, UnknownDeed
from pbem.commands.verb import Care, Group, Scope, Verb
from pbem.ids import BoardNumber


@dataclass(frozen=True, slots=True)
class SignUp(Command):
    """``signup fsmith secret [fsmith@example.org …]``; without a password the player is always asked by mail."""

    form: ClassVar[str] = "signup"
    userid: Userid
    password: str | None = field(default=None, repr=False)
    addresses: tuple[str, ...] = ()


@Verb(
    "signup",
    Group.ACCOUNTS,
    Scope.SERVER,
    care=Care.PERSONAL,
    begins_sentences=False,
    translations={"de": ("anmelden", "registrieren"), "fr": ("inscription", "inscrire")},
)
def read_signup(line: Line) -> Command:
    """``signup <userid> [<password> [<address>*]]``."""
    if not line.words:
        raise MissingWord("signup", "userid")
    userid, *rest = line.words
    return SignUp(userid, rest[0] if rest else None, tuple(rest[1:]))


@dataclass(frozen=True, slots=True)
class AddAddresses(SpokenCommand):
    """``add fsmith secret fsmith@example.net``: more addresses."""

    form: ClassVar[str] = "add"
    needs: ClassVar[Need] = Need.CONSENT
    addresses: tuple[str, ...]


@Verb("add", Group.ACCOUNTS, Scope.SERVER, care=Care.STRICT)
def read_add(line: Line) -> Command:
    """``add [<userid> <password>] <address>+``."""
    speaker, words = line.credentials(line.words)
    if not words:
        raise MissingWord("add", "address")
    return AddAddresses(words, speaker=speaker)


@dataclass(frozen=True, slots=True)
class ChangeAddresses(SpokenCommand):
    """``change address fsmith secret fsmith@example.net``; without an address the sender's is meant."""

    form: ClassVar[str] = "change"
    needs: ClassVar[Need] = Need.CONSENT
    addresses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ChangePassword(SpokenCommand):
    """``change password fsmith secret better``, or ``change password better``."""

    form: ClassVar[str] = "change"
    needs: ClassVar[Need] = Need.CONSENT
    password: str = field(repr=False)


@Verb("change", Group.ACCOUNTS, Scope.SERVER, care=Care.STRICT, begins_sentences=False)
def read_change(line: Line) -> Command:
    """``change password ...`` or ``change address ...``; another word in their place may be a password."""
    what = line.words[0].lower().rstrip(":") if line.words else ""
    if what == "password":
        return _new_password(line, line.words[1:])
    if not what:
        raise MissingWord("change", "change")
    if what not in ("address", "addresses"):
        raise UnknownDeed("change", ("password", "address"))
    speaker, words = line.credentials(line.words[1:])
    return ChangeAddresses(words, speaker=speaker)


def _new_password(line: Line, words: tuple[str, ...]) -> Command:
    """``change password [<userid> <old>] <new>``: one word alone is the new password, whatever it looks like."""
    speaker = None
    if len(words) > 1:
        speaker, words = line.credentials(words)
    if not words:
        raise MissingWord("change", "new")
    line.nothing_left(words[1:])
    return ChangePassword(words[0], speaker=speaker)


@dataclass(frozen=True, slots=True)
class Forgot(Command):
    """``forgot fsmith``: whoever reads the mail of that player may set a new password."""

    form: ClassVar[str] = "forgot"
    userid: Userid


@Verb("forgot", Group.ACCOUNTS, Scope.SERVER, care=Care.STRICT, begins_sentences=False)
def read_forgot(line: Line) -> Command:
    """``forgot <userid>``."""
    if not line.words or not line.could_be_userid(line.words[0]):
        raise MissingWord("forgot", "userid")
    line.nothing_left(line.words[1:])
    return Forgot(line.words[0])


@dataclass(frozen=True, slots=True)
class ShowPreferences(SpokenCommand):
    """``set``: the preferences of the speaker."""

    form: ClassVar[str] = "set"
    needs: ClassVar[Need] = Need.KNOWN
    only_shows: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class SetPreferences(SpokenCommand):
    """``set fsmith secret mail=text``; ``settings`` are keys and values as typed."""

    form: ClassVar[str] = "set"
    settings: tuple[tuple[str, str], ...]

    def arguments(self) -> Iterable[object]:
        """``mail=text`` and others."""
        return (f"{key}={value}" for key, value in self.settings)


@Verb(
    "set",
    Group.ACCOUNTS,
    Scope.SERVER,
    care=Care.PERSONAL,
    begins_sentences=False,
    translations={"de": ("einstellungen",), "fr": ("préférences",)},
)
def read_set(line: Line) -> Command:
    """``set [<userid> <password>] [<key>=<value>*]``."""
    speaker, words = line.credentials(line.words)
    settings = tuple(_setting(word) for word in words)
    return SetPreferences(settings, speaker=speaker) if settings else ShowPreferences(speaker=speaker)


def _setting(word: str) -> tuple[str, str]:
    key, sign, value = word.partition("=")
    if not (key and sign and value):
        raise NotASetting("set", word)
    return key, value


@dataclass(frozen=True, slots=True)
class ShowVacation(SpokenCommand):
    """``vacation``: the end of the speaker's vacation, and the days they have left."""

    form: ClassVar[str] = "vacation"
    needs: ClassVar[Need] = Need.KNOWN
    only_shows: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class TakeVacation(SpokenCommand):
    """``vacation fsmith secret 2026-12-31``: away until the end of that day; ``vacation 5``: today and 4 days more."""

    form: ClassVar[str] = "vacation"
    until: date | timedelta

    def arguments(self) -> Iterable[object]:
        """A date, or a number of days."""
        return (self.until.days if isinstance(self.until, timedelta) else self.until.isoformat(),)


@dataclass(frozen=True, slots=True)
class EndVacation(SpokenCommand):
    """``vacation off``: back again."""

    form: ClassVar[str] = "vacation"

    def arguments(self) -> Iterable[object]:
        """``off``."""
        return ("off",)


@Verb(
    "vacation",
    Group.ACCOUNTS,
    Scope.SERVER,
    care=Care.PERSONAL,
    translations={"de": ("urlaub",), "fr": ("vacances",)},
)
def read_vacation(line: Line) -> Command:
    """``vacation [<userid> <password>] [<YYYY-MM-DD>|<n> [days|weeks]|off]``."""
    speaker, words = line.credentials(line.words)
    if words[1:] and words[0].lower() in ("to", "until"):
        words = words[1:]
    days = _days(words)
    if days is not None:
        return TakeVacation(days, speaker=speaker)
    line.nothing_left(words[1:])
    if not words:
        return ShowVacation(speaker=speaker)
    if words[0].lower() == "off":
        return EndVacation(speaker=speaker)
    try:
        return TakeVacation(date.fromisoformat(words[0]), speaker=speaker)
    except ValueError:
        raise NotADate("vacation", words[0]) from None


def _days(words: tuple[str, ...]) -> timedelta | None:
    """So many days or weeks; None: the words name no such time."""
    match = re.fullmatch(r"([1-9][0-9]{0,2}) ?(days?|weeks?|)", " ".join(words).lower().rstrip(SENTENCE_ENDS))
    return timedelta(int(match[1]) * (7 if match[2].startswith("w") else 1)) if match else None


@dataclass(frozen=True, slots=True)
class Block(SpokenCommand):
    """``block fsmith secret bob``: no challenges, chat or messages from bob, who is not told."""

    form: ClassVar[str] = "block"
    other: Userid

    def arguments(self) -> Iterable[object]:
        """``to bob``."""
        return ("to", self.other)


@Verb("block", Group.ACCOUNTS, Scope.SERVER, translations={"de": ("blockieren",), "fr": ("bloquer",)})
def read_block(line: Line) -> Command:
    """``block [<userid> <password>] <other>``; short also ``block to <other>``."""
    speaker, words = line.speaker_and_others()
    line.nothing_left(words[1:])
    return Block(words[0], speaker=speaker)


@dataclass(frozen=True, slots=True)
class Unblock(SpokenCommand):
    """``unblock fsmith secret bob``."""

    form: ClassVar[str] = "unblock"
    other: Userid

    def arguments(self) -> Iterable[object]:
        """``to bob``."""
        return ("to", self.other)


@Verb("unblock", Group.ACCOUNTS, Scope.SERVER, translations={"de": ("entsperren",), "fr": ("débloquer",)})
def read_unblock(line: Line) -> Command:
    """``unblock [<userid> <password>] <other>``; short also ``unblock to <other>``."""
    speaker, words = line.speaker_and_others()
    line.nothing_left(words[1:])
    return Unblock(words[0], speaker=speaker)


@dataclass(frozen=True, slots=True)
class ReportPlayer(SpokenCommand):
    """``report fsmith secret bob 101``: the text below it is for the operator."""

    form: ClassVar[str] = "report"
    about: Userid
    board: BoardNumber | None = None

    def arguments(self) -> Iterable[object]:
        """``to bob 101``."""
        return ("to", self.about, *(() if self.board is None else (self.board,)))


@Verb("report", Group.ACCOUNTS, Scope.SERVER, care=Care.PERSONAL)
def read_report(line: Line) -> Command:
    """``report [<userid> <password>] <other> [<board>]``; short also ``report to <other> [<board>]``.

    Without ``to``, one word, or one and a number, are the player and the board; credentials need more.
    """
    words = line.words
    if words[:1] and words[0].lower() == "to":
        speaker, words = None, words[1:]
    elif len(words) == 1 or (len(words) == 2 and whole_number(words[1]) is not None):
        speaker = None
    else:
        speaker, words = line.credentials(words)
        words = without_to(words)
    if not words:
        raise MissingWord("report", "userid")
    about, *rest = words
    number = whole_number(rest[0]) if rest else None
    if rest and number is None:
        raise NotABoard("report", rest[0])
    line.nothing_left(tuple(rest[1:]))
    if number is None and line.answered is not None:
        return ReportPlayer(about, line.answered.board, speaker=speaker)
    return ReportPlayer(about, None if number is None else BoardNumber(number), speaker=speaker)


@dataclass(frozen=True, slots=True)
class ShowData(SpokenCommand):
    """``data``: everything that the server holds about the player."""

    form: ClassVar[str] = "data"
    only_shows: ClassVar[bool] = True
    about_own_data: ClassVar[bool] = True


@Verb("data", Group.ACCOUNTS, Scope.SERVER)
def read_data(line: Line) -> Command:
    """``data [<userid> <password>]``."""
    speaker, words = line.credentials(line.words)
    line.nothing_left(words)
    return ShowData(speaker=speaker)


@dataclass(frozen=True, slots=True)
class SignOff(SpokenCommand):
    """``signoff``: the player leaves the server."""

    form: ClassVar[str] = "signoff"
    needs: ClassVar[Need] = Need.CONSENT
    about_own_data: ClassVar[bool] = True


@Verb(
    "signoff",
    Group.ACCOUNTS,
    Scope.SERVER,
    care=Care.FINAL,
    synonyms=("delete",),
    translations={"de": ("abmelden",), "fr": ("désinscription",)},
)
def read_signoff(line: Line) -> Command:
    """``signoff [<userid> <password>]``."""
    speaker, words = line.credentials(line.words)
    line.nothing_left(words)
    return SignOff(speaker=speaker)
