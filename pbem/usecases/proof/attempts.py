"""How many wrong passwords may be tried, for one userid and from one mail domain."""

from __future__ import annotations

import math
from datetime import timedelta
from typing import TYPE_CHECKING

from pbem.domain.hosts import networks_of
from pbem.domain.players import userid_key
from pbem.errors import NotAllowed
from pbem.usecases.ports import MostWrong, WrongAttempt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.usecases.context import Context

COUNTED_FOR = timedelta(hours=1)
"""How long a wrong password is held against who has sent it."""


class TooManyAttempts(NotAllowed):
    """So many passwords were wrong lately that this one is not looked at; in so many minutes it would be."""

    def __init__(self, minutes: int) -> None:
        super().__init__(minutes=minutes)


def allow_attempt(
    userid: str,
    context: Context,
    *,
    from_home: bool,
    refusal: type[TooManyAttempts] = TooManyAttempts,
    browser: str = "",
) -> None:
    """Accept that a password is looked at; whether there is such a userid makes no difference.

    Args:
        userid: whose password it is to be.
        context: of the letter.
        from_home: whether the letter comes from where this userid writes from, as far as anybody can tell. What
            others of that domain have tried is then not held against it.
        refusal: how it is said where no letter has come.
        browser: the name of a browser in which he has signed in before: it has a count of its own.

    Raises:
        TooManyAttempts: not now.
    """
    this, policy = _attempt(userid, browser, context), context.policy
    lately = context.uow.wrong_passwords.like(this, context.now - COUNTED_FOR)
    of_userid = [each for each in lately if each.userid == this.userid]
    of_domain = [each for each in lately if each.domain == this.domain]
    waits = [
        _wait(of_userid, policy.wrong_passwords_per_userid, context),
        timedelta(0) if from_home else _wait(of_domain, policy.wrong_passwords_per_domain, context),
    ]
    if max(waits) > timedelta(0):
        raise refusal(max(1, math.ceil(max(waits) / timedelta(minutes=1))))


def reserve_attempt(
    userid: str, context: Context, *, from_home: bool, refusal: type[TooManyAttempts], browser: str = ""
) -> list[WrongAttempt]:
    """Count a password as wrong before it is looked at, so that of many at once no more are looked at than may be.

    Args:
        userid: whose password it is to be.
        context: of the request.
        from_home: as in `allow_attempt`.
        refusal: how it is said.
        browser: as in `allow_attempt`.

    Returns:
        What to take back if it is right.

    Raises:
        TooManyAttempts: not now.
    """
    allow_attempt(userid, context, from_home=from_home, refusal=refusal, browser=browser)
    policy, since = context.policy, context.now - COUNTED_FOR
    this = _attempt(userid, browser, context)
    of_domain = None if from_home else policy.wrong_passwords_per_domain
    attempts = {this: MostWrong(policy.wrong_passwords_per_userid, of_domain)}
    for name, share in networks_of(context.evidence.domain)[1:]:
        site = context.fingerprint("domain", name)
        of_site = WrongAttempt(context.now, site, site)
        most = share * policy.wrong_passwords_per_domain
        wait = _wait(context.uow.wrong_passwords.like(of_site, since), most, context)
        if wait > timedelta(0) and not from_home:
            raise refusal(max(1, math.ceil(wait / timedelta(minutes=1))))
        attempts[of_site] = MostWrong(None, None if from_home else most)
    for attempt, limit in attempts.items():
        context.uow.wrong_passwords.reserve(attempt, since, limit)
    return list(attempts)


def take_back(attempts: Sequence[WrongAttempt], context: Context) -> None:
    """Hold a password that was right against nobody."""
    for each in attempts:
        context.uow.wrong_passwords.take_back(each)


def note_wrong_password(userid: str, context: Context) -> None:
    """Hold a wrong password against its userid and the domain that it came from."""
    context.uow.wrong_passwords.add(_attempt(userid, "", context))


def _wait(attempts: Sequence[WrongAttempt], most: int, context: Context) -> timedelta:
    """How long it takes until fewer than ``most`` of these, oldest first, count."""
    return attempts[-most].at + COUNTED_FOR - context.now if len(attempts) >= most else timedelta(0)


def _attempt(userid: str, browser: str, context: Context) -> WrongAttempt:
    """This attempt, by fingerprints: who tries which userid is nobody's business."""
    fingerprint = context.fingerprint
    meant = (
        fingerprint("browser", userid_key(userid), browser) if browser else fingerprint("userid", userid_key(userid))
    )
    return WrongAttempt(context.now, meant, fingerprint("domain", context.evidence.domain))
