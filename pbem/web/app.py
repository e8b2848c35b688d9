"""The web app: its pages by their addresses, and the parts that serve them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TypeAlias
from urllib.parse import quote

from anyio import CapacityLimiter
from starlette.applications import Starlette
from starlette.convertors import register_url_convertor
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

import pbem.web.boards.hextile
import pbem.web.boards.mamba  # noqa: F401 - both register how their positions are shown
from pbem.errors import PlayerError
from pbem.ids import BoardNumber
from pbem.meters import Meters
from pbem.usecases.notices import may_read
from pbem.usecases.signing_in import LinkSpent
from pbem.usecases.understanding import find_board
from pbem.web.admin import AdminSite, admin_routes
from pbem.web.api.answers import MISSING
from pbem.web.api.openapi import routes_for_programs
from pbem.web.boards import page as board
from pbem.web.boards import pictures
from pbem.web.boards.following import Followers, Live
from pbem.web.caching import unless_known
from pbem.web.connections import SharedQuestion, Threads, in_thread
from pbem.web.context import NoSuchValueAsked, NotSignedIn, NumberConvertor, RequestContext, Site
from pbem.web.errors import Refusing
from pbem.web.forms import FormReader, read_any_form, read_form
from pbem.web.monitor import Metered
from pbem.web.pages import (
    challenges,
    commands,
    explorer,
    guests,
    home,
    lists,
    pushes,
    puzzles,
    root_files,
    settings,
    signing_in,
    studies,
    tournaments,
    unsubscribing,
    variants,
)
from pbem.web.pages import home as help_pages
from pbem.web.pages import home as looks
from pbem.web.pages import lists as players
from pbem.web.pages import signing_in as signing_up
from pbem.web.pages import signing_in as tokens
from pbem.web.pages import variants as variant_trials
from pbem.web.security import OpenToAll, SafeHeaders, WithoutNul
from pbem.web.sessions import link_spent, stay

Page: TypeAlias = Callable[[RequestContext], Response]
"""Answers a request; called in a thread, since it reads the database."""


COMPRESSION = 6
"""The level of zlib, for all answers except streams of events."""

AT_ONCE = 16 * 1024
"""Most bytes of an answer that may be compressed without leaving the thread that serves all."""

_NOT_FOUND = (*MISSING, NoSuchValueAsked)

PAGES: dict[str, tuple[Page, Page | None]] = {
    "/": (home.show_home, None),
    "/games": (home.show_games, None),
    "/games/pictures.svg": (pictures.show_pictures, None),
    "/games/replays.svg": (pictures.show_replays, None),
    "/games/{game}": (home.show_game, None),
    "/games/{game}/picture.svg": (pictures.show_picture_of_game, None),
    "/games/{game}/replay.svg": (pictures.show_replay_of_game, None),
    "/boards": (lists.show_boards, None),
    "/boards/pictures.svg": (pictures.show_pictures_of_boards, None),
    "/boards/{number:number}": (board.show_board, None),
    "/boards/{number:number}/picture.svg": (pictures.show_picture_of_board, None),
    "/boards/{number:number}/replay.svg": (pictures.show_replay_of_board, None),
    "/boards/{number:number}/replay.png": (pictures.show_animation, None),
    "/boards/{number:number}/share.png": (pictures.show_shared_picture, None),
    "/boards/{number:number}/move": (board.show_board, board.play),
    "/boards/{number:number}/act": (board.show_board, board.act),
    "/boards/{number:number}/resign": (board.show_resignation, None),
    "/boards/{number:number}/study": (studies.show_own_study, studies.change_study),
    "/boards/{number:number}/study/delete": (studies.show_deletion, None),
    "/studies": (studies.show_studies, None),
    "/studies/{key}": (studies.show_shared_study, None),
    "/players": (players.show_players, None),
    "/players/{userid}": (players.show_player, None),
    "/standings": (lists.show_standings, None),
    "/standings/{game}": (lists.show_standings, None),
    "/history": (lists.show_history, None),
    "/history/{game}": (lists.show_history, None),
    "/tournaments": (tournaments.show_tournaments, tournaments.create),
    "/tournaments/{game}": (tournaments.show_tournaments, tournaments.create),
    "/tournaments/{game}/{name}": (tournaments.show_tournament, tournaments.change_tournament),
    "/puzzles": (puzzles.show_puzzles, None),
    "/puzzles/{number:number}/picture.svg": (puzzles.show_picture, None),
    "/puzzles/{number:number}": (puzzles.show_puzzle, puzzles.answer),
    "/help": (help_pages.show_index, None),
    "/help/{subject:path}": (help_pages.show_subject, None),
    "/games/{game}/explorer": (explorer.show_explorer, None),
    "/games/{game}/variant": (variants.show_variant, None),
    "/games/{game}/variant/try": (variant_trials.try_variant, None),
    "/settings/tokens": (tokens.show_tokens, tokens.change_tokens),
    "/sign-in": (signing_in.show_sign_in, signing_in.ask_link),
    "/sign-in/password": (signing_in.show_sign_in, signing_in.use_password),
    "/sign-in/{token}": (signing_in.show_link, signing_in.use_link),
    "/sign-up": (signing_up.show_sign_up, signing_up.sign_up),
    "/confirm/{token}": (signing_up.show_confirm, signing_up.confirm),
    "/play": (guests.show_front, guests.play),
    "/keep": (guests.show_keep, guests.keep),
    "/sign-out": (signing_in.show_sign_in, signing_in.sign_out),
    "/settings": (settings.show_settings, settings.change_settings),
    "/settings/games": (settings.show_settings, None),
    "/settings/account": (settings.show_settings, None),
    "/command": (commands.show_command, commands.take_command),
    "/unsubscribe/{token}": (unsubscribing.show_unsubscribe, unsubscribing.unsubscribe),
    "/design": (home.show_design, None),
    "/looks": (looks.show_looks, looks.choose_looks),
    "/language": (looks.show_looks, looks.choose_language),
    "/challenge": (challenges.show_challenge, challenges.challenge),
    "/challenge/names": (challenges.show_names, None),
    "/push/subscribe": (settings.show_settings, pushes.subscribe),
    "/push/unsubscribe": (settings.show_settings, pushes.unsubscribe),
    "/offline": (root_files.show_offline, None),
    "/offline/words": (root_files.show_words, None),
}
"""The table of contents: the page that an address shows, and the handler of a form sent there."""

DEAR = ("/sign-in/password", "/sign-up", "/keep", "/settings")
"""Forms with passwords."""

ONE_CLICK = ("/unsubscribe/{token}",)
"""Forms that mail systems fill in for their users."""


def make_app(
    site: Site,
    followers: Followers,
    is_healthy: Callable[[], bool],
    office: AdminSite,
    meters: Meters | None = None,
    more: Sequence[BaseRoute] = (),
) -> ASGIApp:
    """The app.

    Args:
        site: the parts that the pages are made from.
        followers: tells those who follow a board of its changes.
        is_healthy: asks if the database answers.
        office: the parts that the operator's page is made from.
        meters: count the answers.
        more: further routes.
    """
    register_url_convertor("number", NumberConvertor())
    threads = Threads()
    refusing = Refusing(site, threads)
    compressed = Middleware(GZipMiddleware, compresslevel=COMPRESSION, thread_minimum_size=AT_ONCE)
    app = Starlette(
        routes=[*_routes(site, followers, is_healthy, threads), *admin_routes(office, site, threads), *more],
        middleware=[
            Middleware(WithoutNul),
            Middleware(Metered, meters=meters or Meters()),
            Middleware(OpenToAll),
            compressed,
        ],
        exception_handlers={
            HTTPException: refusing.refuse,
            ClientDisconnect: refusing.let_go,
            Exception: refusing.apologise,
        },
    )
    app.router.redirect_slashes = False  # it would lead wherever the request says that this server is
    return SafeHeaders(app, secure=site.is_secure)  # from outside: an apology goes past the middleware


def _routes(site: Site, followers: Followers, is_healthy: Callable[[], bool], threads: Threads) -> Sequence[BaseRoute]:
    """The routes of the app."""
    shown = [Route(path, _endpoint(site, show, threads.pages)) for path, (show, _) in PAGES.items()]
    forms = [
        Route(
            path,
            _endpoint(
                site,
                take,
                threads.passwords if path in DEAR else threads.forms,
                read_any_form if path in ONE_CLICK else read_form,
            ),
            methods=["POST"],
        )
        for path, (_, take) in PAGES.items()
        if take
    ]

    def reads(request: Request, number: BoardNumber) -> bool:
        return RequestContext(site, request, {}).look(
            lambda context: may_read(find_board(number, None, context), context)
        )

    database = SharedQuestion(is_healthy, silence=False)

    async def health(_request: Request) -> Response:
        healthy = await database.answer()
        return JSONResponse({"status": "ok" if healthy else "no database"}, 200 if healthy else 503)

    live = Route("/boards/{number:number}/live", Live(followers, reads), methods=["GET"])
    root = root_files.root_routes(site, threads)
    static = Mount("/static", StaticFiles(directory=Path(__file__).parent / "static"))
    return [*routes_for_programs(site, threads), *forms, *shown, *root, live, Route("/health", health), static]


def _endpoint(
    site: Site, page: Page, limiter: CapacityLimiter, read: FormReader | None = None
) -> Callable[[Request], Awaitable[Response]]:
    """The function that the framework calls for a page."""

    async def answer(request: Request) -> Response:
        visit = RequestContext(site, request, {} if read is None else await read(request))
        return await in_thread(limiter, _answer, page, visit)

    return answer


def _answer(page: Page, visit: RequestContext) -> Response:
    try:
        return unless_known(visit.request, stay(visit, page(visit)))
    except NotSignedIn:
        return visit.go(f"/sign-in?then={quote(visit.this_page, safe='/')}")
    except LinkSpent as wrong:
        return link_spent(visit, wrong)
    except PlayerError as wrong:
        status = 404 if isinstance(wrong, _NOT_FOUND) else 403
        return visit.page("wrong", {"wrong": wrong, "status": status}, status)
