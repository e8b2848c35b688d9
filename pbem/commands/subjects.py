"""Subjects: their marks of answers are taken off, and those in the form of ours are recognised."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Self

from pbem.commands.line import BoardAnswered
from pbem.commands.playing import ANSWERS_ALONE
from pbem.commands.userids import looks_like_placement
from pbem.ids import BoardNumber

_PREFIX = re.compile(
    r"\s*(?:(?:re|fwd?|aw|wg|sv|vs|vb|antw|ant|odp|res|enc|ref|rif|tr|ynt|回复|答复|转发)"
    r"\s*(?:\[[0-9]{1,3}\]|\([0-9]{1,3}\)|\^[0-9]{1,3})?\s*[:\uff1a]|\[[^\]]{0,60}\])\s*",
    re.IGNORECASE,
)
_OUR_BOARD = re.compile(r"(?:new |nag: )?[a-z0-9_]+ board (?P<board>[0-9]{1,9})(?: [^\s,]+)?(?: \*\*)?", re.IGNORECASE)
_OUR_OTHER = re.compile(
    r"[a-z0-9_]+ (?:error|standings|robots|limit|seeks|preview|chat [0-9]+ \S+)(?: \*\*)?"
    r"|[a-z0-9_]+ [a-z0-9_]+ standings"
    r"|[a-z0-9_]+ (?:tournaments|tournament [a-z0-9_-]{1,32}(?: is over| is called off| round [0-9]+)?)"
    r"|invalid challenge|list of (?:[a-z0-9_]+ )?games|vacation of \S+|signup for pbem account \S+",
    re.IGNORECASE,
)
_OUR_CHAT = re.compile(r"[a-z0-9_]+ chat ([0-9]{1,9}) [^\s,]+(?: \*\*)?", re.IGNORECASE)
_OUR_NEWS = re.compile(
    r"about \S+|players of late|players seen lately|what this server holds about \S+|what \S+ watches|studies of \S+"
    r"|what was mailed about .+"
    r"|record of \S+ board [0-9]{1,9}|boards(?: [0-9 ]+(?:in all)?)?|finished (?:\S+ )?games(?: of \S+)?"
    r"|preferences of \S+|pbem help(?:: .+)?|your (?:message to|report about) .+|your words to all players"
    r"|\S+ has written to (?:you|all players)|\S+ is on vacation|you have (?:un|not )?blocked \S+"
    r"|answers? to your (?:[0-9]+ )?commands?|your \S+(?: \S+)? command|please confirm\b.+"
    r"|as you wish: nothing has happened|welcome to pbem, \S+|goodbye, \S+|your account is .+"
    r"|new address(?:es)? for \S+|address confirmed for \S+|addresses of \S+|this address is no longer one of \S+"
    r"|mails to \S+ (?:do not )?arrive(?: again)?|clocks run again though .+|wrong passwords for \S+"
    r"|mails to one of your addresses come back, \S+|my mails reach you again, \S+|your boards: .+"
    r"|a notice from the operator of pbem|a token for programs of \S+|sign in to pbem|pbem (?!error)\S+ .+",
    re.IGNORECASE,
)
"""Those of our Subjects that are no commands and begin none."""
_NEVER_MEANT = re.compile(r"vacation of .*|signup for pbem account .*", re.IGNORECASE)
"""Those that would be commands of other people, with passwords; the others somebody may have typed."""
_OUR_RESET = re.compile(r"a new password for \S+", re.IGNORECASE)
_ABOUT_RESETS = re.compile(r"a forgotten password|the password of \S+ has been changed", re.IGNORECASE)
"""Mails beside the question for a new password, which some answer in its place."""


@dataclass(frozen=True, slots=True)
class Subject:
    """The Subject of a letter, judged by its looks, which prove nothing."""

    text: str
    """The text without marks."""
    is_reply: bool
    """True if it has marks of an answer, of forwarding or of a list."""

    @classmethod
    def of(cls, header: str) -> Self:
        """Take any number of reply and forward marks and list tags off a Subject."""
        text = header
        while match := _PREFIX.match(text):
            text = text[match.end() :]
        return cls(text.strip(), text.strip() != header.strip())

    @property
    def board(self) -> BoardAnswered | None:
        """The board of a Subject that has the form of one of ours; a move behind the number makes it a command."""
        match = _OUR_BOARD.fullmatch(self.text)
        if match is None:
            return None
        last = self.text.removesuffix(" **").split()[-1].lower()
        if looks_like_placement(last) or last in ANSWERS_ALONE:
            return None
        return BoardAnswered(BoardNumber(int(match["board"])))

    @property
    def board_of_chat(self) -> BoardNumber | None:
        """The board of a Subject in the form of our mails that pass words on."""
        match = _OUR_CHAT.fullmatch(self.text)
        return None if match is None else BoardNumber(int(match[1]))

    @property
    def is_ours(self) -> bool:
        """It has the form of one of ours, though it may begin like a command."""
        return self.board is not None or _OUR_OTHER.fullmatch(self.text) is not None

    @property
    def has_our_form(self) -> bool:
        """It has the form of any of ours, with or without a move behind it."""
        return any(form.fullmatch(self.text) for form in (_OUR_BOARD, _OUR_OTHER, _OUR_NEWS, _ABOUT_RESETS))

    @property
    def may_be_typed(self) -> bool:
        """Somebody may have typed it as a command, though it is perhaps ours."""
        return self.board is None and _NEVER_MEANT.fullmatch(self.text) is None

    @property
    def asks_for_a_password(self) -> bool:
        """It is the Subject of our question for a new password."""
        return _OUR_RESET.fullmatch(self.text) is not None

    @property
    def is_about_resets(self) -> bool:
        """It is the Subject of a mail beside that question."""
        return _ABOUT_RESETS.fullmatch(self.text) is not None
