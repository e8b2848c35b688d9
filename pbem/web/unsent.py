"""What has been drafted and written on the page of a board and is not sent yet: kept until its writer has signed in."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

from pbem.web.deeds import MOST_WORDS, number_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pbem.web.site import Visit

LONGEST_DRAFT = 1000
"""Characters of what is drafted."""

LONGEST_ADDRESS = 2000
"""Characters of an address with what was written: proxies take no headers of any length."""

FIELDS = {"turn": LONGEST_DRAFT, "comment": MOST_WORDS, "chat": MOST_WORDS, "queue": LONGEST_DRAFT}
"""The fields of the page that are kept, by their names in its address, with the most characters of each."""


def unsent(visit: Visit) -> Mapping[str, str]:
    """What is in the fields of the page, whether they come with its address or in a form that was refused."""
    found = _in_form(visit.form) if visit.form else {name: visit.asked(name) for name in FIELDS}
    return {name: found.get(name, "")[:most] for name, most in FIELDS.items()}


def _in_form(form: Mapping[str, str]) -> Mapping[str, str]:
    turn, words = form.get("turn", ""), "chat" if form.get("verb") == "chat" else "comment"
    return {"turn": turn, words: form.get("comment", ""), "queue": "" if turn else form.get("move", "")}


def address_with(visit: Visit) -> str:
    """The address of the page with what is in its fields; of words that are too long for it only what was drafted."""
    board, said = f"/boards/{number_of(visit)}", {name: text for name, text in unsent(visit).items() if text}
    whole, drafted = (_address(board, each) for each in (said, {"turn": said.get("turn", "")}))
    return whole if len(whole) <= LONGEST_ADDRESS else drafted


def _address(board: str, fields: Mapping[str, str]) -> str:
    query = urlencode({name: text for name, text in fields.items() if text})
    return f"{board}?{query}" if query else board
