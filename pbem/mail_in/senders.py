"""What a letter shows of its sender; weighing it is the use cases' business."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.domain.letters import Envelope, Evidence

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.domain.replies import Reply, Signer
    from pbem.mail_in.addresses import OwnAddress
    from pbem.mail_in.mime import ReadLetter


def evidence_of(read: ReadLetter, envelope: Envelope, ours: OwnAddress, signer: Signer, now: datetime) -> Evidence:
    """Gather the From address and what the address that the letter came to proves."""
    sender = read.from_address
    if read.is_double:
        return Evidence(answer_to=envelope.sender)
    tokens = [token for token in map(ours.token, envelope.recipients) if token]
    replies = [reply for reply in (signer.read(token, now) for token in tokens) if reply is not None]
    return Evidence(
        answer_to=sender or envelope.sender,
        from_address=sender,
        reply=_strongest(replies),
        stale_reply=bool(tokens) and not replies,
    )


def _strongest(replies: list[Reply]) -> Reply | None:
    """Of several reply addresses of ours a letter can answer but one; two that differ prove nothing."""
    return replies[0] if len(set(replies)) == 1 else None
