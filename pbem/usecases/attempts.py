"""How many wrong passwords may be tried, for one userid and from one mail domain."""

from __future__ import annotations

import math
from datetime import timedelta
from typing import TYPE_CHECKING

from pbem.domain.players import userid_key
from pbem.errors import NotAllowed
from pbem.usecases.ports import WrongPassword

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


def note_wrong_password(userid: str, context: Context, browser: str = "") -> None:
    """Hold a wrong password against its userid, or the browser of its player, and the domain that it came from."""
    context.uow.wrong_passwords.add(_attempt(userid, browser, context))


def _wait(attempts: Sequence[WrongPassword], most: int, context: Context) -> timedelta:
    """How long it takes until fewer than ``most`` of these, oldest first, count."""
    return attempts[-most].at + COUNTED_FOR - context.now if len(attempts) >= most else timedelta(0)


def _attempt(userid: str, browser: str, context: Context) -> WrongPassword:
    """This attempt, by fingerprints: who tries which userid is nobody's business."""
    fingerprint = context.fingerprint
    meant = (
        fingerprint("browser", userid_key(userid), browser) if browser else fingerprint("userid", userid_key(userid))
    )
    return WrongPassword(context.now, meant, fingerprint("domain", context.evidence.domain))
