"""The operator's commands about players and addresses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pbem.commands.internal import (
    AllowMail,
    BanPlayer,
    FreezePlayer,
    LiftSuppression,
    RemovePlayer,
    SetAddresses,
    StopMail,
    SuppressAddress,
    UnbanPlayer,
    UnfreezePlayer,
)
from pbem.domain.boards import Board
from pbem.domain.events import BY_OPERATOR
from pbem.domain.mails import Notice
from pbem.domain.players import Address, Player, Standing, address_key
from pbem.errors import NotAllowed
from pbem.usecases.bounces import lift, settle, suppress
from pbem.usecases.confirmations import end_keys_of_mailbox
from pbem.usecases.context import Context, handles
from pbem.usecases.notices import about_board
from pbem.usecases.offers import active_boards, begin_pauses, end_pauses, leave_boards
from pbem.usecases.opponents import NotForRobots
from pbem.usecases.signoff import take_off
from pbem.usecases.signup import MOST_ADDRESSES, TooManyAddresses, check_address
from pbem.usecases.tournament_rounds import leave_tournaments
from pbem.usecases.understanding import find_player

FROZEN = "frozen"
"""The reason for a pause; see `pbem.domain.clocks.Pause`."""


class OtherStanding(NotAllowed):
    """The account's standing does not allow this."""

    userid: str
    standing: str


class MailIsSo(NotAllowed):
    """Mail to the player is already stopped, or was not stopped."""

    userid: str
    stopped: bool


def check_is_here(player: Player) -> None:
    """Accept a player who has not left and is a person.

    Raises:
        OtherStanding, NotForRobots: the player has left, or is a robot.
    """
    if player.is_robot:
        raise NotForRobots(player.userid)
    if player.has_left:
        raise OtherStanding(player.userid, Standing.GONE.value)


@handles(FreezePlayer)
def freeze_player(command: FreezePlayer, context: Context) -> list[Notice]:
    """Freeze an account: its player may only look on, and their clocks stop.

    Raises:
        NoSuchPlayer, OtherStanding: it cannot be.
    """
    before, after = _with_standing(command.userid, (Standing.ACTIVE,), Standing.FROZEN, context)
    boards = begin_pauses(after, FROZEN, context)
    return [
        _told("frozen", before, command.reason, boards, context),
        *_opponents_told("standing_still", after, boards, context),
    ]


@handles(UnfreezePlayer)
def unfreeze_player(command: UnfreezePlayer, context: Context) -> list[Notice]:
    """Unfreeze an account.

    Raises:
        NoSuchPlayer, OtherStanding: it cannot be.
    """
    _, after = _with_standing(command.userid, (Standing.FROZEN,), Standing.ACTIVE, context)
    boards = [board for board in end_pauses(after, FROZEN, context) if not board.stands]
    return [
        _told("unfrozen", after, command.reason, active_boards(after, context), context),
        *_opponents_told("running_again", after, boards, context),
    ]


@handles(BanPlayer)
def ban_player(command: BanPlayer, context: Context) -> list[Notice]:
    """Close a player's account for good; their games are forfeited, or declined where they have not moved.

    Raises:
        NoSuchPlayer, OtherStanding: it cannot be.
    """
    before, after = _with_standing(command.userid, (Standing.ACTIVE, Standing.FROZEN), Standing.BANNED, context)
    boards = active_boards(after, context)
    context.uow.sessions.end_of(after.id)
    context.uow.tokens.revoke_of(after.id)
    leave_tournaments(after, context)
    return [_told("banned", before, command.reason, boards, context), *leave_boards(after, context, BY_OPERATOR)]


@handles(UnbanPlayer)
def unban_player(command: UnbanPlayer, context: Context) -> list[Notice]:
    """Open a banned account again; games that have ended stay over.

    Raises:
        NoSuchPlayer, OtherStanding: it cannot be.
    """
    player = find_player(command.userid, context)
    if not player.is_robot:
        check_is_here(player)
    _, after = _with_standing(command.userid, (Standing.BANNED,), Standing.ACTIVE, context)
    return [_told("unbanned", after, command.reason, (), context)]


def _with_standing(
    userid: str, allowed: tuple[Standing, ...], standing: Standing, context: Context
) -> tuple[Player, Player]:
    """Save the player with another standing; return them as before and after."""
    before = find_player(userid, context)
    if before.standing not in allowed:
        raise OtherStanding(before.userid, before.standing.value)
    after = replace(before, standing=standing)
    context.uow.players.save(after)
    return before, after


@handles(StopMail)
def stop_mail(command: StopMail, context: Context) -> list[Notice]:
    """Stop mail to a player after a notice that says so; their clocks stop.

    Raises:
        NoSuchPlayer, MailIsSo: it cannot be.
    """
    before = _with_mail(command.userid, context, stopped=True)
    others = settle(before, replace(before, mail_stopped=True), context)
    return [_told("mail_stopped", before, command.reason, active_boards(before, context), context), *others]


@handles(AllowMail)
def allow_mail(command: AllowMail, context: Context) -> list[Notice]:
    """Mail to a player again.

    Raises:
        NoSuchPlayer, MailIsSo: it cannot be.
    """
    before = _with_mail(command.userid, context, stopped=False)
    after = replace(before, mail_stopped=False)
    others = settle(before, after, context)
    return [_told("mail_allowed", after, command.reason, active_boards(after, context), context), *others]


def _with_mail(userid: str, context: Context, *, stopped: bool) -> Player:
    """Find the player whose mail can be stopped, or else allowed."""
    player = find_player(userid, context)
    if player.mail_stopped is stopped:
        raise MailIsSo(player.userid, stopped=stopped)
    return player


@handles(SetAddresses)
def set_addresses(command: SetAddresses, context: Context) -> list[Notice]:
    """Replace a player's addresses; the new ones are confirmed, since the operator vouches for them.

    Raises:
        NoSuchPlayer, OtherStanding: there is no such player here.
        BadAddress, TooManyAddresses: these cannot be used.
    """
    before = find_player(command.userid, context)
    check_is_here(before)
    words = {address_key(word): word for word in command.addresses}
    if len(words) > MOST_ADDRESSES:
        raise TooManyAddresses(MOST_ADDRESSES)
    for word in words.values():
        check_address(word, context)
    after = replace(before, addresses=tuple(Address(word, context.now) for word in words.values()))
    others = settle(before, after, context)
    end_keys_of_mailbox(after.id, context)
    left = replace(before, addresses=tuple(each for each in before.addresses if not after.has_address(each.address)))
    told = [
        _told("addresses_taken", left, command.reason, (), context),
        _told("addresses_given", after, command.reason, (), context),
    ]
    return [*told, *others]


@handles(RemovePlayer)
def remove_player(command: RemovePlayer, context: Context) -> list[Notice]:
    """Sign a player off the server: one whose mail is stopped, for example, cannot do so themselves.

    Raises:
        NoSuchPlayer, OtherStanding: there is no such player here.
    """
    player = find_player(command.userid, context)
    check_is_here(player)
    boards = active_boards(player, context)
    told = [_told("removed", player, command.reason, boards, context)] if player.reachable else []
    return [*told, *take_off(player, context, BY_OPERATOR)]


def _told(deed: str, player: Player, reason: str, boards: Sequence[Board], context: Context) -> Notice:
    """The notice that tells a player what was done to their account."""
    facts = {
        "deed": deed,
        "player": player,
        "reason": reason,
        "boards": [board.number for board in boards],
        "still": [board.number for board in boards if board.stands],
        "operator": context.policy.operator,
    }
    return Notice("account_deed", player, facts)


def _opponents_told(deed: str, player: Player, boards: Sequence[Board], context: Context) -> list[Notice]:
    """The notices that tell a player's opponents that clocks have stopped or run again, but not why."""
    facts = {"deed": deed, "player": player, "reason": "", "comment": None}
    return [
        about_board("board_deed", board, context, facts, reader=context.uow.players.get(each))
        for board in boards
        for each in board.players
        if each != player.id
    ]


@handles(SuppressAddress)
def suppress_address(command: SuppressAddress, context: Context) -> list[Notice]:
    """Mail nothing more to an address, whoever plays from it."""
    meant = context.uow.players.by_confirmed_address(command.address)
    return [notice for each in meant for notice in suppress(each, command.address, command.reason, context)]


@handles(LiftSuppression)
def lift_suppression(command: LiftSuppression, context: Context) -> list[Notice]:
    """Mail to an address again, whoever plays from it."""
    meant = context.uow.players.by_confirmed_address(command.address)
    return [notice for each in meant for notice in lift(each, command.address, context)]
