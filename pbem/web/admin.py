"""The operator's page: what needs attention, and how the server is doing. Nothing can be done there but signing out.

Its session is another one than that of players, kept for addresses below /admin alone. An operator signs in by a link
that ``pbem admin sign-in`` prints, good once and not for long.
"""

from __future__ import annotations

import secrets
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from threading import Lock
from typing import Any, TypeAlias

import structlog
from anyio import CapacityLimiter
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pbem.domain.credentials import OPERATOR_SESSION_FOR, hashed
from pbem.domain.players import networks_of
from pbem.errors import NotAllowed, PlayerError
from pbem.storage.operators import OperatorKeys
from pbem.usecases.attention import ServerCondition, judge
from pbem.web.connections import Threads, in_thread
from pbem.web.context import NotFromHere, RequestContext, Site
from pbem.web.security import TOKEN, host_of, is_ours, masked, token_of

log = structlog.get_logger()

Page: TypeAlias = "Callable[[AdminSite, RequestContext], Response]"
ReadForm: TypeAlias = Callable[[Request], Awaitable[dict[str, str]]]

PATH = "/admin"
"""The cookie goes nowhere else."""
MOST = 10
WITHIN = timedelta(hours=1)
_MOST_NETWORKS = 10_000
"""That are remembered; those that tried first are forgotten before."""


class Tries:
    """Vain tries of the last hour. They are kept by each process alone, in its memory.

    Args:
        most: of one host.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._vain: defaultdict[str, deque[datetime]] = defaultdict(deque)
        self._lock = Lock()

    def may(self, host: str, now: datetime) -> bool:
        """Whether somebody from there may try."""
        with self._lock:
            return all(self._of(name, now) < share * self._most for name, share in networks_of(host))

    def note(self, host: str, now: datetime) -> None:
        """Somebody from there has tried in vain."""
        with self._lock:
            for name, _ in networks_of(host):
                self._vain[name].append(now)
            while len(self._vain) > _MOST_NETWORKS:
                del self._vain[next(iter(self._vain))]

    def _of(self, network: str, now: datetime) -> int:
        """How many there were lately."""
        if network not in self._vain:
            return 0
        lately = self._vain[network]
        while lately and lately[0] <= now - WITHIN:
            lately.popleft()
        if not lately:
            del self._vain[network]
        return len(lately)


@dataclass(frozen=True)
class ServerStatus:
    """How the server is doing."""

    condition: ServerCondition
    letters_lately: Mapping[str, int]
    """How many have come: in the last ``hour``, in the last ``day``."""
    most_counted: int
    """So many of them are counted; there may be more."""
    counted: Mapping[str, float | None]
    """What this process has counted since its start, by the names of its meters."""
    process: Mapping[str, Any]
    """What this process is, and what it stands on."""
    holders: Sequence[str]
    """The processes that have something in their hands."""


@dataclass(frozen=True)
class AdminSite:
    """What the operator's page is made from.

    Args:
        keys: who may see it.
        look: how the server is doing at a moment.
    """

    keys: OperatorKeys
    look: Callable[[datetime], ServerStatus]
    tries: Tries = field(default_factory=Tries)


def admin_routes(office: AdminSite, site: Site, threads: Threads, read_form: ReadForm) -> list[Route]:
    """Where the operator's pages are."""

    def route(path: str, page: Page, method: str, limiter: CapacityLimiter) -> Route:
        async def answer(request: Request) -> Response:
            visit = RequestContext(site, request, await read_form(request) if method == "POST" else {})
            return await in_thread(limiter, _answer, page, office, visit)

        return Route(path, answer, methods=[method])

    return [
        route("/admin", show_status, "GET", threads.pages),
        route("/admin/sign-in/{secret}", show_link, "GET", threads.pages),
        route("/admin/sign-in/{secret}", use_link, "POST", threads.forms),
        route("/admin/sign-out", sign_out, "POST", threads.forms),
    ]


def _answer(page: Page, office: AdminSite, visit: RequestContext) -> Response:
    """What a page answers, which no browser keeps."""
    try:
        response = page(office, visit)
    except PlayerError as wrong:
        status = 429 if isinstance(wrong, TooManyLinksTried) else 403
        response = visit.page("wrong", {"wrong": wrong, "status": status}, status)
    response.headers["cache-control"] = "no-store"
    if "etag" in response.headers:
        del response.headers["etag"]
    return response


def show_status(office: AdminSite, visit: RequestContext) -> Response:
    """How the server is doing, for who has signed in here; others are told how that is done."""
    secret = secret_of(visit)
    operator = office.keys.who(hashed(secret), visit.now) if secret else None
    if operator is None:
        return visit.page("admin_closed", {}, 403)
    outlook = office.look(visit.now)
    facts = {
        "operator": operator,
        "operator_token": masked(token_of(secret)),
        "attention": judge(outlook.condition),
        "depths": outlook.condition.depths,
        "disk": outlook.condition.disk,
        "backup_at": outlook.condition.backup_at,
        "has_backups": outlook.condition.has_backups,
        "schema": outlook.condition.schema,
        "outlook": outlook,
    }
    return visit.page("admin", facts)


class OperatorLinkSpent(NotAllowed):
    """The link to the operator's page has been used, or it is too old, or there never was one."""


class TooManyLinksTried(NotAllowed):
    """So many links that are none have come from where somebody is that he has to wait."""


def secret_of(visit: RequestContext) -> str:
    """What the browser keeps of an operator's session; empty if nothing."""
    return visit.request.cookies.get(_name(visit), "")


def show_link(office: AdminSite, visit: RequestContext) -> Response:
    """A page with a button: programs that look through links open them, and press no buttons.

    Raises:
        OperatorLinkSpent, TooManyLinksTried: it cannot be used.
    """
    _check_tries(office, visit)
    if not office.keys.is_link(hashed(visit.word("secret")), visit.now):
        raise _vain(office, visit)
    return visit.page("admin_sign_in", {"hours": _hours()})


def use_link(office: AdminSite, visit: RequestContext) -> Response:
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


def sign_out(office: AdminSite, visit: RequestContext) -> Response:
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


def _name(visit: RequestContext) -> str:
    """Of the cookie; by the prefix browsers know that it was set over TLS (RFC 6265bis s 4.1.3.1)."""
    return "__Secure-operator" if visit.site.is_secure else "operator"


def _check_form(visit: RequestContext, secret: str) -> None:
    if not is_ours(visit.request, visit.form.get(TOKEN, ""), secret, visit.site.url):
        raise NotFromHere


def _check_tries(office: AdminSite, visit: RequestContext) -> None:
    if not office.tries.may(host_of(visit.request), visit.now):
        raise TooManyLinksTried


def _vain(office: AdminSite, visit: RequestContext) -> OperatorLinkSpent:
    log.warning("operator link refused")
    office.tries.note(host_of(visit.request), visit.now)
    return OperatorLinkSpent()


def _hours() -> int:
    return int(OPERATOR_SESSION_FOR.total_seconds()) // 3600
