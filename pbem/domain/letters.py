"""Letters, evidence and outgoing mails; removes from a letter what must not be repeated."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from pbem.domain.preferences import ENGLISH
from pbem.domain.replies import AnsweredMail, Reply, Signer
from pbem.errors import PbemError
from pbem.ids import BoardNumber, PlayerId


@dataclass(frozen=True, slots=True)
class Envelope:
    """MAIL FROM and RCPT TO, not the headers; the null sender is ``""``."""

    sender: str
    recipients: tuple[str, ...]
    client: str | None = None
    """The IP address of the host that handed the letter in, or that our own MTA had it from; None if unknown."""
    fetched: str = ""
    """The mark that tells a letter in a mailbox from all others there, at each fetch the same; empty at other doors."""


class InboxFull(PbemError):
    """So many letters wait that one more cannot be taken now."""


CUT = "#\x04"
"""The last line of a body that was too long to be read whole.

No letter of a player contains this character; among commands the line is a remark.
"""


@dataclass(frozen=True, slots=True)
class Letter:
    """An inbound mail, decoded."""

    subject: str
    """Decoded and on one line, reply marks still on it."""
    body: tuple[str, ...]
    """The sender's own lines: quotes and signature are taken off; `CUT` behind them if there were more."""
    message_id: str | None = None
    """To thread the answer; None where it is missing or malformed."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Evidence of a letter's sender; `pbem.usecases.authentication` weighs it."""

    answer_to: str
    """The address that an answer goes to when nobody on record is proven."""
    from_address: str | None = None
    """The single From address; None where there is none, or more than one."""
    reply: Reply | None = None
    """The proof that lies in the address to which the letter came."""
    stale_reply: bool = False
    """The letter came to a reply address that does not verify: expired, or not of our making."""
    answered_mail: AnsweredMail | None = None
    """The mail of ours, sent to this From address, that the letter answers by In-Reply-To; None if it came to a
    reply address, which goes first."""
    authenticated: bool = False
    """Our own front MTA says that the domain of the From address stands for it (DMARC)."""
    client: str | None = None
    """The IP address of the host that the letter or the request came from; None if unknown."""
    language: str = ENGLISH
    """The language that the sender reads, as far as the letter or the request tells."""

    @property
    def domain(self) -> str:
        """Of the From address, or else of the envelope's sender."""
        return self.answer_to.rpartition("@")[2].casefold()


@dataclass(frozen=True, slots=True)
class OutgoingMail:
    """A mail in its final bytes, for one recipient."""

    key: str
    """Its cause, and its number among the mails of that cause: a second copy cannot be stored."""
    message_id: str
    sender: str
    """The envelope's; ``""`` is the null sender."""
    recipient: str
    """Empty if no mail reaches the player: then it is only noted, without bytes."""
    raw: bytes = field(repr=False)
    player: PlayerId | None = None
    board: BoardNumber | None = None
    name: str | None = None
    """Of the notice that it says: ``board``, ``welcome``."""
    subject: str | None = None
    answers: bool = False
    """It goes to the sender of the letter that it answers."""
    leaves_at: datetime | None = None
    """When it may leave; None: at once."""
    awaits_robot: bool = False
    supersedes: bool = False
    """It takes the place of a mail about its board to its player that awaits it."""


_TOKEN = 37
_MAY_BE_TOKEN = re.compile(r"(?=(?:c[e-z2-7]|d[a-h])[a-z2-7]{35})")
"""The possible beginnings of a token: its first two letters are version and purpose."""
_MOST_VERIFIED = 4000
"""Candidates; the longest letter has a third of that by chance."""
_LETTERS = re.compile(r"[a-z0-9]", re.IGNORECASE)
_BARE_TAG = re.compile(
    r"(?<![a-z0-9])(?=[a-z]*[2-7])(?=[2-7]*[a-z])(?:[a-z2-7]{16}|[a-z2-7]{20}|[a-z2-7]{27})(?![a-z0-9])", re.IGNORECASE
)


def without_tokens_of(signer: Signer, lines: Sequence[str]) -> tuple[str, ...]:
    """Lines without the letters of any token that is ours, whatever stands around it, between them, or at line ends.

    Each candidate is verified, so no other word is lost, unless the lines are made to have us verify for ever.
    """
    text = "\n".join(lines)
    places = [found.start() for found in _LETTERS.finditer(text)]
    squeezed = "".join(text[place] for place in places).lower()
    hidden: set[int] = set()
    for count, found in enumerate(_MAY_BE_TOKEN.finditer(squeezed)):
        if count >= _MOST_VERIFIED or signer.has_signed(squeezed[found.start() : found.start() + _TOKEN]):
            hidden.update(places[found.start() : found.start() + _TOKEN])
    if not hidden:
        return tuple(lines)
    return tuple("".join(letter for place, letter in enumerate(text) if place not in hidden).split("\n"))


def without_bare_tags(comment: str) -> str:
    """A comment without words that look like the tag of a Message-ID: of its length, letters and digits mixed."""
    return _BARE_TAG.sub("...", comment)


_QUOTATION_MARKS = str.maketrans(
    {0x201C: '"', 0x201D: '"', 0x201E: '"', 0x2018: "'", 0x2019: "'", 0x201A: "'", 0x201B: "'", 0x00B4: "'"}
)
"""Quotation marks that mail programs make round, and the accent that is typed for an apostrophe."""
_CONTROLS = dict.fromkeys((*range(32), 127))
_UNWANTED = frozenset(("Cc", "Cf", "Cs", "Co", "Cn"))
_MOST_MARKS = 8
"""Accents and the like on one letter. Sorting them takes the square of their number."""
LETTERS_LIKE_MARKS = frozenset("\uff9e\uff9f")
"""Marks of half width that count as letters until they are folded."""


def plain(text: str) -> str:
    """One line: control and format characters out, breaks, tabs and wide blanks to blanks, the rest folded by NFKC.

    Folding makes ``a1`` of full-width letters and digits. It is done to all words, so a
    password is folded alike when it is chosen and whenever it is given later.
    """
    spaced = re.sub(r"\s", " ", text)
    if spaced.isascii():
        return spaced.translate(_CONTROLS)
    return unicodedata.normalize("NFKC", _wanted(spaced.translate(_QUOTATION_MARKS)))


def one_line(text: str) -> str:
    """Plain, and with single blanks."""
    return " ".join(plain(text).split())


def plain_lines(text: str) -> str:
    """The same for a text of several lines, which end in a line feed each but for the last."""
    return "\n".join(map(plain, text.splitlines()))


def _wanted(text: str) -> str:
    """Without control and format characters, and without accents heaped up."""
    kept: list[str] = []
    marks = 0
    for each in text:
        category = unicodedata.category(each)
        if category in _UNWANTED:
            continue
        marks = marks + 1 if category[0] == "M" or each in LETTERS_LIKE_MARKS else 0
        if marks <= _MOST_MARKS:
            kept.append(each)
    return "".join(kept)
