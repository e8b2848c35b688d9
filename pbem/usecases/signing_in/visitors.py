"""What may be asked for on the web by whoever comes: each is a mail to somebody who may not want it."""

from __future__ import annotations

from pbem.domain.hosts import networks_of
from pbem.errors import NotAllowed
from pbem.usecases.context import Context

MAILS_PER_DAY = 100
"""That go out because a host asks for them without being signed in; a whole club may share one."""
SIGNUPS_PER_DAY = 20
"""Of those, the ones that ask whoever it may be about a new account."""


class TooManyAsked(NotAllowed):
    """So much has been asked for from this host that it has to wait, whoever it is about."""


def count_asked(context: Context, *, is_signup: bool = False) -> None:
    """Accept that somebody who has not signed in has a mail sent; hosts are kept as fingerprints, for a day or two.

    Raises:
        TooManyAsked: not from this host, today.
    """
    limits = {"host": MAILS_PER_DAY} | ({"signups": SIGNUPS_PER_DAY} if is_signup else {})
    for name, share in networks_of(context.evidence.domain):
        for what, most in limits.items():
            known = context.uow.correspondents.of(f"@{context.fingerprint(what, name)}", context.now)
            if known.questions >= share * most:
                raise TooManyAsked
            context.uow.correspondents.save(known.asked(), counts_strictly=True)
