"""Signing in on the web, and tokens for programs."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TypeAlias

from pbem.commands.internal import ConfirmAddress
from pbem.domain.credentials import POSTS_KEPT, Confirmation, ConfirmationKind, Post, Session, Token, hashed, is_name
from pbem.domain.mails import Notice
from pbem.domain.players import Player, Standing, address_key, networks_of
from pbem.domain.replies import ConfirmReply
from pbem.errors import NotAllowed, Unreadable
from pbem.ids import PlayerId
from pbem.storage.passwords import WrongAttempt
from pbem.usecases.authentication import NotConfirmed, WrongPassword, check_standing
from pbem.usecases.confirmations import NO_QUESTION, NOBODY, find_question, new_question, take_answer
from pbem.usecases.context import Context, Proof, Speaker
from pbem.usecases.dispatcher import dispatch
from pbem.usecases.guests import check_no_guest
from pbem.usecases.wrong_passwords import TooManyAttempts, note_familiar, reserve_attempt, take_back

MAILS_PER_DAY = 100
"""The most mails that a host may ask for without being signed in; a whole club may share one host."""
SIGNUPS_PER_DAY = 20
"""The most of those that ask somebody about a new account."""


class TooManyAsked(NotAllowed):
    """This host has asked for too much and has to wait, whoever it is about."""


def count_asked(context: Context, *, is_signup: bool = False) -> None:
    """Accept a mail that somebody who is not signed in asks for; hosts are kept as fingerprints, for a day or two.

    Raises:
        TooManyAsked: this host has asked for too many today.
    """
    limits = {"host": MAILS_PER_DAY} | ({"signups": SIGNUPS_PER_DAY} if is_signup else {})
    for name, share in networks_of(context.evidence.domain):
        for what, most in limits.items():
            known = context.uow.correspondents.of(f"@{context.fingerprint(what, name)}", context.now)
            if known.questions >= share * most:
                raise TooManyAsked
            context.uow.correspondents.save(known.asked(), counts_strictly=True)


LINKS_PER_DAY = 20
"""The most mails with a link that one browser may ask for, if its player has signed in there before."""


@dataclass(frozen=True, slots=True)
class FamiliarBrowser:
    """A browser in which a player has signed in before; that alone lets nobody in."""

    player: PlayerId
    name: str
    """Drawn when they signed in; two browsers have two names."""

    def is_of(self, player: Player | None) -> bool:
        """Return True if it is this player's."""
        return player is not None and player.id == self.player


def count_asked_by(browser: FamiliarBrowser, context: Context) -> None:
    """Accept that a browser asks for another link.

    Raises:
        TooManyAsked: it has asked for too many today.
    """
    known = context.uow.correspondents.of(f"@{context.fingerprint('browser', browser.name)}", context.now)
    if known.questions >= LINKS_PER_DAY:
        raise TooManyAsked
    context.uow.correspondents.save(known.asked(), counts_strictly=True)


LinkMaker: TypeAlias = Callable[[ConfirmReply], str]


LINK_FOR = timedelta(minutes=30)
"""The time for which a mailed link can be used."""

NEXT_LINK_AFTER = timedelta(minutes=10)
"""While a link is not older than that and not used, no other is mailed to its player, whoever asks for it: so nobody is
flooded, and whoever opens their mailbox finds one that lasts long enough."""

MOST_SHARING = 5
"""The most players of one address who are each mailed a link."""


class LinkSpent(NotAllowed):
    """The link has been used, is too old, or never was one.

    ``is_confirmed``: it was about an address that is confirmed by now.
    """

    is_confirmed: bool = False


class WrongSignIn(WrongPassword):
    """The same as a wrong password in a letter, on the web."""


class TooManyTries(TooManyAttempts):
    """The same as too many wrong passwords in letters, on the web."""


def ask_link(who: str, sign: LinkMaker, context: Context, browser: FamiliarBrowser | None = None) -> list[Notice]:
    """Mail a link to all players with this userid or address.

    Neither the answer nor the time that it takes reveals whether there are any.

    Args:
        who: a userid or an address.
        sign: makes a link of a question.
        context: of the request.
        browser: shows who has signed in there before: they are mailed a link whatever others have asked for.

    Raises:
        TooManyAsked: too much has been asked for from this host.
    """
    meant = _meant(who, context)
    if browser is not None and any(map(browser.is_of, meant)):
        count_asked_by(browser, context)
    else:
        count_asked(context)
    players = [each for each in meant if _may_be_mailed(each, browser, context)]
    return [_link(each, sign, context) for each in players] or [_notice(NOBODY, sign(NO_QUESTION), is_decoy=True)]


def _meant(who: str, context: Context) -> Sequence[Player]:
    if "@" in who:
        return context.uow.players.by_confirmed_address(who)[:MOST_SHARING]
    player = context.uow.players.by_userid(who)
    return () if player is None else (player,)


def _may_be_mailed(player: Player, browser: FamiliarBrowser | None, context: Context) -> bool:
    since = context.now - NEXT_LINK_AFTER
    has_one = context.uow.confirmations.has_open(player.id, ConfirmationKind.SIGN_IN, since)
    is_asked_at_home = browser is not None and browser.is_of(player)
    return player.is_here and bool(player.reachable) and (is_asked_at_home or not has_one)


def _link(player: Player, sign: LinkMaker, context: Context) -> Notice:
    soon = replace(context, policy=replace(context.policy, confirm_for=LINK_FOR))
    return _notice(player, sign(new_question(ConfirmationKind.SIGN_IN, player, None, soon)))


def _notice(player: Player, link: str, *, is_decoy: bool = False) -> Notice:
    facts = {"player": player, "link": link, "minutes": LINK_FOR // timedelta(minutes=1)}
    return Notice("sign_in", player, facts, from_nobody=True, is_decoy=is_decoy)


def open_question(question: ConfirmReply, kind: ConfirmationKind, context: Context) -> Confirmation:
    """The question of a link that can still be used.

    Raises:
        LinkSpent: it cannot be used, or is for something else.
    """
    asked = find_question(question.confirmation, question.nonce, context)
    if asked is None or asked.kind is not kind:
        raise LinkSpent
    if asked.answered_at is not None or asked.expires_at < context.now:
        confirmed = context.uow.players.get(asked.player).confirmed
        raise LinkSpent(is_confirmed=address_key(asked.address or "") in map(address_key, confirmed))
    return asked


def sign_in_by_link(question: ConfirmReply, lasts: timedelta, context: Context) -> str:
    """Begin a session with a link, which works once; return the secret for the browser.

    Raises:
        LinkSpent: the link cannot be used any more.
        AccountBanned: the operator does not allow it.
    """
    asked = open_question(question, ConfirmationKind.SIGN_IN, context)
    secret = begin_session(context.uow.players.get(asked.player), lasts, context)
    context.uow.confirmations.save(replace(asked, answered_at=context.now))
    return secret


def begin_try(userid: str, context: Context, browser: FamiliarBrowser | None = None) -> list[WrongAttempt]:
    """Count a password as wrong before it is verified; commit this before verifying.

    Wrong passwords from elsewhere do not count against a browser in which the player has signed in before.

    Returns:
        The attempts that `sign_in_by_password` takes back if it is right.

    Raises:
        TooManyTries: it may not be verified.
    """
    player = context.uow.players.by_userid(userid)
    own = browser.name if browser is not None and browser.is_of(player) else ""
    return reserve_attempt(userid, player, context, refusal=TooManyTries, browser=own)


def sign_in_by_password(
    userid: str, password: str, lasts: timedelta, context: Context, tried: Sequence[WrongAttempt] = ()
) -> str:
    """Begin a session with a password; return the secret for the browser.

    Args:
        userid: the player's.
        password: perhaps the player's.
        lasts: the length of the session.
        context: of the request.
        tried: the attempts that it is counted as already.

    Raises:
        WrongSignIn, NotConfirmed, AccountBanned: the player cannot sign in.
    """
    player = context.uow.players.by_userid(userid)
    if not context.passwords.verify(password, player.password_hash if player else None) or player is None:
        raise WrongSignIn
    take_back(tried, context)
    if not player.confirmed:
        raise NotConfirmed(player.userid)
    note_familiar(player, context)
    return begin_session(player, lasts, context)


def confirm_by_link(
    question: ConfirmReply,
    lasts: timedelta,
    context: Context,
    signup: str | None = None,
    *,
    keeps_password: bool = False,
) -> tuple[str, list[Notice]]:
    """Confirm an address by a link in the mail that asks about it.

    Anybody can sign up with somebody else's address and a password of their own: it is not kept unless the signup came
    from this browser, or whoever confirms the address says that the password is theirs.

    Args:
        question: the question.
        lasts: the length of the session.
        context: of the request.
        signup: the hash of the secret that this browser has of its signup.
        keeps_password: True if whoever confirms says that the password is theirs.

    Returns:
        The secret for the browser, if that has opened an account, or an empty one; and the notices to mail.

    Raises:
        LinkSpent, NotAsked, AccountFrozen, AccountBanned: it cannot be confirmed, and the question stays open.
    """
    asked = open_question(question, ConfirmationKind.ADDRESS, context)
    was_there = bool(context.uow.players.get(asked.player).confirmed)
    address = asked.address or ""
    by_mail = replace(context, evidence=replace(context.evidence, answer_to=address, from_address=address))
    with context.uow.attempt():
        take_answer(asked.id, asked.nonce, by_mail)
        told = dispatch(ConfirmAddress(asked.id, keeps_password or is_from(asked, signup)), by_mail)
    mailed = [replace(notice, answers=False) for notice in told]
    player = context.uow.players.get(asked.player)
    return "" if was_there else begin_session(player, lasts, context), mailed


def is_from(asked: Confirmation, signup: str | None) -> bool:
    """Return True if a question about an address comes from a signup in this browser."""
    return signup is not None and asked.session is not None and hmac.compare_digest(asked.session, signup)


def begin_session(player: Player, lasts: timedelta, context: Context) -> str:
    """Begin a session, and return the secret for the browser.

    Raises:
        AccountBanned: the operator does not allow it.
    """
    if player.standing is not Standing.FROZEN:
        check_standing(player, None, context)
    secret = secrets.token_urlsafe(32)
    context.uow.players.hold(player)  # they may be leaving just now, or losing their sessions
    context.uow.sessions.begin(Session(hashed(secret), player.id, context.now, context.now + lasts))
    context.uow.players.seen(player, context.now.date())
    return secret


def speaker_of(secret: str, context: Context) -> Speaker:
    """The speaker in a browser; nobody, if its session has ended."""
    session = context.uow.sessions.find(hashed(secret), context.now)
    if session is None:
        return Speaker(None)
    player = context.uow.players.get(session.player)
    return Speaker(player, Proof.PROVEN, session=session.secret_hash) if player.is_here else Speaker(None)


MOST_TOKENS = 5
"""The most tokens of one player."""
PREFIX = "pbem_"
"""The beginning of secrets, so that programs which look for leaked ones recognise them."""


class TooManyTokens(NotAllowed):
    """The player has as many tokens as they may."""

    most: int


class BadTokenName(Unreadable):
    """A token cannot have this name."""


class TokenNameTaken(NotAllowed):
    """Another token of the player has this name."""

    name: str


class NoSuchToken(NotAllowed):
    """The token is unknown; it may have been revoked."""


class KeyUsed(NotAllowed):
    """Something else was sent under this key before."""


def make_token(name: str, context: Context) -> tuple[str, list[Notice]]:
    """Make a token for the speaker; they are told, whoever has made it.

    Returns:
        Its secret, which cannot be shown again, and the notices to mail.

    Raises:
        GuestsMayNot, AccountFrozen, AccountBanned: the speaker is a guest, or the operator does not allow it.
        BadTokenName, TokenNameTaken: it cannot have this name.
        TooManyTokens: the speaker has enough.
    """
    player, name = context.speaker.known, " ".join(name.split())
    check_no_guest(context)
    check_standing(player, None, context)
    known = context.uow.tokens.of(player.id)
    if not is_name(name):
        raise BadTokenName
    if name.casefold() in [each.name.casefold() for each in known]:
        raise TokenNameTaken(name)
    if len(known) >= MOST_TOKENS:
        raise TooManyTokens(MOST_TOKENS)
    secret = PREFIX + secrets.token_urlsafe(32)
    context.uow.players.hold(player)  # they may be leaving just now
    context.uow.tokens.save(Token(hashed(secret), player.id, name, context.now))
    facts = {"player": player, "name": name, "operator": context.policy.operator}
    return secret, [Notice("token_made", player, facts)]


def revoke_token(name: str, context: Context) -> None:
    """End a token of the speaker; one that has ended already stays so."""
    for each in context.uow.tokens.of(context.speaker.known.id):
        if each.name == name:
            context.uow.tokens.revoke(each.secret_hash)


def tokens_of_speaker(context: Context) -> Sequence[Token]:
    """The tokens of the speaker, oldest first.

    Raises:
        GuestsMayNot: a guest has none.
    """
    check_no_guest(context)
    return context.uow.tokens.of(context.speaker.known.id)


def speaker_by(secret: str, context: Context) -> Speaker:
    """The speaker of a program; the request is counted, and the player noted as here.

    Raises:
        NoSuchToken: nobody.
        TooManyPosts: the program has sent too much in too short a time.
    """
    token = context.uow.tokens.find(hashed(secret))
    if token is None:
        raise NoSuchToken
    player = context.uow.players.get(token.player)
    if not player.is_here:
        raise NoSuchToken
    context.uow.tokens.save(token.used(context.now))
    context.uow.players.seen(player, context.now.date())
    return Speaker(player, Proof.PROVEN, session=token.secret_hash)


def answered_before(token: str, key: str, said: str, context: Context) -> Post | None:
    """The answer to the same request under the same key, if there was one.

    Args:
        token: its hash.
        key: the program's name for it; empty: none.
        said: the whole request.
        context: of the request.

    Raises:
        KeyUsed: something else came under it.
    """
    post = context.uow.tokens.post(token, hashed(key), context.now - POSTS_KEPT) if key else None
    if post is not None and post.said != hashed(said):
        raise KeyUsed
    return post
