"""The way of letters into the inbox."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from datetime import datetime
from typing import TypeAlias

from pbem.domain.letters import Envelope, InboxFull
from pbem.domain.players import address_key
from pbem.domain.replies import BoardReply, ConfirmReply, QuietReply, Reply, Signer, StopReply
from pbem.ids import LetterId
from pbem.mail_in.addresses import board_named, claimed_senders, key_until_0003, letter_key
from pbem.storage.arrivals import Arrival, proven_lane
from pbem.storage.committing import Committer
from pbem.storage.engine import is_out_of_order
from pbem.storage.inbox import Inbox

AtTheDoor: TypeAlias = "tuple[Envelope, bytes, datetime]"


def recognised_by(envelope: Envelope, raw: bytes, signer: Signer) -> tuple[tuple[str, ...], bool]:
    """The keys of a letter, and whether it has a Message-ID."""
    key, has_message_id = letter_key(raw, envelope)
    # Signed, or a short password in the letter could be guessed from the key.
    keys = [tag for each in (key, key_until_0003(raw, envelope)) for tag in signer.tags("letter", each)]
    return tuple(dict.fromkeys(keys)), has_message_id


class Intake:
    """Stores letters, those that come at the same time in one commit.

    Args:
        inbox: where they are kept.
        signer: makes of what a letter is recognised by what is kept of that.
        most_waiting: letters that may wait to be handled.
        stored: called whenever letters have been stored.
        failed: told why so many could not be.
        counted: told how many letters a commit has stored.
    """

    def __init__(
        self,
        inbox: Inbox,
        signer: Signer,
        most_waiting: int,
        stored: Callable[[], None] = lambda: None,
        failed: Callable[[Exception, int], None] = lambda _failed, _letters: None,
        counted: Callable[[int], None] = lambda _letters: None,
    ) -> None:
        self._counted = counted
        self._inbox = inbox
        self._signer = signer
        self._most_waiting = most_waiting
        self._stored = stored
        self._failed = failed
        self._committer: Committer[AtTheDoor, LetterId | None] = Committer(self.store, is_out_of_order)

    def accept(self, envelope: Envelope, raw: bytes, at: datetime) -> Future[LetterId | None]:
        """Store a letter; the future is done once it is safe, and tells its number, or None if it had come before."""
        return self._committer.submit((envelope, raw, at))

    def store(self, letters: Sequence[AtTheDoor]) -> list[LetterId | None]:
        """Store letters now, all or none; return for each its number, None if it had come before.

        Raises:
            InboxFull: too many are waiting.
        """
        try:
            stored = self._inbox.accept([self._arrival(*letter) for letter in letters], self._most_waiting)
        except InboxFull:
            raise
        except Exception as failed:
            if len(letters) == 1 or is_out_of_order(failed):  # or else each is tried alone
                self._failed(failed, len(letters))
            raise
        self._counted(len(letters))
        self._stored()
        return stored

    def _arrival(self, envelope: Envelope, raw: bytes, at: datetime) -> Arrival:
        keys, has_message_id = recognised_by(envelope, raw, self._signer)
        claimed = tuple(map(address_key, claimed_senders(raw, envelope)))
        reply = self._answered(envelope, at)
        board = reply.board if isinstance(reply, BoardReply) else board_named(raw)
        return Arrival(envelope, raw, keys, has_message_id, at, _proven(reply), claimed, board)

    def _answered(self, envelope: Envelope, at: datetime) -> Reply | None:
        """The thing that a letter answers, as its addresses show; None if nothing, or several things."""
        tokens = (each.rpartition("@")[0].partition("+")[2] for each in envelope.recipients)
        replies = {self._signer.read(token, at) for token in tokens if token}
        return replies.pop() if len(replies) == 1 else None

    def close(self) -> None:
        """Store what has come, then end."""
        self._committer.close()


def _proven(reply: Reply | None) -> str | None:
    """Which player, or which question, is shown to be answered; None if neither is."""
    match reply:
        case BoardReply(player=player) | QuietReply(player=player) | StopReply(player=player):
            return proven_lane(player)
        case ConfirmReply(confirmation=question):
            return f"question {question}"
    return None
