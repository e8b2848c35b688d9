"""Taking note of who has written, and what that shows."""

from __future__ import annotations

from dataclasses import replace

from pbem.commands.internal import HearFromPlayer
from pbem.domain.mails import Notice
from pbem.usecases.context import Context, Proof
from pbem.usecases.dispatcher import dispatch
from pbem.usecases.proof.attempts import answers_mail_to, note_familiar


def heard_from(context: Context) -> tuple[Context, list[Notice]]:
    """Take note of a letter whose sender is proven: he is here, and mails arrive at where it comes from.

    A letter that only claims to come from there shows nothing: an opponent could have forged it, to have the
    clocks run.
    """
    speaker, sender = context.speaker, context.evidence.from_address
    if speaker.player is None or speaker.proof <= Proof.CLAIMED:
        return context, []
    if speaker.player.seen_on != context.now.date() and answers_mail_to(speaker.player, context.evidence):
        note_familiar(speaker.player, context)
    context.uow.players.seen(speaker.player, context.now.date())
    known = None if sender is None else speaker.player.address(sender)
    if known is None or known.suppressed_at is None:
        return context, []
    notices = dispatch(HearFromPlayer(speaker.player.id, known.address), context)
    return replace(context, speaker=replace(speaker, player=context.uow.players.get(speaker.player.id))), notices
