"""Notifications in the visitor's browser: switched on and off by its player."""

from __future__ import annotations

from starlette.responses import Response

from pbem.domain.credentials import hashed
from pbem.domain.mails import Notice
from pbem.domain.pushes import PushSubscription, are_keys, is_of_service
from pbem.errors import NotAllowed
from pbem.usecases.context import Context
from pbem.web.context import NotSignedIn, RequestContext

_SECTION = "/settings#notifications"


class NoPushService(NotAllowed):
    """The browser named a push service that the server does not use, or there are no notifications here."""


def subscribe(visit: RequestContext) -> Response:
    """Have this browser told when it is its player's turn.

    Raises:
        NotSignedIn, NotFromHere, NoPushService: it is not allowed.
    """
    visit.check_form()
    visit.check_signed_in()
    access, form = visit.site.push, visit.form
    endpoint, public_key, auth = (form.get(name, "") for name in ("endpoint", "p256dh", "auth"))
    if access is None or not is_of_service(endpoint, access.services) or not are_keys(public_key, auth):
        raise NoPushService

    def decide(context: Context) -> list[Notice]:
        session, player = context.speaker.session, context.speaker.player
        if session is None or player is None:  # it has ended just now
            raise NotSignedIn
        context.uow.pushes.subscribe(PushSubscription(session, player.id, endpoint, public_key, auth, context.now))
        return []

    visit.change(decide)
    return visit.go(_SECTION)


def unsubscribe(visit: RequestContext) -> Response:
    """Have this browser told no longer.

    Raises:
        NotSignedIn, NotFromHere: it is not allowed.
    """
    visit.check_form()
    visit.check_signed_in()

    def decide(context: Context) -> list[Notice]:
        context.uow.pushes.end(hashed(visit.secret))
        return []

    visit.change(decide)
    return visit.go(_SECTION)
