"""A request: its sender and its fields, its commands, and the page that answers it."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cached_property
from typing import TypeVar
from urllib.parse import urlsplit

from starlette.convertors import Convertor
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from pbem.commands.command import Command
from pbem.domain.credentials import Session, hashed
from pbem.domain.letters import Evidence
from pbem.domain.mails import Notice
from pbem.domain.players import Player
from pbem.domain.preferences import ENGLISH, LANGUAGES, preferred_language
from pbem.domain.pushes import PushAccess
from pbem.domain.replies import Signer
from pbem.errors import NotAllowed, PlayerError, Quoted, Unreadable
from pbem.executor import CommandExecutor, Freshness, TooManyConflicts
from pbem.ids import HIGHEST_NUMBER
from pbem.usecases.answering import told_apart
from pbem.usecases.authentication import check_standing
from pbem.usecases.context import Context, Speaker
from pbem.usecases.dispatcher import dispatch
from pbem.usecases.signing_in import speaker_of
from pbem.web.caching import KeptPages, tag_of
from pbem.web.freshness import ReplicaUse
from pbem.web.security import TOKEN, Cookies, host_of, is_ours, masked, network_of, token_of
from pbem.wording.templates import Wording

AnswerT = TypeVar("AnswerT")


@dataclass(frozen=True)
class Site:
    """The parts that the pages are made from."""

    executor: CommandExecutor
    wording: Wording
    signer: Signer
    url: str
    """The beginning of all links to the site."""
    clock: Callable[[], datetime]
    session_for: timedelta
    """The time for which a browser stays signed in."""
    bulletins: Callable[[datetime], Sequence[str]]
    """Returns the operator's announcements to everybody."""
    is_out_of_order: Callable[[Exception], bool]
    """Returns True if the database has failed: visitors can do nothing about it but wait."""
    takes_guests: bool = True
    """Visitors may play without an account."""
    push: PushAccess | None = None
    """The facts for browsers that are to show notifications; None: there are none."""
    kept: KeptPages = field(default_factory=KeptPages)
    replica_use: ReplicaUse = field(default_factory=ReplicaUse)

    @property
    def is_secure(self) -> bool:
        """The site is reached by TLS."""
        return urlsplit(self.url).scheme == "https"

    @cached_property
    def cookies(self) -> Cookies:
        """The cookies."""
        return Cookies(secure=self.is_secure)


THEMES = ("system", "light", "dark", "contrast")
"""Light or dark as on the visitor's system, or always one of them; or black on white."""
PALETTES = ("printed", "amber", "violet", "grey")
"""The colours of tiles and pieces. Static style sheets know both by these names."""

_COOKIE = "looks"
_YEAR = 365 * 24 * 60 * 60


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours that a visitor has chosen."""

    theme: str = THEMES[0]
    palette: str = PALETTES[0]

    @classmethod
    def named(cls, theme: str, palette: str) -> Theme:
        """The theme of these names; the default replaces an unknown name."""
        return cls(theme if theme in THEMES else THEMES[0], palette if palette in PALETTES else PALETTES[0])


def looks_of(request: Request) -> Theme:
    """The theme that the browser says was chosen."""
    theme, _, palette = request.cookies.get(_COOKIE, "").partition(".")
    return Theme.named(theme, palette)


def keep_looks(looks: Theme, response: Response, *, is_secure: bool) -> None:
    """Have the browser keep the chosen theme.

    Args:
        looks: the chosen theme.
        response: the answer to the browser.
        is_secure: True if the browser must send the cookie over HTTPS alone.
    """
    kept = f"{looks.theme}.{looks.palette}"
    response.set_cookie(_COOKIE, kept, max_age=_YEAR, secure=is_secure, samesite="lax")


LANGUAGE = "language"
"""The cookie that keeps the language that a guest has chosen."""


def guests_language(request: Request) -> str:
    """The language that a guest has chosen, or else the browser's."""
    chosen = request.cookies.get(LANGUAGE, "")
    return chosen if chosen in LANGUAGES else preferred_language(request.headers.get("accept-language", "")) or ENGLISH


def keep_language(language: str, response: Response, *, is_secure: bool) -> None:
    """Have the browser keep a language; ``is_secure`` as for `keep_looks`."""
    response.set_cookie(LANGUAGE, language, max_age=_YEAR, secure=is_secure, samesite="lax")


SESSION = "session"
"""The cookie that identifies the signed-in player."""


class NotSignedIn(NotAllowed):
    """The request is only for players who have signed in."""


class NotFromHere(NotAllowed):
    """A form does not come from a page of this server, or from one that is too old."""


class Busy(NotAllowed):
    """Other requests were always quicker."""


@dataclass(frozen=True)
class RequestContext:
    """One request of a browser."""

    site: Site
    request: Request
    form: Mapping[str, str]

    @cached_property
    def now(self) -> datetime:
        """The time of the request."""
        return self.site.clock()

    @cached_property
    def secret(self) -> str:
        """The secret of the session that the browser claims."""
        return self.site.cookies.said(SESSION, self.request)

    @cached_property
    def freshness(self) -> Freshness:
        """The place where what the visitor is shown may come from."""
        return self.site.replica_use.freshness(self.request, is_known=bool(self.secret))

    @cached_property
    def player(self) -> Player | None:
        """The signed-in player; None: a guest."""
        return self.look(lambda context: context.speaker.player) if self.secret else None

    @property
    def waiting(self) -> int:
        """The number of boards that wait for the signed-in player; none for a guest."""
        player = self.player
        return 0 if player is None else self.look(lambda context: context.uow.boards.waiting_for(player.id))

    @property
    def language(self) -> str:
        """The language that the visitor reads."""
        return guests_language(self.request) if self.player is None else self.player.preferences.language

    @cached_property
    def session(self) -> Session | None:
        """The session of the browser."""
        if self.player is None:
            return None
        return self.look(lambda context: context.uow.sessions.find(hashed(self.secret), self.now))

    @property
    def known(self) -> Player:
        """The signed-in player.

        Raises:
            NotSignedIn: nobody is signed in.
        """
        if self.player is None:
            raise NotSignedIn
        return self.player

    @property
    def evidence(self) -> Evidence:
        """The evidence of a request's sender, in place of a letter: the host that it comes from."""
        host = host_of(self.request)
        return Evidence(answer_to=f"@{network_of(host)}", client=host, language=guests_language(self.request))

    def check_signed_in(self) -> None:
        """Check that somebody has signed in.

        Raises:
            NotSignedIn: it is a guest.
        """
        if self.player is None:
            raise NotSignedIn

    def again(self) -> RequestContext:
        """The same request after it has changed something: facts about its sender are read anew."""
        return RequestContext(self.site, self.request, self.form)

    def word(self, name: str) -> str:
        """A word of the address: ``word("game")`` of ``/standings/{game}``."""
        return str(self.request.path_params[name])

    def asked(self, name: str, default: str = "") -> str:
        """A field of the query."""
        return str(self.request.query_params.get(name, default))

    @property
    def this_page(self) -> str:
        """The address of the page, with its query unless a form was sent there."""
        url = self.request.url
        return f"{url.path}?{url.query}" if url.query and self.request.method != "POST" else url.path

    def look(self, question: Callable[[Context], AnswerT]) -> AnswerT:
        """Answer a question from stored data, asked by the signed-in player."""
        return self.site.executor.look(
            lambda context: question(self._asked_by(context)), self.now, self.evidence, self.freshness
        )

    def ask(self, command: Command) -> Notice:
        """The answer of a command that only reads.

        Raises:
            PlayerError: it cannot be answered.
        """
        return self.look(lambda context: dispatch(command, context)[0])

    def tell(self, command: Command, comment: str = "", event: int | None = None, plan: str = "") -> list[Notice]:
        """Carry out a command of the signed-in player; return the answers to them. Others get their mails.

        Args:
            command: the command.
            comment: their words with it.
            event: the number of the board's last event that they have seen.
            plan: the branches of a plan below a move.

        Raises:
            NotSignedIn: nobody is signed in.
            PlayerError: it is not allowed; nothing has changed.
        """
        return self.tell_all([command], comment, event, plan)

    def tell_all(
        self, commands: Sequence[Command], comment: str = "", event: int | None = None, plan: str = ""
    ) -> list[Notice]:
        """Carry out commands, none of which may be refused once another has been carried out; see `tell`.

        Args:
            commands: the commands.
            comment: the player's words with each.
            event: the number of the board's last event that they have seen.
            plan: the branches of a plan below a move.

        Raises:
            NotSignedIn: nobody is signed in.
            PlayerError: one is not allowed; nothing has changed.
        """

        def decide(context: Context) -> list[Notice]:
            if context.speaker.player is None:
                raise NotSignedIn
            told = []
            for command in commands:
                speaker = replace(context.speaker, answers_event=event)
                check_standing(speaker.known, type(command), context)
                context.uow.players.seen(speaker.known, context.now.date())
                told += dispatch(command, replace(context, speaker=speaker, comment=comment, plan=plan))
            return told

        return self.change(decide)

    def change(self, decide: Callable[[Context], list[Notice]]) -> list[Notice]:
        """Decide something and store it; return the answers to the visitor. Others get their mails.

        A refusal is raised only once its reason, such as a wrong password, is stored.

        Raises:
            PlayerError: it is not allowed.
            Busy: other requests were always quicker.
        """
        key = f"web-{secrets.token_hex(8)}"
        outcome: list[Notice] | PlayerError = []

        def take(context: Context) -> Mapping[str, Sequence[Notice]]:
            nonlocal outcome
            try:
                outcome, mailed = told_apart(decide(self._asked_by(context)), context)
            except PlayerError as wrong:
                outcome, mailed = wrong, []
            return {key: mailed}

        self.settle(take)
        if isinstance(outcome, PlayerError):
            raise outcome
        return outcome

    def settle(self, decide: Callable[[Context], Mapping[str, Sequence[Notice]] | None]) -> None:
        """Decide something and store it with its mails, again as long as another request is quicker.

        Raises:
            Busy: other requests were always quicker.
        """
        try:
            self.site.executor.retry_on_conflict(decide, clock=lambda: self.now, evidence=self.evidence)
        except TooManyConflicts:
            raise Busy from None
        self.site.replica_use.wrote(self.request)

    def check_form(self) -> None:
        """Check a form.

        Raises:
            NotFromHere: it is not ours.
        """
        secret = self.secret if self.player is not None else ""
        if not is_ours(self.request, self.form.get(TOKEN, ""), secret, self.site.url):
            raise NotFromHere

    def page(self, name: str, facts: Mapping[str, object] | None = None, status: int = 200) -> Response:
        """A page, for the signed-in player."""
        token = token_of(self.secret) if self.player is not None else ""
        shared = {
            "visitor": self.player,
            "boards_waiting": self.waiting,
            "takes_guests": self.site.takes_guests,
            "token": token,
            "here": self.request.url.path,
            "this_page": self.this_page,
            "looks": looks_of(self.request),
            "languages": LANGUAGES,
            "now": self.now,
            "url": self.site.url,
        }
        # what one reader sees is not for the next; browsers may show it again, once they have asked
        headers = {"cache-control": "no-cache" if self.player is None else "private, no-cache"}
        headers["vary"] = "Cookie, Accept-Language"
        html = self.site.wording.page(name, {**shared, **(facts or {})}, self.player, self.language)
        if token and status == 200:
            headers["etag"] = tag_of(html.encode())  # of what stays the same
        if token:
            html = html.replace(token, masked(token))
        return HTMLResponse(html, status, headers)

    def go(self, where: str) -> Response:
        """Redirect the browser to another page, with a new request that changes nothing."""
        return RedirectResponse(where, 303, {"cache-control": "no-store"})

    def _asked_by(self, context: Context) -> Context:
        return replace(context, speaker=speaker_of(self.secret, context) if self.secret else Speaker(None))


_MOST_DIGITS = len(str(HIGHEST_NUMBER))


class NoSuchValueAsked(Unreadable):
    """A field of the query has an unknown value; ``known`` are the possible ones, if they are few."""

    field: str
    value: Quoted
    known: Sequence[str] = ()


class NumberConvertor(Convertor[int]):
    """A number in the path of an address."""

    regex = f"[0-9]{{1,{_MOST_DIGITS}}}"

    def convert(self, value: str) -> int:
        """The number."""
        return int(value)

    def to_string(self, value: int) -> str:
        """The number as it is written."""
        return str(value)


def read_number(said: str) -> int | None:
    """The number, from 0, in a field; None if it contains none."""
    return int(said) if said.isascii() and said.isdecimal() and len(said) <= _MOST_DIGITS else None


def asked_number(visit: RequestContext, name: str) -> int | None:
    """The number in a field of the address, from 0; None if the field is not there.

    Raises:
        NoSuchValueAsked: it is no number.
    """
    said = visit.asked(name)
    number = read_number(said)
    if said and number is None:
        raise NoSuchValueAsked(name, said)
    return number
