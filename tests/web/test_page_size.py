"""A board page is at most 100 kB in all as it is sent, however large the board: HTML, style, script, icon."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

from tests.support.web_site import WebPage, WebSite
from tests.web.crowded import LARGEST, crowded
from tests.web.recorded import USERIDS, records, stands

MOST = 100_000
"""Bytes."""

MOST_HTML = 222_500
"""Bytes of a page before it is compressed; a board of Palago has the most, where white regions count, too."""


def weight(site: WebSite, page: WebPage) -> int:
    """The bytes that are sent for a page with all that it needs."""
    files = page.all("//link[@rel='icon' or @rel='stylesheet']/@href | //script/@src")
    assert len(files) >= 3
    guest = site.guest()
    return sum(int(each.headers["content-length"]) for each in (page.answer, *map(guest.asks, files)))


def heaviest(site: WebSite, record: dict[str, Any]) -> tuple[int, int]:
    """Of the pages of a game near its end: the most that is sent, and the longest HTML."""
    site.joins(*USERIDS)
    sent, longest = [0], [0]
    for turns in (len(record["turns"]) - 1, len(record["turns"])):
        number = stands(site, record, turns)
        course = site.course(site.board(number))
        userid = USERIDS[course.to_act or 0]
        pages = [site.guest().opens(f"/boards/{number}"), site.browser(userid).opens(f"/boards/{number}")]
        picks = pages[-1].all("//svg//a[contains(@class, 'place')]//@data-label | //svg//a//@data-cell")
        pages += [site.browser(userid).opens(f"/boards/{number}?large=yes&pick={quote(pick)}") for pick in picks[:3]]
        sent += [weight(site, page) for page in pages]
        longest += [len(page.source.encode()) for page in pages]
    return max(sent), max(longest)


@pytest.mark.parametrize("record", records(), ids=lambda record: str(record["game"]))
def test_the_boards_of_usual_games_keep_to_it(site: WebSite, record: dict[str, Any]) -> None:
    assert max(heaviest(site, record)) <= MOST


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name == "superbo" else pytest.mark.slow) for name in LARGEST]
)
def test_so_do_the_largest_that_the_options_allow(site: WebSite, name: str) -> None:
    sent, longest = heaviest(site, crowded(name))
    assert sent <= MOST
    assert longest <= MOST_HTML


def test_what_a_browser_does_not_want_compressed_is_sent_as_it_is(site: WebSite) -> None:
    plain = site.guest().asks("/static/pbem.css", headers={"accept-encoding": "identity"})
    packed = site.guest().asks("/static/pbem.css")
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.content == plain.content
    assert "accept-encoding" in packed.headers["vary"].lower()


@pytest.mark.parametrize(
    ("options", "players"), [("-size=11", 4), ("-size=11 -teams", 4), ("-size=11", 2)], ids=["four", "teams", "two"]
)
def test_so_do_the_largest_boards_of_mamba(site: WebSite, options: str, players: int) -> None:
    site.joins(*USERIDS)
    number = site.begins("mamba", *USERIDS[:players], options=options)
    assert weight(site, site.browser("alice").opens(f"/boards/{number}")) <= MOST
