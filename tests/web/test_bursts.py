"""Many requests at once: limits are kept as if they had come one after the other."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from typing import Any

import httpx
import pytest

from pbem.commands.internal import SuppressAddress
from pbem.domain.credentials import MOST_POSTS
from pbem.domain.players import SITE_SHARE
from pbem.usecases.dispatcher import dispatch
from pbem.usecases.signing_in import make_token
from tests.support.web_site import URL, WebSite
from tests.web.visiting import SAME_ORIGIN, fills, has_password, rows


def at_once(site: WebSite, asked: Sequence[tuple[str, str, dict[str, Any]]]) -> Counter[int]:
    """The statuses of requests that all come at the same moment: host, address, and what is sent."""

    async def ask() -> Counter[int]:
        app = site.server.app(clock=lambda: site.now)

        async def one(host: str, address: str, sent: dict[str, Any]) -> int:
            transport = httpx.ASGITransport(app, client=(host, 1))
            async with httpx.AsyncClient(transport=transport, base_url=URL) as client:
                return (await client.post(address, **{"headers": SAME_ORIGIN, **sent})).status_code

        return Counter(await asyncio.gather(*(one(*each) for each in asked)))

    return asyncio.run(ask())


def guess(userid: str, password: str = "wrong") -> dict[str, Any]:
    return {"data": {"userid": userid, "password": password}}


def test_of_many_guesses_at_once_no_more_are_looked_at_than_may_be(
    site: WebSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.joins("dave")
    has_password(site, "dave", "the right one")
    looked_at = list[str]()
    verify = site.server.parts.passwords.verify

    def counted(password: str, password_hash: str | None) -> bool:
        looked_at.append(password)
        return verify(password, password_hash)

    monkeypatch.setattr(site.server.parts.passwords, "verify", counted)
    guesses = [(f"10.0.{each}.1", "/sign-in/password", guess("dave", f"guess {each}")) for each in range(40)]
    assert at_once(site, guesses) == {403: 40}
    assert len(looked_at) == 5
    late = [("10.1.1.1", "/sign-in/password", guess("dave", "the right one"))]
    assert at_once(site, late) == {403: 1}
    assert rows(site, "SELECT count(*) FROM wrong_passwords") == [(5,)]


def test_a_right_password_is_held_against_nobody(site: WebSite) -> None:
    site.joins("dave")
    has_password(site, "dave", "the right one")
    for _ in range(8):
        sent = guess("dave", "the right one")
        assert at_once(site, [("2001:db8::1", "/sign-in/password", sent)]) == {303: 1}
    assert rows(site, "SELECT count(*) FROM wrong_passwords") == [(0,)]


def test_who_guesses_from_many_networks_of_his_site_is_stopped(site: WebSite, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line may guess twenty times in an hour, a site some times as often, whoever it is about."""
    monkeypatch.setattr("pbem.web.connections.BEAT", 0.001)  # so many answers are waited for
    answers = Counter[str]()
    for each in range(20 * SITE_SHARE + 10):
        before = rows(site, "SELECT count(*) FROM wrong_passwords")
        at_once(site, [(f"2001:db8:1:{each:x}::1", "/sign-in/password", guess(f"nobody{each}"))])
        after = rows(site, "SELECT count(*) FROM wrong_passwords")
        answers["looked at" if after != before else "refused"] += 1
    assert answers == {"looked at": 20 * SITE_SHARE, "refused": 10}


def test_a_token_brings_no_more_commands_at_once_than_one_after_the_other(site: WebSite) -> None:
    site.joins("dave")
    secret = _token(site)
    sent = {"content": b"games", "headers": {"authorization": f"Bearer {secret}"}}
    statuses = at_once(site, [("10.0.0.1", "/commands", sent)] * (MOST_POSTS + 20))
    assert statuses[200] <= MOST_POSTS
    assert statuses[200] + statuses[409] + statuses[429] == MOST_POSTS + 20, statuses
    (posts,) = rows(site, "SELECT posts FROM tokens")
    assert posts == (statuses[200],)


def _token(site: WebSite) -> str:
    made = list[str]()

    def make(context: Any) -> list[Any]:
        made.append(make_token("robot", context)[0])
        return []

    site.does("dave", make)
    return made[0]


def test_a_host_has_no_more_mailed_at_once_than_in_a_day(site: WebSite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.usecases.signing_in.MAILS_PER_DAY", 5)
    asked = [("10.0.0.1", "/sign-in", {"data": {"who": f"nobody{each}"}}) for each in range(20)]
    at_once(site, asked)
    counted = rows(site, "SELECT questions FROM correspondents")
    assert max(counted) == (5,)


def test_a_familiar_browser_asks_for_no_more_links_at_once_than_in_a_day(
    site: WebSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.usecases.signing_in.LINKS_PER_DAY", 3)
    site.joins("dave")
    has_password(site, "dave", "the right one")
    browser = site.guest()
    fills(browser, "/sign-in", "/sign-in/password", userid="dave", password="the right one")
    site.does(
        None, lambda context: dispatch(SuppressAddress("dave@example.org", "full"), context)
    )  # nothing else clashes
    headers = {**SAME_ORIGIN, "cookie": f"familiar={browser.client.cookies['familiar']}"}
    statuses = at_once(site, [("10.0.0.1", "/sign-in", {"data": {"who": "dave"}, "headers": headers})] * 20)
    assert statuses[200] <= 3
    assert statuses[200] + statuses[429] == 20
