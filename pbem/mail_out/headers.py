"""Headers of our mails: Message-ID, Reply-To, envelope sender and thread, folded and encoded."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from datetime import date
from email import message_from_bytes, policy
from functools import lru_cache
from urllib.parse import urlsplit

from pbem.domain.mails import BoardThread, Notice
from pbem.domain.players import address_key
from pbem.domain.replies import (
    BoardReply,
    BounceReply,
    ConfirmReply,
    MessageIds,
    Signer,
    TopicReply,
    UnsubscribeReply,
    address_mark,
)
from pbem.ids import PlayerId

_LONGEST_REFERENCE = 200


def _can_be_referred_to(message_id: str) -> bool:
    """Return True if a header can carry someone's Message-ID as it is; Python would decode an encoded word in it."""
    is_plain = message_id.isascii() and message_id.isprintable() and "=?" not in message_id
    return is_plain and len(message_id) <= _LONGEST_REFERENCE


class Headers:
    """Makes the headers that only we can make.

    A Message-ID proves as much as the reply address of its mail. Every mail of a board
    refers to the root of the thread that its reader has of that board, so nobody's
    Message-IDs are in anyone else's mail.

    Args:
        address: of the server.
        signer: signs the addresses and links.
        site_url: the beginning of links to the web; only one of TLS is named for unsubscribing (RFC 8058 s 3.1).
        has_sub_addresses: letters to ``pbem+...@`` arrive. Where they do not, mails name the plain address alone, and
            an answer is known by the Message-ID that it refers to.
    """

    def __init__(self, address: str, signer: Signer, site_url: str = "", *, has_sub_addresses: bool = True) -> None:
        self.has_sub_addresses = has_sub_addresses
        self._local, _, self.domain = address.partition("@")
        self.address = address
        self._signer = signer
        self._site_url = site_url if urlsplit(site_url).scheme == "https" else ""
        self._ids = MessageIds(signer, self.domain)

    def message_id(self, notice: Notice, recipient: str, key: str) -> str:
        """The Message-ID of a mail; ``key`` is what the outbox knows it by."""
        if notice.thread is not None and notice.thread.opens:
            return self._ids.of_root(notice.thread.board, recipient)
        match notice.reply:
            case BoardReply(board=board, event=event, expires=expires, is_chat=is_chat):
                return self._ids.of_event(board, event, key, recipient, expires, is_chat=is_chat)
            case TopicReply() as topic:
                return self._ids.of_topic(topic, key, recipient)
            case ConfirmReply() as question:
                return self._ids.of_question(question, key, recipient)
        return self._ids.of_anything(key, recipient)

    def references(self, notice: Notice, recipient: str, letter: str | None) -> list[str]:
        """The Message-IDs that a mail answers, oldest first: the root of its board's thread, then this letter."""
        found = []
        if notice.thread is not None and not notice.thread.opens:
            found.append(self._ids.of_root(notice.thread.board, recipient))
        if notice.answers and letter is not None and _can_be_referred_to(letter):
            found.append(letter)
        return found

    def reply_to(self, reply: BoardReply | ConfirmReply | TopicReply) -> str:
        """The address that proves what ``reply`` says when a letter comes to it."""
        return f"{self._local}+{self._signer.sign(reply)}@{self.domain}"

    def unsubscribe(self, reply: UnsubscribeReply) -> Iterator[tuple[str, str]]:
        """The headers by which a player gets less mail of a board, or none of a kind.

        A letter to the address does nothing else, whatever it says (RFC 2369 s 3.2), and so does one click (RFC 8058).
        """
        token = self._signer.sign(reply)
        by_mail = f"<mailto:{self._local}+{token}@{self.domain}?subject=unsubscribe>"
        by_click = f"<{self._site_url}/unsubscribe/{token}>"
        ways = [by_mail] * self.has_sub_addresses + [by_click] * bool(self._site_url)
        if ways:
            yield "List-Unsubscribe", ", ".join(ways)
        if self._site_url:
            yield "List-Unsubscribe-Post", "List-Unsubscribe=One-Click"

    def bounces_to(self, player: PlayerId, recipient: str, expires: date) -> str:
        """The envelope sender of a mail to a player: a bounce to it shows whose mail came back, and from where.

        One to the plain address shows that by the Message-ID in it, where mail systems quote that.
        """
        if not self.has_sub_addresses:
            return self.address
        bounce = BounceReply(player, address_mark(address_key(recipient)), expires)
        return f"{self._local}+{self._signer.sign(bounce)}@{self.domain}"

    def list_id(self, thread: BoardThread) -> str:
        """The List-Id of a board (RFC 2919)."""
        return f"{thread.game} board {thread.board} <{thread.board}.boards.{self.domain}>"


LONGEST_LINE = 998
"""Characters of a line (RFC 5322 s 2.1.1)."""

# Python folds long References into encoded words, which breaks threads: our headers stay on one line.
_POLICY = policy.SMTP.clone(max_line_length=LONGEST_LINE)

_LONGEST_PLAIN = 900
"""Characters of a value whose line need not be broken."""
_ATOMS = r"[A-Za-z0-9_+-]+(?:\.[A-Za-z0-9_+-]+)*"
_ADDRESS = f"{_ATOMS}@{_ATOMS}"
_WORDS = re.compile(r"[!-~]+(?: [!-~]+)*")
_MAILBOX = re.compile(f"{_ADDRESS}|[a-z]+ <{_ADDRESS}>")
_PLAIN = {
    "From": _MAILBOX,
    "To": _MAILBOX,
    "Reply-To": _MAILBOX,
    "Message-ID": re.compile(f"<{_ADDRESS}>"),
    "Date": re.compile("[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} [+-][0-9]{4}"),
}
"""Parts that stay as they are in headers that are more than words."""


def header_line(name: str, value: str) -> bytes:
    """The line of a header; if it is too long it goes on below.

    Raises:
        ValueError: a header could go on as another one.
    """
    plain = _PLAIN.get(name, _WORDS)
    if len(value) <= _LONGEST_PLAIN and "=?" not in value and plain.fullmatch(value):
        return f"{name}: {value}\r\n".encode("ascii")
    return _made_by_email(name, value)


@lru_cache(maxsize=256)
def _made_by_email(name: str, value: str) -> bytes:
    _, header = _POLICY.header_store_parse(name, value)
    if any(unicodedata.category(letter) == "Cc" for letter in str(header)):  # it decodes words and breaks in them
        raise ValueError(f"a control character in {name}")
    return _POLICY.fold_binary(name, header)


_BREAK = b"\r\n"


def copied(raw: bytes, fresh: Mapping[str, str]) -> bytes:
    """A mail of ours with some headers replaced or added; the body stays as it is, byte for byte.

    Args:
        raw: the mail, each header on one line, as we write them.
        fresh: the new values by name.
    """
    head, gap, body = raw.partition(2 * _BREAK)
    names = {name.lower() for name in fresh}
    kept = [line for line in head.split(_BREAK) if line.partition(b":")[0].decode().lower() not in names]
    made = [f"{name}: {value}".encode() for name, value in fresh.items()]
    return _BREAK.join([*kept, *made]) + gap + body


def subject_of(raw: bytes) -> str | None:
    """The Subject of a mail of ours, in words."""
    subject = message_from_bytes(raw.partition(2 * _BREAK)[0], policy=policy.default)["Subject"]
    return None if subject is None else str(subject)
