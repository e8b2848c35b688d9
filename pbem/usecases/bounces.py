"""Mails that come back, and players who cannot be reached."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pbem.commands.internal import GiveMailUp, HearFromPlayer, TakeBackMail
from pbem.domain.boards import Board
from pbem.domain.correspondents import WITHIN, Bounce, is_given_up
from pbem.domain.mails import MailState, Notice, StoredMail
from pbem.domain.players import Player, address_key
from pbem.domain.replies import address_mark
from pbem.domain.vacations import UNREACHABLE
from pbem.usecases.context import Context, handles
from pbem.usecases.notices import board_facts
from pbem.usecases.offers import MOST_LISTED, begin_pauses, end_pauses, tell_of_clocks

MAIL_STOPPED = "mail stopped"
"""A reason for a pause, beside `UNREACHABLE`; see `pbem.domain.vacations.Pause`."""
_ON_RECORD = ("data",)
"""Notices that go to an address on record or nowhere, whatever the letter proves."""


def why_unmailed(player: Player) -> tuple[str, ...]:
    """The reasons, as in a `Pause`, why no mail reaches a player; empty if some does, or before they are confirmed."""
    comes_back = not any(each.is_reachable for each in player.addresses)
    why = ((UNREACHABLE, comes_back), (MAIL_STOPPED, player.mail_stopped))
    return tuple(each for each, is_so in why if is_so and player.confirmed)


def settle(before: Player, after: Player, context: Context) -> list[Notice]:
    """Save a player whose addresses have changed, and tell those concerned.

    If no mail reaches them any more, the clocks of their boards stop; they run again when some does. The player is told
    so, unless the operator has allowed their mail again and says it.
    """
    context.uow.players.save(after)
    for each in before.addresses:
        now = after.address(each.address)
        if each.suppressed_at is not None and now is not None and now.suppressed_at is None:
            context.uow.bounces.forget(after.id, address_key(each.address))
    were, are = why_unmailed(before), why_unmailed(after)
    begun = [board for why in are if why not in were for board in _begin_pauses(after, why, context)]
    freed = [board for why in were if why not in are for board in end_pauses(after, why, context)]
    if are and not were:
        return tell_of_clocks("clocks_stand", after, begun, context)
    if were and after.reachable:
        told = [] if MAIL_STOPPED in were else [_boards_told(after, freed, context)]
        running = [board for board in freed if not board.stands]
        return [*told, *tell_of_clocks("clocks_run", after, running, context)]
    return []


def _begin_pauses(player: Player, why: str, context: Context) -> list[Board]:
    return begin_pauses(player, why, context, context.policy.unreachable_for if why == UNREACHABLE else None)


def suppress(player: Player, address: str, why: str, context: Context) -> list[Notice]:
    """Mail nothing more to an address of a player; if they have others, they are told there."""
    known = player.address(address)
    if known is None or known.suppressed_at is not None:
        return []
    after = player.suppress(address, context.now, why)
    notices = settle(player, after, context)
    facts = {"player": after, "address": known.address, "why": why}
    return [*notices, Notice("address_bounces", after, facts)] if after.reachable else notices


def lift(player: Player, address: str, context: Context) -> list[Notice]:
    """Mail to an address of a player again."""
    known = player.address(address)
    if known is None or known.suppressed_at is None:
        return []
    return settle(player, player.lift(address), context)


@handles(HearFromPlayer)
def hear_from_player(command: HearFromPlayer, context: Context) -> list[Notice]:
    """Mail again to the address of a player that a letter has come from."""
    return lift(context.uow.players.get(command.player), command.address, context)


def where_he_can_read(notices: Sequence[Notice], context: Context) -> list[Notice]:
    """The notices; answers to a player whom no mail reaches go to the address that the letter came from."""
    return [_at_hand(notice, context) for notice in notices]


def _at_hand(notice: Notice, context: Context) -> Notice:
    if not notice.answers or isinstance(notice.to, str) or notice.at is not None:
        return notice
    if notice.to.mail_stopped or not notice.to.is_unreachable:
        return notice
    here = context.evidence.answer_to
    known = notice.to.address(here)
    if notice.name in _ON_RECORD and (known is None or known.confirmed_at is None):
        return notice
    return replace(notice, at=here)


def _boards_told(player: Player, freed: Sequence[Board], context: Context) -> Notice:
    """The mail that lists the boards where it is a player's turn, since they may have missed it.

    Args:
        player: whom mail reaches again.
        freed: the boards whose clocks were stopped because it did not.
        context: of the command.
    """
    found = context.uow.boards.of_players([player.id], "next", None, MOST_LISTED)
    boards = [board for board in found if _waits_for(board, player, context)]
    rows = [board_facts(board, context, player) for board in boards[:MOST_LISTED]]
    facts = {"player": player, "freed": freed, "rows": rows, "more": len(boards) > MOST_LISTED}
    return Notice("reachable_again", player, facts)


def _waits_for(board: Board, player: Player, context: Context) -> bool:
    to_act = context.course(board).to_act
    return to_act is not None and board.seats[to_act].player == player.id


@handles(TakeBackMail)
def take_back_mail(command: TakeBackMail, context: Context) -> list[Notice]:
    """Note a mail that has come back; nobody is answered.

    The bounce address says whose mail it was, whatever addresses the report names: mail may have been forwarded.
    Without it a Message-ID of ours says so, which nobody else has seen. The failure counts against the address only
    if both fit: whoever reads our mails can write reports, but none about a mail that was not sent.
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
    """Return True if a mail is already known not to have arrived, or was never sent."""
    return mail.state in (MailState.BOUNCED, MailState.WITHHELD, MailState.DROPPED)


def _note(mail: StoredMail, player: Player, command: TakeBackMail, context: Context) -> None:
    """Record the fate of a mail."""
    told = "" if player.has_left else command.diagnosis  # their address may be in it
    why = told or command.status
    if command.is_delayed:
        context.uow.mails.is_delayed(mail, why)
    else:
        context.uow.mails.came_back(mail, why, context.now)


@handles(GiveMailUp)
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
    """Count a failure against an address, if it still belongs to the player."""
    if player.address(bounce.address_key) is None:
        return []
    context.uow.bounces.add(bounce)
    lately = context.uow.bounces.of(player.id, bounce.address_key, context.now - WITHIN)
    return suppress(player, bounce.address_key, bounce.why, context) if is_given_up(lately, context.now) else []


def _marked(player: Player, mark: int) -> str | None:
    """The address of a player that a bounce address means, if they still have it."""
    return next((each.address for each in player.addresses if address_mark(address_key(each.address)) == mark), None)


def _mail_to(address: str | None, player: Player, mails: list[StoredMail], context: Context) -> StoredMail | None:
    """The mail that has come back: of those in the report one to this address, else the latest there."""
    key = None if address is None else address_key(address)
    named = next((each for each in mails if key in (None, address_key(each.recipient))), None)
    return named if named is not None or key is None else context.uow.mails.latest_to(player.id, key)
