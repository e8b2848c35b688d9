"""A letter that brings one of our mails back: whose it was, and whether for good."""

from __future__ import annotations

from datetime import datetime

from pbem.commands.internal import TakeBackMail
from pbem.domain.letters import Envelope
from pbem.domain.replies import BounceReply, Signer, without_tokens
from pbem.mail_in.addresses import OwnAddress
from pbem.mail_in.machines import Failures
from pbem.mail_in.mime import ReadLetter

_POSTMEN = ("mailer-daemon", "postmaster")
"""Who writes reports that nobody can read."""


def returned_mail(
    read: ReadLetter, envelope: Envelope, ours: OwnAddress, signer: Signer, now: datetime
) -> TakeBackMail | None:
    """What a letter says of a mail of ours that came back; None if it is no such letter, or a forged one.

    It comes from nobody, or is a report, and says of some address that mail does not arrive there; and it came to
    an address that we made for what comes back, or else to our plain one with a Message-ID of ours in it. Vacation
    notices and receipts come to these addresses, too, and mean nothing.
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
    """Whether a mail failed for good; None if it did not fail. Reports that say nothing clear are for now."""
    if failures.permanent or failures.temporary:
        return bool(failures.permanent)
    if failures.status:
        return {"5": True, "4": False}.get(failures.status[0])
    is_postman = sender is None or sender.partition("@")[0].lower() in _POSTMEN
    return False if is_postman and (failures.diagnosis or failures.message_ids) else None
