"""The operator's page: problems that need attention, and the state of the server; and the commands, where they are on.

Its session differs from that of players, and is kept for addresses below /admin alone. An operator signs in with a
link printed by ``pbem admin sign-in``, which works once and for a short time.
"""

from __future__ import annotations

import secrets
from collections import defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
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
from pbem.web.admin_commands import AdminCommand, AdminCommands, CommandResult
from pbem.web.connections import Threads, in_thread
from pbem.web.context import NotFromHere, RequestContext, Site
from pbem.web.forms import read_form
from pbem.web.security import TOKEN, host_of, is_ours, masked, token_of

log = structlog.get_logger()

Page: TypeAlias = "Callable[[AdminSite, RequestContext], Response]"

PATH = "/admin"
"""The only path that the cookie is sent to."""
MOST = 10
WITHIN = timedelta(hours=1)
_MOST_NETWORKS = 10_000
"""Most networks that are remembered; the ones that tried first are forgotten first."""


class Tries:
    """Failed tries of the last hour. Each process keeps its own, in memory.

    Args:
        most: tries of one host.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._vain: defaultdict[str, deque[datetime]] = defaultdict(deque)
        self._lock = Lock()

    def may(self, host: str, now: datetime) -> bool:
        """Return True if somebody from that host may try."""
        with self._lock:
            return all(self._of(name, now) < share * self._most for name, share in networks_of(host))

    def note(self, host: str, now: datetime) -> None:
        """Count a failed try from that host."""
        with self._lock:
            for name, _ in networks_of(host):
                self._vain[name].append(now)
            while len(self._vain) > _MOST_NETWORKS:
                del self._vain[next(iter(self._vain))]

    def _of(self, network: str, now: datetime) -> int:
        """The number of recent tries."""
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
    """The state of the server."""

    condition: ServerCondition
    letters_lately: Mapping[str, int]
    """The number of letters received in the last ``hour`` and in the last ``day``."""
    most_counted: int
    """Most letters that are counted; there may be more."""
    counted: Mapping[str, float | None]
    """The counts of this process since its start, by the names of its meters."""
    process: Mapping[str, Any]
    """The facts about this process, its versions and its surroundings."""
    holders: Sequence[str]
    """The processes that have work in progress."""


@dataclass(frozen=True)
class AdminSite:
    """The parts that the operator's page is made from.

    Args:
        keys: the keys of those who may see it.
        look: returns the state of the server at a moment.
        commands: those that may be run here; None: none.
    """

    keys: OperatorKeys
    look: Callable[[datetime], ServerStatus]
    commands: AdminCommands | None = None
    tries: Tries = field(default_factory=Tries)


def admin_routes(office: AdminSite, site: Site, threads: Threads) -> list[Route]:
    """The routes of the operator's pages."""

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
        *(
            [
                route("/admin/commands", show_commands, "GET", threads.pages),
                route("/admin/commands/{command:path}", show_command, "GET", threads.pages),
                route("/admin/commands/{command:path}", run_command, "POST", threads.forms),
            ]
            if office.commands is not None
            else ()
        ),
    ]


def _answer(page: Page, office: AdminSite, visit: RequestContext) -> Response:
    """Answer with a page, which no browser keeps."""
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
    """Show an operator who has signed in the state of the server; tell others how to sign in."""
    operator = _operator(office, visit)
    if operator is None:
        return visit.page("admin_closed", {}, 403)
    outlook = office.look(visit.now)
    facts = {
        "operator": operator,
        "operator_token": masked(token_of(secret_of(visit))),
        "attention": judge(outlook.condition),
        "depths": outlook.condition.depths,
        "disk": outlook.condition.disk,
        "backups": outlook.condition.backups,
        "schema": outlook.condition.schema,
        "outlook": outlook,
        "has_commands": office.commands is not None,
    }
    return visit.page("admin", facts)


def show_commands(office: AdminSite, visit: RequestContext) -> Response:
    """List the commands."""
    if _operator(office, visit) is None or office.commands is None:
        return visit.page("admin_closed", {}, 403)
    return visit.page("admin_commands", {"commands": [*office.commands.by_path.values()]})


def show_command(office: AdminSite, visit: RequestContext) -> Response:
    """Show the form of a command; `run_command` fills it again."""
    return _command_page(office, visit)


def run_command(office: AdminSite, visit: RequestContext) -> Response:
    """Run a command; if it changes something, ask first.

    Raises:
        NotFromHere: the form does not come from the operator's page.
    """
    operator, command = _operator(office, visit), _command(office, visit)
    if operator is None or command is None or office.commands is None:
        return _command_page(office, visit)
    _check_form(visit, secret_of(visit))
    if command.changes and visit.form.get("sure") != "yes":
        return _command_page(office, visit, asks=True)
    arguments = command.arguments(visit.form)
    result = office.commands.run(arguments, command.standard_input(visit.form), operator)
    log.info("operator command", operator=operator, command=command.name, done=result.is_done)
    return _command_page(office, visit, result=result)


def _command_page(
    office: AdminSite, visit: RequestContext, *, asks: bool = False, result: CommandResult | None = None
) -> Response:
    command = _command(office, visit)
    if _operator(office, visit) is None:
        return visit.page("admin_closed", {}, 403)
    if command is None:
        return visit.go(f"{PATH}/commands")
    facts = {
        "command": command,
        "form": visit.form,
        "typed": command.typed(visit.form),
        "asks": asks,
        "result": result,
        "operator_token": masked(token_of(secret_of(visit))),
    }
    return visit.page("admin_command", facts)


def _operator(office: AdminSite, visit: RequestContext) -> str | None:
    """The operator who has signed in with this browser."""
    secret = secret_of(visit)
    return office.keys.who(hashed(secret), visit.now) if secret else None


def _command(office: AdminSite, visit: RequestContext) -> AdminCommand | None:
    return None if office.commands is None else office.commands.by_path.get(visit.word("command"))


class OperatorLinkSpent(NotAllowed):
    """The link to the operator's page has been used, is too old, or never existed."""


class TooManyLinksTried(NotAllowed):
    """So many wrong links have come from somebody's network that they have to wait."""


def secret_of(visit: RequestContext) -> str:
    """The browser's secret of an operator's session; empty if it has none."""
    return visit.request.cookies.get(_name(visit), "")


def show_link(office: AdminSite, visit: RequestContext) -> Response:
    """A page with a button: programs that scan links open them, but press no buttons.

    Raises:
        OperatorLinkSpent, TooManyLinksTried: the link cannot be used.
    """
    _check_tries(office, visit)
    if not office.keys.is_link(hashed(visit.word("secret")), visit.now):
        raise _vain(office, visit)
    return visit.page("admin_sign_in", {"hours": _hours()})


def use_link(office: AdminSite, visit: RequestContext) -> Response:
    """Sign in.

    Raises:
        NotFromHere, OperatorLinkSpent, TooManyLinksTried: it is not allowed.
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
    """The name of the cookie; its prefix tells browsers that it was set over TLS (RFC 6265bis s 4.1.3.1)."""
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
