"""The addresses of an account: more of them, others, and those that have answered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from pbem.commands.accounts import AddAddresses, ChangeAddresses
from pbem.commands.grammar import parse
from pbem.commands.internal import ConfirmAddress
from pbem.domain.credentials import Confirmation
from pbem.domain.mails import Notice
from pbem.domain.players import Address, Player, address_key
from pbem.errors import NotAllowed
from pbem.usecases.bounces import settle
from pbem.usecases.confirmations import NotAsked, answered_question, ask_on_record, end_keys_of_mailbox
from pbem.usecases.context import Context, handles
from pbem.usecases.guests import keep_boards
from pbem.usecases.notices import to_sender
from pbem.usecases.signup import (
    MOST_ADDRESSES,
    TooManyAddresses,
    as_signed_up,
    ask_address,
    check_not_banned,
    check_unlike_others,
    is_about_signup,
    is_of_signup,
    named_addresses,
    welcome,
)


class NothingToChange(NotAllowed):
    """The addresses named are those of the account already."""


@handles(AddAddresses)
def add_addresses(command: AddAddresses, context: Context) -> list[Notice]:
    """Ask the player to confirm more addresses for the account.

    Raises:
        BadAddress, TooManyAddresses, AddressBarred, NothingToChange: it cannot have these.
        NobodyToAsk: no mail reaches the player.
    """
    new = _new(context.speaker.known, named_addresses(command.addresses, context))
    return ask_on_record(f"{command.form} {' '.join(new)}", context)


@handles(ChangeAddresses)
def change_addresses(command: ChangeAddresses, context: Context) -> list[Notice]:
    """Ask the player to confirm other addresses for the account.

    Raises:
        BadAddress, TooManyAddresses, AddressBarred, NothingToChange: it cannot have these.
        NobodyToAsk: no mail reaches the player.
    """
    named = named_addresses(command.addresses, context)
    if _keys(named) == _keys(context.speaker.known.confirmed):
        raise NothingToChange
    return ask_on_record(f"{command.form} address {' '.join(named)}", context)


def _new(player: Player, named: Sequence[str]) -> list[str]:
    """Those of the addresses named that the player has not confirmed."""
    known = _keys(player.confirmed)
    new = [each for each in named if address_key(each) not in known]
    if not new:
        raise NothingToChange
    if len(known) + len(new) > MOST_ADDRESSES:
        raise TooManyAddresses(MOST_ADDRESSES)
    return new


def carry_out_add(command: AddAddresses, context: Context) -> list[Notice]:
    """Put more addresses on the account and ask each; nothing is mailed there before it has answered.

    Raises:
        TooManyAddresses, NothingToChange: others were faster.
    """
    player = context.speaker.known
    new = _new(player, command.addresses)
    return _ask_all(_with_candidates(player, new), new, None, context)


def carry_out_change(command: ChangeAddresses, context: Context) -> list[Notice]:
    """Ask the new addresses; the first that answers replaces the others. If all have answered before, at once."""
    player = context.speaker.known
    known = _keys(player.confirmed)
    new = [each for each in command.addresses if address_key(each) not in known]
    if new:
        line = f"{command.form} address {' '.join(command.addresses)}"
        return _ask_all(_with_candidates(player, new), new, line, context)
    after = _only(player, command.addresses, context.now)
    return [
        *settle(player, after, context),
        Notice("addresses_changed", after, {"player": after}, answers=True),
        *_farewell(player, after, context, context.speaker.session),
    ]


def _ask_all(player: Player, new: Sequence[str], line: str | None, context: Context) -> list[Notice]:
    context.uow.players.save(player)
    facts = {"player": player, "addresses": new, "replaces": line is not None}
    return [
        Notice("addresses_asked", player, facts, answers=True),
        *(ask_address(player, each, context, line) for each in new),
    ]


def _with_candidates(player: Player, new: Sequence[str]) -> Player:
    """The player with new addresses that have not answered; older ones without an answer are dropped."""
    kept = tuple(each for each in player.addresses if each.confirmed_at is not None)
    return replace(player, addresses=(*kept, *map(Address, new)))


@handles(ConfirmAddress)
def confirm_address(command: ConfirmAddress, context: Context) -> list[Notice]:
    """Confirm the address that has answered; the first one opens the account, or replaces those before it.

    Raises:
        NotAsked: another signup has opened the account, or the change that the question was about has been replaced.
        AddressBarred: the operator has meanwhile closed the account of somebody with this address.
        UseridAlike: somebody has meanwhile opened an account under a userid that looks like this one.
    """
    confirmation = answered_question(command.confirmation, context)
    if not command.keeps_password:
        confirmation = replace(confirmation, password_hash=None)
    before, address = _asked(confirmation, context), confirmation.address or ""
    check_not_banned((address,), context)
    after = before.confirm(address, context.now)
    if not before.confirmed:
        check_unlike_others(after.userid, context)
        context.uow.players.save(after)
        keep_boards(confirmation.guest, after, context)
        return [welcome(after, context)]
    replaces = confirmation.line is not None and not is_about_signup(confirmation)
    if replaces:
        change = parse(confirmation.line or "", context.games)
        named = change.addresses if isinstance(change, ChangeAddresses) else ()
        after = _only(after, named, confirmation.asked_at)
    facts = {"player": after, "address": address, "replaces": replaces}
    return [
        *settle(before, after, context),
        to_sender("address_confirmed", context, facts),
        *_farewell(before, after, context, confirmation.session),
    ]


def _asked(confirmation: Confirmation, context: Context) -> Player:
    """The player whose address a question was about; before the first confirmation, as they signed up with it."""
    player = context.uow.players.get(confirmation.player)
    is_signup = is_about_signup(confirmation)
    if is_signup and not player.confirmed:
        player = as_signed_up(player, confirmation)
    is_replaced = is_signup and player.confirmed and not is_of_signup(player, confirmation)
    if is_replaced or not player.has_address(confirmation.address or "") or confirmation.asked_at < player.created_at:
        raise NotAsked("replaced")
    return player


def _only(player: Player, named: Iterable[str], asked_at: datetime) -> Player:
    """The player without the addresses that they had when they were asked, except those named."""
    keys = _keys(named)
    return replace(player, addresses=tuple(each for each in player.addresses if _stays(each, keys, asked_at)))


def _stays(address: Address, keys: frozenset[str], asked_at: datetime) -> bool:
    is_later = address.confirmed_at is not None and address.confirmed_at > asked_at
    return is_later or address_key(address.address) in keys


def _farewell(before: Player, after: Player, context: Context, session: str | None) -> list[Notice]:
    """Tell the addresses that an account has lost that they no longer belong to it.

    Whoever reads their mail can do nothing with what was mailed there: the player is signed out everywhere but in the
    session that asked for the change.
    """
    gone = tuple(each for each in before.addresses if not after.has_address(each.address))
    left = replace(before, addresses=gone)
    facts = {"player": left, "operator": context.policy.operator}
    if left.confirmed:
        end_keys_of_mailbox(after.id, context, but=session)
    return [Notice("addresses_dropped", left, facts)] if left.reachable else []


def _keys(addresses: Iterable[str]) -> frozenset[str]:
    return frozenset(map(address_key, addresses))
