"""Signing up, and what an account may have."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated

from pbem.commands.accounts import SignUp
from pbem.commands.userids import check_userid
from pbem.domain.credentials import Confirmation, ConfirmationKind
from pbem.domain.mails import Notice
from pbem.domain.players import Address, Player, Standing, address_key, is_mailable, userid_key
from pbem.domain.preferences import Preferences
from pbem.errors import NotAllowed, PbemError, Unreadable
from pbem.usecases.confirmations import days_to_answer, new_question
from pbem.usecases.context import Context, handles
from pbem.usecases.guests import keep_boards
from pbem.usecases.notices import to_sender
from pbem.usecases.opponents import robots_to_challenge

MOST_ADDRESSES = 5
LONGEST_PASSWORD = 128


class BadPassword(Unreadable):
    """The password has characters that could not be mailed in a command, or is too long."""

    longest: int


class BadAddress(Unreadable):
    """A word in the place of an address is none that we can write to."""

    word: Annotated[str, 80]
    is_ours: bool


class AddressBarred(NotAllowed):
    """An address belongs to somebody whose account the operator has closed; they would come back with it.

    It is in an account, so it may be repeated: it is no password in the wrong place.
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
    """Accept addresses unless the operator has closed the account of a player with one of them.

    Raises:
        AddressBarred: the operator has closed such an account.
    """
    for address in addresses:
        players = context.uow.players.by_confirmed_address(address)
        if any(each.standing is Standing.BANNED for each in players):
            raise AddressBarred(address, context.policy.operator)


def check_password(password: str | None) -> None:
    """Accept a password, or none.

    Raises:
        BadPassword: it cannot be a password.
    """
    if password is None:
        return
    if len(password) > LONGEST_PASSWORD or not password.isprintable() or set(password) & set(" \"':"):
        raise BadPassword(LONGEST_PASSWORD)


_SIGNUP = "signup"


class UseridTaken(NotAllowed):
    """Another player has this userid."""

    userid: str


class UseridAlike(NotAllowed):
    """A player has a userid that is easily mistaken for this one."""

    userid: str


class SignedUpAlready(NotAllowed):
    """The sender already has this userid."""

    userid: str


class OneSignupALetter(NotAllowed):
    """A letter of many commands signs up more than one player, which could mail questions to half the world."""


@handles(SignUp)
def sign_up(command: SignUp, context: Context) -> list[Notice]:
    """Open an account; its player can play once one of its addresses has answered.

    Raises:
        BadUserid, BadPassword, BadAddress, TooManyAddresses: malformed.
        AddressBarred: the operator has closed the account of a player with the same address.
        UseridTaken, UseridAlike: another player has this userid, or one that looks like it.
        SignedUpAlready: the sender has it already.
    """
    check_userid(command.userid, context.games)
    check_not_banned((context.evidence.from_address or "",), context)
    addresses = named_addresses(command.addresses, context)
    check_password(command.password)
    before = context.uow.players.by_userid(command.userid)
    if before is None or not _is_taken(before):
        check_unlike_others(command.userid, context)
    player = _open_signup(command, addresses, before, context)
    if context.policy.confirm_signup:
        context.uow.players.save(player)
        return _questions(player, context, is_another=before not in (None, player))
    for each in player.addresses:
        player = player.confirm(each.address, context.now)
    context.uow.players.save(player)
    keep_boards(context.speaker.guest, player, context)
    return [welcome(player, context)]


def _is_taken(player: Player) -> bool:
    """Return True if a userid belongs to somebody: until it is confirmed it belongs to nobody."""
    return bool(player.confirmed) or player.is_placeholder or player.is_robot


def check_unlike_others(userid: str, context: Context) -> None:
    """Accept a userid that cannot be mistaken for another player's.

    Raises:
        UseridAlike: it can.
    """
    for each in context.uow.players.alike(userid):
        if userid_key(each.userid) != userid_key(userid) and _is_taken(each):
            raise UseridAlike(each.userid)


def welcome(player: Player, context: Context) -> Notice:
    """The notice to a player whose account has just been opened."""
    facts = {"player": player, "robots": robots_to_challenge(context.uow)}
    return Notice("welcome", player, facts, answers=True)


def _open_signup(command: SignUp, addresses: tuple[str, ...], player: Player | None, context: Context) -> Player:
    """The account that is asked for: a new one, or one that nobody has confirmed yet.

    Until somebody confirms it a userid belongs to nobody. Whoever asks for it again, because they have mistyped their
    password or are somebody else, gets questions of their own: the signup whose question is answered first opens the
    account. Whoever asks for exactly the same has lost the question.
    """
    if player is not None and _is_taken(player):
        # whoever is answered reads the mails of that address, so it tells them nothing new
        is_his = address_key(context.evidence.answer_to) in map(address_key, player.confirmed)
        raise SignedUpAlready(player.userid) if is_his else UseridTaken(player.userid)
    if player is not None and _is_same_signup(player, command, addresses, context):
        return player
    new = Player(
        id=context.uow.players.next_id(),
        userid=command.userid,
        addresses=tuple(Address(address) for address in addresses),
        created_at=context.now,
        password_hash=None if command.password is None else context.passwords.hash(command.password),
        preferences=Preferences(language=context.evidence.language),
    )
    return new if player is None else replace(new, id=player.id, revision=player.revision)


def _is_same_signup(player: Player, command: SignUp, addresses: tuple[str, ...], context: Context) -> bool:
    if {address_key(each.address) for each in player.addresses} != set(map(address_key, addresses)):
        return False
    if command.password is None or player.password_hash is None:
        return command.password is None and player.password_hash is None
    return context.passwords.verify(command.password, player.password_hash)


def _questions(player: Player, context: Context, *, is_another: bool) -> list[Notice]:
    """A question to each address; the sender is told if none of them is theirs.

    Args:
        player: as the signup describes them.
        context: of the command.
        is_another: True if an earlier signup under the userid said something else.
    """
    line = " ".join((_SIGNUP, player.userid, *(each.address for each in player.addresses)))
    questions = [
        ask_address(player, each.address, context, line, player.password_hash, is_another=is_another)
        for each in player.addresses
    ]
    if player.has_address(context.evidence.answer_to):
        return questions
    return [to_sender("signup_asked", context, {"player": player}), *questions]


def is_about_signup(confirmation: Confirmation) -> bool:
    """Return True if a question about an address belongs to a signup; its line then has userid and all addresses."""
    return confirmation.line is not None and confirmation.line.split(maxsplit=1)[0] == _SIGNUP


def as_signed_up(player: Player, confirmation: Confirmation) -> Player:
    """The player as described by the signup whose question is answered first, whatever others have said since."""
    _, userid, *addresses = (confirmation.line or "").split()
    return replace(
        player,
        userid=userid,
        addresses=tuple(map(Address, addresses)),
        created_at=confirmation.asked_at,
        password_hash=confirmation.password_hash,
    )


def is_of_signup(player: Player, confirmation: Confirmation) -> bool:
    """Return True if a question belongs to the signup that has opened the account, or to one that said the same."""
    is_same = confirmation.password_hash is not None and confirmation.password_hash == player.password_hash
    return is_same or confirmation.asked_at == player.created_at


def ask_address(
    player: Player,
    address: str,
    context: Context,
    line: str | None = None,
    password_hash: str | None = None,
    *,
    is_another: bool = False,
) -> Notice:
    """The question to an address whether it is the player's.

    Args:
        player: the one who has named it.
        address: goes on record when it answers.
        context: of the command.
        line: the signup that this belongs to, or the change of addresses, if it is to replace others.
        password_hash: of the password in the signup.
        is_another: True if an earlier signup under the userid said something else.
    """
    is_new = not player.confirmed
    has_password = is_new and password_hash is not None
    facts = {"player": player, "days": days_to_answer(context), "is_new": is_new, "is_another": is_another}
    kind = ConfirmationKind.ADDRESS
    return Notice(
        "confirm_address",
        address,
        {**facts, "has_password": has_password},
        reply=new_question(kind, player, address, context, line=line, password_hash=password_hash),
        from_nobody=True,
        language=player.preferences.language,
    )
