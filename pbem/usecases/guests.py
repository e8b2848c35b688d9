"""Guests, who play the weakest computer opponent at once and without an account, and may keep their boards with one."""

from __future__ import annotations

import secrets
from dataclasses import replace
from datetime import timedelta

from pbem.bots.boards import LEVELS
from pbem.commands.accounts import SetPreferences
from pbem.commands.command import Command, Need
from pbem.domain.players import Player, networks_of
from pbem.domain.preferences import Preferences
from pbem.errors import NotAllowed
from pbem.ids import BoardNumber, PlayerId
from pbem.usecases.context import Context
from pbem.usecases.openings import count_opening

OPPONENT = next(iter(LEVELS))
"""The userid of the robot that guests play: the weakest, which answers at once."""
BOARDS_PER_DAY = 10
"""The most that one guest may begin."""
_DAY = timedelta(days=1)
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
_LENGTH = 4
_MOST_BOARDS = 10_000


class GuestsMayNot(NotAllowed):
    """A guest has asked for something that needs an account."""


class NoGuests(NotAllowed):
    """The operator lets nobody play without an account."""


class TooManyGuests(NotAllowed):
    """There are enough new guests for a day: from this host, or ``in_all``."""

    in_all: bool


class GuestPlaysEnough(NotAllowed):
    """The guest has begun as many boards as a guest may in a day."""

    most: int


def as_guest(command: Command, context: Context) -> Context:
    """The context in which a guest's command is carried out: without words, which could be for others.

    Raises:
        GuestsMayNot: it needs an account.
    """
    is_language = isinstance(command, SetPreferences) and all(name == "language" for name, _ in command.settings)
    if command.needs is not Need.NOTHING and not command.for_guests and not is_language:
        raise GuestsMayNot
    return replace(context, comment="", below="")


def check_no_guest(context: Context) -> None:
    """Accept a speaker with an account.

    Raises:
        GuestsMayNot: it is a guest.
    """
    if context.speaker.player is not None and context.speaker.player.is_guest:
        raise GuestsMayNot


def new_guest(context: Context) -> Player:
    """Make a guest; hosts are counted as fingerprints, and kept for a day or two.

    Raises:
        NoGuests: the operator wants none.
        TooManyGuests: this host, or all together, have made enough of them today.
    """
    if not context.policy.takes_guests:
        raise NoGuests
    for name, share in networks_of(context.evidence.domain):
        _count(name, share * context.policy.guests_per_host, context, in_all=False)
    _count("", context.policy.guests_per_day, context, in_all=True)
    guest = Player(
        id=context.uow.players.next_id(),
        userid=_new_userid(context),
        addresses=(),
        created_at=context.now,
        preferences=Preferences(language=context.evidence.language),
        guest_until=context.now + context.policy.guests_for,
    )
    context.uow.players.save(guest)
    return guest


def _count(name: str, most: int, context: Context, *, in_all: bool) -> None:
    known = context.uow.correspondents.of(f"@{context.fingerprint('guests', name)}", context.now)
    if known.questions >= most:
        raise TooManyGuests(in_all)
    context.uow.correspondents.save(known.asked(), counts_strictly=True)


def _new_userid(context: Context) -> str:
    while True:
        userid = f"guest-{''.join(secrets.choice(_LETTERS) for _ in range(_LENGTH))}"
        if context.uow.players.by_userid(userid) is None:
            return userid


def staying_guest(guest: Player, context: Context) -> Player:
    """A guest who begins one more board, and is kept for as long as a new one.

    Raises:
        GuestPlaysEnough: they have begun enough today.
    """
    if context.uow.boards.begun_since(guest.id, context.now - _DAY) >= BOARDS_PER_DAY:
        raise GuestPlaysEnough(BOARDS_PER_DAY)
    staying = replace(guest, guest_until=context.now + context.policy.guests_for)
    context.uow.players.save(staying)
    return staying


def newest_board(player: PlayerId, context: Context) -> BoardNumber | None:
    """The board of a player where something happened last; None if they have none."""
    boards = context.uow.boards.of_players([player], "all", None, _MOST_BOARDS)
    return max(boards, key=lambda board: board.last_at).number if boards else None


def keep_boards(guest: PlayerId | None, player: Player, context: Context) -> None:
    """Give the boards of a guest, and the puzzles they have solved, to the account that they have opened.

    From then on, the openings of those that are over are counted.
    The guest is signed out and deleted with the next ones. Nothing happens if nobody was one, or if they have gone.
    """
    found = None if guest is None else context.uow.players.find(guest)
    if found is None or not found.is_guest:
        return
    for board in context.uow.boards.of_players([found.id], "all", None, _MOST_BOARDS, with_guests=True):
        seats = tuple(
            replace(each, player=player.id, userid=player.userid) if each.player == found.id else each
            for each in board.seats
        )
        pauses = tuple(replace(each, player=player.id) if each.player == found.id else each for each in board.pauses)
        kept = replace(board, seats=seats, pauses=pauses, of_guest=False)
        context.uow.boards.save(kept)
        count_opening(kept, context.course(kept), context.games[kept.game], context.uow)
    for number in context.uow.solved_puzzles.solved_by(found.id):
        context.uow.solved_puzzles.solved(player.id, number, context.now)
    context.uow.sessions.end_of(found.id)
    context.uow.players.save(replace(found, guest_until=context.now))
