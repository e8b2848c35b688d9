"""What a letter shows of its sender; weighing it is the use cases' business."""

from __future__ import annotations

from datetime import datetime

from pbem.domain.letters import Envelope, Evidence
from pbem.domain.replies import AnsweredMail, MessageIds, Reply, Signer
from pbem.mail_in.addresses import OwnAddress
from pbem.mail_in.authentication import is_authenticated
from pbem.mail_in.mime import ReadLetter


def evidence_of(
    read: ReadLetter,
    envelope: Envelope,
    ours: OwnAddress,
    signer: Signer,
    now: datetime,
    authserv_id: str | None = None,
) -> Evidence:
    """Gather the From address, what the address that the letter came to proves, and what our own MTA says.

    The mail that it answers by In-Reply-To counts only for a letter that came to our plain address: a reply
    address goes first, and one that does not verify is not healed.
    """
    sender = read.from_address
    if read.is_double:
        return Evidence(answer_to=envelope.sender, client=envelope.client)
    tokens = [token for token in map(ours.token, envelope.recipients) if token]
    replies = [reply for reply in (signer.read(token, now) for token in tokens) if reply is not None]
    return Evidence(
        answer_to=sender or envelope.sender,
        from_address=sender,
        reply=_strongest(replies),
        stale_reply=bool(tokens) and not replies,
        answered_mail=None if tokens else _answered_mail(read, MessageIds(signer, ours.domain), now),
        authenticated=is_authenticated(read.authentication_results, authserv_id, sender),
        client=envelope.client,
    )


def _answered_mail(read: ReadLetter, ids: MessageIds, now: datetime) -> AnsweredMail | None:
    """The mail of ours that a letter answers, if it was sent to the From address of the letter."""
    if read.in_reply_to is None or read.from_address is None:
        return None
    return ids.read(read.in_reply_to, read.from_address, now)


def _strongest(replies: list[Reply]) -> Reply | None:
    """Of several reply addresses of ours a letter can answer but one; two that differ prove nothing."""
    return replies[0] if len(set(replies)) == 1 else None
