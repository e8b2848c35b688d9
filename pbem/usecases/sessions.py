"""Signing in on the web: by a link that is mailed, or with userid and password."""

from __future__ import annotations

import secrets
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from pbem.domain.confirmations import ConfirmationKind
from pbem.domain.notices import Notice
from pbem.domain.players import Standing
from pbem.domain.sessions import Session, digest
from pbem.errors import NotAllowed
from pbem.usecases.attempts import allow_attempt, note_wrong_password
from pbem.usecases.confirmations import find_question, new_question
from pbem.usecases.context import Proof, Speaker
from pbem.usecases.proof import NotConfirmed, WrongPassword, check_standing

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from pbem.domain.confirmations import Confirmation
    from pbem.domain.players import Player
    from pbem.domain.replies import ConfirmReply
    from pbem.usecases.context import Context

    LinkMaker: TypeAlias = Callable[[ConfirmReply], str]

LINK_FOR = timedelta(minutes=30)
"""How long a link that was mailed is good for."""

LINKS_PER_HOUR = 5
"""Of one player, whoever it is that asks for them."""


class LinkSpent(NotAllowed):
    """The link has been used, is too old, or never was one."""


def ask_link(who: str, sign: LinkMaker, context: Context) -> list[Notice]:
    """Mail a link to everybody who is called or addressed so; nobody can tell from the answer whether there is anyone.

    Args:
        who: a userid or an address.
        sign: makes a link of a question.
        context: of the request.
    """
    players = _meant(who, context)
    return [_link(player, sign, context) for player in players if _may_be_mailed(player, context)]


def _meant(who: str, context: Context) -> Sequence[Player]:
    if "@" in who:
        return context.uow.players.by_confirmed_address(who)
    player = context.uow.players.by_userid(who)
    return () if player is None else (player,)


def _may_be_mailed(player: Player, context: Context) -> bool:
    asked = context.uow.confirmations.count_since(player.id, ConfirmationKind.SIGN_IN, context.now - timedelta(hours=1))
    is_here = player.standing in (Standing.ACTIVE, Standing.FROZEN) and bool(player.reachable)
    return is_here and asked < LINKS_PER_HOUR


def _link(player: Player, sign: LinkMaker, context: Context) -> Notice:
    soon = replace(context, policy=replace(context.policy, confirm_for=LINK_FOR))
    question = new_question(ConfirmationKind.SIGN_IN, player, None, soon)
    facts = {"player": player, "link": sign(question), "minutes": LINK_FOR // timedelta(minutes=1)}
    return Notice("sign_in", player, facts, from_nobody=True)


def link_of(question: ConfirmReply, context: Context) -> Confirmation:
    """The question of a link that can still be used.

    Raises:
        LinkSpent: it cannot.
    """
    asked = find_question(question.confirmation, question.nonce, context)
    if asked is None or asked.kind is not ConfirmationKind.SIGN_IN or asked.answered_at is not None:
        raise LinkSpent
    if asked.expires_at < context.now:
        raise LinkSpent
    return asked


def sign_in_by_link(question: ConfirmReply, lasts: timedelta, context: Context) -> str:
    """Begin a session with a link, which is good for one; return the secret for the browser.

    Raises:
        LinkSpent: the link cannot be used any more.
        AccountFrozen, AccountBanned: the operator does not let it.
    """
    asked = link_of(question, context)
    secret = begin_session(context.uow.players.get(asked.player), lasts, context)
    context.uow.confirmations.save(replace(asked, answered_at=context.now))
    return secret


def sign_in_by_password(userid: str, password: str, lasts: timedelta, context: Context) -> str:
    """Begin a session with a password; return the secret for the browser.

    Raises:
        TooManyAttempts, WrongPassword, NotConfirmed, AccountBanned: it cannot be.
    """
    player = context.uow.players.by_userid(userid)
    allow_attempt(userid, context, from_home=False)
    if not context.passwords.verify(password, player.password_hash if player else None) or player is None:
        note_wrong_password(userid, context)
        raise WrongPassword
    if not player.confirmed:
        raise NotConfirmed(player.userid)
    return begin_session(player, lasts, context)


def begin_session(player: Player, lasts: timedelta, context: Context) -> str:
    """Begin a session, and return the secret for the browser."""
    if player.standing is not Standing.FROZEN:
        check_standing(player, None, context)
    secret = secrets.token_urlsafe(32)
    context.uow.sessions.save(Session(digest(secret), player.id, context.now, context.now + lasts))
    context.uow.players.seen(player, context.now.date())
    return secret


def speaker_of(secret: str, context: Context) -> Speaker:
    """Who speaks from a browser; nobody, if its session has ended."""
    session = context.uow.sessions.find(digest(secret), context.now)
    if session is None:
        return Speaker(None)
    player = context.uow.players.get(session.player)
    is_here = player.standing in (Standing.ACTIVE, Standing.FROZEN)
    return Speaker(player, Proof.PROVEN) if is_here else Speaker(None)
