"""Limits on wrong passwords, for one userid and from one source.

A source is something that a sender cannot forge: the host that the letter or the request came from, an address for
whose domain our own MTA vouches, a mail of ours that is answered, a browser in which a player has signed in before. A
From address is none. A source of right passwords of a player is familiar, and counts by itself. All other sources
count together, so that nobody who has many of them may guess more often; and their guesses keep nobody out who writes
from a familiar source.
"""

from __future__ import annotations

import ipaddress
import math
from collections.abc import Sequence
from datetime import timedelta
from typing import NamedTuple

from pbem.domain.letters import Evidence
from pbem.domain.players import SITE_SHARE, Network, Player, address_key, networks_of, userid_key
from pbem.domain.replies import BoardMail, BoardReply, TopicReply
from pbem.errors import NotAllowed, PbemError
from pbem.storage.passwords import MostWrong, TriedLately, WrongAttempt
from pbem.usecases.context import Context

COUNTED_FOR = timedelta(hours=1)
"""The time for which a wrong password counts against its sender."""
NOTED_AGAIN_AFTER = timedelta(days=7)
"""The age at which a familiar source is noted again."""
_ANSWER = "answer"
"""The source of a letter that answers a mail to the player whose password it has."""


class TooManyAttempts(NotAllowed):
    """So many passwords were wrong lately that this one does nothing; it would again in ``minutes``.

    Args:
        minutes: until then.
        of_userid: True if they were for the same userid; else they came from the same source.
    """

    def __init__(self, minutes: int, *, of_userid: bool = True) -> None:
        PbemError.__init__(self, minutes=minutes)
        self.of_userid = of_userid
        self.right: Player | None = None
        """The player, if the password is right nevertheless; the sender must not be able to tell."""


class TooManyPasswords(NotAllowed):
    """A letter has more userids and passwords than are verified for one."""

    most: int


class Attempt(NamedTuple):
    """A password to be verified, by fingerprints: who tries which userid is nobody's business."""

    meant: str
    """The name it counts for: the userid from unfamiliar sources, or from this familiar one."""
    sources: Sequence[Network]
    """The sources it comes from, the narrowest first."""
    is_familiar: bool
    lately: TriedLately


def allow_attempt(
    userid: str,
    player: Player | None,
    context: Context,
    *,
    refusal: type[TooManyAttempts] = TooManyAttempts,
    browser: str = "",
) -> Attempt:
    """Accept that a password is verified; it makes no difference if there is such a userid.

    Args:
        userid: the one it is for.
        player: the player with this userid, if there is one.
        context: of the letter.
        refusal: the error to raise where no letter has come.
        browser: the name of a browser in which the player has signed in before.

    Raises:
        TooManyAttempts: not now.
    """
    this = _attempt(userid, player, context, browser)
    wrong, policy = this.lately.wrong, context.policy
    waits = [_wait([each for each in wrong if each.userid == this.meant], policy.wrong_passwords_per_userid, context)]
    if not this.is_familiar:
        waits += [
            _wait([each for each in wrong if each.source == name], share * policy.wrong_passwords_per_domain, context)
            for name, share in this.sources
        ]
    if max(waits) > timedelta(0):
        minutes = max(1, math.ceil(max(waits) / timedelta(minutes=1)))
        raise refusal(minutes, of_userid=waits[0] > timedelta(0))
    return this


def reserve_attempt(
    userid: str, player: Player | None, context: Context, *, refusal: type[TooManyAttempts], browser: str = ""
) -> list[WrongAttempt]:
    """Count a password as wrong before it is verified, so that of many at once no more are verified than allowed.

    Returns:
        The attempts to take back if it is right.

    Raises:
        TooManyAttempts: not now.
    """
    this = allow_attempt(userid, player, context, refusal=refusal, browser=browser)
    most = context.policy.wrong_passwords_per_domain
    limits = [None if this.is_familiar else share * most for _, share in this.sources] or [None]
    counted = _counted(this, context)
    for number, (each, of_source) in enumerate(zip(counted, limits, strict=True)):
        of_userid = None if number else context.policy.wrong_passwords_per_userid
        context.uow.wrong_passwords.reserve(each, context.now - COUNTED_FOR, MostWrong(of_userid, of_source))
    return counted


def take_back(attempts: Sequence[WrongAttempt], context: Context) -> None:
    """Stop counting attempts whose password was right."""
    for each in attempts:
        context.uow.wrong_passwords.take_back(each)


def note_wrong_password(this: Attempt, context: Context) -> None:
    """Count a wrong password against its userid and its source."""
    for each in _counted(this, context):
        context.uow.wrong_passwords.add(each)


def note_right_password(player: Player, this: Attempt, context: Context) -> None:
    """Note the source as familiar to the player, unless that was done lately."""
    right_at = this.lately.right_at
    if right_at is None or context.now - right_at > NOTED_AGAIN_AFTER:
        note_familiar(player, context)


def note_familiar(player: Player, context: Context) -> None:
    """Note the source of the letter or the request as familiar to the player, who is proven."""
    for source in _sources(context)[:1]:
        context.uow.wrong_passwords.make_familiar(player.id, source.name, context.now)


def _counted(this: Attempt, context: Context) -> list[WrongAttempt]:
    """The attempts to count: one for the userid and the source, and one for each wider network."""
    names = [each.name for each in this.sources] or [""]
    return [WrongAttempt(context.now, this.meant if name == names[0] else name, name) for name in names]


def _wait(attempts: Sequence[WrongAttempt], most: int, context: Context) -> timedelta:
    """The time until fewer than ``most`` of these, oldest first, count."""
    return attempts[-most].at + COUNTED_FOR - context.now if len(attempts) >= most else timedelta(0)


def _attempt(userid: str, player: Player | None, context: Context, browser: str) -> Attempt:
    fingerprint, key, sources = context.fingerprint, userid_key(userid), _sources(context)
    here = browser or (_ANSWER if player is not None and answers_mail_to(player, context.evidence) else "")
    place = fingerprint("place", here) if here else sources[0].name if sources else ""
    anywhere, there = fingerprint("userid", key), fingerprint("userid", key, place)
    which = None if player is None else player.id
    names, since = [each.name for each in sources], context.now - COUNTED_FOR
    lately = context.uow.wrong_passwords.lately((anywhere, there), names, which, since)
    is_familiar = bool(here) or lately.right_at is not None
    return Attempt(there if is_familiar else anywhere, sources, is_familiar, lately)


def answers_mail_to(player: Player, evidence: Evidence) -> bool:
    """Return True if only somebody who has got a mail to the player can have written the letter."""
    if isinstance(evidence.reply, BoardReply | TopicReply):
        return evidence.reply.player == player.id
    sender = address_key(evidence.from_address or "")
    return isinstance(evidence.answered_mail, BoardMail) and sender in map(address_key, player.confirmed)


def _sources(context: Context) -> Sequence[Network]:
    """The sources that a sender cannot forge, by fingerprint, narrowest first; empty if a local MTA is silent."""
    evidence, found = context.evidence, tuple[Network, ...]()
    is_browser = evidence.from_address is None  # or a letter from nobody, which counts for others of its kind alone
    if evidence.authenticated and evidence.from_address is not None:
        address = address_key(evidence.from_address)
        found = (Network(address, 1), Network(address.rpartition("@")[2], SITE_SHARE))
    elif evidence.client is not None and (is_browser or not _is_this_machine(evidence.client)):
        found = networks_of(evidence.client)
    return [Network(context.fingerprint("source", each.name), each.share) for each in found]


def _is_this_machine(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return False
