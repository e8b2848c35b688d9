"""Letters that bring one of our mails back: to whom it went, and if it failed for good."""

from __future__ import annotations

from datetime import datetime

from pbem.commands.internal import TakeBackMail
from pbem.domain.letters import Envelope
from pbem.domain.replies import BounceReply, Signer, without_tokens
from pbem.mail_in.addresses import OwnAddress
from pbem.mail_in.machines import Failures
from pbem.mail_in.mime import ReadLetter

_POSTMEN = ("mailer-daemon", "postmaster")
"""The usual writers of unreadable reports."""


def returned_mail(
    read: ReadLetter, envelope: Envelope, ours: OwnAddress, signer: Signer, now: datetime
) -> TakeBackMail | None:
    """Return the mail of ours that a letter says came back; None if it is no such letter, or a forged one.

    Such a letter has the null sender or is a report, says that mail to some address does not arrive, and came to one of
    our bounce addresses, or else to our plain address with a Message-ID of ours in it. Vacation notices and receipts
    come to these addresses, too, and mean nothing.
    """
    if read.failures is None:
        return None
    tokens = [token for token in map(ours.token, envelope.recipients) if token]
    replies = {reply for reply in (signer.read(token, now) for token in tokens) if isinstance(reply, BounceReply)}
    if tokens and len(replies) != 1:
        return None
    permanent = _is_permanent(read.failures, read.from_address)
    if permanent is None:
        return None
    reply = replies.pop() if replies else None
    return TakeBackMail(
        permanent=permanent,
        status=read.failures.status,
        diagnosis=without_tokens(read.failures.diagnosis),
        player=None if reply is None else reply.player,
        mark=0 if reply is None else reply.mark,
        message_ids=read.failures.message_ids,
        reporter=read.from_address or "",
        is_delayed=bool(read.failures.temporary) and not permanent,
    )


def _is_permanent(failures: Failures, sender: str | None) -> bool | None:
    """Return True if a mail failed for good, None if it did not fail. Reports that say nothing clear are for now."""
    if failures.permanent or failures.temporary:
        return bool(failures.permanent)
    if failures.status:
        return {"5": True, "4": False}.get(failures.status[0])
    is_postman = sender is None or sender.partition("@")[0].lower() in _POSTMEN
    return False if is_postman and (failures.diagnosis or failures.message_ids) else None
