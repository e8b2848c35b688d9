"""Message-IDs, threads and the signed Reply-To."""

from __future__ import annotations

from datetime import date

from pbem.domain.message_ids import MessageIds
from pbem.domain.notices import BoardThread, Notice
from pbem.domain.players import address_key
from pbem.domain.replies import BoardReply, BounceReply, ConfirmReply, QuietReply, Signer, TopicReply, address_mark
from pbem.ids import BoardNumber, PlayerId

_LONGEST_REFERENCE = 200


def _can_be_referred_to(message_id: str) -> bool:
    """Whether a header can carry somebody's Message-ID as it is; Python would decode an encoded word in it."""
    is_plain = message_id.isascii() and message_id.isprintable() and "=?" not in message_id
    return is_plain and len(message_id) <= _LONGEST_REFERENCE


class Headers:
    """Makes the headers that are ours alone to make.

    A Message-ID proves what the reply address of its mail proves. Every mail of a board
    refers to the root of the thread that its reader has of that board, so nobody's
    Message-IDs stand in anybody else's mail.
    """

    def __init__(self, address: str, signer: Signer) -> None:
        self._local, _, self.domain = address.partition("@")
        self.address = address
        self._signer = signer
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
        """What a mail answers, oldest first: the root of its board's thread, then the letter at hand."""
        found = []
        if notice.thread is not None and not notice.thread.opens:
            found.append(self._ids.of_root(notice.thread.board, recipient))
        if notice.answers and letter is not None and _can_be_referred_to(letter):
            found.append(letter)
        return found

    def reply_to(self, reply: BoardReply | ConfirmReply | TopicReply) -> str:
        """The address that proves what ``reply`` says when a letter comes to it."""
        return f"{self._local}+{self._signer.sign(reply)}@{self.domain}"

    def unsubscribe(self, player: PlayerId, board: BoardNumber, expires: date) -> str:
        """A link to have less mail of a board (RFC 2369 s 3.2); a letter to it does nothing else, whatever it says."""
        quiet = QuietReply(player, board, expires)
        return f"<mailto:{self._local}+{self._signer.sign(quiet)}@{self.domain}?subject=unsubscribe>"

    def bounces_to(self, player: PlayerId, recipient: str, expires: date) -> str:
        """The envelope sender of a mail to a player: what comes back to it says who has not got his mail, and where."""
        bounce = BounceReply(player, address_mark(address_key(recipient)), expires)
        return f"{self._local}+{self._signer.sign(bounce)}@{self.domain}"

    def list_id(self, thread: BoardThread) -> str:
        """The List-Id of a board (RFC 2919)."""
        return f"{thread.game} board {thread.board} <{thread.board}.boards.{self.domain}>"
