"""A request: who asks, what it says, what its commands do, and the page that answers."""

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
from pbem.domain.replies import Signer
from pbem.errors import NotAllowed, PlayerError, Quoted, Unreadable
from pbem.executor import CommandExecutor, TooManyConflicts
from pbem.ids import HIGHEST_NUMBER
from pbem.usecases.answering import told_apart
from pbem.usecases.authentication import check_standing
from pbem.usecases.context import Context, Speaker
from pbem.usecases.dispatcher import dispatch
from pbem.usecases.signing_in import speaker_of
from pbem.web.caching import KeptPages, tag_of
from pbem.web.security import TOKEN, Cookies, host_of, is_ours, masked, network_of, token_of
from pbem.wording.templates import Wording

AnswerT = TypeVar("AnswerT")


@dataclass(frozen=True)
class Site:
    """What the pages are made from."""

    executor: CommandExecutor
    wording: Wording
    signer: Signer
    url: str
    """What links to the site begin with."""
    clock: Callable[[], datetime]
    session_for: timedelta
    """How long a browser stays signed in."""
    bulletins: Callable[[datetime], Sequence[str]]
    """What the operator tells everybody."""
    is_out_of_order: Callable[[Exception], bool]
    """Whether what has failed is the database: nobody on the web can do anything about it but wait."""
    kept: KeptPages = field(default_factory=KeptPages)

    @property
    def is_secure(self) -> bool:
        """Whether it is reached by TLS."""
        return urlsplit(self.url).scheme == "https"

    @cached_property
    def cookies(self) -> Cookies:
        """The cookies."""
        return Cookies(secure=self.is_secure)


THEMES = ("system", "light", "dark", "contrast")
"""Light and dark as the system of the visitor has it, or always so; or black on white."""
PALETTES = ("printed", "amber", "violet", "grey")
"""The colours of tiles and pieces. Static style sheets know both by these names."""

_COOKIE = "looks"
_YEAR = 365 * 24 * 60 * 60


@dataclass(frozen=True, slots=True)
class Theme:
    """What a visitor has chosen."""

    theme: str = THEMES[0]
    palette: str = PALETTES[0]

    @classmethod
    def named(cls, theme: str, palette: str) -> Theme:
        """The looks of these names; what is none is as if nothing had been chosen."""
        return cls(theme if theme in THEMES else THEMES[0], palette if palette in PALETTES else PALETTES[0])


def looks_of(request: Request) -> Theme:
    """What the browser says has been chosen."""
    theme, _, palette = request.cookies.get(_COOKIE, "").partition(".")
    return Theme.named(theme, palette)


def keep_looks(looks: Theme, response: Response, *, is_secure: bool) -> None:
    """Have the browser keep what has been chosen.

    Args:
        looks: what has been.
        response: what the browser is answered.
        is_secure: whether the browser shall say so over HTTPS alone.
    """
    kept = f"{looks.theme}.{looks.palette}"
    response.set_cookie(_COOKIE, kept, max_age=_YEAR, secure=is_secure, samesite="lax")


SESSION = "session"
"""The cookie that tells who is signed in."""


class NotSignedIn(NotAllowed):
    """What is asked for is only for players who have signed in."""


class NotFromHere(NotAllowed):
    """A form does not come from a page of this server, or from one that is too old."""


class Busy(NotAllowed):
    """Others were always quicker."""


@dataclass(frozen=True)
class RequestContext:
    """One request of a browser."""

    site: Site
    request: Request
    form: Mapping[str, str]

    @cached_property
    def now(self) -> datetime:
        """When it came."""
        return self.site.clock()

    @cached_property
    def secret(self) -> str:
        """Of the session that the browser says it has."""
        return self.site.cookies.said(SESSION, self.request)

    @cached_property
    def player(self) -> Player | None:
        """Who has signed in; None: a guest."""
        return self.look(lambda context: context.speaker.player) if self.secret else None

    @cached_property
    def session(self) -> Session | None:
        """The session of the browser."""
        if self.player is None:
            return None
        return self.look(lambda context: context.uow.sessions.find(hashed(self.secret), self.now))

    @property
    def known(self) -> Player:
        """Who has signed in.

        Raises:
            NotSignedIn: nobody.
        """
        if self.player is None:
            raise NotSignedIn
        return self.player

    @property
    def evidence(self) -> Evidence:
        """What the request shows of its sender, in place of a letter: from which host it comes."""
        host = host_of(self.request)
        return Evidence(answer_to=f"@{network_of(host)}", client=host)

    def check_signed_in(self) -> None:
        """Accept somebody who has signed in.

        Raises:
            NotSignedIn: it is a guest.
        """
        if self.player is None:
            raise NotSignedIn

    def again(self) -> RequestContext:
        """The same request after it has changed something: what is known of who asks is read anew."""
        return RequestContext(self.site, self.request, self.form)

    def word(self, name: str) -> str:
        """A word of the address: ``word("game")`` of ``/standings/{game}``."""
        return str(self.request.path_params[name])

    def asked(self, name: str, default: str = "") -> str:
        """A field of the address, behind its question mark."""
        return str(self.request.query_params.get(name, default))

    @property
    def this_page(self) -> str:
        """The address of the page, with what stands behind its question mark unless a form was sent there."""
        url = self.request.url
        return f"{url.path}?{url.query}" if url.query and self.request.method != "POST" else url.path

    def look(self, question: Callable[[Context], AnswerT]) -> AnswerT:
        """Answer a question from what is stored, asked by who has signed in."""
        return self.site.executor.look(lambda context: question(self._asked_by(context)), self.now, self.evidence)

    def ask(self, command: Command) -> Notice:
        """What a command that only reads has to tell.

        Raises:
            PlayerError: it cannot.
        """
        return self.look(lambda context: dispatch(command, context)[0])

    def tell(self, command: Command, comment: str = "", event: int | None = None) -> list[Notice]:
        """Carry out a command of who has signed in; return what he is answered. Others get their mails.

        Args:
            command: the command.
            comment: his words with it.
            event: the number of the board's event that he has seen.

        Raises:
            NotSignedIn: nobody has.
            PlayerError: it cannot be; nothing has changed.
        """

        def decide(context: Context) -> list[Notice]:
            if context.speaker.player is None:
                raise NotSignedIn
            speaker = replace(context.speaker, answers_event=event)
            check_standing(speaker.known, type(command), context)
            context.uow.players.seen(speaker.known, context.now.date())
            return dispatch(command, replace(context, speaker=speaker, comment=comment))

        return self.change(decide)

    def change(self, decide: Callable[[Context], list[Notice]]) -> list[Notice]:
        """Decide something and write it; return what the visitor is answered. Others get their mails.

        A refusal is raised only once what led to it is written, such as a wrong password.

        Raises:
            PlayerError: it cannot be.
            Busy: others were always quicker.
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
        """Have something decided and written with what is to be mailed, anew as long as somebody else is quicker.

        Raises:
            Busy: others were always quicker.
        """
        try:
            self.site.executor.retry_on_conflict(decide, clock=lambda: self.now, evidence=self.evidence)
        except TooManyConflicts:
            raise Busy from None

    def check_form(self) -> None:
        """Accept a form.

        Raises:
            NotFromHere: it is none of ours.
        """
        secret = self.secret if self.player is not None else ""
        if not is_ours(self.request, self.form.get(TOKEN, ""), secret, self.site.url):
            raise NotFromHere

    def page(self, name: str, facts: Mapping[str, object] | None = None, status: int = 200) -> Response:
        """A page, for who has signed in."""
        token = token_of(self.secret) if self.player is not None else ""
        shared = {
            "visitor": self.player,
            "token": token,
            "here": self.request.url.path,
            "this_page": self.this_page,
            "looks": looks_of(self.request),
            "now": self.now,
            "url": self.site.url,
        }
        # what one reader sees is not for the next; browsers may show it again, once they have asked
        headers = {"cache-control": "no-cache" if self.player is None else "private, no-cache", "vary": "Cookie"}
        html = self.site.wording.page(name, {**shared, **(facts or {})}, self.player)
        if token:
            headers["etag"] = tag_of(html.encode())  # of what stays the same
            html = html.replace(token, masked(token))
        return HTMLResponse(html, status, headers)

    def go(self, where: str) -> Response:
        """Lead the browser elsewhere, with a new request that changes nothing."""
        return RedirectResponse(where, 303, {"cache-control": "no-store"})

    def _asked_by(self, context: Context) -> Context:
        return replace(context, speaker=speaker_of(self.secret, context) if self.secret else Speaker(None))


_MOST_DIGITS = len(str(HIGHEST_NUMBER))


class NoSuchValueAsked(Unreadable):
    """A field behind the question mark has a value that means nothing; ``known`` are those that do, if they are few."""

    field: str
    value: Quoted
    known: Sequence[str] = ()


class NumberConvertor(Convertor[int]):
    """A number in the path of an address."""

    regex = f"[0-9]{{1,{_MOST_DIGITS}}}"

    def convert(self, value: str) -> int:
        """What it says."""
        return int(value)

    def to_string(self, value: int) -> str:
        """As it is written."""
        return str(value)


def read_number(said: str) -> int | None:
    """The number, from 0, that a field says; None if it says none."""
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
