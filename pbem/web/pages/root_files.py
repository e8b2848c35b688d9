"""Files that browsers and search engines look for at the root of a site, and the page shown without the server."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from pbem.usecases.context import Context
from pbem.web.connections import Threads, in_thread
from pbem.web.context import RequestContext, Site
from pbem.web.sessions import unkept

_STATIC = Path(__file__).parents[1] / "static"
_DAY = "public, max-age=86400"

_FILES = {
    "/favicon.ico": ("favicon.ico", "image/x-icon", _DAY),
    # at the root, so that it is in charge of all pages; asked for anew, so that a fault in it does not last
    "/sw.js": ("sw.js", "text/javascript", "no-cache"),
}
"""Name, type and "cache-control" of static files, by their addresses at the root."""

_MANIFEST = {
    "name": "pbem",
    "short_name": "pbem",
    "id": "/",
    "start_url": "/",
    "scope": "/",
    "display": "minimal-ui",
    "background_color": "#fbf4e1",
    "theme_color": "#1b3a6e",
    "icons": [
        {"src": f"/static/icon-{size}.png", "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
        for size in (192, 512)
        for purpose in ("any", "maskable")
    ],
}
"""The application that a browser installs (W3C, "Web Application Manifest")."""

_NOT_FOR_ROBOTS = (
    *("/admin", "/challenge", "/command", "/confirm/", "/keep", "/language", "/looks", "/offline", "/play$", "/push/"),
    *("/settings", "/sign-in", "/sign-out", "/sign-up", "/unsubscribe/"),
    *("/boards/*/act", "/boards/*/live", "/boards/*/move", "/boards/*/resign", "/boards/*?", "/games/*/variant"),
)
"""Addresses of forms, of pages for one visitor, and of the many positions that could come of a board (RFC 9309)."""

MOST_BOARDS = 1000
"""The most finished boards in the site map."""


def show_offline(visit: RequestContext) -> Response:
    """The page that a browser keeps, to show it when the server cannot be reached."""
    return _kept_by_worker(visit.page("offline"))


def show_words(visit: RequestContext) -> Response:
    """The words of notifications in the visitor's language, as JSON."""
    words = visit.page("offline_words")
    words.headers["content-type"] = "application/json"
    return _kept_by_worker(words)


def _kept_by_worker(page: Response) -> Response:
    """A page that the browser's worker keeps, and nobody else: it depends on the visitor's language."""
    del page.headers["etag"]
    return unkept(page)


def root_routes(site: Site, threads: Threads) -> Sequence[Route]:
    """The routes of these files."""

    async def map_of_site(request: Request) -> Response:
        return await in_thread(threads.pages, _map, RequestContext(site, request, {}))

    manifest = _text(json.dumps(_MANIFEST), "application/manifest+json")
    return [
        *(Route(address, _file(*about)) for address, about in _FILES.items()),
        Route("/manifest.webmanifest", manifest),
        Route("/robots.txt", _text(_robots(site.url), "text/plain")),
        Route("/sitemap.xml", map_of_site),
    ]


_Endpoint = Callable[[Request], Awaitable[Response]]


def _file(name: str, media_type: str, lasts: str) -> _Endpoint:
    async def answer(_request: Request) -> Response:
        return FileResponse(_STATIC / name, media_type=media_type, headers={"cache-control": lasts})

    return answer


def _text(content: str, media_type: str) -> _Endpoint:
    async def answer(_request: Request) -> Response:
        return Response(content, media_type=media_type, headers={"cache-control": _DAY})

    return answer


def _robots(url: str) -> str:
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in _NOT_FOR_ROBOTS), "", f"Sitemap: {url}/sitemap.xml"]
    return "\n".join(lines) + "\n"


def _map(visit: RequestContext) -> Response:
    """The pages that search engines may be interested in (sitemaps.org, "Sitemap protocol format")."""
    found = visit.look(lambda context: [*_pages(context), *_help(visit), *_finished_boards(context)])
    entries = "".join(f"<url><loc>{escape(visit.site.url + path)}</loc></url>\n" for path in found)
    sitemap = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{entries}</urlset>\n'
    content = f'<?xml version="1.0" encoding="UTF-8"?>\n{sitemap}'
    return Response(content, media_type="application/xml", headers={"cache-control": "public, max-age=3600"})


def _pages(context: Context) -> Iterator[str]:
    yield from ("/", "/games", *(f"/games/{game}" for game in sorted(context.games)))
    yield from ("/boards", "/history", "/players", "/standings", "/tournaments", "/puzzles", "/help")


def _help(visit: RequestContext) -> Iterator[str]:
    return (f"/help/{subject.replace(' ', '/')}" for subject in visit.site.wording.help.english if subject)


def _finished_boards(context: Context) -> Iterator[str]:
    rows = context.uow.rankings.history(None, None, MOST_BOARDS)[:MOST_BOARDS]
    return (f"/boards/{row.number}" for row in rows)
