"""Changing a password, and setting one that was forgotten."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from pbem.commands.accounts import ChangePassword, Forgot
from pbem.commands.internal import ResetPassword
from pbem.domain.credentials import Confirmation, ConfirmationKind
from pbem.domain.mails import Notice
from pbem.domain.players import Player, Standing
from pbem.errors import Unreadable
from pbem.usecases.confirmations import (
    NO_QUESTION,
    NOBODY,
    answered_question,
    ask_on_record,
    days_to_answer,
    end_keys,
    new_question,
)
from pbem.usecases.context import Context, handles
from pbem.usecases.signup import check_password

RESETS_PER_DAY = 3
"""The most mails that one player gets because somebody, whoever it is, says that they forgot their password."""

_PASSWORD_SAID = (["password"], ["change", "password"])
"""The words before the new password in the answer to a reset."""


class NoPasswordSaid(Unreadable):
    """The first line of the answer to a reset is not ``password <new>``; we repeat none of it, it may be a password."""


@handles(ChangePassword)
def change_password(command: ChangePassword, context: Context) -> list[Notice]:
    """Ask the player to confirm a new password; until then it is kept as a hash.

    Raises:
        BadPassword: it cannot be a password.
        NobodyToAsk: no mail reaches the player.
    """
    check_password(command.password)
    return ask_on_record("change password", context, context.passwords.hash(command.password))


@handles(Forgot)
def forgot(command: Forgot, context: Context) -> list[Notice]:
    """Let whoever reads the mail of a player set a new password.

    The sender's answer is always the same, and takes as long.
    """
    player = context.uow.players.by_userid(command.userid) or NOBODY
    may_be_reset = _may_be_reset(player, context)
    reply = new_question(ConfirmationKind.RESET, player, None, context) if may_be_reset else NO_QUESTION
    facts = {"player": player, "days": days_to_answer(context)}
    reader = player if may_be_reset else NOBODY
    return [
        Notice("forgot_asked", context.evidence.answer_to, {"most": RESETS_PER_DAY}, answers=True),
        Notice("reset_password", reader, facts, reply=reply, from_nobody=True, is_decoy=not may_be_reset),
    ]


def _may_be_reset(player: Player, context: Context) -> bool:
    asked = context.uow.confirmations.count_since(player.id, ConfirmationKind.RESET, context.now - timedelta(days=1))
    is_there = player is not NOBODY and player.standing is Standing.ACTIVE and player.reachable
    return bool(is_there) and asked < RESETS_PER_DAY


@handles(ResetPassword)
def reset_password(command: ResetPassword, context: Context) -> list[Notice]:
    """Give the player the password in the answer to a reset.

    Raises:
        BadPassword: it cannot be one.
    """
    check_password(command.password)
    password_hash = context.passwords.hash(command.password)
    return set_password(answered_question(command.confirmation, context), password_hash, context)


def password_in(body: Sequence[str]) -> str:
    """The password in the answer to a reset, on a line of its own.

    A word alone is no password: the first line of a robot that answers everything, such as ``Hello,``, is a word.

    Raises:
        NoPasswordSaid: its first line has none.
    """
    words = next((line.split() for line in body if line.strip()), [])
    said = [word.lower().rstrip(":") for word in words[:-1]]
    if said not in _PASSWORD_SAID:
        raise NoPasswordSaid
    return words[-1]


def set_password(confirmation: Confirmation, password_hash: str, context: Context) -> list[Notice]:
    """Give the player of a question a new password; all their addresses are told.

    Whoever knew the old one is signed out everywhere, except in the session that asked for the new one, and the
    player's tokens are revoked.
    """
    before = context.uow.players.get(confirmation.player)
    player = replace(before, password_hash=password_hash)
    context.uow.players.save(player)
    end_keys(player.id, context, but=confirmation.session)
    facts = {"player": player, "is_first": before.password_hash is None, "operator": context.policy.operator}
    return [Notice("password_changed", player, facts, answers=True)]
