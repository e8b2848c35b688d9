"""How an operator signs in: by a link that ``pbem admin sign-in`` prints, good once and not for long."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

import structlog

from pbem.domain.sessions import OPERATOR_SESSION_FOR, hashed
from pbem.errors import NotAllowed
from pbem.web.security import TOKEN, host_of, is_ours
from pbem.web.visits import NotFromHere

if TYPE_CHECKING:
    from starlette.responses import Response

    from pbem.web.admin.page import Office
    from pbem.web.visits import Visit

log = structlog.get_logger()

PATH = "/admin"
"""The cookie goes nowhere else."""


class OperatorLinkSpent(NotAllowed):
    """The link to the operator's page has been used, or it is too old, or there never was one."""


class TooManyLinksTried(NotAllowed):
    """So many links that are none have come from where somebody is that he has to wait."""


def secret_of(visit: Visit) -> str:
    """What the browser keeps of an operator's session; empty if nothing."""
    return visit.request.cookies.get(_name(visit), "")


def show_link(office: Office, visit: Visit) -> Response:
    """A page with a button: programs that look through links open them, and press no buttons.

    Raises:
        OperatorLinkSpent, TooManyLinksTried: it cannot be used.
    """
    _check_tries(office, visit)
    if not office.keys.is_link(hashed(visit.word("secret")), visit.now):
        raise _vain(office, visit)
    return visit.page("admin_sign_in", {"hours": _hours()})


def use_link(office: Office, visit: Visit) -> Response:
    """Sign in.

    Raises:
        NotFromHere, OperatorLinkSpent, TooManyLinksTried: it cannot be.
    """
    _check_form(visit, "")
    _check_tries(office, visit)
    secret = secrets.token_urlsafe(32)
    if not office.keys.begin(hashed(visit.word("secret")), hashed(secret), visit.now):
        raise _vain(office, visit)
    log.info("operator signed in")
    response = visit.go(PATH)
    response.set_cookie(
        _name(visit),
        secret,
        max_age=int(OPERATOR_SESSION_FOR.total_seconds()),
        path=PATH,
        secure=visit.site.is_secure,
        httponly=True,
        samesite="strict",
    )
    return response


def sign_out(office: Office, visit: Visit) -> Response:
    """End the session of this browser.

    Raises:
        NotFromHere: the form does not come from the operator's page.
    """
    secret = secret_of(visit)
    if secret and office.keys.who(hashed(secret), visit.now) is not None:
        _check_form(visit, secret)
        office.keys.end(hashed(secret))
    else:
        _check_form(visit, "")
    response = visit.go(PATH)
    response.delete_cookie(_name(visit), path=PATH, secure=visit.site.is_secure, httponly=True, samesite="strict")
    response.headers["clear-site-data"] = '"cache"'
    return response


def _name(visit: Visit) -> str:
    """Of the cookie; by the prefix browsers know that it was set over TLS (RFC 6265bis s 4.1.3.1)."""
    return "__Secure-operator" if visit.site.is_secure else "operator"


def _check_form(visit: Visit, secret: str) -> None:
    if not is_ours(visit.request, visit.form.get(TOKEN, ""), secret, visit.site.url):
        raise NotFromHere


def _check_tries(office: Office, visit: Visit) -> None:
    if not office.tries.may(host_of(visit.request), visit.now):
        raise TooManyLinksTried


def _vain(office: Office, visit: Visit) -> OperatorLinkSpent:
    log.warning("operator link refused")
    office.tries.note(host_of(visit.request), visit.now)
    return OperatorLinkSpent()


def _hours() -> int:
    return int(OPERATOR_SESSION_FOR.total_seconds()) // 3600
