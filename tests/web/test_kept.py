"""Pages that are the same for all guests."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from starlette.responses import HTMLResponse

from pbem.web.kept import KeptPages

if TYPE_CHECKING:
    from starlette.responses import Response


class Press:
    """Makes pages, and counts them."""

    def __init__(self) -> None:
        self.made = 0

    def __call__(self) -> Response:
        time.sleep(0.05)
        self.made += 1
        return HTMLResponse(f"page {self.made}", headers={"vary": "Cookie"})


def test_a_page_is_made_once_though_many_ask_at_once() -> None:
    kept, press = KeptPages(), Press()
    with ThreadPoolExecutor(10) as pool:
        pages = list(pool.map(lambda _: kept.page("a", press), range(10)))
    assert press.made == 1
    assert {page.body for page in pages} == {b"page 1"}
    assert pages[0].headers["vary"] == "Cookie"


def test_what_is_done_to_one_answer_is_not_done_to_the_next() -> None:
    kept, press = KeptPages(), Press()
    kept.page("a", press).set_cookie("session", "mine")
    assert "set-cookie" not in kept.page("a", press).headers


def test_the_pages_not_asked_for_lately_are_let_go() -> None:
    kept, press = KeptPages(size=2), Press()
    for key in ("a", "b", "a", "c", "a", "b"):
        kept.page(key, press)
    assert press.made == 4


def test_a_page_that_could_not_be_made_is_tried_again() -> None:
    kept, press = KeptPages(), Press()

    def fails() -> Response:
        raise LookupError

    with pytest.raises(LookupError):
        kept.page("a", fails)
    assert kept.page("a", press).body == b"page 1"
