"""The page on which players make tokens for their programs, and revoke them."""

from __future__ import annotations

from starlette.responses import Response

from pbem.domain.notices import Notice
from pbem.errors import PlayerError
from pbem.usecases.context import Context
from pbem.usecases.signing_in.tokens import MOST_TOKENS, make_token, revoke_token, tokens_of_speaker
from pbem.web.visits import NotSignedIn, Visit


def show_tokens(visit: Visit) -> Response:
    """The tokens of who has signed in.

    Raises:
        NotSignedIn: nobody has.
    """
    return _page(visit)


def change_tokens(visit: Visit) -> Response:
    """Make a token, whose secret this one page shows, or revoke one.

    Raises:
        NotSignedIn, NotFromHere: it cannot be.
    """
    visit.check_form()
    revoked = visit.form.get("revoke")
    if revoked is not None:
        visit.change(lambda context: _without(revoked, context))
        return visit.go("/settings/tokens")
    made, name = list[str](), visit.form.get("name", "")
    try:
        visit.change(lambda context: _with(name, made, context))
    except NotSignedIn:
        raise
    except PlayerError as wrong:
        return _page(visit, wrong=wrong, name=name, status=409)
    return _page(visit, secret=made[-1])


def _with(name: str, made: list[str], context: Context) -> list[Notice]:
    if context.speaker.player is None:  # the session has ended just now
        raise NotSignedIn
    secret, told = make_token(name, context)
    made.append(secret)
    return told


def _without(name: str, context: Context) -> list[Notice]:
    if context.speaker.player is None:
        raise NotSignedIn
    revoke_token(name, context)
    return []


def _page(
    visit: Visit, wrong: PlayerError | None = None, secret: str = "", name: str = "", status: int = 200
) -> Response:
    """The page, which no browser keeps: it may show a secret.

    Raises:
        NotSignedIn: it is nobody's.
    """
    visit.check_signed_in()
    facts = {"tokens": visit.look(tokens_of_speaker), "most": MOST_TOKENS, "wrong": wrong, "secret": secret}
    response = visit.page("tokens", {**facts, "name": name}, status)
    response.headers["cache-control"] = "no-store"
    return response
