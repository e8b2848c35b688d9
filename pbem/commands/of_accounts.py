"""The verbs of accounts: what stands behind them → the command."""

from __future__ import annotations

import re
from datetime import date, timedelta

from pbem.commands.line import Line, credentials, nothing_left, speaker_and_others
from pbem.commands.model import (
    AddAddresses,
    Block,
    ChangeAddresses,
    ChangePassword,
    Command,
    EndVacation,
    Forgot,
    SetPreferences,
    ShowData,
    ShowPreferences,
    ShowVacation,
    SignOff,
    SignUp,
    TakeVacation,
    Unblock,
)
from pbem.commands.refusals import MissingWord, NotADate, NotASetting, UnknownDeed
from pbem.commands.userids import SENTENCE_ENDS, could_be_userid


def read_signup(line: Line) -> Command:
    """``signup <userid> [<password> [<address>*]]``."""
    if not line.words:
        raise MissingWord("signup", "userid")
    userid, *rest = line.words
    return SignUp(userid, rest[0] if rest else None, tuple(rest[1:]))


def read_add(line: Line) -> Command:
    """``add [<userid> <password>] <address>+``."""
    speaker, words = credentials("add", line.words, line.games)
    if not words:
        raise MissingWord("add", "address")
    return AddAddresses(words, speaker=speaker)


def read_change(line: Line) -> Command:
    """``change password ...`` or ``change address ...``; what stands in place of either may be a password."""
    what = line.words[0].lower().rstrip(":") if line.words else ""
    if what == "password":
        return _new_password(line, line.words[1:])
    if not what:
        raise MissingWord("change", "change")
    if what not in ("address", "addresses"):
        raise UnknownDeed("change", ("password", "address"))
    speaker, words = credentials("change", line.words[1:], line.games)
    return ChangeAddresses(words, speaker=speaker)


def _new_password(line: Line, words: tuple[str, ...]) -> Command:
    """``change password [<userid> <old>] <new>``: one word alone is the new password, whatever it looks like."""
    speaker = None
    if len(words) > 1:
        speaker, words = credentials("change", words, line.games)
    if not words:
        raise MissingWord("change", "new")
    nothing_left("change", line, words[1:])
    return ChangePassword(words[0], speaker=speaker)


def read_forgot(line: Line) -> Command:
    """``forgot <userid>``."""
    if not line.words or not could_be_userid(line.words[0], line.games):
        raise MissingWord("forgot", "userid")
    nothing_left("forgot", line, line.words[1:])
    return Forgot(line.words[0])


def read_data(line: Line) -> Command:
    """``data [<userid> <password>]``."""
    speaker, words = credentials("data", line.words, line.games)
    nothing_left("data", line, words)
    return ShowData(speaker=speaker)


def read_signoff(line: Line) -> Command:
    """``signoff [<userid> <password>]``."""
    speaker, words = credentials("signoff", line.words, line.games)
    nothing_left("signoff", line, words)
    return SignOff(speaker=speaker)


def read_vacation(line: Line) -> Command:
    """``vacation [<userid> <password>] [<YYYY-MM-DD>|<n> [days|weeks]|off]``."""
    speaker, words = credentials("vacation", line.words, line.games)
    if words[1:] and words[0].lower() in ("to", "until"):
        words = words[1:]
    days = _days(words)
    if days is not None:
        return TakeVacation(days, speaker=speaker)
    nothing_left("vacation", line, words[1:])
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


def read_block(line: Line) -> Command:
    """``block [<userid> <password>] <other>``; short also ``block to <other>``."""
    speaker, words = speaker_and_others("block", line)
    nothing_left("block", line, words[1:])
    return Block(words[0], speaker=speaker)


def read_unblock(line: Line) -> Command:
    """``unblock [<userid> <password>] <other>``; short also ``unblock to <other>``."""
    speaker, words = speaker_and_others("unblock", line)
    nothing_left("unblock", line, words[1:])
    return Unblock(words[0], speaker=speaker)


def read_set(line: Line) -> Command:
    """``set [<userid> <password>] [<key>=<value>*]``."""
    speaker, words = credentials("set", line.words, line.games)
    settings = tuple(_setting(word) for word in words)
    return SetPreferences(settings, speaker=speaker) if settings else ShowPreferences(speaker=speaker)


def _setting(word: str) -> tuple[str, str]:
    key, sign, value = word.partition("=")
    if not (key and sign and value):
        raise NotASetting("set", word)
    return key, value
