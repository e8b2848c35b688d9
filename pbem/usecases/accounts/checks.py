"""What an account may have: addresses, a password."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from pbem.domain.players import Standing, address_key, is_mailable
from pbem.errors import NotAllowed, PbemError, Unreadable
from pbem.usecases.context import Context

MOST_ADDRESSES = 5
LONGEST_PASSWORD = 128


class BadPassword(Unreadable):
    """The password holds characters that could not be mailed in a command, or is too long."""

    longest: int


class BadAddress(Unreadable):
    """A word that stands where an address belongs is none that we can write to."""

    word: Annotated[str, 80]
    is_ours: bool


class AddressBarred(NotAllowed):
    """An address is that of somebody whose account the operator has closed; he would come back with it.

    It stands in an account, so it may be repeated: it is no password in the wrong place.
    """

    def __init__(self, address: str, operator: str | None) -> None:
        PbemError.__init__(self, barred=address[:80], operator=operator)


class TooManyAddresses(NotAllowed):
    """More addresses than an account may have."""

    most: int


def named_addresses(addresses: tuple[str, ...], context: Context) -> tuple[str, ...]:
    """The addresses that a command names, or the sender's if it names none; each once.

    Raises:
        BadAddress, TooManyAddresses, AddressBarred: an account cannot have them.
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
        AddressBarred: one is his.
    """
    for address in addresses:
        players = context.uow.players.by_confirmed_address(address)
        if any(each.standing is Standing.BANNED for each in players):
            raise AddressBarred(address, context.policy.operator)


def check_password(password: str | None) -> None:
    """Accept a password, or that there is to be none.

    Raises:
        BadPassword: it cannot be one.
    """
    if password is None:
        return
    if len(password) > LONGEST_PASSWORD or not password.isprintable() or set(password) & set(" \"':"):
        raise BadPassword(LONGEST_PASSWORD)
