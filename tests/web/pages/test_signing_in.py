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
from tests.web.club import URL, Club
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


def asks_link(club: Club, name: str = "alice", address: str = "/sign-in") -> httpx.Response:
    return fills(club.guest(), address, "/sign-in", who=name)


def test_a_link_that_was_mailed_signs_in_once_in_whichever_browser(club: Club) -> None:
    club.joins("alice")
    assert "Look into your mail" in shown(asks_link(club)).text
    link, browser, other = newest_link(club), club.guest(), club.guest()
    assert who(browser) is None
    answer = presses(browser, link)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert who(browser) == "alice"
    page = shown(other.asks(link), 403)
    assert "does not work any more" in page.text
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
def test_signing_in_from_the_head_of_a_page_leads_back_to_it(club: Club, address: str, way: str) -> None:
    club.joins("alice", "bob")
    club.begins("superbo", "alice", "bob")
    has_password(club, "alice", "fine-password")
    guest = club.guest()
    assert guest.opens(address).all("//nav[@aria-label='You']/a[1]/@href") == [way]
    answer = fills(guest, way, "/sign-in/password", userid="alice", password="fine-password")
    assert answer.headers["location"] == (address if "then" in way else "/")


def test_a_link_that_is_only_looked_at_stays_good(club: Club) -> None:
    club.joins("alice")
    asks_link(club)
    link = newest_link(club)
    for _ in range(3):
        scanner = club.guest().asks(link)
        assert "set-cookie" not in scanner.headers
        assert scanner.headers["cache-control"] == "no-store"
        assert club.guest().asks(link, "HEAD").status_code == 200
    browser = club.guest()
    presses(browser, link)
    assert who(browser) == "alice"


def test_of_two_buttons_pressed_with_one_link_one_signs_in(club: Club) -> None:
    club.joins("alice")
    asks_link(club)
    link, one, other = newest_link(club), club.guest(), club.guest()
    one.opens(link), other.opens(link)
    assert sends(one, link, {}).status_code == 303
    assert sends(other, link, {}).status_code == 403
    assert who(other) is None


def test_a_link_is_good_for_half_an_hour(club: Club) -> None:
    club.joins("alice")
    asks_link(club)
    link = newest_link(club)
    club.waits(signing_in.LINK_FOR)
    club.guest().opens(link)
    club.waits(MINUTE)
    assert "does not work any more" in club.guest().opens(link, 403).text
    assert sends(club.guest(), link, {}).status_code == 403


@pytest.mark.parametrize("name", ["ALICE", "alice@example.org", " Alice@Example.ORG "])
def test_a_link_is_asked_for_by_userid_or_address(club: Club, name: str) -> None:
    club.joins("alice", "bob")
    asks_link(club, name)
    assert [subject for subject, _ in mails(club, ALICE)] == ["Sign in to pbem"]
    assert not mails(club, "bob@example.org")


def test_nobody_can_tell_from_the_answer_whether_there_is_such_a_player(club: Club) -> None:
    club.joins("alice")
    known, unknown = (asks_link(club, name) for name in ("alice", "nobody"))
    assert known.text == unknown.text
    assert known.status_code == unknown.status_code


@pytest.mark.parametrize("name", ["alice", "nobody", ALICE, "nobody@example.org"])
def test_nor_from_the_time_that_it_takes(club: Club, name: str) -> None:
    """A tenth of a second, which is several times what the work takes; without waiting it took 5 or 7 ms."""
    club.joins("alice")
    browser = club.guest()
    for action, fields in (("/sign-in", {"who": name}), ("/sign-in/password", {"userid": name, "password": "wrong"})):
        began = time.monotonic()
        sends(browser, action, fields)
        assert time.monotonic() - began >= connections.BEAT


def test_whoever_asks_in_her_name_she_always_has_a_link_that_is_good_for_long_enough(club: Club) -> None:
    club.joins("alice")
    for minute in range(0, 61, 2):
        assert len({asks_link(club).text, asks_link(club, "nobody").text}) == 1, "told whether there is anybody"
        club.guest().opens(newest_link(club))
        assert len(mails(club, ALICE)) == 1 + minute // 10
        club.waits(2 * MINUTE)
    club.waits(signing_in.LINK_FOR - signing_in.NEXT_LINK_AFTER)
    browser = club.guest()
    presses(browser, newest_link(club))
    assert who(browser) == "alice"


def test_a_link_that_was_used_does_not_keep_the_next_one_back(club: Club) -> None:
    club.joins("alice")
    for count in range(1, 4):
        asks_link(club)
        assert len(mails(club, ALICE)) == count
        presses(club.guest(), newest_link(club))


def test_a_browser_in_which_she_has_signed_in_before_is_mailed_one_whatever_others_do(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    club.joins("alice", "bob")
    asks_link(club)
    hers, his = club.guest(), club.guest()
    presses(hers, newest_link(club))
    sends(hers, "/sign-out", {"token": token(hers)})
    asks_link(club, "bob")
    presses(his, newest_link(club, "bob@example.org"))
    sends(his, "/sign-out", {"token": token(his)})
    monkeypatch.setattr(visitors, "MAILS_PER_DAY", 3)
    asks_link(club)
    assert len(mails(club, ALICE)) == 2
    assert fills(his, "/sign-in", "/sign-in", who="alice").status_code == 429
    for count in range(3, 3 + browsers.LINKS_PER_DAY):
        assert fills(hers, "/sign-in", "/sign-in", who="alice").status_code == 200
        assert len(mails(club, ALICE)) == count
    assert fills(hers, "/sign-in", "/sign-in", who="alice").status_code == 429


def test_who_signs_out_everywhere_is_not_known_to_that_browser_any_more(club: Club) -> None:
    club.joins("alice")
    asks_link(club)
    browser = club.guest()
    presses(browser, newest_link(club))
    assert "familiar" in browser._client.cookies
    sends(browser, "/sign-out", {"token": token(browser), "where": "everywhere"})
    assert "familiar" not in browser._client.cookies


def test_a_browser_that_only_says_so_is_not_believed(club: Club) -> None:
    club.joins("alice", "bob")
    asks_link(club, "bob")
    his = club.guest()
    presses(his, newest_link(club, "bob@example.org"))
    cookie = his._client.cookies["familiar"]
    ((alice,),) = rows(club, "SELECT id FROM players WHERE userid = 'alice'")
    asks_link(club)
    for forged in (cookie, f"{alice}.{cookie.partition('.')[2]}", f"{alice}..", "", "x"):
        liar = club._browser({"familiar": forged})
        fills(liar, "/sign-in", "/sign-in", who="alice")
        assert who(liar) is None
    assert len(mails(club, ALICE)) == 1


def test_wrong_passwords_of_others_do_not_keep_her_out_of_her_browser(club: Club) -> None:
    club.joins("alice")
    has_password(club, "alice", "secret")
    hers = club.guest()
    fills(hers, "/sign-in", "/sign-in/password", userid="alice", password="secret")
    sends(hers, "/sign-out", {"token": token(hers)})
    for _ in range(25):
        fills(club.guest(), "/sign-in", "/sign-in/password", userid="alice", password="wrong")
    assert fills(club.guest(), "/sign-in", "/sign-in/password", userid="alice", password="secret").status_code == 403
    fills(hers, "/sign-in", "/sign-in/password", userid="alice", password="secret")
    assert who(hers) == "alice"
    sends(hers, "/sign-out", {"token": token(hers)})
    for _ in range(5):
        fills(hers, "/sign-in", "/sign-in/password", userid="alice", password="wrong")
    assert fills(hers, "/sign-in", "/sign-in/password", userid="alice", password="secret").status_code == 403


def test_a_host_has_a_day_for_so_many_mails_and_others_have_their_own(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(visitors, "MAILS_PER_DAY", 3)
    for name in ("a", "b", "c"):
        assert asks_link(club, name).status_code == 200
    assert "no more go out today" in shown(asks_link(club, "d"), 429).text
    signup = fills(club.guest(), "/sign-up", "/sign-up", userid="zoe", address="zoe@example.org")
    assert "no more go out today" in shown(signup, 409).text
    assert not mails(club, "zoe@example.org")
    club.waits(DAY)
    assert asks_link(club, "d").status_code == 200


def test_a_link_leads_on_to_the_board_that_he_came_from(club: Club) -> None:
    club.joins("alice", "bob")
    number = club.begins("superbo", "alice", "bob")
    board = f"/boards/{number}?turn=a1&pick=J"
    asks_link(club, address=f"/sign-in?then={quote(board, safe='')}")
    link = newest_link(club)
    assert link.endswith("?then=" + quote(board, safe="/"))
    assert presses(club.guest(), link).headers["location"] == board


def test_who_must_sign_in_comes_back_to_where_he_was(club: Club) -> None:
    answer = club.guest().asks("/challenge?game=mambo&to=bob")
    assert answer.status_code == 303
    where = answer.headers["location"]
    assert club.guest().opens(where).all('//input[@name="then"]/@value')[0] == "/challenge?game=mambo&to=bob"


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
def test_nobody_is_led_away_from_the_server(club: Club, then: str) -> None:
    club.joins("alice")
    fills(club.guest(), "/sign-in", "/sign-in", who="alice", then=then)
    link = newest_link(club)
    assert "then" not in link
    browser = club.guest()
    browser.opens(link)
    answer = sends(browser, link, {"then": then})
    assert answer.headers["location"] == "/"
    assert "stolen" not in str(answer.headers)


def test_the_mail_of_a_link_has_no_long_words_of_whoever_asked_for_it(club: Club) -> None:
    club.joins("alice")
    fills(club.guest(), "/sign-in", "/sign-in", who="alice", then="/" + "x" * 300)
    assert newest_link(club).count("x") < 20
    fills(club.guest(), "/sign-in", "/sign-in", who="alice", then="/boards/1\n\nWin a prize at evil.example")
    assert "evil" not in mails(club, ALICE)[-1][1]


def test_a_password_signs_in_and_the_old_session_of_the_browser_ends(club: Club) -> None:
    club.joins("alice", "bob")
    has_password(club, "alice", "secret")
    asks_link(club, "bob")
    browser = club.guest()
    presses(browser, newest_link(club, "bob@example.org"))
    copy = with_cookie(club, secret_of(browser))
    answer = fills(browser, "/sign-in", "/sign-in/password", userid="Alice", password="secret")
    assert answer.status_code == 303
    assert who(browser) == "alice"
    assert who(copy) is None


def test_what_is_wrong_about_a_password_says_nothing_of_the_player(club: Club) -> None:
    club.joins("alice", "bob")
    has_password(club, "alice", "secret")
    answers = {
        name: shown(fills(club.guest(), "/sign-in", "/sign-in/password", userid=name, password="wrong"), 403)
        for name in ("alice", "bob", "nobody")
    }
    texts = {page.text for page in answers.values()}
    assert len(texts) == 1
    assert "wrong" not in {each for page in answers.values() for each in page.all("//input/@value")}


def test_so_many_wrong_passwords_and_only_a_link_signs_in(club: Club) -> None:
    club.joins("alice")
    has_password(club, "alice", "secret")
    for _ in range(5):
        fills(club.guest(), "/sign-in", "/sign-in/password", userid="alice", password="wrong")
    late = fills(club.guest(), "/sign-in", "/sign-in/password", userid="alice", password="secret")
    assert "In 60 minutes I shall again" in shown(late, 403).text
    asks_link(club)
    browser = club.guest()
    presses(browser, newest_link(club))
    assert who(browser) == "alice"


def test_the_cookie_is_for_this_server_alone(club: Club) -> None:
    club.joins("alice")
    asks_link(club)
    cookie = presses(club.guest(), newest_link(club)).headers["set-cookie"].lower()
    assert cookie.startswith("session=")
    assert {"httponly", "path=/", "samesite=lax", f"max-age={30 * 24 * 3600}"} <= set(cookie.split("; "))
    assert "secure" not in cookie
    assert "domain" not in cookie


def test_the_database_cannot_be_used_to_sign_in(club: Club) -> None:
    club.joins("alice")
    asks_link(club)
    secret = presses(club.guest(), newest_link(club)).headers["set-cookie"].partition("=")[2].partition(";")[0]
    (stored,) = rows(club, "SELECT * FROM sessions")
    assert secret not in str(stored)
    assert who(with_cookie(club, secret)) == "alice"
    assert who(with_cookie(club, stored[0])) is None


@pytest.mark.parametrize("secret", ["", "x", "0" * 43, "a" * 5000])
def test_a_cookie_that_is_none_of_ours_is_nobodys(club: Club, secret: str) -> None:
    club.joins("alice")
    browser = with_cookie(club, secret)
    assert who(browser) is None
    assert browser.asks("/settings").status_code == 303


def test_a_secret_that_somebody_else_has_planted_is_not_kept(club: Club) -> None:
    """A session is never begun with a secret that the browser brings."""
    club.joins("alice")
    browser = with_cookie(club, "planted")
    asks_link(club)
    cookie = presses(browser, newest_link(club)).headers["set-cookie"]
    assert "planted" not in cookie
    assert who(with_cookie(club, "planted")) is None


def test_a_session_ends_when_it_is_not_used_and_is_prolonged_when_it_is(club: Club) -> None:
    club.joins("alice")
    used, unused = club.browser("alice"), club.browser("alice")
    assert "set-cookie" not in used.asks("/").headers
    for _ in range(40):
        club.waits(DAY)
        assert who(used) == "alice"
    assert who(unused) is None
    assert who(used) == "alice"
    club.waits(31 * DAY)
    assert who(used) is None


def test_a_session_that_is_prolonged_is_kept_by_the_browser_for_as_long(club: Club) -> None:
    club.joins("alice")
    browser = club.browser("alice")
    club.waits(DAY)
    assert "max-age=2592000" in browser.asks("/").headers["set-cookie"].lower()
    assert "set-cookie" not in browser.asks("/").headers


def test_signing_out_ends_the_session_and_no_other(club: Club) -> None:
    club.joins("alice")
    here, there = club.browser("alice"), club.browser("alice")
    copy = with_cookie(club, secret_of(here))
    assert sends(here, "/sign-out", {"token": token(here)}).status_code == 303
    assert [who(each) for each in (here, copy, there)] == [None, None, "alice"]


def test_signing_out_everywhere_ends_all(club: Club) -> None:
    club.joins("alice", "bob")
    here, there, bob = club.browser("alice"), club.browser("alice"), club.browser("bob")
    assert sends(here, "/sign-out", {"token": token(here), "where": "everywhere"}).status_code == 303
    assert [who(each) for each in (here, there, bob)] == [None, None, "bob"]


def test_who_is_banned_or_leaves_is_signed_out_and_stays_so(club: Club) -> None:
    club.joins("alice", "bob", "carol")
    browsers = {name: club.browser(name) for name in ("alice", "bob", "carol")}
    club.does(None, lambda context: dispatch(BanPlayer("alice"), context))
    club.does("bob", lambda context: signoff.carry_out_signoff(SignOff(), context))
    club.does(None, lambda context: dispatch(RemovePlayer("carol"), context))
    assert [who(each) for each in browsers.values()] == [None, None, None]
    club.does(None, lambda context: dispatch(UnbanPlayer("alice"), context))
    assert who(browsers["alice"]) is None
    assert rows(club, "SELECT count(*) FROM sessions") == [(0,)]


def test_who_is_banned_cannot_use_a_link_that_came_before(club: Club) -> None:
    club.joins("alice")
    asks_link(club)
    club.does(None, lambda context: dispatch(BanPlayer("alice"), context))
    browser = club.guest()
    answer = sends(browser, newest_link(club), {})
    assert answer.status_code == 403
    assert who(browser) is None


def test_a_new_password_ends_all_sessions_but_the_one_that_it_was_asked_for_in(club: Club) -> None:
    club.joins("alice")
    here, there = club.browser("alice"), club.browser("alice")
    fills_password = {"token": token(here), "deed": "password", "password": "better"}
    assert "a question has gone" in shown(sends(here, "/settings", fills_password)).text
    assert who(there) == "alice"
    answers(club, ALICE, "yes")
    assert [who(each) for each in (here, there)] == ["alice", None]
    guest = club.guest()
    fills(guest, "/sign-in", "/sign-in/password", userid="alice", password="better")
    assert who(guest) == "alice"


def test_an_answer_by_mail_to_the_mail_with_a_link_does_nothing(club: Club) -> None:
    club.joins("alice")
    asks_link(club)
    link = newest_link(club)
    (told,) = answers(club, ALICE, "yes", proof_of(club, link))
    assert told.name == "error"
    browser = club.guest()
    presses(browser, link)
    assert who(browser) == "alice"


def test_a_question_of_another_kind_signs_nobody_in(club: Club) -> None:
    fills(club.guest(), "/sign-up", "/sign-up", userid="zoe", address="zoe@example.org")
    link = newest_link(club, "zoe@example.org")
    assert link.startswith("/confirm/")
    browser = club.guest()
    browser.opens(link.replace("/confirm/", "/sign-in/"), 403)
    assert sends(browser, link.replace("/confirm/", "/sign-in/"), {}).status_code == 403
    assert who(browser) is None
    club.joins("alice")
    asks_link(club)
    browser.opens(newest_link(club).replace("/sign-in/", "/confirm/"), 403)


@pytest.mark.parametrize("word", ["x", "a" * 37, "-", "%00", "..%2f..", "\u00e9"])
def test_a_word_that_is_no_link_says_so(club: Club, word: str) -> None:
    for place in ("sign-in", "confirm"):
        answer = club.guest().asks(f"/{place}/{word}")
        assert answer.status_code in (307, 308, 403, 404)


def test_links_go_to_the_address_that_the_server_is_known_by(club: Club) -> None:
    club.joins("alice")
    club.guest().asks("/sign-in", "POST", data={"who": "alice"}, headers={"host": "evil.example", "origin": URL})
    assert "evil" not in mails(club, ALICE)[-1][1]
