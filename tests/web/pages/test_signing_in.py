"""Signing in and out: by links that are mailed, and with passwords."""

from __future__ import annotations

import time
from datetime import timedelta
from urllib.parse import quote

import httpx
import pytest

from pbem.commands.accounts import SignOff
from pbem.commands.internal import BanPlayer, RemovePlayer, UnbanPlayer
from pbem.usecases import signing_in, signoff
from pbem.usecases import signing_in as browsers
from pbem.usecases import signing_in as visitors
from pbem.usecases.dispatcher import dispatch
from pbem.web import connections
from tests.storage.stock import MINUTE
from tests.support.web_site import URL, WebSite
from tests.web.visiting import (
    ALICE,
    answers,
    fills,
    has_password,
    mails,
    newest_link,
    presses,
    proof_of,
    rows,
    secret_of,
    sends,
    shown,
    token,
    who,
    with_cookie,
)

DAY = timedelta(days=1)


def asks_link(site: WebSite, name: str = "alice", address: str = "/sign-in") -> httpx.Response:
    return fills(site.guest(), address, "/sign-in", who=name)


def test_a_link_that_was_mailed_signs_in_once_in_whichever_browser(site: WebSite) -> None:
    site.joins("alice")
    assert "Check your mail" in shown(asks_link(site)).text
    link, browser, other = newest_link(site), site.guest(), site.guest()
    assert who(browser) is None
    answer = presses(browser, link)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert who(browser) == "alice"
    page = shown(other.asks(link), 403)
    assert "no longer works" in page.text
    assert "/sign-in?then=/" in page.all("//main//a/@href")
    assert who(other) is None
    assert "You are signed in as alice" in shown(browser.asks(f"{link}?then=/boards"), 403).text
    assert "/boards" in shown(browser.asks(f"{link}?then=/boards"), 403).all("//main//a/@href")
    assert "//evil.example" not in shown(browser.asks(f"{link}?then=//evil.example"), 403).source


@pytest.mark.parametrize(
    ("address", "way"),
    [
        ("/boards/101", "/sign-in?then=/boards/101"),
        ("/history?page=1", "/sign-in?then=/history%3Fpage%3D1"),
        ("/", "/sign-in"),
        ("/sign-in?then=/boards", "/sign-in"),
        ("/sign-up", "/sign-in"),
    ],
)
def test_signing_in_from_the_head_of_a_page_leads_back_to_it(site: WebSite, address: str, way: str) -> None:
    site.joins("alice", "bob")
    site.begins("superbo", "alice", "bob")
    has_password(site, "alice", "fine-password")
    guest = site.guest()
    assert guest.opens(address).all("//nav[@aria-label='You']/a[1]/@href") == [way]
    answer = fills(guest, way, "/sign-in/password", userid="alice", password="fine-password")
    assert answer.headers["location"] == (address if "then" in way else "/")


def test_a_link_that_is_only_looked_at_stays_good(site: WebSite) -> None:
    site.joins("alice")
    asks_link(site)
    link = newest_link(site)
    for _ in range(3):
        scanner = site.guest().asks(link)
        assert "set-cookie" not in scanner.headers
        assert scanner.headers["cache-control"] == "no-store"
        assert site.guest().asks(link, "HEAD").status_code == 200
    browser = site.guest()
    presses(browser, link)
    assert who(browser) == "alice"


def test_of_two_buttons_pressed_with_one_link_one_signs_in(site: WebSite) -> None:
    site.joins("alice")
    asks_link(site)
    link, one, other = newest_link(site), site.guest(), site.guest()
    one.opens(link), other.opens(link)
    assert sends(one, link, {}).status_code == 303
    assert sends(other, link, {}).status_code == 403
    assert who(other) is None


def test_a_link_is_good_for_half_an_hour(site: WebSite) -> None:
    site.joins("alice")
    asks_link(site)
    link = newest_link(site)
    site.waits(signing_in.LINK_FOR)
    site.guest().opens(link)
    site.waits(MINUTE)
    assert "no longer works" in site.guest().opens(link, 403).text
    assert sends(site.guest(), link, {}).status_code == 403


@pytest.mark.parametrize("name", ["ALICE", "alice@example.org", " Alice@Example.ORG "])
def test_a_link_is_asked_for_by_userid_or_address(site: WebSite, name: str) -> None:
    site.joins("alice", "bob")
    asks_link(site, name)
    assert [subject for subject, _ in mails(site, ALICE)] == ["Sign in to pbem"]
    assert not mails(site, "bob@example.org")


def test_nobody_can_tell_from_the_answer_whether_there_is_such_a_player(site: WebSite) -> None:
    site.joins("alice")
    known, unknown = (asks_link(site, name) for name in ("alice", "nobody"))
    assert known.text == unknown.text
    assert known.status_code == unknown.status_code


@pytest.mark.parametrize("name", ["alice", "nobody", ALICE, "nobody@example.org"])
def test_nor_from_the_time_that_it_takes(site: WebSite, name: str) -> None:
    """A tenth of a second, which is several times what the work takes; without waiting it took 5 or 7 ms."""
    site.joins("alice")
    browser = site.guest()
    for action, fields in (("/sign-in", {"who": name}), ("/sign-in/password", {"userid": name, "password": "wrong"})):
        began = time.monotonic()
        sends(browser, action, fields)
        assert time.monotonic() - began >= connections.BEAT


def test_whoever_asks_in_her_name_she_always_has_a_link_that_is_good_for_long_enough(site: WebSite) -> None:
    site.joins("alice")
    for minute in range(0, 61, 2):
        assert len({asks_link(site).text, asks_link(site, "nobody").text}) == 1, "told whether there is anybody"
        site.guest().opens(newest_link(site))
        assert len(mails(site, ALICE)) == 1 + minute // 10
        site.waits(2 * MINUTE)
    site.waits(signing_in.LINK_FOR - signing_in.NEXT_LINK_AFTER)
    browser = site.guest()
    presses(browser, newest_link(site))
    assert who(browser) == "alice"


def test_a_link_that_was_used_does_not_keep_the_next_one_back(site: WebSite) -> None:
    site.joins("alice")
    for count in range(1, 4):
        asks_link(site)
        assert len(mails(site, ALICE)) == count
        presses(site.guest(), newest_link(site))


def test_a_browser_in_which_she_has_signed_in_before_is_mailed_one_whatever_others_do(
    site: WebSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.joins("alice", "bob")
    asks_link(site)
    first, second = site.guest(), site.guest()
    presses(first, newest_link(site))
    sends(first, "/sign-out", {"token": token(first)})
    asks_link(site, "bob")
    presses(second, newest_link(site, "bob@example.org"))
    sends(second, "/sign-out", {"token": token(second)})
    monkeypatch.setattr(visitors, "MAILS_PER_DAY", 3)
    asks_link(site)
    assert len(mails(site, ALICE)) == 2
    assert fills(second, "/sign-in", "/sign-in", who="alice").status_code == 429
    for count in range(3, 3 + browsers.LINKS_PER_DAY):
        assert fills(first, "/sign-in", "/sign-in", who="alice").status_code == 200
        assert len(mails(site, ALICE)) == count
    assert fills(first, "/sign-in", "/sign-in", who="alice").status_code == 429


def test_who_signs_out_everywhere_is_not_known_to_that_browser_any_more(site: WebSite) -> None:
    site.joins("alice")
    asks_link(site)
    browser = site.guest()
    presses(browser, newest_link(site))
    assert "familiar" in browser.client.cookies
    sends(browser, "/sign-out", {"token": token(browser), "where": "everywhere"})
    assert "familiar" not in browser.client.cookies


def test_a_browser_that_only_says_so_is_not_believed(site: WebSite) -> None:
    site.joins("alice", "bob")
    asks_link(site, "bob")
    second = site.guest()
    presses(second, newest_link(site, "bob@example.org"))
    cookie = second.client.cookies["familiar"]
    ((alice,),) = rows(site, "SELECT id FROM players WHERE userid = 'alice'")
    asks_link(site)
    for forged in (cookie, f"{alice}.{cookie.partition('.')[2]}", f"{alice}..", "", "x"):
        liar = site.browser_with({"familiar": forged})
        fills(liar, "/sign-in", "/sign-in", who="alice")
        assert who(liar) is None
    assert len(mails(site, ALICE)) == 1


def test_wrong_passwords_of_others_do_not_keep_her_out_of_her_browser(site: WebSite) -> None:
    site.joins("alice")
    has_password(site, "alice", "secret")
    first = site.guest()
    fills(first, "/sign-in", "/sign-in/password", userid="alice", password="secret")
    sends(first, "/sign-out", {"token": token(first)})
    for _ in range(25):
        fills(site.guest(), "/sign-in", "/sign-in/password", userid="alice", password="wrong")
    assert fills(site.guest(), "/sign-in", "/sign-in/password", userid="alice", password="secret").status_code == 403
    fills(first, "/sign-in", "/sign-in/password", userid="alice", password="secret")
    assert who(first) == "alice"
    sends(first, "/sign-out", {"token": token(first)})
    for _ in range(5):
        fills(first, "/sign-in", "/sign-in/password", userid="alice", password="wrong")
    assert fills(first, "/sign-in", "/sign-in/password", userid="alice", password="secret").status_code == 403


def test_a_host_has_a_day_for_so_many_mails_and_others_have_their_own(
    site: WebSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visitors, "MAILS_PER_DAY", 3)
    for name in ("a", "b", "c"):
        assert asks_link(site, name).status_code == 200
    assert "no more will be sent" in shown(asks_link(site, "d"), 429).text
    signup = fills(site.guest(), "/sign-up", "/sign-up", userid="zoe", address="zoe@example.org")
    assert "no more will be sent" in shown(signup, 409).text
    assert not mails(site, "zoe@example.org")
    site.waits(DAY)
    assert asks_link(site, "d").status_code == 200


def test_a_link_leads_on_to_the_board_that_he_came_from(site: WebSite) -> None:
    site.joins("alice", "bob")
    number = site.begins("superbo", "alice", "bob")
    board = f"/boards/{number}?turn=a1&pick=J"
    asks_link(site, address=f"/sign-in?then={quote(board, safe='')}")
    link = newest_link(site)
    assert link.endswith("?then=" + quote(board, safe="/"))
    assert presses(site.guest(), link).headers["location"] == board


def test_who_must_sign_in_comes_back_to_where_he_was(site: WebSite) -> None:
    answer = site.guest().asks("/challenge?game=mambo&to=bob")
    assert answer.status_code == 303
    where = answer.headers["location"]
    assert site.guest().opens(where).all('//input[@name="then"]/@value')[0] == "/challenge?game=mambo&to=bob"


@pytest.mark.parametrize(
    "then",
    [
        "//evil.example/",
        "///evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "https://evil.example/",
        "javascript:alert(1)",
        "evil",
        "/\t/evil.example",
        "/x\r\nset-cookie: session=stolen",
        "",
    ],
)
def test_nobody_is_led_away_from_the_server(site: WebSite, then: str) -> None:
    site.joins("alice")
    fills(site.guest(), "/sign-in", "/sign-in", who="alice", then=then)
    link = newest_link(site)
    assert "then" not in link
    browser = site.guest()
    browser.opens(link)
    answer = sends(browser, link, {"then": then})
    assert answer.headers["location"] == "/"
    assert "stolen" not in str(answer.headers)


def test_the_mail_of_a_link_has_no_long_words_of_whoever_asked_for_it(site: WebSite) -> None:
    site.joins("alice")
    fills(site.guest(), "/sign-in", "/sign-in", who="alice", then="/" + "x" * 300)
    assert newest_link(site).count("x") < 20
    fills(site.guest(), "/sign-in", "/sign-in", who="alice", then="/boards/1\n\nWin a prize at evil.example")
    assert "evil" not in mails(site, ALICE)[-1][1]


def test_a_password_signs_in_and_the_old_session_of_the_browser_ends(site: WebSite) -> None:
    site.joins("alice", "bob")
    has_password(site, "alice", "secret")
    asks_link(site, "bob")
    browser = site.guest()
    presses(browser, newest_link(site, "bob@example.org"))
    copy = with_cookie(site, secret_of(browser))
    answer = fills(browser, "/sign-in", "/sign-in/password", userid="Alice", password="secret")
    assert answer.status_code == 303
    assert who(browser) == "alice"
    assert who(copy) is None


def test_what_is_wrong_about_a_password_says_nothing_of_the_player(site: WebSite) -> None:
    site.joins("alice", "bob")
    has_password(site, "alice", "secret")
    answers = {
        name: shown(fills(site.guest(), "/sign-in", "/sign-in/password", userid=name, password="wrong"), 403)
        for name in ("alice", "bob", "nobody")
    }
    texts = {page.text for page in answers.values()}
    assert len(texts) == 1
    assert "wrong" not in {each for page in answers.values() for each in page.all("//input/@value")}


def test_so_many_wrong_passwords_and_only_a_link_signs_in(site: WebSite) -> None:
    site.joins("alice")
    has_password(site, "alice", "secret")
    for _ in range(5):
        fills(site.guest(), "/sign-in", "/sign-in/password", userid="alice", password="wrong")
    late = fills(site.guest(), "/sign-in", "/sign-in/password", userid="alice", password="secret")
    assert "Please try again in 60 minutes" in shown(late, 403).text
    asks_link(site)
    browser = site.guest()
    presses(browser, newest_link(site))
    assert who(browser) == "alice"


def test_the_cookie_is_for_this_server_alone(site: WebSite) -> None:
    site.joins("alice")
    asks_link(site)
    cookie = presses(site.guest(), newest_link(site)).headers["set-cookie"].lower()
    assert cookie.startswith("session=")
    assert {"httponly", "path=/", "samesite=lax", f"max-age={30 * 24 * 3600}"} <= set(cookie.split("; "))
    assert "secure" not in cookie
    assert "domain" not in cookie


def test_the_database_cannot_be_used_to_sign_in(site: WebSite) -> None:
    site.joins("alice")
    asks_link(site)
    secret = presses(site.guest(), newest_link(site)).headers["set-cookie"].partition("=")[2].partition(";")[0]
    (stored,) = rows(site, "SELECT * FROM sessions")
    assert secret not in str(stored)
    assert who(with_cookie(site, secret)) == "alice"
    assert who(with_cookie(site, stored[0])) is None


@pytest.mark.parametrize("secret", ["", "x", "0" * 43, "a" * 5000])
def test_a_cookie_that_is_none_of_ours_is_nobodys(site: WebSite, secret: str) -> None:
    site.joins("alice")
    browser = with_cookie(site, secret)
    assert who(browser) is None
    assert browser.asks("/settings").status_code == 303


def test_a_secret_that_somebody_else_has_planted_is_not_kept(site: WebSite) -> None:
    """A session is never begun with a secret that the browser brings."""
    site.joins("alice")
    browser = with_cookie(site, "planted")
    asks_link(site)
    cookie = presses(browser, newest_link(site)).headers["set-cookie"]
    assert "planted" not in cookie
    assert who(with_cookie(site, "planted")) is None


def test_a_session_ends_when_it_is_not_used_and_is_prolonged_when_it_is(site: WebSite) -> None:
    site.joins("alice")
    used, unused = site.browser("alice"), site.browser("alice")
    assert "set-cookie" not in used.asks("/").headers
    for _ in range(40):
        site.waits(DAY)
        assert who(used) == "alice"
    assert who(unused) is None
    assert who(used) == "alice"
    site.waits(31 * DAY)
    assert who(used) is None


def test_a_session_that_is_prolonged_is_kept_by_the_browser_for_as_long(site: WebSite) -> None:
    site.joins("alice")
    browser = site.browser("alice")
    site.waits(DAY)
    assert "max-age=2592000" in browser.asks("/").headers["set-cookie"].lower()
    assert "set-cookie" not in browser.asks("/").headers


def test_signing_out_ends_the_session_and_no_other(site: WebSite) -> None:
    site.joins("alice")
    here, there = site.browser("alice"), site.browser("alice")
    copy = with_cookie(site, secret_of(here))
    assert sends(here, "/sign-out", {"token": token(here)}).status_code == 303
    assert [who(each) for each in (here, copy, there)] == [None, None, "alice"]


def test_signing_out_everywhere_ends_all(site: WebSite) -> None:
    site.joins("alice", "bob")
    here, there, bob = site.browser("alice"), site.browser("alice"), site.browser("bob")
    assert sends(here, "/sign-out", {"token": token(here), "where": "everywhere"}).status_code == 303
    assert [who(each) for each in (here, there, bob)] == [None, None, "bob"]


def test_who_is_banned_or_leaves_is_signed_out_and_stays_so(site: WebSite) -> None:
    site.joins("alice", "bob", "carol")
    browsers = {name: site.browser(name) for name in ("alice", "bob", "carol")}
    site.does(None, lambda context: dispatch(BanPlayer("alice"), context))
    site.does("bob", lambda context: signoff.carry_out_signoff(SignOff(), context))
    site.does(None, lambda context: dispatch(RemovePlayer("carol"), context))
    assert [who(each) for each in browsers.values()] == [None, None, None]
    site.does(None, lambda context: dispatch(UnbanPlayer("alice"), context))
    assert who(browsers["alice"]) is None
    assert rows(site, "SELECT count(*) FROM sessions") == [(0,)]


def test_who_is_banned_cannot_use_a_link_that_came_before(site: WebSite) -> None:
    site.joins("alice")
    asks_link(site)
    site.does(None, lambda context: dispatch(BanPlayer("alice"), context))
    browser = site.guest()
    answer = sends(browser, newest_link(site), {})
    assert answer.status_code == 403
    assert who(browser) is None


def test_a_new_password_ends_all_sessions_but_the_one_that_it_was_asked_for_in(site: WebSite) -> None:
    site.joins("alice")
    here, there = site.browser("alice"), site.browser("alice")
    fills_password = {"token": token(here), "deed": "password", "password": "better"}
    assert "I have sent a question" in shown(sends(here, "/settings", fills_password)).text
    assert who(there) == "alice"
    answers(site, ALICE, "yes")
    assert [who(each) for each in (here, there)] == ["alice", None]
    guest = site.guest()
    fills(guest, "/sign-in", "/sign-in/password", userid="alice", password="better")
    assert who(guest) == "alice"


def test_an_answer_by_mail_to_the_mail_with_a_link_does_nothing(site: WebSite) -> None:
    site.joins("alice")
    asks_link(site)
    link = newest_link(site)
    (told,) = answers(site, ALICE, "yes", proof_of(site, link))
    assert told.name == "error"
    browser = site.guest()
    presses(browser, link)
    assert who(browser) == "alice"


def test_a_question_of_another_kind_signs_nobody_in(site: WebSite) -> None:
    fills(site.guest(), "/sign-up", "/sign-up", userid="zoe", address="zoe@example.org")
    link = newest_link(site, "zoe@example.org")
    assert link.startswith("/confirm/")
    browser = site.guest()
    browser.opens(link.replace("/confirm/", "/sign-in/"), 403)
    assert sends(browser, link.replace("/confirm/", "/sign-in/"), {}).status_code == 403
    assert who(browser) is None
    site.joins("alice")
    asks_link(site)
    browser.opens(newest_link(site).replace("/sign-in/", "/confirm/"), 403)


@pytest.mark.parametrize("word", ["x", "a" * 37, "-", "%00", "..%2f..", "\u00e9"])
def test_a_word_that_is_no_link_says_so(site: WebSite, word: str) -> None:
    for place in ("sign-in", "confirm"):
        answer = site.guest().asks(f"/{place}/{word}")
        assert answer.status_code in (307, 308, 403, 404)


def test_links_go_to_the_address_that_the_server_is_known_by(site: WebSite) -> None:
    site.joins("alice")
    site.guest().asks("/sign-in", "POST", data={"who": "alice"}, headers={"host": "evil.example", "origin": URL})
    assert "evil" not in mails(site, ALICE)[-1][1]
