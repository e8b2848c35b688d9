"""Pages that are the same for all guests."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.responses import HTMLResponse, Response

from pbem.web.app import PAGES
from pbem.web.caching import KeptPages
from tests.storage.stock import WON
from tests.support.web_site import WebSite


@pytest.fixture
def opened(site: WebSite) -> tuple[WebSite, Sequence[str]]:
    """A site, and the addresses of all of its pages that somebody who has signed in can open."""
    site.joins("ann", "ben")
    site.begins("superbo", "ann", "ben")
    site.says("ann", "mambo tournament create Cup")
    over = site.begins("superbo", "ann", "ben")
    site.moves(over, *WON)
    words = {"number:number": "101", "game": "mambo", "name": "Cup", "userid": "ben", "subject:path": "mambo"}
    words["key"] = site.shares_study("ann", over)
    paths = [path for path in PAGES if "token" not in path and not path.endswith(("/move", "/act"))]
    addresses = [re.sub(r"{([^}]+)}", lambda found: words[found[1]], path) for path in paths]
    return site, [f"{each}?of=101.0" if each == "/boards/pictures.svg" else each for each in addresses]


def test_pages_that_a_browser_has_are_not_sent_again(opened: tuple[WebSite, Sequence[str]]) -> None:
    site, addresses = opened
    for browser in (site.guest(), site.browser("ann")):
        tags = {}
        for address in addresses:
            first = browser.asks(address)
            if first.status_code != 200 or "no-store" in first.headers["cache-control"]:
                assert "etag" not in first.headers, address
                continue
            tags[address] = first.headers["etag"]
            again = browser.asks(address, headers={"if-none-match": tags[address]})
            assert (again.status_code, again.content) == (304, b""), address
            for name in ("etag", "vary", "cache-control", "content-security-policy"):
                assert again.headers[name] == first.headers[name], address
        assert len(tags) > 15
        site.moves(101, WON[site.course(site.board(101)).ply])
        for address in ("/boards/101", "/boards"):
            assert browser.asks(address, headers={"if-none-match": tags[address]}).status_code == 200


def test_no_page_of_who_has_signed_in_is_kept_for_others(opened: tuple[WebSite, Sequence[str]]) -> None:
    site, addresses = opened
    ann, guest = site.browser("ann"), site.guest()
    for address in addresses:
        own = ann.asks(address)
        if address.partition("?")[0].endswith((".svg", ".png", ".ico", ".txt", ".xml", ".js", ".webmanifest")):
            assert own.status_code != 200 or own.content == guest.asks(address).content, address
            continue
        assert {"private", "no-store"} & set(own.headers["cache-control"].split(", ")), address
        assert "Cookie" in own.headers.get("vary", "") or "no-store" in own.headers["cache-control"], address
        others = guest.asks(address, headers={"if-none-match": own.headers.get("etag", '"none"')})
        assert others.status_code != 304, address


class Press:
    """Makes pages, so slowly that others ask meanwhile, and counts them."""

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


def test_the_page_of_a_board_that_is_kept_leads_back_to_the_address_that_was_asked_for(
    opened: tuple[WebSite, Sequence[str]],
) -> None:
    site, _ = opened
    for address in ("/boards/101/act", "/boards/101"):
        (looks,) = site.guest().opens(f"{address}?all=z").all('//a[starts-with(@href, "/looks")]/@href')
        assert looks == f"/looks?then={address}"
