"""Attacks on the pages by somebody who wants to be somebody else, or to harm."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.parse import quote

import pytest
from lxml import etree
from sqlalchemy import update

from pbem.commands.internal import FreezePlayer
from pbem.storage.engine import writing
from pbem.storage.models import BoardRow, TournamentRow
from pbem.usecases.dispatcher import dispatch
from pbem.web.app import PAGES
from pbem.web.forms import MOST_FIELDS, MOST_FORM_BYTES
from pbem.web.security import token_of
from tests.support.web_site import URL, WebClient, WebPage, WebSite
from tests.web.visiting import (
    fills,
    has_password,
    letters,
    link_in,
    mails,
    rows,
    secret_of,
    sends,
    shown,
    token,
    who,
    with_cookie,
)

ELSEWHERE = "https://evil.example"


@pytest.fixture
def alice(site: WebSite) -> WebClient:
    site.joins("alice", "bob")
    return site.browser("alice")


@pytest.fixture
def behind_tls(chosen_url: str, tmp_path: Path) -> Iterator[WebSite]:
    with WebSite(chosen_url, tmp_path, web_url="https://pbem.example") as site:
        yield site


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": ELSEWHERE},
        {"origin": "null"},
        {"origin": ""},
        {"origin": f"{URL}.evil.example"},
        {"origin": f"{URL}:8080"},
        {"origin": URL.replace("http:", "https:")},
        {"origin": f"{ELSEWHERE}/{URL}"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"origin": ELSEWHERE, "sec-fetch-site": "same-origin"},
        {"origin": URL, "sec-fetch-site": "cross-site"},
    ],
    ids=str,
)
def test_no_other_site_has_a_form_taken(site: WebSite, alice: WebClient, headers: dict[str, str]) -> None:
    """Not even one that knows the token, and not from who has not signed in."""
    known = {"token": token(alice), "line": "block to bob"}
    answer = alice.asks("/command", "POST", data=known, headers=headers)
    assert "does not come from a page of this server" in shown(answer, 403).text
    assert rows(site, "SELECT count(*) FROM blocks") == [(0,)]
    for address, fields in (("/sign-in", {"who": "bob"}), ("/sign-up", {"userid": "zoe", "address": "z@example.org"})):
        assert site.guest().asks(address, "POST", data=fields, headers=headers).status_code == 403
    assert not mails(site, "bob@example.org")
    assert not mails(site, "z@example.org")


@pytest.mark.parametrize("forged", [None, "", "0" * 32, "x" * 999, "\u00e9"])
def test_no_form_is_taken_without_the_token_of_its_session(site: WebSite, alice: WebClient, forged: str | None) -> None:
    fields = {"line": "block to bob"} | ({} if forged is None else {"token": forged})
    assert sends(alice, "/command", fields).status_code == 403
    assert rows(site, "SELECT count(*) FROM blocks") == [(0,)]


def test_no_page_has_the_token_itself_or_the_same_mask_twice_and_is_known_again_all_the_same(
    site: WebSite, alice: WebClient
) -> None:
    first, again = alice.asks("/settings"), alice.asks("/settings")
    assert first.text != again.text
    assert token_of(secret_of(alice)) not in first.text + again.text
    assert len({token(alice) for _ in range(5)}) == 5
    assert first.headers["etag"] == again.headers["etag"]
    assert alice.asks("/settings", headers={"if-none-match": first.headers["etag"]}).status_code == 304


def test_the_token_of_another_session_is_none(site: WebSite, alice: WebClient) -> None:
    fields = {"line": "block to bob", "token": token(site.browser("alice"))}
    assert sends(alice, "/command", fields).status_code == 403
    assert sends(alice, "/command", {**fields, "token": token(site.browser("bob"))}).status_code == 403
    assert rows(site, "SELECT count(*) FROM blocks") == [(0,)]


@pytest.mark.parametrize("path", sorted(path for path, (_, take) in PAGES.items() if take is not None))
def test_every_form_asks_for_the_token_first(site: WebSite, alice: WebClient, path: str) -> None:
    number = site.begins("superbo", "alice", "bob")
    before = rows(site, "SELECT (SELECT count(*) FROM events), (SELECT count(*) FROM confirmations)")
    address = path.replace("{number:number}", str(number)).replace("{token}", "x").replace("{game}", "superbo")
    fields = {"verb": "resign", "turn": "a1", "who": "bob", "deed": "signoff", "line": f"resign {number}", "to": "bob"}
    assert sends(alice, address, fields).status_code == 403
    assert sends(alice, address, {**fields, "token": token(alice)}, origin=ELSEWHERE).status_code == 403
    assert who(alice) == "alice"
    assert rows(site, "SELECT (SELECT count(*) FROM events), (SELECT count(*) FROM confirmations)") == before


def test_a_look_changes_nothing(site: WebSite, alice: WebClient) -> None:
    """Forms whose fields stand in an address are only looked at."""
    number = site.begins("superbo", "alice", "bob")
    for address in (
        f"/boards/{number}/act?verb=resign",
        f"/boards/{number}/move?turn=a1",
        "/sign-out",
        "/settings?deed=block&userid=bob",
        "/command?line=block+to+bob",
        "/challenge?game=superbo&to=bob",
    ):
        for method in ("GET", "HEAD"):
            assert alice.asks(f"{address}", method).status_code == 200, address
    assert site.board(number).event_number == 0
    assert rows(site, "SELECT count(*) FROM blocks") == [(0,)]
    assert who(alice) == "alice"


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "TRACE", "OPTIONS", "CONNECT", "XYZ"])
def test_no_other_method_does_anything(site: WebSite, alice: WebClient, method: str) -> None:
    for path in ("/", "/settings", "/command", "/sign-out", "/sign-in/x"):
        assert alice.asks(path, method).status_code == 405, path
    assert who(alice) == "alice"


def test_a_form_that_is_too_large_is_not_read(site: WebSite, alice: WebClient) -> None:
    known = token(alice)
    assert sends(alice, "/command", {"token": known, "line": "x" * MOST_FORM_BYTES}).status_code == 413
    assert sends(alice, "/command", {"token": known, **{f"f{n}": "" for n in range(MOST_FIELDS)}}).status_code == 413
    assert sends(alice, "/command", {"token": known, "line": "who bob"}).status_code == 200


@pytest.mark.parametrize("kind", ["text/plain", "application/json", "multipart/form-data; boundary=x", "", "x"])
def test_only_forms_are_read(site: WebSite, alice: WebClient, kind: str) -> None:
    """A form of another site can be sent as plain text, too."""
    content = f"token={token(alice)}&line=block+to+bob"
    answer = alice.asks("/command", "POST", content=content, headers={"content-type": kind, "origin": URL})
    assert answer.status_code == 415
    assert rows(site, "SELECT count(*) FROM blocks") == [(0,)]


@pytest.mark.parametrize("body", [b"\xff\xfe=\x00&line=%ff%00", b"&&&===;;;", b"%", b"line=" + b"%00" * 1000])
def test_forms_of_broken_bytes_are_refused_and_no_more(alice: WebClient, body: bytes) -> None:
    known = f"&token={token(alice)}".encode()
    kind = "application/x-www-form-urlencoded"
    answer = alice.asks("/command", "POST", content=body + known, headers={"content-type": kind, "origin": URL})
    assert answer.status_code in (403, 409)


def test_every_page_has_the_headers_that_browsers_keep_to(site: WebSite, alice: WebClient) -> None:
    for address in ("/", "/settings", "/nowhere", "/sign-in/x", "/static/pbem.css", "/health"):
        headers = alice.asks(address).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "form-action 'self'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert "strict-transport-security" not in headers


def test_what_one_reader_sees_is_kept_for_no_other(site: WebSite, alice: WebClient) -> None:
    mine, theirs = alice.asks("/").headers, site.guest().asks("/").headers
    assert mine["cache-control"] == "private, no-cache"
    assert "no-cache" in theirs["cache-control"]
    assert "Cookie" in mine["vary"].split(", ")


def test_behind_tls_cookies_and_browsers_stay_there(behind_tls: WebSite) -> None:
    site = behind_tls
    site.joins("alice")
    headers = {"origin": "https://pbem.example"}
    guest = site.guest()
    assert guest.asks("/sign-in", "POST", data={"who": "alice"}, headers={"origin": URL}).status_code == 403
    assert guest.asks("/sign-in", "POST", data={"who": "alice"}, headers=headers).status_code == 200
    link = mails(site, "alice@example.org")[-1][1].split("https://pbem.example")[1].split()[0]
    answer = guest.asks(link, "POST", data={"then": "/"}, headers=headers)
    cookie = answer.headers["set-cookie"].lower()
    assert cookie.startswith("__host-session=")
    assert {"secure", "httponly", "path=/", "samesite=lax"} <= set(cookie.split("; "))
    assert "max-age=31536000" in answer.headers["strict-transport-security"]


def test_a_cookie_that_a_neighbour_has_set_is_not_looked_at_behind_tls(behind_tls: WebSite) -> None:
    """Another host of the same domain can plant ``session``, and cannot plant ``__Host-session``."""
    behind_tls.joins("alice")
    browser = behind_tls.browser("alice")
    assert browser.asks("/settings").status_code == 303
    secured = behind_tls.guest().asks("/settings", headers={"cookie": f"__Host-session={secret_of(browser)}"})
    assert secured.status_code == 200


def test_what_was_stolen_is_of_no_use_after_signing_out(site: WebSite) -> None:
    site.joins("alice")
    has_password(site, "alice", "secret")
    browser = site.guest()
    fills(browser, "/sign-in", "/sign-in/password", userid="alice", password="secret")
    thief = with_cookie(site, secret_of(browser))
    assert who(thief) == "alice"
    sends(browser, "/sign-out", {"token": token(browser), "where": "everywhere"})
    assert who(thief) is None


def test_nobody_signs_out_for_another(site: WebSite, alice: WebClient) -> None:
    bob = site.browser("bob")
    sends(bob, "/sign-out", {"token": token(bob), "where": "everywhere"})
    assert who(alice) == "alice"


def test_a_guest_can_do_nothing_at_a_board(site: WebSite, alice: WebClient) -> None:
    number = site.begins("superbo", "alice", "bob")
    guest = site.guest()
    for path, fields in (("move", {"turn": "a1"}), ("act", {"verb": "resign"})):
        answer = sends(guest, f"/boards/{number}/{path}", fields)
        assert answer.status_code == 303 or "sign in first" in answer.text
    assert site.board(number).event_number == 0


def test_nobody_plays_at_the_board_of_others(site: WebSite, alice: WebClient) -> None:
    site.joins("carol")
    number = site.begins("superbo", "bob", "carol")
    for path, fields in (("move", {"turn": "a1"}), ("act", {"verb": "resign"}), ("act", {"verb": "propose"})):
        answer = sends(alice, f"/boards/{number}/{path}", {"token": token(alice), **fields})
        assert answer.status_code in (403, 409)
    assert site.board(number).event_number == 0


def test_who_is_frozen_looks_on_and_plays_not(site: WebSite, alice: WebClient) -> None:
    number = site.begins("superbo", "alice", "bob")
    site.does(None, lambda context: dispatch(FreezePlayer("alice"), context))
    answer = sends(alice, f"/boards/{number}/move", {"token": token(alice), "turn": "a1"})
    assert "frozen" in answer.text
    assert answer.status_code in (403, 409)
    assert site.board(number).event_number == 0


def test_links_and_passwords_are_in_no_log(site: WebSite, capsys: pytest.CaptureFixture[str]) -> None:
    site.joins("alice")
    guest = site.guest()
    fills(guest, "/sign-in", "/sign-in", who="alice")
    link = link_in(mails(site, "alice@example.org")[-1])
    guest.opens(link)
    sends(guest, link, {})
    fills(site.guest(), "/sign-in", "/sign-in/password", userid="alice", password="hunter2secret")
    printed = "".join(capsys.readouterr())
    assert link.rpartition("/")[2] not in printed
    assert "hunter2secret" not in printed
    assert secret_of(guest) not in printed


def test_a_userid_with_markup_cannot_be_had(site: WebSite) -> None:
    answer = fills(site.guest(), "/sign-up", "/sign-up", userid="<script>alert(1)</script>", address="x@example.org")
    page = shown(answer, 409)
    assert not page.find("//main//script")
    assert rows(site, "SELECT count(*) FROM players") == [(0,)]


@pytest.mark.parametrize(
    "address",
    ["x@example.org\r\nBcc: all@example.org", "x@example.org,y@example.org", "<x@example.org>", "x@", "\u00e9@x.org"],
)
def test_an_address_is_one_address(site: WebSite, address: str) -> None:
    assert fills(site.guest(), "/sign-up", "/sign-up", userid="zoe", address=address).status_code == 409
    assert rows(site, "SELECT count(*) FROM outbox") == [(0,)]


EVIL = "<img src=x onerror=alert(1)>\"'&{{ 7*7 }}]]><svg onload=alert(2)><script>alert(3)"
"""As no name and no option can be today; should one come into the database all the same, it is text."""


@pytest.fixture
def marked_up(site: WebSite) -> WebSite:
    """A tournament that runs, its board, and another board, with markup for names and values of options.

    On PostgreSQL no name is so long.
    """
    site.joins("alice", "bob")
    site.says("alice", "superbo tournament create Cup")
    for userid in ("alice", "bob"):
        site.says(userid, "superbo tournament join Cup")
    site.says("alice", "superbo tournament start Cup")
    site.begins("superbo", "alice", "bob")
    with writing(site.server.engine) as connection:
        connection.execute(update(TournamentRow).values(name=EVIL, name_key=EVIL.lower(), options={"single": EVIL}))
        connection.execute(update(BoardRow).values(options={"single": EVIL}))
    return site


@pytest.mark.sqlite
def test_markup_in_names_of_tournaments_and_in_options_is_text_on_every_page(marked_up: WebSite) -> None:
    of_cup, shown_at = quote(EVIL, safe=""), 0
    for browser in (marked_up.guest(), marked_up.browser("alice")):
        for address in (
            "/",
            "/games/superbo",
            "/boards",
            "/boards?which=tournament&player=alice",
            "/boards/101",
            "/boards/102",
            "/boards/101?turn=A1&pick=B",
            "/players/alice",
            "/tournaments",
            "/tournaments/superbo",
            f"/tournaments/superbo/{of_cup}",
            f"/boards?game={of_cup}",
            f"/history?player={of_cup}",
            f"/challenge?game=superbo&options={of_cup}&to={of_cup}",
            f"/games/superbo/variant?options={of_cup}",
            f"/help/{of_cup}",
        ):
            answer = browser.asks(address)
            assert answer.status_code in (200, 303, 404, 409), (address, answer.status_code)
            if answer.status_code == 303:
                continue
            page = WebPage(answer)
            pictures = page.all("//img/@src | //img/@data-src")
            assert len(pictures) >= len(page.find("//img")), address
            foreign = [each for each in pictures if not each.startswith("/") or each.startswith("//")]
            assert not [*foreign, *page.find("//main//script[not(@type='text/html')]")], address
            assert not any("<img" in each or "<script" in each for each in page.all("//script")), address
            assert not page.find("//*[@onerror or @onload]"), address
            assert "49" not in page.text, address
            for drawing in re.findall(r"<svg.*?</svg>", page.source, re.DOTALL):
                etree.fromstring(drawing)
            shown_at += EVIL in unescape(page.source.replace("<wbr>", ""))
    assert shown_at > 15


@pytest.mark.sqlite
def test_markup_is_text_for_programs_too(marked_up: WebSite) -> None:
    guest, of_cup = marked_up.guest(), quote(EVIL, safe="")
    for address in (
        "/boards.json",
        "/boards/101.json",
        "/tournaments/superbo.json",
        f"/tournaments/superbo/{of_cup}.json",
        f"/boards.json?game={of_cup}",
    ):
        answer = guest.asks(address)
        assert answer.headers["content-type"] in ("application/json", "application/problem+json")
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert EVIL[:30] in json.dumps(answer.json(), ensure_ascii=False).replace("\\", ""), address


@pytest.mark.sqlite
def test_markup_is_text_in_the_mails_that_lead_to_these_pages(marked_up: WebSite) -> None:
    alice = marked_up.browser("alice")
    number = 101 if marked_up.board(101).seats[0].userid == "alice" else 102
    sends(alice, f"/boards/{number}/move", {"token": token(alice), "turn": "a1", "comment": EVIL})
    letter = letters(marked_up, "bob@example.org")[-1]
    found = letter.get_body(("html",))
    assert found is not None
    content = found.get_content()
    assert f"/boards/{number}" in content
    assert EVIL in unescape(content)
    assert "<script" not in content
    assert "<img src=x" not in content
