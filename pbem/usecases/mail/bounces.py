"""Mails that came back: noted, held against the address, and in the end nothing is mailed there any more."""

from __future__ import annotations

from pbem.commands.unwritten import GiveMailUp, TakeBackMail
from pbem.domain.bounces import WITHIN, Bounce, is_given_up
from pbem.domain.mails import MailState, StoredMail
from pbem.domain.notices import Notice
from pbem.domain.players import Player, address_key
from pbem.domain.replies import address_mark
from pbem.usecases.context import Context
from pbem.usecases.mail.reachability import suppress


def take_back_mail(command: TakeBackMail, context: Context) -> list[Notice]:
    """Note a mail that has come back; nobody is answered.

    Whose it was is what its bounce address says, whatever addresses the report names: mail may have been
    forwarded. Without that address a Message-ID of ours says it, which nobody else has seen. It is held against the
    address only if both fit: whoever reads our mails can write reports, but none about a mail that was not sent.
    """
    found = (context.uow.mails.by_message_id(each) for each in command.message_ids)
    mails = [mail for mail in found if mail is not None and mail.player is not None]
    if command.player is not None:
        player = context.uow.players.get(command.player)
        address = _marked(player, command.mark)
        mails = [mail for mail in mails if mail.player == player.id]
    elif mails and mails[0].player is not None:
        player, address = context.uow.players.get(mails[0].player), mails[0].recipient
    else:
        return []
    if player.has_address(command.reporter):
        return []
    mail = _mail_to(address, player, mails, context)
    if mail is not None:
        _note(mail, player, command, context)
    if address is None or mail is None or mail not in mails or command.player is None or _has_ended(mail):
        return []
    bounce = Bounce(
        player=player.id,
        address_key=address_key(address),
        at=context.now,
        permanent=command.permanent,
        status=command.status,
        diagnosis=command.diagnosis,
        mail=mail.id,
    )
    return _hold_against(player, bounce, context)


def _has_ended(mail: StoredMail) -> bool:
    """Whether it is known already that a mail has not arrived, or was never sent."""
    return mail.state in (MailState.BOUNCED, MailState.WITHHELD, MailState.DROPPED)


def _note(mail: StoredMail, player: Player, command: TakeBackMail, context: Context) -> None:
    """Note with a mail what has become of it."""
    told = "" if player.has_left else command.diagnosis  # his address may stand in it
    why = told or command.status
    if command.is_delayed:
        context.uow.mails.is_delayed(mail, why)
    else:
        context.uow.mails.came_back(mail, why, context.now)


def give_mail_up(command: GiveMailUp, context: Context) -> list[Notice]:
    """Note a mail that the relay has not taken.

    One that it will not take for its recipient has come back at once; one that it has not taken for days counts as
    a failure for now.
    """
    mail = context.uow.mails.find(command.mail)
    if mail is None:
        return []
    if command.of_recipient:
        context.uow.mails.came_back(mail, command.reason, context.now)
    if mail.player is None:
        return []
    key, permanent = address_key(mail.recipient), command.of_recipient
    bounce = Bounce(mail.player, key, context.now, permanent, diagnosis=command.reason, mail=mail.id)
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
