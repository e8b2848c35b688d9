"""Mails that came back: noted, held against the address, and in the end nothing is mailed there any more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.domain.bounces import WITHIN, Bounce, is_given_up
from pbem.domain.players import address_key
from pbem.domain.replies import address_mark
from pbem.usecases.mail.reachability import suppress

if TYPE_CHECKING:
    from pbem.domain.bounces import Returned
    from pbem.domain.mails import StoredMail
    from pbem.domain.notices import Notice
    from pbem.domain.players import Player
    from pbem.usecases.context import Context


def take_back(returned: Returned, context: Context) -> list[Notice]:
    """Note a mail that has come back; nobody is answered.

    Whose it was is what its bounce address says, whatever addresses the report names: mail may have been
    forwarded. Without that address a Message-ID of ours says it, which nobody else has seen.
    """
    found = (context.uow.mails.by_message_id(each) for each in returned.message_ids)
    mails = [mail for mail in found if mail is not None and mail.player is not None]
    if returned.reply is not None:
        player = context.uow.players.get(returned.reply.player)
        address = _marked(player, returned.reply.mark)
        mails = [mail for mail in mails if mail.player == player.id]
    elif mails and mails[0].player is not None:
        player, address = context.uow.players.get(mails[0].player), mails[0].recipient
    else:
        return []
    mail = _mail_to(address, player, mails, context)
    if mail is not None:
        _note(mail, player, returned, context)
    if address is None:
        return []
    bounce = Bounce(
        player=player.id,
        address_key=address_key(address),
        at=context.now,
        permanent=returned.permanent,
        status=returned.status,
        diagnosis=returned.diagnosis,
        mail=None if mail is None else mail.id,
    )
    return _hold_against(player, bounce, context)


def _note(mail: StoredMail, player: Player, returned: Returned, context: Context) -> None:
    """Note with a mail what has become of it."""
    told = "" if player.has_left else returned.diagnosis  # his address may stand in it
    why = told or returned.status
    if returned.is_delayed:
        context.uow.mails.is_delayed(mail, why)
    else:
        context.uow.mails.came_back(mail, why, context.now)


def refused(mail: StoredMail, reason: str, context: Context) -> list[Notice]:
    """Note a mail that the relay will not take for its recipient: it has come back at once."""
    context.uow.mails.came_back(mail, reason, context.now)
    return _not_taken(mail, reason, context, permanent=True)


def given_up(mail: StoredMail, reason: str, context: Context) -> list[Notice]:
    """Note a mail that the relay has not taken for days: that counts as a failure for now."""
    return _not_taken(mail, reason, context, permanent=False)


def _not_taken(mail: StoredMail, reason: str, context: Context, *, permanent: bool) -> list[Notice]:
    if mail.player is None:
        return []
    key = address_key(mail.recipient)
    bounce = Bounce(mail.player, key, context.now, permanent, diagnosis=reason, mail=mail.id)
    return _hold_against(context.uow.players.get(mail.player), bounce, context)


def _hold_against(player: Player, bounce: Bounce, context: Context) -> list[Notice]:
    """Count a failure against the address, unless it is not the player's any more."""
    if player.address(bounce.address_key) is None:
        return []
    context.uow.bounces.add(bounce)
    lately = context.uow.bounces.of(player.id, bounce.address_key, context.now - WITHIN)
    return suppress(player, bounce.address_key, bounce.why, context) if is_given_up(lately, context.now) else []


def _marked(player: Player, mark: int) -> str | None:
    """The address of a player that a bounce address means, if he still has it."""
    return next((each.address for each in player.addresses if address_mark(address_key(each.address)) == mark), None)


def _mail_to(address: str | None, player: Player, mails: list[StoredMail], context: Context) -> StoredMail | None:
    """The mail that has come back: of those in the report one to this address, else the latest there."""
    key = None if address is None else address_key(address)
    named = next((each for each in mails if key in (None, address_key(each.recipient))), None)
    return named if named is not None or key is None else context.uow.mails.latest_to(player.id, key)
