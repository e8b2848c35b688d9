"""How many wrong passwords may be tried, for one userid and from one source.

A source is what a sender cannot forge: the host that the letter or the request came from, an address for whose domain
our own MTA vouches, a mail of ours that is answered, a browser in which a player has signed in before. A From address
is none. From where right passwords of a player have come is familiar, and counts by itself. All other sources count
together, so that nobody who has many of them may guess more often; and what they have tried keeps nobody out who
writes from where he is known.
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
"""How long a wrong password is held against who has sent it."""
NOTED_AGAIN_AFTER = timedelta(days=7)
"""How old it may be that a source was last noted as familiar."""
_ANSWER = "answer"
"""The source of a letter that answers a mail to the player whose password it says."""


class TooManyAttempts(NotAllowed):
    """So many passwords were wrong lately that this one does nothing at once; in so many minutes it would again.

    Args:
        minutes: until then.
        of_userid: whether they were for the same userid; or else they came from the same source.
    """

    def __init__(self, minutes: int, *, of_userid: bool = True) -> None:
        PbemError.__init__(self, minutes=minutes)
        self.of_userid = of_userid
        self.right: Player | None = None
        """The player, if the password is right nevertheless; the sender must not be able to tell."""


class TooManyPasswords(NotAllowed):
    """A letter says more userids and passwords than are looked at for one."""

    most: int


class Attempt(NamedTuple):
    """A password that is looked at, by fingerprints: who tries which userid is nobody's business."""

    meant: str
    """What it counts for: the userid from unfamiliar sources, or from this familiar one."""
    sources: Sequence[Network]
    """Where it comes from, the narrowest first."""
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
    """Accept that a password is looked at; whether there is such a userid makes no difference.

    Args:
        userid: whose password it is to be.
        player: who is called so, if anybody is.
        context: of the letter.
        refusal: how it is said where no letter has come.
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
    """Count a password as wrong before it is looked at, so that of many at once no more are looked at than may be.

    Returns:
        What to take back if it is right.

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
    """Hold a password that was right against nobody."""
    for each in attempts:
        context.uow.wrong_passwords.take_back(each)


def note_wrong_password(this: Attempt, context: Context) -> None:
    """Hold a wrong password against its userid and where it came from."""
    for each in _counted(this, context):
        context.uow.wrong_passwords.add(each)


def note_right_password(player: Player, this: Attempt, context: Context) -> None:
    """Know that the player writes from there."""
    right_at = this.lately.right_at
    if right_at is None or context.now - right_at > NOTED_AGAIN_AFTER:
        note_familiar(player, context)


def note_familiar(player: Player, context: Context) -> None:
    """Know that the player, who has proven to be it, writes from where the letter or the request has come from."""
    for source in _sources(context)[:1]:
        context.uow.wrong_passwords.make_familiar(player.id, source.name, context.now)


def _counted(this: Attempt, context: Context) -> list[WrongAttempt]:
    """What is counted of an attempt: one for its userid and where it comes from, and one for each wider network."""
    names = [each.name for each in this.sources] or [""]
    return [WrongAttempt(context.now, this.meant if name == names[0] else name, name) for name in names]


def _wait(attempts: Sequence[WrongAttempt], most: int, context: Context) -> timedelta:
    """How long it takes until fewer than ``most`` of these, oldest first, count."""
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
    """Whether only somebody who has got a mail to the player can have written the letter."""
    if isinstance(evidence.reply, BoardReply | TopicReply):
        return evidence.reply.player == player.id
    sender = address_key(evidence.from_address or "")
    return isinstance(evidence.answered_mail, BoardMail) and sender in map(address_key, player.confirmed)


def _sources(context: Context) -> Sequence[Network]:
    """What the sender cannot forge, by fingerprint, the narrowest first; empty if an MTA on this machine is silent."""
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
