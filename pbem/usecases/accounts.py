"""Signing up."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pbem.commands.userids import check_userid
from pbem.domain.confirmations import ConfirmationKind
from pbem.domain.notices import Notice
from pbem.domain.players import Address, Player, Standing, address_key, is_mailable
from pbem.errors import NotAllowed, Unreadable
from pbem.usecases.confirmations import days_to_answer, new_question
from pbem.usecases.notifications import to_sender
from pbem.usecases.proof import AccountBanned

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pbem.commands.model import SignUp
    from pbem.usecases.context import Context

MOST_ADDRESSES = 5
LONGEST_PASSWORD = 128


class UseridTaken(NotAllowed):
    """Somebody else plays under this userid."""

    def __init__(self, userid: str) -> None:
        super().__init__(userid=userid)


class BadPassword(Unreadable):
    """The password holds characters that could not be mailed in a command, or is too long."""

    def __init__(self, longest: int) -> None:
        super().__init__(longest=longest)


class BadAddress(Unreadable):
    """A word that stands where an address belongs is none that we can write to."""

    def __init__(self, word: str, *, is_ours: bool) -> None:
        super().__init__(word=word[:80], is_ours=is_ours)


class OneSignupALetter(NotAllowed):
    """A letter of many commands signs up more than one player: that could mail questions to half the world."""


class TooManyAddresses(NotAllowed):
    """More addresses than an account may have."""

    def __init__(self, most: int) -> None:
        super().__init__(most=most)


def sign_up(command: SignUp, context: Context) -> list[Notice]:
    """Open an account; it plays once one of its addresses has answered.

    Raises:
        BadUserid, BadPassword, BadAddress, TooManyAddresses: malformed.
        AccountBanned: somebody with the same address is not to come back.
        UseridTaken: somebody else plays under this userid.
    """
    check_userid(command.userid, context.games)
    check_not_banned((context.evidence.from_address or "",), context)
    addresses = named_addresses(command.addresses, context)
    check_password(command.password)
    player = _open_signup(command, addresses, context)
    if context.policy.confirm_signup:
        context.uow.players.save(player)
        return _questions(player, context)
    for each in player.addresses:
        player = player.confirm(each.address, context.now)
    context.uow.players.save(player)
    return [Notice("welcome", player, {"player": player}, answers=True)]


def named_addresses(addresses: tuple[str, ...], context: Context) -> tuple[str, ...]:
    """The addresses that a command names, or the sender's if it names none; each once.

    Raises:
        BadAddress, TooManyAddresses, AccountBanned: an account cannot have them.
    """
    words = addresses or (context.evidence.from_address or "",)
    if len(words) > MOST_ADDRESSES:
        raise TooManyAddresses(MOST_ADDRESSES)
    for word in words:
        check_address(word, context)
    check_not_banned(words, context)
    return tuple({address_key(word): word for word in words}.values())


def check_address(word: str, context: Context) -> None:
    """Accept an address that an account may have.

    Raises:
        BadAddress: we cannot write to it, or it is our own.
    """
    local, _, domain = address_key(word).partition("@")
    our_local, _, our_domain = address_key(context.policy.address).partition("@")
    is_ours = domain == our_domain and local.partition("+")[0] == our_local
    if is_ours or not is_mailable(word):
        raise BadAddress(word, is_ours=is_ours)


def check_not_banned(addresses: Iterable[str], context: Context) -> None:
    """Accept addresses of nobody whose account the operator has closed.

    Raises:
        AccountBanned: he would come back under another userid.
    """
    players = (each for address in addresses for each in context.uow.players.by_confirmed_address(address))
    if any(each.standing is Standing.BANNED for each in players):
        raise AccountBanned(context.policy.operator)


def check_password(password: str | None) -> None:
    """Accept a password, or that there is to be none.

    Raises:
        BadPassword: it cannot be one.
    """
    if password is None:
        return
    if len(password) > LONGEST_PASSWORD or not password.isprintable() or set(password) & set("\"':"):
        raise BadPassword(LONGEST_PASSWORD)


def _open_signup(command: SignUp, addresses: tuple[str, ...], context: Context) -> Player:
    """The account that is asked for: a new one, or one that nobody has confirmed yet.

    Until somebody confirms it a userid belongs to nobody. Who asks for it again, because he has
    mistyped his password or his address, replaces what was there, and the questions mailed before
    are void; who asks for exactly the same has lost the question, and it stays good.
    """
    player = context.uow.players.by_userid(command.userid)
    if player is not None and (player.confirmed or player.is_placeholder):
        raise UseridTaken(player.userid)
    if player is not None and _is_same_signup(player, command, addresses, context):
        return player
    new = Player(
        id=context.uow.players.next_id(),
        userid=command.userid,
        addresses=tuple(Address(address) for address in addresses),
        created_at=context.now,
        password_hash=None if command.password is None else context.passwords.hash(command.password),
    )
    return new if player is None else replace(new, id=player.id, revision=player.revision)


def _is_same_signup(player: Player, command: SignUp, addresses: tuple[str, ...], context: Context) -> bool:
    if {address_key(each.address) for each in player.addresses} != set(map(address_key, addresses)):
        return False
    if command.password is None or player.password_hash is None:
        return command.password is None and player.password_hash is None
    return context.passwords.verify(command.password, player.password_hash)


def _questions(player: Player, context: Context) -> list[Notice]:
    """A question to each address; the sender is told if none of them is his."""
    questions = [ask_address(player, each.address, context) for each in player.addresses]
    if player.has_address(context.evidence.answer_to):
        return questions
    return [to_sender("signup_asked", context, {"player": player}), *questions]


def ask_address(player: Player, address: str, context: Context, line: str | None = None) -> Notice:
    """The question to an address whether it is the player's.

    Args:
        player: who has named it.
        address: goes on record when it answers.
        context: of the command.
        line: the change of addresses that this belongs to, if it is to replace others.
    """
    return Notice(
        "confirm_address",
        address,
        {"player": player, "days": days_to_answer(context), "is_new": not player.confirmed},
        reply=new_question(ConfirmationKind.ADDRESS, player, address, context, line=line),
        from_nobody=True,
    )
