"""Tokens: made and revoked by players who have signed in, shown by programs that speak for them."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from pbem.domain.credentials import POSTS_KEPT, Post, Token, hashed, is_name
from pbem.domain.mails import Notice
from pbem.errors import NotAllowed, Unreadable
from pbem.usecases.context import Context, Proof, Speaker
from pbem.usecases.proof.authentication import check_standing

MOST_TOKENS = 5
"""Of one player."""
PREFIX = "pbem_"
"""What secrets begin with, so that programs which look for leaked ones know them."""


class TooManyTokens(NotAllowed):
    """The player has as many as he may."""

    most: int


class BadTokenName(Unreadable):
    """A token cannot be called so."""


class TokenNameTaken(NotAllowed):
    """Another token of the player is called so."""

    name: str


class NoSuchToken(NotAllowed):
    """Nobody can be told by what was shown; it may have been revoked."""


class KeyUsed(NotAllowed):
    """Under this key something else was sent before."""


def make_token(name: str, context: Context) -> tuple[str, list[Notice]]:
    """Make a token of the speaker's; whoever has made it, he is told.

    Returns:
        Its secret, which is never known again, and what is to be mailed.

    Raises:
        AccountFrozen, AccountBanned: the operator does not let it.
        BadTokenName, TokenNameTaken: it cannot be called so.
        TooManyTokens: he has enough.
    """
    player, name = context.speaker.known, " ".join(name.split())
    check_standing(player, None, context)
    known = context.uow.tokens.of(player.id)
    if not is_name(name):
        raise BadTokenName
    if name.casefold() in [each.name.casefold() for each in known]:
        raise TokenNameTaken(name)
    if len(known) >= MOST_TOKENS:
        raise TooManyTokens(MOST_TOKENS)
    secret = PREFIX + secrets.token_urlsafe(32)
    context.uow.players.hold(player)  # he may be leaving just now
    context.uow.tokens.save(Token(hashed(secret), player.id, name, context.now))
    facts = {"player": player, "name": name, "operator": context.policy.operator}
    return secret, [Notice("token_made", player, facts)]


def revoke_token(name: str, context: Context) -> None:
    """End a token of the speaker's; one that has ended is as good."""
    for each in context.uow.tokens.of(context.speaker.known.id):
        if each.name == name:
            context.uow.tokens.revoke(each.secret_hash)


def tokens_of_speaker(context: Context) -> Sequence[Token]:
    """The tokens of the speaker, oldest first."""
    return context.uow.tokens.of(context.speaker.known.id)


def speaker_by(secret: str, context: Context) -> Speaker:
    """Who speaks through a program; it is counted, and he is here.

    Raises:
        NoSuchToken: nobody.
        TooManyPosts: he has said too much in too short a time.
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
    """What was answered when the same came under the same key.

    Args:
        token: its hash.
        key: what the program calls it; empty: nothing.
        said: all that is asked for.
        context: of the request.

    Raises:
        KeyUsed: something else came under it.
    """
    post = context.uow.tokens.post(token, hashed(key), context.now - POSTS_KEPT) if key else None
    if post is not None and post.said != hashed(said):
        raise KeyUsed
    return post
