"""What has been drafted and written on the page of a board and is not sent yet: kept until its writer has signed in.

What is drafted stands in the address of the page. Words, and a move to be queued, are in a cookie: anybody can mail an
address that fills them in for one click, and an address has no room for many.
"""

from __future__ import annotations

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Collection, Mapping
from datetime import timedelta
from urllib.parse import parse_qs, parse_qsl, quote, urlencode, urlsplit

from starlette.responses import Response

from pbem.web.boards.buttons import MOST_WORDS, number_of
from pbem.web.visits import Visit

_COOKIE = "unsent"

LONGEST_DRAFT = 1000
"""Characters of what is drafted."""

LONGEST_ADDRESS = 2000
"""Characters of an address with what was drafted: proxies take no headers of any length."""

LONGEST_COOKIE = 3800
"""Characters of the cookie: browsers keep 4096 with its name and all (RFC 6265 s 6.1)."""

KEPT_FOR = timedelta(hours=1)
"""How long the browser keeps the cookie."""

WORDS = {"comment": MOST_WORDS, "chat": MOST_WORDS, "queue": LONGEST_DRAFT}
"""The fields of the page that are kept in the cookie, with the most characters of each."""

_MOST_BYTES = 4 * sum(WORDS.values()) * 3
"""Of what is in the cookie, encoded as in an address."""


def unsent(visit: Visit) -> Mapping[str, str]:
    """What is in the fields of the page, whether it was kept or comes in a form that was refused."""
    if visit.form:
        found = _in_form(visit.form)
    else:
        kept = {} if visit.player is None else _kept(visit, str(number_of(visit)))
        found = {**kept, "turn": visit.asked("turn")}
    return {name: found.get(name, "")[:most] for name, most in {"turn": LONGEST_DRAFT, **WORDS}.items()}


def _in_form(form: Mapping[str, str]) -> Mapping[str, str]:
    turn, words = form.get("turn", ""), "chat" if form.get("verb") == "chat" else "comment"
    return {"turn": turn, words: form.get("comment", ""), "queue": "" if turn else form.get("move", "")}


def ask_to_sign_in(visit: Visit) -> Response:
    """Lead a guest who has sent a form to the ways to sign in, and have his browser keep what is in the form."""
    said, number = unsent(visit), number_of(visit)
    board, words = f"/boards/{number}", {name: said[name] for name in WORDS if said[name]}
    drafted = f"{board}?{urlencode({'turn': said['turn']})}" if said["turn"] else board
    then, cookie = drafted if len(drafted) <= LONGEST_ADDRESS else board, _encoded(str(number), words) if words else ""
    is_lost = len(cookie) > LONGEST_COOKIE or then != drafted
    response = visit.go(f"/sign-in?then={quote(then, safe='/')}" + ("&lost=yes" if is_lost else ""))
    if cookie and len(cookie) <= LONGEST_COOKIE:
        visit.site.cookies.keep(_COOKIE, cookie, KEPT_FOR, response)
    return response


def forget_words(response: Response, visit: Visit, *, of_any: bool = False) -> Response:
    """Have the browser forget words that were kept for the board of the page, or of any; they have been sent."""
    if visit.site.cookies.said(_COOKIE, visit.request) and (of_any or _kept(visit, str(number_of(visit)))):
        visit.site.cookies.drop(_COOKIE, response)
    return response


def keeps(visit: Visit, then: str) -> Collection[str]:
    """What is kept of what stood on the page to which somebody comes back: its ``draft``, its ``words``."""
    address = urlsplit(then)
    is_drafted = bool(parse_qs(address.query).get("turn"))
    is_written = bool(_kept(visit, address.path.removeprefix("/boards/")))
    return [name for name, is_kept in (("draft", is_drafted), ("words", is_written)) if is_kept]


def _encoded(number: str, words: Mapping[str, str]) -> str:
    packed = zlib.compress(urlencode(words).encode(), 9)
    return f"{number}.{urlsafe_b64encode(packed).decode().rstrip('=')}"


def _kept(visit: Visit, number: str) -> Mapping[str, str]:
    """The fields that the browser keeps of a board; none if its cookie is none of ours."""
    board, _, packed = visit.site.cookies.said(_COOKIE, visit.request).partition(".")
    if not packed or board != number:
        return {}
    try:
        raw = urlsafe_b64decode(packed + "=" * (-len(packed) % 4))
        text = zlib.decompressobj().decompress(raw, _MOST_BYTES).decode()
        return {name: words for name, words in parse_qsl(text, max_num_fields=len(WORDS)) if name in WORDS}
    except (ValueError, zlib.error):
        return {}
