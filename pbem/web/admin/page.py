"""The operator's page: what needs attention, and how the server is doing. Nothing can be done there but signing out.

Its session is another one than that of players, kept for addresses below /admin alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from starlette.routing import Route

from pbem.domain.sessions import hashed
from pbem.errors import PlayerError
from pbem.usecases.admin.attention import judge
from pbem.web.admin import signing_in
from pbem.web.admin.tries import Tries
from pbem.web.security import masked, token_of
from pbem.web.serving.threads import in_thread
from pbem.web.visits import Visit

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence
    from datetime import datetime

    from anyio import CapacityLimiter
    from starlette.requests import Request
    from starlette.responses import Response

    from pbem.usecases.admin.attention import ServerCondition
    from pbem.web.serving.threads import Threads
    from pbem.web.site import Site

    Page = Callable[["Office", Visit], Response]
    ReadForm = Callable[[Request], Awaitable[dict[str, str]]]


class Keys(Protocol):
    """Who may see the page, by hashes of secrets."""

    def is_link(self, secret_hash: str, now: datetime) -> bool:
        """Whether a link would still open the page."""

    def who(self, secret_hash: str, now: datetime) -> str | None:
        """The account whose session it is."""

    def begin(self, link: str, session: str, now: datetime) -> bool:
        """Turn a link into a session; False if it is not good."""

    def end(self, session: str) -> None:
        """End a session."""


@dataclass(frozen=True)
class Outlook:
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
class Office:
    """What the operator's page is made from.

    Args:
        keys: who may see it.
        look: how the server is doing at a moment.
    """

    keys: Keys
    look: Callable[[datetime], Outlook]
    tries: Tries = field(default_factory=Tries)


def admin_routes(office: Office, site: Site, threads: Threads, read_form: ReadForm) -> list[Route]:
    """Where the operator's pages are."""

    def route(path: str, page: Page, method: str, limiter: CapacityLimiter) -> Route:
        async def answer(request: Request) -> Response:
            visit = Visit(site, request, await read_form(request) if method == "POST" else {})
            return await in_thread(limiter, _answer, page, office, visit)

        return Route(path, answer, methods=[method])

    return [
        route("/admin", show_status, "GET", threads.pages),
        route("/admin/sign-in/{secret}", signing_in.show_link, "GET", threads.pages),
        route("/admin/sign-in/{secret}", signing_in.use_link, "POST", threads.forms),
        route("/admin/sign-out", signing_in.sign_out, "POST", threads.forms),
    ]


def _answer(page: Page, office: Office, visit: Visit) -> Response:
    """What a page answers, which no browser keeps."""
    try:
        response = page(office, visit)
    except PlayerError as wrong:
        status = 429 if isinstance(wrong, signing_in.TooManyLinksTried) else 403
        response = visit.page("wrong", {"wrong": wrong, "status": status}, status)
    response.headers["cache-control"] = "no-store"
    if "etag" in response.headers:
        del response.headers["etag"]
    return response


def show_status(office: Office, visit: Visit) -> Response:
    """How the server is doing, for who has signed in here; others are told how that is done."""
    secret = signing_in.secret_of(visit)
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
